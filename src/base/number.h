/*
 * number: arithmetic on sizes and offsets that several stages need. Units are the caller's (bytes or bits).
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdint.h>

/* The end of what is counted: "1 byte", "2 bytes". */
static inline const char *number_s(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static inline uint64_t number_larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The greatest common divisor; the other one where one is 0. */
static inline uint64_t number_common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* How many times `part` it takes to hold `whole`: a started one counts. `part` is not 0. */
static inline uint64_t number_parts(uint64_t whole, uint64_t part)
{
	return whole / part + (whole % part != 0);
}

/* The next multiple of `to`; `number` itself where there is none: `to` is 0, or it would be too large. */
static inline uint64_t number_round_up(uint64_t number, uint64_t to)
{
	uint64_t rest = to ? number % to : 0, result;
	return rest && !__builtin_add_overflow(number, to - rest, &result) ? result : number;
}

#endif
