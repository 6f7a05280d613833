/*
 * symbols: the data symbols of an ELF file, and the areas of memory that its sections make up.
 *
 * ELF -> [symbols] -> variables. gABI, "Symbol Table" and "Sections". Addresses are link-time ones: nothing is loaded.
 * Of a relocatable object, whose sections have none yet, they are those of areas.h, which the debug sections use as well.
 */
#ifndef READ_SYMBOLS_H
#define READ_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "read/object.h"

/* A symbol of data: not of a function, a section, a file or thread-local storage. */
struct object_symbol {
	const char *name; /* as the linker knows it; in the mapping */
	uint64_t address;
	uint64_t size_bytes; /* 0: not stated, as by assembler */
	bool is_local;       /* STB_LOCAL: static */
};

/* A section that is there when the program runs; never one of thread-local storage, which is a template only. */
struct object_area {
	const char *name; /* ".bss"; in the mapping */
	uint64_t address;
	uint64_t size_bytes; /* at least 1; address + size_bytes does not wrap */
	uint64_t align_bytes; /* of its start, a power of two; 1 when it states none */
	bool is_writable;
};

struct object_symbols {
	const struct object_symbol *
		symbols; /* by address, then larger, global and alphabetical first; all inside areas */
	size_t count;
	const struct object_area *areas; /* by address */
	size_t area_count;
	const char *const *thread_locals; /* names of symbols that each thread has its own of; no order */
	size_t thread_local_count;
	bool is_stripped; /* there is no .symtab: local symbols are missing, and in a program most others */
};

/* Reads .symtab, or .dynsym where it was stripped. Damage is as good as absence. Strings live as long as the object. */
void object_symbols_read(
	struct arena *arena, const struct object *object, struct object_symbols *ret);

/* The area in which an address lies, and the first of several; NULL when it lies in none. */
const struct object_area *object_area_at(const struct object_symbols *symbols, uint64_t address);

/* The first symbol at this very address; NULL when there is none. */
const struct object_symbol *object_symbol_at(
	const struct object_symbols *symbols, uint64_t address);

/* The next one at the same address; NULL: there is none. */
const struct object_symbol *object_symbol_next(
	const struct object_symbols *symbols, const struct object_symbol *symbol);

#endif
