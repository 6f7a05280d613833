// Arrays of every dimension, of none, and without an end.
// members: struct arrays: one two three pointers functions pointer rows row_pointers empty after
// members: struct flexible: count data[]
// members: struct flexible_structs: count entry[]{ key value }
// members: struct holds_flexible: before inner{ count data[] }
// members: struct zero_end: count none
// members: struct zero_middle: a mark b
// members: struct lengths: single large
#include <stddef.h>

typedef int row_t[4];

struct arrays {
	char one[3];
	short two[2][5];
	int three[2][3][4];
	const char *pointers[6];
	int (*functions[2])(void);
	int (*pointer)[7];
	row_t rows[3]; /* an array of arrays through a typedef */
	row_t *row_pointers[2];
	int empty[0];
	char after;
};
_Static_assert(sizeof(((struct arrays *)0)->rows) == 48, "three rows of four");

struct flexible {
	int count;
	long data[];
};
_Static_assert(offsetof(struct flexible, data) == sizeof(long), "data is aligned");

struct entry {
	char key, value;
};

struct flexible_structs {
	char count;
	struct entry entry[];
};

struct holds_flexible {
	int before;
	struct flexible inner;
};

struct zero_end {
	char count;
	int none[0];
};
_Static_assert(sizeof(struct zero_end) == 4, "none has no size, and aligns");

struct zero_middle {
	char a;
	long mark[0];
	char b;
};
_Static_assert(offsetof(struct zero_middle, b) == sizeof(long), "mark aligns what follows");

struct lengths {
	char single[1];
	char large[1 << 20];
};

struct arrays some_arrays;
struct flexible *a_flexible;
struct flexible_structs *a_flexible_structs;
struct holds_flexible *a_holds_flexible;
struct zero_end a_zero_end;
struct zero_middle a_zero_middle;
struct lengths some_lengths;
