/*
 * image: the bytes of a file, an archive's member, raw BTF or the vmlinux in a kernel image, as the object's handle has them.
 *
 * path -> [image] -> object. ELF files are mapped by libelf; members, and what was packed (a kernel image's vmlinux, .ko.xz,
 * vmlinux.zst), are in memory of the handle's. Raw BTF is all there is to its object, described here. Errors, one line each with the next step: those of object_open() up to
 * "no ELF file"; what was opened until then is the handle's, closed by object_close().
 */
#ifndef READ_OBJECT_IMAGE_H
#define READ_OBJECT_IMAGE_H

#include "base/arena.h"
#include "base/error.h"
#include "read/archive.h"
#include "read/object.h"

/* A file, or "lib.a(member.o)". */
struct error *image_open(struct arena *arena, const char *path, struct object *object);
struct error *image_open_member(const struct archive_member *member, struct object *object);

#endif
