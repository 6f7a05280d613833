// Large scalars: __int128, long double, complex numbers, vectors.
// not: m32
// members: struct wide: a b c d e f g
// members: struct vectors: a v b w
// members: struct bits: a:16 b:16 c
#include <stddef.h>

struct wide {
	char a;
	__int128 b;
	char c;
	long double d;
	unsigned __int128 e[2];
	double _Complex f;
	float _Complex g;
};
_Static_assert(offsetof(struct wide, b) == 16 && offsetof(struct wide, d) == 48, "aligned to 16");

typedef int four __attribute__((vector_size(16)));
typedef float eight __attribute__((vector_size(32)));

struct vectors {
	char a;
	four v;
	char b;
	eight w[2];
};
_Static_assert(offsetof(struct vectors, v) == 16 && offsetof(struct vectors, w) == 64, "aligned as a whole");

struct bits {
	unsigned __int128 a : 100;
	unsigned __int128 b : 20;
	char c;
};
_Static_assert(offsetof(struct bits, c) == 15, "120 bits before");

struct wide a_wide;
struct vectors some_vectors;
struct bits some_bits;
