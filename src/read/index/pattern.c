#include "read/index/pattern.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "base/buf.h"
#include "read/index/die.h"

static bool is_identifier(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/*
 * Behind the symbol of "operator*", "operator[]", "operator()" that starts at `text`; `text` when it is no
 * operator.
 */
static const char *skip_operator(const char *start, const char *text)
{
	static const char word[] = "operator";
	size_t length = sizeof(word) - 1;
	if (strncmp(text, word, length) != 0 || (text > start && is_identifier(text[-1])) ||
		is_identifier(text[length]))
		return text;
	text += length;
	if (strncmp(text, "()", 2) == 0)
		return text + 2;
	return text + strspn(text, "+-*/%^&|~!=<>,[]");
}

/* Behind the bracket that closes the one at `text`; NULL when none does. "->" closes nothing. */
static const char *skip_bracketed(const char *text)
{
	size_t depth = 0;
	for (const char *p = text; *p; p++) {
		if (*p == '<' || *p == '(')
			depth++;
		else if ((*p == '>' && p[-1] != '-') || *p == ')')
			depth--;
		if (!depth)
			return p + 1;
	}
	return NULL;
}

/* A whole template argument that is a star, "<*>" or ", *,": no type is spelt so. */
static bool has_star_argument(const char *begin, const char *end)
{
	for (const char *p = begin + 1; p + 1 < end; p++) {
		const char *before = p - 1;
		while (before > begin && *before == ' ')
			before--;
		if (*p == '*' && (p[1] == '>' || p[1] == ',') && (*before == '<' || *before == ','))
			return true;
	}
	return false;
}

bool pattern_is_glob(const char *text)
{
	for (const char *p = text; *p;) {
		const char *behind = skip_operator(text, p);
		if (behind == p && (*p == '<' || *p == '('))
			behind = skip_bracketed(p);
		if (behind && behind != p && *p == '<' && has_star_argument(p, behind))
			return true;
		if (behind && behind != p) {
			p = behind;
			continue;
		}
		if (*p == '*' || *p == '?' || *p == '[')
			return true;
		p += *p == '\\' && p[1] ? 2 : 1;
	}
	return false;
}

static const char *skip_word(const char *text, const char *word)
{
	size_t length = strlen(word);
	if (strncmp(text, word, length) != 0 || text[length] != ' ')
		return NULL;
	return text + length + strspn(text + length, " ");
}

static const char *without_backslashes(struct arena *arena, const char *text)
{
	char *copy = arena_strdup(arena, text);
	char *out = copy;
	for (const char *p = text; *p; p++) {
		if (*p == '\\' && p[1])
			p++;
		*out++ = *p;
	}
	*out = '\0';
	return copy;
}

static const char *spell_alike(struct arena *arena, const char *text)
{
	struct buf alike;
	buf_init(&alike);
	type_spell_alike(text, &alike);
	const char *copy = arena_strdup(arena, alike.data);
	buf_release(&alike);
	return copy;
}

/* Takes the keyword and a leading "::" off. */
static const char *read_prefix(const char *text, struct pattern *ret)
{
	const char *rest;
	if ((rest = skip_word(text, "struct")) || (rest = skip_word(text, "class")))
		ret->is_struct = true;
	else if ((rest = skip_word(text, "union")))
		ret->is_union = true;
	else
		rest = text;
	if (strncmp(rest, "::", 2) == 0) {
		ret->is_absolute = true;
		rest += 2;
	}
	return rest;
}

void pattern_read(struct arena *arena, const char *text, struct pattern *ret)
{
	*ret = (struct pattern){0};
	ret->text = read_prefix(text, ret);
	ret->literal = strchr(ret->text, '\\') ? without_backslashes(arena, ret->text) : ret->text;
	ret->alike = strchr(ret->literal, '<') ? spell_alike(arena, ret->literal) : NULL;
	ret->is_glob = pattern_is_glob(ret->text);
	ret->is_scoped = strstr(ret->text, "::") != NULL;
}

/*
 * Is wanted[0..length) the scope, or a part of it behind a "::"? Compared from the end, so that the "()" of
 * a function can be missing in `wanted`.
 */
static bool scope_ends_with(const char *scope, const char *wanted, size_t length, bool whole)
{
	size_t left = strlen(scope);
	bool at_end = true; /* of a component */
	while (length) {
		if (at_end && left >= 2 && memcmp(scope + left - 2, "()", 2) == 0 &&
			(length < 2 || memcmp(wanted + length - 2, "()", 2) != 0))
			left -= 2;
		if (!left || scope[left - 1] != wanted[length - 1])
			return false;
		left--;
		length--;
		at_end = memcmp(scope + left, "::", 2) == 0;
	}
	if (!left)
		return true;
	return !whole && left >= 2 && memcmp(scope + left - 2, "::", 2) == 0;
}

static bool qualified_matches(const char *literal, bool whole, const char *scope, const char *name)
{
	size_t length = strlen(literal), tail = strlen(name);
	if (length < tail || strcmp(literal + length - tail, name) != 0)
		return false;
	if (length == tail)
		return !whole || !scope;
	length -= tail;
	return scope && length > 2 && memcmp(literal + length - 2, "::", 2) == 0 &&
	       scope_ends_with(scope, literal, length - 2, whole);
}

static bool literal_matches(const char *literal, bool whole, const char *scope, const char *name)
{
	if (qualified_matches(literal, whole, scope, name))
		return true;
	while (!whole && !scope && (name = type_without_package(name)))
		if (strcmp(literal, name) == 0)
			return true;
	return false;
}

/* The glob against "scope::name" and, unless `whole`, against what stands behind each "::" of the scope. */
static bool glob_matches_text(const char *glob, const char *text, size_t scope_length, bool whole)
{
	for (const char *at = text;; at += 2) {
		if (fnmatch(glob, at, 0) == 0)
			return true;
		at = strstr(at, "::");
		if (whole || !at || (size_t)(at - text) > scope_length)
			return false;
	}
}

static bool scoped_glob_matches(const struct pattern *pattern, const char *scope, const char *name)
{
	if (!scope)
		return fnmatch(pattern->text, name, 0) == 0;
	struct buf text;
	buf_init(&text);
	buf_printf(&text, "%s::%s", scope, name);
	bool matches =
		glob_matches_text(pattern->text, text.data, strlen(scope), pattern->is_absolute);
	if (!matches && strstr(scope, "()")) {
		buf_clear(&text);
		for (const char *p = scope; *p;) {
			bool is_call = p[0] == '(' && p[1] == ')' && (!p[2] || p[2] == ':');
			if (!is_call)
				buf_putc(&text, *p);
			p += is_call ? 2 : 1;
		}
		size_t scope_length = text.length;
		buf_printf(&text, "::%s", name);
		matches = glob_matches_text(
			pattern->text, text.data, scope_length, pattern->is_absolute);
	}
	buf_release(&text);
	return matches;
}

/* A glob without "::" against the name as lists show it. What is local to a function goes by its own name. */
static bool shown_name_matches(const char *glob, const char *scope, const char *name)
{
	struct buf text;
	if (strstr(scope, "()"))
		return false;
	buf_init(&text);
	buf_printf(&text, "%s::%s", scope, name);
	bool matches = fnmatch(glob, text.data, 0) == 0;
	buf_release(&text);
	return matches;
}

bool pattern_matches(const struct pattern *pattern, const char *scope, const char *name)
{
	if (literal_matches(pattern->literal, pattern->is_absolute, scope, name))
		return true;
	if (!pattern->is_glob)
		return false;
	if (pattern->is_scoped)
		return scoped_glob_matches(pattern, scope, name);
	if (scope && pattern->is_absolute)
		return false;
	if (scope && shown_name_matches(pattern->text, scope, name))
		return true;
	for (; name; name = pattern->is_absolute ? NULL : type_without_package(name))
		if (fnmatch(pattern->text, name, 0) == 0)
			return true;
	return false;
}

bool pattern_matches_respelt(const struct pattern *pattern, const char *scope, const char *name)
{
	struct buf texts[2];
	if (!pattern->alike || (!strchr(name, '<') && !(scope && strchr(scope, '<'))))
		return false;
	buf_init(&texts[0]);
	buf_init(&texts[1]);
	type_spell_alike(scope ? scope : "", &texts[0]);
	type_spell_alike(name, &texts[1]);
	bool matches = qualified_matches(pattern->alike, pattern->is_absolute,
		scope ? texts[0].data : NULL, texts[1].data);
	buf_release(&texts[0]);
	buf_release(&texts[1]);
	return matches;
}

bool pattern_allows_kind(const struct pattern *pattern, enum type_kind kind)
{
	if (pattern->is_union)
		return kind == TYPE_UNION;
	return !pattern->is_struct || kind == TYPE_STRUCT || kind == TYPE_CLASS;
}

static uint64_t key_of(uint64_t hash)
{
	return hash | 1;
}

/*
 * Every name that could stand behind the scope in a literal: which "::" ends the scope, only the file
 * knows.
 */
static void add_bare_names(struct map *names, const char *literal)
{
	for (const char *at = literal;; at += 2) {
		uint64_t key = key_of(die_hash_bytes(at, strlen(at)));
		if (!map_find(names, key))
			map_add(names, key, 1);
		at = strstr(at, "::");
		if (!at)
			return;
	}
}

void patterns_init(
	struct patterns *patterns, struct arena *arena, const char *const *texts, size_t count)
{
	memset(patterns, 0, sizeof(*patterns));
	map_init(&patterns->bare);
	map_init(&patterns->respelt);
	if (!texts)
		return;
	struct pattern *items = arena_new(arena, count ? count : 1, sizeof(*items));
	for (size_t i = 0; i < count; i++) {
		pattern_read(arena, texts[i], &items[i]);
		add_bare_names(&patterns->bare, items[i].literal);
		if (items[i].alike)
			add_bare_names(&patterns->respelt, items[i].alike);
		if (items[i].is_glob && items[i].is_scoped)
			patterns->any_name = true;
		if (items[i].is_glob && !items[i].is_absolute)
			patterns->any_scoped_name = true;
	}
	patterns->items = items;
	patterns->count = count;
}

void patterns_release(struct patterns *patterns)
{
	map_release(&patterns->bare);
	map_release(&patterns->respelt);
}

/* Is it written out, with or without its package? */
static bool is_bare(const struct patterns *patterns, const char *name, uint64_t hash)
{
	if (map_find(&patterns->bare, key_of(hash)))
		return true;
	while ((name = type_without_package(name)))
		if (map_find(&patterns->bare, key_of(die_hash_bytes(name, strlen(name)))))
			return true;
	return false;
}

static bool is_respelt(const struct patterns *patterns, const char *name)
{
	if (!patterns->respelt.count || !strchr(name, '<'))
		return false;
	struct buf alike;
	buf_init(&alike);
	type_spell_alike(name, &alike);
	uint64_t key = key_of(die_hash_bytes(alike.data, alike.length));
	buf_release(&alike);
	return map_find(&patterns->respelt, key);
}

bool patterns_may_mean(const struct patterns *patterns, const char *name, uint64_t hash)
{
	if (!patterns->items || patterns->any_name || is_bare(patterns, name, hash) ||
		is_respelt(patterns, name))
		return true;
	for (; name; name = type_without_package(name))
		for (size_t i = 0; i < patterns->count; i++)
			if (patterns->items[i].is_glob &&
				fnmatch(patterns->items[i].text, name, 0) == 0)
				return true;
	return false;
}

bool patterns_mean_exactly(const struct patterns *patterns, const char *name, uint64_t hash)
{
	return patterns->with_others && is_bare(patterns, name, hash);
}
