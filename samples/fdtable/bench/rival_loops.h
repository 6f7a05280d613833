/* The loops of one rival, see rival.h; RIVAL is its variable's name and RIVAL_NAME the user's. No guard: once in each rival_*.c. */

static void prepare(struct worker *worker)
{
	enter(worker);
	for (unsigned int i = 0; i < NUMBERS; i++) {
		int number = open_number(worker);

		if (number < 0)
			bench_fail(worker->bench, "open", -number);
		rival_own(worker)[i] = (unsigned int)number;
	}
}

static void loop_get_put(struct worker *worker)
{
	const unsigned int *numbers = rival_numbers(worker);
	unsigned long good = 0;

	for (; bench_goes_on(worker); worker->work++)
		good += get_put(worker, numbers[worker->work % NUMBERS]);
	worker->extra[0] = good;
}

static void loop_peek(struct worker *worker)
{
	const unsigned int *numbers = rival_numbers(worker);
	unsigned long good = 0;

	for (; bench_goes_on(worker); worker->work++)
		good += peek(worker, numbers[worker->work % NUMBERS]);
	worker->extra[0] = good;
}

static void loop_open_close(struct worker *worker)
{
	unsigned long good = 0;

	for (; bench_goes_on(worker); worker->work++) {
		int number = open_number(worker);

		if (number < 0)
			bench_fail(worker->bench, "open", -number);
		good += close_number(worker, (unsigned int)number);
	}
	worker->extra[0] = good;
}

const struct rival RIVAL = {RIVAL_NAME, setup, prepare, loop_get_put, loop_peek, loop_open_close};
