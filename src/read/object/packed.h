/*
 * packed: one compressed section of an ELF file, unpacked.
 *
 * Private to object. SHF_COMPRESSED (gABI, Elf64_Chdr) with zlib or zstd; GNU's .zdebug_*: "ZLIB", the size as 8 bytes,
 * big-endian, then zlib's data. zlib is libelf's business, and ours where libelf refuses what zlib takes; zstd, which libelf
 * has learnt late, is ours. The sizes that sections state are believed up to what unpack_believable() says of the whole
 * file.
 */
#ifndef READ_OBJECT_PACKED_H
#define READ_OBJECT_PACKED_H

#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "read/object.h"

struct packed_section {
	const struct object *object; /* with its image in the handle */
	const char *name;            /* for messages: ".debug_info" */
	Elf_Scn *section;
	const GElf_Shdr *header;     /* inside of the image */
	bool is_gnu;                 /* .zdebug_* */
};

/*
 * *bytes, of *size, are libelf's, or in *owned, the caller's (mem_free), which is NULL otherwise. `total` is what all sections of the
 * file unpack to so far. Errors: damaged; more than is believed; zstd without its library.
 */
struct error *packed_read(const struct packed_section *packed, uint64_t *total, const uint8_t **bytes,
	uint64_t *size, uint8_t **owned);

#endif
