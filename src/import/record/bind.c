#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "import/record/aggregate.h"
#include "import/record/join.h"

static struct error *subject_of(
	struct join *join, const struct record_type *type, struct subject **ret)
{
	uint64_t size_bytes = types_get(type->types, type->type)->size_bytes;
	for (size_t i = 0; i < join->subject_count; i++) {
		struct subject *known = join->subjects[i];
		if (strcmp(known->name, type->name) != 0)
			continue;
		*ret = known;
		if (known->layout.size_bytes == size_bytes)
			return NULL;
		return error_new("%s: recorded from two structs '%s', of %" PRIu64
				 " and of %" PRIu64
				 " bytes, and a profile has one entry a name; rename one",
			join->record->path, type->name, known->layout.size_bytes, size_bytes);
	}
	struct subject *subject = arena_new(join->arena, 1, sizeof(*subject));
	struct error *error = subject_init(subject, join->arena, join->record, type,
		join->binary->line_bytes, join->binary->object->types.pointer_bytes);
	if (error)
		return error_wrap(error, "%s", join->binary->object->path);
	join->subjects = mem_grow(join->subjects, &join->subject_capacity, join->subject_count + 1,
		sizeof(struct subject *));
	join->subjects[join->subject_count++] = subject;
	*ret = subject;
	return NULL;
}

/* ---- classes ---- */

/* The class as the file has it, for messages. */
static struct error *class_fault(
	const struct join *join, const struct record_class *class, const char *what)
{
	return error_new("%s:%zu: class %u: %s", join->record->path, class->line,
		(unsigned)class->number, what);
}

/* The struct to which the tag of a class points. */
static struct error *find_tagged(struct join *join, const struct record_class *class,
	struct record_type *ret, bool *is_array)
{
	struct error *error = record_type_at(
		join->arena, join->binary->object, &join->variables, class->tag, ret, is_array);
	if (error)
		return error_wrap(error, "%s:%zu: class %u", join->record->path, class->line,
			(unsigned)class->number);
	/* C++ compilers leave out definitions that another unit has */
	if (types_get(ret->types, ret->type)->is_declaration)
		return join->binary->find(join->binary->context, ret->name, ret);
	return NULL;
}

static struct error *check_size(const struct join *join, const struct record_class *class,
	const struct record_type *type, const struct target *target)
{
	uint64_t have = target->subject->layout.size_bytes, recorded = class->size_bytes;
	bool fits = target->unit_bytes ? have && recorded % have == 0 : recorded == have;
	if (class->name && layout_is_open_ended(&target->subject->layout))
		fits = recorded >= have;
	if (fits)
		return NULL;
	return class_fault(join, class,
		arena_printf(join->arena,
			"objects of %" PRIu64 " byte%s, but '%s' has %" PRIu64 " in %s; %s",
			recorded, number_s(recorded), type->name, have, join->binary->object->path,
			class->name ? "state the size of that struct, NAME=BYTES, and record again"
				    : "import with the binary that was recorded"));
}

static struct error *bind_class(struct join *join, size_t index)
{
	const struct record_class *class = &join->record->classes[index];
	struct target *target = &join->classes[index];
	struct record_type type;
	bool is_array = false;
	struct error *error =
		class->name ? join->binary->find(join->binary->context, class->name, &type)
			    : find_tagged(join, class, &type, &is_array);
	if (error)
		return error;
	error = subject_of(join, &type, &target->subject);
	if (error)
		return error;
	if (is_array)
		target->unit_bytes = target->subject->layout.size_bytes;
	error = check_size(join, class, &type, target);
	if (error)
		return error;
	target->subject->objects += class->objects;
	target->subject->shared += class->shared;
	target->subject->is_shared |= class->shared > 0;
	return NULL;
}

/* ---- variables ---- */

static int compare_places(const void *left, const void *right)
{
	const struct variable_place *const *a = left, *const *b = right;
	return *a < *b ? -1 : *a > *b;
}

/* Those that may hold an address. */
static void want_places(struct join *join, uint64_t address)
{
	size_t first, count = variables_near(&join->variables, address, &first);
	const struct variable_place *last =
		join->place_count ? join->places[join->place_count - 1] : NULL;
	if (count && last == &join->variables.places[first + count - 1])
		return; /* counts come by address, so most are of the same variable */
	for (size_t i = first; i < first + count; i++) {
		join->places = mem_grow(join->places, &join->place_capacity, join->place_count + 1,
			sizeof(struct variable_place *));
		join->places[join->place_count++] = &join->variables.places[i];
	}
}

static void sort_places(struct join *join)
{
	size_t kept = 0;
	if (join->place_count)
		qsort(join->places, join->place_count, sizeof(*join->places), compare_places);
	for (size_t i = 0; i < join->place_count; i++)
		if (!kept || join->places[kept - 1] != join->places[i])
			join->places[kept++] = join->places[i];
	join->place_count = kept;
}

static int compare_globals(const void *left, const void *right)
{
	const struct record_global *a = left, *b = right;
	return (a->address > b->address) - (a->address < b->address);
}

/* The stretches that several threads touch, without overlaps, ascending. */
static void find_shared(struct join *join)
{
	const struct record *record = join->record;
	struct record_global *shared = mem_new(record->global_count, sizeof(*shared));
	size_t count = 0, kept = 0;
	for (size_t i = 0; i < record->global_count; i++)
		if (record->globals[i].is_shared)
			shared[count++] = record->globals[i];
	if (count)
		qsort(shared, count, sizeof(*shared), compare_globals);
	for (size_t i = 0; i < count; i++) {
		struct record_global *last = kept ? &shared[kept - 1] : NULL;
		if (!last || shared[i].address - last->address > last->size_bytes)
			shared[kept++] = shared[i];
		else if (shared[i].address - last->address + shared[i].size_bytes >
			 last->size_bytes)
			last->size_bytes = shared[i].address - last->address + shared[i].size_bytes;
	}
	join->shared = shared;
	join->shared_count = kept;
}

static bool is_shared_there(const struct join *join, const struct variable *variable)
{
	size_t low = 0, high = join->shared_count;
	while (low < high) { /* the first that ends behind the variable's beginning */
		size_t middle = low + (high - low) / 2;
		const struct record_global *global = &join->shared[middle];
		if (global->address + global->size_bytes <= variable->address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < join->shared_count &&
	       (join->shared[low].address <= variable->address ||
		       join->shared[low].address - variable->address < variable->size_bytes);
}

static struct error *bind_variable(struct join *join, size_t index)
{
	const struct variable *variable = &join->read[index];
	struct target *target = &join->read_targets[index];
	struct record_type type;
	bool is_array;
	*target = (struct target){.base = variable->address, .row = index};
	if (!record_find_aggregate(
		    join->arena, variable->types, variable->type, &type, &is_array) ||
		types_get(type.types, type.type)->is_declaration) {
		const struct type *plain =
			types_get(variable->types, types_strip(variable->types, variable->type));
		target->subject = &join->others;
		join->others.rows[index].path = arena_printf(join->arena, "%s%s", variable->name,
			plain->kind == TYPE_ARRAY && !plain->is_vector ? "[]" : "");
		return NULL;
	}
	struct error *error = subject_of(join, &type, &target->subject);
	if (error)
		return error;
	target->unit_bytes = is_array ? target->subject->layout.size_bytes : 0;
	target->subject->is_shared |= is_shared_there(join, variable);
	return NULL;
}

static struct error *bind_variables(struct join *join)
{
	const struct record *record = join->record;
	for (size_t i = 0; i < record->count_count; i++)
		if (record->counts[i].class_index == RECORD_GLOBALS)
			want_places(join, record->counts[i].access.off_bytes);
	sort_places(join);
	find_shared(join);
	join->read = mem_new(join->place_count, sizeof(*join->read));
	join->read_targets = mem_new(join->place_count, sizeof(*join->read_targets));
	subject_init_variables(&join->others, join->arena, record, join->place_count);
	struct error *error = NULL;
	if (join->place_count)
		error = variables_read(join->arena, join->binary->object, &join->variables,
			join->places, join->place_count, join->read);
	if (!error)
		error = variables_require_read(join->read, join->place_count);
	for (size_t i = 0; i < join->place_count && !error; i++)
		error = bind_variable(join, i);
	return error;
}

const struct target *join_find_variable(const struct join *join, uint64_t address)
{
	size_t low = 0, high = join->place_count;
	while (low < high) { /* the first that lies above it */
		size_t middle = low + (high - low) / 2;
		if (join->places[middle]->address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	while (low--) {
		const struct variable *variable = &join->read[low];
		if (address - variable->address < variable->size_bytes)
			return &join->read_targets[low];
		if (low && join->places[low - 1]->address != join->places[low]->address)
			break;
	}
	return NULL;
}

struct error *join_bind(struct join *join)
{
	struct error *error = NULL;
	join->classes = mem_new(join->record->class_count, sizeof(*join->classes));
	for (size_t i = 0; i < join->record->class_count && !error; i++)
		error = bind_class(join, i);
	return error ? error : bind_variables(join);
}
