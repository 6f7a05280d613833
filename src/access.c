#include "access.h"

#include <string.h>

#include "access/order.h"
#include "access/place.h"
#include "base/mem.h"
#include "base/nearest.h"

/* A join under construction. */
struct join {
	struct arena *arena;
	const struct layout *layout;
	const struct profile_struct *profile;
	const struct profile *document;
	const struct access_context *context;
	struct access_map *map;
	struct access_place place;

	struct access_field *fields;
	size_t field_count, field_capacity;
	struct access_lock *locks;
	size_t lock_count, lock_capacity;
	struct access_missing *missing;
	size_t missing_count, missing_capacity;
	uint32_t *role_of; /* [role of the document]: of the map, or NO_ROLE */
};

#define NO_ROLE UINT32_MAX

/* ---- names ---- */

/* The last step of a name with scope: what a layout is named by. */
static const char *unscoped(const char *name, size_t length)
{
	const char *last = name;
	for (size_t i = 0; i + 1 < length; i++)
		if (name[i] == ':' && name[i + 1] == ':')
			last = name + i + 2;
	return last;
}

static bool names_layout(const char *name, size_t length, const struct layout *layout)
{
	const char *last = unscoped(name, length);
	size_t rest = length - (size_t)(last - name);
	return strlen(layout->name) == rest && strncmp(layout->name, last, rest) == 0;
}

/* STRUCT.path of one of the other structs, or of this one; the layout through *ret. */
static const struct layout_member *find_elsewhere(
	const struct join *join, const char *name, const struct layout **ret)
{
	const char *dot = strchr(name, '.');
	if (!dot)
		return NULL;
	const struct access_others *others = &join->context->others;
	for (size_t i = 0; i <= others->count; i++) {
		const struct layout *layout = i < others->count ? others->layouts[i] : join->layout;
		if (!names_layout(name, (size_t)(dot - name), layout))
			continue;
		*ret = layout;
		const struct layout_member *member = layout_find(layout, dot + 1);
		if (member)
			return member;
	}
	return NULL;
}

static bool exists(const struct join *join, const char *name)
{
	const struct layout *layout;
	return layout_find(join->layout, name) || find_elsewhere(join, name, &layout);
}

static bool holds(const struct join *join, const char *if_field, const char *unless_field)
{
	return (!if_field || exists(join, if_field)) &&
	       !(unless_field && exists(join, unless_field));
}

static void add_missing(struct join *join, const char *path, const char *why, const char *advice,
	struct profile_position position)
{
	for (size_t i = 0; i < join->missing_count; i++)
		if (strcmp(join->missing[i].path, path) == 0)
			return;
	join->missing = arena_grow(join->arena, join->missing, &join->missing_capacity,
		join->missing_count + 1, sizeof(*join->missing));
	join->missing[join->missing_count++] = (struct access_missing){path, why, advice, position};
}

/* Only where accesses are stated can a field be marked as optional. */
static bool states_accesses(const struct join *join, const char *path)
{
	for (size_t i = 0; i < join->profile->field_count; i++)
		if (strcmp(join->profile->fields[i].path, path) == 0)
			return true;
	return false;
}

static void no_such_field(struct join *join, const char *path, struct profile_position position)
{
	char text[512];
	struct nearest nearest;
	nearest_init(&nearest, path);
	for (size_t i = 0; i < join->layout->member_count; i++)
		if (*join->layout->members[i].path)
			nearest_offer(&nearest, join->layout->members[i].path);
	nearest_text(&nearest, text, sizeof(text));
	add_missing(join, path, arena_printf(join->arena, "no such field%s", text),
		states_accesses(join, path)
			? "correct the name, or mark the field `optional: true` if only some "
			  "versions have it"
			: "correct the name; if only some versions have it, name it under "
			  "`fields` with `optional: true` as well",
		position);
}

/* May this field be absent, in this version of the struct? */
static bool is_excused(const struct join *join, const char *path)
{
	for (size_t i = 0; i < join->profile->field_count; i++) {
		const struct profile_field *field = &join->profile->fields[i];
		if (strcmp(field->path, path) == 0)
			return field->optional ||
			       !holds(join, field->if_field, field->unless_field);
	}
	return false;
}

/* The member; what is not there and has no excuse is missing, and so is what has no place. */
static const struct layout_member *resolve(
	struct join *join, const char *path, struct profile_position position)
{
	const struct layout_member *member = layout_find(join->layout, path);
	if (member && !member->is_dynamic)
		return member;
	if (member)
		add_missing(join, path, "only the running program knows where it lies, so that it is on no line here",
			"leave it out", position);
	else if (!is_excused(join, path))
		no_such_field(join, path, position);
	return NULL;
}

static void resolve_all(
	struct join *join, const char *const *paths, size_t count, struct profile_position position)
{
	for (size_t i = 0; i < count; i++)
		resolve(join, paths[i], position);
}

static void resolve_names(struct join *join, const struct profile_names *names)
{
	resolve_all(join, names->names, names->count, names->position);
}

/* What is named beside the accesses must exist as well. */
static void resolve_the_rest(struct join *join)
{
	const struct profile_struct *profile = join->profile;
	const struct profile_constraints *constraints = &profile->constraints;
	for (size_t i = 0; i < profile->sequence_count; i++)
		resolve_all(join, profile->sequences[i].fields, profile->sequences[i].field_count,
			profile->sequences[i].position);
	resolve_names(join, &constraints->first);
	resolve_names(join, &constraints->last);
	resolve_names(join, &constraints->pin);
	for (size_t i = 0; i < constraints->keep_together_count; i++)
		resolve_names(join, &constraints->keep_together[i]);
	for (size_t i = 0; i < profile->expect_count; i++)
		resolve_all(join, profile->expects[i].fields, profile->expects[i].field_count,
			profile->expects[i].position);
	for (size_t i = 0; i < profile->ignore_count; i++)
		resolve_all(join, profile->ignores[i].fields, profile->ignores[i].field_count,
			profile->ignores[i].position);
}

/* ---- fields ---- */

static struct access_field *add_field(
	struct join *join, const struct layout_member *member, const struct profile_field *profile)
{
	join->fields = arena_grow(join->arena, join->fields, &join->field_capacity,
		join->field_count + 1, sizeof(*join->fields));
	struct access_field *field = &join->fields[join->field_count++];
	*field = (struct access_field){.member = member, .profile = profile};
	return field;
}

/* A flexible array ends where the object does, if that is known. */
static bool element_fits(
	struct join *join, const struct layout_member *array, const struct profile_field *field)
{
	const struct profile_struct *profile = join->profile;
	bool known = profile->stride_bytes || profile->instance == INSTANCE_ARRAY;
	uint64_t end, off = layout_first_byte(array), most = join->place.stride_bytes;
	if (!known)
		most = COST_LINES_MAX * join->layout->line_bytes;
	if (__builtin_mul_overflow(field->element, array->element_bytes, &end) ||
		__builtin_add_overflow(end, array->element_bytes, &end) ||
		__builtin_add_overflow(end, off, &end))
		end = UINT64_MAX;
	if (profile->container || end <= most)
		return true;
	add_missing(join, field->path,
		arena_printf(join->arena,
			"an element of '%s' with the index %llu lies behind the %s", array->path,
			(unsigned long long)field->element,
			known ? "object's stride" : "65536 lines that are looked at"),
		known ? "correct the index, or state the stride under `placement`"
		      : "correct the index",
		field->position);
	return false;
}

/* An index says which element: there must be one. */
static bool index_fits(
	struct join *join, const struct layout_member *member, const struct profile_field *field)
{
	const struct layout_member *array = access_array_of(join->layout, member);
	if (field->index_stated && !array)
		add_missing(join, field->path, "an index, but it is no array and lies in none",
			"delete `index`, or name the array", field->position);
	if (field->index != PROFILE_INDEX_ELEMENT || !array)
		return true;
	if (!array->elements)
		return element_fits(join, array, field);
	if (field->element < array->elements)
		return true;
	add_missing(join, field->path,
		arena_printf(join->arena, "'%s' has %llu elements, none with the index %llu",
			array->path, (unsigned long long)array->elements,
			(unsigned long long)field->element),
		"correct the index", field->position);
	return false;
}

static void find_fields(struct join *join)
{
	for (size_t i = 0; i < join->profile->field_count; i++) {
		const struct profile_field *field = &join->profile->fields[i];
		if (!holds(join, field->if_field, field->unless_field))
			continue;
		const struct layout_member *member = resolve(join, field->path, field->position);
		if (member && index_fits(join, member, field))
			add_field(join, member, field);
	}
}

/* Accesses of one role of the document to a field. */
static void sum_counts(const struct join *join, const struct profile_field *field, uint32_t role,
	double counts[ACCESS_KIND_COUNT])
{
	for (size_t i = 0; i < field->access_count; i++) {
		const struct profile_access *access = &field->accesses[i];
		bool ours = access->role == role || access->role == PROFILE_ALL_ROLES;
		if (!ours || !holds(join, access->if_field, access->unless_field))
			continue;
		for (size_t kind = 0; kind < ACCESS_KIND_COUNT; kind++)
			counts[kind] += access->counts[kind];
	}
}

static double largest(double a, double b)
{
	return a > b ? a : b;
}

/* Of the fields' counts those of one role of the document; does it touch the struct at all? */
static bool count_role(const struct join *join, uint32_t role, double (*counts)[ACCESS_KIND_COUNT])
{
	bool touches = false;
	for (size_t i = 0; i < join->field_count; i++) {
		sum_counts(join, join->fields[i].profile, role, counts[i]);
		for (size_t kind = 0; kind < ACCESS_KIND_COUNT; kind++)
			touches |= counts[i][kind] > 0;
	}
	return touches;
}

/* ---- roles ---- */

static unsigned threads_of(const struct join *join, uint32_t role)
{
	unsigned threads = join->document->roles[role].threads;
	for (size_t i = 0; i < join->profile->thread_count; i++)
		if (join->profile->threads[i].role == role)
			threads = join->profile->threads[i].threads;
	if (join->context->threads)
		threads = join->context->threads;
	return threads ? threads : 1;
}

static double interleave_of(const struct join *join, uint32_t role)
{
	if (join->context->interleave > 0)
		return join->context->interleave;
	double own = join->document->roles[role].interleave;
	return own < 0 ? join->document->interleave : own;
}

static void find_roles(struct join *join)
{
	const struct profile *document = join->document;
	struct access_role *roles = arena_new(join->arena, document->role_count, sizeof(*roles));
	double(**counts)[ACCESS_KIND_COUNT] = mem_new(document->role_count, sizeof(*counts));
	size_t count = 0;
	join->role_of = arena_new(join->arena, document->role_count, sizeof(*join->role_of));
	for (uint32_t role = 0; role < document->role_count; role++) {
		counts[count] = arena_new(join->arena, join->field_count, sizeof(*counts[count]));
		join->role_of[role] = NO_ROLE;
		if (!count_role(join, role, counts[count]))
			continue;
		join->role_of[role] = (uint32_t)count;
		roles[count++] = (struct access_role){
			.name = document->roles[role].name,
			.document_role = role,
			.threads = threads_of(join, role),
			.rate = document->roles[role].rate,
			.interleave = interleave_of(join, role),
		};
	}
	for (size_t i = 0; i < join->field_count; i++) {
		struct access_field *field = &join->fields[i];
		field->counts = arena_new(join->arena, count, sizeof(*field->counts));
		for (size_t role = 0; role < count; role++) {
			const double *of_role = memcpy(
				field->counts[role], counts[role][i], sizeof(*field->counts));
			field->reads =
				largest(field->reads, of_role[ACCESS_READ] + of_role[ACCESS_RMW] +
							      of_role[ACCESS_UNKNOWN]);
			field->writes =
				largest(field->writes, of_role[ACCESS_WRITE] + of_role[ACCESS_RMW]);
		}
	}
	mem_free(counts);
	join->map->roles = roles;
	join->map->role_count = count;
}

/* ---- locks ---- */

static bool lies_in(const struct join *join, const struct layout_member *member,
	const struct layout_member *outer)
{
	const struct layout_member *members = join->layout->members;
	size_t first = (size_t)(outer - members);
	size_t index = (size_t)(member - members);
	return index >= first && index - first <= outer->descendants;
}

static double most_rmw(const struct join *join, const struct profile_field *field)
{
	double most = 0;
	for (uint32_t role = 0; role < join->document->role_count; role++) {
		double counts[ACCESS_KIND_COUNT] = {0};
		sum_counts(join, field, role, counts);
		most = largest(most, counts[ACCESS_RMW]);
	}
	return most;
}

/*
 * The lock's word: the field of it that is changed atomically most often, else the first; of a lock that no
 * field mentions, an entry without accesses.
 */
static uint32_t lock_word(
	struct join *join, const struct layout_member *lock, const struct profile_lock *profile)
{
	uint32_t found = COST_NO_LOCK;
	double most = -1;
	for (size_t i = 0; i < join->field_count; i++) {
		if (!lies_in(join, join->fields[i].member, lock))
			continue;
		double rmw = most_rmw(join, join->fields[i].profile);
		join->fields[i].is_lock = true;
		if (rmw > most) {
			most = rmw;
			found = (uint32_t)i;
		}
	}
	if (found != COST_NO_LOCK)
		return found;
	struct profile_field *silent = arena_new(join->arena, 1, sizeof(*silent));
	silent->path = profile->path;
	silent->position = profile->position;
	add_field(join, lock, silent)->is_lock = true;
	return (uint32_t)(join->field_count - 1);
}

static void find_locks(struct join *join)
{
	for (size_t i = 0; i < join->profile->lock_count; i++) {
		const struct profile_lock *profile = &join->profile->locks[i];
		const struct layout_member **protects = arena_new(
			join->arena, profile->protect_count, sizeof(const struct layout_member *));
		size_t count = 0;
		const struct layout_member *lock = resolve(join, profile->path, profile->position);
		for (size_t k = 0; k < profile->protect_count; k++) {
			protects[count] = resolve(join, profile->protects[k], profile->position);
			count += protects[count] != NULL;
		}
		if (!lock)
			continue;
		join->locks = arena_grow(join->arena, join->locks, &join->lock_capacity,
			join->lock_count + 1, sizeof(*join->locks));
		join->locks[join->lock_count++] = (struct access_lock){
			.field = lock_word(join, lock, profile),
			.member = lock,
			.protects = protects,
			.protect_count = count,
			.contended = profile->contended,
		};
	}
}

/* ---- the model ---- */

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
			*ordered = lies_in(join, member, lock->member);
			for (size_t p = 0; p < lock->protect_count && !*ordered; p++)
				*ordered = lies_in(join, member, lock->protects[p]);
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
			if (join->role_of[workload->roles[k]] != NO_ROLE)
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

static void build_model(struct join *join)
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

static void find_place(struct join *join)
{
	const struct profile_struct *profile = join->profile;
	struct access_container container = {0};
	if (profile->container) {
		const struct layout *layout = NULL;
		container.member = find_elsewhere(join, profile->container, &layout);
		if (container.member)
			container.layout = layout;
		else
			add_missing(join, profile->container,
				layout ? "the container has no such field"
				       : "no such struct with that field",
				"correct the name", profile->position);
	}
	join->place = access_place_build(
		join->arena, join->layout, profile, &container, join->context->is_kernel);
	if (join->place.least_bytes > profile->stride_bytes && profile->stride_bytes)
		add_missing(join, "placement.stride",
			arena_printf(join->arena,
				"the stride of %llu bytes is below the %llu bytes of what is "
				"allocated",
				(unsigned long long)profile->stride_bytes,
				(unsigned long long)join->place.least_bytes),
			"state the distance from one allocation to the next, or leave it out",
			profile->position);
	join->map->align_bytes = join->place.align_bytes;
	join->map->stride_bytes = join->place.stride_bytes;
	join->map->container_off_bytes = container.member ? layout_first_byte(container.member) : 0;
	join->map->placement_stated = join->place.stated;
}

void access_build(struct arena *arena, const struct layout *layout,
	const struct profile_struct *profile, const struct access_context *context,
	struct access_map *ret)
{
	*ret = (struct access_map){.layout = layout, .profile = profile};
	if (!profile)
		return;
	struct join join = {
		.arena = arena,
		.layout = layout,
		.profile = profile,
		.document = profile->document,
		.context = context,
		.map = ret,
	};
	ret->evidence = profile->evidence;
	find_place(&join);
	find_fields(&join);
	find_locks(&join);
	resolve_the_rest(&join);
	find_roles(&join);
	build_model(&join);
	ret->fields = join.fields;
	ret->field_count = join.field_count;
	ret->locks = join.locks;
	ret->lock_count = join.lock_count;
	ret->missing = join.missing;
	ret->missing_count = join.missing_count;
}

const struct access_field *access_find(
	const struct access_map *map, const struct layout_member *member)
{
	for (size_t i = 0; i < map->field_count; i++)
		if (map->fields[i].member == member)
			return &map->fields[i];
	return NULL;
}

/* ---- other structs ---- */

struct needs {
	struct arena *arena;
	const char **names;
	size_t capacity, count;
};

static void add_need(struct needs *needs, const char *reference)
{
	const char *dot = reference ? strchr(reference, '.') : NULL;
	if (!dot)
		return;
	size_t length = (size_t)(dot - reference);
	for (size_t i = 0; i < needs->count && i < needs->capacity; i++)
		if (strncmp(needs->names[i], reference, length) == 0 && !needs->names[i][length])
			return;
	if (needs->count < needs->capacity)
		needs->names[needs->count] = arena_strndup(needs->arena, reference, length);
	needs->count++;
}

size_t access_needs(struct arena *arena, const struct profile_struct *profile, const char **names,
	size_t capacity)
{
	struct needs needs = {.arena = arena, .names = names, .capacity = capacity};
	add_need(&needs, profile->container);
	for (size_t i = 0; i < profile->field_count; i++) {
		const struct profile_field *field = &profile->fields[i];
		add_need(&needs, field->if_field);
		add_need(&needs, field->unless_field);
		for (size_t k = 0; k < field->access_count; k++) {
			add_need(&needs, field->accesses[k].if_field);
			add_need(&needs, field->accesses[k].unless_field);
		}
	}
	return needs.count;
}
