/* profile: YAML that is read; and what was read is written, read again, and written the same. */
#include <string.h>

#include "base/buf.h"
#include "profile.h"
#include "profile/merge.h"
#include "profile/write.h"
#include "target.h"

static void round_trip(struct arena *arena, const struct profile *profile)
{
	struct profile again;
	struct buf first, second;
	buf_init(&first);
	buf_init(&second);
	profile_write(profile, &first);
	struct error *error =
		profile_parse(arena, "again", first.data, first.length, EVIDENCE_STATED, &again);
	if (error)
		fprintf(stderr, "%s\n%s", error->message, first.data);
	HOLDS(!error);
	profile_write(&again, &second);
	if (strcmp(first.data, second.data) != 0)
		fprintf(stderr, "%s---\n%s", first.data, second.data);
	HOLDS(strcmp(first.data, second.data) == 0);
	buf_release(&first);
	buf_release(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;
	struct profile profile, merged;
	arena_init(&arena);
	char *text = arena_strndup(&arena, (const char *)data, size);
	if (!refused(profile_parse(&arena, "p.yaml", text, size, EVIDENCE_STATED, &profile))) {
		const struct profile *both[] = {&profile, &profile};
		round_trip(&arena, &profile);
		if (!refused(profile_merge(&arena, both, 2, &merged)))
			round_trip(&arena, &merged);
	}
	arena_release(&arena);
	return 0;
}
