#include "read/dwarf/homes.h"

#include <string.h>

#include "base/trail.h"
#include "read/index/collate.h"

void homes_init(struct homes *homes)
{
	*homes = (struct homes){.ready = false};
	pthread_mutex_init(&homes->lock, NULL);
	arena_init(&homes->arena);
}

void homes_release(struct homes *homes)
{
	arena_release(&homes->arena);
	pthread_mutex_destroy(&homes->lock);
}

static void read_index(struct homes *homes, const struct object *object)
{
	const struct index_query query = {.jobs = object->trail && object->trail->is_alone};
	struct error *error = index_build(&homes->arena, object, &query, &homes->index);
	if (error) /* whoever asks for what is damaged will tell */
		homes->index = (struct index){.count = 0};
	error_free(error);
}

/* This takes as long as the file is large, and nothing of it is done by a library. */
static void need_index(struct homes *homes, const struct object *object, size_t worker)
{
	struct trail_step before =
		trail_enter(object->trail, worker, (struct trail_step){.kind = TRAIL_NOTHING});
	pthread_mutex_lock(&homes->lock);
	if (!homes->ready)
		read_index(homes, object);
	homes->ready = true;
	pthread_mutex_unlock(&homes->lock);
	trail_leave(object->trail, worker, before);
}

static bool is_of_one_unit(const char *scope)
{
	return scope && (strstr(scope, "(anonymous namespace)") || strstr(scope, "()"));
}

const struct index_def *homes_find(struct homes *homes, const struct object *object, size_t worker,
	enum type_kind kind, const char *scope, const char *name)
{
	const struct index_def *found = NULL;
	if (is_of_one_unit(scope))
		return NULL;
	need_index(homes, object, worker);
	const struct index *index = &homes->index;
	for (size_t i = index_first(index, name);
		i < index->count && strcmp(index->defs[i].name, name) == 0; i++) {
		const struct index_def *def = &index->defs[i];
		/* `struct x` and `class x` are the same */
		if (def->is_typedef || (def->kind == TYPE_UNION) != (kind == TYPE_UNION) ||
			collate_compare_text(def->scope, scope) != 0)
			continue;
		if (found)
			return NULL;
		found = def;
	}
	return found;
}
