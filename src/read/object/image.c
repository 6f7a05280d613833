#include "read/object/image.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/mem.h"
#include "read/object/handle.h"
#include "read/object/kernel.h"
#include "read/object/machine.h"
#include "read/object/magic.h"
#include "read/unpack.h"

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

/* ---- what is in the handle's memory ---- */

/* All there is to the object: `off` and `length` in the memory. */
static void take_btf(struct object *object, size_t off, size_t length)
{
	object->sections[OBJECT_BTF].data = object->handle->raw + off;
	object->sections[OBJECT_BTF].size = length;
}

/* A kernel's memory as it will be: of its sections only BTF can be found. */
static struct error *take_bare(const char *path, uint16_t machine, struct object *object)
{
	struct object_handle *handle = object->handle;
	size_t off, length;
	if (!kernel_bare_btf(handle->raw, handle->image_bytes, &off, &length))
		return error_new("%s: is a kernel image (Image) without BTF, not an ELF file; use "
				 "the vmlinux that it was made from (the linux-image-*-dbg or "
				 "kernel-debuginfo package has it)",
			path);
	take_btf(object, off, length);
	machine_describe_bare(machine, object);
	return NULL;
}

static struct error *take_elf(const char *path, struct object_handle *handle)
{
	struct error *error = magic_check(path, handle->raw, handle->image_bytes);
	if (error)
		return error;
	elf_version(EV_CURRENT);
	handle->image = handle->raw;
	handle->elf = elf_memory((char *)handle->raw, handle->image_bytes);
	if (!handle->elf || elf_kind(handle->elf) != ELF_K_ELF)
		return error_new("%s: truncated or damaged ELF file (%s); copy or build it again",
			path, elf_errmsg(-1));
	return NULL;
}

/* `is_running`: the kernel that runs shows these bytes. */
static struct error *take_bytes(const char *path, bool is_running, struct object *object)
{
	struct object_handle *handle = object->handle;
	bool big_endian;
	uint16_t machine = kernel_bare_machine(handle->raw, handle->image_bytes);
	if (machine)
		return take_bare(path, machine, object);
	if (!magic_is_btf(handle->raw, handle->image_bytes, &big_endian))
		return take_elf(path, handle);
	take_btf(object, 0, handle->image_bytes);
	machine_describe_raw(big_endian, is_running, object);
	return NULL;
}

/* ---- files ---- */

/* From here on nothing is read from the file: object_copy() would read what is packed. */
static void close_file(struct object_handle *handle)
{
	close(handle->fd);
	handle->fd = -1;
}

static struct error *load_whole(const char *path, struct object *object)
{
	struct statfs system;
	struct object_handle *handle = object->handle;
	bool is_running = fstatfs(handle->fd, &system) == 0 && system.f_type == SYSFS_MAGIC;
	struct error *error = read_whole(path, handle);
	close_file(handle);
	return error ? error : take_bytes(path, is_running, object);
}

static struct error *not_unpacked(
	const char *path, const struct unpack_format *format, enum unpack_result result)
{
	static const char *const reasons[] = {
		[UNPACK_DONE] = "",
		[UNPACK_DAMAGED] =
			"damaged (or made with a dictionary above 128 MiB); copy it again, or",
		[UNPACK_CUT] = "cut off; copy it again, or",
		[UNPACK_TOO_LONG] = "unpacks to more than a hundred times its size;",
	};
	return error_new("%s: is compressed with %s, and %s unpack it with %s and use the result",
		path, format->name, reasons[result], format->command);
}

static struct error *unpack_file(const char *path, const struct unpack_format *format,
	const uint8_t *packed, size_t length, struct object_handle *handle)
{
	enum unpack_result result = unpack(format, packed, length, unpack_believable(length),
		&handle->raw, &handle->image_bytes);
	return result == UNPACK_DONE ? NULL : not_unpacked(path, format, result);
}

/* `format`: NULL for a kernel's image, which says its own. */
static struct error *load_packed(
	const char *path, const struct unpack_format *format, size_t length, struct object *object)
{
	struct object_handle *handle = object->handle;
	void *packed = mmap(NULL, length, PROT_READ, MAP_PRIVATE, handle->fd, 0);
	if (packed == MAP_FAILED)
		return cannot_read(path);
	struct error *error =
		format ? unpack_file(path, format, packed, length, handle)
		       : kernel_unpack(path, packed, length, &handle->raw, &handle->image_bytes);
	munmap(packed, length);
	close_file(handle);
	return error ? error : take_bytes(path, false, object);
}

/* Whose library is here. */
static const struct unpack_format *format_here(const uint8_t *head, size_t length)
{
	const struct unpack_format *format = unpack_format_of(head, length);
	return format && unpack_is_here(format) ? format : NULL;
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
	bool is_image = kernel_is_image(head, (size_t)length);
	const struct unpack_format *format = format_here(head, (size_t)length);
	if (is_image || format)
		return load_packed(path, is_image ? NULL : format, (size_t)status.st_size, object);
	if (magic_is_btf(head, (size_t)length, &big_endian) ||
		kernel_bare_machine(head, (size_t)length))
		return load_whole(path, object);
	elf_version(EV_CURRENT);
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
	close_file(handle);
	handle->image_bytes = member->size_bytes;
	return take_elf(member->path, handle);
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
