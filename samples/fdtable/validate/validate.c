/*
 * validate [-t THREADS] [-s SECONDS | -n ROUNDS] [-r SEED] [-w MS] [PROPERTY...]: checks this build of the
 * table and exits with 1 at the first promise that it breaks.
 */
#include "validate.h"

#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct options options = {.threads = 4, .rounds = 3, .seed = 1, .patience_ms = 30};

static const struct {
	const char *name;
	void (*run)(void);
	const char *what;
} properties[] = {
	{"model", validate_model,
		"one thread: every result is the sequential model's, lowest first"},
	{"errors", validate_errors, "bad numbers, ranges, limits: POSIX's errors, nothing changed"},
	{"memory", validate_memory, "each allocation of each function fails once: ENOMEM, no leak"},
	{"owner", validate_owner,
		"no number twice, no file after its end, nothing lost over growth"},
	{"lowest", validate_lowest, "no number is passed over that was free during the whole call"},
	{"replace", validate_replace, "dup2 and replace: no lookup between fails"},
	{"fork", validate_fork,
		"a copy has what was open all the time, with its flag; exec drops it"},
	{"ranges", validate_ranges, "close_range and close-on-exec touch their numbers, and all"},
	{"meetings", validate_meetings, "two threads at the worst moment, made and not waited for"},
};
enum { PROPERTIES = sizeof(properties) / sizeof(properties[0]) };

static struct timespec property_began;

static double seconds_since(const struct timespec *begin)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - begin->tv_sec) + (double)(now.tv_nsec - begin->tv_nsec) * 1e-9;
}

bool another_round(unsigned long *round)
{
	unsigned long done = (*round)++;

	return options.seconds > 0 ? seconds_since(&property_began) < options.seconds
				   : done < options.rounds;
}

void broken(const char *file, int line, const char *format, ...)
{
	const char *name = strrchr(file, '/');
	va_list arguments;

	flockfile(stdout);
	printf("BROKEN %s:%d: ", name ? name + 1 : file, line);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n");
	fflush(stdout);
	/* Other threads may be anywhere: no destructors. */
	_exit(1);
}

static void usage(FILE *stream)
{
	fprintf(stream,
		"usage: validate [-t THREADS] [-s SECONDS | -n ROUNDS] [-r SEED] [-w MS] [PROPERTY...]\n"
		"  -t  threads of each property that has them (%u)\n"
		"  -s  how long each property that repeats is repeated\n"
		"  -n  how often, without -s (%lu)\n"
		"  -r  the seed of what is random (%u)\n"
		"  -w  how long a thread that should be stuck is watched (%u ms)\n",
		options.threads, options.rounds, options.seed, options.patience_ms);
	for (size_t i = 0; i < PROPERTIES; i++)
		fprintf(stream, "  %-9s %s\n", properties[i].name, properties[i].what);
}

static unsigned long number_of(const char *text, int option, unsigned long most)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || end == text || *end || value == 0 || value > most) {
		fprintf(stderr, "validate: -%c %s: give a number from 1 to %lu\n", option, text,
			most);
		exit(2);
	}
	return value;
}

static void read_options(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "t:s:n:r:w:h")) != -1) {
		if (option == 't')
			options.threads = (unsigned int)number_of(optarg, option, 64);
		else if (option == 's')
			options.seconds = (double)number_of(optarg, option, 86400);
		else if (option == 'n')
			options.rounds = number_of(optarg, option, 1000000);
		else if (option == 'r')
			options.seed = (unsigned int)number_of(optarg, option, 1U << 31);
		else if (option == 'w')
			options.patience_ms = (unsigned int)number_of(optarg, option, 60000);
		else {
			usage(option == 'h' ? stdout : stderr);
			exit(option == 'h' ? 0 : 2);
		}
	}
}

static void check(size_t property)
{
	printf("%-9s", properties[property].name);
	fflush(stdout);
	clock_gettime(CLOCK_MONOTONIC, &property_began);
	properties[property].run();
	printf("holds\n");
	fflush(stdout);
}

static size_t property_named(const char *name)
{
	for (size_t i = 0; i < PROPERTIES; i++) {
		if (strcmp(name, properties[i].name) == 0)
			return i;
	}
	fprintf(stderr, "validate: no property %s; -h lists them\n", name);
	exit(2);
}

int main(int argc, char **argv)
{
	read_options(argc, argv);
	for (int i = optind; i < argc; i++)
		property_named(argv[i]);
	printf("%s: %u threads, seed %u\n", VARIANT, options.threads, options.seed);
	for (size_t i = 0; optind == argc && i < PROPERTIES; i++)
		check(i);
	for (int i = optind; i < argc; i++)
		check(property_named(argv[i]));
	return 0;
}
