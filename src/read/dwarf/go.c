#include "read/dwarf/reader.h"

#include <string.h>

#include "read/dw.h"

/* The mark of what is aligned to 8 bytes on every machine (go/types, gcsizes.go: alignof); its package has moved. */
static bool is_align64(const struct type *type)
{
	static const char *const names[] = {"sync/atomic.align64",
		"runtime/internal/atomic.align64", "internal/runtime/atomic.align64"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(type->name, names[i]) == 0)
			return true;
	return false;
}

void go_finish_type(
	const struct entry_unit *unit, const struct type_machine *machine, struct type *type)
{
	static const char compiler[] = "Go cmd/compile"; /* gccgo does as C does */
	if (unit->language != DW_LANG_Go || !type->name)
		return;
	type->is_go = true;
	/* a function has no size; what has one is a pointer to it and to what it holds */
	if (type->kind == TYPE_FUNCTION && type->size_known)
		type->kind = TYPE_BASE;
	if (strncmp(unit->producer, compiler, sizeof(compiler) - 1) != 0 || type->align_bytes)
		return;
	if (type->kind == TYPE_BASE && type->size_bytes > machine->pointer_bytes)
		type->align_bytes = machine->pointer_bytes;
	if (is_align64(type))
		type->align_bytes = 8;
}
