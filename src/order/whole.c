#include "order/whole.h"

/* A member of the layout, or its bytes that are accessed. */
struct piece {
	size_t entry;         /* it lies in this member of the order */
	uint64_t inside_bits; /* so far */
	uint64_t size_bits;   /* 0: it is nowhere */
};

struct pair {
	struct piece lock, data;
	uint64_t gap_bits; /* between them today */
};

struct whole {
	const struct order *order;
	struct piece *pieces;
	struct pair *pairs;
	size_t piece_count, pair_count;
};

struct span {
	uint64_t first, last; /* lines */
};

static struct piece piece_of(const struct order *order, const struct layout_member *member)
{
	uint64_t size = member->bit_size ? member->bit_size : 8 * member->size_bytes;
	for (size_t i = 0; i < order->member_count; i++) {
		const struct layout_member *top = order->members[i].member;
		if (member >= top && member <= top + top->descendants)
			return (struct piece){i, member->off_bits - top->off_bits, size};
	}
	return (struct piece){0};
}

static void add_piece(struct whole *whole, struct piece piece)
{
	if (piece.size_bits > 1 && piece.size_bits <= 8 * whole->order->layout->line_bytes)
		whole->pieces[whole->piece_count++] = piece;
}

static uint64_t gap_of(uint64_t lock, uint64_t data, const struct pair *pair)
{
	uint64_t first = lock < data ? lock + pair->lock.size_bits : data + pair->data.size_bits;
	uint64_t second = lock < data ? data : lock;
	return second > first ? second - first : 0;
}

static void add_pair(struct whole *whole, struct piece lock, struct piece data)
{
	const struct order_member *members = whole->order->members;
	struct pair pair = {lock, data, 0};
	if (!lock.size_bits || !data.size_bits)
		return;
	pair.gap_bits = gap_of(members[lock.entry].off_bits + lock.inside_bits,
		members[data.entry].off_bits + data.inside_bits, &pair);
	whole->pairs[whole->pair_count++] = pair;
}

const struct whole *whole_list(struct arena *arena, const struct order *order)
{
	const struct access_map *map = order->map;
	struct whole *whole = arena_new(arena, 1, sizeof(*whole));
	size_t pairs = 0;
	for (size_t i = 0; i < map->lock_count; i++)
		pairs += map->locks[i].protect_count;
	whole->order = order;
	whole->pieces =
		arena_new(arena, map->field_count + map->lock_count + 1, sizeof(*whole->pieces));
	whole->pairs = arena_new(arena, pairs + 1, sizeof(*whole->pairs));
	for (size_t i = 0; i < map->field_count; i++)
		if (map->model.fields[i].place == COST_BYTES)
			add_piece(whole, piece_of(order, map->fields[i].member));
	for (size_t i = 0; i < map->lock_count; i++) {
		const struct access_lock *lock = &map->locks[i];
		struct piece own = piece_of(order, lock->member);
		add_piece(whole, own);
		for (size_t k = 0; k < lock->protect_count; k++)
			add_pair(whole, own, piece_of(order, lock->protects[k]));
	}
	return whole;
}

static struct span span_of(const struct whole *whole, const struct piece *piece,
	const struct order_place *place, uint64_t start)
{
	uint64_t first = 8 * start + place->off_bits[piece->entry] + piece->inside_bits;
	uint64_t line_bits = 8 * whole->order->layout->line_bytes;
	return (struct span){first / line_bits, (first + piece->size_bits - 1) / line_bits};
}

size_t whole_torn(const struct whole *whole, const struct order_place *place)
{
	const struct cost_model *model = &whole->order->map->model;
	size_t torn = 0;
	for (size_t i = 0; i < whole->pair_count; i++) {
		const struct pair *it = &whole->pairs[i];
		torn += gap_of(place->off_bits[it->lock.entry] + it->lock.inside_bits,
				place->off_bits[it->data.entry] + it->data.inside_bits,
				it) > it->gap_bits;
	}
	for (size_t s = 0; s < model->start_count; s++) {
		uint64_t start = model->starts[s];
		for (size_t i = 0; i < whole->piece_count; i++) {
			struct span it = span_of(whole, &whole->pieces[i], place, start);
			torn += it.first != it.last;
		}
		for (size_t i = 0; i < whole->pair_count; i++) {
			struct span a = span_of(whole, &whole->pairs[i].lock, place, start);
			struct span b = span_of(whole, &whole->pairs[i].data, place, start);
			torn += a.first > b.last || b.first > a.last;
		}
	}
	return torn;
}
