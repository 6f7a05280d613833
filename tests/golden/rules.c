// One struct for each rule, with rules.yaml.
// run: check
// exit: 1
#include <stddef.h>

struct false_sharing { /* LL001 */
	long counter;
	const void *operations;
	long flags;
	long rest[5];
};

struct write_sharing { /* LL002 */
	long sent;
	long received;
	long rest[6];
};

struct __attribute__((packed)) straddle { /* LL003 */
	char start[60];
	long value; /* over two lines */
	char rest[60];
};

struct scattered { /* LL004 */
	long first;
	long a[7];
	long second;
	long b[7];
	long third;
	long c[7];
};

struct element { /* LL005 */
	long mine;
	long rest[2];
};
struct element elements[16] __attribute__((aligned(64)));

struct holes { /* LL006 */
	char a;
	long b[3];
	char c;
	long d[3];
	char e;
	long f;
};
_Static_assert(sizeof(struct holes) == 80, "56 bytes and three that take 24");

struct loose { /* LL007 */
	long head;
	long counter;
	long rest[6];
	const void *operations; /* apart from counter, unless the object starts 8 bytes before a line */
};

struct allocation { /* LL008 */
	char bytes[68];
};

struct broken { /* LL009 */
	long a[8];
	long b;
};

struct stale { /* LL010 */
	long renamed;
};

struct adjacent { /* LL012 */
	long counter;
	long rest[7];
	const void *operations;
	long written;
	long more[6];
};

struct false_sharing a;
struct write_sharing b;
struct straddle c;
struct scattered d;
struct holes f;
struct loose g;
struct allocation h;
struct broken i;
struct stale j;
struct adjacent k;
