#include "read/archive.h"

#include <ar.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "read/map.h"

enum {
	LONG_NAMES_MAX = 64 << 20, /* bytes of all long names */
	NAME_MAX_BYTES = 4096,     /* of one that stands before its member */
	INNER_MAX = 1 << 20,       /* members of archives in a thin one */
};

static const char thin_magic[] = "!<thin>\n";
static const char package_member[] = "debian-binary";

/* An archive under way. */
struct archive {
	struct arena *arena;
	const char *path;
	int fd;
	uint64_t size_bytes;
	bool is_thin;
	const char *names; /* the long ones; NULL: none yet */
	uint64_t names_bytes;
	bool is_inner;          /* of a thin one: looked at for the names of its members */
	const char *inner_path; /* the last such archive; NULL: none yet */
	struct archive_members inner;
	size_t inner_total; /* members of all of them */
	struct map seen;    /* hash of a member's name -> how many bear it */
	struct archive_members *members;
};

bool archive_is(const uint8_t *head, size_t length)
{
	if (length < SARMAG)
		return false;
	if (memcmp(head, thin_magic, SARMAG) == 0)
		return true;
	size_t rest = sizeof(package_member) - 1;
	return memcmp(head, ARMAG, SARMAG) == 0 &&
	       (length < SARMAG + rest || memcmp(head + SARMAG, package_member, rest) != 0);
}

static struct error *damaged(const struct archive *archive, uint64_t off, const char *what)
{
	return error_new("%s: damaged archive: %s at byte %" PRIu64 "; build it again",
		archive->path, what, off);
}

/* Decimal digits, then blanks. */
static bool parse_digits(const char *field, size_t length, uint64_t *ret)
{
	size_t i = 0;
	*ret = 0;
	for (; i < length && field[i] >= '0' && field[i] <= '9'; i++) {
		if (*ret > (UINT64_MAX - 9) / 10)
			return false;
		*ret = *ret * 10 + (uint64_t)(field[i] - '0');
	}
	size_t digits = i;
	while (i < length && field[i] == ' ')
		i++;
	return digits && i == length;
}

/* The entry of the table of long names at `off`, which ends in "/\n" or "\n"; NULL: there is none. */
static const char *long_name(const struct archive *archive, uint64_t off)
{
	if (!archive->names || off >= archive->names_bytes)
		return NULL;
	const char *name = archive->names + off;
	size_t length = strcspn(name, "\n");
	if (length && name[length - 1] == '/')
		length--;
	return length ? arena_strndup(archive->arena, name, length) : NULL;
}

/* Of a member in a thin archive: beside the archive, unless it says where. */
static const char *file_beside(const struct archive *archive, const char *name)
{
	const char *slash = strrchr(archive->path, '/');
	if (*name == '/' || !slash)
		return name;
	return arena_printf(
		archive->arena, "%.*s/%s", (int)(slash - archive->path), archive->path, name);
}

static uint64_t hash_name(const char *name)
{
	uint64_t hash = 14695981039346656037u;
	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 1099511628211u;
	return hash | 1; /* 0 is no key */
}

static void add_member(struct archive *archive, struct archive_member member)
{
	const char *name = member.name;
	struct archive_members *members = archive->members;
	uint64_t key = hash_name(name), *seen = map_find(&archive->seen, key);
	if (!seen)
		map_add(&archive->seen, key, 1);
	else
		++*seen;
	members->items = arena_grow(archive->arena, members->items, &members->capacity,
		members->count + 1, sizeof(*members->items));
	member.path = seen ? arena_printf(archive->arena, "%s(%s:%" PRIu64 ")", archive->path, name,
				     *seen)
			   : arena_printf(archive->arena, "%s(%s)", archive->path, name);
	members->items[members->count++] = member;
}

static struct error *list(
	struct arena *arena, const char *path, bool is_inner, struct archive_members *ret);

/* The first member from `off` on; they are in the order of their places. NULL: none. */
static const struct archive_member *first_from(const struct archive_members *members, uint64_t off)
{
	size_t low = 0, high = members->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (members->items[middle].off_bytes < off)
			low = middle + 1;
		else
			high = middle;
	}
	return low < members->count ? &members->items[low] : NULL;
}

/* The archives that `ar T` was given are no members: theirs are, "/N:M", those with a header at M of the file named at N. */
static struct error *add_inner(
	struct archive *archive, uint64_t at, const char *name, uint64_t header_off)
{
	const char *file = file_beside(archive, name);
	uint64_t off = header_off + sizeof(struct ar_hdr);
	if (!archive->inner_path || strcmp(archive->inner_path, file) != 0) {
		archive->inner = (struct archive_members){0};
		archive->inner_path = file;
		struct error *error = list(archive->arena, file, true, &archive->inner);
		error_free(error); /* its members up to there are known */
		archive->inner_total += archive->inner.count + 1;
	}
	if (archive->inner_total > INNER_MAX)
		return damaged(archive, at, "more archives in it than make sense");
	const struct archive_member *member = first_from(&archive->inner, off);
	if (member && !member->is_whole && member->off_bytes - off <= NAME_MAX_BYTES) {
		add_member(archive, *member);
		return NULL;
	}
	if (archive->inner.count)
		return damaged(archive, at, "a member that is not in the archive it names");
	/* opening it tells what the matter is */
	add_member(archive, (struct archive_member){.name = name, .file = file, .is_whole = true});
	return NULL;
}

/* "/N:M" */
static bool parse_inner(const char field[16], uint64_t *name_off, uint64_t *header_off)
{
	const char *colon = memchr(field, ':', 16);
	return field[0] == '/' && colon &&
	       parse_digits(field + 1, (size_t)(colon - field - 1), name_off) &&
	       parse_digits(colon + 1, (size_t)(field + 16 - colon - 1), header_off) &&
	       *header_off <= INT64_MAX / 2;
}

static struct error *read_long_names(struct archive *archive, uint64_t off, uint64_t size)
{
	if (size > LONG_NAMES_MAX)
		return damaged(archive, off, "a table of names without measure");
	char *names = arena_new(archive->arena, size + 1, 1);
	if (!file_read_at(archive->fd, names, size, off))
		return damaged(archive, off, "a table of names that cannot be read");
	archive->names = names;
	archive->names_bytes = size;
	return NULL;
}

/* "name/", BSD's "name", or "/off" in the table; NULL: none of them. */
static const char *plain_name(const struct archive *archive, const char field[16])
{
	uint64_t off;
	if (field[0] == '/')
		return parse_digits(field + 1, 15, &off) ? long_name(archive, off) : NULL;
	const char *slash = memchr(field, '/', 16);
	size_t length = slash ? (size_t)(slash - field) : 16;
	while (!slash && length && field[length - 1] == ' ')
		length--;
	return length ? arena_strndup(archive->arena, field, length) : NULL;
}

/* BSD: the first `length` bytes of the member are its name. */
static const char *leading_name(
	const struct archive *archive, uint64_t off, uint64_t size, uint64_t length)
{
	if (!length || length > size || length > NAME_MAX_BYTES)
		return NULL;
	char *name = arena_new(archive->arena, length + 1, 1);
	return file_read_at(archive->fd, name, length, off) && *name ? name : NULL;
}

static bool is_field(const char field[16], const char *name)
{
	size_t length = strlen(name);
	if (memcmp(field, name, length) != 0)
		return false;
	while (length < 16 && field[length] == ' ')
		length++;
	return length == 16;
}

/* The member whose header is at *off; moves on behind it. */
static struct error *read_member(struct archive *archive, uint64_t *off)
{
	struct ar_hdr header;
	uint64_t size, lead = 0, at = *off, data = at + sizeof(header);
	if (archive->size_bytes - at < sizeof(header) ||
		!file_read_at(archive->fd, &header, sizeof(header), at))
		return damaged(archive, at, "a header that is cut off");
	if (memcmp(header.ar_fmag, ARFMAG, sizeof(header.ar_fmag)) != 0 ||
		!parse_digits(header.ar_size, sizeof(header.ar_size), &size))
		return damaged(archive, at, "no header of a member");
	bool is_symbols = is_field(header.ar_name, "/") || is_field(header.ar_name, "/SYM64/");
	bool is_names = is_field(header.ar_name, "//");
	bool is_inside = !archive->is_thin || is_symbols || is_names;
	if (is_inside && size > archive->size_bytes - data)
		return damaged(archive, at, "a member that goes on behind the end");
	*off = data + (is_inside ? size + (size & 1) : 0);
	if (is_symbols)
		return NULL;
	if (is_names)
		return read_long_names(archive, data, size);
	bool is_leading = !archive->is_thin && memcmp(header.ar_name, "#1/", 3) == 0 &&
			  parse_digits(header.ar_name + 3, 13, &lead);
	uint64_t name_off, header_off;
	if (archive->is_thin && !archive->is_inner &&
		parse_inner(header.ar_name, &name_off, &header_off)) {
		const char *inner = long_name(archive, name_off);
		return inner ? add_inner(archive, at, inner, header_off)
			     : damaged(archive, at, "a member without a name");
	}
	const char *name = is_leading ? leading_name(archive, data, size, lead)
				      : plain_name(archive, header.ar_name);
	if (!name)
		return damaged(archive, at, "a member without a name");
	if (strncmp(name, "__.SYMDEF", strlen("__.SYMDEF")) != 0)
		add_member(archive, (struct archive_member){
					    .name = name,
					    .file = archive->is_thin ? file_beside(archive, name)
								     : archive->path,
					    .off_bytes = archive->is_thin ? 0 : data + lead,
					    .size_bytes = size - lead,
					    .is_whole = archive->is_thin,
				    });
	return NULL;
}

static struct error *read_members(struct archive *archive)
{
	uint8_t head[ARCHIVE_HEAD_BYTES] = {0};
	struct stat status;
	if (fstat(archive->fd, &status) != 0 || !S_ISREG(status.st_mode) ||
		status.st_size < SARMAG || !file_read_at(archive->fd, head, SARMAG, 0) ||
		!archive_is(head, SARMAG))
		return error_new("%s: cannot read as an archive; build it again", archive->path);
	archive->size_bytes = (uint64_t)status.st_size;
	archive->is_thin = memcmp(head, thin_magic, SARMAG) == 0;
	struct error *error = NULL;
	for (uint64_t off = SARMAG; off < archive->size_bytes && !error;)
		error = read_member(archive, &off);
	return error;
}

static struct error *list(
	struct arena *arena, const char *path, bool is_inner, struct archive_members *ret)
{
	struct archive archive = {
		.arena = arena, .path = path, .is_inner = is_inner, .members = ret};
	archive.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (archive.fd < 0)
		return error_new("%s: cannot open: %s; check the path and its permissions", path,
			strerror(errno));
	map_init(&archive.seen);
	struct error *error = read_members(&archive);
	map_release(&archive.seen);
	close(archive.fd);
	return error;
}

struct error *archive_list(struct arena *arena, const char *path, struct archive_members *ret)
{
	return list(arena, path, false, ret);
}

/* Is there an archive of that name? */
static bool is_archive(const char *path)
{
	uint8_t head[ARCHIVE_HEAD_BYTES];
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	ssize_t length = -1;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		length = pread(fd, head, sizeof(head), 0);
	close(fd);
	return length > 0 && archive_is(head, (size_t)length);
}

struct error *archive_find(
	struct arena *arena, const char *path, struct archive_member *ret, bool *found)
{
	size_t length = strlen(path);
	const char *at = length && path[length - 1] == ')' ? strchr(path, '(') : NULL;
	const char *archive = NULL;
	*found = false;
	for (; at && !archive; at = archive ? at : strchr(at + 1, '(')) {
		const char *candidate = arena_strndup(arena, path, (size_t)(at - path));
		if (is_archive(candidate))
			archive = candidate;
	}
	if (!archive)
		return NULL;
	*found = true;
	struct archive_members members = {0};
	struct error *error = archive_list(arena, archive, &members);
	for (size_t i = 0; i < members.count; i++)
		if (strcmp(members.items[i].path, path) == 0) {
			error_free(error); /* what is damaged lies behind it */
			*ret = members.items[i];
			return NULL;
		}
	if (error)
		return error;
	return error_new("%s: no such member in %s, which has %zu; 'ar t' lists them", path,
		archive, members.count);
}
