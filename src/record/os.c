#include "record/os.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* On a line of its own: whoever only looks up objects must not feel it. */
static struct {
	int is_taken;
} __attribute__((aligned(64))) lock;
__thread bool llrec_has_lock;

void *llrec_map(size_t bytes)
{
	void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (pages == MAP_FAILED)
		return NULL;
	/* A huge page for each touched byte of a map of addresses would be most of the memory. */
	madvise(pages, bytes, MADV_NOHUGEPAGE);
	return pages;
}

void llrec_unmap(void *pages, size_t bytes)
{
	if (pages)
		munmap(pages, bytes);
}

void llrec_lock(sigset_t *mask)
{
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, mask);
	while (__atomic_exchange_n(&lock.is_taken, 1, __ATOMIC_ACQUIRE))
		sched_yield();
	llrec_has_lock = true;
}

void llrec_unlock(const sigset_t *mask)
{
	llrec_has_lock = false;
	__atomic_store_n(&lock.is_taken, 0, __ATOMIC_RELEASE);
	pthread_sigmask(SIG_SETMASK, mask, NULL);
}

void llrec_complain(const char *subject, const char *text)
{
	char line[1024];
	size_t length = llrec_append(line, 0, sizeof(line), "linelint-record: ");
	length = llrec_append(line, length, sizeof(line), subject);
	length = llrec_append(line, length, sizeof(line), ": ");
	length = llrec_append(line, length, sizeof(line), text);
	line[length++] = '\n';
	if (write(STDERR_FILENO, line, length) < 0)
		return; /* nobody is left to tell */
}

void llrec_barrier_all(void)
{
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) != 0)
		llrec_sleep_ms(10);
}

void llrec_sleep_ms(long milliseconds)
{
	struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
	nanosleep(&time, NULL);
}

size_t llrec_append(char *text, size_t length, size_t capacity, const char *more)
{
	while (*more && length + 1 < capacity)
		text[length++] = *more++;
	text[length] = '\0';
	return length;
}

size_t llrec_append_number(char *text, size_t length, size_t capacity, uint64_t number)
{
	char digits[24];
	size_t at = sizeof(digits);
	digits[--at] = '\0';
	do
		digits[--at] = (char)('0' + number % 10);
	while (number /= 10);
	return llrec_append(text, length, capacity, digits + at);
}
