#include "read/object.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

/* Not in the elf.h of every C library that we build with. */
enum { MACHINE_RISCV = 243, MACHINE_BPF = 247, MACHINE_LOONGARCH = 258, COMPRESS_ZSTD = 2 };

struct object_handle {
	Elf *elf;             /* owns the mapping */
	const uint8_t *image; /* the whole file */
	size_t image_bytes;
	uint8_t *copies
		[OBJECT_SECTION_COUNT]; /* sections that were put together or relocated; owned */
	bool is_split;                  /* has .debug_info.dwo */
	bool has_symbols;               /* has .symtab */
};

static const char *const section_names[OBJECT_SECTION_COUNT] = {
	[OBJECT_DEBUG_INFO] = ".debug_info",
	[OBJECT_DEBUG_ABBREV] = ".debug_abbrev",
	[OBJECT_DEBUG_STR] = ".debug_str",
	[OBJECT_DEBUG_LINE] = ".debug_line",
	[OBJECT_DEBUG_LINE_STR] = ".debug_line_str",
	[OBJECT_DEBUG_STR_OFFSETS] = ".debug_str_offsets",
	[OBJECT_DEBUG_ADDR] = ".debug_addr",
	[OBJECT_DEBUG_RANGES] = ".debug_ranges",
	[OBJECT_DEBUG_RNGLISTS] = ".debug_rnglists",
	[OBJECT_DEBUG_LOC] = ".debug_loc",
	[OBJECT_DEBUG_LOCLISTS] = ".debug_loclists",
	[OBJECT_DEBUG_TYPES] = ".debug_types",
	[OBJECT_DEBUG_ARANGES] = ".debug_aranges",
};

/* Nobody reads these to learn a type; they are not worth unpacking or relocating. */
static bool section_is_idle(int id)
{
	return id == OBJECT_DEBUG_LOC || id == OBJECT_DEBUG_LOCLISTS || id == OBJECT_DEBUG_ARANGES;
}

/* ---- machines ---- */

struct machine {
	uint16_t elf_machine;
	const char *name32, *name64;
	uint32_t line_bytes;
	uint32_t scalar_align32, scalar_align64;
};

static const struct machine machines[] = {
	{EM_X86_64, "x32", "x86-64", 64, 16, 16},
	{EM_386, "i386", "i386", 64, 4, 4},
	{EM_AARCH64, "arm64", "arm64", 64, 16, 16},
	{EM_ARM, "arm", "arm", 64, 8, 8},
	{MACHINE_RISCV, "riscv32", "riscv64", 64, 16, 16},
	{EM_PPC64, "ppc64", "ppc64", 128, 16, 16},
	{EM_PPC, "ppc", "ppc", 64, 16, 16},
	{EM_S390, "s390", "s390x", 256, 8, 8},
	{EM_MIPS, "mips", "mips", 32, 8, 16},
	{EM_SPARC, "sparc", "sparc", 64, 8, 8},
	{EM_SPARCV9, "sparc64", "sparc64", 64, 16, 16},
	{EM_68K, "m68k", "m68k", 64, 2, 2},
	{MACHINE_LOONGARCH, "loongarch32", "loongarch64", 64, 16, 16},
	{MACHINE_BPF, "bpf", "bpf", 64, 16, 16},
};

static void describe_machine(struct arena *arena, const GElf_Ehdr *header, struct object *object)
{
	bool wide = header->e_ident[EI_CLASS] == ELFCLASS64;
	object->elf_machine = header->e_machine;
	object->is_64bit = wide;
	object->is_relocatable = header->e_type == ET_REL;
	object->types.big_endian = header->e_ident[EI_DATA] == ELFDATA2MSB;
	object->types.pointer_bytes = wide ? 8 : 4;
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		const struct machine *machine = &machines[i];
		if (machine->elf_machine != header->e_machine)
			continue;
		object->machine = wide ? machine->name64 : machine->name32;
		object->line_bytes = machine->line_bytes;
		object->types.scalar_align_max =
			wide ? machine->scalar_align64 : machine->scalar_align32;
		return;
	}
	object->machine = arena_printf(arena, "EM_%u", (unsigned)header->e_machine);
	object->line_bytes = 64;
	object->types.scalar_align_max = wide ? 16 : 8;
}

/* ---- files that are something else ---- */

struct magic {
	size_t off_bytes;
	const char *bytes;
	size_t length;
	const char *what;
	const char *advice;
};

#define VMLINUX_ADVICE                                                                             \
	"use the vmlinux that it was made from (the linux-image-*-dbg or kernel-debuginfo "        \
	"package has it)"

static const struct magic magics[] = {
	{0x202, "HdrS", 4, "a compressed kernel image (bzImage), not an ELF file", VMLINUX_ADVICE},
	{0x38, "ARM\x64", 4, "a kernel boot image, not an ELF file", VMLINUX_ADVICE},
	{0x24, "\x18\x28\x6f\x01", 4, "a compressed kernel image (zImage), not an ELF file",
		VMLINUX_ADVICE},
	{0, "!<arch>\ndebian-binary", 21, "a Debian package, not an ELF file",
		"unpack it with dpkg-deb -x and use a file in it"},
	{0, "!<arch>\n", 8, "an archive of objects (ar), not an ELF file",
		"unpack it with ar x and use the objects in it"},
	{0, "!<thin>\n", 8, "a thin archive of objects (ar), not an ELF file",
		"use the objects that ar t lists"},
	{0, "\xed\xab\xee\xdb", 4, "an RPM package, not an ELF file",
		"unpack it with rpm2cpio and use a file in it"},
	{0, "\x1f\x8b", 2, "compressed with gzip", "unpack it with gunzip first"},
	{0,
		"\xfd"
		"7zXZ",
		5, "compressed with xz", "unpack it with unxz first"},
	{0, "\x28\xb5\x2f\xfd", 4, "compressed with zstd", "unpack it with unzstd first"},
	{0, "BZh", 3, "compressed with bzip2", "unpack it with bunzip2 first"},
	{0, "\x04\x22\x4d\x18", 4, "compressed with lz4", "unpack it with unlz4 first"},
	{0, "\x02\x21\x4c\x18", 4, "compressed with lz4", "unpack it with unlz4 first"},
	{0, "\x89LZO", 4, "compressed with lzop", "unpack it with lzop -d first"},
	{0, "\x9f\xeb\x01", 3, "raw BTF, not an ELF file",
		"use a binary with DWARF (built with -g; for a kernel, the vmlinux of its debug "
		"package)"},
	{0, "\xeb\x9f\x01", 3, "raw BTF, not an ELF file",
		"use a binary with DWARF (built with -g; for a kernel, the vmlinux of its debug "
		"package)"},
	{0, "MZ", 2, "a Windows or EFI program, not an ELF file",
		"use an ELF binary with DWARF; for an EFI kernel image, its vmlinux"},
	{0, "\xcf\xfa\xed\xfe", 4, "a Mach-O file, not an ELF file",
		"build for Linux, or with --target=x86_64-linux-gnu -c"},
	{0, "BC\xc0\xde", 4, "LLVM bitcode (an object built with -flto), not an ELF file",
		"build without -flto, or use the linked program"},
	{0, "#!", 2, "a script, not an ELF file", "use the program that it runs"},
};

static bool looks_like_text(const uint8_t *head, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (head[i] < 0x20 && !strchr("\t\n\v\f\r\033", head[i]))
			return false;
	return memchr(head, 0, length) == NULL;
}

/* NULL when the first bytes are those of an ELF file that we can read. */
static struct error *check_magic(const char *path, const uint8_t *head, size_t length)
{
	if (length >= SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0) {
		if (length < sizeof(Elf32_Ehdr))
			return error_new("%s: truncated: only %zu bytes of an ELF header; copy or "
					 "build it again",
				path, length);
		if ((head[EI_CLASS] != ELFCLASS32 && head[EI_CLASS] != ELFCLASS64) ||
			(head[EI_DATA] != ELFDATA2LSB && head[EI_DATA] != ELFDATA2MSB) ||
			head[EI_VERSION] != EV_CURRENT)
			return error_new("%s: damaged ELF header (class %u, data %u, version %u); "
					 "copy or build it again",
				path, head[EI_CLASS], head[EI_DATA], head[EI_VERSION]);
		return NULL;
	}
	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++) {
		const struct magic *magic = &magics[i];
		if (magic->off_bytes + magic->length <= length &&
			memcmp(head + magic->off_bytes, magic->bytes, magic->length) == 0)
			return error_new("%s: is %s; %s", path, magic->what, magic->advice);
	}
	return error_new(
		"%s: is %snot an ELF file; use a binary with debug information (built with -g)",
		path, looks_like_text(head, length) ? "text, " : "");
}

/* ---- mapping ---- */

static struct error *check_kind(const char *path, const struct stat *status)
{
	if (S_ISDIR(status->st_mode))
		return error_new("%s: is a directory; use a binary in it", path);
	if (!S_ISREG(status->st_mode))
		return error_new("%s: is not a regular file; copy it to one first", path);
	if (status->st_size == 0)
		return error_new(
			"%s: is empty; use a binary with debug information (built with -g)", path);
	return NULL;
}

static struct error *map_fd(const char *path, int fd, struct object_handle *handle)
{
	struct stat status;
	if (fstat(fd, &status) != 0)
		return error_new(
			"%s: cannot read: %s; check the file system", path, strerror(errno));
	struct error *error = check_kind(path, &status);
	if (error)
		return error;

	uint8_t head[1024];
	ssize_t length = pread(fd, head, sizeof(head), 0);
	if (length < 0)
		return error_new(
			"%s: cannot read: %s; check the file system", path, strerror(errno));
	error = check_magic(path, head, (size_t)length);
	if (error)
		return error;

	elf_version(EV_CURRENT);
	handle->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	handle->image = (const uint8_t *)elf_rawfile(handle->elf, &handle->image_bytes);
	if (!handle->image || elf_kind(handle->elf) != ELF_K_ELF)
		return error_new("%s: truncated or damaged ELF file (%s); copy or build it again",
			path, elf_errmsg(-1));
	elf_cntl(handle->elf, ELF_C_FDDONE);
	return NULL;
}

static struct error *map_file(const char *path, struct object_handle *handle)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		const char *advice = errno == ENOENT ? "check the path"
				     : errno == EACCES
					     ? "ask for read permission or copy it with sudo"
					     : "check the path and the file system";
		return error_new("%s: cannot open: %s; %s", path, strerror(errno), advice);
	}
	struct error *error = map_fd(path, fd, handle);
	close(fd);
	return error;
}

/* ---- section table ---- */

/* A debug section of the file. Relocatable objects have several of one name (type units in COMDAT groups). */
struct part {
	Elf_Scn *section;
	GElf_Shdr header;
	int id;
	bool is_packed;     /* SHF_COMPRESSED */
	bool is_packed_gnu; /* .zdebug_*: "ZLIB" and a big-endian size before the data */
};

struct loader {
	const char *path;
	struct object *object;
	Elf *elf;
	struct part *parts; /* in file order; owned */
	size_t part_count, part_capacity;
	size_t section_count;
	uint64_t *bases; /* by section index: where its bytes went in their object_section; owned */
	size_t *relocs;  /* by section index: the section with its relocations, 0 without; owned */
};

/* "debug_info" of .debug_info and .zdebug_info, or -1. */
static int section_id(const char *name)
{
	if (strncmp(name, ".zdebug_", 8) == 0)
		name += 2;
	else if (strncmp(name, ".debug_", 7) == 0)
		name += 1;
	else
		return -1;
	for (int i = 0; i < OBJECT_SECTION_COUNT; i++)
		if (strcmp(section_names[i] + 1, name) == 0)
			return i;
	return -1;
}

static struct error *truncated(const char *path, const char *what, uint64_t end, uint64_t have)
{
	return error_new("%s: truncated: %s end at byte %" PRIu64 " of %" PRIu64
			 "; copy or build it again",
		path, what, end, have);
}

/* The table itself, before libelf is asked for it: libelf says "no sections" to a table past the end. */
static struct error *check_table(
	const struct loader *loader, const GElf_Ehdr *header, uint64_t file_bytes)
{
	uint64_t entry_bytes =
		header->e_ident[EI_CLASS] == ELFCLASS64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	if (header->e_shoff == 0)
		return NULL;
	uint64_t count = header->e_shnum ? header->e_shnum : 1;
	if (header->e_shoff > file_bytes || file_bytes - header->e_shoff < count * entry_bytes)
		return truncated(loader->path, "its section headers",
			header->e_shoff + count * entry_bytes, file_bytes);
	if (header->e_shentsize != entry_bytes)
		return error_new("%s: damaged ELF header (section headers of %u bytes); copy or "
				 "build it again",
			loader->path, (unsigned)header->e_shentsize);
	return NULL;
}

static void note_section(
	struct loader *loader, Elf_Scn *section, const GElf_Shdr *header, const char *name)
{
	struct object_handle *handle = loader->object->handle;
	if (strcmp(name, ".BTF") == 0)
		loader->object->has_btf = true;
	else if (strcmp(name, ".symtab") == 0)
		handle->has_symbols = true;
	else if (strcmp(name, ".debug_info.dwo") == 0)
		handle->is_split = true;

	int id = section_id(name);
	if (id < 0)
		return;
	loader->parts = mem_grow(
		loader->parts, &loader->part_capacity, loader->part_count + 1, sizeof(struct part));
	loader->parts[loader->part_count++] = (struct part){
		.section = section,
		.header = *header,
		.id = id,
		.is_packed = header->sh_flags & SHF_COMPRESSED,
		.is_packed_gnu = name[1] == 'z',
	};
}

/* Finds the sections that matter; none may reach past the end of the file. */
static struct error *scan_sections(struct loader *loader)
{
	const struct object_handle *handle = loader->object->handle;
	size_t names;
	if (elf_getshdrnum(loader->elf, &loader->section_count) != 0)
		return error_new("%s: damaged section headers (%s); copy or build it again",
			loader->path, elf_errmsg(-1));
	bool has_names = elf_getshdrstrndx(loader->elf, &names) == 0;
	loader->bases = mem_new(loader->section_count, sizeof(*loader->bases));
	loader->relocs = mem_new(loader->section_count, sizeof(*loader->relocs));

	for (size_t i = 1; i < loader->section_count; i++) {
		Elf_Scn *section = elf_getscn(loader->elf, i);
		GElf_Shdr header;
		if (!section || !gelf_getshdr(section, &header))
			return error_new(
				"%s: damaged header of section %zu (%s); copy or build it again",
				loader->path, i, elf_errmsg(-1));
		const char *name =
			has_names ? elf_strptr(loader->elf, names, header.sh_name) : NULL;
		if (header.sh_type == SHT_NOBITS || header.sh_type == SHT_NULL ||
			header.sh_size == 0)
			continue;
		if (header.sh_offset > handle->image_bytes ||
			header.sh_size > handle->image_bytes - header.sh_offset)
			return error_new(
				"%s: truncated: section %s reaches past the end of the file"
				" (%zu bytes); copy or build it again",
				loader->path, name && *name ? name : "without a name",
				handle->image_bytes);
		if ((header.sh_type == SHT_RELA || header.sh_type == SHT_REL) &&
			header.sh_info < loader->section_count)
			loader->relocs[header.sh_info] = i;
		if (name)
			note_section(loader, section, &header, name);
	}
	return NULL;
}

/* ---- relocations ---- */

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

/* Those that assemblers write into debug sections: absolute, section-relative, TLS offsets and label differences. */
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
	const struct loader *loader;
	const char *name; /* of the section */
	uint8_t *data;    /* of the part */
	uint64_t size;
	uint64_t base; /* of the part in its object_section */
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

/* Adds to the LEB128 at `data` (or replaces it) without changing its length: labels behind it must not move. */
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
		split_info(patch->loader->object, rela.r_info, reloc);
	} else {
		if (!gelf_getrel(patch->entries, index, &rel))
			return false;
		reloc->off_bytes = rel.r_offset;
		reloc->addend = 0;
		split_info(patch->loader->object, rel.r_info, reloc);
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
	if (!is_reserved && section < patch->loader->section_count)
		*value += patch->loader->bases[section];
	return true;
}

static struct error *unknown_reloc(const struct patch *patch, const struct reloc *reloc)
{
	return error_new("%s: %s has a relocation of unknown type %" PRIu32
			 " for %s at offset 0x%" PRIx64 "; link the object and use the result",
		patch->loader->path, patch->name, reloc->type, patch->loader->object->machine,
		reloc->off_bytes);
}

static struct error *apply_reloc(struct patch *patch, const struct reloc *reloc)
{
	const struct object *object = patch->loader->object;
	const struct reloc_kind *kind = patch->last_kind;
	if (!kind || kind->type != reloc->type)
		kind = find_reloc_kind(object->elf_machine, reloc->type);
	if (!kind)
		return unknown_reloc(patch, reloc);
	patch->last_kind = kind;
	if (kind->action == RELOC_NONE)
		return NULL;

	uint64_t value;
	if (reloc->off_bytes > patch->size || patch->size - reloc->off_bytes < kind->width)
		return error_new("%s: damaged relocations of %s: offset 0x%" PRIx64
				 " is past its end; build the object again",
			patch->loader->path, patch->name, reloc->off_bytes);
	if (!symbol_value(patch, reloc->symbol, &value))
		return error_new(
			"%s: damaged relocations of %s: no symbol %zu; build the object again",
			patch->loader->path, patch->name, reloc->symbol);

	uint8_t *at = patch->data + reloc->off_bytes;
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
		value -= patch->base + reloc->off_bytes;
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
		store_leb(
			at, patch->size - reloc->off_bytes, (enum reloc_action)kind->action, value);
		break;
	}
	return NULL;
}

/* The extended section numbers that belong to a symbol table; NULL without. */
static Elf_Data *find_symbol_sections(const struct loader *loader, size_t symtab)
{
	for (size_t i = 1; i < loader->section_count; i++) {
		Elf_Scn *section = elf_getscn(loader->elf, i);
		GElf_Shdr header;
		if (section && gelf_getshdr(section, &header) &&
			header.sh_type == SHT_SYMTAB_SHNDX && header.sh_link == symtab)
			return elf_getdata(section, NULL);
	}
	return NULL;
}

static struct error *relocate(
	const struct loader *loader, const struct part *part, uint8_t *data, uint64_t size)
{
	size_t index = elf_ndxscn(part->section);
	Elf_Scn *section = elf_getscn(loader->elf, loader->relocs[index]);
	GElf_Shdr header;
	struct patch patch = {
		.loader = loader,
		.name = section_names[part->id],
		.data = data,
		.size = size,
		.base = loader->bases[index],
	};
	if (!section || !gelf_getshdr(section, &header) ||
		!(patch.entries = elf_getdata(section, NULL)) || header.sh_entsize == 0)
		return error_new("%s: damaged relocations of %s (%s); build the object again",
			loader->path, patch.name, elf_errmsg(-1));
	patch.has_addends = header.sh_type == SHT_RELA;
	patch.symbols = elf_getdata(elf_getscn(loader->elf, header.sh_link), NULL);
	if (!patch.symbols)
		return error_new(
			"%s: relocations of %s have no symbol table; build the object again",
			loader->path, patch.name);
	if (loader->section_count >= SHN_LORESERVE)
		patch.symbol_sections = find_symbol_sections(loader, header.sh_link);

	uint64_t count = header.sh_size / header.sh_entsize;
	if (count > INT32_MAX)
		return error_new("%s: %s has more than 2 billion relocations; link the object and "
				 "use the result",
			loader->path, patch.name);
	for (int i = 0; i < (int)count; i++) {
		struct reloc reloc;
		if (!get_reloc(&patch, i, &reloc))
			return error_new(
				"%s: damaged relocations of %s (%s); build the object again",
				loader->path, patch.name, elf_errmsg(-1));
		struct error *error = apply_reloc(&patch, &reloc);
		if (error)
			return error;
	}
	return NULL;
}

/* ---- contents ---- */

static struct error *cannot_unpack(
	const struct loader *loader, const struct part *part, bool is_zstd)
{
	return error_new("%s: %s is compressed%s and cannot be unpacked here (%s); run objcopy "
			 "--decompress-debug-sections IN OUT and use OUT",
		loader->path, section_names[part->id], is_zstd ? " with zstd" : "", elf_errmsg(-1));
}

/* The bytes of one section of the file, unpacked: a view of the mapping or of libelf's memory. */
static struct error *part_bytes(
	const struct loader *loader, const struct part *part, const uint8_t **bytes, uint64_t *size)
{
	const struct object_handle *handle = loader->object->handle;
	if (part->is_packed) {
		GElf_Chdr packed;
		if (!gelf_getchdr(part->section, &packed))
			return cannot_unpack(loader, part, false);
		if (elf_compress(part->section, 0, 0) < 0)
			return cannot_unpack(loader, part, packed.ch_type == COMPRESS_ZSTD);
	} else if (part->is_packed_gnu) {
		if (elf_compress_gnu(part->section, 0, 0) < 0)
			return cannot_unpack(loader, part, false);
	} else {
		*bytes = handle->image + part->header.sh_offset;
		*size = part->header.sh_size;
		return NULL;
	}
	Elf_Data *data = elf_getdata(part->section, NULL);
	if (!data)
		return cannot_unpack(loader, part, false);
	*bytes = data->d_buf;
	*size = data->d_size;
	return NULL;
}

static bool part_is_relocated(const struct loader *loader, const struct part *part)
{
	return loader->object->is_relocatable && loader->relocs[elf_ndxscn(part->section)] != 0;
}

/* A section that is one piece of final bytes is a view; anything else is put together in memory of our own. */
static bool needs_copy(const struct loader *loader, int id)
{
	size_t count = 0;
	for (size_t i = 0; i < loader->part_count; i++) {
		if (loader->parts[i].id != id)
			continue;
		if (++count > 1 || part_is_relocated(loader, &loader->parts[i]))
			return true;
	}
	return false;
}

static bool is_packed(const struct loader *loader, int id)
{
	for (size_t i = 0; i < loader->part_count; i++)
		if (loader->parts[i].id == id &&
			(loader->parts[i].is_packed || loader->parts[i].is_packed_gnu))
			return true;
	return false;
}

static struct error *copy_parts(struct loader *loader, int id)
{
	struct object *object = loader->object;
	struct object_section *target = &object->sections[id];
	size_t capacity = 0;
	uint8_t *copy = NULL;
	for (size_t i = 0; i < loader->part_count; i++) {
		const struct part *part = &loader->parts[i];
		const uint8_t *bytes;
		uint64_t size;
		if (part->id != id)
			continue;
		struct error *error = part_bytes(loader, part, &bytes, &size);
		if (error)
			return error;
		loader->bases[elf_ndxscn(part->section)] = target->size;
		copy = mem_grow(copy, &capacity, target->size + size, 1);
		object->handle->copies[id] = copy;
		memcpy(copy + target->size, bytes, size);
		target->size += size;
	}
	target->data = copy;
	return NULL;
}

static struct error *load_section(struct loader *loader, int id)
{
	struct object_section *target = &loader->object->sections[id];
	if (section_is_idle(id) && (needs_copy(loader, id) || is_packed(loader, id)))
		return NULL;
	if (needs_copy(loader, id))
		return copy_parts(loader, id);
	for (size_t i = 0; i < loader->part_count; i++)
		if (loader->parts[i].id == id)
			return part_bytes(loader, &loader->parts[i], &target->data, &target->size);
	return NULL;
}

/* After all sections are in place: a relocation of one counts from where another ended up. */
static struct error *relocate_sections(struct loader *loader)
{
	struct object *object = loader->object;
	for (size_t i = 0; i < loader->part_count; i++) {
		const struct part *part = &loader->parts[i];
		uint8_t *copy = object->handle->copies[part->id];
		if (!copy || !part_is_relocated(loader, part))
			continue;
		uint64_t base = loader->bases[elf_ndxscn(part->section)];
		Elf_Data *unpacked = NULL;
		if (part->is_packed || part->is_packed_gnu)
			unpacked = elf_getdata(part->section, NULL);
		uint64_t size = unpacked ? unpacked->d_size : part->header.sh_size;
		struct error *error = relocate(loader, part, copy + base, size);
		if (error)
			return error;
	}
	return NULL;
}

static struct error *load_sections(struct loader *loader)
{
	struct error *error = NULL;
	for (int id = 0; id < OBJECT_SECTION_COUNT && !error; id++) {
		loader->object->sections[id].name = section_names[id];
		error = load_section(loader, id);
	}
	return error ? error : relocate_sections(loader);
}

/* ---- build-id ---- */

static const char *build_id_of(struct arena *arena, Elf_Data *notes)
{
	GElf_Nhdr note;
	size_t name_off, desc_off, next;
	for (size_t off = 0; (next = gelf_getnote(notes, off, &note, &name_off, &desc_off)) > off;
		off = next) {
		const uint8_t *data = notes->d_buf;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof("GNU") ||
			note.n_descsz == 0 || note.n_descsz > 64 ||
			memcmp(data + name_off, "GNU", sizeof("GNU")) != 0)
			continue;
		char *text = arena_new(arena, 2 * note.n_descsz + 1, 1);
		for (size_t i = 0; i < note.n_descsz; i++) {
			text[2 * i] = "0123456789abcdef"[data[desc_off + i] >> 4];
			text[2 * i + 1] = "0123456789abcdef"[data[desc_off + i] & 15];
		}
		return text;
	}
	return NULL;
}

static void find_build_id(struct arena *arena, const struct loader *loader)
{
	for (size_t i = 1; i < loader->section_count && !loader->object->build_id; i++) {
		Elf_Scn *section = elf_getscn(loader->elf, i);
		GElf_Shdr header;
		if (!section || !gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE)
			continue;
		Elf_Data *notes = elf_getdata(section, NULL);
		if (notes)
			loader->object->build_id = build_id_of(arena, notes);
	}
}

/* ---- the whole ---- */

static struct error *check_type(const char *path, const GElf_Ehdr *header)
{
	if (header->e_type == ET_CORE)
		return error_new("%s: is a core dump, which has no debug information; use the "
				 "program that dumped it",
			path);
	if (header->e_type != ET_REL && header->e_type != ET_EXEC && header->e_type != ET_DYN)
		return error_new("%s: is an ELF file of unknown type %u; use an executable, a "
				 "library or an object",
			path, (unsigned)header->e_type);
	return NULL;
}

static struct error *load_elf(struct arena *arena, struct loader *loader)
{
	struct object_handle *handle = loader->object->handle;
	GElf_Ehdr header;
	if (!gelf_getehdr(handle->elf, &header))
		return error_new("%s: truncated or damaged ELF file (%s); copy or build it again",
			loader->path, elf_errmsg(-1));
	loader->elf = handle->elf;

	struct error *error = check_type(loader->path, &header);
	if (!error)
		error = check_table(loader, &header, handle->image_bytes);
	if (error)
		return error;
	describe_machine(arena, &header, loader->object);
	error = scan_sections(loader);
	if (!error)
		error = load_sections(loader);
	if (!error)
		find_build_id(arena, loader);
	return error;
}

struct error *object_open(struct arena *arena, const char *path, struct object *ret)
{
	struct object object = {
		.path = arena_strdup(arena, path),
		.handle = arena_new(arena, 1, sizeof(struct object_handle)),
	};
	struct loader loader = {.path = object.path, .object = &object};
	struct error *error = map_file(path, object.handle);
	if (!error)
		error = load_elf(arena, &loader);
	mem_free(loader.parts);
	mem_free(loader.bases);
	mem_free(loader.relocs);
	if (error) {
		object_close(&object);
		return error;
	}
	*ret = object;
	return NULL;
}

void object_close(struct object *object)
{
	struct object_handle *handle = object->handle;
	if (!handle)
		return;
	elf_end(handle->elf);
	for (int id = 0; id < OBJECT_SECTION_COUNT; id++)
		mem_free(handle->copies[id]);
	*handle = (struct object_handle){0};
	object->handle = NULL;
}

struct error *object_require_dwarf(const struct object *object)
{
	if (object->sections[OBJECT_DEBUG_INFO].data)
		return NULL;

	struct buf text;
	buf_init(&text);
	if (object->handle->is_split)
		buf_puts(&text, "only split debug information (.debug_info.dwo); use the program "
				"that was linked, "
				"or build without -gsplit-dwarf");
	else if (object->has_btf)
		buf_puts(&text, "no .debug_info section, only .BTF; use the file with DWARF (build "
				"with -g, or install "
				"the -dbg package)");
	else
		buf_printf(&text,
			"no debug information (no .debug_info section; %s); build with -g, or "
			"install the -dbg "
			"or -dbgsym package and use the debug file",
			object->handle->has_symbols ? "built without -g" : "stripped");
	if (object->build_id && strlen(object->build_id) > 2)
		buf_printf(&text, ", /usr/lib/debug/.build-id/%.2s/%s.debug", object->build_id,
			object->build_id + 2);
	struct error *error = error_new("%s: %s", object->path, text.data);
	buf_release(&text);
	return error;
}
