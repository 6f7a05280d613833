#include "cmd/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One file under way. */
struct staged {
	const struct replace *file;
	const char *target;    /* without symbolic links */
	const char *temporary; /* beside it; NULL: not there yet, or renamed already */
};

static struct error *cannot_write(const char *path)
{
	return error_new("%s: cannot write: %s; the file is as it was", path, strerror(errno));
}

static struct error *find_target(struct arena *arena, const char *root, struct staged *staged)
{
	char real_root[PATH_MAX], real[PATH_MAX];
	if (!realpath(root, real_root) || !realpath(staged->file->path, real))
		return cannot_write(staged->file->path);
	size_t length = strcmp(real_root, "/") == 0 ? 0 : strlen(real_root);
	if (strncmp(real, real_root, length) != 0 || real[length] != '/')
		return error_new(
			"%s: lies outside of %s, where --in-place may write; give --source DIR",
			staged->file->path, root);
	staged->target = arena_strdup(arena, real);
	return NULL;
}

/* Has the file still the bytes that were read? */
static bool is_unchanged(int fd, const struct replace *file)
{
	char bytes[16384];
	size_t at = 0;
	for (;;) {
		ssize_t got = pread(fd, bytes, sizeof(bytes), (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		if (got == 0)
			return at == file->before_length;
		if (file->before_length - at < (size_t)got ||
			memcmp(file->before + at, bytes, (size_t)got) != 0)
			return false;
		at += (size_t)got;
	}
}

static bool write_all(int fd, const char *bytes, size_t length)
{
	while (length) {
		ssize_t wrote = write(fd, bytes, length);
		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			return false;
		bytes += wrote;
		length -= (size_t)wrote;
	}
	return true;
}

/* Writes the temporary file, which stays for the rename. */
static struct error *write_temporary(
	struct arena *arena, struct staged *staged, const struct stat *st)
{
	char *temporary = arena_printf(arena, "%s.XXXXXX", staged->target);
	int to = mkostemp(temporary, O_CLOEXEC);
	if (to < 0)
		return cannot_write(staged->file->path);
	staged->temporary = temporary;
	/* only root may give files away, and others have no need to */
	bool owned = fchown(to, st->st_uid, st->st_gid) == 0 || errno == EPERM;
	bool good = owned && write_all(to, staged->file->after, staged->file->after_length) &&
		    fchmod(to, st->st_mode & 07777) == 0 && fsync(to) == 0;
	int cause = errno;
	if (close(to) != 0 && good) {
		good = false;
		cause = errno;
	}
	errno = cause;
	return good ? NULL : cannot_write(staged->file->path);
}

static struct error *stage(struct arena *arena, const char *root, struct staged *staged)
{
	struct stat st;
	struct error *error = find_target(arena, root, staged);
	if (error)
		return error;
	int from = open(staged->target, O_RDWR | O_CLOEXEC);
	if (from < 0)
		return cannot_write(staged->file->path);
	if (fstat(from, &st) != 0)
		error = cannot_write(staged->file->path);
	else if (!is_unchanged(from, staged->file))
		error = error_new(
			"%s: it changed while it was read; run again", staged->file->path);
	else
		error = write_temporary(arena, staged, &st);
	close(from);
	return error;
}

struct error *replace_files(
	struct arena *arena, const char *root, const struct replace *files, size_t count)
{
	struct staged *staged = arena_new(arena, count, sizeof(*staged));
	struct error *error = NULL;
	for (size_t i = 0; i < count && !error; i++) {
		staged[i].file = &files[i];
		error = stage(arena, root, &staged[i]);
	}
	for (size_t i = 0; i < count && !error; i++) {
		if (rename(staged[i].temporary, staged[i].target) != 0)
			error = cannot_write(files[i].path);
		else
			staged[i].temporary = NULL;
	}
	for (size_t i = 0; i < count; i++)
		if (staged[i].temporary)
			unlink(staged[i].temporary);
	return error;
}
