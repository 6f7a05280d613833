#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static _Thread_local struct open_file *closed;

static void keep(struct file *file)
{
	struct open_file *open_file = (struct open_file *)file;

	open_file->next = closed;
	closed = open_file;
}

/* Reusable: the memory is a file for good, as Linux's is (SLAB_TYPESAFE_BY_RCU). */
static const struct file_operations operations = {.free = keep, .reusable = true};

struct open_file *table_file(const unsigned char *bytes, unsigned long size)
{
	struct open_file *file = closed;

	if (file)
		closed = file->next;
	else
		file = aligned_alloc(_Alignof(struct open_file), sizeof(*file));
	if (!file)
		return NULL;
	file->position = 0;
	file->bytes = bytes;
	file->size = size;
	file_init(&file->file, &operations, MODE_READ, NULL);
	return file;
}

#ifdef LINELINT_RECORD

#include "../files_struct.h"

/* All memory of the table, one object to the recorder: offsets in it are places, so that no line is missed. */
struct table_memory {
	_Alignas(4096) unsigned char bytes[1 << 23];
};

static struct table_memory memory;
static _Atomic size_t used;

static void *allocate(size_t alignment, size_t size)
{
	size_t room = (size + 63) / 64 * 64, at;

	if (alignment > 64)
		room += alignment;
	at = atomic_fetch_add(&used, room);
	if (at + room > sizeof(memory))
		return NULL;
	return memory.bytes + (at + alignment - 1) / alignment * alignment;
}

/* Nothing is used again: the recorder shall not take one object's lines for another's. */
static void release(void *unused)
{
	(void)unused;
}

static void record_memory(void)
{
	static const struct fdtable_memory functions = {allocate, release};

	LINELINT_TRACK(&memory);
	fdtable_set_memory(&functions);
}

/* Its head by its own types as well, for profiles of fields: with what the library keeps behind it, and alone. */
static void record_table(struct files_struct *files)
{
	struct files *head = (struct files *)files;

	LINELINT_TRACK(head);
	LINELINT_TRACK(files);
#if HAS_FDT
	LINELINT_TRACK(&files->fdtab);
#endif
}

#else

static void record_memory(void)
{
}

static void record_table(struct files_struct *files)
{
	(void)files;
}

#endif

struct files_struct *table_new(bool any_number)
{
	struct fdtable_options options = {.any_number = any_number};
	struct files_struct *files;
	int error;

	record_memory();
	error = files_create(&options, &files);
	if (error) {
		fprintf(stderr, "no table: %s\n", strerror(-error));
		exit(1);
	}
	record_table(files);
	return files;
}
