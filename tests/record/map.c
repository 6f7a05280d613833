/*
 * The map from addresses to objects against a list: random objects come and go on a few bytes, on and off every boundary,
 * within each other; after each step every byte is looked up. Exit status 1, and the step on standard output, when they
 * differ. Linked with the library's own functions.
 */
#include <stdio.h>
#include <stdlib.h>

#include "record/object.h"
#include "record/os.h"

enum { BYTES = 96, STEPS = 40000, MOST = 64, CLASSES = 3 };

struct item {
	uintptr_t begin, end;
	unsigned class_index;
	unsigned born;
};

static struct item items[MOST];
static size_t count;
static uintptr_t arena;

static void drop(size_t at)
{
	items[at] = items[--count];
}

static int contains(const struct item *item, uintptr_t begin, uintptr_t end)
{
	return item->begin <= begin && end <= item->end;
}

static void model_track(uintptr_t begin, uintptr_t end, unsigned class_index, unsigned step)
{
	for (size_t i = count; i-- > 0;) {
		const struct item *item = &items[i];
		if (item->end <= begin || end <= item->begin)
			continue;
		if (item->begin == begin && item->end == end ? item->class_index == class_index
							     : !contains(item, begin, end) && !(begin <= item->begin && item->end <= end))
			drop(i);
	}
	items[count++] = (struct item){begin, end, class_index, step};
}

/* The smallest around an address; of equal ones the youngest. */
static const struct item *model_find(uintptr_t address)
{
	const struct item *found = NULL;
	for (size_t i = 0; i < count; i++) {
		const struct item *item = &items[i];
		if (!contains(item, address, address + 1))
			continue;
		if (!found || item->end - item->begin < found->end - found->begin ||
			(item->end - item->begin == found->end - found->begin && item->born > found->born))
			found = item;
	}
	return found;
}

static int agree(void)
{
	for (uintptr_t at = arena; at < arena + BYTES; at++) {
		const struct item *item = model_find(at);
		uint32_t object = llrec_object_at(at);
		if (!item != !object)
			return 0;
		if (item && (item->begin != llrec_objects[object].begin || item->end != llrec_objects[object].end ||
				    item->class_index != llrec_objects[object].class_index))
			return 0;
	}
	return 1;
}

static size_t below(size_t limit)
{
	return (size_t)rand() % limit;
}

int main(void)
{
	char *pages = llrec_map(8192);
	if (!pages || !llrec_classes_init() || !llrec_objects_init(1000))
		return 2;
	arena = (uintptr_t)pages + 4096 - BYTES / 2; /* across pages */
	srand(1);
	for (unsigned step = 1; step <= STEPS; step++) {
		size_t action = below(count < 12 ? 10 : 16);
		size_t from = below(BYTES), size = 1 + below(below(4) ? 8 : BYTES - from);
		if (from + size > BYTES)
			size = BYTES - from;
		uintptr_t begin = arena + from;
		if (action < 8) {
			unsigned class_index = (unsigned)below(CLASSES);
			llrec_object_track(begin, size, class_index, step);
			model_track(begin, begin + size, class_index, step);
		} else if (count && action < 15) {
			size_t at = below(count);
			llrec_object_untrack(items[at].begin, items[at].born);
			drop(at);
		} else if (action == 15) {
			llrec_object_clear(begin, size);
			for (size_t i = count; i-- > 0;)
				if (items[i].begin < begin + size && begin < items[i].end &&
					!(contains(&items[i], begin, begin + size) &&
						(items[i].begin < begin || items[i].end > begin + size)))
					drop(i);
		}
		if (!agree()) {
			printf("step %u: action %zu at %zu, %zu bytes\n", step, action, from, size);
			return 1;
		}
	}
	for (uintptr_t at = arena; at < arena + BYTES; at++)
		llrec_object_clear(at, BYTES);
	return llrec_object_any(arena - BYTES, 3 * BYTES) ? 3 : 0;
}
