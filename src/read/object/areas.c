#include "read/object/areas.h"

#include <gelf.h>
#include <stdbool.h>

#include "base/mem.h"
#include "base/number.h"

enum { FIRST = 0x10000, APART = 0x1000 };
#define LAST (UINT64_C(1) << 31) /* relocations of 32 bits reach it, signed ones too */

static bool is_data(const GElf_Shdr *header)
{
	return header->sh_flags & SHF_ALLOC && !(header->sh_flags & (SHF_TLS | SHF_EXECINSTR)) &&
	       header->sh_size &&
	       (header->sh_type == SHT_PROGBITS || header->sh_type == SHT_NOBITS);
}

uint64_t *areas_place(Elf *elf, size_t count)
{
	uint64_t *bases = mem_new(count, sizeof(*bases)), next = FIRST;
	for (size_t i = 1; i < count; i++) {
		GElf_Shdr header;
		Elf_Scn *section = elf_getscn(elf, i);
		if (!section || !gelf_getshdr(section, &header) || !is_data(&header))
			continue;
		uint64_t align = header.sh_addralign > APART ? header.sh_addralign : APART;
		if (align & (align - 1) || align > LAST || header.sh_size > LAST)
			continue;
		uint64_t at = number_round_up(next, align);
		if (at + header.sh_size > LAST)
			continue;
		bases[i] = at;
		next = at + header.sh_size + APART;
	}
	return bases;
}
