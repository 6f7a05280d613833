/*
 * plain: entries that are read without libdwarf, however damaged, say what libdwarf says of them where it reads them.
 *
 * src/read/dwarf/plain.h promises that it judges nothing. guard.h says what is done about libdwarf's faults.
 */
#include <string.h>

#include "guard.h"
#include "read/dwarf/attribute.h"
#include "read/dwarf/handle.h"
#include "sections.h"
#include "target.h"

enum { ENTRIES_MAX = 4000, DEPTH_MAX = 64 };

struct pair {
	struct entry_unit plain, libdwarf;
	size_t left; /* entries that may still be compared */
};

static bool any(uint16_t tag)
{
	(void)tag;
	return true;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_ref(const struct entry_ref *a, const struct entry_ref *b)
{
	return a->kind == b->kind && a->value == b->value;
}

static bool same_number(const struct entry_number *a, const struct entry_number *b)
{
	return a->state == b->state && (a->state != ENTRY_CONSTANT || a->value == b->value);
}

static void check_same(const struct entry *a, const struct entry *b)
{
	HOLDS(a->off == b->off && a->tag == b->tag);
	HOLDS(same_text(a->name, b->name) && same_text(a->linkage_name, b->linkage_name));
	HOLDS(same_ref(&a->type, &b->type) && same_ref(&a->origin, &b->origin));
	HOLDS(same_ref(&a->signature, &b->signature) && same_ref(&a->container, &b->container));
	HOLDS(same_ref(&a->discr, &b->discr) && same_number(&a->discr_value, &b->discr_value));
	HOLDS(same_number(&a->byte_size, &b->byte_size) && same_number(&a->bit_size, &b->bit_size));
	HOLDS(same_number(&a->bit_offset, &b->bit_offset));
	HOLDS(same_number(&a->data_bit_offset, &b->data_bit_offset));
	HOLDS(same_number(&a->location, &b->location));
	HOLDS(same_number(&a->lower_bound, &b->lower_bound));
	HOLDS(same_number(&a->upper_bound, &b->upper_bound) && same_number(&a->count, &b->count));
	HOLDS(a->align_bytes == b->align_bytes && a->decl_file == b->decl_file);
	HOLDS(a->decl_line == b->decl_line && a->accessibility == b->accessibility);
	HOLDS(a->has_decl_file == b->has_decl_file && a->is_declaration == b->is_declaration);
	HOLDS(a->is_external == b->is_external && a->is_artificial == b->is_artificial);
	HOLDS(a->is_virtual == b->is_virtual && a->is_prototyped == b->is_prototyped);
	HOLDS(a->is_vector == b->is_vector);
}

static void compare_tree(struct pair *pair, uint64_t off, int depth)
{
	struct entry_list left = {0}, right = {0};
	if (depth < DEPTH_MAX && !refused(entry_children(&pair->plain, off, any, &left)) &&
		!refused(entry_children(&pair->libdwarf, off, any, &right))) {
		HOLDS(left.count == right.count);
		for (size_t i = 0; i < left.count && pair->left; i++) {
			pair->left--;
			check_same(&left.items[i], &right.items[i]);
			compare_tree(pair, left.items[i].off, depth + 1);
		}
	}
	entry_list_release(&left);
	entry_list_release(&right);
}

/* As if nothing could be read without libdwarf. False: nor can it be with it. */
static bool open_libdwarf(struct entry_unit *unit, struct field_root *ret)
{
	unit->handle->plain.next = NULL;
	unit->handle->plain.count = 0;
	return !refused(handle_open(unit)) && !refused(attribute_read_root(unit, ret));
}

static void check_same_root(const struct entry_unit *plain, const struct field_root *libdwarf)
{
	HOLDS(strcmp(plain->name, libdwarf->name ? libdwarf->name : "") == 0);
	HOLDS(strcmp(plain->producer, libdwarf->producer ? libdwarf->producer : "") == 0);
	HOLDS(plain->language == (uint16_t)libdwarf->language);
	HOLDS(plain->handle->has_lines == libdwarf->has_lines);
	HOLDS(plain->handle->line_off == libdwarf->line_off);
}

static void compare_unit(struct pair *pair, const struct object *object, uint64_t off)
{
	if (refused(entry_unit_open(object, off, &pair->plain)))
		return;
	if (!refused(entry_unit_open(object, off, &pair->libdwarf))) {
		struct field_root root;
		if (open_libdwarf(&pair->libdwarf, &root)) {
			check_same_root(&pair->plain, &root);
			HOLDS(pair->plain.extent.root_off == pair->libdwarf.extent.root_off);
			compare_tree(pair, pair->plain.extent.root_off, 0);
		}
		entry_unit_close(&pair->libdwarf);
	}
	entry_unit_close(&pair->plain);
}

static void compare(void *context)
{
	const struct object *object = context;
	struct pair pair = {.left = ENTRIES_MAX};
	struct entry_extent extent;
	entry_begin();
	for (uint64_t off = 0; off < object_limit(object); off = extent.end) {
		if (refused(entry_extent_read(object, off, &extent)))
			return;
		compare_unit(&pair, object, off);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sections sections;
	sections_init(&sections, data, size);
	guard_run(compare, &sections.object);
	sections_release(&sections);
	return 0;
}
