#include "cmd/profile_text.h"

#include "base/buf.h"
#include "profile/write.h"

struct error *profile_text_write(struct arena *arena, const struct profile *profile, FILE *out)
{
	struct buf text;
	struct profile again;
	buf_init(&text);
	profile_write(profile, &text);
	const char *name = arena_printf(arena, "a profile made of %s", profile->path);
	struct error *error =
		profile_parse(arena, name, text.data, text.length, EVIDENCE_STATED, &again);
	if (!error)
		fwrite(text.data, 1, text.length, out);
	buf_release(&text);
	return error;
}
