#include "read/dwarf/entry.h"

#include "base/mem.h"
#include "read/dwarf/attribute.h"
#include "read/dwarf/handle.h"

static struct error *find_die(struct entry_unit *unit, uint64_t off, Dwarf_Die *ret)
{
	struct entry_handle *handle = unit->handle;
	Dwarf_Error error = NULL;
	if (off < unit->extent.root_off || off >= unit->extent.end)
		return entry_damaged(handle->object, off, "a reference out of its unit");
	struct error *failure = handle_open(unit);
	if (failure)
		return failure;
	if (dwarf_offdie_b(handle->debug, off - unit->extent.off, !handle->is_types, ret, &error) !=
		DW_DLV_OK)
		return handle_error(unit, off, error);
	return NULL;
}

static struct error *fill(struct entry_unit *unit, Dwarf_Die die, bool outline, struct entry *ret)
{
	Dwarf_Error error = NULL;
	Dwarf_Off off;
	*ret = (struct entry){.name = NULL};
	if (dwarf_dieoffset(die, &off, &error) != DW_DLV_OK ||
		dwarf_tag(die, &ret->tag, &error) != DW_DLV_OK)
		return handle_error(unit, unit->extent.off, error);
	ret->off = unit->extent.off + off;
	return outline ? NULL : attribute_read(unit, die, ret->off, ret);
}

struct error *entry_read(struct entry_unit *unit, uint64_t off, struct entry *ret)
{
	Dwarf_Die die;
	if (plain_read(&unit->handle->plain, off, ret))
		return NULL;
	struct error *error = find_die(unit, off, &die);
	if (error)
		return error;
	error = fill(unit, die, false, ret);
	dwarf_dealloc(unit->handle->debug, die, DW_DLA_DIE);
	return error;
}

static struct error *add_child(struct entry_unit *unit, Dwarf_Die die, entry_filter *filter,
	bool outline, struct entry_list *list)
{
	Dwarf_Half tag;
	Dwarf_Error error = NULL;
	if (dwarf_tag(die, &tag, &error) != DW_DLV_OK)
		return handle_error(unit, unit->extent.off, error);
	if (!filter(tag))
		return NULL;
	list->items = mem_grow(list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	return fill(unit, die, outline, &list->items[list->count++]);
}

/* libdwarf believes a DW_AT_sibling, also one that leads back. */
static struct error *check_order(struct entry_unit *unit, Dwarf_Die die, Dwarf_Off *last)
{
	Dwarf_Error error = NULL;
	Dwarf_Off off;
	if (dwarf_dieoffset(die, &off, &error) != DW_DLV_OK)
		return handle_error(unit, unit->extent.off, error);
	if (off <= *last)
		return entry_damaged(
			unit->handle->object, unit->extent.off + *last, "a sibling in front of it");
	*last = off;
	return NULL;
}

static struct error *read_children(struct entry_unit *unit, uint64_t off, entry_filter *filter,
	bool outline, struct entry_list *list)
{
	struct entry_handle *handle = unit->handle;
	Dwarf_Die parent, child, next = NULL;
	Dwarf_Error failure = NULL;
	Dwarf_Off last = 0;
	if (plain_children(&handle->plain, off, filter, outline, list))
		return NULL;
	struct error *error = find_die(unit, off, &parent);
	if (error)
		return error;
	int result = dwarf_child(parent, &child, &failure);
	dwarf_dealloc(handle->debug, parent, DW_DLA_DIE);
	while (result == DW_DLV_OK && !error) {
		error = check_order(unit, child, &last);
		if (!error)
			error = add_child(unit, child, filter, outline, list);
		if (!error)
			result = dwarf_siblingof_b(
				handle->debug, child, !handle->is_types, &next, &failure);
		dwarf_dealloc(handle->debug, child, DW_DLA_DIE);
		child = next;
	}
	if (!error && result == DW_DLV_ERROR)
		error = handle_error(unit, off, failure);
	return error;
}

struct error *entry_children(
	struct entry_unit *unit, uint64_t off, entry_filter *filter, struct entry_list *list)
{
	return read_children(unit, off, filter, false, list);
}

struct error *entry_outline(
	struct entry_unit *unit, uint64_t off, entry_filter *filter, struct entry_list *list)
{
	return read_children(unit, off, filter, true, list);
}

void entry_list_release(struct entry_list *list)
{
	mem_free(list->items);
	*list = (struct entry_list){0};
}
