#include <fnmatch.h>
#include <string.h>

#include "base/nearest.h"
#include "read/index.h"
#include "vars.h"

/* "FILE.c:" before a name: the first colon that is none of a "::"; NULL: none. */
static const char *unit_end(const char *name)
{
	for (const char *at = name; *at; at++) {
		if (at[0] == ':' && at[1] == ':')
			at++;
		else if (at[0] == ':')
			return at;
	}
	return NULL;
}

/* What is left of a NAME without its unit and scope. */
const char *vars_plain(const char *name)
{
	const char *unit = unit_end(name), *last = unit ? unit + 1 : name;
	for (const char *at = last; *at; at++)
		if (at[0] == ':' && at[1] == ':')
			last = at + 2;
	return last;
}

size_t vars_candidates(
	struct arena *arena, const struct vars_catalog *catalog, const char *name, size_t **ret)
{
	size_t count = 0, capacity = 0;
	size_t *indices = NULL;
	bool is_glob = index_is_glob(name);
	const char *plain = vars_plain(name);
	size_t at = is_glob ? 0 : vars_first_name(catalog, plain);
	for (; at < catalog->name_count; at++) {
		const struct vars_name *one = &catalog->names[at];
		if (!is_glob && strcmp(one->text, plain) != 0)
			break;
		/* of a glob with a scope or a unit anything may be meant until that is known */
		if (is_glob && !strchr(name, ':') && fnmatch(name, one->text, 0) != 0)
			continue;
		indices = arena_grow(arena, indices, &capacity, count + 1, sizeof(*indices));
		indices[count++] = one->item;
	}
	*ret = indices;
	return count;
}

/* The unit, as far as it is written: "b.c" is "a/b.c", too. */
static bool is_unit(const char *unit, const char *wanted, size_t length)
{
	size_t whole = strlen(unit);
	return whole >= length && strncmp(unit + whole - length, wanted, length) == 0 &&
	       (whole == length || unit[whole - length - 1] == '/');
}

/* The scope, as far as it is written, with or without "()" behind functions. */
static bool is_scope(const char *scope, const char *wanted, size_t length)
{
	size_t at = strlen(scope), left = length;
	while (left && at) {
		if (at > 1 && strncmp(scope + at - 2, "()", 2) == 0 &&
			(left < 2 || strncmp(wanted + left - 2, "()", 2) != 0)) {
			at -= 2;
			continue;
		}
		if (scope[at - 1] != wanted[left - 1])
			return false;
		at--;
		left--;
	}
	return !left && (!at || (at > 1 && strncmp(scope + at - 2, "::", 2) == 0));
}

static bool has_name(const struct vars_item *item, const char *plain, bool is_glob)
{
	if (is_glob ? fnmatch(plain, item->plain, 0) == 0 : strcmp(plain, item->plain) == 0)
		return true;
	for (size_t i = 0; i < item->symbol_count; i++)
		if (is_glob ? fnmatch(plain, item->symbols[i].name, 0) == 0
			    : strcmp(plain, item->symbols[i].name) == 0)
			return true;
	return false;
}

bool vars_match(const struct vars_item *item, const char *name)
{
	bool is_glob = index_is_glob(name);
	const char *unit = unit_end(name), *rest = unit ? unit + 1 : name;
	const char *plain = vars_plain(name);
	const struct variable *variable = item->variable;
	if (is_glob && (!vars_is_written(item->area) || !item->size_bytes))
		return false;
	if (is_glob && fnmatch(name, item->name, 0) == 0)
		return true;
	if (!has_name(item, plain, is_glob))
		return false;
	if (unit && (!variable || !is_unit(variable->unit, name, (size_t)(unit - name))))
		return false;
	if (plain == rest)
		return true;
	return variable && variable->scope &&
	       is_scope(variable->scope, rest, (size_t)(plain - rest) - 2);
}

static bool is_thread_local(const struct vars_catalog *catalog, const char *name)
{
	const struct object_symbols *symbols = &catalog->variables->symbols;
	for (size_t i = 0; i < symbols->thread_local_count; i++)
		if (strcmp(symbols->thread_locals[i], name) == 0)
			return true;
	return false;
}

/* "e.1": a compiler's name, which nobody means who writes another. */
static bool is_numbered(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot && dot[1] >= '0' && dot[1] <= '9';
}

const char *vars_nearest(struct arena *arena, const struct vars_catalog *catalog, const char *name)
{
	char text[512];
	struct nearest nearest;
	if (is_thread_local(catalog, vars_plain(name)))
		return " among those that threads share: it is thread-local, and each thread has its own";
	nearest_init(&nearest, vars_plain(name));
	for (size_t i = 0; i < catalog->name_count; i++)
		if (!is_numbered(catalog->names[i].text))
			nearest_offer(&nearest, catalog->names[i].text);
	return arena_strdup(arena, nearest_text(&nearest, text, sizeof(text)));
}
