#include "import/record.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/number.h"
#include "import/record/join.h"

static struct error *count_struct(
	struct join *join, const struct target *target, const struct record_count *count)
{
	struct record_count moved = *count;
	const struct layout *layout = &target->subject->layout;
	moved.access.off_bytes -= target->base;
	if (target->unit_bytes)
		moved.access.off_bytes %= target->unit_bytes;
	else if (moved.access.off_bytes + moved.access.size_bytes > layout->size_bytes &&
		 !layout_is_open_ended(layout))
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
	const struct target *target = join_find_variable(join, count->access.off_bytes);
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
		return error_new("%s:%zu: an operation seen %" PRIu64 " time%s, of %" PRIu64
				 " of that role; the file is damaged, record again",
			join->record->path, operation->line, operation->count, number_s(operation->count),
			role->operations);
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

struct error *record_require_linked(const struct object *object)
{
	if (!object->is_relocatable)
		return NULL;
	return error_new("%s: not linked yet, so that no variable has an address; use the "
			 "program or library that it becomes part of",
		object->path);
}

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
	if (!error)
		error = variables_require_found(&join.variables);
	if (error)
		return error;
	buf_init(&join.remarks);
	buf_init(&join.others.remarks);
	error = join_bind(&join);
	if (!error)
		error = count_all(&join);
	if (!error)
		error = join_document(&join, ret);
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
