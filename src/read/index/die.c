#include "read/index/die.h"

#include <string.h>

#include "base/mem.h"
#include "read/dw.h"
#include "read/index/language.h"

/* Tables of foreign units that are kept from one main unit to the next. */
enum { KEPT_TABLES = 64 };

void dies_init(struct dies *dies, const struct object *object, const struct units *units)
{
	memset(dies, 0, sizeof(*dies));
	dies->object = object;
	dies->units = units;
	window_init(&dies->window, object);
	abbrev_table_init(&dies->table);
	map_init(&dies->foreign);
	map_init(&dies->table_map);
}

static void free_tables(struct dies *dies)
{
	for (size_t i = 0; i < dies->table_count; i++) {
		abbrev_table_release(dies->tables[i]);
		mem_free(dies->tables[i]);
	}
	dies->table_count = 0;
	map_clear(&dies->table_map);
}

static void free_views(struct dies *dies)
{
	for (size_t i = 0; i < dies->view_count; i++) {
		mem_free(dies->views[i]->scopes);
		mem_free(dies->views[i]);
	}
	dies->view_count = 0;
	map_clear(&dies->foreign);
}

void dies_release(struct dies *dies)
{
	free_views(dies);
	free_tables(dies);
	mem_free(dies->views);
	mem_free(dies->tables);
	mem_free(dies->main.scopes);
	map_release(&dies->foreign);
	map_release(&dies->table_map);
	abbrev_table_release(&dies->table);
	window_release(&dies->window);
	error_free(dies->error);
	memset(dies, 0, sizeof(*dies));
}

void dies_fail(struct dies *dies, uint64_t off, const char *what)
{
	if (!dies->error)
		dies->error = unit_error(dies->object, off, what);
}

static void fail_at(struct dies *dies, const struct view *view, const uint8_t *p, const char *what)
{
	dies_fail(dies, (uint64_t)(p - view->info), what);
}

static bool is_c_language(uint64_t language)
{
	return language == DW_LANG_C89 || language == DW_LANG_C || language == DW_LANG_C99 ||
	       language == DW_LANG_C11 || language == DW_LANG_C17 || language == DW_LANG_C23 ||
	       language == DW_LANG_Mips_Assembler;
}

/* A split unit's addresses are in the linked file, where its skeleton says. */
static void find_addr_base(struct dies *dies, struct view *view, const struct die *root)
{
	uint64_t id = view->unit->dwo_id;
	if (!id)
		die_number(root, SLOT_DWO_ID, &id);
	const struct object_skeleton *skeleton = object_skeleton(dies->object, id);
	if (skeleton)
		view->addr_base = skeleton->addr_base;
}

/* What the unit's own DIE says about all of it. */
static bool read_root(struct dies *dies, struct view *view)
{
	const uint8_t *p = view->info + view->unit->die_off;
	const struct abbrev *abbrev = die_abbrev(dies, view, &p);
	if (!abbrev)
		return !dies->error; /* an empty unit */
	struct die root;
	if (!die_read(dies, view, abbrev, p, &root))
		return false;
	uint64_t language = 0;
	view->is_c = die_number(&root, SLOT_LANGUAGE, &language) && is_c_language(language);
	view->lower_bound = language <= UINT16_MAX ? language_lower_bound((uint16_t)language) : 0;
	view->is_skeleton = die_has(&root, SLOT_DWO_NAME) && !view->unit->object->is_split;
	if (die_has(&root, SLOT_STR_OFFSETS_BASE))
		view->str_offsets_base = root.values[SLOT_STR_OFFSETS_BASE].number;
	if (die_has(&root, SLOT_ADDR_BASE))
		view->addr_base = root.values[SLOT_ADDR_BASE].number;
	else if (view->unit->object->is_split)
		find_addr_base(dies, view, &root);
	if (abbrev->has_children)
		view->children = root.next;
	return true;
}

static struct abbrev_key key_of(const struct dies *dies, const struct unit *unit)
{
	return (struct abbrev_key){.object = unit->object,
		.off = unit->abbrev_off,
		.address_bytes = unit->address_bytes,
		.offset_bytes = unit->offset_bytes,
		.ref_addr_bytes = unit->version == 2 ? unit->address_bytes : unit->offset_bytes,
		.with_variables = dies->with_variables};
}

static bool open_view(struct dies *dies, const struct unit *unit, const uint8_t *info,
	const struct abbrev_table *table, struct view *view)
{
	*view = (struct view){.unit = unit,
		.abbrevs = table,
		.info = info,
		.start = info + unit->off,
		.end = info + unit->end,
		/*
		 * a split unit has no DW_AT_str_offsets_base: its part starts behind the header (section
		 * 7.26)
		 */
		.str_offsets_base =
			unit->str_offsets_off + (unit->version >= 5 ? 2u * unit->offset_bytes : 0),
		.strings_start = unit->object->strings_start,
		.addr_base = unit->version >= 5 ? 2u * unit->offset_bytes : 0,
		.swap = bytes_swapped(dies->object->types.big_endian),
		.scopes = view->scopes,
		.scope_capacity = view->scope_capacity};
	return read_root(dies, view);
}

bool dies_open(struct dies *dies, const struct unit *unit)
{
	free_views(dies);
	if (dies->table_count > KEPT_TABLES)
		free_tables(dies);
	struct abbrev_key key = key_of(dies, unit);
	if (!dies->table.ready || !abbrev_key_equal(dies->table.key, key)) {
		dies->error = abbrev_table_read(&dies->table, key);
		if (dies->error)
			return false;
	}
	const uint8_t *info =
		dies->is_mapped ? unit_base(dies->object, unit->off)
				: window_base(&dies->window, unit->off, unit->end, dies->ahead);
	return open_view(dies, unit, info, &dies->table, &dies->main);
}

/*
 * The table of a foreign unit; NULL after damage. Stays until the next dies_open(), for views point to it.
 */
static const struct abbrev_table *foreign_table(struct dies *dies, struct abbrev_key key)
{
	if (dies->table.ready && abbrev_key_equal(dies->table.key, key))
		return &dies->table;
	uint64_t place =
		die_hash_add(key.object->start, key.off << 9 | (uint64_t)key.address_bytes << 5 |
							(uint64_t)key.offset_bytes << 1 |
							(key.ref_addr_bytes != key.offset_bytes)) |
		1;
	const uint64_t *found = map_find(&dies->table_map, place);
	if (found && abbrev_key_equal(dies->tables[*found]->key, key))
		return dies->tables[*found];
	struct abbrev_table *table = mem_new(1, sizeof(*table));
	abbrev_table_init(table);
	dies->tables = mem_grow(dies->tables, &dies->table_capacity, dies->table_count + 1,
		sizeof(struct abbrev_table *));
	dies->tables[dies->table_count++] = table;
	struct error *error = abbrev_table_read(table, key);
	if (error) {
		if (dies->error)
			error_free(error);
		else
			dies->error = error;
		return NULL;
	}
	if (!found)
		map_add(&dies->table_map, place, dies->table_count - 1);
	return table;
}

struct view *dies_foreign_view(struct dies *dies, uint64_t off)
{
	const struct unit *unit = units_find(dies->units, off);
	if (!unit) {
		dies_fail(dies, dies->main.unit->off,
			"a DIE of this unit refers to a place where no DIE is");
		return NULL;
	}
	uint64_t key = (uint64_t)(unit - dies->units->items) + 1;
	const uint64_t *found = map_find(&dies->foreign, key);
	if (found)
		return dies->views[*found];
	const struct abbrev_table *table = foreign_table(dies, key_of(dies, unit));
	if (!table)
		return NULL;
	struct view *view = mem_new(1, sizeof(*view));
	dies->views = mem_grow(
		dies->views, &dies->view_capacity, dies->view_count + 1, sizeof(struct view *));
	dies->views[dies->view_count++] = view;
	if (!open_view(dies, unit, unit_base(dies->object, unit->off), table, view))
		return NULL;
	map_add(&dies->foreign, key, dies->view_count - 1);
	return view;
}

static bool read_block(
	const struct view *view, uint64_t length, const uint8_t **p, struct value *ret)
{
	if (length > (uint64_t)(view->end - *p))
		return false;
	*ret = (struct value){(uint64_t)(*p - view->info), length, VALUE_BLOCK};
	*p += length;
	return true;
}

/* The value class of forms that are a plain number of fixed size. */
static enum value_class class_of(uint64_t form)
{
	switch (form) {
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_flag:
		return VALUE_UNSIGNED;
	case DW_FORM_strp:
		return VALUE_STRP;
	case DW_FORM_line_strp:
		return VALUE_LINE_STRP;
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
		return VALUE_STRX;
	case DW_FORM_ref_sig8:
		return VALUE_SIGNATURE;
	default:
		return VALUE_OTHER;
	}
}

/* Into the file that several share: a string, or a DIE. */
static struct value alternate_value(const struct view *view, uint64_t form, uint64_t number)
{
	const struct object *alternate = view->unit->object->alternate;
	if (!alternate)
		return (struct value){number, 0, VALUE_FOREIGN};
	if (form == DW_FORM_strp_sup)
		return (struct value){number, 0, VALUE_STRP_ALT};
	if (number >= object_span(alternate))
		number = UINT64_MAX - alternate->start; /* where no DIE is */
	return (struct value){alternate->start + number, 0, VALUE_REFERENCE};
}

/*
 * One attribute of any form but DW_FORM_indirect and DW_FORM_implicit_const at *p, which moves behind it.
 */
static bool read_direct(
	const struct view *view, uint64_t form, const uint8_t **p, struct value *ret)
{
	const uint8_t *end = view->end;
	size_t left = (size_t)(end - *p);
	uint64_t number;
	int64_t negative;
	switch (form) {
	case DW_FORM_string: {
		const uint8_t *nul = memchr(*p, 0, left);
		if (!nul)
			return false;
		*ret = (struct value){
			(uint64_t)(*p - view->info), (uint64_t)(nul - *p), VALUE_STRING};
		*p = nul + 1;
		return true;
	}
	case DW_FORM_block1:
		return left >= 1 && (*p += 1, read_block(view, (*p)[-1], p, ret));
	case DW_FORM_block2:
		return left >= 2 &&
		       (*p += 2, read_block(view, bytes_u16(*p - 2, view->swap), p, ret));
	case DW_FORM_block4:
		return left >= 4 &&
		       (*p += 4, read_block(view, bytes_u32(*p - 4, view->swap), p, ret));
	case DW_FORM_block:
	case DW_FORM_exprloc:
		return bytes_uleb(p, end, &number) && read_block(view, number, p, ret);
	case DW_FORM_data16:
		return read_block(view, 16, p, ret);
	case DW_FORM_sdata:
		if (!bytes_sleb(p, end, &negative))
			return false;
		*ret = (struct value){(uint64_t)negative, 0, VALUE_SIGNED};
		return true;
	case DW_FORM_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_ref_udata:
		if (!bytes_uleb(p, end, &number))
			return false;
		*ret = (struct value){number, 0, VALUE_OTHER};
		if (form == DW_FORM_ref_udata)
			*ret = (struct value){die_in_unit(view, number), 0, VALUE_REFERENCE};
		else if (form == DW_FORM_udata)
			ret->class = VALUE_UNSIGNED;
		else if (form == DW_FORM_strx)
			ret->class = VALUE_STRX;
		return true;
	case DW_FORM_flag_present:
		*ret = (struct value){1, 0, VALUE_UNSIGNED};
		return true;
	default:
		break;
	}
	uint8_t bytes = abbrev_form_bytes(view->abbrevs->key, form);
	if (bytes > left || bytes > 8)
		return false;
	number = bytes_uint(*p, bytes, view->swap);
	*p += bytes;
	switch (form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
		*ret = (struct value){die_in_unit(view, number), 0, VALUE_REFERENCE};
		return true;
	case DW_FORM_ref_addr:
		*ret = (struct value){die_in_file(view, number), 0, VALUE_REFERENCE};
		return true;
	case DW_FORM_strp_sup:
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
		*ret = alternate_value(view, form, number);
		return true;
	default:
		*ret = (struct value){number, 0, class_of(form)};
		return true;
	}
}

/* DW_FORM_indirect: the form stands before the value (section 7.5.6). It may not be indirect again. */
static bool read_indirect(const struct view *view, const uint8_t **p, struct value *ret)
{
	uint64_t form;
	int64_t constant;
	if (!bytes_uleb(p, view->end, &form))
		return false;
	form = abbrev_standard_form(form, view->unit->offset_bytes);
	if (form == DW_FORM_implicit_const) {
		if (!bytes_sleb(p, view->end, &constant))
			return false;
		*ret = (struct value){(uint64_t)constant, 0, VALUE_SIGNED};
		return true;
	}
	return form != DW_FORM_indirect &&
	       abbrev_form_bytes(view->abbrevs->key, form) != FORM_UNKNOWN &&
	       read_direct(view, form, p, ret);
}

static bool read_step(const struct view *view, const struct abbrev_step *step, const uint8_t **p,
	struct value *ret)
{
	if (step->form == DW_FORM_indirect)
		return read_indirect(view, p, ret);
	if (step->form == DW_FORM_implicit_const) {
		*ret = (struct value){
			(uint64_t)view->abbrevs->constants[step->constant], 0, VALUE_SIGNED};
		return true;
	}
	return read_direct(view, step->form, p, ret);
}

/* The forms that make up nearly all of what is read; false for the others and at the end of the unit. */
static inline bool read_common(
	const struct view *view, uint8_t form, const uint8_t **p, struct value *ret)
{
	if (view->end - *p < 4)
		return false;
	switch (form) {
	case DW_FORM_data1:
		*ret = (struct value){**p, 0, VALUE_UNSIGNED};
		*p += 1;
		return true;
	case DW_FORM_data2:
		*ret = (struct value){bytes_u16(*p, view->swap), 0, VALUE_UNSIGNED};
		*p += 2;
		return true;
	case DW_FORM_ref4:
		*ret = (struct value){
			die_in_unit(view, bytes_u32(*p, view->swap)), 0, VALUE_REFERENCE};
		*p += 4;
		return true;
	case DW_FORM_strp:
		if (view->unit->offset_bytes != 4)
			return false;
		*ret = (struct value){bytes_u32(*p, view->swap), 0, VALUE_STRP};
		*p += 4;
		return true;
	default:
		return false;
	}
}

static const uint8_t *cut_off(struct dies *dies, const struct view *view, const uint8_t *p)
{
	fail_at(dies, view, p, "an attribute runs past the end of its unit");
	return NULL;
}

const uint8_t *die_skip_rest(
	struct dies *dies, const struct view *view, const struct abbrev *abbrev, const uint8_t *p)
{
	const struct abbrev_step *step = &view->abbrevs->steps[abbrev->skip_first];
	const struct abbrev_step *last = step + abbrev->skip_count;
	const uint8_t *end = view->end;
	for (; step < last; step++) {
		uint64_t length = 0;
		struct value ignored;
		switch (step->form) {
		case DW_FORM_exprloc:
		case DW_FORM_block:
			if (!bytes_uleb(&p, end, &length))
				return cut_off(dies, view, p);
			break;
		case DW_FORM_string: {
			const uint8_t *nul = memchr(p, 0, (size_t)(end - p));
			if (!nul)
				return cut_off(dies, view, p);
			p = nul + 1;
			break;
		}
		default:
			if (!read_step(view, step, &p, &ignored))
				return cut_off(dies, view, p);
			break;
		}
		uint64_t left = (uint64_t)(end - p);
		if (length > left || step->before > left - length)
			return cut_off(dies, view, p);
		p += length + step->before;
	}
	return p;
}

bool die_read(struct dies *dies, struct view *view, const struct abbrev *abbrev, const uint8_t *p,
	struct die *ret)
{
	ret->view = view;
	ret->abbrev = abbrev;
	const struct abbrev_step *step =
		abbrev->read_count ? &view->abbrevs->steps[abbrev->read_first] : NULL;
	for (size_t left = abbrev->read_count; left; left--, step++) {
		if ((size_t)(view->end - p) < step->before)
			return cut_off(dies, view, p);
		p += step->before;
		if (!read_common(view, step->form, &p, &ret->values[step->slot]) &&
			!read_step(view, step, &p, &ret->values[step->slot]))
			return cut_off(dies, view, p);
	}
	if ((size_t)(view->end - p) < abbrev->read_tail)
		return cut_off(dies, view, p);
	ret->next = p + abbrev->read_tail;
	return true;
}

bool die_read_at(struct dies *dies, uint64_t off, struct die *ret)
{
	const uint8_t *p;
	struct view *view;
	const struct abbrev *abbrev = die_find(dies, off, &view, &p);
	if (!abbrev || !die_read(dies, view, abbrev, p, ret))
		return false;
	ret->off = off;
	return true;
}

/*
 * Behind the subtree as DW_AT_sibling in an unusual form has it; NULL when there is none, and after damage.
 */
static const uint8_t *sibling(
	struct dies *dies, struct view *view, const struct abbrev *abbrev, const uint8_t *p)
{
	struct die die;
	if (!(abbrev->slots & 1u << SLOT_SIBLING) || !die_read(dies, view, abbrev, p, &die) ||
		die.values[SLOT_SIBLING].class != VALUE_REFERENCE)
		return NULL;
	uint64_t off = die.values[SLOT_SIBLING].number;
	if (off < (uint64_t)(die.next - view->info) || off >= view->unit->end) {
		fail_at(dies, view, p, "a DIE's sibling is not behind it in its unit");
		return NULL;
	}
	return view->info + off;
}

/*
 * Over one DIE of a subtree, and with its sibling over its children; else they are still to come, and
 * *depth grows.
 */
static const uint8_t *skip_one(struct dies *dies, struct view *view, const struct abbrev *abbrev,
	const uint8_t *p, size_t *depth)
{
	if (!abbrev->has_children)
		return die_skip(dies, view, abbrev, p);
	if (abbrev->sibling_at != ABBREV_NOT_FIXED)
		return die_skip_tree(dies, view, abbrev, p);
	const uint8_t *behind = sibling(dies, view, abbrev, p);
	if (behind || dies->error)
		return behind;
	++*depth;
	return die_skip(dies, view, abbrev, p);
}

const uint8_t *die_walk_tree(
	struct dies *dies, struct view *view, const struct abbrev *abbrev, const uint8_t *p)
{
	size_t depth = 0;
	p = skip_one(dies, view, abbrev, p, &depth);
	while (p && depth && p < view->end) {
		abbrev = die_abbrev(dies, view, &p);
		if (abbrev)
			p = skip_one(dies, view, abbrev, p, &depth);
		else if (dies->error)
			return NULL;
		else
			depth--;
	}
	return p;
}

bool die_flag(const struct die *die, enum die_slot slot)
{
	return die_has(die, slot) && die->values[slot].number != 0;
}

bool die_number(const struct die *die, enum die_slot slot, uint64_t *ret)
{
	if (!die_has(die, slot) || die->values[slot].class > VALUE_SIGNED)
		return false;
	*ret = die->values[slot].number;
	return true;
}

bool die_refers(const struct dies *dies, const struct die *die, enum die_slot slot, uint64_t *ret)
{
	if (!die_has(die, slot))
		return false;
	const struct value *value = &die->values[slot];
	*ret = value->number;
	if (value->class == VALUE_SIGNATURE)
		*ret = units_find_signature(dies->units, value->number);
	return value->class == VALUE_REFERENCE || (value->class == VALUE_SIGNATURE && *ret);
}
