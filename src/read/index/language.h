/*
 * language: what the language of a unit says where its DIEs do not.
 *
 * [language] -> die, dwarf. DWARF 5 section 7.12.
 */
#ifndef READ_LANGUAGE_H
#define READ_LANGUAGE_H

#include <stdint.h>

/* The lower bound of an array's index where none is stated (table 7.17): 1 in Ada, Fortran and others, else 0. */
uint64_t language_lower_bound(uint16_t language);

#endif
