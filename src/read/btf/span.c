#include "read/btf/span.h"

#include <inttypes.h>
#include <linux/btf.h>
#include <string.h>

#include "read/bytes.h"

enum {
	TYPE_BYTES = sizeof(struct btf_type),
	HEADER_BYTES = sizeof(struct btf_header),
};

static struct error *damaged(const char *path, uint64_t off, const char *what)
{
	return error_new("%s: damaged BTF (%s at byte %" PRIu64 "); build the file again or copy "
			 "it again",
		path, what, off);
}

/* ---- the header ---- */

static struct error *read_header(const char *path, struct btf_span *span, uint64_t size)
{
	const uint8_t *data = span->data;
	if (size < HEADER_BYTES)
		return damaged(path, span->off, "only a part of a header");
	if (bytes_u16(data, false) != BTF_MAGIC && bytes_u16(data, true) != BTF_MAGIC)
		return damaged(path, span->off, "no header");
	span->swap = bytes_u16(data, false) != BTF_MAGIC;
	if (data[2] != BTF_VERSION)
		return error_new("%s: BTF of version %u, of which only version 1 is read; use the "
				 "file with DWARF",
			path, data[2]);
	uint32_t header_bytes = bytes_u32(data + 4, span->swap);
	uint32_t type_off = bytes_u32(data + 8, span->swap);
	uint32_t string_off = bytes_u32(data + 16, span->swap);
	span->type_bytes = bytes_u32(data + 12, span->swap);
	span->string_bytes = bytes_u32(data + 20, span->swap);
	uint64_t type_end = (uint64_t)type_off + span->type_bytes;
	uint64_t string_end = (uint64_t)string_off + span->string_bytes;
	if (header_bytes < HEADER_BYTES || header_bytes > size || type_end > string_off ||
		string_end > size - header_bytes || type_off % 4)
		return damaged(
			path, span->off, "a header of sections that do not fit into the file");
	span->types = data + header_bytes + type_off;
	span->strings = data + header_bytes + string_off;
	/* a longer header has sections that are not known: they go with it */
	span->size = header_bytes > HEADER_BYTES ? size : header_bytes + string_end;
	if (span->string_bytes && span->strings[span->string_bytes - 1])
		return damaged(path, span->off, "a string without end");
	span->is_split = span->type_bytes && (!span->string_bytes || span->strings[0]);
	return NULL;
}

/* ---- records ---- */

struct record {
	const uint8_t *data; /* struct btf_type, and what belongs to it */
	uint32_t kind, vlen;
	uint64_t bytes; /* all of it */
	uint64_t off;   /* in the section */
};

/* Bytes behind struct btf_type; false: a kind that is not known. */
static bool tail_bytes(uint32_t kind, uint32_t vlen, uint64_t *ret)
{
	switch (kind) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		*ret = sizeof(uint32_t);
		return true;
	case BTF_KIND_ARRAY:
		*ret = sizeof(struct btf_array);
		return true;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		*ret = (uint64_t)vlen * sizeof(struct btf_member);
		return true;
	case BTF_KIND_ENUM:
		*ret = (uint64_t)vlen * sizeof(struct btf_enum);
		return true;
	case BTF_KIND_ENUM64:
		*ret = (uint64_t)vlen * sizeof(struct btf_enum64);
		return true;
	case BTF_KIND_FUNC_PROTO:
		*ret = (uint64_t)vlen * sizeof(struct btf_param);
		return true;
	case BTF_KIND_DATASEC:
		*ret = (uint64_t)vlen * sizeof(struct btf_var_secinfo);
		return true;
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		*ret = 0;
		return true;
	default:
		return false;
	}
}

static struct error *read_record(
	const char *path, const struct btf_span *span, uint64_t at, struct record *ret)
{
	uint64_t left = span->type_bytes - at, tail;
	*ret = (struct record){.data = span->types + at,
		.off = span->off + (uint64_t)(span->types - span->data) + at};
	if (left < TYPE_BYTES)
		return damaged(path, ret->off, "a part of a type");
	uint32_t info = bytes_u32(ret->data + 4, span->swap);
	ret->kind = BTF_INFO_KIND(info);
	ret->vlen = BTF_INFO_VLEN(info);
	if (!tail_bytes(ret->kind, ret->vlen, &tail))
		return error_new("%s: BTF with a type of kind %u at byte %" PRIu64 ", which is not "
				 "known here; use the file with DWARF, or build with an older "
				 "pahole or compiler",
			path, ret->kind, ret->off);
	if (tail > left - TYPE_BYTES)
		return damaged(path, ret->off, "a type that reaches past the others");
	ret->bytes = TYPE_BYTES + tail;
	return NULL;
}

struct error *btf_span_read(
	const char *path, const uint8_t *data, uint64_t size, uint64_t off, struct btf_span *ret)
{
	struct btf_span span = {.data = data, .off = off};
	struct record record;
	struct error *error = read_header(path, &span, size);
	for (uint64_t at = 0; !error && at < span.type_bytes; at += record.bytes) {
		error = read_record(path, &span, at, &record);
		span.type_count++;
	}
	if (!error)
		*ret = span;
	return error;
}

/* ---- what they refer to ---- */

struct check {
	const char *path;
	const struct btf_span *span;
	const struct btf_span *base; /* NULL: none */
	const char *base_path;
	uint64_t type_limit, string_limit; /* what there is, the base included */
	uint64_t off;                      /* of the record */
};

static struct error *is_missing(const struct check *check, const char *what)
{
	if (check->base)
		return error_new("%s: its BTF was made against another base than %s (%s at byte "
				 "%" PRIu64 "); give the vmlinux that it was built for with "
				 "--btf-base",
			check->path, check->base_path, what, check->off);
	return damaged(check->path, check->off, what);
}

static struct error *check_type(const struct check *check, const uint8_t *at)
{
	if (bytes_u32(at, check->span->swap) < check->type_limit)
		return NULL;
	return is_missing(check, "a type that is not there");
}

static struct error *check_name(const struct check *check, const uint8_t *at)
{
	uint32_t off = bytes_u32(at, check->span->swap);
	if (off >= check->string_limit)
		return is_missing(check, "a name that is not there");
	/* those who write split BTF use whole strings: the middle of one is that of another base */
	if (check->base && off && off < check->base->string_bytes && check->base->strings[off - 1])
		return is_missing(check, "a name that begins in another");
	return NULL;
}

/* Does the kind refer to a type where others have their size? */
static bool has_type(uint32_t kind)
{
	switch (kind) {
	case BTF_KIND_PTR:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FUNC_PROTO:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
	case BTF_KIND_TYPE_TAG:
		return true;
	default:
		return false;
	}
}

/* Entries of `stride` bytes behind struct btf_type; -1: they have no name, no type. */
static struct error *check_entries(
	const struct check *check, const struct record *record, size_t stride, int name, int type)
{
	struct error *error = NULL;
	for (uint32_t i = 0; i < record->vlen && !error; i++) {
		const uint8_t *entry = record->data + TYPE_BYTES + i * stride;
		if (name >= 0)
			error = check_name(check, entry + name);
		if (!error && type >= 0)
			error = check_type(check, entry + type);
	}
	return error;
}

static struct error *check_record(const struct check *check, const struct record *record)
{
	const uint8_t *tail = record->data + TYPE_BYTES;
	struct error *error = check_name(check, record->data);
	if (!error && has_type(record->kind))
		error = check_type(check, record->data + 8);
	if (error)
		return error;
	switch (record->kind) {
	case BTF_KIND_ARRAY:
		error = check_type(check, tail + offsetof(struct btf_array, type));
		return error ? error
			     : check_type(check, tail + offsetof(struct btf_array, index_type));
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return check_entries(check, record, sizeof(struct btf_member),
			offsetof(struct btf_member, name_off), offsetof(struct btf_member, type));
	case BTF_KIND_FUNC_PROTO:
		return check_entries(check, record, sizeof(struct btf_param),
			offsetof(struct btf_param, name_off), offsetof(struct btf_param, type));
	case BTF_KIND_DATASEC:
		return check_entries(check, record, sizeof(struct btf_var_secinfo), -1,
			offsetof(struct btf_var_secinfo, type));
	case BTF_KIND_ENUM:
		return check_entries(check, record, sizeof(struct btf_enum),
			offsetof(struct btf_enum, name_off), -1);
	case BTF_KIND_ENUM64:
		return check_entries(check, record, sizeof(struct btf_enum64),
			offsetof(struct btf_enum64, name_off), -1);
	default:
		return NULL;
	}
}

struct error *btf_span_check(const char *path, const struct btf_span *span,
	const struct btf_span *base, const char *base_path)
{
	struct check check = {
		.path = path,
		.span = span,
		.base = base,
		.base_path = base_path,
		.type_limit = 1 + (uint64_t)span->type_count + (base ? base->type_count : 0),
		.string_limit = (uint64_t)span->string_bytes + (base ? base->string_bytes : 0),
	};
	struct record record;
	struct error *error = NULL;
	for (uint64_t at = 0; !error && at < span->type_bytes; at += record.bytes) {
		error = read_record(path, span, at, &record);
		check.off = record.off;
		if (!error)
			error = check_record(&check, &record);
	}
	return error;
}
