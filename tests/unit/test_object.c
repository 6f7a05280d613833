/* object: what is opened and how, what is refused and with which advice, and every kind of relocation by its bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>

#include "read/dwarf/entry.h"
#include "read/object.h"
#include "toolchain.h"

enum { MACHINE_RISCV = 243, MACHINE_BPF = 247, MACHINE_LOONGARCH = 258 };

static void must_open(struct arena *arena, const char *name, struct object *object)
{
	arena_init(arena);
	struct error *error = object_open(arena, tool_path(name), object);
	if (error)
		fprintf(stderr, "%s\n", error->message);
	assert_null(error);
}

static void close_all(struct arena *arena, struct object *object)
{
	object_close(object);
	arena_release(arena);
}

/* The file is refused in one line that names it and contains each of the words. */
static void must_refuse_path(const char *path, const char *what, const char *advice)
{
	struct arena arena;
	struct object object;
	arena_init(&arena);
	struct error *error = object_open(&arena, path, &object);
	assert_non_null(error);
	if (!strstr(error->message, what) || !strstr(error->message, advice))
		fprintf(stderr, "%s\nlacks '%s' or '%s'\n", error->message, what, advice);
	assert_non_null(strstr(error->message, what));
	assert_non_null(strstr(error->message, advice));
	assert_int_equal(strncmp(error->message, path, strlen(path)), 0);
	assert_null(strchr(error->message, '\n'));
	error_free(error);
	arena_release(&arena);
}

static void must_refuse(const char *name, const char *what, const char *advice)
{
	must_refuse_path(tool_path(name), what, advice);
}

/* ---- what is no ELF file ---- */

static void test_other_files(void **state)
{
	static const struct {
		size_t off;
		const char *bytes;
		size_t length;
		const char *what, *advice;
	} files[] = {
		{0x202, "HdrS", 4, "compressed kernel image (bzImage)", "vmlinux"},
		{0, "\x1f\x8b\x08", 3, "gzip", "gunzip"},
		{0, "\3757zXZ", 6, "xz", "unxz"},
		{0, "\x28\xb5\x2f\xfd", 4, "zstd", "unzstd"},
		{0, "!<arch>\nx", 9, "archive", "ar t"},
		{0, "!<arch>\ndebian-binary   ", 24, "Debian package", "dpkg-deb"},
		{0, "MZ\x90", 3, "EFI", "ELF"},
		{0, "#!/bin/sh\n", 10, "script", "program"},
		{0, "struct x;\n", 10, "text, not an ELF file", "-g"},
		{0, "\x01\x02\x03", 3, "not an ELF file", "-g"},
		{0, "\177ELF\x02\x01\x01", 7, "truncated", "again"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char bytes[2048] = {0};
		memcpy(bytes + files[i].off, files[i].bytes, files[i].length);
		bool is_whole = files[i].off == 0;
		tool_write("other", bytes, is_whole ? files[i].length : sizeof(bytes));
		must_refuse("other", files[i].what, files[i].advice);
	}
	char header[64] = "\177ELF\x07\x01\x01";
	tool_write("other", header, sizeof(header));
	must_refuse("other", "damaged ELF header", "again");
}

static void test_no_file(void **state)
{
	(void)state;
	must_refuse("missing", "No such file", "check the path");
	must_refuse_path(tool_dir, "directory", "binary in it");
	must_refuse_path("/dev/null", "not a regular file", "copy");
	tool_write("empty", "", 0);
	must_refuse("empty", "empty", "-g");
	tool_write("secret", "x", 1);
	chmod(tool_path("secret"), 0);
	if (access(tool_path("secret"), R_OK) != 0) /* root may read everything */
		must_refuse("secret", "Permission denied", "permission");
}

/* ---- ELF files made by hand ---- */

struct made {
	int class, data;
	uint16_t machine, type;
	bool has_addends;
	const uint8_t *bytes; /* of .debug_info */
	size_t size;
	uint64_t info; /* of each relocation, as the file stores it */
	uint64_t offset;
	int64_t addend;
	uint64_t value; /* of symbol 1 */
	uint16_t home;  /* its section */
};

static void add_section(Elf *elf, const char *names, const char *name, uint32_t type,
	const void *bytes, size_t size, Elf_Type data_type, uint32_t link, uint32_t info)
{
	Elf_Scn *section = elf_newscn(elf);
	Elf_Data *data = elf_newdata(section);
	GElf_Shdr header;
	const char *at = names + 1;
	while (strcmp(at, name) != 0)
		at += strlen(at) + 1;
	data->d_buf = (void *)(uintptr_t)bytes;
	data->d_size = size;
	data->d_align = 1;
	data->d_type = data_type;
	gelf_getshdr(section, &header);
	header.sh_name = (uint32_t)(at - names);
	header.sh_type = type;
	header.sh_link = link;
	header.sh_info = info;
	if (type == SHT_REL || type == SHT_RELA || type == SHT_SYMTAB)
		header.sh_entsize = gelf_fsize(elf, data_type, 1, EV_CURRENT);
	gelf_update_shdr(section, &header);
}

/* Sections: 1 .debug_info, 2 its relocations, 3 .symtab, 4 .shstrtab. */
static void make(const char *name, const struct made *made)
{
	static const char names[] = "\0.debug_info\0.relocs\0.symtab\0.shstrtab\0";
	int fd = open(tool_path(name), O_RDWR | O_CREAT | O_TRUNC, 0644);
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_WRITE, NULL);
	GElf_Ehdr header;
	assert_non_null(gelf_newehdr(elf, made->class));
	gelf_getehdr(elf, &header);
	header.e_ident[EI_DATA] = (unsigned char)made->data;
	header.e_machine = made->machine;
	header.e_type = made->type;
	header.e_version = EV_CURRENT;
	header.e_shstrndx = 4;
	gelf_update_ehdr(elf, &header);

	union {
		Elf32_Rel rel32;
		Elf32_Rela rela32;
		Elf64_Rel rel64;
		Elf64_Rela rela64;
	} reloc = {{0, 0}};
	bool wide = made->class == ELFCLASS64;
	if (wide)
		reloc.rela64 = (Elf64_Rela){made->offset, made->info, made->addend};
	else
		reloc.rela32 = (Elf32_Rela){
			(uint32_t)made->offset, (uint32_t)made->info, (int32_t)made->addend};
	size_t reloc_size = wide ? (made->has_addends ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel))
				 : (made->has_addends ? sizeof(Elf32_Rela) : sizeof(Elf32_Rel));
	Elf64_Sym symbols64[2] = {{0}, {.st_value = made->value, .st_shndx = made->home}};
	Elf32_Sym symbols32[2] = {{0}, {.st_value = (uint32_t)made->value, .st_shndx = made->home}};

	add_section(
		elf, names, ".debug_info", SHT_PROGBITS, made->bytes, made->size, ELF_T_BYTE, 0, 0);
	add_section(elf, names, ".relocs", made->has_addends ? SHT_RELA : SHT_REL, &reloc,
		reloc_size, made->has_addends ? ELF_T_RELA : ELF_T_REL, 3, 1);
	add_section(elf, names, ".symtab", SHT_SYMTAB, wide ? (void *)symbols64 : (void *)symbols32,
		wide ? sizeof(symbols64) : sizeof(symbols32), ELF_T_SYM, 0, 0);
	add_section(elf, names, ".shstrtab", SHT_STRTAB, names, sizeof(names), ELF_T_BYTE, 0, 0);
	assert_true(elf_update(elf, ELF_C_WRITE) > 0);
	elf_end(elf);
	close(fd);
}

/* What stands in a number of `width` bytes after one relocation with S = 0x1122334455667788 (or its lower half), A = 5. */
static const struct {
	uint16_t machine;
	int class, data;
	uint32_t type;
	unsigned width;
	uint64_t before, after;
} relocs[] = {
	{EM_X86_64, ELFCLASS64, ELFDATA2LSB, R_X86_64_64, 8, 0, 0x112233445566778d},
	{EM_X86_64, ELFCLASS64, ELFDATA2LSB, R_X86_64_32, 4, 0xffff, 0x5566778d},
	{EM_X86_64, ELFCLASS64, ELFDATA2LSB, R_X86_64_PC32, 4, 0, 0x55667789},
	{EM_X86_64, ELFCLASS64, ELFDATA2LSB, R_X86_64_DTPOFF64, 8, 0, 0x112233445566778d},
	{EM_X86_64, ELFCLASS64, ELFDATA2LSB, R_X86_64_NONE, 4, 0x77, 0x77},
	{EM_X86_64, ELFCLASS32, ELFDATA2LSB, R_X86_64_32, 4, 0, 0x5566778d},
	{EM_386, ELFCLASS32, ELFDATA2LSB, R_386_32, 4, 0x10, 0x55667798},
	{EM_386, ELFCLASS32, ELFDATA2LSB, R_386_TLS_LDO_32, 4, 1, 0x55667789},
	{EM_ARM, ELFCLASS32, ELFDATA2LSB, R_ARM_ABS32, 4, 0x10, 0x55667798},
	{EM_ARM, ELFCLASS32, ELFDATA2MSB, R_ARM_ABS32, 4, 0x10, 0x55667798},
	{EM_AARCH64, ELFCLASS64, ELFDATA2LSB, R_AARCH64_ABS64, 8, 0, 0x112233445566778d},
	{EM_AARCH64, ELFCLASS64, ELFDATA2MSB, R_AARCH64_ABS32, 4, 0, 0x5566778d},
	{MACHINE_RISCV, ELFCLASS64, ELFDATA2LSB, 2 /* 64 */, 8, 0, 0x112233445566778d},
	{MACHINE_RISCV, ELFCLASS64, ELFDATA2LSB, 35 /* ADD32 */, 4, 0x10, 0x5566779d},
	{MACHINE_RISCV, ELFCLASS64, ELFDATA2LSB, 39 /* SUB32 */, 4, 0x5566779d, 0x10},
	{MACHINE_RISCV, ELFCLASS64, ELFDATA2LSB, 34 /* ADD16 */, 2, 0x10, 0x779d},
	{MACHINE_RISCV, ELFCLASS64, ELFDATA2LSB, 37 /* SUB8 */, 1, 0x8e, 0x01},
	{MACHINE_RISCV, ELFCLASS64, ELFDATA2LSB, 51 /* RELAX */, 4, 0x12, 0x12},
	{MACHINE_RISCV, ELFCLASS64, ELFDATA2LSB, 60 /* SET_ULEB128 */, 2,
		0x0080 /* 0 in two bytes */, 0x6f8d},
	{MACHINE_RISCV, ELFCLASS64, ELFDATA2LSB, 61 /* SUB_ULEB128 */, 2, 0x6f8e, 0x0081},
	{EM_PPC64, ELFCLASS64, ELFDATA2MSB, R_PPC64_ADDR64, 8, 0, 0x112233445566778d},
	{EM_PPC64, ELFCLASS64, ELFDATA2LSB, R_PPC64_ADDR32, 4, 0, 0x5566778d},
	{EM_PPC, ELFCLASS32, ELFDATA2MSB, R_PPC_ADDR32, 4, 0, 0x5566778d},
	{EM_S390, ELFCLASS64, ELFDATA2MSB, R_390_64, 8, 0, 0x112233445566778d},
	{EM_S390, ELFCLASS64, ELFDATA2MSB, R_390_32, 4, 0, 0x5566778d},
	{EM_MIPS, ELFCLASS32, ELFDATA2MSB, R_MIPS_32, 4, 0x10, 0x55667798},
	{EM_MIPS, ELFCLASS64, ELFDATA2MSB, R_MIPS_64, 8, 0, 0x112233445566778d},
	{EM_MIPS, ELFCLASS64, ELFDATA2LSB, R_MIPS_32, 4, 0, 0x5566778d},
	{MACHINE_LOONGARCH, ELFCLASS64, ELFDATA2LSB, 50 /* ADD32 */, 4, 0x10, 0x5566779d},
	{MACHINE_BPF, ELFCLASS64, ELFDATA2LSB, 3 /* ABS32 */, 4, 0x10, 0x55667798},
};

static bool stores_addends(uint16_t machine, int class)
{
	return !(machine == EM_386 || machine == EM_ARM || machine == MACHINE_BPF ||
		 (machine == EM_MIPS && class == ELFCLASS32));
}

static uint64_t number(const uint8_t *bytes, unsigned width, bool big_endian)
{
	uint64_t value = 0;
	for (unsigned i = 0; i < width; i++)
		value |= (uint64_t)bytes[big_endian ? width - 1 - i : i] << 8 * i;
	return value;
}

static uint64_t reloc_info(uint16_t machine, int class, int data, uint32_t type)
{
	if (class == ELFCLASS32)
		return ELF32_R_INFO(1, type);
	if (machine == EM_MIPS && data == ELFDATA2LSB)
		return (uint64_t)type << 56 | 1;
	return ELF64_R_INFO(1ull, type);
}

static void test_relocations(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(relocs) / sizeof(relocs[0]); i++) {
		enum { AT = 4 };
		uint8_t bytes[24];
		bool big_endian = relocs[i].data == ELFDATA2MSB;
		memset(bytes, 0xaa, sizeof(bytes));
		for (unsigned k = 0; k < relocs[i].width; k++)
			bytes[AT + k] = (uint8_t)(relocs[i].before >>
						  8 * (big_endian ? relocs[i].width - 1 - k : k));
		struct made made = {
			.class = relocs[i].class,
			.data = relocs[i].data,
			.machine = relocs[i].machine,
			.type = ET_REL,
			.has_addends = stores_addends(relocs[i].machine, relocs[i].class),
			.bytes = bytes,
			.size = sizeof(bytes),
			.info = reloc_info(
				relocs[i].machine, relocs[i].class, relocs[i].data, relocs[i].type),
			.offset = AT,
			.addend = 5,
			.value = 0x1122334455667788,
			.home = SHN_ABS,
		};
		struct arena arena;
		struct object object;
		make("made.o", &made);
		must_open(&arena, "made.o", &object);
		const uint8_t *got = object.sections[OBJECT_DEBUG_INFO].data;
		assert_int_equal(object.sections[OBJECT_DEBUG_INFO].size, sizeof(bytes));
		if (number(got + AT, relocs[i].width, big_endian) != relocs[i].after)
			fprintf(stderr, "machine %u type %u\n", relocs[i].machine, relocs[i].type);
		assert_int_equal(number(got + AT, relocs[i].width, big_endian), relocs[i].after);
		for (size_t k = 0; k < sizeof(bytes); k++)
			if (k < AT || k >= AT + relocs[i].width)
				assert_int_equal(got[k], 0xaa);
		close_all(&arena, &object);
	}
}

static struct made plain_made(const uint8_t *bytes, size_t size)
{
	return (struct made){
		.class = ELFCLASS64,
		.data = ELFDATA2LSB,
		.machine = EM_X86_64,
		.type = ET_REL,
		.has_addends = true,
		.bytes = bytes,
		.size = size,
		.info = ELF64_R_INFO(1ull, R_X86_64_64),
		.value = 7,
		.home = SHN_ABS,
	};
}

static void test_bad_relocations(void **state)
{
	uint8_t bytes[16] = {0};
	struct made made = plain_made(bytes, sizeof(bytes));
	(void)state;
	made.info = ELF64_R_INFO(1ull, 99);
	made.offset = 0xc;
	make("made.o", &made);
	must_refuse("made.o", "unknown type 99 for x86-64 at offset 0xc", "link the object");

	made = plain_made(bytes, sizeof(bytes));
	made.offset = 9;
	make("made.o", &made);
	must_refuse("made.o", "past its end", "again");
	made.offset = UINT64_MAX - 3;
	make("made.o", &made);
	must_refuse("made.o", "past its end", "again");

	made = plain_made(bytes, sizeof(bytes));
	made.info = ELF64_R_INFO(77ull, R_X86_64_64);
	make("made.o", &made);
	must_refuse("made.o", "no symbol 77", "again");

	made = plain_made(bytes, sizeof(bytes));
	made.machine = 0x1234;
	make("made.o", &made);
	must_refuse("made.o", "EM_4660", "link the object");
}

/* Applied already, and perhaps hundreds of megabytes: left alone, whatever they are. */
static void test_linked_relocations(void **state)
{
	uint8_t bytes[16] = {1, 2, 3};
	struct made made = plain_made(bytes, sizeof(bytes));
	struct arena arena;
	struct object object;
	(void)state;
	made.info = ELF64_R_INFO(1ull, 99);
	made.type = ET_EXEC;
	make("made", &made);
	must_open(&arena, "made", &object);
	assert_memory_equal(object.sections[OBJECT_DEBUG_INFO].data, bytes, sizeof(bytes));
	assert_false(object.is_relocatable);
	close_all(&arena, &object);
}

static void test_types(void **state)
{
	uint8_t bytes[16] = {0};
	struct made made = plain_made(bytes, sizeof(bytes));
	(void)state;
	made.type = ET_CORE;
	make("made", &made);
	must_refuse("made", "core dump", "the program that dumped it");
	made.type = 0xfe00;
	make("made", &made);
	must_refuse("made", "unknown type", "executable");
}

static void test_machines(void **state)
{
	static const struct {
		uint16_t machine;
		int class, data;
		const char *name;
		uint64_t line;
		uint32_t pointer, scalar;
	} machines[] = {
		{EM_X86_64, ELFCLASS64, ELFDATA2LSB, "x86-64", 64, 8, 16},
		{EM_386, ELFCLASS32, ELFDATA2LSB, "i386", 64, 4, 4},
		{EM_AARCH64, ELFCLASS64, ELFDATA2LSB, "arm64", 64, 8, 16},
		{EM_ARM, ELFCLASS32, ELFDATA2LSB, "arm", 64, 4, 8},
		{MACHINE_RISCV, ELFCLASS64, ELFDATA2LSB, "riscv64", 64, 8, 16},
		{EM_PPC64, ELFCLASS64, ELFDATA2MSB, "ppc64", 128, 8, 16},
		{EM_S390, ELFCLASS64, ELFDATA2MSB, "s390x", 256, 8, 8},
		{EM_MIPS, ELFCLASS32, ELFDATA2MSB, "mips", 32, 4, 8},
		{EM_MIPS, ELFCLASS64, ELFDATA2LSB, "mips", 32, 8, 16},
		{0x1234, ELFCLASS64, ELFDATA2LSB, "EM_4660", 64, 8, 16},
	};
	uint8_t bytes[16] = {0};
	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		struct made made = plain_made(bytes, sizeof(bytes));
		struct arena arena;
		struct object object;
		made.type = ET_DYN;
		made.machine = machines[i].machine;
		made.class = machines[i].class;
		made.data = machines[i].data;
		make("made", &made);
		must_open(&arena, "made", &object);
		assert_string_equal(object.machine, machines[i].name);
		assert_int_equal(object.line_bytes, machines[i].line);
		assert_int_equal(object.types.pointer_bytes, machines[i].pointer);
		assert_int_equal(object.types.scalar_align_max, machines[i].scalar);
		assert_int_equal(object.types.big_endian, machines[i].data == ELFDATA2MSB);
		assert_int_equal(object.is_64bit, machines[i].class == ELFCLASS64);
		close_all(&arena, &object);
	}
}

/* Every prefix of a file is refused or read, and never read past its end (a sanitizer would see it). */
static void test_truncated(void **state)
{
	uint8_t bytes[16] = {0};
	struct made made = plain_made(bytes, sizeof(bytes));
	size_t length, refused = 0;
	(void)state;
	make("made.o", &made);
	char *whole = tool_read("made.o", &length);
	for (size_t cut = 0; cut < length; cut++) {
		struct arena arena;
		struct object object;
		tool_write("cut.o", whole, cut);
		arena_init(&arena);
		struct error *error = object_open(&arena, tool_path("cut.o"), &object);
		if (error) {
			assert_non_null(strchr(error->message, ';'));
			refused++;
		} else {
			object_close(&object);
		}
		error_free(error);
		arena_release(&arena);
	}
	assert_int_equal(refused, length); /* the section headers come last */

	/* a section that claims to be longer than the file */
	Elf64_Ehdr header;
	memcpy(&header, whole, sizeof(header));
	Elf64_Shdr section;
	memcpy(&section, whole + header.e_shoff + sizeof(section), sizeof(section));
	section.sh_size = UINT64_MAX - 1;
	memcpy(whole + header.e_shoff + sizeof(section), &section, sizeof(section));
	tool_write("long.o", whole, length);
	must_refuse("long.o", "section .debug_info reaches past the end", "again");
	header.e_shoff = UINT64_MAX - 10;
	memcpy(whole, &header, sizeof(header));
	tool_write("long.o", whole, length);
	must_refuse("long.o", "section headers", "again");
	free(whole);
}

/* ---- what compilers write ---- */

static const char source[] =
	"struct first { int a; long b; }; struct second { struct first f; char c; };\n"
	"struct second x; int main(void) { return x.f.a; }\n";

static int write_source(void **state)
{
	if (tool_setup(state) != 0)
		return -1;
	tool_write_text("a.c", source);
	tool_write_text("a.cc", source);
	return 0;
}

static void compare_sections(const char *left_name, const char *right_name)
{
	struct arena left_arena, right_arena;
	struct object left, right;
	must_open(&left_arena, left_name, &left);
	must_open(&right_arena, right_name, &right);
	for (int i = 0; i < OBJECT_SECTION_COUNT; i++) {
		if (i == OBJECT_DEBUG_ARANGES || i == OBJECT_DEBUG_LOC ||
			i == OBJECT_DEBUG_LOCLISTS)
			continue;
		assert_int_equal(left.sections[i].size, right.sections[i].size);
		if (left.sections[i].size)
			assert_memory_equal(left.sections[i].data, right.sections[i].data,
				left.sections[i].size);
	}
	assert_non_null(left.sections[OBJECT_DEBUG_INFO].data);
	close_all(&left_arena, &left);
	close_all(&right_arena, &right);
}

static void test_compressed(void **state)
{
	static const char *const ways[] = {"-gz", "-gz=zlib-gnu"};
	(void)state;
	for (size_t i = 0; i < 2; i++)
		for (int linked = 0; linked < 2; linked++) {
			if (!tool_run(
				    "gcc -g %s %s a.c -o packed && objcopy --decompress-debug-sections packed plain",
				    ways[i], linked ? "" : "-c"))
				skip();
			compare_sections("packed", "plain");
		}
}

static void test_zstd(void **state)
{
	struct arena arena;
	struct object object;
	(void)state;
	if (!tool_run(
		    "gcc -g -c a.c -o plain && objcopy --compress-debug-sections=zstd plain packed"))
		skip();
	arena_init(&arena);
	struct error *error = object_open(&arena, tool_path("packed"), &object);
	if (error) { /* before elfutils 0.189 */
		assert_non_null(strstr(error->message, "compressed with zstd"));
		assert_non_null(strstr(error->message, "objcopy --decompress-debug-sections"));
		error_free(error);
	} else {
		object_close(&object);
		compare_sections("packed", "plain");
	}
	arena_release(&arena);
}

/* Compressed data that is none. */
static void test_damaged_compression(void **state)
{
	size_t length;
	Elf64_Ehdr header;
	(void)state;
	if (!tool_run("gcc -g -gz -c a.c -o packed"))
		skip();
	char *whole = tool_read("packed", &length);
	memcpy(&header, whole, sizeof(header));
	for (size_t i = 0; i < header.e_shnum; i++) {
		Elf64_Shdr section;
		memcpy(&section, whole + header.e_shoff + i * sizeof(section), sizeof(section));
		if (section.sh_flags & SHF_COMPRESSED)
			memset(whole + section.sh_offset + sizeof(Elf64_Chdr), 0xff, 8);
	}
	tool_write("bad", whole, length);
	must_refuse("bad", "cannot be unpacked", "objcopy --decompress-debug-sections");
	free(whole);
}

/* Type units of a relocatable object are sections of one name; they become one, each unit's references relocated. */
static void test_many_sections(void **state)
{
	struct arena arena;
	struct object object;
	size_t units = 0;
	(void)state;
	if (!tool_run("g++ -gdwarf-5 -fdebug-types-section -c a.cc -o a.o"))
		skip();
	must_open(&arena, "a.o", &object);
	uint64_t off = 0, end = object.sections[OBJECT_DEBUG_INFO].size;
	for (; off < end; units++) {
		struct entry_unit unit;
		struct entry_extent extent;
		assert_null(entry_extent_read(&object, off, &extent));
		assert_null(entry_unit_open(&object, off, &unit));
		if (extent.type_off) {
			struct entry type;
			assert_null(entry_read(&unit, extent.type_off, &type));
			assert_true(strcmp(type.name, "first") == 0 ||
				    strcmp(type.name, "second") == 0);
		}
		entry_unit_close(&unit);
		off = extent.end;
	}
	assert_int_equal(off, end);
	assert_int_equal(units, 3);
	close_all(&arena, &object);
}

static void must_lack_dwarf(const char *name, const char *what, const char *advice)
{
	struct arena arena;
	struct object object;
	must_open(&arena, name, &object);
	struct error *error = object_require_dwarf(&object);
	assert_non_null(error);
	if (!strstr(error->message, what) || !strstr(error->message, advice))
		fprintf(stderr, "%s\n", error->message);
	assert_non_null(strstr(error->message, what));
	assert_non_null(strstr(error->message, advice));
	error_free(error);
	close_all(&arena, &object);
}

static void test_require_dwarf(void **state)
{
	struct arena arena;
	struct object object;
	(void)state;
	if (!tool_run(
		    "gcc -g -Wl,--build-id=0x0123456789abcdef a.c -o a && gcc a.c -o nodebug -Wl,--build-id=none &&"
		    " strip a -o stripped"))
		skip();
	must_open(&arena, "a", &object);
	assert_null(object_require_dwarf(&object));
	assert_string_equal(object.build_id, "0123456789abcdef");
	close_all(&arena, &object);
	must_lack_dwarf("nodebug", "built without -g", "build with -g");
	must_lack_dwarf("stripped", "stripped", "/usr/lib/debug/.build-id/01/23456789abcdef.debug");
	if (tool_run("gcc -gbtf -c a.c -o btf.o && strip -g --keep-section=.BTF btf.o -o btf"))
		must_lack_dwarf("btf", "only .BTF", "-dbg");
	if (tool_run("gcc -g -gsplit-dwarf -c a.c -o split.o")) {
		must_open(&arena, "split.dwo", &object);
		assert_true(object.is_split);
		assert_null(object_require_dwarf(&object));
		close_all(&arena, &object);
	}
}

/* Read whole, in whichever byte order; the machine is this one's in its lines only. */
static void test_raw_btf(void **state)
{
	static const char *const orders[] = {"\x9f\xeb\x01\x00", "\xeb\x9f\x01\x00"};
	(void)state;
	for (int big = 0; big < 2; big++) {
		struct arena arena;
		struct object object;
		tool_write("raw", orders[big], 4);
		must_open(&arena, "raw", &object);
		assert_true(object.is_raw_btf);
		assert_string_equal(object.machine, "unknown");
		assert_int_equal(object.types.big_endian, big);
		assert_int_equal(object.sections[OBJECT_BTF].size, 4);
		assert_memory_equal(object.sections[OBJECT_BTF].data, orders[big], 4);
		assert_int_not_equal(object.line_bytes, 0);
		close_all(&arena, &object);
	}
	must_lack_dwarf("raw", "raw BTF", "DWARF");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_other_files),
		cmocka_unit_test(test_raw_btf),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_relocations),
		cmocka_unit_test(test_bad_relocations),
		cmocka_unit_test(test_linked_relocations),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_machines),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_compressed),
		cmocka_unit_test(test_zstd),
		cmocka_unit_test(test_damaged_compression),
		cmocka_unit_test(test_many_sections),
		cmocka_unit_test(test_require_dwarf),
	};
	return cmocka_run_group_tests(tests, write_source, tool_teardown);
}
