// Members and types that ask for more alignment than they need.
// members: struct members: a b c d
// members: struct whole: a b
// members: struct holds: a inner{ a b } c
// members: struct line_t: lock next_free
// members: struct far: a b
// members: struct less: a b c
// members: struct typed: a b
#include <stddef.h>

struct members {
	char a;
	char b __attribute__((aligned(4)));
	int c __attribute__((aligned(64)));
	char d;
};
_Static_assert(offsetof(struct members, c) == 64 && sizeof(struct members) == 128, "c starts a line");

struct whole {
	int a;
	char b;
} __attribute__((aligned(32)));
_Static_assert(sizeof(struct whole) == 32, "padded to its alignment");

struct holds {
	char a;
	struct whole inner;
	char c;
};
_Static_assert(offsetof(struct holds, inner) == 32 && sizeof(struct holds) == 96, "inner brings its alignment");

struct line_t {
	_Alignas(64) int lock;
	_Alignas(64) int next_free;
};
_Static_assert(sizeof(struct line_t) == 128, "a line each");

struct far {
	char a;
	char b __attribute__((aligned(131072)));
};
_Static_assert(offsetof(struct far, b) == 131072, "a hole of 131071 bytes");

struct less {
	char a;
	long long b __attribute__((aligned(2))); /* no less than its own: aligned only raises */
	char c;
};

typedef int wide_int __attribute__((aligned(16)));
struct typed {
	char a;
	wide_int b;
};
_Static_assert(offsetof(struct typed, b) == 16, "the typedef asks for it");

struct members some_members;
struct whole a_whole;
struct holds a_holds;
struct line_t a_line;
struct far *a_far;
struct less a_less;
struct typed a_typed;
