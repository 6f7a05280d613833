// Pointers to functions, as C writes them.
// members: struct calls: plain none variadic returns_pointer takes_function returns_function array typedefed nested qualified
#include <stddef.h>

struct file;
typedef long (*reader_t)(struct file *, char *, unsigned long);

struct calls {
	void (*plain)(int);
	int (*none)(void);
	int (*variadic)(const char *, ...);
	struct file *(*returns_pointer)(struct file *const *);
	void (*takes_function)(void (*)(int), void *);
	void (*(*returns_function)(int, void (*)(int)))(int); /* signal(2) */
	int (*array[2][3])(char);
	reader_t typedefed;
	int (*(*nested)(void))[5];
	int (*const volatile qualified)(int *restrict);
};
_Static_assert(offsetof(struct calls, typedefed) == 12 * sizeof(void *), "twelve pointers before");

struct calls some_calls;
