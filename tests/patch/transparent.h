/*
 * patch: struct space
 * writes: users
 * reads: tree base start
 *
 * All members in one unnamed struct, and a flexible array behind it.
 */
#define __randomize_layout
struct space {
	struct {
		void *tree;
		/** @users: who is in it */
		unsigned long users;
		unsigned long base;	/* of mappings */
#ifdef CONFIG_COMPAT
		unsigned long compat_base;
#endif
		unsigned long start, end;
		char cold[64];
	} __randomize_layout;

	unsigned long cpu_bitmap[];
};
struct space *a_space;
