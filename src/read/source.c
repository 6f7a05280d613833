#include "read/source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WALK_DEPTH_MAX = 32, WALK_ENTRIES_MAX = 1 << 20 };

static bool is_regular(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* The path without "." and "..", where what leads above the beginning is left out; without a leading "/" too. */
static char *normalize(struct arena *arena, const char *path)
{
	char *clean = arena_new(arena, strlen(path) + 2, 1);
	size_t length = 0;
	while (*path) {
		size_t part = strcspn(path, "/");
		bool is_up = part == 2 && memcmp(path, "..", 2) == 0;
		if (is_up) {
			while (length && clean[--length] != '/')
				continue;
		} else if (part && !(part == 1 && *path == '.')) {
			if (length)
				clean[length++] = '/';
			memcpy(clean + length, path, part);
			length += part;
		}
		path += part;
		path += strspn(path, "/");
	}
	clean[length] = '\0';
	return clean;
}

static char *join(struct arena *arena, const char *directory, const char *name)
{
	size_t length = strlen(directory);
	bool has_slash = length && directory[length - 1] == '/';
	return arena_printf(arena, "%s%s%s", directory, has_slash ? "" : "/", name);
}

/* ---- anywhere below a directory ---- */

struct walk {
	struct arena *arena;
	const char *wanted; /* path, normalized */
	const char *base;   /* its last part */
	size_t entries;     /* seen so far */
	size_t best;        /* bytes that the best one's end has in common */
	const char *found;  /* below the root; the first of the best */
	const char *rival;  /* another as good as that; NULL when there is none */
};

/* Bytes of whole parts that two paths end with. */
static size_t common_end(const char *left, const char *right)
{
	size_t a = strlen(left), b = strlen(right), same = 0, whole = 0;
	while (same < a && same < b && left[a - same - 1] == right[b - same - 1]) {
		same++;
		bool ends_left = same == a || left[a - same - 1] == '/';
		bool ends_right = same == b || right[b - same - 1] == '/';
		if (ends_left && ends_right)
			whole = same;
	}
	return whole;
}

static void consider(struct walk *walk, const char *path)
{
	size_t same = common_end(path, walk->wanted);
	if (same < walk->best || !same)
		return;
	bool is_better = same > walk->best;
	walk->rival = is_better ? NULL : strcmp(path, walk->found) < 0 ? walk->found : path;
	if (is_better || strcmp(path, walk->found) < 0)
		walk->found = path;
	walk->best = same;
}

static void walk_directory(struct walk *walk, const char *directory, const char *below, int depth)
{
	DIR *stream = opendir(directory);
	const struct dirent *entry;
	if (!stream)
		return;
	while ((entry = readdir(stream)) && walk->entries++ < WALK_ENTRIES_MAX) {
		struct stat st;
		if (entry->d_name[0] == '.')
			continue;
		bool may_be_directory = entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN;
		if (!may_be_directory && strcmp(entry->d_name, walk->base) != 0)
			continue;
		const char *path = join(walk->arena, directory, entry->d_name);
		const char *name = *below ? join(walk->arena, below, entry->d_name)
					  : arena_strdup(walk->arena, entry->d_name);
		if (lstat(path, &st) != 0)
			continue;
		if (S_ISDIR(st.st_mode) && depth < WALK_DEPTH_MAX)
			walk_directory(walk, path, name, depth + 1);
		else if (S_ISREG(st.st_mode) && strcmp(entry->d_name, walk->base) == 0)
			consider(walk, name);
	}
	closedir(stream);
}

/* ---- finding ---- */

static void take_below(struct arena *arena, const char *root, const char *name, struct source *ret)
{
	ret->name = name;
	ret->path = join(arena, root, name);
}

/* The longest end of `wanted` that is a path from the root; NULL when there is none. */
static const char *direct_end(struct arena *arena, const char *root, const char *wanted)
{
	for (const char *tail = wanted; tail; tail = strchr(tail, '/')) {
		tail += *tail == '/';
		if (is_regular(join(arena, root, tail)))
			return tail;
	}
	return NULL;
}

static struct error *find_below(struct arena *arena, const struct source_query *query,
	const char *wanted, struct source *ret)
{
	const char *direct = direct_end(arena, query->root, wanted), *base = strrchr(wanted, '/');
	/* a name alone may be another file of that name */
	bool is_sure = direct && (direct == wanted || strchr(direct, '/'));
	struct walk walk = {.arena = arena, .wanted = wanted, .base = base ? base + 1 : wanted};
	if (!is_sure)
		walk_directory(&walk, query->root, "", 0);
	if (direct && (is_sure || walk.best <= strlen(direct))) {
		take_below(arena, query->root, direct, ret);
		return NULL;
	}
	if (!walk.found)
		return error_new("%s: its source %s is not below %s; give the top of the tree that "
				 "was built "
				 "with --source DIR",
			query->subject, query->file, query->root);
	if (walk.rival)
		return error_new("%s: its source %s may be %s or %s below %s; give --source a "
				 "directory that has "
				 "only one",
			query->subject, query->file, walk.found, walk.rival, query->root);
	take_below(arena, query->root, walk.found, ret);
	return NULL;
}

/* Below the working directory when it is there, else from the root of the machine. */
static const char *name_here(struct arena *arena, const char *path)
{
	char here[PATH_MAX], real[PATH_MAX];
	if (!getcwd(here, sizeof(here)) || !realpath(path, real))
		return normalize(arena, path);
	size_t length = strlen(here);
	bool is_below = strncmp(real, here, length) == 0 && real[length] == '/';
	return normalize(arena, is_below ? real + length : real);
}

static struct error *find_here(
	struct arena *arena, const struct source_query *query, struct source *ret)
{
	bool is_absolute = query->file[0] == '/';
	const char *compiled = is_absolute || !*query->comp_dir
				       ? query->file
				       : join(arena, query->comp_dir, query->file);
	const char *path = is_regular(compiled) ? compiled : query->file;
	if (!is_regular(path))
		return error_new("%s: its source %s is not here, and not where it was compiled; "
				 "give the top of the tree "
				 "that was built with --source DIR",
			query->subject, query->file);
	ret->path = path;
	ret->name = name_here(arena, path);
	return NULL;
}

/* ---- reading ---- */

static struct error *cannot_read(const char *path)
{
	return error_new("%s: cannot read: %s; give another --source", path, strerror(errno));
}

static struct error *read_bytes(
	struct arena *arena, int fd, const struct stat *st, struct source *ret)
{
	char *bytes = arena_new(arena, (size_t)st->st_size + 1, 1);
	size_t length = 0;
	while (length < (size_t)st->st_size) {
		ssize_t got = read(fd, bytes + length, (size_t)st->st_size - length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return cannot_read(ret->path);
		if (got == 0)
			break;
		length += (size_t)got;
	}
	if (memchr(bytes, '\0', length))
		return error_new("%s: has a NUL byte, and so is no source; give another --source",
			ret->path);
	ret->bytes = bytes;
	ret->length = length;
	return NULL;
}

static struct error *read_file(struct arena *arena, struct source *ret)
{
	struct stat st;
	int fd = open(ret->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return cannot_read(ret->path);
	struct error *error = NULL;
	if (fstat(fd, &st) != 0)
		error = cannot_read(ret->path);
	else if (!S_ISREG(st.st_mode))
		error = error_new("%s: not a regular file; give another --source", ret->path);
	else if (st.st_size > SOURCE_BYTES_MAX)
		error = error_new(
			"%s: more than %d bytes, which nobody wrote; give another --source",
			ret->path, SOURCE_BYTES_MAX);
	else
		error = read_bytes(arena, fd, &st, ret);
	close(fd);
	return error;
}

static struct error *check_root(const char *root)
{
	struct stat st;
	if (stat(root, &st) != 0)
		return error_new("--source %s: %s; give the top of the tree that was built", root,
			strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return error_new(
			"--source %s: not a directory; give the top of the tree that was built",
			root);
	return NULL;
}

struct error *source_read(struct arena *arena, const struct source_query *query, struct source *ret)
{
	struct source source = {0};
	struct error *error = query->root ? check_root(query->root) : NULL;
	if (error)
		return error;
	const char *wanted = query->file ? normalize(arena, query->file) : "";
	if (!*wanted)
		return error_new("%s: the debug information does not say where it is declared; "
				 "build with -g and DWARF",
			query->subject);
	error = query->root ? find_below(arena, query, wanted, &source)
			    : find_here(arena, query, &source);
	if (!error)
		error = read_file(arena, &source);
	if (!error)
		*ret = source;
	return error;
}
