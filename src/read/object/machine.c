#include "read/object/machine.h"

#include <elf.h>

#include "read/object/relocate.h"

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

/* The machine that this runs on, for what does not say its own; NULL when it is none of the table. */
static const struct machine *host_machine(void)
{
#if defined(__x86_64__)
	enum { HOST = EM_X86_64 };
#elif defined(__i386__)
	enum { HOST = EM_386 };
#elif defined(__aarch64__)
	enum { HOST = EM_AARCH64 };
#elif defined(__arm__)
	enum { HOST = EM_ARM };
#elif defined(__riscv)
	enum { HOST = MACHINE_RISCV };
#elif defined(__powerpc64__)
	enum { HOST = EM_PPC64 };
#elif defined(__s390x__)
	enum { HOST = EM_S390 };
#elif defined(__mips__)
	enum { HOST = EM_MIPS };
#else
	enum { HOST = EM_NONE };
#endif
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].elf_machine == HOST)
			return &machines[i];
	return NULL;
}

void machine_describe_raw(bool big_endian, bool is_running, struct object *object)
{
	const struct machine *host = host_machine();
	bool wide = sizeof(void *) == 8;
	object->is_raw_btf = true;
	object->is_64bit = wide;
	object->machine = "unknown";
	object->line_bytes = host ? host->line_bytes : 64;
	object->types = (struct type_machine){
		.pointer_bytes = wide ? 8 : 4, .big_endian = big_endian, .scalar_align_max = 16};
	if (!is_running || !host)
		return;
	object->elf_machine = host->elf_machine;
	object->machine = wide ? host->name64 : host->name32;
	object->types.scalar_align_max = wide ? host->scalar_align64 : host->scalar_align32;
}

void machine_describe(struct arena *arena, const GElf_Ehdr *header, struct object *object)
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

void machine_describe_bare(uint16_t elf_machine, struct object *object)
{
	GElf_Ehdr header = {.e_machine = elf_machine, .e_type = ET_EXEC};
	header.e_ident[EI_CLASS] = ELFCLASS64;
	header.e_ident[EI_DATA] = ELFDATA2LSB;
	machine_describe(NULL, &header, object); /* both machines have names of their own */
	object->is_raw_btf = true;
}
