/*
 * record/file: bytes -> a file that is there as a whole or not at all: written under another name, then renamed. What cannot
 * be replaced, a pipe or a device, is written to.
 */
#ifndef RECORD_FILE_H
#define RECORD_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct llrec_file {
	char name[PATH_MAX];
	char temporary[PATH_MAX]; /* "": written to `name` itself */
	const char *variable;     /* of the environment, that names the file */
	int descriptor;
	int fault; /* errno of what failed first; 0: nothing */
	size_t length;
	char bytes[1 << 14]; /* that wait to be written */
};

/* `name`, from `variable`, may have %p; `suffix` follows it. What fails is said by llrec_file_close. */
void llrec_file_open(
	struct llrec_file *file, const char *variable, const char *name, const char *suffix);
void llrec_file_put(struct llrec_file *file, const void *bytes, size_t length);
void llrec_file_text(struct llrec_file *file, const char *text);
void llrec_file_number(struct llrec_file *file, uint64_t number);
void llrec_file_hex(struct llrec_file *file, uint64_t number); /* after 0x */

/* In one word: blanks, control characters and % as %XX. */
void llrec_file_word(struct llrec_file *file, const char *text);

/* False: it could not be written, which is said on standard error; nothing is left. */
bool llrec_file_close(struct llrec_file *file);

#endif
