/* A table and its files for the benchmarks. */
#ifndef FDTABLE_BENCH_TABLE_H
#define FDTABLE_BENCH_TABLE_H

#include "../fdtable.h"

/* An open file: what the table knows, and what read and lseek need. On lines of its own. */
struct open_file {
	_Alignas(FDTABLE_LINE) struct file file;
	unsigned long position;
	const unsigned char *bytes;
	unsigned long size;
	struct open_file *next; /* of those that are closed */
};

enum { MODE_READ = 1 };

/* A table; the program ends when there is no memory. any_number: see fdtable.h. Recorded, all its memory is one object. */
struct files_struct *table_new(bool any_number);

/*
 * An open file with a reference, from those that this thread closed, or a new one: what is measured is the table, not the
 * allocator. `bytes` stay the caller's. NULL when there is no memory.
 */
struct open_file *table_file(const unsigned char *bytes, unsigned long size);

#endif
