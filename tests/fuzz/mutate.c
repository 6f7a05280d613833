/*
 * mutate: changes of one piece at a time. Linked with libFuzzer only, whose interface this is
 * (llvm.org/docs/LibFuzzer.html, "Custom Mutators").
 */
#include <stdlib.h>
#include <string.h>

#include "pieces.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other,
	size_t other_size, uint8_t *out, size_t room, unsigned seed);

/* A unit that reached to the end of its section goes on doing so: else most changes of its size only damage its header. */
static void keep_length(uint8_t *bytes, size_t before, size_t after)
{
	uint32_t length;
	if (before < sizeof(length) || after < sizeof(length))
		return;
	memcpy(&length, bytes, sizeof(length));
	if (length != before - sizeof(length))
		return;
	length = (uint32_t)(after - sizeof(length));
	memcpy(bytes, &length, sizeof(length));
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
	struct pieces pieces;
	pieces_read(data, size, &pieces);
	if (!pieces.count || seed % 64 == 0)
		return LLVMFuzzerMutate(data, size, room);
	if (seed % 61 == 0) {
		data[0] ^= (uint8_t)(1u << seed / 64 % 8);
		return size;
	}
	struct piece *piece =
		&pieces.items[seed / 64 % (seed % 2 ? pieces.count : 1 + pieces.count / 2)];
	size_t free_bytes = room - size,
	       most = piece->size + (free_bytes < 4096 ? free_bytes : 4096);
	uint8_t *changed = malloc(most + 1), *whole = malloc(room);
	if (!changed || !whole)
		abort();
	memcpy(changed, piece->data, piece->size);
	size_t before = piece->size;
	piece->size = most ? LLVMFuzzerMutate(changed, before, most) : 0;
	piece->data = changed;
	if (seed / 7 % 8)
		keep_length(changed, before, piece->size);
	size_t written = pieces_write(&pieces, whole, room);
	if (written)
		memcpy(data, whole, written);
	free(changed);
	free(whole);
	return written ? written : size;
}

/* Some pieces of the other input in place of those with the same id. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other,
	size_t other_size, uint8_t *out, size_t room, unsigned seed)
{
	struct pieces ours, theirs;
	pieces_read(one, one_size, &ours);
	pieces_read(other, other_size, &theirs);
	for (size_t i = 0; i < ours.count; i++)
		for (size_t j = 0; j < theirs.count; j++)
			if (theirs.items[j].id == ours.items[i].id && seed >> (i + j) % 32 & 1) {
				ours.items[i] = theirs.items[j];
				break;
			}
	return pieces_write(&ours, out, room);
}
