#include "main/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

enum {
	WATCH_MS = 250,    /* between two looks at the child */
	STILL_SECONDS = 1, /* of processor time in one call of a library: for ever */
	TRIES_SECONDS =
		6,     /* of processor time, after which a death is not followed by another try */
	REFUSED = 2,   /* exit code of a child that has said why */
	EXHAUSTED = 3, /* exit code of a child whose memory has run out */
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

static void be_the_child(const struct guard_job *job, pid_t parent, const int notes[2])
{
	/* Nobody reads what we render once the parent is gone. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(REFUSED);
	mem_exhausted_exits_with(EXHAUSTED);
	dup2(notes[1], STDERR_FILENO);
	close(notes[0]);
	close(notes[1]);
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

/* Takes what the child says, until it has closed its end: when it is no more. */
static void listen_to(
	const struct guard_job *job, pid_t child, int from, struct buf *notes, struct end *end)
{
	struct watch watch = {
		.has_clock = job->trail && clock_getcpuclockid(child, &watch.clock) == 0};
	for (;;) {
		char buffer[4096];
		struct pollfd wait = {.fd = from, .events = POLLIN};
		if (poll(&wait, 1, WATCH_MS) > 0) {
			ssize_t got = read(from, buffer, sizeof(buffer));
			if (got == 0 || (got < 0 && errno != EINTR))
				return;
			if (got > 0)
				buf_add(notes, buffer, (size_t)got);
		}
		if (watch.has_clock && !end->stood_still && stands_still(job->trail, &watch)) {
			end->stood_still = true;
			kill(child, SIGKILL);
		}
	}
}

/* Standard error is the last place where anything could be said: if it cannot be written, that is that. */
static void show(const struct buf *notes)
{
	for (size_t done = 0; done < notes->length;) {
		ssize_t wrote = write(STDERR_FILENO, notes->data + done, notes->length - done);
		if (wrote < 0 && errno != EINTR)
			return;
		done += wrote > 0 ? (size_t)wrote : 0;
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

static struct error *cannot_start(void)
{
	return error_new("cannot start a process: %s; set LINELINT_NO_GUARD=1 to do without",
		strerror(errno));
}

/* One child to its end. */
static struct error *try_once(const struct guard_job *job, struct buf *notes, struct end *end)
{
	int pipes[2];
	if (ftruncate(job->out, 0) != 0 || lseek(job->out, 0, SEEK_SET) != 0 ||
		pipe2(pipes, O_CLOEXEC) != 0)
		return cannot_start();
	pid_t parent = getpid(), child = fork();
	if (child == 0)
		be_the_child(job, parent, pipes);
	struct error *error = child < 0 ? cannot_start() : NULL;
	close(pipes[1]);
	if (!error)
		listen_to(job, child, pipes[0], notes, end);
	close(pipes[0]);
	while (!error && waitpid(child, &end->status, 0) < 0)
		if (errno != EINTR)
			error = error_new(
				"lost the reading process: %s; run again", strerror(errno));
	return error;
}

/* Can it be a library's fault? That of a file that became shorter, or of a system that has no memory left, is another. */
static bool is_fault(const struct end *end)
{
	int signal_number = WTERMSIG(end->status);
	return end->stood_still || signal_number == SIGSEGV || signal_number == SIGABRT ||
	       signal_number == SIGFPE || signal_number == SIGILL || signal_number == SIGTRAP;
}

static bool is_exhausted(const struct end *end)
{
	return WIFEXITED(end->status) && WEXITSTATUS(end->status) == EXHAUSTED;
}

/* Is what did it set aside, so that another child can do the rest? */
static bool may_go_on(struct trail *trail, const struct end *end)
{
	if (!trail || (!is_exhausted(end) && !is_fault(end)))
		return false;
	bool is_aside = is_exhausted(end) ? trail_set_file_aside(trail) : trail_set_aside(trail);
	return is_aside && seconds_of_children() < TRIES_SECONDS;
}

struct error *guard_run(const struct guard_job *job, int *code)
{
	signal(SIGCHLD, SIG_DFL); /* whoever ignores it has no children to wait for */
	for (;;) {
		struct end end = {0};
		struct buf notes;
		buf_init(&notes);
		struct error *error = try_once(job, &notes, &end);
		bool has_died = WIFSIGNALED(end.status) || is_exhausted(&end);
		bool is_again = !error && has_died && may_go_on(job->trail, &end);
		bool has_ended = !error && !is_again && !WIFSIGNALED(end.status);
		if (has_ended) {
			show(&notes);
			*code = is_exhausted(&end) ? REFUSED : WEXITSTATUS(end.status);
		}
		buf_release(&notes);
		if (error || has_ended)
			return error;
		if (!is_again)
			return died(job->subject, &end);
	}
}
