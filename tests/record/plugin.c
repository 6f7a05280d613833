/* A library that is compiled to be recorded, too: its accesses count, for objects that the program tracks. */
#include <linelint-record.h>

#include <stdlib.h>

struct object {
	long from_program, from_library;
};

void touch(struct object *object);
void *track_own(void);

#ifdef LIBRARY

void touch(struct object *object)
{
	*(volatile long *)&object->from_library = 1;
}

/* The program's debug information does not know this tag. */
void *track_own(void)
{
	struct object *own = calloc(1, sizeof(*own));
	if (own) {
		LINELINT_TRACK(own);
		touch(own);
	}
	return own;
}

#else

int main(void)
{
	struct object *object = calloc(1, sizeof(*object));
	if (!object || !track_own())
		return 1;
	LINELINT_TRACK(object);
	*(volatile long *)&object->from_program = 1;
	touch(object);
	return 0;
}

#endif
