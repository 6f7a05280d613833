/* liburcu's lock-free hash table, with the flavour of RCU that ours has. Numbers come from a counter. */
#ifndef FDTABLE_CALL_URCU
#define _LGPL_SOURCE
#endif
#include "rival.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <urcu/urcu-bp.h>
#include <urcu/rculfhash.h>

struct entry {
	struct object object;
	struct cds_lfht_node node;
	struct rcu_head head;
};

/* caa_container_of without its warning about const. */
#define entry_of(pointer, member)                                                                  \
	((struct entry *)(void *)((char *)(pointer)-offsetof(struct entry, member)))

static struct cds_lfht *table;
static _Atomic unsigned int next_number;

static void setup(void)
{
	table = cds_lfht_new_flavor(1 << 10, 1 << 10, 0, CDS_LFHT_AUTO_RESIZE | CDS_LFHT_ACCOUNTING,
		&urcu_bp_flavor, NULL);
}

static void enter(struct worker *worker)
{
	if (!table)
		bench_fail(worker->bench, "no table", ENOMEM);
}

/* Fibonacci hashing (Knuth 6.4): numbers are dense. */
static inline unsigned long hash(unsigned int number)
{
	return number * 0x9e3779b97f4a7c15UL >> 32;
}

static int is_it(struct cds_lfht_node *node, const void *key)
{
	return entry_of(node, node)->object.number == *(const unsigned int *)key;
}

static void free_entry(struct rcu_head *head)
{
	free(entry_of(head, head));
}

/* In a read section. */
static inline struct entry *find(unsigned int number)
{
	struct cds_lfht_iter iter;
	struct cds_lfht_node *node;

	cds_lfht_lookup(table, hash(number), is_it, &number, &iter);
	node = cds_lfht_iter_get_node(&iter);
	return node ? entry_of(node, node) : NULL;
}

static inline int open_number(struct worker *worker)
{
	struct entry *entry = aligned_alloc(64, (sizeof(*entry) + 63) / 64 * 64);
	unsigned int number =
		atomic_fetch_add_explicit(&next_number, 1, memory_order_relaxed) & 0x7fffffff;

	(void)worker;
	if (!entry)
		return -ENOMEM;
	entry->object = (struct object){.count = 1, .number = number, .data = entry};
	cds_lfht_node_init(&entry->node);
	urcu_bp_read_lock();
	cds_lfht_add(table, hash(number), &entry->node);
	urcu_bp_read_unlock();
	return (int)number;
}

static inline void put(struct entry *entry)
{
	if (object_put(&entry->object))
		urcu_bp_call_rcu(&entry->head, free_entry);
}

static inline bool close_number(struct worker *worker, unsigned int number)
{
	struct entry *entry;
	bool closed;

	(void)worker;
	urcu_bp_read_lock();
	entry = find(number);
	closed = entry && cds_lfht_del(table, &entry->node) == 0;
	urcu_bp_read_unlock();
	if (closed)
		put(entry);
	return closed;
}

static inline bool get_put(struct worker *worker, unsigned int number)
{
	struct entry *entry;
	bool found;

	(void)worker;
	urcu_bp_read_lock();
	entry = find(number);
	found = entry && object_get(&entry->object);
	urcu_bp_read_unlock();
	if (found)
		put(entry);
	return found;
}

static inline bool peek(struct worker *worker, unsigned int number)
{
	struct entry *entry;
	bool found;

	(void)worker;
	urcu_bp_read_lock();
	entry = find(number);
	found = entry && entry->object.data == entry;
	urcu_bp_read_unlock();
	return found;
}

#define RIVAL      rival_lfht
#define RIVAL_NAME "lfht"
#include "rival_loops.h"
