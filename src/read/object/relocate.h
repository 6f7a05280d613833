/*
 * relocate: the relocations of a debug section in a relocatable object.
 *
 * Private to object; the psABI of each machine. Knows those that assemblers write into debug sections:
 * absolute and section-relative ones, TLS offsets, and differences of labels. With REL the addend stands in
 * place, with RELA it does not.
 */
#ifndef READ_RELOCATE_H
#define READ_RELOCATE_H

#include <libelf.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "read/object.h"

/* Not in the elf.h of every C library that we build with. */
enum { MACHINE_RISCV = 243, MACHINE_BPF = 247, MACHINE_LOONGARCH = 258 };

/* The file around the section. */
struct relocate_file {
	const struct object *object; /* path, machine, byte order */
	Elf *elf;
	size_t section_count;
	const uint64_t *bases;       /* by section index: where its bytes went among those of its name */
};

/* The bytes of one section of the file, in memory that may be written. */
struct relocate_target {
	const char *name;
	uint8_t *data;
	uint64_t size;
	uint64_t base;               /* its entry in bases */
};

/*
 * Applies section number `relocs` to the target. Errors: damaged relocations; a type that is not known,
 * with its number, machine and offset.
 */
struct error *relocate(const struct relocate_file *file, const struct relocate_target *target, size_t relocs);

#endif
