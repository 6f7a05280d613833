#include "patch/move.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

/* What moves, or stays, as one: an item, or some declarators of one that is split. */
struct piece {
	uint32_t item;
	size_t first; /* place with the lowest rank in it */
	size_t rank;
	size_t *places; /* by rank */
	size_t place_count;
	bool stays, is_split;
	bool has_lead, has_trail; /* of a split item: the comments above, and behind */
	size_t at;                /* where it stands or goes */
	bool inline_at;           /* in the middle of a line */
	bool before;              /* at the beginning of what follows, not behind what precedes */
	uint32_t neighbour;       /* item there; BODY_NONE for the opening of the scope */
};

struct moving {
	struct arena *arena;
	const struct body *body;
	const struct lex *lex;
	const char *file;
	const struct match_place *places;
	const struct move_wish *wishes;
	size_t count;
	bool *stays; /* by place */
	struct piece *pieces;
	size_t piece_count;
	struct move_edit *edits;
	size_t edit_count, edit_capacity;
};

static const struct body_item *item_of(const struct moving *m, size_t place)
{
	return &m->body->items[m->places[place].item];
}

static const struct body_name *name_of(const struct moving *m, size_t place)
{
	const struct body_item *item = item_of(m, place);
	return item->name_count ? &item->names[m->places[place].name] : NULL;
}

static uint32_t line_of(const struct moving *m, size_t place)
{
	const struct body_name *name = name_of(m, place);
	return name ? name->line : item_of(m, place)->line;
}

static struct error *refuse(const struct moving *m, size_t place, const char *why)
{
	return error_new("%s:%u: '%s' cannot be moved: %s; move it by hand", m->file,
		line_of(m, place), m->places[place].field, why);
}

/* ---- which stay ---- */

/* The heaviest sequence of places whose ranks ascend stays where it is. */
static void choose_staying(struct moving *m)
{
	enum { WEIGHT = 64 };
	size_t *best = arena_new(m->arena, m->count, sizeof(*best));
	size_t *before = arena_new(m->arena, m->count, sizeof(*before));
	size_t end = m->count;
	for (size_t i = 0; i < m->count; i++) {
		size_t weight = m->wishes[i].is_hinted ? 1 : WEIGHT;
		before[i] = m->count;
		best[i] = weight;
		for (size_t k = 0; k < i; k++)
			if (m->places[k].rank < m->places[i].rank && best[k] + weight > best[i]) {
				best[i] = best[k] + weight;
				before[i] = k;
			}
		if (end == m->count || best[i] > best[end])
			end = i;
	}
	for (; end < m->count; end = before[end])
		m->stays[end] = true;
}

/* ---- pieces ---- */

static struct piece *piece_add(struct moving *m, const size_t *places, size_t count)
{
	struct piece *piece = &m->pieces[m->piece_count++];
	*piece = (struct piece){
		.item = m->places[places[0]].item,
		.first = places[0],
		.rank = m->places[places[0]].rank,
		.places = arena_copy(m->arena, places, count, sizeof(*places)),
		.place_count = count,
		.stays = m->stays[places[0]],
		.neighbour = BODY_NONE,
	};
	return piece;
}

static bool goes_on(const struct moving *m, size_t before, size_t place)
{
	return m->stays[before] == m->stays[place] &&
	       m->places[before].rank + 1 == m->places[place].rank;
}

/* Declarators with comments of their own stand alone. */
static bool has_comments(const struct body_item *item)
{
	for (size_t i = 0; i < item->name_count; i++)
		if (item->names[i].comment_end)
			return true;
	return false;
}

static bool has_prefix(const struct moving *m, size_t place)
{
	return m->wishes[place].prefix != NULL;
}

/* Must the item of the places [first, end) be taken apart? */
static bool needs_split(const struct moving *m, size_t first, size_t end)
{
	for (size_t p = first; p < end; p++)
		if ((p > first && !goes_on(m, p - 1, p)) || (end - first > 1 && has_prefix(m, p)))
			return true;
	return false;
}

static const char *plural_reason(const struct moving *m, const struct body_item *item)
{
	if (item->kind == BODY_MACRO)
		return arena_printf(m->arena, "it is one of several that %s declares", item->macro);
	if (item->has_tail)
		return "it shares its declaration with others and with what hangs on it";
	return arena_printf(
		m->arena, "it shares its declaration with others, and %s", item->no_split);
}

static struct error *check_split(const struct moving *m, size_t first, size_t end)
{
	const struct body_item *item = item_of(m, first);
	if (item->kind == BODY_MEMBER && !item->no_split && !item->has_tail &&
		item->name_count == end - first)
		return NULL;
	size_t culprit = first;
	while (culprit + 1 < end && m->stays[culprit])
		culprit++;
	if (item->kind == BODY_MEMBER && !item->no_split && !item->has_tail)
		return refuse(m, culprit,
			"the debug information has not all that its declaration declares");
	return refuse(m, culprit, plural_reason(m, item));
}

/* Orders places by their rank; few. */
static void sort_by_rank(const struct moving *m, size_t *places, size_t count)
{
	for (size_t i = 1; i < count; i++)
		for (size_t k = i; k && m->places[places[k]].rank < m->places[places[k - 1]].rank;
			k--) {
			size_t swap = places[k];
			places[k] = places[k - 1];
			places[k - 1] = swap;
		}
}

static void split(struct moving *m, size_t first, size_t end)
{
	size_t count = end - first, from = 0, before = m->piece_count;
	bool alone = has_comments(item_of(m, first));
	size_t *places = arena_new(m->arena, count, sizeof(*places));
	for (size_t i = 0; i < count; i++)
		places[i] = first + i;
	sort_by_rank(m, places, count);
	for (size_t i = 1; i <= count; i++) {
		if (i < count && !alone && goes_on(m, places[i - 1], places[i]) &&
			!has_prefix(m, places[i]) && !has_prefix(m, places[i - 1]))
			continue;
		piece_add(m, places + from, i - from)->is_split = true;
		from = i;
	}
	size_t lead = before, trail = m->piece_count - 1;
	while (lead + 1 < m->piece_count && !m->pieces[lead].stays)
		lead++;
	while (trail > before && !m->pieces[trail].stays)
		trail--;
	m->pieces[m->pieces[lead].stays ? lead : before].has_lead = true;
	m->pieces[m->pieces[trail].stays ? trail : m->piece_count - 1].has_trail = !alone;
	for (size_t i = before; i < m->piece_count && alone; i++)
		m->pieces[i].has_trail = m->pieces[i].first == end - 1;
}

static struct error *check_piece(const struct moving *m, const struct piece *piece)
{
	const struct body_item *item = &m->body->items[piece->item];
	for (size_t i = 0; i < piece->place_count; i++) {
		size_t place = piece->places[i];
		const struct move_wish *wish = &m->wishes[place];
		if ((wish->prefix || wish->suffix) && item->kind != BODY_MEMBER)
			return error_new("%s:%u: '%s' cannot be aligned: %s; align it by hand",
				m->file, line_of(m, place), m->places[place].field,
				item->kind == BODY_MACRO
					? "a macro declares it"
					: "it is in an unnamed aggregate, which would grow");
		if (wish->prefix && m->lex->tokens[item->first].kind == LEX_DIRECTIVE)
			return refuse(m, place, "its declaration begins with a conditional");
		if (piece->stays)
			continue;
		if (m->places[place].is_uncertain)
			return refuse(m, place, "several branches of a conditional declare it");
		if (item->kind == BODY_MACRO && !m->places[place].by_words)
			return refuse(m, place,
				arena_printf(m->arena, "it comes out of %s", item->macro));
	}
	return NULL;
}

static struct error *make_pieces(struct moving *m)
{
	m->pieces = arena_new(m->arena, m->count, sizeof(*m->pieces));
	for (size_t first = 0, end; first < m->count; first = end) {
		struct error *error = NULL;
		size_t before = m->piece_count;
		end = first + 1;
		while (end < m->count && m->places[end].item == m->places[first].item)
			end++;
		if (needs_split(m, first, end)) {
			error = check_split(m, first, end);
			if (!error)
				split(m, first, end);
		} else {
			size_t *places = arena_new(m->arena, end - first, sizeof(*places));
			for (size_t p = first; p < end; p++)
				places[p - first] = p;
			piece_add(m, places, end - first);
		}
		for (size_t i = before; i < m->piece_count && !error; i++)
			error = check_piece(m, &m->pieces[i]);
		if (error)
			return error;
	}
	return NULL;
}

/* ---- where to ---- */

static bool is_own_line(const struct body_item *item)
{
	return item->starts_line && item->ends_line;
}

static void put_behind(const struct moving *m, struct piece *piece, uint32_t index)
{
	const struct body_item *item = &m->body->items[index];
	piece->inline_at = !item->ends_line;
	piece->at = item->ends_line ? lex_line_end(m->lex, item->chunk_end) : item->chunk_end;
	piece->neighbour = index;
}

static void put_before(const struct moving *m, struct piece *piece, uint32_t index)
{
	const struct body_item *item = &m->body->items[index];
	piece->inline_at = !item->starts_line;
	piece->at =
		item->starts_line ? lex_line_start(m->lex, item->chunk_start) : item->chunk_start;
	piece->before = true;
	piece->neighbour = index;
}

/* The piece that stays, in `scope` or inside of it, and comes last before `rank`, or first behind it. */
static const struct piece *find_staying(
	const struct moving *m, uint32_t scope, size_t rank, bool before)
{
	const struct piece *found = NULL;
	for (size_t i = 0; i < m->piece_count; i++) {
		const struct piece *piece = &m->pieces[i];
		if (!piece->stays || (before ? piece->rank >= rank : piece->rank <= rank) ||
			!body_is_inside(m->body, m->body->items[piece->item].scope, scope))
			continue;
		if (!found || (before ? piece->rank > found->rank : piece->rank < found->rank))
			found = piece;
	}
	return found;
}

static void place_moved(const struct moving *m, struct piece *piece)
{
	uint32_t scope = m->body->items[piece->item].scope;
	const struct piece *pred = find_staying(m, scope, piece->rank, true);
	const struct piece *succ = pred ? NULL : find_staying(m, scope, piece->rank, false);
	const struct piece *near = pred ? pred : succ;
	if (!near) {
		piece->at = m->body->scopes[scope].inner_start;
		piece->inline_at = !lex_starts_line(m->lex, piece->at);
		return;
	}
	uint32_t child = body_child_of(m->body, m->body->items[near->item].scope, scope);
	if (child != BODY_NONE) {
		const struct body_scope *block = &m->body->scopes[child];
		piece->at = pred ? block->block_end : block->block_start;
		piece->neighbour = near->item;
	} else if (pred || near->is_split) {
		put_behind(m, piece, near->item);
	} else {
		put_before(m, piece, near->item);
	}
}

static void place_pieces(struct moving *m)
{
	for (size_t i = 0; i < m->piece_count; i++) {
		struct piece *piece = &m->pieces[i];
		if (!piece->stays)
			place_moved(m, piece);
		else if (piece->is_split)
			put_behind(m, piece, piece->item);
		else
			piece->at = m->body->items[piece->item].start;
	}
}

static int compare_pieces(const void *left, const void *right)
{
	const struct piece *a = *(const struct piece *const *)left,
			   *b = *(const struct piece *const *)right;
	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static const char *place_text(const struct moving *m, uint32_t scope)
{
	while (scope != BODY_NONE && m->body->scopes[scope].kind == BODY_SCOPE_BRACES)
		scope = m->body->scopes[scope].parent;
	if (scope == BODY_NONE)
		return "the struct";
	const struct body_scope *found = &m->body->scopes[scope];
	bool is_first = found->kind == BODY_SCOPE_SECTION && found->text[0] == '{';
	if (is_first)
		return arena_printf(m->arena, "the section that begins on line %u", found->line);
	return arena_printf(m->arena, "'%s' of line %u", found->text, found->line);
}

/* `piece` does not come to stand beside `other` as it shall: one is in a scope that the other is not in. */
static struct error *cannot_leave(
	const struct moving *m, const struct piece *piece, const struct piece *other)
{
	uint32_t mine = m->body->items[piece->item].scope,
		 theirs = m->body->items[other->item].scope;
	const char *other_field = m->places[other->first].field;
	if (body_is_inside(m->body, theirs, mine) && theirs != mine) {
		uint32_t child = body_child_of(m->body, theirs, mine);
		return refuse(m, piece->first,
			arena_printf(m->arena, "it would have to go beside '%s', into %s",
				other_field, place_text(m, child)));
	}
	if (mine != theirs)
		return refuse(m, piece->first,
			arena_printf(m->arena, "it would have to go beside '%s', out of %s",
				other_field, place_text(m, mine)));
	return refuse(m, piece->first,
		arena_printf(m->arena, "its place beside '%s' is not to be had", other_field));
}

static struct error *check_order(const struct moving *m)
{
	const struct piece **sorted = arena_new(m->arena, m->piece_count, sizeof(*sorted));
	for (size_t i = 0; i < m->piece_count; i++)
		sorted[i] = &m->pieces[i];
	qsort(sorted, m->piece_count, sizeof(*sorted), compare_pieces);
	size_t *position = arena_new(m->arena, m->count, sizeof(*position)); /* by rank */
	bool good = true;
	for (size_t i = 0; i < m->piece_count; i++) {
		good = good && (i == 0 || sorted[i - 1]->rank < sorted[i]->rank);
		position[sorted[i]->rank] = i;
	}
	if (good)
		return NULL;
	/* by rank: the piece that moves and is not where its neighbour wants it */
	const struct piece **by_rank = arena_new(m->arena, m->count, sizeof(*by_rank));
	for (size_t i = 0; i < m->piece_count; i++)
		by_rank[m->pieces[i].rank] = &m->pieces[i];
	const struct piece *before = NULL;
	for (size_t rank = 0; rank < m->count; rank++) {
		const struct piece *piece = by_rank[rank];
		if (!piece)
			continue;
		if (before && position[before->rank] > position[rank])
			return piece->stays ? cannot_leave(m, before, piece)
					    : cannot_leave(m, piece, before);
		before = piece;
	}
	return refuse(m, 0, "the order cannot be had");
}

/* ---- texts ---- */

/* The bytes [from, to) with what the wishes of the piece put into them. */
static void put_range(
	const struct moving *m, const struct piece *piece, size_t from, size_t to, struct buf *out)
{
	const struct body_item *item = &m->body->items[piece->item];
	for (size_t i = 0; i < piece->place_count; i++) {
		const struct move_wish *wish = &m->wishes[piece->places[i]];
		if (!wish->prefix && !wish->suffix)
			continue;
		size_t at = wish->prefix ? item->start
					 : item->names[m->places[piece->places[i]].name].end;
		if (at < from || at > to)
			continue;
		buf_add(out, m->lex->bytes + from, at - from);
		buf_puts(out, wish->prefix ? wish->prefix : wish->suffix);
		from = at;
	}
	buf_add(out, m->lex->bytes + from, to - from);
}

/* What is behind a declarator: a semicolon, where a comma may have been, and the comment that is its own. */
static void put_end(const struct moving *m, const struct body_name *name, struct buf *out)
{
	const char *bytes = m->lex->bytes;
	if (!name->comment_end) {
		buf_putc(out, ';');
		return;
	}
	const char *comma = memchr(bytes + name->end, ',', name->comment_start - name->end);
	size_t at = comma ? (size_t)(comma - bytes) : name->end;
	buf_add(out, bytes + name->end, at - name->end);
	buf_putc(out, ';');
	at += comma ? 1 : 0;
	buf_add(out, bytes + at, name->comment_end - at);
}

static void put_split(const struct moving *m, const struct piece *piece, struct buf *out)
{
	const struct body_item *item = &m->body->items[piece->item];
	const char *bytes = m->lex->bytes;
	if (piece->has_lead)
		buf_add(out, bytes + item->chunk_start, item->start - item->chunk_start);
	if (m->wishes[piece->first].prefix)
		buf_puts(out, m->wishes[piece->first].prefix);
	buf_add(out, bytes + item->start, item->names[0].start - item->start);
	for (size_t i = 0; i < piece->place_count; i++) {
		const struct body_name *name = &item->names[m->places[piece->places[i]].name];
		if (i)
			buf_puts(out, ", ");
		buf_add(out, bytes + name->start, name->end - name->start);
		if (m->wishes[piece->places[i]].suffix)
			buf_puts(out, m->wishes[piece->places[i]].suffix);
	}
	put_end(m, &item->names[m->places[piece->places[piece->place_count - 1]].name], out);
	if (piece->has_trail)
		buf_add(out, bytes + item->end, item->chunk_end - item->end);
}

static void put_piece(const struct moving *m, const struct piece *piece, struct buf *out)
{
	const struct body_item *item = &m->body->items[piece->item];
	if (piece->is_split)
		put_split(m, piece, out);
	else
		put_range(m, piece, item->chunk_start, item->chunk_end, out);
}

/* The blanks that the line of this byte begins with. */
static void put_indent(const struct moving *m, size_t at, struct buf *out)
{
	size_t start = lex_line_start(m->lex, at), end = start;
	while (end < m->lex->length && (m->lex->bytes[end] == ' ' || m->lex->bytes[end] == '\t'))
		end++;
	buf_add(out, m->lex->bytes + start, end - start);
}

static bool needs_lines(const struct buf *text)
{
	return strchr(text->data, '\n') || strstr(text->data, "//");
}

static void edit_add(struct moving *m, struct move_edit edit, const struct buf *text)
{
	m->edits = arena_grow(
		m->arena, m->edits, &m->edit_capacity, m->edit_count + 1, sizeof(*m->edits));
	if (text) {
		edit.text = arena_copy(m->arena, text->data, text->length, 1);
		edit.length = text->length;
	}
	m->edits[m->edit_count++] = edit;
}

/* Puts the piece where it goes: as lines of its own, or into a line. */
static void insert(struct moving *m, const struct piece *piece)
{
	const struct body_item *item = &m->body->items[piece->item];
	struct buf text, out;
	buf_init(&text);
	buf_init(&out);
	put_piece(m, piece, &text);
	size_t like = piece->neighbour == BODY_NONE ? item->start
						    : m->body->items[piece->neighbour].start;
	if (is_own_line(item))
		like = piece->is_split ? item->start : item->chunk_start;
	bool lines = piece->inline_at && needs_lines(&text);
	if (piece->inline_at && !lines && !piece->before)
		buf_putc(&out, ' ');
	if (lines)
		buf_puts(&out, m->body->eol);
	if (!piece->inline_at || lines)
		put_indent(m, like, &out);
	buf_add(&out, text.data, text.length);
	if (!piece->inline_at || lines)
		buf_puts(&out, m->body->eol);
	if (lines)
		put_indent(m, like, &out);
	if (piece->inline_at && !lines && piece->before)
		buf_putc(&out, ' ');
	edit_add(m, (struct move_edit){.at = piece->at, .rank = piece->rank}, &out);
	buf_release(&text);
	buf_release(&out);
}

/* Takes an item away, with its lines, or out of its line with the blanks before it. */
static void take_away(struct moving *m, uint32_t index)
{
	const struct body_item *item = &m->body->items[index];
	size_t start = item->chunk_start, end = item->chunk_end;
	bool is_line = is_own_line(item);
	if (is_line) {
		start = lex_line_start(m->lex, start);
		end = lex_line_end(m->lex, end);
	} else if (item->starts_line) {
		while (end < m->lex->length &&
			(m->lex->bytes[end] == ' ' || m->lex->bytes[end] == '\t'))
			end++;
	} else {
		while (start &&
			(m->lex->bytes[start - 1] == ' ' || m->lex->bytes[start - 1] == '\t'))
			start--;
	}
	edit_add(m, (struct move_edit){.at = start, .remove = end - start, .is_line = is_line},
		NULL);
}

/* An alignment on what stays in its place. */
static void align_in_place(struct moving *m, const struct piece *piece)
{
	const struct body_item *item = &m->body->items[piece->item];
	for (size_t i = 0; i < piece->place_count; i++) {
		const struct move_wish *wish = &m->wishes[piece->places[i]];
		struct buf text;
		if (!wish->prefix && !wish->suffix)
			continue;
		buf_init(&text);
		buf_puts(&text, wish->prefix ? wish->prefix : wish->suffix);
		size_t at = wish->prefix ? item->start
					 : item->names[m->places[piece->places[i]].name].end;
		edit_add(m, (struct move_edit){.at = at, .rank = piece->rank + i}, &text);
		buf_release(&text);
	}
}

static int compare_edits(const void *left, const void *right)
{
	const struct move_edit *a = left, *b = right;
	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	if (!a->remove != !b->remove)
		return a->remove ? 1 : -1;
	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static void make_edits(struct moving *m)
{
	uint32_t taken = BODY_NONE;
	for (size_t i = 0; i < m->piece_count; i++) {
		const struct piece *piece = &m->pieces[i];
		if (piece->stays && !piece->is_split) {
			align_in_place(m, piece);
			continue;
		}
		insert(m, piece);
		if (taken != piece->item)
			take_away(m, piece->item);
		taken = piece->item;
	}
	if (m->edit_count)
		qsort(m->edits, m->edit_count, sizeof(*m->edits), compare_edits);
}

struct error *move_build(struct arena *arena, const struct body *body, const char *file,
	const struct match_place *places, const struct move_wish *wishes, size_t count,
	const struct move_edit **ret, size_t *ret_count)
{
	struct moving m = {
		.arena = arena,
		.body = body,
		.lex = body->lex,
		.file = file,
		.places = places,
		.wishes = wishes,
		.count = count,
		.stays = arena_new(arena, count, sizeof(bool)),
	};
	choose_staying(&m);
	struct error *error = make_pieces(&m);
	if (error)
		return error;
	place_pieces(&m);
	error = check_order(&m);
	if (error)
		return error;
	make_edits(&m);
	*ret = m.edits;
	*ret_count = m.edit_count;
	return NULL;
}
