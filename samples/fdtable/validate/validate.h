/*
 * validate: whether a build of the table keeps its promises. What all properties share: the options, the
 * failure, files that know whether they live, threads that stop where they are told to.
 */
#ifndef VALIDATE_H
#define VALIDATE_H

#include <stdio.h>
#include <stdlib.h>

#include "../fdtable.h"
#include "../points.h"

struct options {
	unsigned int threads;
	double seconds; /* of each property that repeats; 0: `rounds` decides */
	unsigned long rounds;
	unsigned int seed;
	unsigned int patience_ms; /* how long a thread that should be stuck is watched */
};
extern struct options options;

/* Whether one more round is to be done; counts *round. */
bool another_round(unsigned long *round);

/* A property that does not hold: says so and ends the program with status 1. */
#define must(condition, ...)                                                                       \
	do {                                                                                       \
		if (!(condition))                                                                  \
			broken(__FILE__, __LINE__, __VA_ARGS__);                                   \
	} while (0)
_Noreturn __attribute__((format(printf, 3, 4))) void broken(
	const char *file, int line, const char *format, ...);

/*
 * A file that knows its life. Its memory is poisoned when the table frees it; `reusable` ones become other
 * files at once.
 */
struct vfile {
	struct file file;
	struct vfile *next_unused;
	_Atomic unsigned int life; /* LIFE_... */
	int fd;                    /* under which number it was installed, -1: unknown */
	unsigned long owner;
	unsigned long ends; /* written by its release, read by who has a reference */
};
enum { LIFE_OPEN = 0x11fe, LIFE_RELEASED = 0xdead };

struct file *vfile_new(int fd, unsigned long owner, bool reusable);

/* One who has a reference finds it alive and, unless it is -1, as what was installed at `fd`. */
void vfile_alive(struct file *file, int fd);

/* In a read section, without a reference: its memory is a file still. */
void vfile_readable(struct file *file);

/* All that were made were released, and freed, once. Waits for the grace period. */
void vfiles_are_gone(void);
unsigned long vfiles_released(void);

/* A table; errors end the program. */
struct files_struct *table_new(unsigned int limit, bool any_number);

/* Every number below the table's limit can be had, once: none was lost, none is handed out twice. */
void table_is_whole(struct files_struct *files, bool any_number);

bool is_open_at(struct files_struct *files, unsigned int fd);

/* Runs `work` in options.threads threads, `data` + i * `size` each, all beginning at the same time. */
void in_threads(void *(*work)(void *data), void *data, size_t size);

/* A random number below `below`. */
unsigned int any_of(unsigned int *seed, unsigned int below);

/* The properties: each returns when it holds. */
void validate_model(void);
void validate_errors(void);
void validate_memory(void);
void validate_owner(void);
void validate_lowest(void);
void validate_replace(void);
void validate_fork(void);
void validate_ranges(void);
void validate_meetings(void);

#endif
