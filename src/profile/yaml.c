#include "profile/yaml.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "base/buf.h"
#include "base/mem.h"

struct anchor {
	const char *name;
	const struct profile_node *node;
};

struct reading {
	struct arena *arena;
	const char *name;
	const char *text;
	size_t length;
	yaml_parser_t parser;
	struct anchor *anchors;
	size_t anchor_count, anchor_capacity;
};

/* Children of a node under construction; on the heap, copied to the arena when their number is known. */
struct children {
	const struct profile_node **keys, **items;
	size_t key_capacity, item_capacity, count;
};

struct error *profile_fault(
	const char *name, struct profile_position position, const char *format, ...)
{
	struct buf text;
	va_list args;
	buf_init(&text);
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	struct error *error =
		error_new("%s:%u:%u: %s", name, position.line, position.col, text.data);
	buf_release(&text);
	return error;
}

static struct profile_position position_of(yaml_mark_t mark)
{
	/* 16 MiB at most, so that lines and columns fit */
	return (struct profile_position){(uint32_t)mark.line + 1, (uint32_t)mark.column + 1};
}

static bool continues_utf8(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Line and column of a byte, for errors that come before libyaml has counted. */
static struct profile_position position_at(const struct reading *r, size_t offset)
{
	struct profile_position position = {1, 1};
	for (size_t i = 0; i < offset && i < r->length; i++) {
		if (r->text[i] == '\n') {
			position.line++;
			position.col = 1;
		} else if (!continues_utf8(r->text[i])) {
			position.col++;
		}
	}
	return position;
}

/* The byte at a line and column; '\0' behind the end. */
static char byte_at(const struct reading *r, struct profile_position position)
{
	struct profile_position at = {1, 1};
	for (size_t i = 0; i < r->length; i++) {
		if (continues_utf8(r->text[i]))
			continue;
		if (at.line == position.line && at.col == position.col)
			return r->text[i];
		if (r->text[i] == '\n') {
			at.line++;
			at.col = 1;
		} else {
			at.col++;
		}
	}
	return '\0';
}

static struct error *reader_fault(const struct reading *r)
{
	const yaml_parser_t *parser = &r->parser;
	struct profile_position position = position_at(r, parser->problem_offset);
	if (strstr(parser->problem, "control"))
		return profile_fault(r->name, position,
			"control character 0x%02x; expected printable text, so remove it",
			(unsigned)parser->problem_value);
	return profile_fault(
		r->name, position, "not UTF-8 (%s); save the file as UTF-8", parser->problem);
}

static struct error *parser_fault(const struct reading *r)
{
	const yaml_parser_t *parser = &r->parser;
	if (parser->error == YAML_MEMORY_ERROR)
		mem_exhausted();
	if (parser->error == YAML_READER_ERROR)
		return reader_fault(r);
	struct profile_position position = position_of(parser->problem_mark);
	if (byte_at(r, position) == '\t')
		return profile_fault(r->name, position,
			"a tab where YAML allows only blanks; indent with blanks");
	const char *problem = parser->problem ? parser->problem : "unreadable";
	if (!parser->context || parser->context_mark.line == parser->problem_mark.line)
		return profile_fault(r->name, position,
			"not valid YAML: %s; check quotes, brackets and colons", problem);
	return profile_fault(r->name, position,
		"not valid YAML: %s, %s that starts in line %zu; check indentation, quotes and "
		"brackets",
		problem, parser->context, parser->context_mark.line + 1);
}

static struct error *next_event(struct reading *r, yaml_event_t *event)
{
	if (yaml_parser_parse(&r->parser, event))
		return NULL;
	return parser_fault(r);
}

static struct error *read_node(struct reading *r, const yaml_event_t *event, unsigned depth,
	const struct profile_node **ret);

/* The next event is a node or ends the collection (then *ret is NULL). */
static struct error *next_node(struct reading *r, unsigned depth, const struct profile_node **ret)
{
	yaml_event_t event;
	struct error *error = next_event(r, &event);
	if (error)
		return error;
	*ret = NULL;
	if (event.type != YAML_SEQUENCE_END_EVENT && event.type != YAML_MAPPING_END_EVENT)
		error = read_node(r, &event, depth, ret);
	yaml_event_delete(&event);
	return error;
}

static struct error *weigh(
	const struct reading *r, struct profile_node *parent, const struct profile_node *child)
{
	parent->weight += child->weight;
	if (parent->weight > PROFILE_NODES_MAX)
		return profile_fault(r->name, child->position,
			"more than %d values, aliases written out; split the profile",
			PROFILE_NODES_MAX);
	return NULL;
}

static struct error *check_key(const struct reading *r, const struct profile_node *key)
{
	if (key->kind != NODE_TEXT)
		return profile_fault(r->name, key->position, "a key is a %s; expected a name",
			key->kind == NODE_LIST ? "list" : "mapping");
	if (!key->text[0])
		return profile_fault(r->name, key->position, "an empty key; expected a name");
	if (key->plain && strcmp(key->text, "<<") == 0)
		return profile_fault(r->name, key->position,
			"merge keys ('<<') are no part of the format; alias whole values");
	return NULL;
}

static struct error *add_item(struct reading *r, struct profile_node *list,
	struct children *children, const struct profile_node *item)
{
	children->items = mem_grow(children->items, &children->item_capacity, children->count + 1,
		sizeof(*children->items));
	children->items[children->count++] = item;
	return weigh(r, list, item);
}

static struct error *add_pair(struct reading *r, struct profile_node *map,
	struct children *children, const struct profile_node *key, unsigned depth)
{
	const struct profile_node *value = NULL;
	struct error *error = check_key(r, key);
	if (!error)
		error = next_node(r, depth, &value);
	if (error)
		return error;
	children->keys = mem_grow(children->keys, &children->key_capacity, children->count + 1,
		sizeof(*children->keys));
	children->keys[children->count] = key;
	error = add_item(r, map, children, value);
	return error ? error : weigh(r, map, key);
}

static int by_text(const void *a, const void *b)
{
	const struct profile_node *const *x = a, *const *y = b;
	int order = strcmp((*x)->text, (*y)->text);
	if (order)
		return order;
	if ((*x)->position.line != (*y)->position.line)
		return (*x)->position.line < (*y)->position.line ? -1 : 1;
	return (*x)->position.col < (*y)->position.col ? -1
						       : (*x)->position.col > (*y)->position.col;
}

/* Sorted rather than compared pairwise: a mapping can have a million keys. */
static struct error *check_distinct(const struct reading *r, const struct profile_node *map)
{
	if (map->count < 2)
		return NULL;
	const struct profile_node **sorted = mem_new(map->count, sizeof(*sorted));
	const struct profile_node *again = NULL, *first = NULL;
	for (size_t i = 0; i < map->count; i++)
		sorted[i] = map->keys[i];
	qsort(sorted, map->count, sizeof(*sorted), by_text);
	for (size_t i = 1; i < map->count; i++) {
		if (strcmp(sorted[i - 1]->text, sorted[i]->text) != 0)
			continue;
		if (!again || sorted[i]->position.line < again->position.line) {
			first = sorted[i - 1];
			again = sorted[i];
		}
	}
	mem_free(sorted);
	if (!again)
		return NULL;
	return profile_fault(r->name, again->position,
		"duplicate key '%s'; it stands in line %u already, keep one", again->text,
		first->position.line);
}

static struct error *read_children(
	struct reading *r, struct profile_node *node, unsigned depth, struct children *children)
{
	for (;;) {
		const struct profile_node *child;
		struct error *error = next_node(r, depth + 1, &child);
		if (!error && !child)
			return NULL;
		if (!error && node->kind == NODE_LIST)
			error = add_item(r, node, children, child);
		else if (!error)
			error = add_pair(r, node, children, child, depth + 1);
		if (error)
			return error;
	}
}

static struct error *read_collection(struct reading *r, struct profile_node *node, unsigned depth)
{
	if (depth >= PROFILE_DEPTH_MAX)
		return profile_fault(r->name, node->position,
			"nested deeper than %d levels; a profile needs 7", PROFILE_DEPTH_MAX);
	struct children children = {0};
	struct error *error = read_children(r, node, depth, &children);
	if (!error) {
		node->count = children.count;
		node->items = arena_copy(
			r->arena, children.items, children.count, sizeof(*children.items));
		if (node->kind == NODE_MAP)
			node->keys = arena_copy(
				r->arena, children.keys, children.count, sizeof(*children.keys));
	}
	mem_free(children.keys);
	mem_free(children.items);
	if (!error && node->kind == NODE_MAP)
		error = check_distinct(r, node);
	return error;
}

static struct error *read_scalar(
	struct reading *r, const yaml_event_t *event, struct profile_node *node)
{
	const char *value = (const char *)event->data.scalar.value;
	if (strlen(value) != event->data.scalar.length)
		return profile_fault(
			r->name, node->position, "text with a NUL character; remove it");
	node->text = arena_strndup(r->arena, value, event->data.scalar.length);
	node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	return NULL;
}

static struct error *find_alias(
	struct reading *r, const yaml_event_t *event, const struct profile_node **ret)
{
	const char *name = (const char *)event->data.alias.anchor;
	struct profile_position position = position_of(event->start_mark);
	for (size_t i = r->anchor_count; i-- > 0;) {
		if (strcmp(r->anchors[i].name, name) != 0)
			continue;
		if (!r->anchors[i].node->complete)
			return profile_fault(r->name, position,
				"alias '*%s' stands inside what it names; write it out", name);
		*ret = r->anchors[i].node;
		return NULL;
	}
	return profile_fault(r->name, position,
		"alias '*%s' without an anchor '&%s' before it; add one, or quote a leading '*'",
		name, name);
}

/* Later anchors of a name hide earlier ones (YAML 1.2.2, 3.2.2.2), hence a list and not a table. */
static struct error *remember_anchor(
	struct reading *r, const yaml_char_t *name, const struct profile_node *node)
{
	enum { ANCHORS_MAX = 1024 };
	if (!name)
		return NULL;
	if (r->anchor_count >= ANCHORS_MAX)
		return profile_fault(r->name, node->position,
			"more than %d anchors; write values out", ANCHORS_MAX);
	r->anchors =
		mem_grow(r->anchors, &r->anchor_capacity, r->anchor_count + 1, sizeof(*r->anchors));
	r->anchors[r->anchor_count++] =
		(struct anchor){arena_strdup(r->arena, (const char *)name), node};
	return NULL;
}

static struct error *read_node(struct reading *r, const yaml_event_t *event, unsigned depth,
	const struct profile_node **ret)
{
	if (event->type == YAML_ALIAS_EVENT)
		return find_alias(r, event, ret);
	struct profile_node *node = arena_new(r->arena, 1, sizeof(*node));
	const yaml_char_t *tag, *anchor;
	node->position = position_of(event->start_mark);
	node->weight = 1;
	if (event->type == YAML_SCALAR_EVENT) {
		node->kind = NODE_TEXT;
		tag = event->data.scalar.tag;
		anchor = event->data.scalar.anchor;
	} else if (event->type == YAML_SEQUENCE_START_EVENT) {
		node->kind = NODE_LIST;
		tag = event->data.sequence_start.tag;
		anchor = event->data.sequence_start.anchor;
	} else {
		node->kind = NODE_MAP;
		tag = event->data.mapping_start.tag;
		anchor = event->data.mapping_start.anchor;
	}
	if (tag)
		return profile_fault(r->name, node->position,
			"tag '%s'; tags are no part of the format, so leave it out",
			(const char *)tag);
	struct error *error = remember_anchor(r, anchor, node);
	if (!error)
		error = node->kind == NODE_TEXT ? read_scalar(r, event, node)
						: read_collection(r, node, depth);
	if (error)
		return error;
	node->complete = true;
	*ret = node;
	return NULL;
}

/* Nothing at all, comments only, or a plain empty value. */
static bool is_empty_document(const struct profile_node *node)
{
	return node->kind == NODE_TEXT && node->plain &&
	       (!node->text[0] || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0);
}

/* STREAM-START (DOCUMENT-START node DOCUMENT-END)? STREAM-END, and a second document is an error. */
static struct error *read_stream(struct reading *r, const struct profile_node **ret)
{
	const struct profile_node *root = NULL;
	yaml_event_type_t type;
	do {
		yaml_event_t event;
		struct error *error = next_event(r, &event);
		if (error)
			return error;
		type = event.type;
		if (type == YAML_DOCUMENT_START_EVENT && root)
			error = profile_fault(r->name, position_of(event.start_mark),
				"a second YAML document; expected one a file, and --profile for "
				"each");
		else if (type == YAML_DOCUMENT_START_EVENT)
			error = next_node(r, 0, &root);
		yaml_event_delete(&event);
		if (error)
			return error;
	} while (type != YAML_STREAM_END_EVENT);
	*ret = root && !is_empty_document(root) ? root : NULL;
	return NULL;
}

struct error *profile_yaml_read(struct arena *arena, const char *name, const char *text,
	size_t length, const struct profile_node **ret)
{
	static const char mark[] = "\xef\xbb\xbf"; /* U+FEFF, byte order mark */
	struct reading r = {.arena = arena, .name = name, .text = text, .length = length};
	if (length > PROFILE_BYTES_MAX)
		return error_new("%s: a profile of more than %d MiB; split it into several files",
			name, PROFILE_BYTES_MAX >> 20);
	if (length >= sizeof(mark) - 1 && memcmp(text, mark, sizeof(mark) - 1) == 0) {
		/* libyaml 0.2.5 starts a document at the mark when it is told the encoding */
		r.text += sizeof(mark) - 1;
		r.length -= sizeof(mark) - 1;
	}
	if (!yaml_parser_initialize(&r.parser))
		mem_exhausted();
	yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)r.text, r.length);
	struct error *error = read_stream(&r, ret);
	yaml_parser_delete(&r.parser);
	mem_free(r.anchors);
	return error;
}
