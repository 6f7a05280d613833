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

/* ---- const and volatile ---- */

enum { NESTED_MAX = 64 };

/* What a type is named by, "int" or "std::pair<int, char>", as far as it is put. */
struct named {
	bool is_there;
	size_t start; /* in the text that is put */
	bool is_const, is_volatile;
};

struct spelling {
	struct buf out; /* own: what stands before is nobody's neighbour */
	struct named named;
	bool is_behind; /* a *, & or ): what is const there is no named type */
	struct named outer[NESTED_MAX];
	size_t depth; /* of < */
};

/* gcc has "int const" and clang "const int": before the name, whoever compiled. */
static void end_named(struct spelling *s)
{
	const char *text = s->named.is_const ? s->named.is_volatile ? "const volatile " : "const "
			   : s->named.is_volatile ? "volatile "
						  : "";
	size_t start = s->named.start, length = strlen(text);
	if (length && s->named.is_there) {
		size_t rest = s->out.length - start;
		buf_add(&s->out, text, length);
		memmove(s->out.data + start + length, s->out.data + start, rest);
		memcpy(s->out.data + start, text, length);
	}
	s->named = (struct named){0};
}

static void begin_named(struct spelling *s)
{
	if (s->named.is_there)
		return;
	size_t length = s->out.length;
	if (length && is_of_word(s->out.data[length - 1]))
		buf_putc(&s->out, ' ');
	s->named.is_there = true;
	s->named.start = s->out.length;
}

static bool put_qualifier(struct spelling *s, const char *text, size_t length)
{
	bool is_const = is_word(text, length, "const");
	if ((!is_const && !is_word(text, length, "volatile")) || s->is_behind)
		return false;
	s->named.is_const |= is_const;
	s->named.is_volatile |= !is_const;
	return true;
}

static void put_sign(struct spelling *s, char sign)
{
	if (sign == '<' && s->depth < NESTED_MAX) {
		s->outer[s->depth++] = s->named;
		s->named = (struct named){0};
	} else if (sign == '>' && s->depth) {
		end_named(s);
		s->named = s->outer[--s->depth];
	} else if (sign != ':') {
		end_named(s);
	}
	s->is_behind = sign == '*' || sign == '&' || sign == ')' || sign == ']';
	buf_putc(&s->out, sign);
}

void alike_put(const char *name, struct buf *out)
{
	struct spelling s = {.depth = 0};
	buf_init(&s.out);
	while (*name) {
		unsigned counts[WORD_COUNT] = {0};
		size_t length = word_length(name);
		const char *behind = count_words(name, counts);
		if (length && put_qualifier(&s, name, length)) {
			name += length;
			continue;
		}
		if (length)
			begin_named(&s);
		if (behind != name)
			put_base(counts, &s.out);
		else if (is_word(name, length, "bool"))
			put_word("_Bool", strlen("_Bool"), &s.out);
		else if (length)
			put_word(name, length, &s.out);
		else if (*name != ' ')
			put_sign(&s, *name);
		name = behind != name ? behind : name + (length ? length : 1);
	}
	while (s.depth) {
		end_named(&s);
		s.named = s.outer[--s.depth];
	}
	end_named(&s);
	buf_add(out, s.out.data, s.out.length);
	buf_release(&s.out);
}
