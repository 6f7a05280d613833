/*
 * main: argv -> command in a guarded child -> bytes on standard output or in a file.
 *
 * The command renders into an unnamed temporary file in a child process (main/guard.h), which the parent copies out when the
 * command succeeded: a crash in a library on a hostile file becomes a diagnostic, and nothing half-written appears. With
 * LINELINT_NO_GUARD=1 the command runs in this process (debuggers, sanitizers).
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/opt.h"
#include "main/guard.h"
#include "read/unpack.h"

enum {
	STATUS_ERROR = 2,
	RENDERED =
		0x40, /* bit of the child's exit code: the command came to its end, and the rest is its status */
	COPY_BYTES = 1 << 18,
};

/* Prints the one line and returns the exit status that goes with it. */
static int fail(struct error *error)
{
	fprintf(stderr, "linelint: %s\n", error->message);
	error_free(error);
	return STATUS_ERROR;
}

/* A file that we open must not become standard output because somebody closed that. */
static void occupy_standard_descriptors(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

static bool wants_color(const struct opt *opt)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
	if (opt->color != COLOR_AUTO)
		return opt->color == COLOR_ALWAYS;
	if (opt->output || !isatty(STDOUT_FILENO) || (no_color && *no_color))
		return false;
	return term && strcmp(term, "dumb") != 0;
}

static unsigned clamp_columns(unsigned long columns)
{
	return columns < RENDER_COLUMNS_LEAST  ? RENDER_COLUMNS_LEAST
	       : columns > RENDER_COLUMNS_MOST ? RENDER_COLUMNS_MOST
					       : (unsigned)columns;
}

/* COLUMNS, else the terminal's; the same for every file and pipe where nobody says. */
static unsigned find_columns(const struct opt *opt)
{
	const char *stated = getenv("COLUMNS");
	size_t digits = stated ? strspn(stated, "0123456789") : 0;
	struct winsize size;
	if (digits && !stated[digits] && strtoul(stated, NULL, 10))
		return clamp_columns(strtoul(stated, NULL, 10));
	if (!opt->output && isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
		size.ws_col)
		return clamp_columns(size.ws_col);
	return RENDER_COLUMNS_MOST;
}

static struct error *open_temporary(int *ret)
{
	int fd = memfd_create("linelint", MFD_CLOEXEC);
	if (fd < 0) {
		FILE *file = tmpfile();
		fd = file ? dup(fileno(file)) : -1;
		if (file)
			fclose(file);
	}
	if (fd < 0)
		return error_new(
			"cannot create a temporary file: %s; set TMPDIR to a writable directory",
			strerror(errno));
	*ret = fd;
	return NULL;
}

/* Runs the command with its report going to `fd`; the exit code as the parent wants it. */
static int run(const struct opt *opt, int fd, bool color)
{
	int status = 0, copy = dup(fd);
	FILE *out = copy < 0 ? NULL : fdopen(copy, "w");
	if (!out)
		return fail(error_new(
			"cannot write a temporary file: %s; close some files", strerror(errno)));
	const struct cmd_io io = {
		.out = out, .notes = stderr, .color = color, .columns = find_columns(opt)};
	struct error *error = opt->cmd->run(opt, &io, &status);
	bool failed = ferror(out);
	if ((fclose(out) != 0 || failed) && !error)
		error = error_new("cannot write a temporary file: %s; make room or ask for less",
			strerror(errno ? errno : EIO));
	if (error)
		return fail(error);
	return RENDERED | status;
}

/* What a child is to do. */
struct task {
	const struct opt *opt;
	int fd;
	bool color;
};

static int run_task(void *context)
{
	const struct task *task = context;
	return run(task->opt, task->fd, task->color);
}

static int run_guarded(struct opt *opt, int fd, bool color)
{
	const char *subject = opt->binary ? opt->binary : opt->cmd->name;
	opt->trail = trail_new();
	struct task task = {opt, fd, color};
	const struct guard_job job = {.run = run_task,
		.context = &task,
		.subject = subject,
		.out = fd,
		.trail = opt->trail};
	int code;
	struct error *error = guard_run(&job, &code);
	if (!error && !(code & RENDERED) && code != STATUS_ERROR)
		error = error_new("%s: reading it ended early (exit code %d); set "
				  "LINELINT_NO_GUARD=1 to debug",
			subject, code);
	return error ? fail(error) : code;
}

/* From the beginning of `from` to `to`; false with errno on failure. */
static bool copy_bytes(int from, int to)
{
	char *buffer = mem_new(COPY_BYTES, 1);
	bool good = true;
	for (off_t at = 0; good;) {
		ssize_t got = pread(from, buffer, COPY_BYTES, at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			good = got == 0;
			break;
		}
		for (ssize_t done = 0; done < got && good;) {
			ssize_t wrote = write(to, buffer + done, (size_t)(got - done));
			if (wrote >= 0)
				done += wrote;
			else
				good = errno == EINTR;
		}
		at += got;
	}
	mem_free(buffer);
	return good;
}

static struct error *write_standard_output(int fd)
{
	/* A reader that went away has seen enough. */
	if (copy_bytes(fd, STDOUT_FILENO) || errno == EPIPE)
		return NULL;
	return error_new(
		"standard output: cannot write: %s; send it somewhere else or use --output",
		strerror(errno));
}

static struct error *cannot_write(const char *path)
{
	return error_new("%s: cannot write: %s; choose another --output", path, strerror(errno));
}

/* A device or pipe cannot be replaced. */
static struct error *write_special(int fd, const char *path)
{
	int to = open(path, O_WRONLY | O_CLOEXEC);
	if (to < 0)
		return cannot_write(path);
	bool good = copy_bytes(fd, to) || errno == EPIPE;
	struct error *error = good ? NULL : cannot_write(path);
	close(to);
	return error;
}

static mode_t new_file_mode(void)
{
	mode_t mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

/* Beside its place first, then renamed over it: a reader sees the old file or the new one. */
static struct error *write_file(int fd, const char *path, mode_t mode)
{
	struct arena arena;
	arena_init(&arena);
	struct error *error = NULL;
	char *temporary = arena_printf(&arena, "%s.XXXXXX", path);
	int to = mkostemp(temporary, O_CLOEXEC);
	if (to < 0) {
		error = cannot_write(path);
		arena_release(&arena);
		return error;
	}
	bool good = copy_bytes(fd, to) && fchmod(to, mode) == 0;
	int cause = errno;
	if (close(to) != 0 && good) {
		good = false;
		cause = errno;
	}
	if (good && rename(temporary, path) != 0) {
		good = false;
		cause = errno;
	}
	if (!good) {
		unlink(temporary);
		errno = cause;
		error = cannot_write(path);
	}
	arena_release(&arena);
	return error;
}

static struct error *write_output(int fd, const char *path)
{
	struct stat st;
	/* There was nothing to do, as for a patch: no file says so better than an empty one. */
	if (fstat(fd, &st) == 0 && st.st_size == 0)
		return NULL;
	if (stat(path, &st) != 0)
		return write_file(fd, path, new_file_mode());
	if (!S_ISREG(st.st_mode)) {
		if (!S_ISDIR(st.st_mode))
			return write_special(fd, path);
		errno = EISDIR;
		return cannot_write(path);
	}
	char target[PATH_MAX]; /* through symbolic links, which stay */
	return write_file(fd, realpath(path, target) ? target : path, st.st_mode & 0777);
}

static int finish_standard_output(void)
{
	if ((fflush(stdout) == 0 && !ferror(stdout)) || errno == EPIPE)
		return 0;
	return fail(error_new(
		"standard output: cannot write: %s; send it somewhere else", strerror(errno)));
}

static int run_command(struct opt *opt)
{
	int fd = -1;
	struct error *error = open_temporary(&fd);
	if (error)
		return fail(error);
	const char *no_guard = getenv("LINELINT_NO_GUARD");
	bool color = wants_color(opt),
	     guarded = !no_guard || !*no_guard || strcmp(no_guard, "0") == 0;
	int code = guarded ? run_guarded(opt, fd, color) : run(opt, fd, color);
	if (code & RENDERED) {
		error = opt->output ? write_output(fd, opt->output) : write_standard_output(fd);
		code = error ? fail(error) : code & ~RENDERED;
	}
	close(fd);
	return code;
}

/* What is unpacked depends on the libraries that were there. */
static void print_version(void)
{
	const struct unpack_format *format, *last = NULL;
	printf("linelint %s\nunpacks:", LINELINT_VERSION);
	for (size_t i = 0; (format = unpack_format_at(i)); i++) {
		bool is_listed = last && strcmp(last->name, format->name) == 0;
		if (unpack_is_here(format) && !is_listed)
			printf(" %s", format->name);
		last = format;
	}
	printf("\n");
}

int main(int argc, char **argv)
{
	struct arena arena;
	struct opt opt = {0};
	int status = 0;
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* a limit on file sizes is an error of writing, not a crash */
	occupy_standard_descriptors();
	arena_init(&arena);
	struct error *error = opt_parse(&arena, argc, argv, &opt);
	if (error) {
		status = fail(error);
	} else if (opt.help) {
		opt_help(stdout, find_columns(&opt));
		status = finish_standard_output();
	} else if (opt.version) {
		print_version();
		status = finish_standard_output();
	} else {
		status = run_command(&opt);
	}
	arena_release(&arena);
	return status;
}
