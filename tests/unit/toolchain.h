/*
 * toolchain: compilers as oracles, for unit tests that need binaries. Everything happens in a directory that is made for
 * the test program and removed with it.
 */
#ifndef TEST_TOOLCHAIN_H
#define TEST_TOOLCHAIN_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char tool_dir[64];

static inline int tool_setup(void **state)
{
	(void)state;
	strcpy(tool_dir, "/tmp/linelint-test-XXXXXX");
	return mkdtemp(tool_dir) ? 0 : -1;
}

/* Runs a command in the directory, quietly; did it succeed? */
__attribute__((format(printf, 1, 2))) static inline bool tool_run(const char *format, ...)
{
	char command[2048], line[2400];
	va_list args;
	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	snprintf(line, sizeof(line), "cd %s && { %s; } >log 2>&1", tool_dir, command);
	return system(line) == 0;
}

/* What the last command said, for a test that fails. */
static inline void tool_show_log(void)
{
	char line[200];
	snprintf(line, sizeof(line), "head -20 %s/log >&2", tool_dir);
	if (system(line) != 0)
		fprintf(stderr, "no log\n");
}

static inline int tool_teardown(void **state)
{
	char line[200];
	(void)state;
	snprintf(line, sizeof(line), "rm -rf %s", tool_dir);
	return system(line) == 0 ? 0 : -1;
}

/* The path of a file in the directory; good until the next call but three. */
static inline const char *tool_path(const char *name)
{
	static char paths[4][200];
	static unsigned next;
	char *path = paths[next++ % 4];
	snprintf(path, sizeof(paths[0]), "%s/%s", tool_dir, name);
	return path;
}

static inline void tool_write(const char *name, const void *bytes, size_t length)
{
	FILE *file = fopen(tool_path(name), "wb");
	if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0) {
		perror(name);
		exit(1);
	}
}

static inline void tool_write_text(const char *name, const char *text)
{
	tool_write(name, text, strlen(text));
}

/* A whole file, with a NUL behind it; the caller frees. */
static inline char *tool_read(const char *name, size_t *length)
{
	FILE *file = fopen(tool_path(name), "rb");
	char *bytes = NULL;
	size_t capacity = 0, have = 0, got;
	*length = 0;
	if (!file) {
		perror(name);
		exit(1);
	}
	do {
		capacity = capacity ? 2 * capacity : 65536;
		bytes = realloc(bytes, capacity + 1);
		if (!bytes)
			abort();
		got = fread(bytes + have, 1, capacity - have, file);
		have += got;
	} while (got && have == capacity);
	fclose(file);
	bytes[have] = '\0';
	*length = have;
	return bytes;
}

#endif
