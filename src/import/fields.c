#include "import/fields.h"

#include <string.h>

/* Around one member of the same size, through any number of levels: seqcount_t, an opaque handle. */
static bool is_wrapper(const struct layout_member *member)
{
	const struct layout_member *inner = member;
	uint64_t bytes = member->element_bytes;
	for (uint32_t left = member->descendants; left; left--) {
		inner++;
		if (inner->descendants != left - 1 || inner->size_bytes != bytes)
			return false;
	}
	return true;
}

/* The member's type, or that of its elements, as it is named: no further than the first typedef. */
static const struct type *named_type(
	const struct layout *layout, const struct layout_member *member)
{
	enum { HOPS_MOST = 16 };
	const struct type *type = types_get(layout->types, member->type);
	for (int hops = 0; hops < HOPS_MOST &&
			   (type->kind == TYPE_ARRAY || type->kind == TYPE_CONST ||
				   type->kind == TYPE_VOLATILE || type->kind == TYPE_RESTRICT ||
				   type->kind == TYPE_ATOMIC);
		hops++)
		type = types_get(layout->types, type->target);
	return type;
}

/* One operation on it is an access to all of it, and its innards are nobody's business. */
static bool is_lock(const struct type *type)
{
	static const char *const names[] = {/* pthreads, C11, C++ */
		"pthread_mutex_t", "pthread_rwlock_t", "pthread_spinlock_t", "pthread_cond_t",
		"pthread_barrier_t", "pthread_once_t", "sem_t", "mtx_t", "cnd_t", "once_flag",
		"mutex", "recursive_mutex", "timed_mutex", "shared_mutex", "shared_timed_mutex",
		"condition_variable",
		/* the kernel's */
		"spinlock", "spinlock_t", "raw_spinlock", "raw_spinlock_t", "rwlock_t",
		"rw_semaphore", "semaphore", "rt_mutex", "seqlock_t", "completion",
		"wait_queue_head", "wait_queue_head_t"};
	for (size_t i = 0; type->name && i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], type->name) == 0)
			return true;
	return false;
}

bool fields_is_lock(const struct layout *layout, const struct layout_member *member)
{
	return is_lock(named_type(layout, member));
}

bool fields_is_leaf(
	const struct layout *layout, const struct layout_member *member, uint32_t pointer_bytes)
{
	if (!member->descendants)
		return true;
	if (!*member->name || member->is_base)
		return false;
	const struct type *type = named_type(layout, member);
	if (is_lock(type))
		return true;
	if (type_is_aggregate(type) && !type->name && !is_wrapper(member))
		return false; /* whoever leaves the type without a name means its members */
	return member->element_bytes <= pointer_bytes || is_wrapper(member);
}

/* Of a base: is it named in the path of what lies in it? The next that is none decides. */
static bool leads_by_name(const struct layout_member *const *chain, size_t at)
{
	while (at && (chain[at]->is_base || !*chain[at]->name))
		at--;
	return chain[at]->by_bases;
}

void fields_path(const struct layout *layout, const struct layout_member *member, struct buf *path)
{
	const struct layout_member *chain[LAYOUT_DEPTH_MAX + 1];
	size_t count = 0;
	for (; count < LAYOUT_DEPTH_MAX; member = &layout->members[member->parent]) {
		chain[count++] = member;
		if (member->parent == LAYOUT_NO_PARENT)
			break;
	}
	buf_clear(path);
	while (count--) {
		if (!*chain[count]->name || (chain[count]->is_base && !leads_by_name(chain, count)))
			continue;
		buf_printf(path, "%s%s%s", path->length ? "." : "", chain[count]->name,
			chain[count]->is_array ? "[]" : "");
	}
}
