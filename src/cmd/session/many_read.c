#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/session/keep.h"
#include "cmd/session/many.h"
#include "cmd/session/parts.h"
#include "cmd/session/unite.h"
#include "cmd/session/visit.h"

/* Definitions of one file: places in the caller's list. */
static struct error *read_file(struct session *session, const struct session_file *file,
	const struct index_def *const *defs, size_t count, struct info_type *ret)
{
	struct visit visit;
	struct info info;
	struct error *error = visit_open(session, file->file, &visit);
	if (error)
		return error;
	error = info_open(&visit.arena, &visit.object, session->opt->from, session->base, &info);
	if (!error) {
		error = info_read(session->arena, &info, defs, count, session->jobs, ret);
		if (!error)
			keep_types(&session->texts, ret, count);
		info_close(&info);
	}
	visit_close(session, &visit);
	return error;
}

/* Where one definition is to be read. */
struct by_file {
	const struct index_def *def; /* as it was asked for */
	const struct index_def *at;  /* the same one, or one of another file that is alike */
	size_t place;
};

static int compare_files(const void *left, const void *right)
{
	const struct by_file *a = left, *b = right;
	if (a->at->file != b->at->file)
		return a->at->file < b->at->file ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/* The first of all definitions that is not before `def`, by name, kind and scope. */
static size_t find_filed(const struct session *session, const struct index_def *def)
{
	size_t low = 0, high = session->folded_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (unite_compare(&session->folded[middle], def) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The next file behind that of `at` which has the same layout; NULL: none. */
static const struct index_def *find_another(
	const struct session *session, const struct index_def *def, const struct index_def *at)
{
	for (size_t i = find_filed(session, def); i < session->folded_count; i++) {
		const struct index_def *other = &session->folded[i];
		if (unite_compare(other, def) != 0)
			break;
		if (other->file > at->file && other->hash == def->hash &&
			session_same_entry(other, def))
			return other;
	}
	return NULL;
}

/* One pass over the files; returns how many definitions could not be read, which are the first of `order` then. */
static size_t read_round(
	struct session *session, struct by_file *order, size_t count, struct info_type *ret)
{
	const struct index_def **some = mem_new(count + 1, sizeof(*some));
	struct info_type *types = mem_new(count + 1, sizeof(*types));
	size_t failed = 0;
	qsort(order, count, sizeof(*order), compare_files);
	for (size_t first = 0, next; first < count; first = next) {
		uint32_t file = order[first].at->file;
		for (next = first; next < count && order[next].at->file == file; next++)
			some[next - first] = order[next].at;
		memset(types, 0, (next - first) * sizeof(*types));
		struct error *error =
			read_file(session, &session->files[file], some, next - first, types);
		if (error)
			session_leave_out(session, error, "the rest is read");
		for (size_t i = first; i < next; i++) {
			struct by_file item = order[i];
			struct info_type *type = &ret[item.place];
			const char *damage = type->damage; /* the first place's is told */
			*type = types[i - first];
			type->file = file;
			if (damage)
				type->damage = damage;
			if (!type->types)
				order[failed++] = item;
		}
	}
	mem_free(types);
	mem_free(some);
	return failed;
}

/* Of those that could not be read, which have another place? They come first; returns how many. */
static size_t go_on(const struct session *session, struct by_file *order, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		struct by_file item = order[i];
		item.at = find_another(session, item.def, item.at);
		if (item.at)
			order[kept++] = item;
	}
	return kept;
}

void many_read(struct session *session, const struct index_def *const *defs, size_t count,
	struct info_type *ret)
{
	enum { ROUNDS = 4 }; /* other files that are tried */
	struct by_file *order = mem_new(count + 1, sizeof(*order));
	for (size_t i = 0; i < count; i++)
		order[i] = (struct by_file){defs[i], defs[i], i};
	for (int round = 0; count && round < ROUNDS; round++)
		count = go_on(session, order, read_round(session, order, count, ret));
	mem_free(order);
}
