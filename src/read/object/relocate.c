#include "read/object/relocate.h"

#include <elf.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdbool.h>

enum reloc_action {
	RELOC_NONE,
	RELOC_SET,   /* S + A */
	RELOC_PLACE, /* S + A - P */
	RELOC_ADD,   /* what is there + S + A */
	RELOC_SUB,   /* what is there - S - A */
	RELOC_LEB_SET,
	RELOC_LEB_ADD,
	RELOC_LEB_SUB, /* the same on an unsigned LEB128 of the length that is there */
};

struct reloc_kind {
	uint16_t elf_machine;
	uint16_t type;
	uint8_t action;
	uint8_t width; /* bytes */
};

/*
 * Those that assemblers write into debug sections: absolute, section-relative, TLS offsets and label
 * differences.
 */
static const struct reloc_kind reloc_kinds[] = {
	{EM_X86_64, R_X86_64_NONE, RELOC_NONE, 0},
	{EM_X86_64, R_X86_64_64, RELOC_SET, 8},
	{EM_X86_64, R_X86_64_32, RELOC_SET, 4},
	{EM_X86_64, R_X86_64_32S, RELOC_SET, 4},
	{EM_X86_64, R_X86_64_DTPOFF64, RELOC_SET, 8},
	{EM_X86_64, R_X86_64_DTPOFF32, RELOC_SET, 4},
	{EM_X86_64, R_X86_64_PC32, RELOC_PLACE, 4},
	{EM_X86_64, R_X86_64_PC64, RELOC_PLACE, 8},
	{EM_386, R_386_NONE, RELOC_NONE, 0},
	{EM_386, R_386_32, RELOC_SET, 4},
	{EM_386, R_386_PC32, RELOC_PLACE, 4},
	{EM_386, R_386_TLS_LDO_32, RELOC_SET, 4},
	{EM_AARCH64, R_AARCH64_NONE, RELOC_NONE, 0},
	{EM_AARCH64, 256, RELOC_NONE, 0},
	{EM_AARCH64, R_AARCH64_ABS64, RELOC_SET, 8},
	{EM_AARCH64, R_AARCH64_ABS32, RELOC_SET, 4},
	{EM_AARCH64, R_AARCH64_ABS16, RELOC_SET, 2},
	{EM_AARCH64, R_AARCH64_PREL64, RELOC_PLACE, 8},
	{EM_AARCH64, R_AARCH64_PREL32, RELOC_PLACE, 4},
	{EM_AARCH64, 1029 /* R_AARCH64_TLS_DTPREL64 */, RELOC_SET, 8},
	{EM_ARM, R_ARM_NONE, RELOC_NONE, 0},
	{EM_ARM, R_ARM_ABS32, RELOC_SET, 4},
	{EM_ARM, R_ARM_REL32, RELOC_PLACE, 4},
	{EM_ARM, R_ARM_TLS_LDO32, RELOC_SET, 4},
	{MACHINE_RISCV, 0, RELOC_NONE, 0},
	{MACHINE_RISCV, 1 /* 32 */, RELOC_SET, 4},
	{MACHINE_RISCV, 2 /* 64 */, RELOC_SET, 8},
	{MACHINE_RISCV, 8 /* TLS_DTPREL32 */, RELOC_SET, 4},
	{MACHINE_RISCV, 9 /* TLS_DTPREL64 */, RELOC_SET, 8},
	{MACHINE_RISCV, 33 /* ADD8 */, RELOC_ADD, 1},
	{MACHINE_RISCV, 34 /* ADD16 */, RELOC_ADD, 2},
	{MACHINE_RISCV, 35 /* ADD32 */, RELOC_ADD, 4},
	{MACHINE_RISCV, 36 /* ADD64 */, RELOC_ADD, 8},
	{MACHINE_RISCV, 37 /* SUB8 */, RELOC_SUB, 1},
	{MACHINE_RISCV, 38 /* SUB16 */, RELOC_SUB, 2},
	{MACHINE_RISCV, 39 /* SUB32 */, RELOC_SUB, 4},
	{MACHINE_RISCV, 40 /* SUB64 */, RELOC_SUB, 8},
	{MACHINE_RISCV, 51 /* RELAX */, RELOC_NONE, 0},
	{MACHINE_RISCV, 54 /* SET8 */, RELOC_SET, 1},
	{MACHINE_RISCV, 55 /* SET16 */, RELOC_SET, 2},
	{MACHINE_RISCV, 56 /* SET32 */, RELOC_SET, 4},
	{MACHINE_RISCV, 57 /* 32_PCREL */, RELOC_PLACE, 4},
	{MACHINE_RISCV, 60 /* SET_ULEB128 */, RELOC_LEB_SET, 1},
	{MACHINE_RISCV, 61 /* SUB_ULEB128 */, RELOC_LEB_SUB, 1},
	{EM_PPC64, R_PPC64_NONE, RELOC_NONE, 0},
	{EM_PPC64, R_PPC64_ADDR32, RELOC_SET, 4},
	{EM_PPC64, R_PPC64_UADDR32, RELOC_SET, 4},
	{EM_PPC64, R_PPC64_REL32, RELOC_PLACE, 4},
	{EM_PPC64, R_PPC64_ADDR64, RELOC_SET, 8},
	{EM_PPC64, R_PPC64_UADDR64, RELOC_SET, 8},
	{EM_PPC64, R_PPC64_REL64, RELOC_PLACE, 8},
	{EM_PPC64, R_PPC64_DTPREL64, RELOC_SET, 8},
	{EM_PPC, R_PPC_NONE, RELOC_NONE, 0},
	{EM_PPC, R_PPC_ADDR32, RELOC_SET, 4},
	{EM_PPC, R_PPC_UADDR32, RELOC_SET, 4},
	{EM_PPC, R_PPC_REL32, RELOC_PLACE, 4},
	{EM_PPC, R_PPC_DTPREL32, RELOC_SET, 4},
	{EM_S390, R_390_NONE, RELOC_NONE, 0},
	{EM_S390, R_390_16, RELOC_SET, 2},
	{EM_S390, R_390_32, RELOC_SET, 4},
	{EM_S390, R_390_64, RELOC_SET, 8},
	{EM_S390, R_390_PC32, RELOC_PLACE, 4},
	{EM_S390, R_390_PC64, RELOC_PLACE, 8},
	{EM_S390, R_390_TLS_LDO32, RELOC_SET, 4},
	{EM_S390, R_390_TLS_LDO64, RELOC_SET, 8},
	{EM_MIPS, R_MIPS_NONE, RELOC_NONE, 0},
	{EM_MIPS, R_MIPS_32, RELOC_SET, 4},
	{EM_MIPS, R_MIPS_64, RELOC_SET, 8},
	{EM_MIPS, R_MIPS_TLS_DTPREL32, RELOC_SET, 4},
	{EM_MIPS, R_MIPS_TLS_DTPREL64, RELOC_SET, 8},
	{EM_SPARC, R_SPARC_NONE, RELOC_NONE, 0},
	{EM_SPARC, R_SPARC_32, RELOC_SET, 4},
	{EM_SPARC, R_SPARC_UA32, RELOC_SET, 4},
	{EM_SPARC, R_SPARC_TLS_DTPOFF32, RELOC_SET, 4},
	{EM_SPARCV9, R_SPARC_NONE, RELOC_NONE, 0},
	{EM_SPARCV9, R_SPARC_32, RELOC_SET, 4},
	{EM_SPARCV9, R_SPARC_UA32, RELOC_SET, 4},
	{EM_SPARCV9, R_SPARC_64, RELOC_SET, 8},
	{EM_SPARCV9, R_SPARC_UA64, RELOC_SET, 8},
	{EM_SPARCV9, R_SPARC_TLS_DTPOFF64, RELOC_SET, 8},
	{EM_68K, R_68K_NONE, RELOC_NONE, 0},
	{EM_68K, R_68K_32, RELOC_SET, 4},
	{EM_68K, 37 /* R_68K_TLS_LDO32 */, RELOC_SET, 4},
	{MACHINE_LOONGARCH, 0, RELOC_NONE, 0},
	{MACHINE_LOONGARCH, 1 /* 32 */, RELOC_SET, 4},
	{MACHINE_LOONGARCH, 2 /* 64 */, RELOC_SET, 8},
	{MACHINE_LOONGARCH, 8 /* TLS_DTPREL32 */, RELOC_SET, 4},
	{MACHINE_LOONGARCH, 9 /* TLS_DTPREL64 */, RELOC_SET, 8},
	{MACHINE_LOONGARCH, 47 /* ADD8 */, RELOC_ADD, 1},
	{MACHINE_LOONGARCH, 48 /* ADD16 */, RELOC_ADD, 2},
	{MACHINE_LOONGARCH, 50 /* ADD32 */, RELOC_ADD, 4},
	{MACHINE_LOONGARCH, 51 /* ADD64 */, RELOC_ADD, 8},
	{MACHINE_LOONGARCH, 52 /* SUB8 */, RELOC_SUB, 1},
	{MACHINE_LOONGARCH, 53 /* SUB16 */, RELOC_SUB, 2},
	{MACHINE_LOONGARCH, 55 /* SUB32 */, RELOC_SUB, 4},
	{MACHINE_LOONGARCH, 56 /* SUB64 */, RELOC_SUB, 8},
	{MACHINE_LOONGARCH, 99 /* 32_PCREL */, RELOC_PLACE, 4},
	{MACHINE_LOONGARCH, 100 /* RELAX */, RELOC_NONE, 0},
	{MACHINE_LOONGARCH, 107 /* ADD_ULEB128 */, RELOC_LEB_ADD, 1},
	{MACHINE_LOONGARCH, 108 /* SUB_ULEB128 */, RELOC_LEB_SUB, 1},
	{MACHINE_BPF, 0, RELOC_NONE, 0},
	{MACHINE_BPF, 2 /* ABS64 */, RELOC_SET, 8},
	{MACHINE_BPF, 3 /* ABS32 */, RELOC_SET, 4},
	{MACHINE_BPF, 4 /* NODYLD32 */, RELOC_SET, 4},
};

static const struct reloc_kind *find_reloc_kind(uint16_t elf_machine, uint32_t type)
{
	for (size_t i = 0; i < sizeof(reloc_kinds) / sizeof(reloc_kinds[0]); i++)
		if (reloc_kinds[i].elf_machine == elf_machine && reloc_kinds[i].type == type)
			return &reloc_kinds[i];
	return NULL;
}

/* One relocation of either kind of section, in its own numbers. */
struct reloc {
	uint64_t off_bytes;
	uint64_t addend;
	size_t symbol;
	uint32_t type;
};

/* What is being relocated, and with what. */
struct patch {
	const struct relocate_file *file;
	const struct relocate_target *target;
	Elf_Data *entries;
	bool has_addends; /* RELA */
	Elf_Data *symbols;
	Elf_Data *symbol_sections; /* SHT_SYMTAB_SHNDX; NULL without */
	const struct reloc_kind *last_kind;
};

static uint64_t load(const uint8_t *data, unsigned width, bool big_endian)
{
	uint64_t value = 0;
	for (unsigned i = 0; i < width; i++)
		value = value << 8 | data[big_endian ? i : width - 1 - i];
	return value;
}

static void store(uint8_t *data, unsigned width, bool big_endian, uint64_t value)
{
	for (unsigned i = 0; i < width; i++, value >>= 8)
		data[big_endian ? width - 1 - i : i] = (uint8_t)value;
}

/*
 * Adds to the LEB128 at `data` (or replaces it) without changing its length: labels behind it must not
 * move.
 */
static void store_leb(uint8_t *data, uint64_t limit, enum reloc_action action, uint64_t operand)
{
	uint64_t value = 0;
	unsigned length = 0;
	bool more = true;
	for (; more && length < limit; length++) {
		if (length < 10)
			value |= (uint64_t)(data[length] & 0x7f) << (7 * length);
		more = data[length] & 0x80;
	}
	value = action == RELOC_LEB_SET   ? operand
		: action == RELOC_LEB_ADD ? value + operand
					  : value - operand;
	for (unsigned i = 0; i < length; i++, value >>= 7)
		data[i] = (uint8_t)((value & 0x7f) | (data[i] & 0x80));
}

/* MIPS64 little-endian stores r_info as a 32-bit symbol followed by four bytes, the type last. */
static void split_info(const struct object *object, uint64_t info, struct reloc *reloc)
{
	reloc->symbol = GELF_R_SYM(info);
	reloc->type = (uint32_t)GELF_R_TYPE(info);
	if (object->elf_machine == EM_MIPS && object->is_64bit) {
		bool little = !object->types.big_endian;
		reloc->symbol = little ? (uint32_t)info : info >> 32;
		reloc->type = (uint32_t)(little ? info >> 56 : info & 0xff);
	}
	if (object->elf_machine == EM_SPARCV9)
		reloc->type &= 0xff;
}

static bool get_reloc(const struct patch *patch, int index, struct reloc *reloc)
{
	GElf_Rela rela;
	GElf_Rel rel;
	if (patch->has_addends) {
		if (!gelf_getrela(patch->entries, index, &rela))
			return false;
		reloc->off_bytes = rela.r_offset;
		reloc->addend = (uint64_t)rela.r_addend;
		split_info(patch->file->object, rela.r_info, reloc);
	} else {
		if (!gelf_getrel(patch->entries, index, &rel))
			return false;
		reloc->off_bytes = rel.r_offset;
		reloc->addend = 0;
		split_info(patch->file->object, rel.r_info, reloc);
	}
	return true;
}

/* Sections of an object all start at 0, but those of one name have been put behind each other. */
static bool symbol_value(const struct patch *patch, size_t index, uint64_t *value)
{
	GElf_Sym symbol;
	Elf32_Word extended = 0;
	*value = 0;
	if (index == 0)
		return true;
	if (index > INT32_MAX || !gelf_getsymshndx(patch->symbols, patch->symbol_sections,
					 (int)index, &symbol, &extended))
		return false;
	size_t section = symbol.st_shndx == SHN_XINDEX ? extended : symbol.st_shndx;
	bool is_reserved = symbol.st_shndx >= SHN_LORESERVE && symbol.st_shndx != SHN_XINDEX;
	if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_COMMON)
		return true;
	*value = symbol.st_value;
	if (!is_reserved && section < patch->file->section_count)
		*value += patch->file->bases[section];
	return true;
}

static struct error *unknown_reloc(const struct patch *patch, const struct reloc *reloc)
{
	return error_new("%s: %s has a relocation of unknown type %" PRIu32
			 " for %s at offset 0x%" PRIx64 "; link the object and use the result",
		patch->file->object->path, patch->target->name, reloc->type,
		patch->file->object->machine, reloc->off_bytes);
}

static struct error *apply_reloc(struct patch *patch, const struct reloc *reloc)
{
	const struct object *object = patch->file->object;
	const struct reloc_kind *kind = patch->last_kind;
	if (!kind || kind->type != reloc->type)
		kind = find_reloc_kind(object->elf_machine, reloc->type);
	if (!kind)
		return unknown_reloc(patch, reloc);
	patch->last_kind = kind;
	if (kind->action == RELOC_NONE)
		return NULL;

	uint64_t value;
	if (reloc->off_bytes > patch->target->size ||
		patch->target->size - reloc->off_bytes < kind->width)
		return error_new("%s: damaged relocations of %s: offset 0x%" PRIx64
				 " is past its end; build the object again",
			patch->file->object->path, patch->target->name, reloc->off_bytes);
	if (!symbol_value(patch, reloc->symbol, &value))
		return error_new(
			"%s: damaged relocations of %s: no symbol %zu; build the object again",
			patch->file->object->path, patch->target->name, reloc->symbol);

	uint8_t *at = patch->target->data + reloc->off_bytes;
	bool big_endian = object->types.big_endian;
	uint64_t present = load(at, kind->width, big_endian);
	value += reloc->addend;
	switch ((enum reloc_action)kind->action) {
	case RELOC_NONE:
		break;
	case RELOC_SET:
		store(at, kind->width, big_endian, patch->has_addends ? value : value + present);
		break;
	case RELOC_PLACE:
		value -= patch->target->base + reloc->off_bytes;
		store(at, kind->width, big_endian, patch->has_addends ? value : value + present);
		break;
	case RELOC_ADD:
		store(at, kind->width, big_endian, present + value);
		break;
	case RELOC_SUB:
		store(at, kind->width, big_endian, present - value);
		break;
	case RELOC_LEB_SET:
	case RELOC_LEB_ADD:
	case RELOC_LEB_SUB:
		store_leb(at, patch->target->size - reloc->off_bytes,
			(enum reloc_action)kind->action, value);
		break;
	}
	return NULL;
}

/* The extended section numbers that belong to a symbol table; NULL without. */
static Elf_Data *find_symbol_sections(const struct relocate_file *file, size_t symtab)
{
	for (size_t i = 1; i < file->section_count; i++) {
		Elf_Scn *section = elf_getscn(file->elf, i);
		GElf_Shdr header;
		if (section && gelf_getshdr(section, &header) &&
			header.sh_type == SHT_SYMTAB_SHNDX && header.sh_link == symtab)
			return elf_getdata(section, NULL);
	}
	return NULL;
}

struct error *relocate(
	const struct relocate_file *file, const struct relocate_target *target, size_t relocs)
{
	const char *path = file->object->path;
	Elf_Scn *section = elf_getscn(file->elf, relocs);
	GElf_Shdr header;
	struct patch patch = {.file = file, .target = target};
	if (!section || !gelf_getshdr(section, &header) ||
		!(patch.entries = elf_getdata(section, NULL)) || header.sh_entsize == 0)
		return error_new("%s: damaged relocations of %s (%s); build the object again", path,
			target->name, elf_errmsg(-1));
	patch.has_addends = header.sh_type == SHT_RELA;
	patch.symbols = elf_getdata(elf_getscn(file->elf, header.sh_link), NULL);
	if (!patch.symbols)
		return error_new(
			"%s: relocations of %s have no symbol table; build the object again", path,
			target->name);
	if (file->section_count >= SHN_LORESERVE)
		patch.symbol_sections = find_symbol_sections(file, header.sh_link);

	uint64_t count = header.sh_size / header.sh_entsize;
	if (count > INT32_MAX)
		return error_new(
			"%s: %s has more than 2 billion relocations; link the object and use the "
			"result",
			path, target->name);
	for (int i = 0; i < (int)count; i++) {
		struct reloc reloc;
		if (!get_reloc(&patch, i, &reloc))
			return error_new(
				"%s: damaged relocations of %s (%s); build the object again", path,
				target->name, elf_errmsg(-1));
		struct error *error = apply_reloc(&patch, &reloc);
		if (error)
			return error;
	}
	return NULL;
}
