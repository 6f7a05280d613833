/* What every packaging is checked with: the bits of each member stand in the object itself, see tests/suites/packaging.py. */
struct inner {
	short x;
	signed char y : 5;
	unsigned z : 9;
};

struct subject {
	char a;
	unsigned b : 3, c : 7, d : 1;
	unsigned long long wide : 40;
	int e;
	long f[3];
	struct inner in;
	union {
		int u;
		unsigned char v : 3;
	};
	void *p;
	unsigned whole : 32;
	struct inner many[2];
	struct subject *next;
};

#define ONE(...) {__VA_ARGS__},
__attribute__((section(".probes"), used)) const struct subject probes[] = {
#include PROBES
};

struct subject *subject_pointer;

#ifdef LINKED
int main(void)
{
	return subject_pointer != 0;
}
#endif
