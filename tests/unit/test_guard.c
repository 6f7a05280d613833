/* guard of the fuzzers: a fault of libdwarf is left behind and counted, one of ours is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../fuzz/guard.c"
#include "read/dwarf/libdwarf.h"

static void nothing(void *context)
{
	*(int *)context += 1;
}

/* An address that is none, deep in libdwarf. */
static void fault_of_libdwarf(void *context)
{
	Dwarf_Half tag;
	Dwarf_Error error;
	dwarf_tag((Dwarf_Die)(uintptr_t)0x1000, &tag, &error);
	nothing(context);
}

static void fault_of_ours(void *context)
{
	volatile char *volatile address = (char *)0x1000; /* NOLINT */
	(void)context;
	*address = 1;
}

static void abort_of_ours(void *context)
{
	(void)context;
	abort();
}

static void must_die(void (*run)(void *context))
{
	int status;
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		close(STDERR_FILENO);
		memset(before, 0, sizeof(before)); /* cmocka catches signals itself */
		_exit(guard_run(run, NULL) ? 0 : 77);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) || (WEXITSTATUS(status) && WEXITSTATUS(status) != 77));
}

/* One test: cmocka sets its own handlers before each. */
static void test_whose_fault(void **state)
{
	int calls = 0;
	(void)state;
	assert_true(guard_run(nothing, &calls));
	assert_int_equal(calls, 1);
	for (int i = 0; i < 3; i++)
		assert_false(guard_run(fault_of_libdwarf, &calls));
	assert_int_equal(calls, 1);
	assert_int_equal(guard_counts().crashes, 3);
	assert_true(guard_run(nothing, &calls));
	must_die(fault_of_ours);
	must_die(abort_of_ours);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whose_fault),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
