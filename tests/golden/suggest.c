// A counter among what is read: what is suggested, as text, as JSON, as a commit message and as assertions.
// exit: 1
#include <stddef.h>

struct session {
	long uses; /* written by everybody */
	unsigned int state : 3, kind : 5;
	const void *operations;
	union {
		long number;
		void *pointer;
	};
	const char *name;
	long history[4];
	struct {
		long hits, misses;
	} seldom;
	char rest[40];
};
_Static_assert(offsetof(struct session, seldom) == 72, "the second line has room");
struct session session;
