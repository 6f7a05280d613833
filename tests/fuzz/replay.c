/*
 * replay: a target on the files that are named, one after the other, without libFuzzer: what make check runs, with any compiler,
 * and what a debugger wants. Says which file it is at, so that of a crash it is known.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "target.h"

enum { SECONDS_MAX = 20 }; /* for one input, on a machine that has other things to do */

static uint8_t *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes = NULL;
	size_t room = 1 << 16, got;
	*size = 0;
	if (!file) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		exit(2);
	}
	do {
		bytes = realloc(bytes, room *= 2);
		HOLDS(bytes);
		got = fread(bytes + *size, 1, room - *size, file);
		*size += got;
	} while (got && *size == room);
	fclose(file);
	return bytes;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		size_t size;
		uint8_t *bytes = read_file(argv[i], &size), *exact = malloc(size ? size : 1);
		HOLDS(exact);
		memcpy(exact, bytes, size); /* a byte behind it is out of bounds */
		free(bytes);
		printf("run %s\n", argv[i]);
		fflush(stdout);
		alarm(SECONDS_MAX);
		LLVMFuzzerTestOneInput(exact, size);
		free(exact);
	}
	printf("done %d\n", argc - 1);
	return 0;
}
