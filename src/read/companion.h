/*
 * companion: the other files that hold debug information of a binary.
 *
 * object -> [companion] -> index, dwarf. A stripped binary gets that of its separate debug file: by build-id
 * (DIR/.build-id/xx/yyyy.debug, which must have the same) or by .gnu_debuglink (beside it, in .debug/ beside it, and at the
 * same path under DIR; its CRC-32 must be right), as the GDB manual has it ("Debugging Information in Separate Files").
 * What dwz has moved to a file that several binaries share comes from there (.gnu_debugaltlink, .debug_sup; the id must be
 * the same), and what -gsplit-dwarf has left in .dwo files from a package (BINARY.dwp) or from them: where they were
 * compiled, or beside the binary (the dwo_id must be the same; units of a package that have another are left out).
 */
#ifndef READ_COMPANION_H
#define READ_COMPANION_H

#include "base/arena.h"
#include "base/error.h"
#include "read/object.h"

struct companion_options {
	const char *debug_dir; /* DIR above; NULL: /usr/lib/debug */
};

/*
 * Finds them and makes them part of `object`, which was just opened; object_close() closes them. None where none is
 * needed. That a separate debug file is nowhere is no error here: object->looked_at says where it would have been, for
 * object_require_dwarf(); nor that a split file is: object->missing names it. Errors: an alternate file is nowhere; what
 * is read for this is damaged.
 */
struct error *companion_attach(
	struct arena *arena, const struct companion_options *options, struct object *object);

#endif
