#include "read/btf.h"

#include <bpf/libbpf.h>
#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "read/btf/part.h"
#include "read/btf/span.h"

static struct error *no_btf(const struct object *object)
{
	return error_new("%s: no .BTF section; build with -gbtf (for a kernel with "
			 "CONFIG_DEBUG_INFO_BTF), or leave out --from btf",
		object->path);
}

/* ---- the spans of a section ---- */

struct spans {
	struct btf_span *items; /* owned */
	size_t count, capacity;
};

/* Sections are padded with zeros. */
static bool is_zero(const uint8_t *data, uint64_t size)
{
	for (uint64_t i = 0; i < size; i++)
		if (data[i])
			return false;
	return true;
}

static struct error *read_spans(
	const char *path, const struct object_section *section, struct spans *ret)
{
	uint64_t off = 0;
	do {
		struct btf_span span;
		struct error *error =
			btf_span_read(path, section->data + off, section->size - off, off, &span);
		if (error)
			return error;
		ret->items =
			mem_grow(ret->items, &ret->capacity, ret->count + 1, sizeof(*ret->items));
		ret->items[ret->count++] = span;
		off += span.size;
	} while (!is_zero(section->data + off, section->size - off));
	return NULL;
}

struct error *btf_file_needs_base(const struct object *object, bool *ret)
{
	const struct object_section *section = &object->sections[OBJECT_BTF];
	struct btf_span span;
	if (!section->data)
		return no_btf(object);
	struct error *error = btf_span_read(object->path, section->data, section->size, 0, &span);
	if (!error)
		*ret = span.is_split;
	return error;
}

/* ---- opening ---- */

static uint32_t span_order(const struct btf_span *span, uint32_t number)
{
	return span->swap ? __builtin_bswap32(number) : number;
}

static uint8_t *put(uint8_t *at, const void *bytes, uint32_t size)
{
	if (size)
		memcpy(at, bytes, size);
	return at + size;
}

/*
 * libbpf gets one plain BTF: a split one goes on behind its base, types and strings, so that both together are one that is
 * not split (and libbpf 1.1 exports no way to open a split one from memory); and in the other byte order it knows one
 * length of the header. NULL: longer than a header can say.
 */
static uint8_t *join(const struct btf_span *base, const struct btf_span *span, uint32_t *size)
{
	struct btf_header header;
	uint32_t base_types = base ? base->type_bytes : 0;
	uint32_t base_strings = base ? base->string_bytes : 0;
	uint64_t types = (uint64_t)base_types + span->type_bytes;
	uint64_t strings = (uint64_t)base_strings + span->string_bytes;
	if (sizeof(header) + types + strings > INT32_MAX)
		return NULL;
	*size = (uint32_t)(sizeof(header) + types + strings);
	memcpy(&header, span->data, sizeof(header));
	header.hdr_len = span_order(span, sizeof(header));
	header.type_off = 0;
	header.type_len = span_order(span, (uint32_t)types);
	header.str_off = header.type_len;
	header.str_len = span_order(span, (uint32_t)strings);
	uint8_t *plain = mem_new(*size, 1), *at = plain;
	at = put(at, &header, sizeof(header));
	at = put(at, base ? base->types : NULL, base_types);
	at = put(at, span->types, span->type_bytes);
	at = put(at, base ? base->strings : NULL, base_strings);
	put(at, span->strings, span->string_bytes);
	return plain;
}

static struct error *open_span(const char *path, const struct btf_span *base,
	const struct btf_span *span, struct btf **ret)
{
	uint32_t size;
	uint8_t *plain = join(base, span, &size);
	if (!plain)
		return error_new("%s: more than 2 GiB of BTF; use the file with DWARF", path);
	libbpf_set_print(NULL); /* its words are for programmers */
	*ret = btf__new(plain, size);
	mem_free(plain);
	if (*ret)
		return NULL;
	return error_new("%s: damaged BTF (at byte %" PRIu64 "); build the file again or copy it "
			 "again",
		path, span->off);
}

/* Finds the base's one span. */
static struct error *read_base(const struct btf_base *base, struct spans *spans)
{
	if (!base)
		return NULL;
	struct error *error = read_spans(base->path, base->section, spans);
	if (error)
		return error;
	if (spans->items[0].is_split || spans->count > 1)
		return error_new("%s: no base, for its BTF %s; give the vmlinux with --btf-base",
			base->path, spans->count > 1 ? "is of several units" : "has one itself");
	return btf_span_check(base->path, &spans->items[0], NULL, NULL);
}

static struct error *open_part(const struct btf_file *file, const struct btf_span *span,
	const struct btf_span *base, const char *base_path, struct btf_part *part)
{
	if (span->is_split && !base)
		return error_new("%s: split BTF at byte %" PRIu64 ", which builds on a kernel's; "
				 "give that with --btf-base",
			file->path, span->off);
	if (!span->is_split)
		base = NULL;
	if (base && base->swap != span->swap)
		return error_new("%s: its byte order is not that of %s; give the vmlinux that it "
				 "was built for with --btf-base",
			file->path, base_path);
	struct error *error = btf_span_check(file->path, span, base, base_path);
	if (!error)
		error = open_span(file->path, base, span, &part->btf);
	if (error)
		return error;
	part->first = base ? 1 + base->type_count : 1;
	part->end = btf__type_cnt(part->btf);
	return NULL;
}

static struct error *open_parts(struct arena *arena, struct btf_file *file,
	const struct spans *spans, const struct spans *base, const char *base_path)
{
	struct error *error = NULL;
	file->parts = arena_new(arena, spans->count, sizeof(*file->parts));
	for (size_t i = 0; i < spans->count && !error; i++) {
		error = open_part(file, &spans->items[i], base->items, base_path, &file->parts[i]);
		file->part_count += !error;
	}
	return error;
}

/* What raw BTF does not say, its types do. */
static void find_pointer_bytes(const struct object *object, struct btf_file *file)
{
	file->machine = object->types;
	for (size_t i = 0; i < file->part_count && object->is_raw_btf; i++) {
		size_t bytes = btf__pointer_size(file->parts[i].btf);
		if (bytes != 4 && bytes != 8)
			continue;
		file->machine.pointer_bytes = (uint32_t)bytes;
		return;
	}
}

struct error *btf_file_open(struct arena *arena, const struct object *object,
	const struct btf_base *base, struct btf_file **ret)
{
	const struct object_section *section = &object->sections[OBJECT_BTF];
	struct btf_file *file = arena_new(arena, 1, sizeof(*file));
	struct spans spans = {0}, base_spans = {0};
	if (!section->data)
		return no_btf(object);
	file->path = object->path;
	struct error *error = read_spans(object->path, section, &spans);
	if (!error)
		error = read_base(base, &base_spans);
	if (!error)
		error = open_parts(arena, file, &spans, &base_spans, base ? base->path : NULL);
	mem_free(spans.items);
	mem_free(base_spans.items);
	if (error) {
		btf_file_close(file);
		return error;
	}
	find_pointer_bytes(object, file);
	*ret = file;
	return NULL;
}

void btf_file_close(struct btf_file *file)
{
	if (!file)
		return;
	for (size_t i = 0; i < file->part_count; i++)
		btf__free(file->parts[i].btf);
	file->part_count = 0;
}

struct type_machine btf_file_machine(const struct btf_file *file)
{
	return file->machine;
}
