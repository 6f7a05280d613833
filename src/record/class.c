#include "record/class.h"

#include <string.h>

#include "record/os.h"
#include "record/tally.h"

enum {
	SETS = 1 << 16,
	SET_WORDS = LLREC_ACTORS / 64,
	TAG_SLOTS = 4 * LLREC_CLASSES,
};

struct actor {
	uint32_t previous; /* the same thread in another role; 0: none */
	uint32_t role;
};

struct set {
	uint64_t words[SET_WORDS];
	uint32_t next_free;
};

struct llrec_class llrec_classes[LLREC_CLASSES];
unsigned llrec_class_count;
struct llrec_role llrec_roles[LLREC_ROLES];
unsigned llrec_role_count;
uint64_t llrec_lost[LLREC_LOST_COUNT];

static uint16_t class_of_tag[TAG_SLOTS]; /* 1 + class */
static struct actor actors[LLREC_ACTORS];
static uint32_t actor_count = 1;
static struct set *sets; /* [0] is none */
static uint32_t set_count = 1, free_set;

bool llrec_classes_init(void)
{
	sets = llrec_map(SETS * sizeof(*sets));
	return sets != NULL;
}

/* ---- classes ---- */

static int new_class(const void *tag, const char *name, uint64_t type_bytes)
{
	if (llrec_class_count == LLREC_GLOBALS)
		return -1;
	llrec_classes[llrec_class_count] =
		(struct llrec_class){.tag = tag, .name = name, .type_bytes = type_bytes};
	return (int)llrec_class_count++;
}

static int find_name(const char *name, uint64_t type_bytes)
{
	for (unsigned i = 0; i < llrec_class_count; i++)
		if (llrec_classes[i].name == name)
			return (int)i;
	return new_class(NULL, name, type_bytes);
}

int llrec_class_find_locked(const void *tag, const char *name, uint64_t type_bytes)
{
	if (name)
		return find_name(name, type_bytes);
	size_t at = (size_t)((uintptr_t)tag / sizeof(void *) % TAG_SLOTS);
	for (; class_of_tag[at]; at = (at + 1) % TAG_SLOTS)
		if (llrec_classes[class_of_tag[at] - 1].tag == tag)
			return class_of_tag[at] - 1;
	int found = new_class(tag, NULL, type_bytes);
	if (found >= 0)
		class_of_tag[at] = (uint16_t)(found + 1);
	return found;
}

/* ---- roles and actors ---- */

static int find_role(const char *name, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (strncmp(llrec_roles[i].name, name, LLREC_ROLE_NAME_MAX - 1) == 0)
			return (int)i;
	return -1;
}

int llrec_role_find(const char *name)
{
	/* Roles are only added: what is counted is complete. */
	int role = find_role(name, __atomic_load_n(&llrec_role_count, __ATOMIC_ACQUIRE));
	if (role >= 0)
		return role;
	sigset_t mask;
	llrec_lock(&mask);
	role = find_role(name, llrec_role_count);
	if (role < 0 && llrec_role_count < LLREC_ROLE_UNKNOWN) {
		role = (int)llrec_role_count;
		llrec_append(llrec_roles[role].name, 0, LLREC_ROLE_NAME_MAX, name);
		__atomic_store_n(&llrec_role_count, llrec_role_count + 1, __ATOMIC_RELEASE);
	}
	llrec_unlock(&mask);
	return role;
}

uint32_t llrec_actor_new_locked(uint32_t previous, unsigned role)
{
	llrec_roles[role].threads++;
	if (actor_count == LLREC_ACTORS)
		return 0;
	actors[actor_count] = (struct actor){previous, role};
	return actor_count++;
}

/* ---- users ---- */

static uint32_t new_set(void)
{
	uint32_t set = free_set;
	if (set)
		free_set = sets[set].next_free;
	else if (set_count < SETS)
		set = set_count++;
	return set;
}

static void add_to_set(uint32_t set, uint32_t actor)
{
	uint64_t bit = (uint64_t)1 << actor % 64, *word = &sets[set].words[actor / 64];
	if (!(__atomic_load_n(word, __ATOMIC_RELAXED) & bit))
		__atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
}

bool llrec_users_add(struct llrec_users *users, uint32_t actor)
{
	uint32_t first = __atomic_load_n(&users->first, __ATOMIC_RELAXED);
	/* Only looked at, where it is known already: the line stays everybody's. */
	if (first == actor || (!first && __atomic_compare_exchange_n(&users->first, &first, actor,
						 false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)))
		return true;
	uint32_t set = __atomic_load_n(&users->several, __ATOMIC_ACQUIRE);
	if (!set) {
		sigset_t mask;
		llrec_lock(&mask);
		set = users->several;
		if (!set && (set = new_set())) {
			add_to_set(set, first);
			__atomic_store_n(&users->several, set, __ATOMIC_RELEASE);
		}
		llrec_unlock(&mask);
	}
	if (!set)
		return false;
	add_to_set(set, actor);
	return true;
}

/* Actors of one thread are one user: of those in the set, the first counts. */
static bool is_first_of_thread(const struct set *set, uint32_t actor)
{
	for (uint32_t other = actors[actor].previous; other; other = actors[other].previous)
		if (set->words[other / 64] >> other % 64 & 1)
			return false;
	return true;
}

static uint32_t count_set(const struct set *set, uint32_t *role_threads)
{
	uint32_t threads = 0;
	for (uint32_t word = 0; word <= (actor_count - 1) / 64; word++)
		for (uint64_t bits = set->words[word]; bits; bits &= bits - 1) {
			uint32_t actor = word * 64 + (uint32_t)__builtin_ctzll(bits);
			role_threads[actors[actor].role]++;
			threads += is_first_of_thread(set, actor);
		}
	return threads;
}

void llrec_users_fold_locked(struct llrec_users *users, unsigned class_index)
{
	struct llrec_class *class = &llrec_classes[class_index];
	uint32_t role_threads[LLREC_ROLES] = {0};
	uint32_t threads = users->first != 0;
	if (users->several)
		threads = count_set(&sets[users->several], role_threads);
	else if (users->first)
		role_threads[actors[users->first].role] = 1;
	class->shared += threads > 1;
	if (threads > class->threads_max)
		class->threads_max = threads;
	for (unsigned i = 0; i < LLREC_ROLES; i++)
		if (role_threads[i] > class->role_threads_max[i])
			class->role_threads_max[i] = role_threads[i];
}

void llrec_users_forget_locked(struct llrec_users *users)
{
	uint32_t set = users->several;
	if (set) {
		memset(sets[set].words, 0, sizeof(sets[set].words));
		sets[set].next_free = free_set;
		free_set = set;
	}
	*users = (struct llrec_users){0, 0};
}

void llrec_classes_forget_locked(void)
{
	for (unsigned i = 0; i < LLREC_CLASSES; i++) {
		struct llrec_class *class = &llrec_classes[i];
		class->objects = class->shared = 0;
		class->threads_max = 0;
		memset(class->role_threads_max, 0, sizeof(class->role_threads_max));
	}
	for (unsigned i = 0; i < LLREC_ROLES; i++)
		llrec_roles[i].threads = 0;
	memset(llrec_lost, 0, sizeof(llrec_lost));
	actor_count = 1;
}
