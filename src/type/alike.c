#include "type/alike.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum word {
	WORD_COMPLEX,
	WORD_SIGNED,
	WORD_UNSIGNED,
	WORD_SHORT,
	WORD_LONG,
	WORD_CHAR,
	WORD_INT,
	WORD_INT128,
	WORD_FLOAT,
	WORD_DOUBLE,
	WORD_COUNT,
};

/* In the order in which they are put. */
static const char *const words[WORD_COUNT] = {"complex", "signed", "unsigned", "short", "long",
	"char", "int", "__int128", "float", "double"};

static bool is_of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static size_t word_length(const char *text)
{
	size_t length = 0;
	while (is_of_word(text[length]))
		length++;
	return length;
}

static bool is_word(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && strncmp(text, word, length) == 0;
}

static enum word find_word(const char *text, size_t length)
{
	for (int i = 0; i < WORD_COUNT; i++)
		if (is_word(text, length, words[i]))
			return (enum word)i;
	return is_word(text, length, "_Complex") ? WORD_COMPLEX : WORD_COUNT;
}

/* The words of a base type at `text`, and how often each is there; returns what stands behind them. */
static const char *count_words(const char *text, unsigned counts[WORD_COUNT])
{
	for (const char *at = text;; at += strspn(at, " ")) {
		size_t length = word_length(at);
		enum word word = find_word(at, length);
		if (word == WORD_COUNT)
			return text;
		counts[word]++;
		at += length;
		text = at;
	}
}

/* How often each is put. */
static void shorten(unsigned counts[WORD_COUNT])
{
	bool is_said = false;
	if (counts[WORD_COMPLEX]) { /* clang 14 does not say of what: its size does */
		memset(counts, 0, WORD_COUNT * sizeof(*counts));
		counts[WORD_COMPLEX] = 1;
		return;
	}
	if (counts[WORD_SHORT] || counts[WORD_LONG])
		counts[WORD_INT] = 0;
	if (!counts[WORD_CHAR]) /* only there does it make another type */
		counts[WORD_SIGNED] = 0;
	for (int i = WORD_SHORT; i < WORD_COUNT; i++)
		is_said |= counts[i] > 0;
	counts[WORD_INT] += !is_said;
}

static void put_word(const char *text, size_t length, struct buf *out)
{
	if (out->length && is_of_word(out->data[out->length - 1]))
		buf_putc(out, ' ');
	buf_add(out, text, length);
}

static void put_base(unsigned counts[WORD_COUNT], struct buf *out)
{
	shorten(counts);
	for (int i = 0; i < WORD_COUNT; i++)
		for (unsigned k = 0; k < counts[i]; k++)
			put_word(words[i], strlen(words[i]), out);
}

void alike_put(const char *name, struct buf *out)
{
	struct buf own; /* what stands before in `out` is nobody's neighbour */
	buf_init(&own);
	while (*name) {
		unsigned counts[WORD_COUNT] = {0};
		size_t length = word_length(name);
		const char *behind = count_words(name, counts);
		if (behind != name)
			put_base(counts, &own);
		else if (is_word(name, length, "bool"))
			put_word("_Bool", strlen("_Bool"), &own);
		else if (length)
			put_word(name, length, &own);
		else if (*name != ' ')
			buf_putc(&own, *name);
		name = behind != name ? behind : name + (length ? length : 1);
	}
	buf_add(out, own.data, own.length);
	buf_release(&own);
}
