/* Without -DLINELINT_RECORD the marks are nothing, wherever they stand. */
#include <linelint-record.h>

struct object {
	int field;
};

int unmarked(struct object *object, const char *name);
int unmarked(struct object *object, const char *name)
{
	int only_for_marks = 3;
	LINELINT_TRACK(object);
	LINELINT_TRACK_SIZE(object, sizeof(*object) + (unsigned long)only_for_marks);
	LINELINT_ROLE(name);
	if (object)
		LINELINT_OP();
	else
		LINELINT_OP_END();
	LINELINT_UNTRACK(object);
	return 0;
}
