#include "read/dwarf/scoped.h"

#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "read/dw.h"
#include "read/dwarf/tag.h"

/* More than any program nests: a chain of specifications that goes in circles. */
enum { DEPTH_MAX = 64 };

enum {
	DW_TAG_lexical_block = 0x0b,
	DW_TAG_inlined_subroutine = 0x1d,
	DW_TAG_template_type_parameter = 0x2f,
	DW_TAG_template_value_parameter = 0x30,
	DW_TAG_GNU_template_template_param = 0x4106,
	DW_TAG_GNU_template_parameter_pack = 0x4107,
};

/* An entry that others lie in. */
struct scoped {
	uint64_t off, end; /* its descendants are in between */
	uint16_t tag;
	bool is_loaded; /* children are known */
	bool has_text;
	const char *text; /* scope of what lies in it; NULL at file scope */
	struct scoped *parent;
	struct scoped *children; /* ascending; owned */
	size_t count;
};

static bool every_tag(uint16_t tag)
{
	(void)tag;
	return true;
}

static bool is_block(uint16_t tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
	       tag == DW_TAG_inlined_subroutine;
}

static bool holds_others(uint16_t tag)
{
	return tag_is_aggregate(tag) || is_block(tag) || tag == DW_TAG_namespace ||
	       tag == DW_TAG_module || tag == DW_TAG_enumeration_type;
}

static struct error *load_children(
	struct opened *units, struct opened_unit *unit, struct scoped *scope)
{
	struct entry_unit *entries;
	struct entry_list list = {0};
	if (scope->is_loaded)
		return NULL;
	struct error *error = opened_use(units, unit, &entries);
	if (!error)
		error = entry_outline(entries, scope->off, every_tag, &list);
	if (!error) {
		scope->children = mem_new(list.count, sizeof(*scope->children));
		scope->is_loaded = true;
		for (size_t i = 0; i < list.count; i++)
			if (holds_others(list.items[i].tag))
				scope->children[scope->count++] = (struct scoped){
					.off = list.items[i].off,
					.end = i + 1 < list.count ? list.items[i + 1].off
								  : scope->end,
					.tag = list.items[i].tag,
					.parent = scope,
				};
	}
	entry_list_release(&list);
	return error;
}

static struct error *load_root(struct opened *units, struct opened_unit *unit)
{
	struct entry_unit *entries;
	if (unit->root)
		return NULL;
	struct error *error = opened_use(units, unit, &entries);
	if (error)
		return error;
	unit->root = mem_new(1, sizeof(*unit->root));
	*unit->root = (struct scoped){.off = entries->extent.root_off, .end = unit->end, .has_text = true};
	return NULL;
}

void scoped_free(struct scoped *root)
{
	for (struct scoped *at = root; at;) {
		struct scoped *parent = at->parent;
		if (at->count) { /* the last child first, so that no recursion is needed */
			at = &at->children[--at->count];
			continue;
		}
		mem_free(at->children);
		at = parent;
	}
	mem_free(root);
}

/* The child that holds `off`; NULL when none does. */
static struct scoped *child_at(struct scoped *scope, uint64_t off)
{
	size_t low = 0, high = scope->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (scope->children[middle].off < off)
			low = middle + 1;
		else
			high = middle;
	}
	return low && off < scope->children[low - 1].end ? &scope->children[low - 1] : NULL;
}

/* The innermost scope around `off`, which is not at the scope itself. */
static struct error *find_scope(
	struct opened *units, struct opened_unit *unit, uint64_t off, struct scoped **ret)
{
	struct error *error = load_root(units, unit);
	struct scoped *scope = unit->root, *inner = scope;
	while (!error && inner) {
		scope = inner;
		error = load_children(units, unit, scope);
		inner = error ? NULL : child_at(scope, off);
	}
	*ret = scope;
	return error;
}

static struct error *text_at(struct opened *units, struct opened_unit *unit, uint64_t off,
	struct intern *strings, int depth, const char **ret);

/* Name of an entry and the text of the scope around it, both of what it specifies where it does. */
static struct error *name_and_scope(struct opened *units, struct opened_unit *unit, uint64_t off,
	struct intern *strings, int depth, const char **name, const char **scope)
{
	struct opened_unit *home;
	struct entry_unit *entries;
	struct entry entry;
	uint64_t off_there;
	struct error *error = opened_use(units, unit, &entries);
	if (!error)
		error = entry_read(entries, off, &entry);
	if (error)
		return error;
	if (entry.origin.kind == ENTRY_REF_OFFSET && depth < DEPTH_MAX) {
		error = opened_find(units, unit, entry.origin.value, &home);
		if (error)
			return error;
		return name_and_scope(
			units, home, entry.origin.value, strings, depth + 1, name, scope);
	}
	if (entry.signature.kind == ENTRY_REF_SIGNATURE && depth < DEPTH_MAX) {
		error = opened_find_signature(units, entry.signature.value, &home, &off_there);
		if (error)
			return error;
		if (home)
			return name_and_scope(
				units, home, off_there, strings, depth + 1, name, scope);
	}
	*name = entry.name;
	return text_at(units, unit, off, strings, depth + 1, scope);
}

static const char *join(
	const struct scoped *scope, const char *around, const char *name, struct intern *strings)
{
	struct buf text;
	if (!name)
		name = scope->tag == DW_TAG_namespace ? "(anonymous namespace)"
		       : tag_is_aggregate(scope->tag) ? "{...}"
						      : "?";
	buf_init(&text);
	if (around)
		buf_printf(&text, "%s::", around);
	buf_printf(&text, "%s%s", name, scope->tag == DW_TAG_subprogram ? "()" : "");
	const char *joined = intern_get(strings, text.data);
	buf_release(&text);
	return joined;
}

/* Text for what lies in `scope`. */
static struct error *make_text(struct opened *units, struct opened_unit *unit, struct scoped *scope,
	struct intern *strings, int depth)
{
	const char *name = NULL, *around = NULL;
	struct error *error;
	if (scope->has_text)
		return NULL;
	if (scope->tag == DW_TAG_lexical_block || scope->tag == DW_TAG_inlined_subroutine) {
		error = text_at(units, unit, scope->off, strings, depth + 1, &scope->text);
	} else {
		error = name_and_scope(units, unit, scope->off, strings, depth, &name, &around);
		if (!error)
			scope->text = join(scope, around, name, strings);
	}
	scope->has_text = !error;
	return error;
}

static struct error *text_at(struct opened *units, struct opened_unit *unit, uint64_t off,
	struct intern *strings, int depth, const char **ret)
{
	struct scoped *scope;
	if (depth > DEPTH_MAX) {
		*ret = NULL;
		return NULL;
	}
	struct error *error = find_scope(units, unit, off, &scope);
	if (!error)
		error = make_text(units, unit, scope, strings, depth + 1);
	if (!error)
		*ret = scope->text;
	return error;
}

struct error *scoped_text(struct opened *units, struct opened_unit *unit, uint64_t off,
	struct intern *strings, const char **ret)
{
	return text_at(units, unit, off, strings, 0, ret);
}

/* ---- definitions ---- */

struct wanted {
	uint64_t off; /* of the declaration */
	uint16_t tag;
	const char *name, *scope; /* the scope is interned */
	uint64_t found;
};

static bool is_template_part(uint16_t tag)
{
	return tag == DW_TAG_template_type_parameter || tag == DW_TAG_template_value_parameter ||
	       tag == DW_TAG_GNU_template_template_param || tag == DW_TAG_GNU_template_parameter_pack;
}

struct error *scoped_is_bare_template(
	struct opened *units, struct opened_unit *unit, const struct entry *entry, bool *ret)
{
	struct entry_unit *entries;
	struct entry_list list = {0};
	*ret = false;
	if (!entry->name || strchr(entry->name, '<'))
		return NULL;
	struct error *error = opened_use(units, unit, &entries);
	if (!error)
		error = entry_outline(entries, entry->off, is_template_part, &list);
	*ret = list.count > 0;
	entry_list_release(&list);
	return error;
}

static bool same_name(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static struct error *try_definition(struct opened *units, struct opened_unit *unit,
	const struct scoped *scope, struct intern *strings, struct wanted *wanted)
{
	struct entry_unit *entries;
	struct entry entry;
	const char *around = NULL;
	struct error *error = opened_use(units, unit, &entries);
	if (!error)
		error = entry_read(entries, scope->off, &entry);
	if (error || entry.is_declaration)
		return error;
	if (entry.origin.kind == ENTRY_REF_OFFSET && entry.origin.value == wanted->off) {
		wanted->found = scope->off;
		return NULL;
	}
	if (entry.tag != wanted->tag || !same_name(entry.name, wanted->name))
		return NULL;
	bool is_bare;
	error = scoped_is_bare_template(units, unit, &entry, &is_bare);
	if (error || is_bare)
		return error;
	error = scoped_text(units, unit, scope->off, strings, &around);
	if (!error && around == wanted->scope)
		wanted->found = scope->off;
	return error;
}

/* Preorder over everything but functions, without recursion: a node's parent says where to go on. */
static struct error *search(struct opened *units, struct opened_unit *unit, struct intern *strings,
	struct wanted *wanted)
{
	struct error *error = load_root(units, unit);
	struct scoped *scope = unit->root;
	while (!error && scope && !wanted->found) {
		if (tag_is_aggregate(scope->tag))
			error = try_definition(units, unit, scope, strings, wanted);
		if (!error && !is_block(scope->tag))
			error = load_children(units, unit, scope);
		if (!error && scope->count && !is_block(scope->tag)) {
			scope = scope->children;
			continue;
		}
		while (scope->parent && scope == &scope->parent->children[scope->parent->count - 1])
			scope = scope->parent;
		scope = scope->parent ? scope + 1 : NULL;
	}
	return error;
}

struct error *scoped_find_definition(struct opened *units, struct opened_unit *unit, uint64_t off,
	struct intern *strings, uint64_t *ret)
{
	struct wanted wanted = {.off = off};
	struct entry_unit *entries;
	struct entry entry;
	struct error *error = opened_use(units, unit, &entries);
	if (!error)
		error = entry_read(entries, off, &entry);
	if (!error) {
		wanted.tag = entry.tag;
		wanted.name = entry.name;
		error = scoped_text(units, unit, off, strings, &wanted.scope);
	}
	if (!error)
		error = search(units, unit, strings, &wanted);
	*ret = wanted.found;
	return error;
}
