#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/number.h"
#include "import/record.h"

#define MAGIC "linelint-record"

enum {
	WORDS_MAX = RECORD_SEQUENCE_MAX + 4, /* of a line */
};

/* A recording while its lines are read; the tables are on the heap. */
struct reader {
	struct arena *arena;
	const char *name;
	size_t line;
	char **words;
	size_t word_count;
	bool has_program, has_end;
	struct record record;

	struct record_role *roles;
	size_t role_capacity;
	struct record_class *classes;
	size_t class_capacity;
	struct record_global *globals;
	size_t global_capacity;
	struct record_threads *threads;
	size_t thread_capacity;
	struct record_count *counts;
	size_t count_capacity;
	struct record_operation *operations;
	size_t operation_capacity;
	struct record_loss *losses;
	size_t loss_capacity;
};

static struct error *fault(const struct reader *reader, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static struct error *fault(const struct reader *reader, const char *format, ...)
{
	struct buf text;
	va_list args;
	buf_init(&text);
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	struct error *error = error_new("%s:%zu: %s; the file is damaged, record again",
		reader->name, reader->line, text.data);
	buf_release(&text);
	return error;
}

/* ---- words ---- */

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

/* Decimal, or hexadecimal after 0x. */
static bool parse_number(const char *text, uint64_t *ret)
{
	uint64_t base = text[0] == '0' && text[1] == 'x' ? 16 : 10, value = 0;
	text += base == 16 ? 2 : 0;
	if (!*text)
		return false;
	for (; *text; text++) {
		uint64_t digit = (uint64_t)digit_of(*text);
		if (digit >= base || __builtin_mul_overflow(value, base, &value) ||
			__builtin_add_overflow(value, digit, &value))
			return false;
	}
	*ret = value;
	return true;
}

static struct error *read_number(const struct reader *reader, size_t word, const char *what,
	uint64_t least, uint64_t most, uint64_t *ret)
{
	const char *text = reader->words[word];
	if (!parse_number(text, ret) || *ret < least || *ret > most)
		return fault(reader,
			"'%.64s' is no %s; expected a number from %" PRIu64 " to %" PRIu64, text,
			what, least, most);
	return NULL;
}

static struct error *read_count(
	const struct reader *reader, size_t word, const char *what, uint64_t *ret)
{
	return read_number(reader, word, what, 0, UINT64_MAX, ret);
}

/* The fixed words of a line: "threads" before a number. */
static struct error *expect_word(const struct reader *reader, size_t word, const char *expected)
{
	if (strcmp(reader->words[word], expected) == 0)
		return NULL;
	return fault(reader, "'%.64s' instead of '%s'", reader->words[word], expected);
}

/* %XX is a byte. */
static struct error *read_name(const struct reader *reader, size_t word, const char **ret)
{
	const char *text = reader->words[word];
	char *name = arena_new(reader->arena, strlen(text) + 1, 1), *to = name;
	for (const char *s = text; *s; s++) {
		if (*s != '%') {
			*to++ = *s;
			continue;
		}
		int high = digit_of(s[1]), low = high < 16 ? digit_of(s[2]) : 16;
		if (low >= 16 || (!high && !low))
			return fault(reader,
				"'%.64s' has a %% that is not followed by two "
				"hexadecimal digits of a byte",
				text);
		*to++ = (char)(high * 16 + low);
		s += 2;
	}
	*ret = name;
	return NULL;
}

static struct error *read_role_index(const struct reader *reader, size_t word, uint32_t *ret)
{
	uint64_t role;
	if (!parse_number(reader->words[word], &role) || role >= reader->record.role_count)
		return fault(reader, "'%.64s' is no role of this recording", reader->words[word]);
	*ret = (uint32_t)role;
	return NULL;
}

static struct error *read_class_index(const struct reader *reader, size_t word, uint32_t *ret)
{
	uint64_t number;
	if (strcmp(reader->words[word], "g") == 0) {
		*ret = RECORD_GLOBALS;
		return NULL;
	}
	size_t low = 0, high = reader->record.class_count;
	if (!parse_number(reader->words[word], &number))
		number = UINT64_MAX;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (reader->classes[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == reader->record.class_count || reader->classes[low].number != number)
		return fault(reader, "'%.64s' is no class of this recording", reader->words[word]);
	*ret = (uint32_t)low;
	return NULL;
}

/* ---- accesses ---- */

static struct error *parse_access(const struct reader *reader, uint32_t class_index,
	const char *kind, const char *offset, const char *size, struct record_access *ret)
{
	const char *kinds = "rwx", *found = kind[0] && !kind[1] ? strchr(kinds, kind[0]) : NULL;
	static const enum access_kind meanings[] = {ACCESS_READ, ACCESS_WRITE, ACCESS_RMW};
	uint64_t size_bytes, end;
	if (!found)
		return fault(reader,
			"'%.64s' is no kind of access; expected r, w or x (read-modify-write)",
			kind);
	ret->kind = meanings[found - kinds];
	if (!parse_number(offset, &ret->off_bytes) ||
		(class_index != RECORD_GLOBALS && ret->off_bytes >= RECORD_OFFSET_MAX))
		return fault(reader, "'%.64s' is no offset", offset);
	if (!parse_number(size, &size_bytes) || !size_bytes || size_bytes > RECORD_ACCESS_MAX ||
		__builtin_add_overflow(ret->off_bytes, size_bytes, &end))
		return fault(reader, "'%.64s' is no size of an access; expected 1 to %d", size,
			RECORD_ACCESS_MAX);
	ret->size_bytes = (uint32_t)size_bytes;
	return NULL;
}

/* KIND:OFFSET:SIZE */
static struct error *read_step(
	struct reader *reader, uint32_t class_index, size_t word, struct record_access *ret)
{
	char *kind = reader->words[word], *offset = strchr(kind, ':');
	char *size = offset ? strchr(offset + 1, ':') : NULL;
	if (!size)
		return fault(reader, "'%.64s' is no access; expected KIND:OFFSET:SIZE", kind);
	*offset = *size = '\0';
	return parse_access(reader, class_index, kind, offset + 1, size + 1, ret);
}

/* ---- lines ---- */

static struct error *read_build_id(struct reader *reader)
{
	const char *id = reader->words[1];
	size_t length = strlen(id);
	if (strspn(id, "0123456789abcdef") != length || !length || length % 2)
		return fault(reader, "'%.64s' is no build-id", id);
	reader->record.build_id = arena_strdup(reader->arena, id);
	return NULL;
}

static struct error *read_program(struct reader *reader)
{
	reader->has_program = true;
	return read_name(reader, 1, &reader->record.program);
}

/* role R NAME threads N operations N */
static struct error *read_role(struct reader *reader)
{
	struct record_role role;
	uint64_t number;
	size_t count = reader->record.role_count;
	struct error *error = read_number(reader, 1, "role", 0, RECORD_ROLES_MAX - 1, &number);
	if (!error && number != count)
		error = fault(reader, "role %" PRIu64 " behind %zu other%s", number, count,
			number_s(count));
	if (!error)
		error = read_name(reader, 2, &role.name);
	if (!error)
		error = expect_word(reader, 3, "threads");
	if (!error)
		error = read_number(
			reader, 4, "number of threads", 0, RECORD_THREADS_MAX, &role.threads);
	if (!error)
		error = expect_word(reader, 5, "operations");
	if (!error)
		error = read_count(reader, 6, "number of operations", &role.operations);
	if (error)
		return error;
	reader->roles =
		mem_grow(reader->roles, &reader->role_capacity, count + 1, sizeof(*reader->roles));
	reader->roles[reader->record.role_count++] = role;
	return NULL;
}

static struct error *read_class_head(struct reader *reader, struct record_class *ret)
{
	uint64_t number;
	size_t count = reader->record.class_count;
	struct error *error = read_number(reader, 1, "class", 0, UINT32_MAX - 1, &number);
	if (error)
		return error;
	if (count && number <= reader->classes[count - 1].number)
		return fault(reader, "class %" PRIu64 " behind class %u", number,
			(unsigned)reader->classes[count - 1].number);
	if (count == RECORD_CLASSES_MAX)
		return fault(reader, "more than %d classes", RECORD_CLASSES_MAX);
	ret->number = (uint32_t)number;
	if (strcmp(reader->words[2], "name") == 0)
		return read_name(reader, 3, &ret->name);
	error = expect_word(reader, 2, "tag");
	return error ? error : read_count(reader, 3, "address", &ret->tag);
}

/* class C tag 0xADDR | name NAME size BYTES objects N shared N threads-max N */
static struct error *read_class(struct reader *reader)
{
	static const char *const keys[] = {"size", "objects", "shared", "threads-max"};
	struct record_class class = {.line = reader->line};
	uint64_t *values[] = {
		&class.size_bytes, &class.objects, &class.shared, &class.threads_most};
	struct error *error = read_class_head(reader, &class);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && !error; i++) {
		error = expect_word(reader, 4 + 2 * i, keys[i]);
		if (!error)
			error = read_count(reader, 5 + 2 * i, keys[i], values[i]);
	}
	if (error)
		return error;
	if (class.shared > class.objects)
		return fault(reader, "%" PRIu64 " of %" PRIu64 " objects are shared", class.shared,
			class.objects);
	size_t count = reader->record.class_count;
	reader->classes = mem_grow(
		reader->classes, &reader->class_capacity, count + 1, sizeof(*reader->classes));
	reader->classes[reader->record.class_count++] = class;
	return NULL;
}

/* global g 0xADDR bytes N shared 0|1 */
static struct error *read_global(struct reader *reader)
{
	struct record_global global;
	uint64_t shared, end;
	uint32_t class_index;
	struct error *error = read_class_index(reader, 1, &class_index);
	if (!error && class_index != RECORD_GLOBALS)
		error = fault(reader, "variables of class '%.64s'; expected 'g'", reader->words[1]);
	if (!error)
		error = read_count(reader, 2, "address", &global.address);
	if (!error)
		error = expect_word(reader, 3, "bytes");
	if (!error)
		error = read_number(reader, 4, "size", 1, UINT64_MAX, &global.size_bytes);
	if (!error && __builtin_add_overflow(global.address, global.size_bytes, &end))
		error = fault(reader, "%.64s bytes at %.64s do not fit", reader->words[4],
			reader->words[2]);
	if (!error)
		error = expect_word(reader, 5, "shared");
	if (!error)
		error = read_number(reader, 6, "truth value", 0, 1, &shared);
	if (error)
		return error;
	global.is_shared = shared;
	reader->globals = mem_grow(reader->globals, &reader->global_capacity,
		reader->record.global_count + 1, sizeof(*reader->globals));
	reader->globals[reader->record.global_count++] = global;
	return NULL;
}

static struct error *read_place(struct reader *reader, uint32_t *class_index, uint32_t *role)
{
	struct error *error = read_class_index(reader, 1, class_index);
	return error ? error : read_role_index(reader, 2, role);
}

/* threads C R N */
static struct error *read_threads(struct reader *reader)
{
	struct record_threads threads;
	struct error *error = read_place(reader, &threads.class_index, &threads.role);
	if (!error)
		error = read_number(
			reader, 3, "number of threads", 0, RECORD_THREADS_MAX, &threads.threads);
	if (error)
		return error;
	reader->threads = mem_grow(reader->threads, &reader->thread_capacity,
		reader->record.thread_count + 1, sizeof(*reader->threads));
	reader->threads[reader->record.thread_count++] = threads;
	return NULL;
}

/* C R KIND OFFSET SIZE N behind the first word */
static struct error *parse_count_line(struct reader *reader, struct record_count *ret)
{
	ret->line = reader->line;
	struct error *error = read_place(reader, &ret->class_index, &ret->role);
	if (!error)
		error = parse_access(reader, ret->class_index, reader->words[3], reader->words[4],
			reader->words[5], &ret->access);
	return error ? error : read_count(reader, 6, "count", &ret->count);
}

static struct error *read_count_line(struct reader *reader)
{
	struct record_count count;
	struct error *error = parse_count_line(reader, &count);
	if (error)
		return error;
	reader->counts = mem_grow(reader->counts, &reader->count_capacity,
		reader->record.count_count + 1, sizeof(*reader->counts));
	reader->counts[reader->record.count_count++] = count;
	return NULL;
}

static struct error *read_outside(struct reader *reader)
{
	struct record_count count;
	struct error *error = parse_count_line(reader, &count);
	if (!error && __builtin_add_overflow(
			      reader->record.outside, count.count, &reader->record.outside))
		reader->record.outside = UINT64_MAX;
	return error;
}

/* operation C R N KIND:OFFSET:SIZE ... */
static struct error *read_operation(struct reader *reader)
{
	struct record_operation operation = {.line = reader->line};
	struct error *error = read_place(reader, &operation.class_index, &operation.role);
	if (!error)
		error = read_count(reader, 3, "count", &operation.count);
	operation.step_count = reader->word_count - 4;
	struct record_access *steps =
		arena_new(reader->arena, operation.step_count, sizeof(*steps));
	for (size_t i = 0; i < operation.step_count && !error; i++)
		error = read_step(reader, operation.class_index, 4 + i, &steps[i]);
	if (error)
		return error;
	operation.steps = steps;
	reader->operations = mem_grow(reader->operations, &reader->operation_capacity,
		reader->record.operation_count + 1, sizeof(*reader->operations));
	reader->operations[reader->record.operation_count++] = operation;
	return NULL;
}

/* other C R N: operations that no `operation` line has; how many they are follows from the role's. */
static struct error *read_other(struct reader *reader)
{
	uint32_t class_index, role;
	uint64_t count;
	struct error *error = read_place(reader, &class_index, &role);
	return error ? error : read_count(reader, 3, "count", &count);
}

static struct error *read_saturated(struct reader *reader)
{
	struct record_loss loss;
	struct error *error = read_name(reader, 1, &loss.what);
	if (!error)
		error = read_count(reader, 2, "count", &loss.count);
	if (error)
		return error;
	reader->losses = mem_grow(reader->losses, &reader->loss_capacity,
		reader->record.loss_count + 1, sizeof(*reader->losses));
	reader->losses[reader->record.loss_count++] = loss;
	return NULL;
}

static struct error *read_trace(struct reader *reader)
{
	uint32_t class_index;
	return read_class_index(reader, 1, &class_index);
}

static struct error *read_end(struct reader *reader)
{
	uint64_t lines;
	struct error *error = read_count(reader, 1, "number of lines", &lines);
	if (!error && lines != reader->line - 1)
		error = fault(
			reader, "'end %" PRIu64 "' behind %zu line%s", lines, reader->line - 1,
			number_s(reader->line - 1));
	reader->has_end = true;
	return error;
}

static const struct statement {
	const char *word, *form;
	size_t least, most; /* words */
	struct error *(*read)(struct reader *reader);
} statements[] = {
	{"build-id", "build-id HEX", 2, 2, read_build_id},
	{"program", "program NAME", 2, 2, read_program},
	{"role", "role R NAME threads N operations N", 7, 7, read_role},
	{"class", "class C tag ADDRESS|name NAME size BYTES objects N shared N threads-max N", 12,
		12, read_class},
	{"global", "global g ADDRESS bytes N shared 0|1", 7, 7, read_global},
	{"threads", "threads C R N", 4, 4, read_threads},
	{"count", "count C R KIND OFFSET SIZE N", 7, 7, read_count_line},
	{"operation", "operation C R N KIND:OFFSET:SIZE ...", 5, WORDS_MAX, read_operation},
	{"other", "other C R N", 4, 4, read_other},
	{"outside", "outside C R KIND OFFSET SIZE N", 7, 7, read_outside},
	{"saturated", "saturated WHAT N", 3, 3, read_saturated},
	{"trace", "trace C FILE", 3, 3, read_trace},
	{"end", "end LINES", 2, 2, read_end},
};
enum { STATEMENT_COUNT = sizeof(statements) / sizeof(statements[0]) };

static struct error *read_statement(struct reader *reader)
{
	if (reader->has_end)
		return fault(reader, "a line behind 'end'");
	for (size_t i = 0; i < STATEMENT_COUNT; i++) {
		const struct statement *statement = &statements[i];
		if (strcmp(reader->words[0], statement->word) != 0)
			continue;
		if (reader->word_count < statement->least || reader->word_count > statement->most)
			return fault(reader, "%zu word%s; expected '%s'", reader->word_count,
				number_s(reader->word_count),
				statement->form);
		return statement->read(reader);
	}
	return fault(reader, "'%.64s' is no word of a recording", reader->words[0]);
}

/* ---- the whole ---- */

/* One blank between words, none around them; the line is cut up. Too many words are counted, not kept. */
static bool split(struct reader *reader, char *line)
{
	reader->word_count = 0;
	for (char *at = line;; at++) {
		char *word = at;
		at += strcspn(at, " ");
		if (at == word)
			return false;
		if (reader->word_count < WORDS_MAX)
			reader->words[reader->word_count] = word;
		reader->word_count++;
		if (!*at)
			return true;
		*at = '\0';
	}
}

static struct error *read_first(const struct reader *reader)
{
	if (strcmp(reader->words[0], MAGIC) != 0)
		return error_new("%s:%zu: not a recording; expected its first line to be '%s %d' "
				 "(see linelint-record(5))",
			reader->name, reader->line, MAGIC, RECORD_VERSION);
	if (reader->word_count != 2 || strcmp(reader->words[1], "1") != 0)
		return error_new(
			"%s:%zu: a recording of another version; this linelint reads '%s %d'",
			reader->name, reader->line, MAGIC, RECORD_VERSION);
	return NULL;
}

static struct error *read_line(struct reader *reader, char *line, size_t length)
{
	if (strlen(line) != length)
		return fault(reader, "a NUL byte");
	bool good = split(reader, line);
	if (reader->line == 1 && length) /* whatever it is, it is not ours */
		return good || reader->word_count ? read_first(reader)
						  : fault(reader, "a blank too many");
	if (!good)
		return fault(reader, length ? "a blank too many" : "an empty line");
	return reader->line == 1 ? read_first(reader) : read_statement(reader);
}

static struct error *truncated(const struct reader *reader)
{
	return error_new("%s: truncated behind line %zu: no 'end'; the recorder writes it when the "
			 "program exits: let it, and record again",
		reader->name, reader->line);
}

static struct error *read_lines(struct reader *reader, const char *bytes, size_t length)
{
	struct buf line;
	struct error *error = NULL;
	buf_init(&line);
	for (const char *at = bytes, *end = bytes + length; at < end && !error;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		if (!newline && reader->line) { /* the first line tells what it is, whole or not */
			error = truncated(reader);
			break;
		}
		size_t columns = (size_t)((newline ? newline : end) - at);
		reader->line++;
		buf_clear(&line);
		buf_add(&line, at, columns);
		at += columns + 1;
		error = read_line(reader, line.data, columns);
	}
	if (!error && !reader->has_end)
		error = truncated(reader);
	buf_release(&line);
	return error;
}

static void keep(struct reader *reader, struct record *ret)
{
	struct record *record = &reader->record;
	struct arena *arena = reader->arena;
	record->path = arena_strdup(arena, reader->name);
	record->roles =
		arena_copy(arena, reader->roles, record->role_count, sizeof(*reader->roles));
	record->classes =
		arena_copy(arena, reader->classes, record->class_count, sizeof(*reader->classes));
	record->globals =
		arena_copy(arena, reader->globals, record->global_count, sizeof(*reader->globals));
	record->threads =
		arena_copy(arena, reader->threads, record->thread_count, sizeof(*reader->threads));
	record->counts =
		arena_copy(arena, reader->counts, record->count_count, sizeof(*reader->counts));
	record->operations = arena_copy(
		arena, reader->operations, record->operation_count, sizeof(*reader->operations));
	record->losses =
		arena_copy(arena, reader->losses, record->loss_count, sizeof(*reader->losses));
	*ret = *record;
}

struct error *record_parse(
	struct arena *arena, const char *name, const char *bytes, size_t length, struct record *ret)
{
	struct reader reader = {
		.arena = arena, .name = name, .words = mem_new(WORDS_MAX, sizeof(char *))};
	struct error *error =
		length ? read_lines(&reader, bytes, length)
		       : error_new(
				 "%s: empty; the recorder writes it when the program exits", name);
	if (!error && !reader.has_program)
		error = error_new("%s: no 'program' line; the file is damaged, record again", name);
	if (!error)
		keep(&reader, ret);
	mem_free(reader.words);
	mem_free(reader.roles);
	mem_free(reader.classes);
	mem_free(reader.globals);
	mem_free(reader.threads);
	mem_free(reader.counts);
	mem_free(reader.operations);
	mem_free(reader.losses);
	return error;
}

struct error *record_read(struct arena *arena, const char *path, struct record *ret)
{
	struct buf bytes;
	buf_init(&bytes);
	struct error *error = file_read(path, RECORD_BYTES_MAX, "record for a shorter time", &bytes);
	if (!error)
		error = record_parse(arena, path, bytes.data, bytes.length, ret);
	buf_release(&bytes);
	return error;
}
