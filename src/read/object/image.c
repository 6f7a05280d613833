#include "read/object/image.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/mem.h"
#include "read/object/handle.h"
#include "read/object/kernel.h"
#include "read/object/machine.h"
#include "read/object/magic.h"

static struct error *check_kind(const char *path, const struct stat *status)
{
	if (S_ISDIR(status->st_mode))
		return error_new("%s: is a directory; use a binary in it", path);
	if (!S_ISREG(status->st_mode))
		return error_new("%s: is not a regular file; copy it to one first", path);
	return NULL;
}

static struct error *cannot_read(const char *path)
{
	return error_new("%s: cannot read: %s; check the file system", path, strerror(errno));
}

/* The whole of a file of which the kernel may not know the size before it is read. */
static struct error *read_whole(const char *path, struct object_handle *handle)
{
	enum { STEP = 1 << 20 };
	size_t capacity = 0;
	for (;;) {
		handle->raw = mem_grow(handle->raw, &capacity, handle->image_bytes + STEP, 1);
		ssize_t got = pread(handle->fd, handle->raw + handle->image_bytes,
			capacity - handle->image_bytes, (off_t)handle->image_bytes);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return cannot_read(path);
		if (got == 0)
			return NULL;
		handle->image_bytes += (size_t)got;
	}
}

static struct error *load_raw(const char *path, bool big_endian, struct object *object)
{
	struct statfs system;
	struct object_handle *handle = object->handle;
	struct error *error = read_whole(path, handle);
	if (error)
		return error;
	object->sections[OBJECT_BTF].data = handle->raw;
	object->sections[OBJECT_BTF].size = handle->image_bytes;
	machine_describe_raw(big_endian, fstatfs(handle->fd, &system) == 0 && system.f_type == SYSFS_MAGIC,
		object);
	return NULL;
}

/* From here on the image is what was in it. */
static struct error *load_kernel(const char *path, struct object_handle *handle)
{
	struct error *error = read_whole(path, handle);
	uint8_t *image = handle->raw;
	size_t size = handle->image_bytes;
	handle->raw = NULL;
	if (!error)
		error = kernel_unpack(path, image, size, &handle->raw, &handle->image_bytes);
	mem_free(image);
	if (error)
		return error;
	error = magic_check(path, handle->raw, handle->image_bytes);
	if (error)
		return error;
	handle->image = handle->raw;
	handle->elf = elf_memory((char *)handle->raw, handle->image_bytes);
	if (elf_kind(handle->elf) != ELF_K_ELF)
		return error_new(
			"%s: its vmlinux is a damaged ELF file (%s); copy or build it again", path,
			elf_errmsg(-1));
	close(handle->fd); /* object_copy() would read the packed file */
	handle->fd = -1;
	return NULL;
}

static struct error *map_fd(const char *path, int fd, struct object *object)
{
	struct object_handle *handle = object->handle;
	struct stat status;
	bool big_endian;
	if (fstat(fd, &status) != 0)
		return cannot_read(path);
	struct error *error = check_kind(path, &status);
	if (error)
		return error;

	uint8_t head[MAGIC_BYTES];
	ssize_t length = pread(fd, head, sizeof(head), 0);
	if (length < 0)
		return cannot_read(path);
	if (length == 0)
		return error_new(
			"%s: is empty; use a binary with debug information (built with -g)", path);
	if (magic_is_btf(head, (size_t)length, &big_endian))
		return load_raw(path, big_endian, object);
	elf_version(EV_CURRENT);
	if (kernel_is_image(head, (size_t)length))
		return load_kernel(path, handle);
	error = magic_check(path, head, (size_t)length);
	if (error)
		return error;
	handle->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	handle->image = (const uint8_t *)elf_rawfile(handle->elf, &handle->image_bytes);
	if (!handle->image || elf_kind(handle->elf) != ELF_K_ELF)
		return error_new("%s: truncated or damaged ELF file (%s); copy or build it again",
			path, elf_errmsg(-1));
	elf_cntl(handle->elf, ELF_C_FDDONE);
	return NULL;
}

static struct error *open_file(const char *path, const char *file, struct object_handle *handle)
{
	handle->fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (handle->fd >= 0)
		return NULL;
	const char *advice = errno == ENOENT   ? "check the path"
			     : errno == EACCES ? "ask for read permission or copy it with sudo"
					       : "check the path and the file system";
	return error_new("%s: cannot open: %s; %s", path, strerror(errno), advice);
}

/* The bytes of an archive's member, which lie at odd places, in memory of their own. */
static struct error *load_member(const struct archive_member *member, struct object_handle *handle)
{
	uint64_t done = 0;
	if (member->size_bytes == 0)
		return error_new(
			"%s: is empty; use a binary with debug information (built with -g)",
			member->path);
	handle->raw = mem_new(member->size_bytes, 1);
	while (done < member->size_bytes) {
		ssize_t got = pread(handle->fd, handle->raw + done, member->size_bytes - done,
			(off_t)(member->off_bytes + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return cannot_read(member->path);
		if (got == 0)
			return error_new("%s: cannot read: its archive became shorter; run again "
					 "when nobody writes it",
				member->path);
		done += (uint64_t)got;
	}
	close(handle->fd);
	handle->fd = -1;
	struct error *error = magic_check(member->path, handle->raw,
		member->size_bytes < MAGIC_BYTES ? member->size_bytes : MAGIC_BYTES);
	if (error)
		return error;
	elf_version(EV_CURRENT);
	handle->image = handle->raw;
	handle->image_bytes = member->size_bytes;
	handle->elf = elf_memory((char *)handle->raw, handle->image_bytes);
	if (!handle->elf || elf_kind(handle->elf) != ELF_K_ELF)
		return error_new("%s: truncated or damaged ELF file (%s); build it again",
			member->path, elf_errmsg(-1));
	return NULL;
}

struct error *image_open_member(const struct archive_member *member, struct object *object)
{
	struct error *error = open_file(member->path, member->file, object->handle);
	if (error)
		return error;
	return member->is_whole ? map_fd(member->path, object->handle->fd, object)
				: load_member(member, object->handle);
}

struct error *image_open(struct arena *arena, const char *path, struct object *object)
{
	struct archive_member member;
	bool found;
	struct error *error = open_file(path, path, object->handle);
	if (!error)
		return map_fd(path, object->handle->fd, object);
	struct error *other = archive_find(arena, path, &member, &found);
	if (!found)
		return error;
	error_free(error);
	return other ? other : image_open_member(&member, object);
}
