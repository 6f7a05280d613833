/* Variables that nobody tracks, and one that somebody does. */
#include <linelint-record.h>

#include <pthread.h>

struct pair {
	volatile long left, right;
};

__attribute__((aligned(64))) struct pair own_and_shared = {1, 2};
__attribute__((aligned(64))) struct pair tracked;
__attribute__((aligned(64))) volatile char letters[16];
const volatile int constant = 3;

static void *use(void *argument)
{
	own_and_shared.right = 1;
	return argument;
}

int main(void)
{
	pthread_t thread;
	volatile long local = 0;
	own_and_shared.left = 1;
	own_and_shared.left = 2;
	own_and_shared.right = 2;
	letters[3] = 'a';
	tracked.left = 1; /* not yet */
	LINELINT_TRACK(&tracked);
	LINELINT_OP();
	tracked.right = constant;
	local = tracked.right;
	LINELINT_OP_END();
	(void)local;
	if (pthread_create(&thread, 0, use, 0) != 0)
		return 1;
	return pthread_join(thread, 0);
}
