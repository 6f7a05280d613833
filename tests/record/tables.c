/* More of everything than there is place for, as the environment makes it. */
#include <linelint-record.h>

#include <stdlib.h>

struct object {
	volatile long fields[300];
};

int main(void)
{
	struct object *objects = calloc(5, sizeof(*objects));
	if (!objects)
		return 1;
	for (int i = 0; i < 5; i++)
		LINELINT_TRACK(&objects[i]);
	for (int i = 0; i < 6; i++)
		for (int times = 0; times < 10; times++)
			objects[0].fields[i] = 1;
	LINELINT_ROLE("various"); /* 70 operations with as many sequences, the last one often */
	for (int i = 0; i < 70; i++) {
		LINELINT_OP();
		objects[0].fields[i] = 1;
	}
	for (int i = 0; i < 3; i++) {
		LINELINT_OP();
		objects[0].fields[63] = 1;
	}
	LINELINT_ROLE("long");
	LINELINT_OP();
	for (int i = 0; i < 256; i++)
		objects[0].fields[0] = 1;
	LINELINT_OP();
	for (int i = 0; i < 257; i++)
		objects[0].fields[0] = 1;
	LINELINT_OP_END();
	LINELINT_TRACK((struct object *)(void *)((char *)&objects[0] + 8)); /* across the first one's end */
	return 0;
}
