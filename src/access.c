#include "access.h"

#include <string.h>

#include "access/container.h"
#include "access/join.h"
#include "base/mem.h"
#include "base/number.h"

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
	join_add_missing(join, field->path,
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
		join_add_missing(join, field->path, "an index, but it is no array and lies in none",
			"delete `index`, or name the array", field->position);
	if (field->index != PROFILE_INDEX_ELEMENT || !array)
		return true;
	if (!array->elements)
		return element_fits(join, array, field);
	if (field->element < array->elements)
		return true;
	join_add_missing(join, field->path,
		arena_printf(join->arena, "'%s' has %llu element%s, none with the index %llu",
			array->path, (unsigned long long)array->elements,
			number_s(array->elements),
			(unsigned long long)field->element),
		"correct the index", field->position);
	return false;
}

static void find_fields(struct join *join)
{
	for (size_t i = 0; i < join->profile->field_count; i++) {
		const struct profile_field *field = &join->profile->fields[i];
		if (!join_holds(join, field->if_field, field->unless_field))
			continue;
		const struct layout_member *member =
			join_resolve(join, field->path, field->position);
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
		if (!ours || !join_holds(join, access->if_field, access->unless_field))
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
		join->role_of[role] = JOIN_NO_ROLE;
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
		if (!join_lies_in(join, join->fields[i].member, lock))
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
		const struct layout_member *lock =
			join_resolve(join, profile->path, profile->position);
		for (size_t k = 0; k < profile->protect_count; k++) {
			protects[count] =
				join_resolve(join, profile->protects[k], profile->position);
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

/* ---- the join ---- */

/* None where it is not there, or no object of this type can lie in it. */
static struct access_container find_container(struct join *join)
{
	const struct profile_struct *profile = join->profile;
	const struct layout *layout = NULL;
	if (!profile->container)
		return (struct access_container){0};
	const struct layout_member *member = join_find_elsewhere(join, profile->container, &layout);
	const char *fault = member   ? container_fault(join->arena, join->layout, layout, member)
			    : layout ? "the container has no such field"
				     : "no such struct with that field";
	if (!fault)
		return (struct access_container){.member = member, .layout = layout};
	join_add_missing(join, profile->container, fault,
		member ? "name the member that the object lies in" : "correct the name",
		profile->position);
	return (struct access_container){0};
}

static void find_place(struct join *join)
{
	const struct profile_struct *profile = join->profile;
	const struct access_container container = find_container(join);
	join->place = access_place_build(
		join->arena, join->layout, profile, &container, join->context->is_kernel);
	if (join->place.least_bytes > profile->stride_bytes && profile->stride_bytes)
		join_add_missing(join, "placement.stride",
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
	join_resolve_the_rest(&join);
	find_roles(&join);
	join_build_model(&join);
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
