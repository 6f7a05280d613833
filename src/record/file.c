#include "record/file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "record/os.h"
#include "record/settings.h"

/*
 * Replaces a link by what it leads to, so that the link stays. False: the name is of something that must not be replaced.
 */
static bool is_replaceable(struct llrec_file *file)
{
	struct stat st;
	if (stat(file->name, &st) != 0)
		return true;
	if (!S_ISREG(st.st_mode))
		return false;
	if (realpath(file->name, file->temporary))
		memcpy(file->name, file->temporary, sizeof(file->name));
	return true;
}

static void open_temporary(struct llrec_file *file)
{
	char pid[16];
	llrec_expand_pid("%p", pid, sizeof(pid));
	size_t length = llrec_append(file->temporary, 0, sizeof(file->temporary), file->name);
	length = llrec_append(file->temporary, length, sizeof(file->temporary), ".tmp");
	length = llrec_append(file->temporary, length, sizeof(file->temporary), pid);
	if (length + 1 == sizeof(file->temporary))
		file->fault = ENAMETOOLONG;
	else
		file->descriptor =
			open(file->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

void llrec_file_open(
	struct llrec_file *file, const char *variable, const char *name, const char *suffix)
{
	llrec_expand_pid(name, file->name, sizeof(file->name));
	llrec_append(file->name, strlen(file->name), sizeof(file->name), suffix);
	file->variable = variable;
	file->length = 0;
	file->fault = 0;
	file->descriptor = -1;
	if (is_replaceable(file)) {
		open_temporary(file);
	} else {
		file->temporary[0] = '\0';
		file->descriptor = open(file->name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	}
	if (!file->fault && file->descriptor < 0)
		file->fault = errno;
}

/* A limit on the size of files, or a reader that went away, would end the program by a signal: its end is its own. */
static void flush(struct llrec_file *file)
{
	const struct timespec now = {0};
	const char *bytes = file->bytes;
	sigset_t deadly, before;
	sigemptyset(&deadly);
	sigaddset(&deadly, SIGXFSZ);
	sigaddset(&deadly, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &deadly, &before);
	while (!file->fault && file->length) {
		ssize_t done = write(file->descriptor, bytes, file->length);
		if (done < 0 && errno != EINTR)
			file->fault = errno;
		if (done > 0) {
			bytes += done;
			file->length -= (size_t)done;
		}
	}
	file->length = 0;
	if (file->fault == EFBIG || file->fault == EPIPE)
		sigtimedwait(&deadly, NULL, &now);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void llrec_file_put(struct llrec_file *file, const void *bytes, size_t length)
{
	const char *from = bytes;
	while (length && !file->fault) {
		size_t room = sizeof(file->bytes) - file->length;
		size_t piece = length < room ? length : room;
		memcpy(file->bytes + file->length, from, piece);
		file->length += piece;
		from += piece;
		length -= piece;
		if (file->length == sizeof(file->bytes))
			flush(file);
	}
}

void llrec_file_text(struct llrec_file *file, const char *text)
{
	llrec_file_put(file, text, strlen(text));
}

void llrec_file_number(struct llrec_file *file, uint64_t number)
{
	char text[24];
	llrec_file_put(file, text, llrec_append_number(text, 0, sizeof(text), number));
}

static const char digits[] = "0123456789abcdef";

void llrec_file_hex(struct llrec_file *file, uint64_t number)
{
	char text[2 + 16];
	size_t at = sizeof(text);
	do
		text[--at] = digits[number & 15];
	while (number >>= 4);
	text[--at] = 'x';
	text[--at] = '0';
	llrec_file_put(file, text + at, sizeof(text) - at);
}

void llrec_file_word(struct llrec_file *file, const char *text)
{
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;
		char quoted[3] = {'%', digits[byte >> 4], digits[byte & 15]};
		if (byte <= ' ' || byte == '%' || byte == 0x7f)
			llrec_file_put(file, quoted, sizeof(quoted));
		else
			llrec_file_put(file, text, 1);
	}
}

static void complain(const struct llrec_file *file)
{
	char text[256];
	const char *reason = strerrordesc_np(file->fault);
	size_t length = llrec_append(text, 0, sizeof(text), "cannot be written: ");
	length = llrec_append(text, length, sizeof(text), reason ? reason : "unknown error");
	length = llrec_append(text, length, sizeof(text), "; name another file with ");
	llrec_append(text, length, sizeof(text), file->variable);
	llrec_complain(file->name, text);
}

bool llrec_file_close(struct llrec_file *file)
{
	flush(file);
	if (file->descriptor >= 0 && close(file->descriptor) != 0 && !file->fault)
		file->fault = errno;
	if (!file->fault && *file->temporary && rename(file->temporary, file->name) != 0)
		file->fault = errno;
	if (!file->fault)
		return true;
	if (file->descriptor >= 0 && *file->temporary)
		unlink(file->temporary);
	complain(file);
	return false;
}
