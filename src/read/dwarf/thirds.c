#include "read/dwarf/thirds.h"

#include <string.h>

#include "base/mem.h"
#include "read/bytes.h"
#include "read/dw.h"

enum { DW_AT_lo_user_unread = 0x3fef }; /* no one's */

/* A table that is copied, or only looked at. */
struct rewrite {
	const uint8_t *p, *end;
	uint8_t *copy; /* owned; NULL: only looked at */
	size_t size, capacity;
	bool is_needed;
};

static void add(struct rewrite *rewrite, const void *bytes, size_t count)
{
	if (!rewrite->copy)
		return;
	rewrite->copy = mem_grow(rewrite->copy, &rewrite->capacity, rewrite->size + count, 1);
	memcpy(rewrite->copy + rewrite->size, bytes, count);
	rewrite->size += count;
}

/* The two attributes in place of one; `name` has its bytes, which end at `name_end`. */
static void add_pair(struct rewrite *rewrite, const uint8_t *name, const uint8_t *name_end)
{
	static const uint8_t rest[] = {THIRDS_FORM, 0x80 | (DW_AT_lo_user_unread & 0x7f),
		DW_AT_lo_user_unread >> 7, DW_FORM_data2};
	add(rewrite, name, (size_t)(name_end - name));
	add(rewrite, rest, sizeof(rest));
}

/* The attributes of one abbreviation. */
static bool read_attributes(struct rewrite *rewrite)
{
	for (;;) {
		const uint8_t *start = rewrite->p, *name_end;
		uint64_t name, form;
		int64_t constant;
		if (!bytes_uleb(&rewrite->p, rewrite->end, &name))
			return false;
		name_end = rewrite->p;
		if (!bytes_uleb(&rewrite->p, rewrite->end, &form) ||
			(form == DW_FORM_implicit_const &&
				!bytes_sleb(&rewrite->p, rewrite->end, &constant)))
			return false;
		if (form == DW_FORM_strx3 || form == DW_FORM_addrx3) {
			rewrite->is_needed = true;
			add_pair(rewrite, start, name_end);
		} else {
			add(rewrite, start, (size_t)(rewrite->p - start));
		}
		if (!name && !form)
			return true;
	}
}

static bool read_table(struct rewrite *rewrite)
{
	for (;;) {
		const uint8_t *start = rewrite->p;
		uint64_t code, tag;
		if (!bytes_uleb(&rewrite->p, rewrite->end, &code))
			return false;
		if (code && (!bytes_uleb(&rewrite->p, rewrite->end, &tag) ||
				    rewrite->p++ == rewrite->end))
			return false;
		add(rewrite, start, (size_t)(rewrite->p - start));
		if (!code)
			return true;
		if (!read_attributes(rewrite))
			return false;
	}
}

uint8_t *thirds_rewrite(const uint8_t *table, const uint8_t *end, size_t *size)
{
	struct rewrite look = {.p = table, .end = end};
	if (!read_table(&look) || !look.is_needed)
		return NULL;
	struct rewrite rewrite = {.p = table, .end = end};
	rewrite.copy = mem_grow(NULL, &rewrite.capacity, (size_t)(look.p - table), 1);
	read_table(&rewrite);
	*size = rewrite.size;
	return rewrite.copy;
}
