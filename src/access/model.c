#include <string.h>

#include "access/join.h"
#include "access/order.h"
#include "base/mem.h"

bool join_lies_in(const struct join *join, const struct layout_member *member,
	const struct layout_member *outer)
{
	const struct layout_member *members = join->layout->members;
	size_t first = (size_t)(outer - members);
	size_t index = (size_t)(member - members);
	return index >= first && index - first <= outer->descendants;
}

/* [lock * fields + field]: the lock orders accesses to the field, which it protects or which is part of it. */
static const bool *ordered_fields(const struct join *join)
{
	bool *orders =
		arena_new(join->arena, join->lock_count * join->field_count, sizeof(*orders));
	for (size_t i = 0; i < join->lock_count; i++) {
		const struct access_lock *lock = &join->locks[i];
		for (size_t k = 0; k < join->field_count; k++) {
			const struct layout_member *member = join->fields[k].member;
			bool *ordered = &orders[i * join->field_count + k];
			*ordered = join_lies_in(join, member, lock->member);
			for (size_t p = 0; p < lock->protect_count && !*ordered; p++)
				*ordered = join_lies_in(join, member, lock->protects[p]);
		}
	}
	return orders;
}

static uint32_t field_of_path(const struct join *join, const char *path)
{
	const struct layout_member *member = layout_find(join->layout, path);
	uint32_t same_member = UINT32_MAX;
	for (size_t i = join->field_count; i-- > 0;) {
		if (strcmp(join->fields[i].profile->path, path) == 0)
			return (uint32_t)i;
		if (member && join->fields[i].member == member)
			same_member = (uint32_t)i;
	}
	return same_member;
}

/* The stated order of a role's operation as fields; what this version of the struct has not is left out. */
static void find_sequence(
	const struct join *join, uint32_t document_role, struct access_order *order)
{
	for (size_t i = 0; i < join->profile->sequence_count; i++) {
		const struct profile_sequence *sequence = &join->profile->sequences[i];
		if (sequence->role != document_role)
			continue;
		uint32_t *fields = arena_new(join->arena, sequence->field_count, sizeof(*fields));
		order->sequence = fields;
		order->sequence_count = 0;
		for (size_t k = 0; k < sequence->field_count; k++) {
			uint32_t field = field_of_path(join, sequence->fields[k]);
			if (field != UINT32_MAX)
				fields[order->sequence_count++] = field;
		}
	}
}

static const struct cost_role *build_roles(const struct join *join)
{
	const struct access_map *map = join->map;
	struct cost_role *roles = arena_new(join->arena, map->role_count, sizeof(*roles));
	struct access_use *uses = mem_new(join->field_count, sizeof(*uses));
	struct access_order order = {
		.uses = uses,
		.use_count = join->field_count,
		.orders = ordered_fields(join),
		.lock_count = join->lock_count,
	};
	for (size_t i = 0; i < map->role_count; i++) {
		for (size_t k = 0; k < join->field_count; k++) {
			memcpy(uses[k].counts, join->fields[k].counts[i], sizeof(uses[k].counts));
			uses[k].lock = COST_NO_LOCK;
		}
		for (size_t k = 0; k < join->lock_count; k++)
			uses[join->locks[k].field].lock = (uint32_t)k;
		order.sequence = NULL;
		find_sequence(join, map->roles[i].document_role, &order);
		roles[i] = (struct cost_role){
			.name = map->roles[i].name,
			.threads = map->roles[i].threads,
			.rate = map->roles[i].rate,
			.interleave = map->roles[i].interleave,
		};
		access_order_build(join->arena, &order, &roles[i]);
	}
	mem_free(uses);
	return roles;
}

/* The document's workloads, of the roles that touch the struct; those of which none does are left out. */
static void build_workloads(struct join *join)
{
	const struct profile *document = join->document;
	struct cost_workload *workloads =
		arena_new(join->arena, document->workload_count, sizeof(*workloads));
	uint32_t *origins = arena_new(join->arena, document->workload_count, sizeof(*origins));
	size_t count = 0;
	for (uint32_t i = 0; i < document->workload_count; i++) {
		const struct profile_workload *workload = &document->workloads[i];
		uint32_t *roles = arena_new(join->arena, workload->role_count, sizeof(*roles));
		size_t role_count = 0;
		for (size_t k = 0; k < workload->role_count; k++)
			if (join->role_of[workload->roles[k]] != JOIN_NO_ROLE)
				roles[role_count++] = join->role_of[workload->roles[k]];
		if (!role_count)
			continue;
		origins[count] = i;
		workloads[count++] = (struct cost_workload){roles, role_count};
	}
	join->map->model.workloads = workloads;
	join->map->model.workload_count = count;
	join->map->workloads = origins;
}

void join_build_model(struct join *join)
{
	struct access_map *map = join->map;
	struct cost_field *fields = arena_new(join->arena, join->field_count, sizeof(*fields));
	struct cost_lock *locks = arena_new(join->arena, join->lock_count, sizeof(*locks));
	for (size_t i = 0; i < join->field_count; i++)
		fields[i] = access_field_place(join->layout, join->fields[i].member,
			join->fields[i].profile, join->place.stride_bytes);
	for (size_t i = 0; i < join->lock_count; i++)
		locks[i] = (struct cost_lock){join->locks[i].field, join->locks[i].contended};
	map->model = (struct cost_model){
		.line_bytes = join->layout->line_bytes,
		.size_bytes = join->layout->size_bytes,
		.fields = fields,
		.field_count = join->field_count,
		.roles = build_roles(join),
		.role_count = map->role_count,
		.locks = locks,
		.lock_count = join->lock_count,
		.starts = join->place.starts,
		.start_count = join->place.start_count,
		.instance = join->profile->instance,
		.stride_bytes = join->place.stride_bytes,
	};
	build_workloads(join);
}
