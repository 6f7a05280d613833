/*
 * json_value: what JSON documents are made of, as cJSON items. Private to render/json*.c.
 */
#ifndef RENDER_JSON_VALUE_H
#define RENDER_JSON_VALUE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <cjson/cJSON.h>

#include "base/buf.h"
#include "base/mem.h"
#include "render/render.h"

/* Never NULL: cJSON returns it when memory is short, and so do we not. */
static inline cJSON *must(cJSON *item)
{
	if (!item)
		mem_exhausted();
	return item;
}

static inline void add(cJSON *object, const char *key, cJSON *value)
{
	cJSON_AddItemToObjectCS(object, key, must(value));
}

/* cJSON's numbers are doubles, printed with 15 digits: integers are written as they are. */
static inline cJSON *natural(uint64_t value)
{
	char digits[24], *at = digits + sizeof(digits) - 1;
	*at = '\0';
	do
		*--at = (char)('0' + value % 10);
	while ((value /= 10) != 0);
	return must(cJSON_CreateRaw(at));
}

/* As many digits as mean something, so that no compiler's last bit changes the document. */
static inline cJSON *real(double value)
{
	char digits[32];
	snprintf(digits, sizeof(digits), "%.9g", isfinite(value) ? value : 0);
	return must(cJSON_CreateRaw(digits));
}

static inline bool is_plain(const char *string)
{
	const unsigned char *at = (const unsigned char *)string;
	while (*at >= 0x20 && *at < 0x7f)
		at++;
	return !*at;
}

/* `string` must outlive the document. Bytes that are no text are shown as \xNN. */
static inline cJSON *text(const char *string)
{
	if (is_plain(string))
		return must(cJSON_CreateStringReference(string));
	struct buf buf;
	buf_init(&buf);
	buf_put_visible(&buf, string);
	cJSON *item = must(cJSON_CreateString(buf.data));
	buf_release(&buf);
	return item;
}

static inline cJSON *text_or_null(const char *string)
{
	return string ? text(string) : must(cJSON_CreateNull());
}

static inline cJSON *boolean(bool value)
{
	return must(cJSON_CreateBool(value));
}

/* Prints an item and lets it go. */
static inline void print(FILE *out, cJSON *item)
{
	char *bytes = cJSON_PrintUnformatted(item);
	if (!bytes)
		mem_exhausted();
	fputs(bytes, out);
	cJSON_free(bytes);
	cJSON_Delete(item);
}

/* The beginning of every document: its opening brace, version, tool and binaries. */
void json_open(FILE *out, const struct report_frame *frame);

/* One struct, all that is known about it. Strings of the item are kept in `arena`. */
cJSON *json_struct(
	struct arena *arena, const struct render_style *style, const struct report_struct *report);

/* Accesses to a member, or null; where something is declared; a map's profile, or null; a finding of a report. */
cJSON *json_access(const struct access_map *map, const struct layout_member *member);
cJSON *json_declared(const char *file, uint32_t line);
cJSON *json_profile(const struct access_map *map);
cJSON *json_finding(const struct report_struct *report, const struct finding *finding);

/* The frame's variables: a key of the document and what belongs to it, with a comma before it. */
void json_vars(FILE *out, const struct report_frame *frame);

/* Those of a struct that are shown, as an array. */
cJSON *json_suggestions(const struct report_struct *report);

/* What `padding: allowed` would make of the struct; null where that was not asked, or comes to nothing. */
cJSON *json_padded(const struct report_struct *report);
cJSON *json_trade(const struct report_struct *report); /* null: none */

/* Pairs that share a line, as an array. */
cJSON *json_pairs(const struct suggest_pair *pairs, size_t count);

/* See struct renderer. */
void json_replay(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct report_struct *report, const struct replay *replay);
void json_diff(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct diff *diffs, size_t count);

#endif
