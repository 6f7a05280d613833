#include "read/object/magic.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>

#include "base/number.h"
#include "read/unpack.h"

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

#define ARCHIVE_ADVICE "name one of the objects that ar t lists, as 'ARCHIVE(OBJECT)'"

static const struct magic magics[] = {
	{0x24, "\x18\x28\x6f\x01", 4, "a compressed kernel image (zImage), not an ELF file",
		VMLINUX_ADVICE},
	{0, "!<arch>\ndebian-binary", 21, "a Debian package, not an ELF file",
		"unpack it with dpkg-deb -x and use a file in it"},
	{0, "!<arch>\n", 8, "an archive of objects (ar), not an ELF file",
		ARCHIVE_ADVICE},
	{0, "!<thin>\n", 8, "a thin archive of objects (ar), not an ELF file",
		ARCHIVE_ADVICE},
	{0, "\xed\xab\xee\xdb", 4, "an RPM package, not an ELF file",
		"unpack it with rpm2cpio and use a file in it"},
	{0, "MZ", 2, "a Windows or EFI program, not an ELF file",
		"use an ELF binary with DWARF; for an EFI kernel image, its vmlinux"},
	{0, "\xcf\xfa\xed\xfe", 4, "a Mach-O file, not an ELF file",
		"build for Linux, or with --target=x86_64-linux-gnu -c"},
	{0, "BC\xc0\xde", 4, "LLVM bitcode (an object built with -flto), not an ELF file",
		"build without -flto, or use the linked program"},
	{0, "#!", 2, "a script, not an ELF file", "use the program that it runs"},
};

bool magic_is_btf(const uint8_t *head, size_t length, bool *big_endian)
{
	if (length < 3 || head[2] != 1)
		return false;
	*big_endian = head[0] == 0xeb && head[1] == 0x9f;
	return *big_endian || (head[0] == 0x9f && head[1] == 0xeb);
}

bool magic_is_elf(const uint8_t *head, size_t length)
{
	return length >= SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0;
}

static bool looks_like_text(const uint8_t *head, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (head[i] < 0x20 && !strchr("\t\n\v\f\r\033", head[i]))
			return false;
	return memchr(head, 0, length) == NULL;
}

struct error *magic_check(const char *path, const uint8_t *head, size_t length)
{
	if (magic_is_elf(head, length)) {
		if (length < sizeof(Elf32_Ehdr))
			return error_new("%s: truncated: only %zu byte%s of an ELF header; copy or "
					 "build it again",
				path, length, number_s(length));
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
	const struct unpack_format *format = unpack_format_of(head, length);
	if (format)
		return error_new("%s: is compressed with %s; unpack it with %s first", path,
			format->name, format->command);
	return error_new(
		"%s: is %snot an ELF file; use a binary with debug information (built with -g)",
		path, looks_like_text(head, length) ? "text, " : "");
}
