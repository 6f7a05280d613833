#include <stddef.h>

struct conf {
	int a;
	char b[20];
	void *c;
	void *d[2];
};
_Static_assert(sizeof(struct conf) == 24 + 3 * sizeof(void *), "48 on 64-bit");

struct conf second_conf;
