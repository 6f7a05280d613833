#include "read/collect.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "read/object/magic.h"
#include "read/unpack.h"

void collection_init(struct collection *collection, struct arena *arena)
{
	*collection = (struct collection){.arena = arena};
	map_init(&collection->seen);
}

void collection_release(struct collection *collection)
{
	map_release(&collection->seen);
}

/* ---- what it is, by its first bytes ---- */

enum what { WHAT_OTHER, WHAT_OBJECT, WHAT_ARCHIVE, WHAT_DIRECTORY, WHAT_UNREADABLE };

enum { PACKED_BYTES = 1 << 20 }; /* a block of bzip2 has 900,000 bytes */
_Static_assert(
	(int)UNPACK_MAGIC_BYTES <= (int)ARCHIVE_HEAD_BYTES, "one reading is enough for both");

static enum what what_bytes(const uint8_t *head, size_t length)
{
	bool big_endian;
	if (archive_is(head, length))
		return WHAT_ARCHIVE;
	if (magic_is_elf(head, length) || magic_is_btf(head, length, &big_endian))
		return WHAT_OBJECT;
	return WHAT_OTHER;
}

/* By the first bytes of what is in it: directories are full of compressed texts. */
static enum what what_packed(int fd, const struct unpack_format *format)
{
	uint8_t head[ARCHIVE_HEAD_BYTES];
	uint8_t *packed = mem_new(PACKED_BYTES, 1);
	ssize_t length = pread(fd, packed, PACKED_BYTES, 0);
	enum what what = WHAT_OTHER;
	if (length > 0 && unpack_is_here(format))
		what = what_bytes(
			head, unpack_head(format, packed, (size_t)length, head, sizeof(head)));
	mem_free(packed);
	return what == WHAT_OBJECT ? WHAT_OBJECT : WHAT_OTHER;
}

/* Opening a module that cannot be looked into tells why. */
static bool is_module_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return strstr(slash ? slash : path, ".ko.") != NULL;
}

/* errno tells why it is WHAT_UNREADABLE. */
static enum what what_file(const char *path, struct stat *status)
{
	uint8_t head[ARCHIVE_HEAD_BYTES];
	if (stat(path, status) != 0)
		return WHAT_UNREADABLE;
	if (S_ISDIR(status->st_mode))
		return WHAT_DIRECTORY;
	if (!S_ISREG(status->st_mode))
		return WHAT_OTHER;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return WHAT_UNREADABLE;
	ssize_t length = pread(fd, head, sizeof(head), 0);
	int cause = errno;
	const struct unpack_format *format =
		length > 0 ? unpack_format_of(head, (size_t)length) : NULL;
	enum what what = length < 0 ? WHAT_UNREADABLE : what_bytes(head, (size_t)length);
	if (format)
		what = is_module_name(path) ? WHAT_OBJECT : what_packed(fd, format);
	close(fd);
	errno = cause;
	return what;
}

bool collect_is_several(const char *path)
{
	struct stat status;
	enum what what = what_file(path, &status);
	return what == WHAT_ARCHIVE || what == WHAT_DIRECTORY;
}

/* ---- what there is ---- */

static void add_error(struct collection *collection, struct error *error)
{
	if (!error)
		return;
	collection->errors =
		arena_grow(collection->arena, collection->errors, &collection->error_capacity,
			collection->error_count + 1, sizeof(*collection->errors));
	collection->errors[collection->error_count++] = error;
}

static void add_other(struct collection *collection, const char *path)
{
	collection->others =
		arena_grow(collection->arena, collection->others, &collection->other_capacity,
			collection->other_count + 1, sizeof(*collection->others));
	collection->others[collection->other_count++] = path;
}

static void add_file(struct collection *collection, const char *path,
	const struct archive_member *member, bool is_asked)
{
	if (collection->count == COLLECT_FILES_MAX) {
		add_error(collection,
			error_new("%s: one file too many (%d are read at a time); ask for fewer",
				path, COLLECT_FILES_MAX));
		return;
	}
	collection->files = arena_grow(collection->arena, collection->files, &collection->capacity,
		collection->count + 1, sizeof(*collection->files));
	collection->files[collection->count++] =
		(struct collect_file){.path = path, .member = member, .is_asked = is_asked};
}

/* False for what was met before. */
static bool is_new(struct collection *collection, const struct stat *status)
{
	uint64_t key = ((uint64_t)status->st_dev * 0x9fb21c651e98df25u ^ (uint64_t)status->st_ino)
			       << 1 |
		       1;
	if (map_find(&collection->seen, key))
		return false;
	map_add(&collection->seen, key, 1);
	return true;
}

/* ---- archives ---- */

static enum what what_member(
	const char *archive, const struct archive_member *member, int archive_fd)
{
	uint8_t head[ARCHIVE_HEAD_BYTES];
	struct stat status;
	if (member->is_whole)
		return what_file(member->file, &status);
	size_t size = member->size_bytes < sizeof(head) ? member->size_bytes : sizeof(head);
	bool is_inside = strcmp(member->file, archive) == 0;
	int fd = is_inside ? archive_fd : open(member->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t length = fd < 0 ? -1 : pread(fd, head, size, (off_t)member->off_bytes);
	if (!is_inside && fd >= 0)
		close(fd);
	return length < 0 ? WHAT_UNREADABLE : what_bytes(head, (size_t)length);
}

/* Thin archives name files, which may be met elsewhere as well: they are listed here, too, under this name. */
static void add_archive(struct collection *collection, const char *path)
{
	struct archive_members members = {0};
	struct error *error = archive_list(collection->arena, path, &members);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	for (size_t i = 0; i < members.count && fd >= 0; i++) {
		const struct archive_member *member = &members.items[i];
		enum what what = what_member(path, member, fd);
		/* opening it tells what the matter is */
		if (what == WHAT_OBJECT || what == WHAT_UNREADABLE)
			add_file(collection, member->path, member, false);
		else
			add_other(collection, member->path);
	}
	if (fd >= 0)
		close(fd);
	add_error(collection, error);
}

/* ---- directories ---- */

static int by_name(const void *left, const void *right)
{
	const char *const *a = left, *const *b = right;
	return strcmp(*a, *b);
}

/* The paths of what is in it, sorted. */
static struct error *read_directory(
	struct arena *arena, const char *path, const char ***ret, size_t *count)
{
	size_t capacity = 0;
	DIR *directory = opendir(path);
	if (!directory)
		return error_new(
			"%s: cannot open: %s; check its permissions", path, strerror(errno));
	const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
	for (struct dirent *entry; (entry = readdir(directory));) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		*ret = arena_grow(arena, *ret, &capacity, *count + 1, sizeof(**ret));
		(*ret)[(*count)++] = arena_printf(arena, "%s%s%s", path, slash, entry->d_name);
	}
	closedir(directory);
	if (*count)
		qsort(*ret, *count, sizeof(**ret), by_name);
	return NULL;
}

static void walk(struct collection *collection, const char *path, int depth);

static void add_entry(struct collection *collection, const char *path, int depth)
{
	struct stat status, link;
	enum what what = what_file(path, &status);
	int cause = errno;
	bool is_link = lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
	if (is_link && what == WHAT_DIRECTORY)
		return; /* elsewhere */
	if (is_link && what == WHAT_UNREADABLE && (cause == ENOENT || cause == ELOOP)) {
		add_other(collection, path); /* nowhere */
		return;
	}
	if (what == WHAT_UNREADABLE) {
		add_error(collection, error_new("%s: cannot open: %s; check its permissions", path,
					      strerror(cause)));
		return;
	}
	if (what != WHAT_OTHER && !is_new(collection, &status))
		return;
	if (what == WHAT_DIRECTORY)
		walk(collection, path, depth + 1);
	else if (what == WHAT_ARCHIVE)
		add_archive(collection, path);
	else if (what == WHAT_OBJECT)
		add_file(collection, path, NULL, false);
	else
		add_other(collection, path);
}

static void walk(struct collection *collection, const char *path, int depth)
{
	const char **paths = NULL;
	size_t count = 0;
	struct error *error =
		depth > COLLECT_DEPTH_MAX
			? error_new("%s: lies %d directories deep; give it itself", path, depth)
			: read_directory(collection->arena, path, &paths, &count);
	add_error(collection, error);
	for (size_t i = 0; i < count; i++)
		add_entry(collection, paths[i], depth);
}

void collect_add(struct collection *collection, const char *path)
{
	struct stat status;
	enum what what = what_file(path, &status);
	if (what != WHAT_UNREADABLE && !is_new(collection, &status))
		return;
	if (what == WHAT_DIRECTORY)
		walk(collection, path, 0);
	else if (what == WHAT_ARCHIVE)
		add_archive(collection, path);
	else
		add_file(collection, path, NULL, true);
}
