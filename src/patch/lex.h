/*
 * lex: bytes of C or C++ as tokens, each with its place, so that what is not touched stays byte for byte.
 *
 * C11 section 6.4, as far as declarations need it: comments, strings (raw ones too), preprocessing directives as one
 * token each up to the end of their logical line, words, numbers; any other byte, and "::", is punctuation. Blanks,
 * continued lines and a byte order mark lie between tokens. Nothing is an error: what does not end goes on to the end of its line or file.
 */
#ifndef PATCH_LEX_H
#define PATCH_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum lex_kind { LEX_WORD, LEX_NUMBER, LEX_STRING, LEX_PUNCT, LEX_COMMENT, LEX_DIRECTIVE };

struct lex_token {
	uint32_t start, end; /* bytes from the beginning */
	uint32_t line;       /* from 1 */
	uint8_t kind;        /* enum lex_kind */
	char punct; /* of LEX_PUNCT: the byte; ':' for one colon, 'S' for "::"; 0 for other kinds */
};

struct lex {
	const char *bytes; /* not owned */
	size_t length;     /* less than 4 GiB */
	const struct lex_token *tokens;
	size_t count;
};

void lex_build(struct arena *arena, const char *bytes, size_t length, struct lex *ret);

/* Is the token this word? */
bool lex_is(const struct lex *lex, size_t token, const char *word);
/* Is it one of these words, parted by blanks? */
bool lex_is_one_of(const struct lex *lex, size_t token, const char *words);

char *lex_text(struct arena *arena, const struct lex *lex, size_t token);

/* Of a directive: its name ("ifdef") through *start and the length returned. */
size_t lex_directive(const struct lex *lex, size_t token, const char **start);
bool lex_is_directive(const struct lex *lex, size_t token, const char *words);

/* Offset of the first byte of the line that holds `offset`; of the byte behind that line, its newline included. */
size_t lex_line_start(const struct lex *lex, size_t offset);
size_t lex_line_end(const struct lex *lex, size_t offset);

/* Only blanks between the beginning of its line and `offset`; between `offset` and the end of its line. */
bool lex_starts_line(const struct lex *lex, size_t offset);
bool lex_ends_line(const struct lex *lex, size_t offset);

/* The line that `offset` lies in has blanks only. */
bool lex_is_blank_line(const struct lex *lex, size_t offset);

/* The column at which `offset` is shown, tabs at 8. */
size_t lex_column(const struct lex *lex, size_t offset);

#endif
