#include "read/dwarf/handle.h"

struct error *handle_error(const struct entry_unit *unit, uint64_t off, Dwarf_Error error)
{
	const struct entry_handle *handle = unit->handle;
	struct error *converted =
		entry_damaged(handle->object, off, error ? dwarf_errmsg(error) : "entry missing");
	if (error && handle->debug)
		dwarf_dealloc_error(handle->debug, error);
	return converted;
}
