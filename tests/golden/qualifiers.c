// Qualifiers in every place, and _Atomic.
// members: struct qualified: a b c d e f g h i j
// members: struct atomics: a b c d e f
#include <stddef.h>

struct opaque;

struct qualified {
	const int a;
	volatile int b;
	const volatile int c;
	const char *d;
	char *const e;
	const char *const *volatile f;
	int *restrict g;
	const struct opaque *h;
	const int i[4];
	const char *const j[2];
};
_Static_assert(sizeof(((struct qualified *)0)->i) == 16, "four");

struct atomics {
	_Atomic int a;
	_Atomic long b;
	char *_Atomic c;
	_Atomic _Bool d;
	const _Atomic short e;
	_Atomic int f[3];
};
_Static_assert(offsetof(struct atomics, b) == sizeof(long), "a 0, b 8");

struct qualified a_qualified;
struct atomics some_atomics;
