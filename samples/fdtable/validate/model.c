/* One thread, all operations at random, and a table that is simply searched. */
#include "validate.h"

#include <string.h>

enum { NUMBERS = 5000, STEPS = 30000 };
enum state { FREE, RESERVED, OPEN };

struct model {
	struct files_struct *files;
	bool any_number;
	unsigned int limit;
	unsigned int seed;
	struct {
		enum state state;
		struct file *file;
		bool cloexec;
	} at[NUMBERS];
};

/* The number an allocation must return, or -EMFILE. */
static int lowest(const struct model *m, unsigned int min)
{
	for (unsigned int fd = min; fd < m->limit; fd++) {
		if (m->at[fd].state == FREE)
			return (int)fd;
	}
	return -EMFILE;
}

static void same_number(const struct model *m, const char *what, unsigned int min, int got)
{
	int expected = lowest(m, min);

	if (!m->any_number || expected < 0 || got < 0) {
		must(got == expected, "%s from %u on: %d, the model has %d", what, min, got,
			expected);
		return;
	}
	must((unsigned int)got >= min && (unsigned int)got < m->limit && m->at[got].state == FREE,
		"%s from %u on: %d, which is not free", what, min, got);
}

static void same_result(const char *what, unsigned int fd, int got, int expected)
{
	must(got == expected, "%s %u: %d, the model has %d", what, fd, got, expected);
}

static unsigned int some_number(struct model *m)
{
	/* Low ones are crowded, high ones let the table grow. */
	return any_of(&m->seed, any_of(&m->seed, 8) ? 200 : NUMBERS);
}

static bool is_open(const struct model *m, unsigned int fd)
{
	return m->at[fd].state == OPEN;
}

static void set(struct model *m, unsigned int fd, struct file *file, bool cloexec)
{
	m->at[fd].state = file ? OPEN : FREE;
	m->at[fd].file = file;
	m->at[fd].cloexec = cloexec;
}

static void do_open(struct model *m, bool cloexec)
{
	struct file *file = vfile_new(-1, 0, false);
	int fd = fd_open(m->files, file, cloexec);

	same_number(m, "open", 0, fd);
	if (fd < 0)
		fput(file);
	else
		set(m, (unsigned int)fd, file, cloexec);
}

static void do_reserve(struct model *m, unsigned int min, bool cloexec)
{
	int fd = fd_alloc(m->files, min, cloexec);

	if (min >= m->limit) {
		same_result("alloc from", min, fd, -EINVAL);
		return;
	}
	same_number(m, "alloc", min, fd);
	if (fd >= 0) {
		m->at[fd].state = RESERVED;
		m->at[fd].cloexec = cloexec;
	}
}

/* A reservation, if there is one at fd, comes to its end. */
static void do_settle(struct model *m, unsigned int fd, bool install)
{
	if (m->at[fd].state != RESERVED)
		return;
	if (install) {
		struct file *file = vfile_new(-1, 0, false);

		fd_install(m->files, fd, file);
		set(m, fd, file, m->at[fd].cloexec);
	} else {
		fd_cancel(m->files, fd);
		set(m, fd, NULL, false);
	}
}

static void do_close(struct model *m, unsigned int fd)
{
	same_result("close", fd, fd_close(m->files, fd), is_open(m, fd) ? 0 : -EBADF);
	if (is_open(m, fd))
		set(m, fd, NULL, false);
}

static void do_dup(struct model *m, unsigned int fd, unsigned int min, bool cloexec)
{
	int got = fd_dup(m->files, fd, min, cloexec);

	if (min >= m->limit) {
		same_result("dup", fd, got, -EINVAL);
	} else if (!is_open(m, fd)) {
		same_result("dup", fd, got, -EBADF);
	} else {
		same_number(m, "dup", min, got);
		if (got >= 0)
			set(m, (unsigned int)got, m->at[fd].file, cloexec);
	}
}

static void do_dup2(struct model *m, unsigned int fd, unsigned int to, bool cloexec)
{
	int got = fd_dup2(m->files, fd, to, cloexec);

	if (!is_open(m, fd))
		same_result("dup2 from", fd, got, -EBADF);
	else if (fd == to)
		same_result("dup2 onto itself", fd, got, (int)fd);
	else if (to >= m->limit)
		same_result("dup2 to", to, got, -EBADF);
	else if (m->at[to].state == RESERVED)
		same_result("dup2 to", to, got, -EBUSY);
	else {
		same_result("dup2 to", to, got, (int)to);
		set(m, to, m->at[fd].file, cloexec);
	}
}

static void do_replace(struct model *m, unsigned int to, bool cloexec)
{
	struct file *file = vfile_new(-1, 0, false);
	int got = fd_replace(m->files, to, file, cloexec);

	if (to >= m->limit || m->at[to].state == RESERVED) {
		same_result("replace", to, got, to >= m->limit ? -EBADF : -EBUSY);
		fput(file);
	} else {
		same_result("replace", to, got, (int)to);
		set(m, to, file, cloexec);
	}
}

static void do_range(struct model *m, unsigned int first, unsigned int last, bool cloexec)
{
	int got = fd_close_range(m->files, first, last, cloexec);

	same_result("close_range", first, got, first > last ? -EINVAL : 0);
	for (unsigned int fd = first; fd <= last; fd++) {
		if (is_open(m, fd) && cloexec)
			m->at[fd].cloexec = true;
		else if (is_open(m, fd))
			set(m, fd, NULL, false);
	}
}

static void do_flag(struct model *m, unsigned int fd, bool cloexec)
{
	int expected = is_open(m, fd) ? 0 : -EBADF;

	same_result("set_cloexec", fd, fd_set_cloexec(m->files, fd, cloexec), expected);
	if (expected == 0)
		m->at[fd].cloexec = cloexec;
}

static void do_limit(struct model *m)
{
	unsigned int limit = any_of(&m->seed, 3) ? NUMBERS : any_of(&m->seed, NUMBERS);

	same_result("set_limit", limit, fd_set_limit(m->files, limit), 0);
	m->limit = limit;
}

static void check_one(const struct model *m, struct files_struct *files, unsigned int fd)
{
	struct file *file = fget(files, fd), *expected = is_open(m, fd) ? m->at[fd].file : NULL;

	must(file == expected, "%u names another file than in the model", fd);
	same_result("get_cloexec", fd, fd_get_cloexec(files, fd),
		expected ? m->at[fd].cloexec : -EBADF);
	if (file) {
		vfile_alive(file, -1);
		fput(file);
	}
}

static int next_open(unsigned int fd, struct file *file, void *data)
{
	struct model *m = data;

	/* `seed` is free during a visit: it counts. */
	while (m->seed < NUMBERS && !is_open(m, m->seed))
		m->seed++;
	must(m->seed == fd, "iterate is at %u, the model at %u", fd, m->seed);
	must(file == m->at[fd].file, "iterate: %u names another file", fd);
	m->seed++;
	return 0;
}

static void check_all(struct model *m, struct files_struct *files)
{
	unsigned int seed = m->seed;

	for (unsigned int fd = 0; fd < NUMBERS; fd++)
		check_one(m, files, fd);
	m->seed = 0;
	must(fd_iterate(files, 0, next_open, m) == 0, "iterate");
	while (m->seed < NUMBERS)
		must(!is_open(m, m->seed++), "iterate left out %u", m->seed - 1);
	m->seed = seed;
}

/* The copy has all but what is reserved; after its exec, all but what is close-on-exec. */
static void do_fork(struct model *m)
{
	struct model copy = *m;

	must(files_fork(m->files, &copy.files) == 0, "fork");
	for (unsigned int fd = 0; fd < NUMBERS; fd++) {
		if (copy.at[fd].state == RESERVED)
			set(&copy, fd, NULL, false);
	}
	check_all(&copy, copy.files);
	files_exec(copy.files);
	for (unsigned int fd = 0; fd < NUMBERS; fd++) {
		if (is_open(&copy, fd) && copy.at[fd].cloexec)
			set(&copy, fd, NULL, false);
	}
	check_all(&copy, copy.files);
	/* Also what was reserved in the other table. */
	same_number(&copy, "alloc in a copy", 0, fd_alloc(copy.files, 0, false));
	files_destroy(copy.files);
	check_all(m, m->files);
}

static void step(struct model *m)
{
	unsigned int action = any_of(&m->seed, 1000), fd = some_number(m), other = some_number(m);
	bool cloexec = any_of(&m->seed, 2);

	if (action < 250)
		do_open(m, cloexec);
	else if (action < 400)
		do_reserve(m, any_of(&m->seed, 2) ? fd : 0, cloexec);
	else if (action < 550)
		do_settle(m, fd, any_of(&m->seed, 3));
	else if (action < 750)
		do_close(m, fd);
	else if (action < 800)
		do_dup(m, fd, any_of(&m->seed, 2) ? other : 0, cloexec);
	else if (action < 870)
		do_dup2(m, fd, any_of(&m->seed, 8) ? other : fd, cloexec);
	else if (action < 900)
		do_replace(m, fd, cloexec);
	else if (action < 980)
		do_flag(m, fd, cloexec);
	else if (action < 990)
		do_range(m, fd, any_of(&m->seed, 10) ? (fd + 20) % NUMBERS : fd, cloexec);
	else if (action < 996)
		do_limit(m);
	else if (action == 996)
		do_fork(m);
	check_one(m, m->files, fd);
	check_one(m, m->files, other);
}

static void check_model(bool any_number, unsigned int seed)
{
	static struct model m;

	memset(&m, 0, sizeof(m));
	m.any_number = any_number;
	m.limit = NUMBERS;
	m.seed = seed;
	m.files = table_new(NUMBERS, any_number);
	for (int i = 0; i < STEPS; i++)
		step(&m);
	check_all(&m, m.files);
	for (unsigned int fd = 0; fd < NUMBERS; fd++)
		do_settle(&m, fd, fd % 2);
	must(fd_set_limit(m.files, NUMBERS) == 0, "set_limit");
	table_is_whole(m.files, any_number);
	files_destroy(m.files);
	vfiles_are_gone();
}

void validate_model(void)
{
	unsigned long round = 0;

	while (another_round(&round)) {
		check_model(false, options.seed + (unsigned int)round);
		check_model(true, options.seed + (unsigned int)round);
	}
}
