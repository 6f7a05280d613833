/*
 * sections: an object that is made of debug sections alone, without an ELF file around them.
 *
 * Of each piece the id's low six bits are an enum object_section_id; with ID_ALTERNATE it is a section of the file that dwz
 * puts what several share into (DW_FORM_ref_sup and its kin). Each section has memory of its own, of just its size.
 */
#ifndef FUZZ_SECTIONS_H
#define FUZZ_SECTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "read/object.h"

enum { ID_SECTION = 0x3f, ID_ALTERNATE = 0x40 };
enum { FLAG_BIG_ENDIAN = 1, FLAG_32_BIT = 2, FLAG_SPLIT = 4 };

struct sections {
	struct object object, alternate;
	struct object *companions[1];
};

void sections_init(struct sections *sections, const uint8_t *data, size_t size);
void sections_release(struct sections *sections);

#endif
