/* Concurrency Kit's hash set: readers by epochs, one writer at a time. Numbers come from a counter. */
#include "rival.h"

#include <errno.h>
#include <stdlib.h>
#include <ck_epoch.h>
#include <ck_hs.h>

struct entry {
	struct object object;
	ck_epoch_entry_t epoch;
};

enum { POLL_EVERY = 64 };

static ck_hs_t set;
static ck_epoch_t epoch;
static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;
static unsigned int next_number;
static _Thread_local ck_epoch_record_t record;
static bool is_there;

static void *allocate(size_t size)
{
	return malloc(size);
}

/* Maps that readers may still walk: after their sections. */
static void release(void *memory, size_t size, bool defer)
{
	(void)size;
	if (defer)
		ck_epoch_synchronize(&record);
	free(memory);
}

static struct ck_malloc memory = {.malloc = allocate, .free = release};

static unsigned long hash_of_number(unsigned int number)
{
	/* Fibonacci hashing (Knuth 6.4): numbers are dense. */
	return number * 0x9e3779b97f4a7c15UL >> 32;
}

static unsigned long hash(const void *object, unsigned long seed)
{
	(void)seed;
	return hash_of_number(((const struct object *)object)->number);
}

static bool is_same(const void *one, const void *other)
{
	return ((const struct object *)one)->number == ((const struct object *)other)->number;
}

static void setup(void)
{
	ck_epoch_init(&epoch);
	is_there = ck_hs_init(&set, CK_HS_MODE_SPMC | CK_HS_MODE_OBJECT | CK_HS_MODE_DELETE, hash,
		is_same, &memory, 1 << 10, 0);
}

static void enter(struct worker *worker)
{
	if (!is_there)
		bench_fail(worker->bench, "no set", ENOMEM);
	ck_epoch_register(&epoch, &record, NULL);
}

static inline int open_number(struct worker *worker)
{
	struct entry *entry = aligned_alloc(64, (sizeof(*entry) + 63) / 64 * 64);
	unsigned int number;
	bool added;

	(void)worker;
	if (!entry)
		return -ENOMEM;
	pthread_mutex_lock(&writers);
	number = next_number++ & 0x7fffffff;
	entry->object = (struct object){.count = 1, .number = number, .data = entry};
	added = ck_hs_put(&set, hash_of_number(number), entry);
	pthread_mutex_unlock(&writers);
	if (!added)
		free(entry);
	return added ? (int)number : -ENOMEM;
}

static void free_entry(ck_epoch_entry_t *deferred)
{
	free((char *)deferred - offsetof(struct entry, epoch));
}

static inline void put(struct worker *worker, struct entry *entry)
{
	if (!object_put(&entry->object))
		return;
	ck_epoch_call(&record, &entry->epoch, free_entry);
	if (worker->work % POLL_EVERY == 0)
		ck_epoch_poll(&record);
}

static inline bool close_number(struct worker *worker, unsigned int number)
{
	struct object key = {.number = number};
	struct entry *entry;

	pthread_mutex_lock(&writers);
	entry = ck_hs_remove(&set, hash_of_number(number), &key);
	pthread_mutex_unlock(&writers);
	if (entry)
		put(worker, entry);
	return entry != NULL;
}

static inline bool get_put(struct worker *worker, unsigned int number)
{
	struct object key = {.number = number};
	struct entry *entry;
	bool found;

	ck_epoch_begin(&record, NULL);
	entry = ck_hs_get(&set, hash_of_number(number), &key);
	found = entry && object_get(&entry->object);
	ck_epoch_end(&record, NULL);
	if (found)
		put(worker, entry);
	return found;
}

static inline bool peek(struct worker *worker, unsigned int number)
{
	struct object key = {.number = number};
	struct entry *entry;
	bool found;

	(void)worker;
	ck_epoch_begin(&record, NULL);
	entry = ck_hs_get(&set, hash_of_number(number), &key);
	found = entry && entry->object.data == entry;
	ck_epoch_end(&record, NULL);
	return found;
}

#define RIVAL      rival_ck_hs
#define RIVAL_NAME "ck_hs"
#include "rival_loops.h"
