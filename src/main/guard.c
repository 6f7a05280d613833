#include "main/guard.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	WATCH_MS = 250,    /* between two looks at the child */
	STILL_SECONDS = 1, /* of processor time in one call of a library: for ever */
	TRIES_SECONDS =
		6, /* of processor time, after which a death is not followed by another try */
	CANNOT_START = 2,
};

/* What all children have used that are no more. */
static double seconds_of_children(void)
{
	struct rusage used;
	if (getrusage(RUSAGE_CHILDREN, &used) != 0)
		return 0;
	return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

static double seconds_of(clockid_t clock)
{
	struct timespec now;
	if (clock_gettime(clock, &now) != 0)
		return 0;
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- a child ---- */

static void be_the_child(const struct guard_job *job, pid_t parent, int notes, const sigset_t *mask)
{
	/* Nobody reads what we render once the parent is gone. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(CANNOT_START);
	sigprocmask(SIG_SETMASK, mask, NULL);
	if (notes >= 0)
		dup2(notes, STDERR_FILENO);
	exit(job->run(job->context));
}

/* What the child uses of the processors while it takes no step. */
struct watch {
	clockid_t clock;
	bool has_clock;
	uint64_t ticks;
	double since; /* the child's processor time at its last step */
};

/* How a child ended. */
struct end {
	int status; /* as waitpid() has it */
	bool stood_still;
};

/* Is it in a library for ever? */
static bool stands_still(const struct trail *trail, struct watch *watch)
{
	double used = seconds_of(watch->clock);
	uint64_t ticks = trail_ticks(trail);
	if (ticks != watch->ticks || !trail_is_inside(trail)) {
		watch->ticks = ticks;
		watch->since = used;
	}
	return used - watch->since >= STILL_SECONDS;
}

/* Waits for the child's end; SIGCHLD is blocked, and wakes us. */
static bool wait_for(const struct guard_job *job, pid_t child, struct end *end)
{
	struct watch watch = {
		.has_clock = job->trail && clock_getcpuclockid(child, &watch.clock) == 0};
	const struct timespec pause = {.tv_nsec = WATCH_MS * 1000000L};
	sigset_t ended;
	sigemptyset(&ended);
	sigaddset(&ended, SIGCHLD);
	for (;;) {
		pid_t got = waitpid(child, &end->status, WNOHANG);
		if (got == child)
			return true;
		if (got < 0 && errno != EINTR)
			return false;
		sigtimedwait(&ended, NULL, &pause);
		if (watch.has_clock && stands_still(job->trail, &watch)) {
			end->stood_still = true;
			kill(child, SIGKILL);
		}
	}
}

/* ---- its notes ---- */

static void empty(int fd)
{
	if (fd < 0 || ftruncate(fd, 0) != 0)
		return;
	lseek(fd, 0, SEEK_SET);
}

/* Standard error is the last place where anything could be said: if it cannot be written, that is that. */
static void show_notes(int notes)
{
	char buffer[4096];
	ssize_t got;
	for (off_t at = 0; notes >= 0 && (got = pread(notes, buffer, sizeof(buffer), at)) > 0;
		at += got)
		for (ssize_t done = 0, wrote; done < got; done += wrote) {
			wrote = write(STDERR_FILENO, buffer + done, (size_t)(got - done));
			if (wrote < 0 && errno == EINTR)
				wrote = 0;
			else if (wrote < 0)
				return;
		}
}

/* ---- tries ---- */

static struct error *died(const char *subject, const struct end *end)
{
	int signal_number = WTERMSIG(end->status);
	const char *name = strsignal(signal_number);
	if (end->stood_still)
		return error_new("%s: reading it does not come to an end; the file is probably "
				 "damaged: build it again, or set LINELINT_NO_GUARD=1 to debug",
			subject);
	if (signal_number == SIGKILL)
		return error_new(
			"%s: killed while reading (signal 9), perhaps out of memory; ask for fewer "
			"structs or raise the memory limit",
			subject);
	if (signal_number == SIGBUS)
		return error_new(
			"%s: it became shorter while it was read (signal %d, %s); run again when "
			"nobody writes it",
			subject, signal_number, name);
	return error_new("%s: reading it crashed (signal %d, %s); the file is probably damaged: "
			 "build it again, or "
			 "set LINELINT_NO_GUARD=1 to debug",
		subject, signal_number, name);
}

/* One child to its end. */
static struct error *try_once(
	const struct guard_job *job, int notes, const sigset_t *mask, struct end *end)
{
	pid_t parent = getpid(), child = fork();
	if (child < 0)
		return error_new(
			"cannot start a process: %s; set LINELINT_NO_GUARD=1 to do without",
			strerror(errno));
	if (child == 0)
		be_the_child(job, parent, notes, mask);
	if (!wait_for(job, child, end))
		return error_new("lost the reading process: %s; run again", strerror(errno));
	return NULL;
}

/* Can it be a library's fault? That of a file that became shorter, or of a system that has no memory left, is another. */
static bool is_fault(const struct end *end)
{
	int signal_number = WTERMSIG(end->status);
	return end->stood_still || signal_number == SIGSEGV || signal_number == SIGABRT ||
	       signal_number == SIGFPE || signal_number == SIGILL || signal_number == SIGTRAP;
}

static struct error *run_tries(
	const struct guard_job *job, int notes, const sigset_t *mask, int *code)
{
	for (;;) {
		struct end end = {0};
		empty(job->out);
		empty(notes);
		struct error *error = try_once(job, notes, mask, &end);
		if (error)
			return error;
		if (!WIFSIGNALED(end.status)) {
			show_notes(notes);
			*code = WEXITSTATUS(end.status);
			return NULL;
		}
		bool may_go_on = job->trail && is_fault(&end) && trail_set_aside(job->trail) &&
				 seconds_of_children() < TRIES_SECONDS;
		if (!may_go_on)
			return died(job->subject, &end);
	}
}

struct error *guard_run(const struct guard_job *job, int *code)
{
	sigset_t ended, mask;
	sigemptyset(&ended);
	sigaddset(&ended, SIGCHLD);
	signal(SIGCHLD, SIG_DFL); /* whoever ignores it has no children to wait for */
	sigprocmask(SIG_BLOCK, &ended, &mask);
	int notes = memfd_create("linelint-notes", MFD_CLOEXEC);
	struct error *error = run_tries(job, notes, &mask, code);
	if (notes >= 0)
		close(notes);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	return error;
}
