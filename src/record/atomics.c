/*
 * record/atomics: the atomic accesses that gcc and clang hand over with -fsanitize=thread. They do not do them themselves:
 * here they are counted, and done with the order that was asked for (C11 7.17.3, __ATOMIC_*), or a stronger one.
 */
#include <stdbool.h>
#include <stdint.h>

#include "record/access.h"

#define EXPORT __attribute__((visibility("default")))

enum { ORDER_MASK = 0x7fff }; /* above are hints for lock elision */

static int order_of(int order)
{
	return order & ORDER_MASK;
}

/* A compare-exchange has two orders; the builtins want the first to be no weaker than the second. */
static int join(int success, int failure)
{
	success = order_of(success);
	failure = order_of(failure);
	if (failure == __ATOMIC_SEQ_CST)
		return failure;
	if (failure != __ATOMIC_ACQUIRE && failure != __ATOMIC_CONSUME)
		return success;
	if (success == __ATOMIC_RELAXED)
		return __ATOMIC_ACQUIRE;
	return success == __ATOMIC_RELEASE ? __ATOMIC_ACQ_REL : success;
}

/* The builtins make the cheaper code only of constants. */
#define WITH_ORDER(order, CALL)                                                                    \
	switch (order) {                                                                           \
	case __ATOMIC_RELAXED:                                                                     \
		return CALL(__ATOMIC_RELAXED);                                                     \
	case __ATOMIC_CONSUME:                                                                     \
	case __ATOMIC_ACQUIRE:                                                                     \
		return CALL(__ATOMIC_ACQUIRE);                                                     \
	case __ATOMIC_RELEASE:                                                                     \
		return CALL(__ATOMIC_RELEASE);                                                     \
	case __ATOMIC_ACQ_REL:                                                                     \
		return CALL(__ATOMIC_ACQ_REL);                                                     \
	default:                                                                                   \
		return CALL(__ATOMIC_SEQ_CST);                                                     \
	}

#define LOAD_STORE(bits, type)                                                                     \
	EXPORT type __tsan_atomic##bits##_load(const volatile type *object, int order);            \
	EXPORT type __tsan_atomic##bits##_load(const volatile type *object, int order)             \
	{                                                                                          \
		llrec_access(object, sizeof(type), LLREC_READ);                                    \
		switch (order_of(order)) {                                                         \
		case __ATOMIC_RELAXED:                                                             \
			return __atomic_load_n(object, __ATOMIC_RELAXED);                          \
		case __ATOMIC_CONSUME:                                                             \
		case __ATOMIC_ACQUIRE:                                                             \
			return __atomic_load_n(object, __ATOMIC_ACQUIRE);                          \
		default:                                                                           \
			return __atomic_load_n(object, __ATOMIC_SEQ_CST);                          \
		}                                                                                  \
	}                                                                                          \
	EXPORT void __tsan_atomic##bits##_store(volatile type *object, type value, int order);     \
	EXPORT void __tsan_atomic##bits##_store(volatile type *object, type value, int order)      \
	{                                                                                          \
		llrec_access(object, sizeof(type), LLREC_WRITE);                                   \
		switch (order_of(order)) {                                                         \
		case __ATOMIC_RELAXED:                                                             \
			__atomic_store_n(object, value, __ATOMIC_RELAXED);                         \
			break;                                                                     \
		case __ATOMIC_RELEASE:                                                             \
			__atomic_store_n(object, value, __ATOMIC_RELEASE);                         \
			break;                                                                     \
		default:                                                                           \
			__atomic_store_n(object, value, __ATOMIC_SEQ_CST);                         \
		}                                                                                  \
	}

#define FETCH(bits, type, name, builtin)                                                           \
	EXPORT type __tsan_atomic##bits##_##name(volatile type *object, type value, int order);    \
	EXPORT type __tsan_atomic##bits##_##name(volatile type *object, type value, int order)     \
	{                                                                                          \
		llrec_access(object, sizeof(type), LLREC_RMW);                                     \
		WITH_ORDER(order_of(order), builtin)                                               \
	}

#define EXCHANGE_WITH(order) __atomic_exchange_n(object, value, order)
#define ADD_WITH(order)      __atomic_fetch_add(object, value, order)
#define SUB_WITH(order)      __atomic_fetch_sub(object, value, order)
#define AND_WITH(order)      __atomic_fetch_and(object, value, order)
#define OR_WITH(order)       __atomic_fetch_or(object, value, order)
#define XOR_WITH(order)      __atomic_fetch_xor(object, value, order)
#define NAND_WITH(order)     __atomic_fetch_nand(object, value, order)

/* What a failure may have is the success's order without its release. */
#define FAILURE_OF(order)                                                                          \
	((order) == __ATOMIC_RELEASE          ? __ATOMIC_RELAXED                                   \
		: (order) == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE                                   \
					      : (order))
#define STRONG_WITH(order)                                                                         \
	__atomic_compare_exchange_n(object, expected, value, false, order, FAILURE_OF(order))
#define WEAK_WITH(order)                                                                           \
	__atomic_compare_exchange_n(object, expected, value, true, order, FAILURE_OF(order))

#define COMPARE(bits, type)                                                                        \
	static bool strong##bits(volatile type *object, type *expected, type value, int order)     \
	{                                                                                          \
		WITH_ORDER(order, STRONG_WITH)                                                     \
	}                                                                                          \
	static bool weak##bits(volatile type *object, type *expected, type value, int order)       \
	{                                                                                          \
		WITH_ORDER(order, WEAK_WITH)                                                       \
	}

/* `expected` is the program's own: its write after a failure is none of the hooks'. */
#define COMPARE_EXCHANGE(bits, type)                                                               \
	EXPORT int __tsan_atomic##bits##_compare_exchange_strong(                                  \
		volatile type *object, type *expected, type value, int success, int failure);      \
	EXPORT int __tsan_atomic##bits##_compare_exchange_strong(                                  \
		volatile type *object, type *expected, type value, int success, int failure)       \
	{                                                                                          \
		llrec_access(object, sizeof(type), LLREC_RMW);                                     \
		return strong##bits(object, expected, value, join(success, failure));              \
	}                                                                                          \
	EXPORT int __tsan_atomic##bits##_compare_exchange_weak(                                    \
		volatile type *object, type *expected, type value, int success, int failure);      \
	EXPORT int __tsan_atomic##bits##_compare_exchange_weak(                                    \
		volatile type *object, type *expected, type value, int success, int failure)       \
	{                                                                                          \
		llrec_access(object, sizeof(type), LLREC_RMW);                                     \
		return weak##bits(object, expected, value, join(success, failure));                \
	}                                                                                          \
	EXPORT type __tsan_atomic##bits##_compare_exchange_val(                                    \
		volatile type *object, type expected, type value, int success, int failure);       \
	EXPORT type __tsan_atomic##bits##_compare_exchange_val(                                    \
		volatile type *object, type expected, type value, int success, int failure)        \
	{                                                                                          \
		llrec_access(object, sizeof(type), LLREC_RMW);                                     \
		strong##bits(object, &expected, value, join(success, failure));                    \
		return expected;                                                                   \
	}

#define ATOMICS(bits, type)                                                                        \
	LOAD_STORE(bits, type)                                                                     \
	FETCH(bits, type, exchange, EXCHANGE_WITH)                                                 \
	FETCH(bits, type, fetch_add, ADD_WITH)                                                     \
	FETCH(bits, type, fetch_sub, SUB_WITH)                                                     \
	FETCH(bits, type, fetch_and, AND_WITH)                                                     \
	FETCH(bits, type, fetch_or, OR_WITH)                                                       \
	FETCH(bits, type, fetch_xor, XOR_WITH)                                                     \
	FETCH(bits, type, fetch_nand, NAND_WITH)                                                   \
	COMPARE(bits, type)                                                                        \
	COMPARE_EXCHANGE(bits, type)

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

#ifdef __SIZEOF_INT128__

typedef unsigned __int128 uint128;

#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16

/* cmpxchg16b: sequentially consistent, and the only 16-byte access that x86-64 promises to be atomic. */
static uint128 swap_if(volatile uint128 *object, uint128 expected, uint128 value)
{
	return __sync_val_compare_and_swap(object, expected, value);
}

#else

/* No such instruction: as in the runtimes of the compilers, atomic for whoever comes through here. */
static uint128 swap_if(volatile uint128 *object, uint128 expected, uint128 value)
{
	static int lock;
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_SEQ_CST))
		;
	uint128 found = *object;
	if (found == expected)
		*object = value;
	__atomic_store_n(&lock, 0, __ATOMIC_SEQ_CST);
	return found;
}

#endif

/* Stores what `new_value` makes of what is there; returns that. */
#define UPDATE128(object, old, new_value)                                                          \
	uint128 old = swap_if(object, 0, 0);                                                       \
	for (uint128 found; (found = swap_if(object, old, (new_value))) != old;)                   \
		old = found;

EXPORT uint128 __tsan_atomic128_load(const volatile uint128 *object, int order);
EXPORT uint128 __tsan_atomic128_load(const volatile uint128 *object, int order)
{
	(void)order;
	llrec_access(object, sizeof(*object), LLREC_READ);
	/* Stores what is there, if it is 0: needs writable memory, as libatomic's does. */
	return swap_if((volatile uint128 *)(uintptr_t)object, 0, 0);
}

EXPORT void __tsan_atomic128_store(volatile uint128 *object, uint128 value, int order);
EXPORT void __tsan_atomic128_store(volatile uint128 *object, uint128 value, int order)
{
	(void)order;
	llrec_access(object, sizeof(*object), LLREC_WRITE);
	UPDATE128(object, old, value)
}

#define FETCH128(name, new_value)                                                                  \
	EXPORT uint128 __tsan_atomic128_##name(                                                    \
		volatile uint128 *object, uint128 value, int order);                               \
	EXPORT uint128 __tsan_atomic128_##name(volatile uint128 *object, uint128 value, int order) \
	{                                                                                          \
		(void)order;                                                                       \
		llrec_access(object, sizeof(*object), LLREC_RMW);                                  \
		UPDATE128(object, old, new_value)                                                  \
		return old;                                                                        \
	}

FETCH128(exchange, value)
FETCH128(fetch_add, old + value)
FETCH128(fetch_sub, old - value)
FETCH128(fetch_and, old &value)
FETCH128(fetch_or, old | value)
FETCH128(fetch_xor, old ^ value)
FETCH128(fetch_nand, ~(old &value))

static bool strong128(volatile uint128 *object, uint128 *expected, uint128 value, int order)
{
	(void)order;
	uint128 found = swap_if(object, *expected, value);
	bool is_done = found == *expected;
	*expected = found;
	return is_done;
}

static bool weak128(volatile uint128 *object, uint128 *expected, uint128 value, int order)
{
	return strong128(object, expected, value, order);
}

COMPARE_EXCHANGE(128, uint128)

#endif

EXPORT void __tsan_atomic_thread_fence(int order);
EXPORT void __tsan_atomic_thread_fence(int order)
{
	switch (order_of(order)) {
	case __ATOMIC_RELAXED:
		break;
	case __ATOMIC_CONSUME:
	case __ATOMIC_ACQUIRE:
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		break;
	case __ATOMIC_RELEASE:
		__atomic_thread_fence(__ATOMIC_RELEASE);
		break;
	case __ATOMIC_ACQ_REL:
		__atomic_thread_fence(__ATOMIC_ACQ_REL);
		break;
	default:
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
	}
}

/* The call itself keeps the compiler from moving anything across. */
EXPORT void __tsan_atomic_signal_fence(int order);
EXPORT void __tsan_atomic_signal_fence(int order)
{
	(void)order;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}
