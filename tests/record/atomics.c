/* Atomics give what they should, whatever counts them. Exit status: the number of the first that does not. */
#include <linelint-record.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef unsigned __int128 u128;

static int checks;

#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		checks++;                                                                                              \
		if (!(condition))                                                                                      \
			return checks;                                                                                 \
	} while (0)

static const int orders[] = {__ATOMIC_RELAXED, __ATOMIC_CONSUME, __ATOMIC_ACQUIRE, __ATOMIC_RELEASE, __ATOMIC_ACQ_REL,
	__ATOMIC_SEQ_CST};

/* 1 store, 1 load, 12 rmw each time. The value's upper half is set, so that half an access shows. */
#define SUITE(type, name)                                                                                              \
	static struct {                                                                                                \
		type value;                                                                                            \
	} name##_object;                                                                                               \
	static int name(int order)                                                                                     \
	{                                                                                                              \
		type *object = &name##_object.value, high = (type)((type)0x5a << (8 * sizeof(type) - 8));              \
		type three = (type)(high | 3), all = (type)~(type)0, expected = three;                                 \
		int load = order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : order;          \
		__atomic_store_n(object, three, __ATOMIC_RELEASE);                                                     \
		CHECK(__atomic_exchange_n(object, three, order) == three);                                             \
		CHECK(__atomic_fetch_add(object, 4, order) == three);                                                  \
		CHECK(__atomic_fetch_sub(object, 1, order) == (type)(high | 7));                                       \
		CHECK(__atomic_fetch_or(object, 1, order) == (type)(high | 6));                                        \
		CHECK(__atomic_fetch_and(object, (type)(all - 4), order) == (type)(high | 7));                         \
		CHECK(__atomic_fetch_xor(object, 1, order) == three);                                                  \
		CHECK(__atomic_fetch_nand(object, 2, order) == (type)(high | 2));                                      \
		CHECK(__atomic_exchange_n(object, three, order) == (type)(all - 2));                                   \
		CHECK(__atomic_compare_exchange_n(object, &expected, high, false, order, load) && expected == three);  \
		CHECK(!__atomic_compare_exchange_n(object, &expected, all, false, order, load) && expected == high);   \
		CHECK(__sync_val_compare_and_swap(object, high, all) == high);                                         \
		CHECK(!__atomic_compare_exchange_n(object, &expected, 1, true, order, load) && expected == all);       \
		CHECK(__atomic_load_n(object, __ATOMIC_ACQUIRE) == all);                                               \
		return 0;                                                                                              \
	}

SUITE(uint8_t, suite8)
SUITE(uint16_t, suite16)
SUITE(uint32_t, suite32)
SUITE(uint64_t, suite64)
#ifndef __clang__
SUITE(u128, suite128)
#endif

int main(void)
{
	LINELINT_TRACK(&suite8_object);
	LINELINT_TRACK(&suite16_object);
	LINELINT_TRACK(&suite32_object);
	LINELINT_TRACK(&suite64_object);
#ifndef __clang__
	LINELINT_TRACK(&suite128_object);
#endif
	for (unsigned i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
		int failed = suite8(orders[i]);
		failed = failed ? failed : suite16(orders[i]);
		failed = failed ? failed : suite32(orders[i]);
		failed = failed ? failed : suite64(orders[i]);
#ifndef __clang__
		failed = failed ? failed : suite128(orders[i]);
#endif
		if (failed)
			return failed;
		atomic_thread_fence(orders[i]);
		atomic_signal_fence(orders[i]);
	}
	return 0;
}
