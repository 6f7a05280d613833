// Packed structs, packed members, and what contains them.
// members(packed): struct all: a b c d
// members(packed): struct some: a b c
// members(packed): struct pair: tag inner{ a b }
// members(packed): struct two: a b{ a b c d }
// members(packed): struct array: first entry[0]{ key value }
// members(packed): struct at_four: a b
#include <stddef.h>

struct __attribute__((packed)) all {
	char a;
	long long b;
	short c;
	double d;
};
_Static_assert(sizeof(struct all) == 19 && offsetof(struct all, b) == 1, "nothing between");

struct some {
	char a;
	int b __attribute__((packed));
	int c;
};
_Static_assert(offsetof(struct some, b) == 1 && offsetof(struct some, c) == 8, "b only");

struct inner {
	char a;
	int b;
};

struct __attribute__((packed)) pair {
	char tag;
	struct inner inner; /* keeps its own hole */
};
_Static_assert(sizeof(struct pair) == 9, "a tag and eight");

struct two {
	char a;
	struct all b;
};
_Static_assert(sizeof(struct two) == 20, "a packed struct is aligned to 1");

struct __attribute__((packed)) entry {
	short key;
	long long value;
};

struct array {
	char first;
	struct entry entry[3];
};
_Static_assert(sizeof(struct array) == 31, "three of ten");

struct at_four {
	char a;
	long long b;
} __attribute__((packed, aligned(4)));
_Static_assert(sizeof(struct at_four) == 12 && offsetof(struct at_four, b) == 1, "packed inside, aligned outside");

struct all an_all;
struct some a_some;
struct pair a_pair;
struct two a_two;
struct array an_array;
struct at_four an_at_four;
