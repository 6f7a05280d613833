// Structs that a function has to itself: one name, two functions, two layouts.
// run: --all-definitions struct local inner
#include <stddef.h>

int one(int n);
int two(int n);

int one(int n)
{
	struct local {
		char a;
		int b;
	} local = {(char)n, n};
	_Static_assert(offsetof(struct local, b) == 4, "a hole before b");
	return local.a + local.b;
}

int two(int n)
{
	struct local {
		long a;
		struct inner {
			short x, y;
		} b;
	} local = {n, {1, 2}};
	_Static_assert(offsetof(struct local, b) == sizeof(long), "after a");
	{
		struct inner {
			char x;
		} shadow = {(char)n};
		return (int)local.a + local.b.x + shadow.x;
	}
}
