/*
 * handle: what an open ELF file holds on to. Private to object.c and object/.
 */
#ifndef READ_HANDLE_H
#define READ_HANDLE_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/object.h"

struct object_handle {
	int fd;               /* -1: none */
	Elf *elf;             /* owns the mapping */
	const uint8_t *image; /* the whole file */
	size_t image_bytes;
	uint8_t *copies
		[OBJECT_SECTION_COUNT]; /* sections that were put together, relocated or unpacked; owned */
	uint8_t *raw;                   /* raw BTF, an archive's member, or what was packed; owned */
	uint64_t *areas; /* by section index, of a relocatable object: see areas.h; NULL of others; owned */
	size_t area_count;
	bool is_lto;                    /* has gcc's .gnu.lto_* */
	bool has_symbols;               /* has .symtab */
	struct object_handle *stripped; /* of the binary whose debug file this is; NULL: none */
};

#endif
