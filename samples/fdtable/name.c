/* What this library was built with. */
#include "fdtable.h"

const char *fdtable_layout_name(void)
{
	static const char *const names[] = {
		[FDTABLE_LINUX_2_6_13] = "linux-2.6.13",
		[FDTABLE_DUMAZET_2005] = "dumazet-2005",
		[FDTABLE_DUMAZET_2005_LONG] = "dumazet-2005-long",
		[FDTABLE_BEST] = "best",
	};

	return names[FDTABLE_LAYOUT];
}

const char *fdtable_install_name(void)
{
	static const char *const names[] = {
		[FDTABLE_INSTALL_LOCK] = "lock",
		[FDTABLE_INSTALL_SEQCOUNT] = "seqcount",
		[FDTABLE_INSTALL_RESIZE] = "resize",
		[FDTABLE_INSTALL_BEST] = "best",
	};

	return names[FDTABLE_INSTALL];
}

const char *fdtable_alloc_name(void)
{
	static const char *const names[] = {
		[FDTABLE_ALLOC_LOCK] = "lock",
		[FDTABLE_ALLOC_ATOMIC] = "atomic",
		[FDTABLE_ALLOC_HINT] = "hint",
		[FDTABLE_ALLOC_BATCH] = "batch",
	};

	return names[FDTABLE_ALLOC];
}
