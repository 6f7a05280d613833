/*
 * A libdwarf that crashes, or stands still, on entries of a certain name: LD_PRELOAD, with CRASH_ON=NAME, or LOOP_ON=NAME.
 * What real files do to it differs from version to version.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <libdwarf/libdwarf.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

int dwarf_attrlist(Dwarf_Die die, Dwarf_Attribute **list, Dwarf_Signed *count, Dwarf_Error *error)
{
	int (*next)(Dwarf_Die, Dwarf_Attribute **, Dwarf_Signed *, Dwarf_Error *) = NULL;
	*(void **)&next = dlsym(RTLD_NEXT, "dwarf_attrlist");
	const char *crash = getenv("CRASH_ON"), *loop = getenv("LOOP_ON");
	char *name = NULL;
	if (dwarf_diename(die, &name, error) == DW_DLV_OK && name) {
		if (crash && strcmp(name, crash) == 0)
			raise(SIGSEGV);
		while (loop && strcmp(name, loop) == 0)
			__asm__ volatile("");
	}
	return next(die, list, count, error);
}
