/*
 * machine: what an ELF header, or the lack of one, says of the machine that a binary is for.
 *
 * Pure. Cache lines in bytes; alignments of scalars as each machine's psABI has them. Fills in the object's elf_machine,
 * is_64bit, is_relocatable, machine, line_bytes and types; no errors: of a machine that is in no table the name is EM_n.
 */
#ifndef READ_OBJECT_MACHINE_H
#define READ_OBJECT_MACHINE_H

#include <gelf.h>
#include <stdbool.h>

#include "base/arena.h"
#include "read/object.h"

/* The name may be in `arena`. */
void machine_describe(struct arena *arena, const GElf_Ehdr *header, struct object *object);

/* Raw BTF: `is_running` when the running kernel shows it. How wide a pointer is, its types may tell later. */
void machine_describe_raw(bool big_endian, bool is_running, struct object *object);

/* An Image of a kernel, of 64 bits and little-endian, for that EM_*. */
void machine_describe_bare(uint16_t elf_machine, struct object *object);

#endif
