// Structs of no size, and of one member.
// members: struct empty: 
// members: struct holds_empty: a none{ } b
// members: struct single: only
#include <stddef.h>

struct empty {
};
struct holds_empty {
	char a;
	struct empty none;
	char b;
};
_Static_assert(offsetof(struct holds_empty, b) == 1, "nothing between");

struct single {
	char only;
};

struct empty an_empty;
struct holds_empty a_holds_empty;
struct single a_single;
