/*
 * record/module: the program (or library) that the recorder is linked into, as its debug information counts: where it was
 * linked to be, its build-id, its own variables.
 */
#ifndef RECORD_MODULE_H
#define RECORD_MODULE_H

#include <stdbool.h>
#include <stdint.h>

struct llrec_module {
	uintptr_t bias;                   /* address - link-time address */
	uintptr_t begin, end;             /* of what is loaded */
	uintptr_t data_begin, data_end;   /* of what is writable */
	uintptr_t relro_begin, relro_end; /* of what is not, after relocation */
	char build_id[2 * 64 + 1];        /* hexadecimal; "": none */
	char name[256];                   /* base name */
};

extern struct llrec_module llrec_module;

void llrec_module_read(void);

static inline bool llrec_module_has(uintptr_t address)
{
	return address - llrec_module.begin < llrec_module.end - llrec_module.begin;
}

/* A variable of the program's. */
static inline bool llrec_module_has_data(uintptr_t address)
{
	return address - llrec_module.data_begin <
		       llrec_module.data_end - llrec_module.data_begin &&
	       address - llrec_module.relro_begin >=
		       llrec_module.relro_end - llrec_module.relro_begin;
}

#endif
