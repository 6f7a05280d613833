/*
 * object: a whole file. ELF headers, compressed sections, relocations, notes, symbols, the kernel in a bzImage, raw BTF,
 * archives; the index of what comes out of it. No libdwarf: that is the target `dwarf`'s.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "read/archive.h"
#include "read/index.h"
#include "read/object.h"
#include "read/object/links.h"
#include "read/variables.h"
#include "target.h"

enum { MEMBERS_MAX = 8 };

static void use(struct arena *arena, struct object *object)
{
	const struct index_query query = {.jobs = 1};
	struct index index;
	struct variables variables;
	struct object_links links;
	object_links_read(arena, object, &links);
	for (int id = 0; id < OBJECT_SECTION_COUNT; id++) { /* may be read to the last byte */
		const struct object_section *section = &object->sections[id];
		volatile uint8_t last = section->size ? section->data[section->size - 1] : 0;
		(void)last;
	}
	if (!refused(object_require_dwarf(object))) {
		refused(index_build(arena, object, &query, &index));
		refused(variables_find(arena, object, 1, &variables));
	}
	object_close(object);
}

static void read_archive(struct arena *arena, const char *path)
{
	struct archive_members members = {.count = 0};
	struct object object;
	refused(archive_list(arena, path, &members));
	for (size_t i = 0; i < members.count && i < MEMBERS_MAX; i++)
		if (!refused(object_open_member(arena, &members.items[i], &object)))
			use(arena, &object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;
	struct object object;
	char path[64];
	static int fd = -1;
	if (fd < 0)
		fd = memfd_create("fuzz", MFD_CLOEXEC);
	HOLDS(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	arena_init(&arena);
	if (archive_is(data, size))
		read_archive(&arena, path);
	else if (!refused(object_open(&arena, path, &object)))
		use(&arena, &object);
	arena_release(&arena);
	return 0;
}
