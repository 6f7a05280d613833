#include "cmd/session/visit.h"

#include "cmd/input.h"

struct error *visit_open_object(const struct session *session, const struct collect_file *file,
	struct arena *arena, struct object *ret)
{
	return file->member ? input_open_member(arena, session->opt, file->member, ret)
			    : input_open(arena, session->opt, file->path, ret);
}

/* Where a file has crashed us once, or taken all memory, it is not touched again. */
static struct error *enter(
	const struct session *session, const struct collect_file *file, struct trail_step *before)
{
	const struct trail_step step = {TRAIL_FILE, trail_file(file->path), 0};
	const struct trail_step large = {TRAIL_LARGE_FILE, step.file, 0};
	if (trail_is_aside(session->opt->trail, large))
		return error_new("%s: the memory does not suffice for it; raise the limit, or ask "
				 "for fewer structs of it alone",
			file->path);
	if (trail_is_aside(session->opt->trail, step))
		return error_new("%s: reading it crashes; the file is probably damaged: build it "
				 "again",
			file->path);
	*before = trail_enter(session->opt->trail, 0, step);
	return NULL;
}

struct error *visit_open(
	const struct session *session, const struct collect_file *file, struct visit *ret)
{
	struct error *error = enter(session, file, &ret->before);
	if (error)
		return error;
	arena_init(&ret->arena);
	error = visit_open_object(session, file, &ret->arena, &ret->object);
	if (error) {
		arena_release(&ret->arena);
		trail_leave(session->opt->trail, 0, ret->before);
	}
	return error;
}

void visit_close(const struct session *session, struct visit *visit)
{
	object_close(&visit->object);
	arena_release(&visit->arena);
	trail_leave(session->opt->trail, 0, visit->before);
}
