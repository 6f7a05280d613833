#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

enum { BLOCK = 1 << 16 };

struct error *file_read(const char *path, size_t most_bytes, const char *advice, struct buf *ret)
{
	FILE *file = fopen(path, "rb");
	if (!file)
		return error_new("%s: cannot be opened: %s", path, strerror(errno));
	char *block = mem_new(BLOCK, 1);
	size_t length;
	errno = 0;
	while (ret->length <= most_bytes && (length = fread(block, 1, BLOCK, file)) > 0)
		buf_add(ret, block, length);
	struct error *error = NULL;
	if (ferror(file))
		error = error_new("%s: cannot be read: %s", path, strerror(errno));
	else if (ret->length > most_bytes)
		error = error_new("%s: longer than %zu bytes; %s", path, most_bytes, advice);
	fclose(file);
	mem_free(block);
	return error;
}

bool file_read_at(int fd, void *buffer, uint64_t size, uint64_t off)
{
	for (uint64_t done = 0; done < size;) {
		ssize_t got = pread(fd, (char *)buffer + done, size - done, (off_t)(off + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		done += (uint64_t)got;
	}
	return true;
}
