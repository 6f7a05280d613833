/*
 * links: what an ELF file says about others that hold a part of its debug information.
 *
 * object -> [links] -> companion. .gnu_debuglink (GDB manual, "Debugging Information in Separate Files"): a name, NUL,
 * padding to 4 bytes, a CRC-32 in the file's byte order. .gnu_debugaltlink (dwz): a name, NUL, a build-id. .debug_sup
 * (DWARF 5 section 7.3.6): a version, whether the file is itself the supplementary one, a name, a checksum.
 */
#ifndef READ_OBJECT_LINKS_H
#define READ_OBJECT_LINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "read/object.h"

struct object_links {
	const char *debug_name;     /* of a separate debug file; NULL without; in the mapping, as the next name */
	uint32_t debug_crc;
	const char *alternate_name; /* of the file that several share (dwz -m); NULL without */
	const char *alternate_id;   /* its build-id or checksum, lower-case hex; "" without; in the arena */
	const char *supplement_id;  /* the checksum of this file when it is a supplementary one; NULL otherwise */
};

/* Of an open object. What is damaged counts as absent: the look-up then names no place. */
void object_links_read(struct arena *arena, const struct object *object, struct object_links *ret);

/* The CRC-32 of the whole file, as .gnu_debuglink has it. */
uint32_t object_crc(const struct object *object);

/* Lower-case hex digits of `size` bytes. */
const char *object_hex(struct arena *arena, const uint8_t *bytes, uint64_t size);

#endif
