#include "order/price.h"

#include <string.h>

#include "base/mem.h"

enum {
	LINES_NAMED_MAX = 64, /* a field on more lines than that is not compared line by line */
	KEPT_MAX = 1 << 17,   /* prices remembered */
};

/* The map's model as it is for objects of one size. */
struct geometry {
	uint64_t size_bytes,
		open_off; /* key; open_off: where the last member begins, when it is open-ended */
	uint32_t align_bytes;
	struct cost_model model;
	struct cost_cache *cache; /* NULL: lines do not stand for themselves */
	uint64_t *inside;         /* [field]: bytes from the start of its entry */
	struct geometry *next;
};

struct kept {
	uint64_t hash;
	const uint64_t *key; /* NULL: free */
	size_t key_count;
	struct price price;
};

struct price_book {
	struct arena *arena;  /* of the caller */
	struct arena scratch; /* keys and geometries */
	const struct order *order;
	struct geometry *geometries;
	struct cost_field *fields; /* of the placement at hand */
	uint64_t *key;
	size_t key_count, key_capacity;
	uint64_t *lines;   /* labels */
	struct kept *kept; /* open addressing */
	size_t kept_capacity, kept_count;
	unsigned long evaluations;
};

/* ---- sizes ---- */

static struct geometry *geometry_of(
	struct price_book *book, const struct access_map *map, const uint64_t *off_bits)
{
	const struct order *order = book->order;
	struct geometry *geometry = arena_new(&book->scratch, 1, sizeof(*geometry));
	geometry->model = map->model;
	geometry->cache = cost_cache_new(&map->model);
	geometry->inside = arena_new(&book->scratch, map->field_count, sizeof(*geometry->inside));
	for (size_t i = 0; i < map->field_count; i++)
		if (order->entries[i] != SIZE_MAX)
			geometry->inside[i] =
				map->model.fields[i].off_bytes - off_bits[order->entries[i]] / 8;
	return geometry;
}

static uint64_t open_off(const struct order *order, const struct order_place *place)
{
	size_t last = order->member_count - 1;
	return order->members[last].size_bits ? 0 : place->off_bits[last];
}

static struct geometry *geometry_find(struct price_book *book,
	const struct order_sequence *sequence, const struct order_place *place)
{
	const struct order *order = book->order;
	uint64_t open = open_off(order, place);
	for (struct geometry *it = book->geometries; it; it = it->next)
		if (it->size_bytes == place->size_bytes && it->open_off == open &&
			it->align_bytes == place->align_bytes)
			return it;
	struct types *types = arena_new(&book->scratch, 1, sizeof(*types));
	struct layout *layout = arena_new(&book->scratch, 1, sizeof(*layout));
	struct access_map map;
	struct error *error = order_layout(&book->scratch, order, sequence, place, types, layout);
	if (error) { /* today's could be laid out */
		error_free(error);
		return NULL;
	}
	access_build(&book->scratch, layout, order->map->profile, order->context, &map);
	struct geometry *geometry = geometry_of(book, &map, place->off_bits);
	geometry->size_bytes = place->size_bytes;
	geometry->align_bytes = place->align_bytes;
	geometry->open_off = open;
	geometry->next = book->geometries;
	book->geometries = geometry;
	return geometry;
}

/* ---- fields ---- */

static void place_fields(
	struct price_book *book, const struct geometry *geometry, const struct order_place *place)
{
	const struct order *order = book->order;
	for (size_t i = 0; i < geometry->model.field_count; i++) {
		size_t entry = order->entries[i];
		struct cost_field *field = &book->fields[i];
		*field = geometry->model.fields[i];
		if (entry == SIZE_MAX) /* behind the members in which order is made */
			continue;
		const struct order_member *member = &order->members[entry];
		uint64_t off_bits = place->off_bits[entry];
		field->off_bytes = off_bits / 8 + geometry->inside[i];
		if (member->is_bits)
			field->size_bytes =
				(off_bits + member->size_bits - 1) / 8 - off_bits / 8 + 1;
	}
}

/* ---- what a price depends on ---- */

static void key_add(struct price_book *book, uint64_t word)
{
	book->key =
		mem_grow(book->key, &book->key_capacity, book->key_count + 1, sizeof(*book->key));
	book->key[book->key_count++] = word;
}

/* Lines go by the order in which fields come to them: which they are makes no difference. */
static uint64_t label_of(struct price_book *book, uint64_t line, size_t *labels)
{
	for (size_t i = 0; i < *labels; i++)
		if (book->lines[i] == line)
			return i;
	book->lines[*labels] = line;
	return (*labels)++;
}

static void key_build(struct price_book *book, const struct geometry *geometry)
{
	const struct cost_model *model = &geometry->model;
	uint64_t line_bytes = model->line_bytes;
	bool one_start = model->start_count == 1 && model->starts[0] == 0 &&
			 model->instance != INSTANCE_ARRAY;
	size_t labels = 0;
	book->key_count = 0;
	key_add(book, (uint64_t)(uintptr_t)geometry);
	for (size_t i = 0; i < model->field_count; i++) {
		const struct cost_field *field = &book->fields[i];
		uint64_t first = field->off_bytes / line_bytes;
		uint64_t last = (field->off_bytes + field->size_bytes - 1) / line_bytes;
		if (!one_start || last - first >= LINES_NAMED_MAX) {
			key_add(book, field->off_bytes);
			continue;
		}
		key_add(book, label_of(book, first, &labels));
		if (last == first)
			continue;
		key_add(book, field->off_bytes % line_bytes);
		for (uint64_t line = first + 1; line <= last; line++)
			key_add(book, label_of(book, line, &labels));
	}
}

static uint64_t key_hash(const struct price_book *book)
{
	uint64_t hash = 0xcbf29ce484222325;
	for (size_t i = 0; i < book->key_count; i++) {
		hash = (hash ^ book->key[i]) * 0x9e3779b97f4a7c15;
		hash ^= hash >> 29;
	}
	return hash;
}

static struct kept *kept_slot(const struct price_book *book, uint64_t hash)
{
	size_t at = hash & (book->kept_capacity - 1);
	while (book->kept[at].key &&
		(book->kept[at].hash != hash || book->kept[at].key_count != book->key_count ||
			memcmp(book->kept[at].key, book->key,
				book->key_count * sizeof(*book->key)) != 0))
		at = (at + 1) & (book->kept_capacity - 1);
	return &book->kept[at];
}

static void kept_grow(struct price_book *book)
{
	struct kept *old = book->kept;
	size_t capacity = book->kept_capacity;
	book->kept_capacity = capacity ? 2 * capacity : 256;
	book->kept = mem_new(book->kept_capacity, sizeof(*book->kept));
	for (size_t i = 0; i < capacity; i++) {
		size_t at = old[i].hash & (book->kept_capacity - 1);
		if (!old[i].key)
			continue;
		while (book->kept[at].key)
			at = (at + 1) & (book->kept_capacity - 1);
		book->kept[at] = old[i];
	}
	mem_free(old);
}

/* ---- prices ---- */

/* How many lines an operation touches, averaged over the operations: for objects that start a line. */
static double lines_touched(struct price_book *book, const struct cost_model *model)
{
	double sum = 0, operations = 0;
	for (size_t r = 0; r < model->role_count; r++) {
		const struct cost_role *role = &model->roles[r];
		double weight = role->rate * role->threads;
		size_t count = 0;
		double touched = 0;
		for (size_t i = 0; i < role->access_count; i++) {
			const struct cost_field *field = &book->fields[role->accesses[i].field];
			uint64_t line = field->off_bytes / model->line_bytes;
			size_t at = 0;
			while (at < count && book->lines[at] != line)
				at++;
			if (at < count || count + 1 >= LINES_NAMED_MAX)
				continue;
			book->lines[count++] = line;
			touched += role->accesses[i].weight;
		}
		sum += weight * touched;
		operations += weight;
	}
	return operations > 0 ? sum / operations : 0;
}

static struct price compute(struct price_book *book, const struct geometry *geometry)
{
	struct cost_model model = geometry->model;
	struct price price = {.touched = lines_touched(book, &model)};
	model.fields = book->fields;
	price.cost = geometry->cache ? cost_cache_total(geometry->cache, book->fields)
				     : cost_total(&book->scratch, &model);
	book->evaluations++;
	return price;
}

struct price price_of(struct price_book *book, const struct order_sequence *sequence,
	const struct order_place *place)
{
	struct geometry *geometry = geometry_find(book, sequence, place);
	if (!geometry)
		return (struct price){1e300, 1e300};
	place_fields(book, geometry, place);
	key_build(book, geometry);
	uint64_t hash = key_hash(book);
	if (2 * (book->kept_count + 1) > book->kept_capacity)
		kept_grow(book);
	struct kept *kept = kept_slot(book, hash);
	if (kept->key)
		return kept->price;
	struct price price = compute(book, geometry);
	if (book->kept_count >= KEPT_MAX)
		return price;
	*kept = (struct kept){hash,
		arena_copy(&book->scratch, book->key, book->key_count, sizeof(*book->key)),
		book->key_count, price};
	book->kept_count++;
	return price;
}

struct price_book *price_open(struct arena *arena, const struct order *order)
{
	struct price_book *book = arena_new(arena, 1, sizeof(*book));
	const struct access_map *map = order->map;
	size_t fields = map->field_count + 1;
	uint64_t *off_bits = mem_new(order->member_count, sizeof(*off_bits));
	struct order_place today = {.off_bits = off_bits};
	*book = (struct price_book){.arena = arena, .order = order};
	arena_init(&book->scratch);
	book->fields = mem_new(fields, sizeof(*book->fields));
	book->lines = mem_new(fields * (LINES_NAMED_MAX + 2), sizeof(*book->lines));
	for (size_t i = 0; i < order->member_count; i++)
		off_bits[i] = order->members[i].off_bits;
	book->geometries = geometry_of(book, map, off_bits);
	book->geometries->size_bytes = order->layout->size_bytes;
	book->geometries->align_bytes = order->layout->align_bytes;
	book->geometries->open_off = open_off(order, &today);
	mem_free(off_bits);
	return book;
}

void price_close(struct price_book *book)
{
	for (struct geometry *it = book->geometries; it; it = it->next)
		cost_cache_free(it->cache);
	arena_release(&book->scratch);
	mem_free(book->fields);
	mem_free(book->lines);
	mem_free(book->key);
	mem_free(book->kept);
}

unsigned long price_evaluations(const struct price_book *book)
{
	return book->evaluations;
}
