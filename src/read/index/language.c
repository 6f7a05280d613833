#include "read/index/language.h"

#include <stddef.h>

uint64_t language_lower_bound(uint16_t language)
{
	static const uint16_t from_one[] = {
		0x03, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0d, 0x0e, 0x0f, 0x17, 0x1f, 0x22, 0x23};
	for (size_t i = 0; i < sizeof(from_one) / sizeof(from_one[0]); i++)
		if (from_one[i] == language)
			return 1;
	return 0;
}
