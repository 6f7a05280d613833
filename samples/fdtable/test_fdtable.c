/*
 * What every variant of the table promises, one thread after the other; threads where a promise needs them.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fdtable.h"

static _Atomic int released, freed;

static void count_release(struct file *file)
{
	(void)file;
	atomic_fetch_add(&released, 1);
}

static void count_free(struct file *file)
{
	atomic_fetch_add(&freed, 1);
	free(file);
}

static const struct file_operations operations = {.release = count_release, .free = count_free};

static struct file *new_file(void *data)
{
	struct file *file = malloc(sizeof(*file));

	assert_non_null(file);
	file_init(file, &operations, 3, data);
	return file;
}

static struct files_struct *new_table(unsigned int limit, bool any_number)
{
	struct files_struct *files;
	struct fdtable_options options = {.limit = limit, .any_number = any_number};

	assert_int_equal(files_create(&options, &files), 0);
	released = 0;
	return files;
}

static int open_one(struct files_struct *files)
{
	struct file *file = new_file(NULL);
	int fd = fd_open(files, file, false);

	/* An open that failed does not count. */
	if (fd < 0) {
		fput(file);
		atomic_fetch_sub(&released, 1);
	}
	return fd;
}

static bool is_open(struct files_struct *files, unsigned int fd)
{
	struct file *file = fget(files, fd);

	if (file)
		fput(file);
	return file != NULL;
}

/* A name shows that a build is what it was asked to be: the directory has it. */
static void test_names(void **state)
{
	char name[128];

	(void)state;
	snprintf(name, sizeof(name), "%s-%s-%s", fdtable_layout_name(), fdtable_install_name(),
		fdtable_alloc_name());
	assert_string_equal(name, VARIANT);
}

static void test_create(void **state)
{
	struct files_struct *files;
	struct fdtable_options options = {.limit = FDTABLE_MAX + 1};

	(void)state;
	assert_int_equal(files_create(&options, &files), -EINVAL);
	assert_int_equal(files_create(NULL, &files), 0);
	assert_int_equal(fd_get_limit(files), FDTABLE_MAX);
	assert_int_equal(files_capacity(files), NR_OPEN_DEFAULT);
	assert_int_equal(fd_set_limit(files, FDTABLE_MAX + 1), -EINVAL);
	assert_int_equal(fd_set_limit(files, 10), 0);
	assert_int_equal(fd_get_limit(files), 10);
	files_destroy(files);
}

static void test_lowest_first(void **state)
{
	struct files_struct *files = new_table(0, false);

	(void)state;
	for (int i = 0; i < 9000; i++)
		assert_int_equal(open_one(files), i);
	for (int i = 8999; i > 0; i -= 7)
		assert_int_equal(fd_close(files, i), 0);
	for (int i = 8999 % 7 == 0 ? 7 : 8999 % 7; i < 9000; i += 7)
		assert_int_equal(open_one(files), i);
	assert_int_equal(open_one(files), 9000);
	assert_int_equal(fd_close(files, 64), 0);
	assert_int_equal(fd_close(files, 5000), 0);
	assert_int_equal(fd_close(files, 4999), 0);
	assert_int_equal(fd_alloc(files, 65, false), 4999);
	assert_int_equal(fd_alloc(files, 65, false), 5000);
	assert_int_equal(fd_alloc(files, 65, false), 9001);
	assert_int_equal(open_one(files), 64);
	files_destroy(files);
	assert_int_equal(released, 9001 + (8999 - 1) / 7 + 1 + 1);
}

/* Random opens and closes against a model that searches. */
static void test_lowest_random(void **state)
{
	static bool used[6000];
	struct files_struct *files = new_table(6000, false);
	unsigned int seed = 1;

	(void)state;
	memset(used, 0, sizeof(used));
	for (int i = 0; i < 60000; i++) {
		unsigned int fd = (unsigned int)rand_r(&seed) % 6000, lowest = 0;

		if (used[fd] && rand_r(&seed) % 5 < 2) {
			assert_int_equal(fd_close(files, fd), 0);
			used[fd] = false;
			continue;
		}
		if (rand_r(&seed) % 2)
			fd = 0;
		for (lowest = fd; lowest < 6000 && used[lowest];)
			lowest++;
		int got = fd_alloc(files, fd, false);
		assert_int_equal(got, lowest < 6000 ? (int)lowest : -EMFILE);
		if (got >= 0) {
			fd_install(files, (unsigned int)got, new_file(NULL));
			used[got] = true;
		}
	}
	files_destroy(files);
}

static void test_any_number(void **state)
{
	static bool used[1000];
	struct files_struct *files = new_table(1000, true);
	int some = 0;

	(void)state;
	memset(used, 0, sizeof(used));
	for (int i = 0; i < 1000; i++) {
		int fd = open_one(files);

		assert_in_range(fd, 0, 999);
		assert_false(used[fd]);
		used[fd] = true;
		some = fd;
	}
	assert_int_equal(open_one(files), -EMFILE);
	assert_int_equal(fd_alloc(files, 5, false), -EMFILE);
	assert_int_equal(fd_close(files, (unsigned int)some), 0);
	assert_int_equal(fd_alloc(files, (unsigned int)some, false), some);
	files_destroy(files);
	assert_int_equal(released, 1000);
}

static void test_limit(void **state)
{
	struct files_struct *files = new_table(70, false);

	(void)state;
	for (int i = 0; i < 70; i++)
		assert_int_equal(open_one(files), i);
	assert_int_equal(open_one(files), -EMFILE);
	assert_int_equal(fd_alloc(files, 70, false), -EINVAL);
	assert_int_equal(fd_dup(files, 0, 70, false), -EINVAL);
	assert_int_equal(fd_dup(files, 0, 69, false), -EMFILE);
	assert_int_equal(fd_dup2(files, 0, 70, false), -EBADF);
	assert_int_equal(fd_set_limit(files, 10), 0);
	assert_true(is_open(files, 69));
	assert_int_equal(fd_close(files, 69), 0);
	assert_int_equal(open_one(files), -EMFILE);
	assert_int_equal(fd_close(files, 3), 0);
	assert_int_equal(open_one(files), 3);
	assert_int_equal(fd_set_limit(files, 100), 0);
	assert_int_equal(open_one(files), 69);
	files_destroy(files);
	assert_int_equal(released, 72);
}

static void test_reserve(void **state)
{
	struct files_struct *files = new_table(0, false);
	struct file *file = new_file(NULL), *other = new_file(NULL);

	(void)state;
	assert_int_equal(fd_open(files, file, false), 0);
	assert_int_equal(fd_alloc(files, 0, true), 1);
	/* Reserved: nobody else's, and names nothing. */
	assert_int_equal(fd_alloc(files, 0, false), 2);
	assert_false(is_open(files, 1));
	assert_int_equal(fd_close(files, 1), -EBADF);
	assert_int_equal(fd_dup2(files, 0, 1, false), -EBUSY);
	assert_int_equal(fd_dup2(files, 1, 0, false), -EBADF);
	assert_int_equal(fd_replace(files, 1, other, false), -EBUSY);
	assert_int_equal(fd_get_cloexec(files, 1), -EBADF);
	assert_int_equal(fd_set_cloexec(files, 1, true), -EBADF);
	assert_int_equal(fd_close_range(files, 1, 2, false), 0);
	assert_int_equal(fd_alloc(files, 0, false), 3);
	fd_install(files, 1, other);
	assert_true(is_open(files, 1));
	assert_int_equal(fd_get_cloexec(files, 1), 1);
	assert_int_equal(fd_dup2(files, 0, 1, false), 1);
	assert_int_equal(fd_get_cloexec(files, 1), 0);
	fd_cancel(files, 2);
	assert_int_equal(fd_alloc(files, 0, false), 2);
	fd_cancel(files, 2);
	assert_int_equal(fd_dup2(files, 0, 2, true), 2);
	assert_int_equal(released, 1);
	files_destroy(files);
	assert_int_equal(released, 2);
}

static void test_bad(void **state)
{
	struct files_struct *files = new_table(0, false);
	static const unsigned int numbers[] = {
		0, 63, 64, 65, 4096, FDTABLE_MAX - 1, FDTABLE_MAX, 1U << 31, ~0U};

	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		unsigned int fd = numbers[i];

		assert_null(fget(files, fd));
		assert_int_equal(fd_close(files, fd), -EBADF);
		assert_int_equal(fd_get_cloexec(files, fd), -EBADF);
		assert_int_equal(fd_set_cloexec(files, fd, true), -EBADF);
		assert_int_equal(fd_dup(files, fd, 0, false), -EBADF);
		assert_int_equal(fd_dup2(files, fd, 0, false), -EBADF);
		assert_int_equal(fd_dup2(files, fd, fd, false), -EBADF);
		fd_read_lock();
		assert_null(fd_peek(files, fd));
		fd_read_unlock();
	}
	assert_int_equal(fd_alloc(files, FDTABLE_MAX, false), -EINVAL);
	assert_int_equal(fd_close_range(files, 2, 1, false), -EINVAL);
	assert_int_equal(open_one(files), 0);
	assert_int_equal(fd_dup2(files, 0, FDTABLE_MAX, false), -EBADF);
	assert_int_equal(fd_close(files, 0), 0);
	assert_int_equal(fd_close(files, 0), -EBADF);
	files_destroy(files);
	assert_int_equal(released, 1);
}

static void test_references(void **state)
{
	struct files_struct *files = new_table(0, false);
	int data = 0;
	struct file *file = new_file(&data);
	bool needed = false;

	(void)state;
	assert_int_equal(fd_open(files, file, false), 0);
	assert_ptr_equal(fget(files, 0), file);
	assert_ptr_equal(file->private_data, &data);
	assert_int_equal(file->f_mode, 3);
	fd_read_lock();
	assert_ptr_equal(fd_peek(files, 0), file);
	assert_ptr_equal(fget(files, 0), file);
	fd_read_unlock();
	assert_ptr_equal(fget_light(files, 0, &needed), file);
	assert_false(needed);
	files_get(files);
	assert_ptr_equal(fget_light(files, 0, &needed), file);
	assert_true(needed);
	files_put(files);
	assert_int_equal(fd_close(files, 0), 0);
	assert_int_equal(released, 0);
	fput(file);
	fput(file);
	assert_int_equal(released, 0);
	fput(file);
	assert_int_equal(released, 1);
	files_put(files);
}

static void test_dup(void **state)
{
	struct files_struct *files = new_table(0, false);
	struct file *file = new_file(NULL);

	(void)state;
	assert_int_equal(fd_open(files, file, true), 0);
	assert_int_equal(fd_dup(files, 0, 0, false), 1);
	assert_int_equal(fd_dup(files, 0, 10, true), 10);
	assert_int_equal(fd_get_cloexec(files, 0), 1);
	assert_int_equal(fd_get_cloexec(files, 1), 0);
	assert_int_equal(fd_get_cloexec(files, 10), 1);
	assert_int_equal(fd_dup2(files, 1, 0, false), 0);
	assert_int_equal(fd_get_cloexec(files, 0), 0);
	assert_int_equal(fd_dup2(files, 0, 0, true), 0);
	assert_int_equal(fd_get_cloexec(files, 0), 0);
	assert_int_equal(fd_dup2(files, 0, 5000, true), 5000);
	assert_true(files_capacity(files) > 5000);
	assert_int_equal(fd_alloc(files, 5000, false), 5001);
	assert_int_equal(open_one(files), 2);
	for (unsigned int fd = 0; fd < 20; fd++)
		fd_close(files, fd);
	assert_int_equal(released, 1);
	assert_int_equal(fd_close(files, 5000), 0);
	assert_int_equal(released, 2);
	assert_int_equal(fd_alloc(files, 5000, false), 5000);
	/* A number that dup2 took is not handed out, and is free after its close. */
	file = new_file(NULL);
	assert_int_equal(fd_replace(files, 7, file, false), 7);
	for (int i = 0; i < 7; i++)
		assert_int_equal(open_one(files), i);
	assert_int_equal(open_one(files), 8);
	assert_int_equal(fd_close(files, 7), 0);
	assert_int_equal(open_one(files), 7);
	files_destroy(files);
}

/* dup2 to each number that this or another thread may have put aside. */
static void test_dup2_any_number(void **state)
{
	struct files_struct *files = new_table(256, true);
	int first = open_one(files), second = open_one(files);

	(void)state;
	assert_int_equal(fd_close(files, (unsigned int)second), 0);
	for (unsigned int fd = 0; fd < 256; fd++)
		assert_int_equal(fd_dup2(files, (unsigned int)first, fd, false), (int)fd);
	assert_int_equal(open_one(files), -EMFILE);
	for (unsigned int fd = 0; fd < 256; fd++)
		assert_int_equal(fd_close(files, fd), 0);
	for (unsigned int fd = 0; fd < 256; fd++)
		assert_in_range(open_one(files), 0, 255);
	assert_int_equal(open_one(files), -EMFILE);
	files_destroy(files);
}

static void test_close_range(void **state)
{
	struct files_struct *files = new_table(0, false);

	(void)state;
	for (int i = 0; i < 200; i++)
		assert_int_equal(open_one(files), i);
	assert_int_equal(fd_close_range(files, 50, 149, true), 0);
	assert_int_equal(released, 0);
	assert_int_equal(fd_get_cloexec(files, 49), 0);
	assert_int_equal(fd_get_cloexec(files, 50), 1);
	assert_int_equal(fd_get_cloexec(files, 149), 1);
	assert_int_equal(fd_get_cloexec(files, 150), 0);
	assert_int_equal(fd_close_range(files, 100, ~0U, false), 0);
	assert_int_equal(released, 100);
	assert_true(is_open(files, 99));
	assert_false(is_open(files, 100));
	files_exec(files);
	assert_int_equal(released, 150);
	assert_true(is_open(files, 49));
	assert_false(is_open(files, 50));
	assert_int_equal(open_one(files), 50);
	files_destroy(files);
}

static void test_cloexec(void **state)
{
	struct files_struct *files = new_table(0, false);
	int fd;

	(void)state;
	assert_int_equal(fd_open(files, new_file(NULL), true), 0);
	assert_int_equal(fd_set_cloexec(files, 0, false), 0);
	assert_int_equal(fd_get_cloexec(files, 0), 0);
	assert_int_equal(fd_set_cloexec(files, 0, true), 0);
	assert_int_equal(fd_get_cloexec(files, 0), 1);
	assert_true(is_open(files, 0));
	/* The number's next user does not inherit it. */
	assert_int_equal(fd_close(files, 0), 0);
	assert_int_equal(open_one(files), 0);
	assert_int_equal(fd_get_cloexec(files, 0), 0);
	fd = fd_alloc(files, 500, true);
	assert_int_equal(fd, 500);
	fd_cancel(files, 500);
	assert_int_equal(fd_alloc(files, 500, false), 500);
	fd_install(files, 500, new_file(NULL));
	assert_int_equal(fd_get_cloexec(files, 500), 0);
	files_destroy(files);
}

static void test_fork(void **state)
{
	struct files_struct *files = new_table(1000, false), *copy;

	(void)state;
	for (int i = 0; i < 300; i++)
		assert_int_equal(open_one(files), i);
	assert_int_equal(fd_alloc(files, 0, false), 300);
	assert_int_equal(fd_set_cloexec(files, 250, true), 0);
	assert_int_equal(fd_close(files, 100), 0);
	assert_int_equal(files_fork(files, &copy), 0);
	assert_int_equal(fd_get_limit(copy), 1000);
	for (unsigned int fd = 0; fd < 301; fd++) {
		struct file *one = fget(files, fd), *two = fget(copy, fd);

		assert_ptr_equal(one, two);
		assert_int_equal(fd_get_cloexec(files, fd), fd_get_cloexec(copy, fd));
		assert_int_equal(one == NULL, fd == 100 || fd == 300);
		if (one) {
			fput(one);
			fput(two);
		}
	}
	assert_int_equal(open_one(copy), 100);
	assert_int_equal(open_one(copy), 300);
	files_exec(copy);
	assert_false(is_open(copy, 250));
	assert_true(is_open(files, 250));
	files_destroy(files);
	assert_int_equal(released, 2);
	assert_true(is_open(copy, 299));
	files_destroy(copy);
	assert_int_equal(released, 302);
}

static int visit(unsigned int fd, struct file *file, void *data)
{
	unsigned int *sum = data;

	assert_non_null(file);
	*sum += fd;
	return fd == 150 ? 17 : 0;
}

static void test_iterate(void **state)
{
	struct files_struct *files = new_table(0, false);
	unsigned int sum = 0;

	(void)state;
	for (int i = 0; i < 151; i++)
		assert_int_equal(open_one(files), i);
	assert_int_equal(fd_close(files, 2), 0);
	assert_int_equal(fd_iterate(files, 1, visit, &sum), 17);
	assert_int_equal(sum, 150 * 151 / 2 - 2);
	sum = 0;
	assert_int_equal(fd_iterate(files, 151, visit, &sum), 0);
	assert_int_equal(sum, 0);
	files_destroy(files);
}

/* Up to the last number, through every growth. */
static void test_all(void **state)
{
	struct files_struct *files = new_table(0, false);
	struct file *file = new_file(NULL);

	(void)state;
	assert_int_equal(fd_open(files, file, false), 0);
	for (int i = 1; i < FDTABLE_MAX; i++) {
		if (fd_dup(files, 0, 0, false) != i)
			fail_msg("not %d", i);
	}
	assert_int_equal(fd_dup(files, 0, 0, false), -EMFILE);
	assert_int_equal(fd_close(files, 777777), 0);
	assert_int_equal(fd_close(files, 777776), 0);
	assert_int_equal(fd_dup(files, 0, 0, false), 777776);
	assert_int_equal(fd_dup(files, 0, 0, false), 777777);
	assert_int_equal(fd_dup(files, 0, 0, false), -EMFILE);
	for (unsigned int fd = 0; fd < FDTABLE_MAX; fd++) {
		if (!is_open(files, fd))
			fail_msg("%u is lost", fd);
	}
	assert_int_equal(released, 0);
	files_destroy(files);
	assert_int_equal(released, 1);
}

/* Memory: the n-th allocation fails, for every n that there is. */
static _Atomic long allocations_left;
static _Atomic long allocated;

static void *allocate(size_t alignment, size_t size)
{
	if (atomic_fetch_sub(&allocations_left, 1) <= 0)
		return NULL;
	atomic_fetch_add(&allocated, 1);
	return aligned_alloc(alignment, size);
}

static void release(void *memory)
{
	if (memory)
		atomic_fetch_sub(&allocated, 1);
	free(memory);
}

/* Everything that allocates: whether there was memory for all of it. A failure must leave all as it was. */
static bool use_memory(bool any_number)
{
	struct files_struct *files, *copy;
	struct fdtable_options options = {.any_number = any_number};
	struct file *file;
	int error = file_new(NULL, 0, NULL, &file), fd;
	bool fine = true;

	if (error) {
		assert_int_equal(error, -ENOMEM);
		return false;
	}
	error = files_create(&options, &files);
	if (error) {
		assert_int_equal(error, -ENOMEM);
		fput(file);
		return false;
	}
	fd = fd_open(files, file, false);
	assert_in_range(fd, 0, NR_OPEN_DEFAULT - 1);
	for (int i = 0; i < 300; i++) {
		int got = fd_dup(files, (unsigned int)fd, 0, false);

		if (got < 0) {
			assert_int_equal(got, -ENOMEM);
			fine = false;
			allocations_left = 1 << 20;
			assert_true(fd_dup(files, (unsigned int)fd, 0, false) >= 0);
		}
	}
	error = fd_dup2(files, (unsigned int)fd, 3000, false);
	if (error < 0) {
		assert_int_equal(error, -ENOMEM);
		assert_false(is_open(files, 3000));
		fine = false;
		allocations_left = 1 << 20;
		assert_int_equal(fd_dup2(files, (unsigned int)fd, 3000, false), 3000);
	}
	error = files_fork(files, &copy);
	if (error) {
		assert_int_equal(error, -ENOMEM);
		fine = false;
	} else {
		assert_true(is_open(copy, 3000));
		files_destroy(copy);
	}
	assert_int_equal(fd_close(files, 3000), 0);
	for (unsigned int i = 0; i < 400; i++)
		fd_close(files, i);
	files_destroy(files);
	return fine;
}

static void *use_memory_of_thread(void *data)
{
	return use_memory(*(bool *)data) ? data : NULL;
}

static void check_memory(bool any_number)
{
	static const struct fdtable_memory functions = {allocate, release};
	bool fine = false;

	fdtable_barrier();
	fdtable_set_memory(&functions);
	for (long n = 0; !fine; n++) {
		pthread_t thread;
		void *result;

		assert_true(n < 200);
		allocations_left = n;
		/* A thread of its own: batches go with it. */
		assert_int_equal(
			pthread_create(&thread, NULL, use_memory_of_thread, &any_number), 0);
		pthread_join(thread, &result);
		fdtable_barrier();
		assert_int_equal(allocated, 0);
		fine = result != NULL && allocations_left >= 0;
	}
	fdtable_set_memory(NULL);
}

/* What a thread keeps of a table that is gone goes back to where it came from, not to what is set by then. */
static void *outlive_memory(void *data)
{
	static const struct fdtable_memory functions = {allocate, release};

	fdtable_set_memory(&functions);
	bool fine = use_memory(true);
	fdtable_barrier();
	fdtable_set_memory(NULL);
	return fine ? data : NULL;
}

static void check_outlived(void)
{
	pthread_t thread;
	bool argument;
	void *result;

	allocations_left = LONG_MAX;
	assert_int_equal(pthread_create(&thread, NULL, outlive_memory, &argument), 0);
	pthread_join(thread, &result);
	assert_non_null(result);
	assert_int_equal(allocated, 0);
}

static void test_memory(void **state)
{
	(void)state;
	check_memory(false);
	check_memory(true);
	check_outlived();
}

/*
 * Numbers that a thread had put aside are there again when it is gone, and for others when there are no
 * more.
 */
static void *open_and_close(void *data)
{
	struct files_struct *files = data;

	for (int i = 0; i < 40; i++) {
		int one = open_one(files), two = open_one(files);

		assert_true(one >= 0 && two >= 0 && one != two);
		assert_int_equal(fd_close(files, (unsigned int)one), 0);
		assert_int_equal(fd_close(files, (unsigned int)two), 0);
	}
	return NULL;
}

static void test_batches(void **state)
{
	struct files_struct *files = new_table(64, true);

	(void)state;
	for (int turn = 0; turn < 3; turn++) {
		pthread_t thread;

		assert_int_equal(pthread_create(&thread, NULL, open_and_close, files), 0);
		pthread_join(thread, NULL);
		for (int i = 0; i < 64; i++)
			assert_in_range(open_one(files), 0, 63);
		assert_int_equal(open_one(files), -EMFILE);
		for (unsigned int fd = 0; fd < 64; fd++)
			assert_int_equal(fd_close(files, fd), 0);
		/* This thread's numbers, put aside, to the next one. */
	}
	files_destroy(files);
}

/* Threads open, look up and close at the same time while the table grows: each number is one's alone. */
enum { THREADS = 4, EACH = 700, TURNS = 6 };

struct owner {
	struct files_struct *files;
	_Atomic(struct owner *) *owners;
	bool failed;
};

static void *work(void *data)
{
	struct owner *me = data;
	int mine[EACH];

	for (int turn = 0; turn < TURNS && !me->failed; turn++) {
		for (int i = 0; i < EACH; i++) {
			struct file *file = new_file(me);
			int fd = mine[i] =
				fd_alloc(me->files, i % 9 == 0 ? (unsigned int)i : 0, false);

			if (fd < 0 || atomic_exchange(&me->owners[fd], me) != NULL) {
				me->failed = true;
				return NULL;
			}
			fd_install(me->files, (unsigned int)fd, file);
			struct file *seen = fget(me->files, (unsigned int)fd);
			if (seen != file)
				me->failed = true;
			if (seen)
				fput(seen);
			/* Somebody else's, whatever it is just then. */
			seen = fget(me->files, (unsigned int)(fd ^ 1));
			if (seen)
				fput(seen);
		}
		for (int i = 0; i < EACH; i++) {
			atomic_store(&me->owners[mine[i]], NULL);
			if (fd_close(me->files, (unsigned int)mine[i]) != 0)
				me->failed = true;
		}
	}
	return NULL;
}

static void check_threads(bool any_number)
{
	static _Atomic(struct owner *) owners[THREADS * EACH * 2];
	struct owner threads[THREADS];
	pthread_t ids[THREADS];
	struct files_struct *files = new_table(THREADS * EACH * 2, any_number);

	for (int i = 0; i < THREADS; i++) {
		threads[i] = (struct owner){files, owners, false};
		assert_int_equal(pthread_create(&ids[i], NULL, work, &threads[i]), 0);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(ids[i], NULL);
	for (int i = 0; i < THREADS; i++)
		assert_false(threads[i].failed);
	assert_int_equal(released, THREADS * EACH * TURNS);
	for (int i = 0; i < THREADS * EACH * 2; i++) {
		int fd = open_one(files);

		if (any_number)
			assert_in_range(fd, 0, THREADS * EACH * 2 - 1);
		else
			assert_int_equal(fd, i);
	}
	assert_int_equal(open_one(files), -EMFILE);
	files_destroy(files);
}

/*
 * Installs while the table grows: none is lost, and the way out of a growth in progress (the retry, the
 * lock instead of the flag) is really taken, which a benchmark whose table has its size already never does.
 */
enum { INSTALLS = 20000 };

struct installer {
	struct files_struct *files;
	struct file *file;
	_Atomic bool grown;
};

static void *install_all(void *data)
{
	struct installer *me = data;

	for (int fd = 1; fd < INSTALLS; fd++) {
		fd_install(me->files, (unsigned int)fd, me->file);
		/* Spread over the growth: it takes longer than the installs. */
		if (fd % 200 == 0 && !atomic_load(&me->grown))
			usleep(50);
	}
	return NULL;
}

static unsigned long install_while_growing(void)
{
	struct installer me = {.files = new_table(0, false), .file = new_file(NULL)};
	unsigned long retries;
	pthread_t thread;

	assert_int_equal(fd_open(me.files, me.file, false), 0);
	for (int fd = 1; fd < INSTALLS; fd++) {
		assert_int_equal(fd_alloc(me.files, 0, false), fd);
		fget_again(me.file);
	}
	assert_int_equal(pthread_create(&thread, NULL, install_all, &me), 0);
	for (unsigned int fd = 1 << 15; fd < FDTABLE_MAX; fd *= 2)
		assert_int_equal(fd_dup2(me.files, 0, fd, false), (int)fd);
	atomic_store(&me.grown, true);
	pthread_join(thread, NULL);
	for (unsigned int fd = 0; fd < INSTALLS; fd++) {
		if (!is_open(me.files, fd))
			fail_msg("%u is lost", fd);
	}
	retries = files_install_retries(me.files);
	files_destroy(me.files);
	fdtable_barrier();
	assert_int_equal(released, 1);
	return retries;
}

static void test_install_while_growing(void **state)
{
	bool retries_exist = strcmp(fdtable_install_name(), "seqcount") == 0 ||
			     strcmp(fdtable_install_name(), "resize") == 0;
	unsigned long retries = 0;

	(void)state;
	for (int turn = 0; turn < (retries_exist ? 200 : 2) && retries == 0; turn++)
		retries = install_while_growing();
	assert_int_equal(retries > 0, retries_exist);
}

static void test_threads(void **state)
{
	(void)state;
	check_threads(false);
	check_threads(true);
}

/*
 * Everything at once on few numbers, so that threads meet: no reference is lost or dropped twice, and in
 * the end every number is there. The files' memory becomes files again at once (reusable): a lookup that
 * took a reference in a later life would be counted.
 */
enum { STORM_LIMIT = 150, STORM_FILES = STORM_LIMIT + 2 * THREADS, STORM_TURNS = 5000 };

static _Atomic int storm_lives, storm_ends, storm_faults;

struct storm_file {
	struct file file; /* first */
	_Atomic int used;
};
static struct storm_file storm_files[STORM_FILES];

static void storm_release(struct file *file)
{
	(void)file;
	atomic_fetch_add(&storm_ends, 1);
}

static void storm_free(struct file *file)
{
	if (atomic_exchange(&((struct storm_file *)file)->used, 0) != 1)
		atomic_fetch_add(&storm_faults, 1);
}

static const struct file_operations storm_operations = {
	.release = storm_release, .free = storm_free, .reusable = true};

static struct file *storm_file(unsigned int *seed)
{
	for (;;) {
		struct storm_file *one = &storm_files[(unsigned int)rand_r(seed) % STORM_FILES];
		int unused = 0;

		if (atomic_compare_exchange_strong(&one->used, &unused, 1)) {
			atomic_fetch_add(&storm_lives, 1);
			file_init(&one->file, &storm_operations, 1, NULL);
			return &one->file;
		}
	}
}

static int look(unsigned int fd, struct file *file, void *data)
{
	(void)fd;
	(void)data;
	if (atomic_load(&file->f_count.counter) < 1)
		atomic_fetch_add(&storm_faults, 1);
	return 0;
}

static void storm_turn(struct files_struct *files, unsigned int *seed)
{
	unsigned int action = (unsigned int)rand_r(seed) % 64,
		     fd = (unsigned int)rand_r(seed) % STORM_LIMIT;
	struct file *file = action < 24 ? storm_file(seed) : fget(files, fd);
	int result = -1;

	if (action < 12) {
		result = fd_open(files, file, action & 1);
	} else if (action < 20) {
		result = fd_alloc(files, action & 1 ? fd : 0, action & 2);
		if (result >= 0 && action == 19) {
			fd_cancel(files, (unsigned int)result);
			result = -1;
		} else if (result >= 0) {
			fd_install(files, (unsigned int)result, file);
		}
	} else if (action < 24) {
		result = fd_replace(files, fd, file, action & 1);
		if (result < 0 && result != -EBUSY)
			atomic_fetch_add(&storm_faults, 1);
	} else if (action < 48) {
		result = fd_close(files, fd);
		if (result != 0 && result != -EBADF)
			atomic_fetch_add(&storm_faults, 1);
		result = -1;
	} else if (action < 54) {
		fd_dup2(files, fd, (unsigned int)rand_r(seed) % STORM_LIMIT, action & 1);
	} else if (action < 58) {
		fd_dup(files, fd, 0, action & 1);
	} else if (action < 60) {
		fd_set_cloexec(files, fd, action & 1);
	} else if (action == 60 && fd % 8 == 0) {
		files_exec(files);
	} else if (action == 61 && fd % 8 == 0) {
		fd_close_range(files, fd, fd + 20, fd & 8);
	} else if (action == 62) {
		fd_iterate(files, fd, look, NULL);
	} else if (action == 63 && fd % 8 == 0) {
		struct files_struct *copy;

		if (files_fork(files, &copy) == 0)
			files_destroy(copy);
	}
	if (file && result < 0)
		fput(file);
}

static void *storm(void *data)
{
	static _Atomic unsigned int threads;
	unsigned int seed = 1 + atomic_fetch_add(&threads, 1);

	for (int i = 0; i < STORM_TURNS; i++)
		storm_turn(data, &seed);
	return NULL;
}

static void check_storm(bool any_number)
{
	struct files_struct *files = new_table(STORM_LIMIT, any_number);
	pthread_t ids[THREADS];

	storm_lives = storm_ends = storm_faults = 0;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&ids[i], NULL, storm, files), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(ids[i], NULL);
	assert_int_equal(storm_faults, 0);
	assert_int_equal(fd_close_range(files, 0, ~0U, false), 0);
	assert_int_equal(storm_ends, storm_lives);
	for (int i = 0; i < STORM_FILES; i++)
		assert_int_equal(storm_files[i].used, 0);
	for (int i = 0; i < STORM_LIMIT; i++) {
		int fd = open_one(files);

		if (any_number)
			assert_in_range(fd, 0, STORM_LIMIT - 1);
		else
			assert_int_equal(fd, i);
	}
	assert_int_equal(open_one(files), -EMFILE);
	files_destroy(files);
	fdtable_barrier();
}

static void test_storm(void **state)
{
	(void)state;
	check_storm(false);
	check_storm(true);
}

/* test_fdtable [PATTERN]: all but those of that name. */
int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_create),
		cmocka_unit_test(test_lowest_first),
		cmocka_unit_test(test_lowest_random),
		cmocka_unit_test(test_any_number),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_reserve),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_references),
		cmocka_unit_test(test_dup),
		cmocka_unit_test(test_dup2_any_number),
		cmocka_unit_test(test_close_range),
		cmocka_unit_test(test_cloexec),
		cmocka_unit_test(test_fork),
		cmocka_unit_test(test_iterate),
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_batches),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_install_while_growing),
		cmocka_unit_test(test_storm),
	};

	if (argc > 1)
		cmocka_set_skip_filter(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
