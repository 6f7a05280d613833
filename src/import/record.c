#include "import/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/intern.h"
#include "base/mem.h"
#include "import/record/subject.h"
#include "read/variables.h"

/* What a class, or a variable, is counted as. */
struct target {
	struct subject *subject; /* NULL: nothing */
	uint64_t base;           /* address of a variable; 0 for classes */
	uint64_t unit_bytes; /* of one struct, where an object is an array of them; 0: it is one */
	size_t row;          /* of a variable that is no struct */
};

struct join {
	struct arena *arena;
	const struct record *record;
	const struct record_binary *binary;
	struct variables variables;
	struct subject **subjects; /* of structs, in the order of the file; owned */
	size_t subject_count, subject_capacity;
	struct target *classes; /* of record->classes; owned */
	const struct variable_place *
		*places; /* of the variables that were accessed; ascending; owned */
	size_t place_count, place_capacity;
	struct variable *read;        /* of places; owned */
	struct target *read_targets;  /* of places; owned */
	struct record_global *shared; /* stretches that several threads touch; owned */
	size_t shared_count;
	struct subject others; /* variables that are no structs */
	uint64_t nameless;     /* accesses to addresses that are no variable's */
	struct record_spots spots;
	struct buf remarks;
};

/* ---- structs ---- */

/* "ns::Type"; of an unnamed aggregate the typedef's; NULL when it has no name. */
static const char *name_of(struct arena *arena, const struct types *types, type_id id)
{
	enum { HOPS_MAX = 16 };
	const struct type *type = types_get(types, id), *named = NULL;
	for (int hops = 0; hops < HOPS_MAX && !type_is_aggregate(type); hops++) {
		if (type->kind == TYPE_TYPEDEF)
			named = type;
		type = types_get(types, type->target);
	}
	if (type->name || !named)
		named = type;
	if (!named->name)
		return NULL;
	return named->scope ? arena_printf(arena, "%s::%s", named->scope, named->name)
			    : named->name;
}

/* The aggregate in a type, through arrays; false: there is none, or none with a name and members. */
static bool find_aggregate(struct arena *arena, const struct types *types, type_id id,
	struct record_type *ret, bool *is_array)
{
	enum { HOPS_MAX = 64 };
	*is_array = false;
	type_id element = id;
	for (int hops = 0; hops < HOPS_MAX; hops++) {
		const struct type *type = types_get(types, types_strip(types, element));
		if (type->kind != TYPE_ARRAY || type->is_vector)
			break;
		*is_array = true;
		element = type->target;
	}
	const struct type *aggregate = types_get(types, types_strip(types, element));
	if (!type_is_aggregate(aggregate))
		return false;
	*ret = (struct record_type){
		types, types_strip(types, element), name_of(arena, types, element)};
	return ret->name != NULL;
}

struct error *record_require_linked(const struct object *object)
{
	if (!object->is_relocatable)
		return NULL;
	return error_new("%s: not linked yet, so that no variable has an address; use the "
			 "program or library that it becomes part of",
		object->path);
}

struct error *record_type_at(struct arena *arena, const struct object *object,
	const struct variables *variables, uint64_t address, struct record_type *ret,
	bool *is_array)
{
	struct variable variable;
	size_t first, count = variables_near(variables, address, &first);
	const struct variable_place *place = count ? &variables->places[first] : NULL;
	if (!place || place->address != address)
		return error_new(
			"no variable lies at 0x%" PRIx64 " as far as the debug information "
			"of %s says%s; build all that is recorded with -g, and record again",
			address, object->path,
			variables->split_units ? ", parts of which are in other files" : "");
	struct error *error = variables_read(arena, object, variables, &place, 1, &variable);
	if (error)
		return error;
	const struct types *types = variable.types;
	const struct type *type = types_get(types, types_strip(types, variable.type));
	if (!find_aggregate(arena, types, type->kind == TYPE_POINTER ? type->target : variable.type,
		    ret, is_array))
		return error_new("what lies at 0x%" PRIx64 ", '%s', is no struct with a name, and "
				 "does not point to one; track a struct",
			address, variable.name);
	return NULL;
}

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
	if (class->name && record_is_open_ended(&target->subject->layout))
		fits = recorded >= have;
	if (fits)
		return NULL;
	return class_fault(join, class,
		arena_printf(join->arena,
			"objects of %" PRIu64 " bytes, but '%s' has %" PRIu64 " in %s; %s",
			recorded, type->name, have, join->binary->object->path,
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
	if (!find_aggregate(join->arena, variable->types, variable->type, &type, &is_array) ||
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
	for (size_t i = 0; i < join->place_count && !error; i++)
		error = bind_variable(join, i);
	return error;
}

/* The variable that holds an address; NULL: none that the debug information knows. */
static const struct target *find_variable(const struct join *join, uint64_t address)
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

/* ---- counts ---- */

static struct error *count_struct(
	struct join *join, const struct target *target, const struct record_count *count)
{
	struct record_count moved = *count;
	const struct layout *layout = &target->subject->layout;
	moved.access.off_bytes -= target->base;
	if (target->unit_bytes)
		moved.access.off_bytes %= target->unit_bytes;
	else if (moved.access.off_bytes + moved.access.size_bytes > layout->size_bytes &&
		 !record_is_open_ended(layout))
		return error_new("%s:%zu: an access up to byte %" PRIu64
				 " of a '%s', which has %" PRIu64
				 " bytes in %s; record again with this build",
			join->record->path, count->line,
			moved.access.off_bytes + moved.access.size_bytes, target->subject->name,
			layout->size_bytes, join->binary->object->path);
	subject_place(target->subject, &moved.access, &join->spots);
	subject_count(target->subject, join->arena, join->record, &moved, &join->spots);
	return NULL;
}

static struct error *count_access(struct join *join, const struct record_count *count)
{
	if (count->class_index != RECORD_GLOBALS)
		return count_struct(join, &join->classes[count->class_index], count);
	const struct target *target = find_variable(join, count->access.off_bytes);
	if (!target) {
		join->nameless += count->count;
		return NULL;
	}
	if (target->subject != &join->others)
		return count_struct(join, target, count);
	subject_count_row(&join->others, join->arena, join->record, target->row, count);
	return NULL;
}

static struct error *note_operation(struct join *join, const struct record_operation *operation)
{
	const struct record_role *role = &join->record->roles[operation->role];
	if (operation->count > role->operations)
		return error_new("%s:%zu: an operation seen %" PRIu64 " times, of %" PRIu64
				 " of that role; the file is damaged, record again",
			join->record->path, operation->line, operation->count, role->operations);
	if (operation->class_index == RECORD_GLOBALS ||
		join->classes[operation->class_index].unit_bytes)
		return NULL;
	struct subject *subject = join->classes[operation->class_index].subject;
	const struct record_operation **most = &subject->most[operation->role];
	if (!*most || operation->count > (*most)->count)
		*most = operation;
	return NULL;
}

static void note_threads(struct join *join, const struct record_threads *threads)
{
	if (threads->class_index == RECORD_GLOBALS) {
		/* the busiest of them all; which that is nobody noted */
		for (size_t i = 0; i < join->place_count; i++) {
			uint64_t *most = &join->read_targets[i].subject->threads[threads->role];
			*most = threads->threads > *most ? threads->threads : *most;
		}
		return;
	}
	uint64_t *most = &join->classes[threads->class_index].subject->threads[threads->role];
	*most = threads->threads > *most ? threads->threads : *most;
}

static struct error *count_all(struct join *join)
{
	const struct record *record = join->record;
	struct error *error = NULL;
	for (size_t i = 0; i < record->count_count && !error; i++)
		error = count_access(join, &record->counts[i]);
	for (size_t i = 0; i < record->operation_count && !error; i++)
		error = note_operation(join, &record->operations[i]);
	for (size_t i = 0; i < record->thread_count && !error; i++)
		note_threads(join, &record->threads[i]);
	return error;
}

/* ---- roles ---- */

/* A name that a profile can have and none of the others has. */
static const char *role_name(
	struct arena *arena, const char *name, const struct profile_role *roles, size_t count)
{
	struct buf visible;
	buf_init(&visible);
	buf_put_visible(&visible, *name ? name : "_");
	for (char *s = visible.data; *s; s++)
		if ((unsigned char)*s <= 0x20 || *s == 0x7f)
			*s = '_';
	const char *base = profile_is_role_name(visible.data)
				   ? arena_strdup(arena, visible.data)
				   : arena_printf(arena, "%s_", visible.data);
	const char *candidate = base;
	unsigned number = 1;
	for (size_t i = 0; i < count; i++)
		if (strcmp(roles[i].name, candidate) == 0) {
			candidate = arena_printf(arena, "%s-%u", base, ++number);
			i = (size_t)-1; /* all of them again */
		}
	buf_release(&visible);
	return candidate;
}

static bool is_role_used(const struct join *join, size_t role)
{
	if (join->others.is_touched[role])
		return true;
	for (size_t i = 0; i < join->subject_count; i++)
		if (join->subjects[i]->is_touched[role])
			return true;
	return false;
}

/* Operations of one thread, by which roles compare. */
static double pace_of(const struct record_role *role)
{
	return (double)role->operations / (double)(role->threads ? role->threads : 1);
}

static double three_digits(double number)
{
	char text[32];
	snprintf(text, sizeof(text), "%.3g", number);
	return strtod(text, NULL);
}

/* Threads of a role on an object of a struct: what was counted, else all that the role has. */
static unsigned threads_of(const struct subject *subject, const struct record *record, size_t role)
{
	uint64_t threads = subject->threads[role];
	if (!subject->is_shared && subject->name)
		return 1;
	if (!threads)
		threads = record->roles[role].threads;
	return threads ? (unsigned)threads : 1;
}

static void raise_threads(const struct join *join, const struct subject *subject, size_t role,
	struct profile_role *ret)
{
	if (!subject->is_touched[role])
		return;
	unsigned threads = threads_of(subject, join->record, role);
	if (threads > ret->threads)
		ret->threads = threads;
}

static void make_roles(struct join *join, struct profile *profile, uint32_t *map)
{
	const struct record *record = join->record;
	struct profile_role *roles = arena_new(join->arena, record->role_count, sizeof(*roles));
	double most = 0;
	for (size_t role = 0; role < record->role_count; role++) {
		map[role] = UINT32_MAX;
		if (!is_role_used(join, role))
			continue;
		struct profile_role *made = &roles[profile->role_count];
		*made = (struct profile_role){
			.name = role_name(
				join->arena, record->roles[role].name, roles, profile->role_count),
			.threads = 1,
			.rate = pace_of(&record->roles[role]),
			.interleave = -1,
		};
		for (size_t i = 0; i < join->subject_count; i++)
			raise_threads(join, join->subjects[i], role, made);
		raise_threads(join, &join->others, role, made);
		most = made->rate > most ? made->rate : most;
		map[role] = (uint32_t)profile->role_count++;
	}
	for (size_t i = 0; i < profile->role_count; i++)
		roles[i].rate = three_digits(roles[i].rate / most);
	profile->roles = roles;
}

/* ---- the document ---- */

static const char *source_of(const struct join *join)
{
	const struct record *record = join->record;
	uint64_t operations = 0;
	for (size_t i = 0; i < record->role_count; i++)
		operations += record->roles[i].operations;
	struct buf text;
	buf_init(&text);
	buf_puts(&text, "recorded: ");
	buf_put_visible(&text, record->program);
	if (record->build_id)
		buf_printf(&text, ", build-id %.12s", record->build_id);
	buf_printf(&text, ", %" PRIu64 " operations", operations);
	const char *source = arena_strdup(join->arena, text.data);
	buf_release(&text);
	return source;
}

static void add_threads(const struct join *join, const struct subject *subject, const uint32_t *map,
	struct profile_struct *entry)
{
	const struct profile *profile = entry->document;
	struct profile_threads *threads =
		arena_new(join->arena, profile->role_count, sizeof(*threads));
	entry->threads = threads;
	for (size_t role = 0; role < join->record->role_count; role++) {
		if (map[role] == UINT32_MAX || !subject->is_touched[role])
			continue;
		unsigned here = threads_of(subject, join->record, role);
		if (here != profile->roles[map[role]].threads)
			threads[entry->thread_count++] = (struct profile_threads){map[role], here};
	}
}

static struct error *make_entry(struct join *join, struct subject *subject, const uint32_t *map,
	const struct profile *profile, struct profile_struct *ret)
{
	struct error *error = subject_entry(subject, join->arena, join->record, map, ret);
	if (error)
		return error;
	ret->document = profile;
	ret->source = source_of(join);
	add_threads(join, subject, map, ret);
	return NULL;
}

static struct error *make_entries(struct join *join, struct profile *profile, const uint32_t *map)
{
	struct error *error = NULL;
	struct profile_struct *structs =
		arena_new(join->arena, join->subject_count, sizeof(*structs));
	for (size_t i = 0; i < join->subject_count && !error; i++) {
		struct profile_struct *entry = &structs[profile->struct_count];
		error = make_entry(join, join->subjects[i], map, profile, entry);
		if (!error && entry->field_count)
			profile->struct_count++;
		else if (!error)
			buf_printf(&join->remarks,
				"left out: '%s', which no operation accesses often enough\n",
				join->subjects[i]->name);
	}
	profile->structs = structs;
	struct profile_struct *vars = arena_new(join->arena, 1, sizeof(*vars));
	if (!error)
		error = make_entry(join, &join->others, map, profile, vars);
	if (!error && vars->field_count)
		profile->vars = vars;
	return error;
}

static void remark(struct join *join, const uint32_t *map)
{
	const struct record *record = join->record;
	struct buf *out = &join->remarks;
	for (size_t i = 0; i < record->role_count; i++)
		if (map[i] == UINT32_MAX && record->roles[i].operations)
			buf_printf(out,
				"left out: role %s, %" PRIu64
				" operation%s that access nothing tracked\n",
				record->roles[i].name, record->roles[i].operations,
				record->roles[i].operations == 1 ? "" : "s");
	if (record->outside)
		buf_printf(out, "left out: %" PRIu64 " accesses outside of operations\n",
			record->outside);
	if (join->nameless)
		buf_printf(out,
			"left out: %" PRIu64
			" accesses to addresses at which the debug information has no variable\n",
			join->nameless);
	for (size_t i = 0; i < record->loss_count; i++)
		buf_printf(out, "not counted by the recorder: %" PRIu64 " (%s)\n",
			record->losses[i].count, record->losses[i].what);
}

/* The same variable name in several files or functions: the first keeps it. */
static void drop_namesakes(struct join *join)
{
	struct intern names;
	intern_init(&names, join->arena);
	for (size_t i = 0; i < join->others.row_count; i++) {
		struct subject_row *row = &join->others.rows[i];
		size_t before = names.count;
		if (!row->counts)
			continue;
		intern_get(&names, row->path);
		if (names.count != before)
			continue;
		buf_printf(&join->others.remarks, "left out: another '%s', at 0x%" PRIx64 "\n",
			row->path, join->read[i].address);
		row->counts = NULL;
	}
	intern_release(&names);
}

static struct error *make_profile(struct join *join, struct profile *ret)
{
	const struct record *record = join->record;
	struct profile *profile = arena_new(join->arena, 1, sizeof(*profile));
	uint32_t *map = arena_new(join->arena, record->role_count, sizeof(*map));
	*profile = (struct profile){.path = join->record->path,
		.interleave = PROFILE_INTERLEAVE,
		.line_price = PROFILE_LINE_PRICE};
	drop_namesakes(join);
	for (size_t i = 0; i < join->subject_count; i++)
		subject_finish(join->subjects[i], record);
	subject_finish(&join->others, record);
	make_roles(join, profile, map);
	if (!profile->role_count)
		return error_new(
			"%s: no operation accesses a tracked object or a variable; "
			"LINELINT_TRACK() the objects before they are shared, and record again",
			join->record->path);
	remark(join, map);
	struct error *error = make_entries(join, profile, map);
	if (error)
		return error;
	profile->workloads = profile_all_roles(join->arena, profile->role_count);
	profile->workload_count = 1;
	profile->remarks = arena_strdup(join->arena, join->remarks.data);
	*ret = *profile;
	return NULL;
}

/* ---- the whole ---- */

static struct error *check_build(const struct record *record, const struct object *object)
{
	if (record->build_id && !object->build_id)
		return error_new(
			"%s: recorded from the build %s, but %s has no build-id; link with "
			"-Wl,--build-id and record again",
			record->path, record->build_id, object->path);
	if (!record->build_id && object->build_id)
		return error_new(
			"%s: recorded from a program without build-id, but %s has %s; import "
			"with the binary that was recorded, or record again",
			record->path, object->path, object->build_id);
	if (record->build_id && strcmp(record->build_id, object->build_id) != 0)
		return error_new(
			"%s: recorded from another build (%s) than %s (%s); import with that "
			"binary, or record again",
			record->path, record->build_id, object->path, object->build_id);
	return NULL;
}

static struct error *check_operations(const struct record *record)
{
	for (size_t i = 0; i < record->role_count; i++)
		if (record->roles[i].operations)
			return NULL;
	return error_new("%s: no operations, so that nothing can be counted per operation; call "
			 "LINELINT_OP() where each begins, and record again",
		record->path);
}

struct error *record_profile(struct arena *arena, const struct record *record,
	const struct record_binary *binary, struct profile *ret)
{
	struct join join = {.arena = arena, .record = record, .binary = binary};
	struct error *error = check_build(record, binary->object);
	if (!error)
		error = check_operations(record);
	if (!error)
		error = record_require_linked(binary->object);
	if (!error)
		error = variables_find(arena, binary->object, binary->jobs, &join.variables);
	if (error)
		return error;
	join.classes = mem_new(record->class_count, sizeof(*join.classes));
	buf_init(&join.remarks);
	buf_init(&join.others.remarks);
	for (size_t i = 0; i < record->class_count && !error; i++)
		error = bind_class(&join, i);
	if (!error)
		error = bind_variables(&join);
	if (!error)
		error = count_all(&join);
	if (!error)
		error = make_profile(&join, ret);
	for (size_t i = 0; i < join.subject_count; i++)
		subject_release(join.subjects[i]);
	subject_release(&join.others);
	record_spots_release(&join.spots);
	buf_release(&join.remarks);
	mem_free(join.subjects);
	mem_free(join.classes);
	mem_free(join.places);
	mem_free(join.shared);
	mem_free(join.read);
	mem_free(join.read_targets);
	return error;
}
