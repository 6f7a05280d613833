#include "cmd/input.h"
#include "cmd/profile_text.h"
#include "cmd/profile_verbs.h"
#include "profile/merge.h"

struct error *profile_merge_run(const struct opt *opt, const struct cmd_io *io, int *status)
{
	struct arena arena;
	struct profile merged;
	struct error *error = NULL;
	size_t count = opt->arg_count - 1;
	arena_init(&arena);
	const struct profile **documents = arena_new(&arena, count, sizeof(*documents));
	for (size_t i = 0; i < count && !error; i++) {
		struct profile *document = arena_new(&arena, 1, sizeof(*document));
		error = input_check(opt, opt->args[1 + i]);
		if (!error)
			error = profile_read(&arena, opt->args[1 + i], EVIDENCE_STATED, document);
		documents[i] = document;
	}
	if (!error)
		error = profile_merge(&arena, documents, count, &merged);
	if (!error)
		error = profile_text_write(&arena, &merged, io->out);
	arena_release(&arena);
	*status = 0;
	return error;
}
