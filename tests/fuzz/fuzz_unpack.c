/* unpack: packed bytes of each format that this is built with, whole, their head, and as many as they say. */
#include <string.h>

#include "base/mem.h"
#include "read/unpack.h"
#include "target.h"

enum { BYTES_MAX = 1 << 16, HEAD_BYTES = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct unpack_format *format = unpack_format_of(data, size);
	uint8_t *whole = NULL, head[HEAD_BYTES];
	size_t length = 0;
	if (!format || !unpack_is_here(format))
		return 0;
	size_t have = unpack_head(format, data, size, head, sizeof(head));
	HOLDS(have <= sizeof(head));
	enum unpack_result result = unpack(format, data, size, BYTES_MAX, &whole, &length);
	HOLDS((result == UNPACK_DONE) == (whole != NULL));
	if (result == UNPACK_DONE) {
		HOLDS(length <= BYTES_MAX &&
			have == (length < sizeof(head) ? length : sizeof(head)));
		HOLDS(memcmp(head, whole, have) == 0);
		uint8_t *again = mem_new(length, 1);
		if (unpack_exactly(format, data, size, again, length))
			HOLDS(memcmp(again, whole, length) == 0);
		mem_free(again);
	}
	mem_free(whole);
	return 0;
}
