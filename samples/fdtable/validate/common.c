/* Files that know their life, tables, threads. */
#include "validate.h"

#include <pthread.h>
#include <string.h>

static _Atomic unsigned long made, released, freed;

/* Freed memory is kept for a while, poisoned, so that who still looks at it is found out. */
enum { POISON = 0x6b, QUARANTINE = 512 };
static pthread_mutex_t memory_lock = PTHREAD_MUTEX_INITIALIZER;
static struct vfile *quarantine[QUARANTINE];
static unsigned long quarantined;
static struct vfile *unused; /* reusable ones */

static void on_release(struct file *file)
{
	struct vfile *mine = (struct vfile *)file;
	unsigned int before = atomic_exchange(&mine->life, LIFE_RELEASED);

	must(before == LIFE_OPEN, "a file's last reference went twice (its life was %#x)", before);
	/* Who had a reference read this, and it comes after all of them: -fsanitize=thread looks here. */
	mine->ends++;
	atomic_fetch_add(&released, 1);
}

static void on_free(struct file *file)
{
	struct vfile *mine = (struct vfile *)file, *oldest;

	must(atomic_load(&mine->life) == LIFE_RELEASED, "a file is freed that was not released");
	memset((void *)mine, POISON, sizeof(*mine));
	pthread_mutex_lock(&memory_lock);
	oldest = quarantine[quarantined % QUARANTINE];
	quarantine[quarantined++ % QUARANTINE] = mine;
	pthread_mutex_unlock(&memory_lock);
	free(oldest);
	atomic_fetch_add(&freed, 1);
}

static void on_reuse(struct file *file)
{
	struct vfile *mine = (struct vfile *)file;

	pthread_mutex_lock(&memory_lock);
	mine->next_unused = unused;
	unused = mine;
	pthread_mutex_unlock(&memory_lock);
	atomic_fetch_add(&freed, 1);
}

static const struct file_operations once = {.release = on_release, .free = on_free};
static const struct file_operations again = {
	.release = on_release, .free = on_reuse, .reusable = true};

static struct vfile *reused(void)
{
	struct vfile *one;

	pthread_mutex_lock(&memory_lock);
	one = unused;
	if (one)
		unused = one->next_unused;
	pthread_mutex_unlock(&memory_lock);
	return one;
}

struct file *vfile_new(int fd, unsigned long owner, bool reusable)
{
	struct vfile *mine = reusable ? reused() : NULL;

	if (!mine)
		mine = aligned_alloc(FDTABLE_LINE,
			(sizeof(*mine) + FDTABLE_LINE - 1) / FDTABLE_LINE * FDTABLE_LINE);
	if (!mine)
		abort();
	mine->fd = fd;
	mine->owner = owner;
	mine->ends = 0;
	atomic_store(&mine->life, LIFE_OPEN);
	atomic_fetch_add(&made, 1);
	file_init(&mine->file, reusable ? &again : &once, 0, mine);
	return &mine->file;
}

void vfile_alive(struct file *file, int fd)
{
	struct vfile *mine = (struct vfile *)file;
	unsigned int life = atomic_load(&mine->life);

	must(life == LIFE_OPEN, "a file with a reference is not open: its life is %#x", life);
	must(atomic_load(&file->f_count.counter) > 0, "a file with a reference has none");
	must(mine->ends == 0, "a file with a reference was released");
	must(fd < 0 || mine->fd < 0 || mine->fd == fd, "%d names the file that was installed at %d",
		fd, mine->fd);
}

void vfile_readable(struct file *file)
{
	unsigned int life = atomic_load(&((struct vfile *)file)->life);

	must(life == LIFE_OPEN || life == LIFE_RELEASED,
		"a file was freed under a read section: its life is %#x", life);
}

unsigned long vfiles_released(void)
{
	return atomic_load(&released);
}

void vfiles_are_gone(void)
{
	fdtable_barrier();
	must(atomic_load(&released) == atomic_load(&made), "%lu files were made, %lu released",
		atomic_load(&made), atomic_load(&released));
	must(atomic_load(&freed) == atomic_load(&made), "%lu files were made, %lu freed",
		atomic_load(&made), atomic_load(&freed));
}

struct files_struct *table_new(unsigned int limit, bool any_number)
{
	struct fdtable_options table = {.limit = limit, .any_number = any_number};
	struct files_struct *files;
	int error = files_create(&table, &files);

	must(error == 0, "files_create: %s", strerror(-error));
	return files;
}

bool is_open_at(struct files_struct *files, unsigned int fd)
{
	struct file *file = fget(files, fd);

	if (!file)
		return false;
	vfile_alive(file, (int)fd);
	fput(file);
	return true;
}

void table_is_whole(struct files_struct *files, bool any_number)
{
	unsigned int limit = fd_get_limit(files);
	bool *seen = calloc(limit, 1);
	int fd;

	if (!seen)
		abort();
	must(fd_close_range(files, 0, ~0U, false) == 0, "close_range");
	for (unsigned int i = 0; i < limit; i++) {
		fd = fd_alloc(files, 0, false);
		must(fd >= 0, "%u of %u numbers could be had: the others are lost", i, limit);
		must((unsigned int)fd < limit && !seen[fd], "%d was handed out twice", fd);
		must(any_number || (unsigned int)fd == i, "%d was handed out, %u is free", fd, i);
		seen[fd] = true;
	}
	fd = fd_alloc(files, 0, false);
	must(fd == -EMFILE, "all numbers are taken, and there is %d", fd);
	for (unsigned int i = 0; i < limit; i++)
		fd_cancel(files, i);
	free(seen);
}

unsigned int any_of(unsigned int *seed, unsigned int below)
{
	/* xorshift32 (Marsaglia, 2003) */
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed % below;
}

struct start {
	pthread_barrier_t *barrier;
	void *(*work)(void *data);
	void *data;
};

static void *started(void *data)
{
	struct start *start = data;

	pthread_barrier_wait(start->barrier);
	return start->work(start->data);
}

void in_threads(void *(*work)(void *data), void *data, size_t size)
{
	pthread_t threads[64];
	struct start starts[64];
	pthread_barrier_t barrier;

	pthread_barrier_init(&barrier, NULL, options.threads);
	for (unsigned int i = 0; i < options.threads; i++) {
		starts[i] = (struct start){&barrier, work, (char *)data + i * size};
		must(pthread_create(&threads[i], NULL, started, &starts[i]) == 0,
			"no thread could be made");
	}
	for (unsigned int i = 0; i < options.threads; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&barrier);
}
