#include "guard.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

enum { SECONDS_MAX = 2, TICK_MICROSECONDS = 50000, FRAMES_MAX = 32 };

static sigjmp_buf back;
static atomic_bool running;
static struct guard_count counts;
static int ticks; /* of one run, after its SECONDS_MAX */
static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGVTALRM};
enum { CAUGHT_COUNT = sizeof(caught) / sizeof(caught[0]) };
static struct sigaction before[CAUGHT_COUNT];

/* Sanitizers know of such a file, and of what the C library does for libdwarf with its memory say nothing. */
const char *__asan_default_suppressions(void);
const char *__asan_default_suppressions(void)
{
	return "interceptor_via_lib:libdwarf.so\n";
}

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1:max_allocation_size_mb=1024:detect_leaks=0:handle_abort=0";
}

static bool is_in(const char *library, void *address)
{
	Dl_info info;
	return dladdr(address, &info) && info.dli_fname && strstr(info.dli_fname, library);
}

/* What is between libdwarf and the fault when it has called memcpy() with an address that is none. */
static bool is_between(void *address)
{
	Dl_info info;
	if (!dladdr(address, &info) || !info.dli_fname)
		return false;
	if (strstr(info.dli_fname, "/libc.so") || strstr(info.dli_fname, "/libasan.so") ||
		strstr(info.dli_fname, "/libubsan.so") || strstr(info.dli_fname, "/libz.so"))
		return true;
	return info.dli_sname && (strncmp(info.dli_sname, "__asan_", 7) == 0 ||
					 strncmp(info.dli_sname, "__interceptor_", 14) == 0 ||
					 strncmp(info.dli_sname, "mem", 3) == 0 ||
					 strncmp(info.dli_sname, "str", 3) == 0);
}

static void *interrupted_at(const void *context)
{
	const ucontext_t *machine = context;
#if defined(__x86_64__)
	return (void *)machine->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return (void *)machine->uc_mcontext.pc;
#else
	(void)machine;
	return NULL;
#endif
}

static bool is_libdwarf_fault(const void *context)
{
	void *at = interrupted_at(context), *frames[FRAMES_MAX];
	if (!at)
		return false;
	if (is_in("/libdwarf.so", at))
		return true;
	if (!is_between(at))
		return false;
	int count = backtrace(frames, FRAMES_MAX), frame = 0;
	while (frame < count && frames[frame] != at)
		frame++;
	while (frame < count && is_between(frames[frame]))
		frame++;
	return frame < count && is_in("/libdwarf.so", frames[frame]);
}

static void pass_on(int number, siginfo_t *info, void *context)
{
	for (int i = 0; i < CAUGHT_COUNT; i++) {
		if (caught[i] != number)
			continue;
		if (before[i].sa_flags & SA_SIGINFO) {
			before[i].sa_sigaction(number, info, context);
		} else { /* back at the fault, it comes again */
			sigaction(number, &before[i], NULL);
			if (number == SIGABRT || number == SIGVTALRM)
				raise(number);
		}
	}
}

/* A tick may come in the middle of malloc(), which must not be left: then the next one will do. */
static void tick(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	if (!running)
		return;
	if (is_in("/libdwarf.so", interrupted_at(context))) {
		counts.hangs++;
		siglongjmp(back, 1);
	}
	if (++ticks > 200) /* ten seconds beyond: it is not libdwarf */
		abort();
}

static void fault(int number, siginfo_t *info, void *context)
{
	if (running && is_libdwarf_fault(context)) {
		counts.crashes++;
		siglongjmp(back, 1);
	}
	pass_on(number, info, context);
}

/* After libFuzzer and the sanitizer have set up theirs, which is not before the first input. */
static void catch_signals(void)
{
	static char stack[1 << 16];
	void *frames[1];
	stack_t other = {.ss_sp = stack, .ss_size = sizeof(stack)};
	stack_t had;
	if (sigaltstack(NULL, &had) == 0 && (had.ss_flags & SS_DISABLE))
		sigaltstack(&other, NULL); /* libdwarf recurses until there is no stack */
	backtrace(frames, 1);              /* loads what it needs now, not in a handler */
	for (int i = 0; i < CAUGHT_COUNT; i++) {
		struct sigaction action = {.sa_sigaction = caught[i] == SIGVTALRM ? tick : fault,
			.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
		sigemptyset(&action.sa_mask);
		sigaction(caught[i], &action, &before[i]);
	}
}

static void set_timer(long seconds, long microseconds)
{
	struct itimerval timer = {
		.it_value = {.tv_sec = seconds}, .it_interval = {.tv_usec = microseconds}};
	setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

bool guard_run(void (*run)(void *context), void *context)
{
	static bool is_ready;
	if (!is_ready)
		catch_signals();
	is_ready = true;
	ticks = 0;
	set_timer(SECONDS_MAX, TICK_MICROSECONDS);
	bool good = sigsetjmp(back, 1) == 0;
	if (good) {
		running = true;
		run(context);
	}
	running = false;
	set_timer(0, 0);
	return good;
}

struct guard_count guard_counts(void)
{
	return counts;
}
