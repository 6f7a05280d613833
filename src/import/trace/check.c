#include <inttypes.h>
#include <string.h>

#include "import/trace/form.h"

/* A recorder knows the address of a variable that has, or points to, the type: "@0x4010". */
static struct error *resolve(
	const struct trace_target *target, const char *where, const char *name, const char **ret)
{
	uint64_t address = 0;
	const char *digits = name + strlen("@0x");
	size_t length = strncmp(name, "@0x", strlen("@0x")) == 0 ? strlen(digits) : 0;
	if (!length || length > 16 || strspn(digits, "0123456789abcdef") != length)
		return error_new(
			"%s: '%s' is no struct; expected a name, or @0x and the address of "
			"a variable",
			where, name);
	for (; *digits; digits++)
		address = address << 4 |
			  (uint64_t)(*digits <= '9' ? *digits - '0' : *digits - 'a' + 10);
	if (!target->name_at)
		return error_new("%s: '%s' is an address, and there is no binary to look it up in",
			where, name);
	struct error *error = target->name_at(target->context, address, ret);
	return error ? error_wrap(error, "%s", where) : NULL;
}

struct error *trace_check_struct(
	const struct trace_target *target, const char *where, const char *name, uint64_t size_bytes)
{
	const struct layout *layout = target->layout;
	if (*name == '@') {
		struct error *error = resolve(target, where, name, &name);
		if (error)
			return error;
	}
	if (strcmp(name, layout->name) != 0 && strcmp(name, target->qualified_name) != 0)
		return error_new(
			"%s: a recording of '%s', not of '%s'; replay that, or record again", where,
			name, target->qualified_name);
	if (size_bytes && size_bytes != layout->size_bytes)
		return error_new("%s: recorded from a '%s' of %" PRIu64
				 " bytes, in %s it has %" PRIu64 "; record again with this build",
			where, name, size_bytes, target->binary, layout->size_bytes);
	return NULL;
}

struct error *trace_check_build(
	const struct trace_target *target, const char *where, const char *build_id)
{
	if (!target->build_id)
		return error_new(
			"%s: recorded from the build %s, but %s has no build-id; link with "
			"-Wl,--build-id and record again",
			where, build_id, target->binary);
	if (strcmp(build_id, target->build_id) != 0)
		return error_new(
			"%s: recorded from another build (%s) than %s (%s); replay with that "
			"binary, or record again",
			where, build_id, target->binary, target->build_id);
	return NULL;
}

struct error *trace_check_event(
	const struct trace_target *target, const char *where, const struct trace_event *event)
{
	uint64_t end = (uint64_t)event->off_bytes + event->size_bytes;
	if (!event->size_bytes)
		return error_new("%s: an access of 0 bytes; expected at least 1", where);
	if (end > TRACE_OFFSET_MAX)
		return error_new("%s: reaches up to byte %" PRIu64 "; at most %d can be replayed",
			where, end, TRACE_OFFSET_MAX);
	if (end > target->layout->size_bytes && !layout_is_open_ended(target->layout))
		return error_new("%s: reaches up to byte %" PRIu64 " of a struct of %" PRIu64
				 "; is it a recording of '%s'?",
			where, end, target->layout->size_bytes, target->qualified_name);
	return NULL;
}
