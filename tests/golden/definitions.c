// One name, two layouts in two units, and a third unit that agrees with the first.
// with: definitions-second.c definitions-third.c
// run: --all-definitions struct conf
#include <stddef.h>

struct conf {
	int a;
	char b;
	void *c;
	void *d;
};
_Static_assert(sizeof(struct conf) == 8 + 2 * sizeof(void *), "24 on 64-bit");

struct conf first_conf;
