/* Each field of one object is touched so often that its count says which it is. */
#include <linelint-record.h>

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef long long vector __attribute__((vector_size(16)));

struct inner {
	int left, right;
};

struct kinds {
	uint8_t one;   /* 0 */
	uint16_t two;  /* 2 */
	uint32_t four; /* 4 */
	uint64_t eight; /* 8 */
	vector sixteen; /* 16 */
	volatile int always; /* 32 */
	unsigned low : 3, high : 9; /* 36 */
	union {
		uint64_t whole; /* 40 */
		struct {
			uint32_t first, second; /* 40, 44 */
		};
	};
	int array[4]; /* 48 */
	struct inner inner; /* 64 */
	struct {
		char byte; /* 72 */
		uint32_t odd; /* 73 */
	} __attribute__((packed)) loose;
	char *tail; /* 80 */
};
_Static_assert(offsetof(struct kinds, tail) == 80 && sizeof(struct kinds) == 96, "as the expected counts have it");

#define TIMES(count, what)                                                                                             \
	for (int i = 0; i < (count); i++)                                                                              \
	what

__attribute__((noinline)) static void read_all(const struct kinds *kinds, volatile uint64_t *sink)
{
	*sink = kinds->one;
	*sink = kinds->two;
	*sink = kinds->four;
	*sink = kinds->eight;
	*sink = (uint64_t)kinds->always;
	*sink = kinds->first;
	*sink = (uint64_t)kinds->inner.right;
	*sink = kinds->loose.odd;
}

__attribute__((noinline)) static void write_all(struct kinds *kinds, int value)
{
	kinds->one = (uint8_t)value;
	kinds->two = (uint16_t)value;
	kinds->eight = (uint64_t)value;
	kinds->sixteen = (vector){value, value};
	kinds->whole = (uint64_t)value;
	kinds->loose.odd = (uint32_t)value;
	kinds->tail = NULL;
}

__attribute__((noinline)) static void update(struct kinds *kinds, int index)
{
	kinds->four++;
	kinds->array[index]++;
}

__attribute__((noinline)) static void set_bits(struct kinds *kinds, unsigned value)
{
	kinds->high = value & 0x1ff;
}

int main(void)
{
	static volatile uint64_t sink;
	struct kinds *kinds = calloc(1, sizeof(*kinds));
	if (!kinds)
		return 1;
	LINELINT_TRACK(kinds);
	LINELINT_OP();
	TIMES(3, read_all(kinds, &sink));
	TIMES(5, write_all(kinds, i));
	TIMES(7, update(kinds, i % 4));
	TIMES(11, set_bits(kinds, (unsigned)i));
	LINELINT_OP_END();
	TIMES(2, kinds->always = i);
	LINELINT_UNTRACK(kinds);
	TIMES(2, kinds->always = i);
	free(kinds);
	return 0;
}
