/*
 * thirds: an abbreviation table without the forms of three bytes, which libdwarf 20210528 takes for four.
 *
 * Private to dwarf. .debug_abbrev -> [thirds] -> entry. clang writes DW_FORM_strx3 and DW_FORM_addrx3 where a unit has more
 * than 65,536 strings or addresses. Each becomes an attribute of one byte, THIRDS_FORM, that is followed by one of two
 * which nobody reads: where the bytes of an attribute start is what is asked for, and its size is known.
 */
#ifndef READ_DWARF_THIRDS_H
#define READ_DWARF_THIRDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* DW_FORM_data1: of an attribute whose value can be no constant, it stands for three bytes. */
enum { THIRDS_FORM = 0x0b };

/*
 * Rewrites the table at `table`, which ends before `end`; *size bytes, the caller's (mem_free). NULL where it has none of
 * these forms, and where it is damaged.
 */
uint8_t *thirds_rewrite(const uint8_t *table, const uint8_t *end, size_t *size);

#endif
