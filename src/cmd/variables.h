/*
 * variables: what the verbs vars and check do alike: a file's variables, read as far as they are shown, and judged.
 *
 * session + NAMEs -> [variables] -> report_vars, session.frame.
 */
#ifndef CMD_VARIABLES_H
#define CMD_VARIABLES_H

#include "base/error.h"
#include "cmd/session.h"
#include "report.h"
#include "vars.h"

struct variables_request {
	const char *const *names; /* NAMEs and globs */
	size_t name_count;
	bool all;    /* every line that is written */
	bool has_at; /* the line at an address */
	uint64_t at_bytes;
	bool with_profile; /* lines with variables of the profile; false: only those with findings */
	bool findings_only; /* no lines at all */
};

/* The entry that holds: of several documents with `vars:` the last one's; NULL: none has it. */
const struct profile_struct *variables_entry(const struct profiles *profiles);

/*
 * Sets session->frame.vars, in the session's arena, and adds the findings to *summary: a file after the other, each with lines of
 * its own, for nobody knows how a linker puts several together. What the profile names and no file has is said once. Errors:
 * variables_find(), which of several files is told and counts as unread; a NAME that means nothing in any of them; an
 * address outside of every section.
 */
struct error *variables_build(struct session *session, const struct variables_request *request,
	struct report_summary *summary);

/* What lies on the lines that a request asks for, in one file. */
struct variables_found {
	const struct object *object;
	const struct vars_catalog *catalog;
	const size_t *items; /* by address; read in one call */
	size_t count;
};

/* Without a verdict: ret[0..*count) in the session's arena, a file each. Errors: as variables_build(). */
struct error *variables_look(struct session *session, const struct variables_request *request,
	const struct variables_found **ret, size_t *count);

#endif
