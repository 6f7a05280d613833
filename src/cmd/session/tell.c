#include <stdarg.h>

#include "base/buf.h"
#include "cmd/session/parts.h"

enum { TOLD_MOST = 8 }; /* of a kind; of the others it is told how many they are */

void session_note(const struct session *session, const char *format, ...)
{
	if (!session->notes)
		return;
	struct buf text, line;
	va_list args;
	buf_init(&text);
	buf_init(&line);
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	buf_put_visible(&line, text.data);
	fprintf(session->notes, "linelint: %s\n", line.data);
	buf_release(&line);
	buf_release(&text);
}

/* Files can have any number of damaged parts, and archives of files: may one more be told? */
static bool may_tell(struct session *session, uint64_t count)
{
	enum { LINES_MOST = 64 };
	bool may = session->told < LINES_MOST || session->opt->verbose;
	*(may ? &session->told : &session->untold) += may ? 1 : count;
	return may;
}

void session_tell_untold(struct session *session)
{
	struct buf line;
	if (!session->untold)
		return;
	buf_init(&line);
	buf_put_visible(&line, session->object.path);
	fprintf(session->complaints,
		"linelint: %s: %llu more like these; the rest is read (--verbose names them)\n",
		line.data, (unsigned long long)session->untold);
	buf_release(&line);
	session->untold = 0;
}

void session_leave_out(struct session *session, struct error *error, const char *what)
{
	struct buf line;
	session->unread++;
	if (!may_tell(session, 1)) {
		error_free(error);
		return;
	}
	buf_init(&line);
	buf_put_visible(&line, error->message);
	fprintf(session->complaints, "linelint: %s; ", line.data);
	buf_clear(&line);
	buf_put_visible(&line, what);
	fprintf(session->complaints, "%s\n", line.data);
	buf_release(&line);
	error_free(error);
}

/* What stands behind TOLD_MOST of a kind; each has been counted as unread. */
static void tell_more(
	struct session *session, const char *path, size_t count, const char *what, const char *fate)
{
	struct buf line;
	if (!may_tell(session, count))
		return;
	buf_init(&line);
	buf_put_visible(&line, path);
	fprintf(session->complaints, "linelint: %s: %zu more %s%s damaged; %s\n", line.data, count,
		what, count == 1 ? " is" : "s are", fate);
	buf_release(&line);
}

struct error *session_tell_damage(
	struct session *session, const char *path, const char *const *damage, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct error *error = error_new("%s", damage[i]);
		if (!session->complaints)
			return error;
		if (i < TOLD_MOST) {
			session_leave_out(session, error, "the rest is read");
			continue;
		}
		error_free(error);
		session->unread++;
	}
	size_t more = count > TOLD_MOST ? count - TOLD_MOST : 0;
	if (more)
		tell_more(session, path, more, "unit", "the rest is read");
	return NULL;
}

/* One definition that is damaged; of many only the first ones are told by name. */
static void leave_out(struct session *session, struct error *error, const struct index_def *def,
	const struct info_type *type, size_t before)
{
	struct arena *arena = session->arena;
	const char *fate = type->types ? arena_printf(arena, "read from %s",
						 session->frame.binaries[type->file].path)
				       : "left out";
	if (before < TOLD_MOST) {
		session_leave_out(session, error,
			arena_printf(arena, "%s %s is %s", type_keyword(def->kind),
				type_qualify(arena, def->scope, def->name), fate));
		return;
	}
	session->unread++;
	error_free(error);
}

static size_t count_damaged(const struct info_type *types, size_t count)
{
	size_t damaged = 0;
	for (size_t i = 0; i < count; i++)
		damaged += types[i].damage != NULL;
	return damaged;
}

struct error *session_tell_definitions(struct session *session, const struct index_def *const *defs,
	const struct info_type *types, size_t count, size_t asked)
{
	bool goes_on = session->goes_on || session_is_several(session);
	size_t told = 0, damaged = count_damaged(types, count);
	if (asked && !session_is_several(session) && count_damaged(types, asked) == asked)
		goes_on = false;
	for (size_t i = 0; i < count; i++) {
		if (!types[i].damage)
			continue;
		struct error *error = error_new("%s", types[i].damage);
		if (!session->complaints || (i < asked && !goes_on))
			return error;
		leave_out(session, error, defs[i], &types[i], told++);
	}
	size_t more = damaged > TOLD_MOST ? damaged - TOLD_MOST : 0;
	if (more)
		tell_more(session, session->object.path, more, "definition",
			more == 1 ? "it is left out, or read elsewhere"
				  : "they are left out, or read elsewhere");
	return NULL;
}
