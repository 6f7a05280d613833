/*
 * span: the bytes of one BTF, checked before anybody follows what stands in them.
 *
 * Private to btf. linux/btf.h, Documentation/bpf/btf.rst. libbpf believes most of what it is given, so that here every record
 * must fit, every kind be known, and every type id and string offset be one that exists. What the types then make of each
 * other (circles, a function as a member) is for table.h.
 */
#ifndef READ_BTF_SPAN_H
#define READ_BTF_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* One BTF in a section: a header and what it describes. */
struct btf_span {
	const uint8_t *data;    /* the header */
	uint64_t off;           /* of that in the section */
	uint64_t size;          /* bytes up to the end of what it describes */
	bool swap;              /* its numbers are in the other byte order */
	const uint8_t *types;   /* of `type_bytes` */
	uint32_t type_bytes;
	const uint8_t *strings; /* of `string_bytes`; the last one is 0 */
	uint32_t string_bytes;
	uint32_t type_count;    /* types of its own */
	bool is_split;          /* needs a base: the empty string is not its own */
};

/*
 * The BTF at data[0..size), which is at `off` of its section. Errors, with `path`: damaged header, records that do not fit,
 * a kind that is not known.
 */
struct error *btf_span_read(
	const char *path, const uint8_t *data, uint64_t size, uint64_t off, struct btf_span *ret);

/*
 * Does all that it refers to exist? `base` is NULL unless it is split, and was checked already. Errors: a type id or a string
 * that is not there; for a split one this says that `base_path` is another one than it was made for.
 */
struct error *btf_span_check(const char *path, const struct btf_span *span,
	const struct btf_span *base, const char *base_path);

#endif
