#include "record/module.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "record/os.h"

struct llrec_module llrec_module;

static void take_build_id(const unsigned char *bytes, size_t length)
{
	static const char digits[] = "0123456789abcdef";
	char *text = llrec_module.build_id;
	for (size_t i = 0; i < length && i < 64; i++) {
		*text++ = digits[bytes[i] >> 4];
		*text++ = digits[bytes[i] & 15];
	}
	*text = '\0';
}

static void read_notes(const char *notes, size_t length)
{
	while (length >= sizeof(ElfW(Nhdr))) {
		ElfW(Nhdr) header;
		memcpy(&header, notes, sizeof(header));
		size_t name = ((size_t)header.n_namesz + 3) & ~(size_t)3;
		size_t whole = sizeof(header) + name + (((size_t)header.n_descsz + 3) & ~(size_t)3);
		if (whole > length)
			return;
		const char *text = notes + sizeof(header);
		if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 &&
			memcmp(text, "GNU", 4) == 0)
			take_build_id((const unsigned char *)text + name, header.n_descsz);
		notes += whole;
		length -= whole;
	}
}

static void take_segment(struct llrec_module *module, const ElfW(Phdr) * segment)
{
	uintptr_t begin = module->bias + segment->p_vaddr, end = begin + segment->p_memsz;
	if (segment->p_type == PT_GNU_RELRO) {
		module->relro_begin = begin;
		module->relro_end = end;
	}
	if (segment->p_type != PT_LOAD)
		return;
	module->begin = !module->end || begin < module->begin ? begin : module->begin;
	module->end = end > module->end ? end : module->end;
	if (!(segment->p_flags & PF_W))
		return;
	module->data_begin =
		!module->data_end || begin < module->data_begin ? begin : module->data_begin;
	module->data_end = end > module->data_end ? end : module->data_end;
}

static void take_name(struct llrec_module *module, const char *path)
{
	char program[PATH_MAX];
	if (!*path) {
		ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
		program[length > 0 ? length : 0] = '\0';
		path = length > 0 ? program : program_invocation_name;
	}
	const char *slash = strrchr(path, '/');
	llrec_append(module->name, 0, sizeof(module->name), slash ? slash + 1 : path);
}

static int visit(struct dl_phdr_info *info, size_t size, void *data)
{
	struct llrec_module module = {.bias = info->dlpi_addr};
	(void)size;
	(void)data;
	for (size_t i = 0; i < info->dlpi_phnum; i++)
		take_segment(&module, &info->dlpi_phdr[i]);
	uintptr_t here = (uintptr_t)&llrec_module;
	if (here < module.begin || here >= module.end)
		return 0;
	take_name(&module, info->dlpi_name);
	llrec_module = module;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		if (segment->p_type == PT_NOTE)
			read_notes(
				(const char *)(module.bias + segment->p_vaddr), segment->p_memsz);
	}
	return 1;
}

void llrec_module_read(void)
{
	dl_iterate_phdr(visit, NULL);
}
