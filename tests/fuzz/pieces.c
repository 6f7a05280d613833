#include "pieces.h"

#include <string.h>

void pieces_read(const uint8_t *data, size_t size, struct pieces *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (!size)
		return;
	ret->flags = data[0];
	for (size_t at = 1; ret->count < PIECES_MAX && size - at >= PIECE_HEAD_BYTES;) {
		struct piece *piece = &ret->items[ret->count++];
		size_t left = size - at - PIECE_HEAD_BYTES;
		piece->id = data[at];
		piece->size = data[at + 1] | (size_t)data[at + 2] << 8 |
			      (size_t)data[at + 3] << 16 | (size_t)data[at + 4] << 24;
		if (piece->size > left)
			piece->size = left;
		piece->data = data + at + PIECE_HEAD_BYTES;
		at += PIECE_HEAD_BYTES + piece->size;
	}
}

size_t pieces_write(const struct pieces *pieces, uint8_t *out, size_t room)
{
	size_t at = 0;
	if (!room)
		return 0;
	out[at++] = pieces->flags;
	for (size_t i = 0; i < pieces->count; i++) {
		const struct piece *piece = &pieces->items[i];
		if (room - at < PIECE_HEAD_BYTES || room - at - PIECE_HEAD_BYTES < piece->size)
			return 0;
		out[at] = piece->id;
		for (int byte = 0; byte < 4; byte++)
			out[at + 1 + (size_t)byte] = (uint8_t)(piece->size >> 8 * byte);
		at += PIECE_HEAD_BYTES;
		if (piece->size)
			memcpy(out + at, piece->data, piece->size);
		at += piece->size;
	}
	return at;
}
