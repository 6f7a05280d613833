#include "read/dwarf/lines.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "read/bytes.h"
#include "read/dw.h"

/* DWARF 5 section 7.22, table 7.27: what an entry's fields are. */
enum { DW_LNCT_path = 1, DW_LNCT_directory_index = 2 };

enum { FORMATS_MAX = 16 };

/* A place in the header; `good` is false once something did not fit. */
struct cursor {
	const struct object *object;
	const uint8_t *at, *end;
	bool swap, good;
	uint8_t offset_bytes;
};

static uint64_t take(struct cursor *cursor, size_t bytes)
{
	if (!cursor->good || (size_t)(cursor->end - cursor->at) < bytes) {
		cursor->good = false;
		return 0;
	}
	uint64_t value = bytes_uint(cursor->at, bytes, cursor->swap);
	cursor->at += bytes;
	return value;
}

static uint64_t take_leb(struct cursor *cursor)
{
	uint64_t value = 0;
	cursor->good = cursor->good && bytes_uleb(&cursor->at, cursor->end, &value);
	return value;
}

static void skip(struct cursor *cursor, uint64_t bytes)
{
	if (!cursor->good || (uint64_t)(cursor->end - cursor->at) < bytes)
		cursor->good = false;
	else
		cursor->at += bytes;
}

/* A string in place; the cursor moves behind its NUL. */
static struct lines_directory take_string(struct cursor *cursor)
{
	struct lines_directory string = {cursor->at, cursor->end};
	size_t have = cursor->good ? (size_t)(cursor->end - cursor->at) : 0;
	const uint8_t *nul = have ? memchr(cursor->at, 0, have) : NULL;
	if (nul)
		cursor->at = nul + 1;
	else
		cursor->good = false;
	return string;
}

static struct lines_directory string_in(
	const struct cursor *cursor, enum object_section_id id, uint64_t off)
{
	const struct object_section *section = &cursor->object->sections[id];
	if (!section->data || off >= section->size)
		return (struct lines_directory){NULL, NULL};
	return (struct lines_directory){section->data + off, section->data + section->size};
}

/* ---- version 5 ---- */

struct format {
	uint64_t content, form;
};

/* One field of an entry, into `text` or `number` according to its form. */
static void take_field(
	struct cursor *cursor, uint64_t form, struct lines_directory *text, uint64_t *number)
{
	switch (form) {
	case DW_FORM_string:
		*text = take_string(cursor);
		break;
	case DW_FORM_line_strp:
		*text = string_in(
			cursor, OBJECT_DEBUG_LINE_STR, take(cursor, cursor->offset_bytes));
		break;
	case DW_FORM_strp:
		*text = string_in(cursor, OBJECT_DEBUG_STR, take(cursor, cursor->offset_bytes));
		break;
	case DW_FORM_udata:
		*number = take_leb(cursor);
		break;
	case DW_FORM_data1:
		*number = take(cursor, 1);
		break;
	case DW_FORM_data2:
		*number = take(cursor, 2);
		break;
	case DW_FORM_data4:
		*number = take(cursor, 4);
		break;
	case DW_FORM_data8:
		*number = take(cursor, 8);
		break;
	case DW_FORM_data16:
		skip(cursor, 16);
		break;
	case DW_FORM_block:
		skip(cursor, take_leb(cursor));
		break;
	default:
		cursor->good = false;
	}
}

static size_t take_formats(struct cursor *cursor, struct format *formats)
{
	uint64_t count = take(cursor, 1);
	if (count > FORMATS_MAX) {
		cursor->good = false;
		return 0;
	}
	for (size_t i = 0; i < count; i++) {
		formats[i].content = take_leb(cursor);
		formats[i].form = take_leb(cursor);
	}
	return (size_t)count;
}

static void add_directory(struct lines *lines, struct lines_directory directory)
{
	lines->directories = mem_grow(lines->directories, &lines->directory_capacity,
		lines->directory_count + 1, sizeof(*lines->directories));
	lines->directories[lines->directory_count++] = directory;
}

static void add_file(struct lines *lines, struct lines_directory name, uint64_t directory)
{
	lines->files = mem_grow(
		lines->files, &lines->file_capacity, lines->file_count + 1, sizeof(*lines->files));
	lines->files[lines->file_count++] =
		(struct lines_file){name.name, name.limit, directory, NULL};
}

enum table { DIRECTORIES, FILES };

/*
 * A list of directories or files. An entry takes at least a byte, so that a count cannot promise more than
 * there is.
 */
static void take_entries(struct cursor *cursor, struct lines *lines, enum table table)
{
	struct format formats[FORMATS_MAX];
	size_t format_count = take_formats(cursor, formats);
	uint64_t count = take_leb(cursor);
	if (format_count == 0)
		count = 0;
	for (uint64_t i = 0; i < count && cursor->good; i++) {
		struct lines_directory name = {NULL, NULL}, other;
		uint64_t directory = 0, number;
		const uint8_t *start = cursor->at;
		for (size_t k = 0; k < format_count; k++)
			take_field(cursor, formats[k].form,
				formats[k].content == DW_LNCT_path ? &name : &other,
				formats[k].content == DW_LNCT_directory_index ? &directory
									      : &number);
		if (!cursor->good || cursor->at == start)
			break;
		if (table == FILES)
			add_file(lines, name, directory);
		else
			add_directory(lines, name);
	}
}

/* ---- versions 2 to 4 ---- */

static void take_old_entries(struct cursor *cursor, struct lines *lines)
{
	for (;;) {
		struct lines_directory directory = take_string(cursor);
		if (!cursor->good || !*directory.name)
			break;
		add_directory(lines, directory);
	}
	while (cursor->good) {
		struct lines_directory name = take_string(cursor);
		if (!cursor->good || !*name.name)
			break;
		uint64_t directory = take_leb(cursor);
		take_leb(cursor); /* time of modification */
		take_leb(cursor); /* length */
		if (cursor->good)
			add_file(lines, name, directory);
	}
}

void lines_read(
	struct lines *lines, const struct object *object, uint64_t off, const char *comp_dir)
{
	const struct object_section *section = &object->sections[OBJECT_DEBUG_LINE];
	*lines = (struct lines){.first = 1, .comp_dir = comp_dir};
	if (!section->data || off >= section->size)
		return;
	struct cursor cursor = {
		.object = object,
		.at = section->data + off,
		.end = section->data + section->size,
		.swap = bytes_swapped(object->types.big_endian),
		.good = true,
		.offset_bytes = 4,
	};
	uint64_t length = take(&cursor, 4);
	if (length == 0xffffffff) {
		cursor.offset_bytes = 8;
		length = take(&cursor, 8);
	}
	if (cursor.good && length < (uint64_t)(cursor.end - cursor.at))
		cursor.end = cursor.at + length;
	uint64_t version = take(&cursor, 2);
	if (version < 2 || version > 5)
		return;
	if (version == 5)
		skip(&cursor, 2);            /* sizes of addresses and segments */
	skip(&cursor, cursor.offset_bytes);  /* length of the header */
	skip(&cursor, version >= 4 ? 5 : 4); /* parameters of the program */
	uint64_t opcodes = take(&cursor, 1);
	skip(&cursor, opcodes ? opcodes - 1 : 0);
	if (version == 5) {
		lines->first = 0;
		take_entries(&cursor, lines, DIRECTORIES);
		take_entries(&cursor, lines, FILES);
	} else {
		take_old_entries(&cursor, lines);
	}
}

void lines_release(struct lines *lines)
{
	mem_free(lines->files);
	mem_free(lines->directories);
	*lines = (struct lines){0};
}

static void put_string(struct buf *text, const uint8_t *name, const uint8_t *limit)
{
	size_t have = (size_t)(limit - name);
	const uint8_t *nul = have ? memchr(name, 0, have) : NULL;
	buf_add(text, name, nul ? (size_t)(nul - name) : have);
}

static const char *without_prefix(const char *path, const char *directory)
{
	size_t length = strlen(directory);
	while (length && directory[length - 1] == '/')
		length--;
	if (length && strncmp(path, directory, length) == 0 && path[length] == '/')
		path += length + 1;
	while (path[0] == '.' && path[1] == '/')
		path += 2;
	return path;
}

/* Type units do not say where they were compiled, but the first directory of version 5 does. */
static const char *comp_dir(const struct lines *lines)
{
	if (*lines->comp_dir || lines->first != 0 || !lines->directory_count)
		return lines->comp_dir;
	const struct lines_directory *directory = &lines->directories[0];
	size_t have = directory->name ? (size_t)(directory->limit - directory->name) : 0;
	return have && memchr(directory->name, 0, have) ? (const char *)directory->name : "";
}

const char *lines_path(struct lines *lines, uint64_t index, struct intern *strings)
{
	if (index < lines->first || index - lines->first >= lines->file_count)
		return NULL;
	struct lines_file *file = &lines->files[index - lines->first];
	if (file->path || !file->name || file->name >= file->limit)
		return file->path;

	struct buf text;
	buf_init(&text);
	bool is_absolute = file->name[0] == '/';
	if (!is_absolute && file->directory >= lines->first &&
		file->directory - lines->first < lines->directory_count) {
		const struct lines_directory *directory =
			&lines->directories[file->directory - lines->first];
		if (directory->name)
			put_string(&text, directory->name, directory->limit);
		if (text.length && text.data[text.length - 1] != '/')
			buf_putc(&text, '/');
	}
	put_string(&text, file->name, file->limit);
	file->path = intern_get(strings, without_prefix(text.data, comp_dir(lines)));
	buf_release(&text);
	return file->path;
}
