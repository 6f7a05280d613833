#include "base/buf.h"
#include "read/dw.h"
#include "read/index/scan.h"

enum { SCOPE_LIMIT = 128 }; /* of names in a scope's text */

static void add_component(struct dies *dies, const struct die *die, struct buf *text)
{
	const char *name =
		die_has(die, SLOT_NAME) ? die_string(dies, die->view, &die->values[SLOT_NAME]) : "";
	switch (die->abbrev->tag) {
	case DW_TAG_subprogram:
		buf_printf(text, "%s()", *name ? name : "(anonymous function)");
		return;
	case DW_TAG_namespace:
	case DW_TAG_module:
		buf_puts(text, *name ? name : "(anonymous namespace)");
		return;
	default:
		break;
	}
	if (*name)
		buf_puts(text, name);
	else
		buf_printf(text, "(anonymous %s)", type_keyword(scan_kind(die->abbrev->tag)));
}

static const char *text_of(
	struct dies *dies, struct intern *texts, struct view *view, uint32_t index, size_t depth)
{
	struct scope *scope = &view->scopes[index];
	if (!index || scope->text)
		return scope->text;
	struct die named;
	if (depth == SCOPE_LIMIT) {
		dies_fail(dies, scope->off, "names are nested more than 128 deep");
		return NULL;
	}
	if (!scan_read_named(dies, scope->off, &named))
		return NULL;
	uint32_t parent = scope->parent;
	if (named.off != scope->off) /* completed here, but it belongs to where it was declared */
		parent = scan_scope_of(dies, named.view, named.off);
	if (dies->error)
		return NULL;
	const char *outer = text_of(dies, texts, named.view, parent, depth + 1);
	struct buf text;
	buf_init(&text);
	if (outer)
		buf_printf(&text, "%s::", outer);
	add_component(dies, &named, &text);
	scope->text = intern_get(texts, text.data);
	buf_release(&text);
	return scope->text;
}

const char *scan_scope_text(struct dies *dies, struct intern *texts, uint64_t off, bool *is_local)
{
	struct view *view = dies_view(dies, off);
	*is_local = false;
	if (!view)
		return NULL;
	uint32_t index = scan_scope_of(dies, view, off);
	if (dies->error)
		return NULL;
	for (uint32_t at = index; at; at = view->scopes[at].parent)
		*is_local |= view->scopes[at].tag == DW_TAG_subprogram;
	return text_of(dies, texts, view, index, 0);
}
