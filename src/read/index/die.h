/*
 * die: the attributes of single DIEs out of .debug_info, and ways over them.
 *
 * object -> abbrev -> [die] -> scan, fold. DWARF 5 sections 7.5.1 (unit headers) and 7.5.4 to 7.5.6
 * (attributes, forms); DWARF 2 to 4 likewise, 32 and 64 bits. All offsets count as unit.h has it unless
 * they say otherwise.
 *
 * A `struct dies` is one thread's way in. Damage is noted there once (dies_fail) and ends what is under
 * way; what is returned after that means nothing, but stays inside of the sections. Nothing here allocates
 * per DIE.
 */
#ifndef READ_DIE_H
#define READ_DIE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "read/index/abbrev.h"
#include "read/bytes.h"
#include "read/map.h"
#include "read/object.h"
#include "read/index/unit.h"
#include "read/index/window.h"

/* A DIE in which others lie with a name of their own: a function, a namespace, an aggregate. */
struct scope {
	uint64_t off;     /* of the DIE */
	uint64_t end;     /* behind its last child */
	uint32_t parent;  /* index into the unit's scopes; 0: file scope */
	uint16_t tag;     /* DW_TAG_* */
	bool has_variants; /* an enum of Rust: the structs in it are its alternatives, and no types of their own */
	bool has_hash[2]; /* fold's, of each kind of hash: is it there? */
	uint64_t hash[2];
	const char *text; /* scan's: "ns::Outer"; NULL before it was asked for */
};

/* A unit that is being read. */
struct view {
	const struct unit *unit;
	const struct abbrev_table *abbrevs;
	const uint8_t *info;  /* where offset 0 would be, of the unit's bytes: window_base() or unit_base() */
	const uint8_t *start; /* of the unit */
	const uint8_t *end;
	const uint8_t *children;   /* the first child of the unit's DIE; NULL when there is none */
	uint64_t strings_start;    /* unit->object's: see die_string_key() */
	uint64_t str_offsets_base; /* in .debug_str_offsets */
	uint64_t addr_base;        /* in .debug_addr */
	uint64_t lower_bound;      /* of an array's index where none is stated: of the unit's language */
	bool swap;                 /* the file's byte order is not ours */
	bool is_c;       /* C or assembler: aggregates hold no named types and scope no names */
	bool is_skeleton; /* its DIEs are in another file (-gsplit-dwarf): DWARF 5 section 3.1.2 */
	bool has_scopes; /* scopes are complete */
	struct scope *scopes; /* in file order; [0] is file scope; owned */
	size_t scope_count, scope_capacity;
};

struct dies {
	const struct object *object;
	const struct units *units;
	bool with_variables; /* die_read() reads those of variables; set before the first dies_open() */
	struct window window; /* holds the main unit */
	uint64_t ahead; /* the window may be filled up to there */
	bool is_mapped; /* no window: all of the pages will be wanted once more; set before the first dies_open() */
	struct view main; /* the unit that is being scanned */
	struct abbrev_table
		table; /* its abbreviations; stay for the next unit when that has the same */
	struct map
		foreign; /* index of a unit + 1 -> index into views: units that the main one refers to */
	struct view **views; /* owned */
	size_t view_count, view_capacity;
	struct map table_map;         /* place in .debug_abbrev -> index into tables */
	struct abbrev_table **tables; /* of foreign units; owned */
	size_t table_count, table_capacity;
	struct error *error; /* the first damage; NULL while all is well; the caller takes it */
};

void dies_init(struct dies *dies, const struct object *object, const struct units *units);
void dies_release(struct dies *dies);

/* Makes `unit` the main one. What was read of the one before is gone. False: dies->error. */
bool dies_open(struct dies *dies, const struct unit *unit);

/* Notes "PATH: .debug_info+OFF: what; what to do" unless something was noted before. */
void dies_fail(struct dies *dies, uint64_t off, const char *what) __attribute__((cold));

/* How the number of a value is to be read. */
enum value_class {
	VALUE_UNSIGNED,  /* also flags */
	VALUE_SIGNED,    /* as int64_t */
	VALUE_STRP,      /* offset in .debug_str */
	VALUE_LINE_STRP, /* offset in .debug_line_str */
	VALUE_STRX,      /* index */
	VALUE_STRING,    /* offset in .debug_info; ends before the unit does */
	VALUE_REFERENCE, /* offset in .debug_info, not yet checked */
	VALUE_SIGNATURE, /* of a type unit */
	VALUE_BLOCK,     /* offset in .debug_info; `length` bytes that are there */
	VALUE_STRP_ALT,  /* offset in the .debug_str of the alternate file */
	VALUE_FOREIGN,   /* in an alternate file (dwz) that is not there */
	VALUE_OTHER,     /* addresses, lists */
};

struct value {
	uint64_t number;
	uint64_t length;
	enum value_class class;
};

/* One DIE with the attributes that it has. */
struct die {
	struct view *view;
	const struct abbrev *abbrev;
	uint64_t off;
	const uint8_t *next;             /* behind its attributes */
	struct value values[SLOT_LIMIT]; /* where die_has() */
};

static inline bool die_has(const struct die *die, enum die_slot slot)
{
	return die->abbrev->slots & 1u << slot;
}

/* A flag that is there and true. */
bool die_flag(const struct die *die, enum die_slot slot);

/* A constant that is there; false when it is none (a location expression, say). */
bool die_number(const struct die *die, enum die_slot slot, uint64_t *ret);

/*
 * The abbreviation of the DIE at *p, which moves behind its code; NULL at a null entry, which ends a list
 * of children (*p moves behind it), at the end of the unit, and after damage (dies->error).
 */
static inline const struct abbrev *die_abbrev(
	struct dies *dies, const struct view *view, const uint8_t **p)
{
	const uint8_t *at = *p;
	uint64_t code;
	if (at >= view->end)
		return NULL;
	if (*at < 0x80) {
		code = *at;
		*p = at + 1;
	} else if (!bytes_uleb(p, view->end, &code)) {
		dies_fail(dies, (uint64_t)(at - view->info),
			"the code of a DIE runs past the end of its unit");
		return NULL;
	}
	if (!code)
		return NULL;
	const struct abbrev *abbrev = abbrev_find(view->abbrevs, code);
	if (!abbrev)
		dies_fail(dies, (uint64_t)(at - view->info),
			"a DIE has a code that its abbreviation table lacks");
	return abbrev;
}

/*
 * Where the fixed bytes of a DIE start: over an inline name. p stands behind the code. All of
 * abbrev->fixed_bytes are there; NULL after damage.
 */
static inline const uint8_t *die_fixed(
	struct dies *dies, const struct view *view, const struct abbrev *abbrev, const uint8_t *p)
{
	size_t left = (size_t)(view->end - p);
	if (abbrev->inline_name) { /* of three bytes mostly: quicker than memchr() */
		while (left && *p) {
			p++;
			left--;
		}
		if (left) {
			p++;
			left--;
		} else {
			left = 0;
			p = NULL;
		}
	}
	if (__builtin_expect(left < abbrev->fixed_bytes || !p, 0)) {
		dies_fail(dies, view->unit->off, "a DIE runs past the end of this unit");
		return NULL;
	}
	return p;
}

/*
 * The name of a DIE that has one of the usual forms. `fixed` is die_fixed() of p; false when it takes
 * die_read().
 */
static inline bool die_quick_name(const struct view *view, const struct abbrev *abbrev,
	const uint8_t *p, const uint8_t *fixed, struct value *ret)
{
	if (abbrev->inline_name)
		*ret = (struct value){
			(uint64_t)(p - view->info), (uint64_t)(fixed - 1 - p), VALUE_STRING};
	else if (abbrev->name_index_bytes)
		*ret = (struct value){bytes_uint(fixed + abbrev->name_at, abbrev->name_index_bytes,
					      view->swap),
			0, VALUE_STRX};
	else if (abbrev->name_at != ABBREV_NOT_FIXED)
		*ret = (struct value){
			bytes_u32(fixed + abbrev->name_at, view->swap), 0, VALUE_STRP};
	else
		return false;
	return true;
}

/* The constant at abbrev->number_at, which must be fixed. */
static inline uint64_t die_quick_number(
	const struct view *view, const struct abbrev *abbrev, const uint8_t *fixed)
{
	return bytes_uint(fixed + abbrev->number_at, abbrev->number_bytes, view->swap);
}

/* Over the attributes of varying size, for die_skip(). */
const uint8_t *die_skip_rest(
	struct dies *dies, const struct view *view, const struct abbrev *abbrev, const uint8_t *p);

/* Over the attributes of a DIE; p stands behind its code. NULL after damage. */
static inline const uint8_t *die_skip(
	struct dies *dies, const struct view *view, const struct abbrev *abbrev, const uint8_t *p)
{
	p = die_fixed(dies, view, abbrev, p);
	if (!p)
		return NULL;
	p += abbrev->fixed_bytes;
	return abbrev->skip_count ? die_skip_rest(dies, view, abbrev, p) : p;
}

/* die_skip_tree() where DW_AT_sibling is not there in the usual form. */
const uint8_t *die_walk_tree(
	struct dies *dies, struct view *view, const struct abbrev *abbrev, const uint8_t *p);

/*
 * Over a DIE and all of its children, along DW_AT_sibling where it is there. p stands behind the code. NULL
 * after damage.
 */
static inline const uint8_t *die_skip_tree(
	struct dies *dies, struct view *view, const struct abbrev *abbrev, const uint8_t *p)
{
	if (abbrev->sibling_at == ABBREV_NOT_FIXED)
		return die_walk_tree(dies, view, abbrev, p);
	p = die_fixed(dies, view, abbrev, p);
	if (!p)
		return NULL;
	uint64_t delta = bytes_u32(p + abbrev->sibling_at, view->swap);
	if (delta < (uint64_t)(p - view->start) + abbrev->fixed_bytes ||
		delta >= (uint64_t)(view->end - view->start)) {
		dies_fail(dies, (uint64_t)(p - view->info),
			"a DIE's sibling is not behind it in its unit");
		return NULL;
	}
	return view->start + delta;
}

/*
 * What an attribute of `die` refers to, by offset or by the signature of a type unit; false when it is not there or
 * refers to nothing of this file.
 */
bool die_refers(const struct dies *dies, const struct die *die, enum die_slot slot, uint64_t *ret);

/* Reads the attributes; p stands behind the code. False after damage. */
bool die_read(struct dies *dies, struct view *view, const struct abbrev *abbrev, const uint8_t *p,
	struct die *ret);

/* The DIE at an offset, in whatever unit; false after damage, which is also when there is no DIE. */
bool die_read_at(struct dies *dies, uint64_t off, struct die *ret);

/* dies_view() outside of the main unit. */
struct view *dies_foreign_view(struct dies *dies, uint64_t off);

/*
 * The unit in which `off` lies; NULL after damage, which is also when there is none. Valid until the next
 * dies_open().
 */
static inline struct view *dies_view(struct dies *dies, uint64_t off)
{
	const struct unit *main = dies->main.unit;
	return off >= main->die_off && off < main->end ? &dies->main : dies_foreign_view(dies, off);
}

/* The offset `delta` of this unit, or one where no DIE can be. */
static inline uint64_t die_in_unit(const struct view *view, uint64_t delta)
{
	return delta < (uint64_t)(view->end - view->start) ? view->unit->off + delta : UINT64_MAX;
}

/* Likewise of offset `number` of the file in which the unit lies. */
static inline uint64_t die_in_file(const struct view *view, uint64_t number)
{
	const struct object *object = view->unit->object;
	return number < object_span(object) ? object->start + number : UINT64_MAX;
}

/*
 * As die_read_at(), but only finds: the abbreviation, its view, and *p behind the code. NULL after damage.
 */
static inline const struct abbrev *die_find(
	struct dies *dies, uint64_t off, struct view **view, const uint8_t **p)
{
	*view = dies_view(dies, off);
	if (!*view)
		return NULL;
	*p = (*view)->info + off;
	const struct abbrev *abbrev = die_abbrev(dies, *view, p);
	if (!abbrev)
		dies_fail(dies, off, "a DIE is referred to here, but there is none");
	return abbrev;
}

/*
 * The text of a string; "" when it has none or the text is in another file. NUL-terminated, valid until the next
 * dies_open(). After damage: "".
 */
const char *die_string(struct dies *dies, const struct view *view, const struct value *value);

/* The same text where it stays: in the object. */
const char *die_kept_string(struct dies *dies, const struct view *view, const struct value *value);

uint64_t die_hash_bytes(const void *bytes, size_t length);

/*
 * Two values with one key are the same text; the same text may have two keys. Never 0. What has no key of
 * its own (an inline string) gets its hash; a foreign one counts by place.
 */
uint64_t die_string_key(struct dies *dies, const struct view *view, const struct value *value);

/* In the lowest bits of a key. */
enum { DIE_KEY_STRP = 1, DIE_KEY_LINE_STRP = 2, DIE_KEY_STRING = 3, DIE_KEY_OTHER = 4 };

/* The key of an inline string. Most are of up to three bytes: those are their own key. */
static inline uint64_t die_text_key(const uint8_t *text, size_t length)
{
	uint64_t bytes = 0;
	if (length >= sizeof(bytes))
		return die_hash_bytes(text, length) << 3 | DIE_KEY_OTHER;
	for (size_t i = 0; i < length; i++)
		bytes = bytes << 8 | text[i];
	return bytes << 3 | DIE_KEY_STRING;
}

/* Of the name of a DIE in one of the usual forms; see die_quick_name(). */
static inline uint64_t die_quick_key(struct dies *dies, const struct view *view,
	const struct abbrev *abbrev, const uint8_t *p, const uint8_t *fixed)
{
	struct value index;
	if (abbrev->inline_name)
		return die_text_key(p, (size_t)(fixed - 1 - p));
	if (abbrev->name_index_bytes) {
		die_quick_name(view, abbrev, p, fixed, &index);
		return die_string_key(dies, view, &index);
	}
	return (bytes_u32(fixed + abbrev->name_at, view->swap) + view->strings_start) << 3 |
	       DIE_KEY_STRP;
}

/*
 * Hashing: a start, any number of 64-bit values, an end. Multiply and shift, after XXH3's and MurmurHash3's
 * mixers; good against chance, not against an adversary, who can only make us fold two of his own structs.
 */
#define DIE_HASH_START 0x2d358dccaa6c78a5u

static inline uint64_t die_hash_add(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9fb21c651e98df25u;
	return hash ^ hash >> 32;
}

static inline uint64_t die_hash_end(uint64_t hash)
{
	hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdu;
	hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53u;
	return hash ^ hash >> 33;
}

#endif
