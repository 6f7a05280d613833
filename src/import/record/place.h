/*
 * place: which fields an access touches.
 *
 * layout x bytes -> [place] -> record. Private to record.c. Of unions the member that an access of this size is most likely
 * to: that which it covers exactly, else the smallest around it, else the first. Bit-fields that share bytes cannot be told
 * apart: the first counts. Pure.
 */
#ifndef IMPORT_RECORD_PLACE_H
#define IMPORT_RECORD_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout.h"

/* What one access touches; reused from access to access. */
struct record_spots {
	uint32_t *members; /* indices into the layout's, each once; owned */
	size_t count, capacity;
	uint64_t gap_off_bytes,
		gap_bytes; /* the first stretch of holes or padding; no bytes: none */
	bool has_bits;     /* a bit-field beside which there are others in the same bytes */
};

void record_spots_release(struct record_spots *spots);

/* Of the bytes [off, off + size) of an object; what lies behind its end is a gap, unless a flexible array goes on there. */
void record_place(const struct layout *layout, uint32_t pointer_bytes, uint64_t off_bytes,
	uint64_t size_bytes, struct record_spots *ret);

#endif
