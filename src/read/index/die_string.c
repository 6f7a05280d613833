#include "read/index/die.h"

#include <string.h>

static const char *string_in(const struct object_section *section, uint64_t off)
{
	return bytes_string(section->data, section->size, off);
}

/* The offset in .debug_str of a string that goes by index (section 7.26). False after damage. */
static bool resolve_index(struct dies *dies, const struct view *view, uint64_t index, uint64_t *ret)
{
	const struct object_section *offsets =
		&view->unit->object->sections[OBJECT_DEBUG_STR_OFFSETS];
	uint8_t bytes = view->unit->offset_bytes;
	uint64_t base = view->str_offsets_base;
	if (base > offsets->size || index >= (offsets->size - base) / bytes) {
		dies_fail(dies, view->unit->off,
			"a string of this unit is not in .debug_str_offsets");
		return false;
	}
	*ret = bytes_uint(offsets->data + base + index * bytes, bytes, view->swap);
	return true;
}

const char *die_string(struct dies *dies, const struct view *view, const struct value *value)
{
	uint64_t off = value->number;
	const char *text = NULL;
	const struct object *object = view->unit->object;
	switch (value->class) {
	case VALUE_STRING:
		return (const char *)view->info + off;
	case VALUE_LINE_STRP:
		text = string_in(&object->sections[OBJECT_DEBUG_LINE_STR], off);
		break;
	case VALUE_STRX:
		if (!resolve_index(dies, view, value->number, &off))
			return "";
		text = string_in(&object->sections[OBJECT_DEBUG_STR], off);
		break;
	case VALUE_STRP:
		text = string_in(&object->sections[OBJECT_DEBUG_STR], off);
		break;
	case VALUE_STRP_ALT:
		text = string_in(&object->alternate->sections[OBJECT_DEBUG_STR], off);
		break;
	case VALUE_UNSIGNED:
	case VALUE_SIGNED:
	case VALUE_REFERENCE:
	case VALUE_SIGNATURE:
	case VALUE_BLOCK:
	case VALUE_FOREIGN:
	case VALUE_OTHER:
		return "";
	}
	if (!text) {
		dies_fail(dies, view->unit->off,
			"a name of this unit lies outside of its string section");
		return "";
	}
	return text;
}

const char *die_kept_string(struct dies *dies, const struct view *view, const struct value *value)
{
	if (value->class == VALUE_STRING)
		return (const char *)unit_base(dies->object, view->unit->off) + value->number;
	return die_string(dies, view, value);
}

uint64_t die_string_key(struct dies *dies, const struct view *view, const struct value *value)
{
	uint64_t off = value->number;
	switch (value->class) {
	case VALUE_STRX:
		if (!resolve_index(dies, view, value->number, &off))
			return DIE_KEY_OTHER;
		return (off + view->strings_start) << 3 | DIE_KEY_STRP;
	case VALUE_STRP:
		return (off + view->strings_start) << 3 | DIE_KEY_STRP;
	case VALUE_STRP_ALT:
		return (off + view->unit->object->alternate->strings_start) << 3 | DIE_KEY_STRP;
	case VALUE_LINE_STRP:
		return (off + view->strings_start) << 3 | DIE_KEY_LINE_STRP;
	case VALUE_STRING:
		return die_text_key(view->info + off, value->length);
	case VALUE_UNSIGNED:
	case VALUE_SIGNED:
	case VALUE_REFERENCE:
	case VALUE_SIGNATURE:
	case VALUE_BLOCK:
	case VALUE_FOREIGN:
	case VALUE_OTHER:
		break;
	}
	return off << 3 | DIE_KEY_OTHER;
}

uint64_t die_hash_bytes(const void *bytes, size_t length)
{
	const uint8_t *p = bytes;
	uint64_t hash = DIE_HASH_START ^ length;
	for (; length >= 8; length -= 8, p += 8)
		hash = die_hash_add(hash, bytes_u64(p, false));
	uint64_t rest = 0;
	memcpy(&rest, p, length);
	return die_hash_end(die_hash_add(hash, rest));
}
