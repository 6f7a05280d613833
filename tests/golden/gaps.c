// Holes and padding inside members: drawn, listed with --expand, and no part of the struct's own numbers.
// members: struct gaps: ep{ port tls } inner{ low:4 high:4 first last } slot[0]{ key used } either{ wide{ tag value } raw } tail
// run: --expand struct gaps
#include <stddef.h>

struct endpoint {
	short port;
	char tls;
};

struct slot {
	long key;
	char used;
} __attribute__((aligned(32)));

struct gaps {
	struct endpoint ep;
	struct {
		unsigned low : 3;
		unsigned high : 20;
		char first;
		long last;
	} inner;
	struct slot slot[8];
	union {
		struct {
			char tag;
			long value;
		} wide;
		char raw[4];
	} either;
	char tail;
};
_Static_assert(sizeof(struct endpoint) == 4, "a byte of padding at 3");
_Static_assert(sizeof(struct slot) == 32, "23 bytes of padding in each");
_Static_assert(offsetof(struct gaps, slot) == 32, "elements start lines and halves of them");
_Static_assert(offsetof(struct gaps, either.wide.value) == offsetof(struct gaps, either) + 8 || sizeof(long) == 4,
	"raw uses 4 of the hole's 7");

struct gaps gaps;
