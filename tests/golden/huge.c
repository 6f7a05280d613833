// Offsets that do not fit into 32 bits.
// not: m32
// members: struct huge: a middle b c
#include <stddef.h>

struct huge {
	char a;
	char middle[5ull << 30];
	long b;
	char c;
};
_Static_assert(offsetof(struct huge, b) == (5ull << 30) + 8, "beyond 4 GiB");

struct huge *a_huge;
