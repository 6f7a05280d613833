/*
 * areas: where the sections of a relocatable object lie, as far as anybody can say before it is linked.
 *
 * ELF -> [areas] -> relocate, symbols. Private to object.c and object/. Sections of data have no addresses yet; each gets
 * one of our own, apart from all others and as aligned as it wants to be (gABI, sh_addralign), so that an address says
 * which section it is in, and how far. Code, thread-local storage and what is not loaded keep 0.
 */
#ifndef READ_AREAS_H
#define READ_AREAS_H

#include <libelf.h>
#include <stddef.h>
#include <stdint.h>

/* By section index, for `count` of them; the caller frees with mem_free. What finds no room in 31 bits has 0. */
uint64_t *areas_place(Elf *elf, size_t count);

#endif
