/*
 * session/visit: one of several files, while it is open. Private to cmd/session/.
 *
 * What is read of it and shall stay must go into the session's arena. While it is open the trail says so (base/trail.h): a
 * file that the process has died of is not opened again.
 */
#ifndef CMD_SESSION_VISIT_H
#define CMD_SESSION_VISIT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/trail.h"
#include "cmd/session.h"
#include "read/collect.h"
#include "read/object.h"

struct visit {
	struct arena arena; /* for what is needed as long as it is open */
	struct object object;
	struct trail_step before; /* visit's own */
};

/* Errors: input_open; the process has died of it. On an error nothing stays open. */
struct error *visit_open(
	const struct session *session, const struct collect_file *file, struct visit *ret);
void visit_close(const struct session *session, struct visit *visit);

/* Its object alone, for as long as `arena` lives; without a trail. Errors: input_open. */
struct error *visit_open_object(const struct session *session, const struct collect_file *file,
	struct arena *arena, struct object *ret);

#endif
