#include "read/index/fold_part.h"

#include <string.h>

#include "read/dw.h"
#include "read/index/scan.h"

/* The words of C's arithmetic types, in whatever order a compiler writes them. Two longs make 2. */
enum {
	LONG = 1,
	SHORT = 4,
	INT = 8,
	SIGNED = 16,
	UNSIGNED = 32,
	CHAR = 64,
	DOUBLE = 128,
	INT128 = 256
};

static unsigned arithmetic_word(const char *word, size_t length)
{
	static const struct {
		const char *text;
		unsigned bit;
	} words[] = {{"long", LONG}, {"short", SHORT}, {"int", INT}, {"signed", SIGNED},
		{"unsigned", UNSIGNED}, {"char", CHAR}, {"double", DOUBLE}, {"__int128", INT128}};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i].text) == length && memcmp(words[i].text, word, length) == 0)
			return words[i].bit;
	return 0;
}

/* The words of `name` added up; 0 when it is no arithmetic type of C, or one with a word too many. */
static unsigned arithmetic_words(const char *name)
{
	unsigned sum = 0;
	for (const char *p = name; *p;) {
		size_t length = strcspn(p, " ");
		unsigned word = arithmetic_word(p, length);
		bool again = word == LONG ? (sum & 3) == 2 : (sum & word) != 0;
		if (!word || again)
			return 0;
		sum += word;
		p += length;
		p += strspn(p, " ");
	}
	return sum;
}

uint64_t fold_base_name(const char *name)
{
	unsigned sum = arithmetic_words(name);
	if (!sum)
		return die_hash_bytes(name, strlen(name));
	if (!(sum & CHAR))
		sum &= ~(unsigned)SIGNED;
	if (!(sum & (3 | SHORT | CHAR | DOUBLE | INT128)))
		sum |= INT;
	else
		sum &= ~(unsigned)INT;
	return die_hash_end(sum);
}

uint64_t fold_string(struct fold *fold, const struct view *view, const struct value *value)
{
	if (fold->by == FOLD_BY_PLACE)
		return die_string_key(fold->dies, view, value);
	const char *text = die_string(fold->dies, view, value);
	return die_hash_bytes(text, strlen(text));
}

uint64_t fold_name(struct fold *fold, const struct die *die)
{
	return die_has(die, SLOT_NAME) ? fold_string(fold, die->view, &die->values[SLOT_NAME]) : 0;
}

/* A scope and those around it. Functions do not count: C does not write them either. */
static uint64_t scope_hash(struct fold *fold, struct view *view, uint32_t index, size_t depth)
{
	struct scope *scope = &view->scopes[index];
	if (!index || fold->dies->error)
		return 0;
	if (scope->has_hash[fold->by])
		return scope->hash[fold->by];
	if (depth == FOLD_DEPTH_LIMIT) {
		dies_fail(fold->dies, scope->off, "names are nested more than 128 deep");
		return 0;
	}
	struct die named;
	if (!scan_read_named(fold->dies, scope->off, &named))
		return 0;
	uint32_t parent = scope->parent;
	if (named.off != scope->off)
		parent = scan_scope_of(fold->dies, named.view, named.off);
	uint64_t hash = fold->dies->error ? 0 : scope_hash(fold, named.view, parent, depth + 1);
	if (scope->tag != DW_TAG_subprogram)
		hash = die_hash_add(die_hash_add(hash, DW_TAG_namespace), fold_name(fold, &named));
	scope->hash[fold->by] = hash;
	scope->has_hash[fold->by] = true;
	return hash;
}

uint64_t fold_scope(struct fold *fold, struct view *view, uint64_t off)
{
	if (view->is_c)
		return 0;
	return scope_hash(fold, view, scan_scope_of(fold->dies, view, off), 0);
}
