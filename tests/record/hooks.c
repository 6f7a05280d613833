/* Every kind of access that the compilers have hooks for, to see which they are. Compiled, never run. */
#include <linelint-record.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
#error "C"
#endif

typedef unsigned __int128 u128;
typedef long long vector __attribute__((vector_size(16)));

struct any {
	uint8_t a;
	uint16_t b;
	uint32_t c;
	uint64_t d;
	vector e;
};

struct __attribute__((packed)) loose {
	char first;
	uint16_t b;
	uint32_t c;
	uint64_t d;
	u128 e;
};

struct large {
	char bytes[200];
};

void plain(struct any *to, const struct any *from, struct large *left, const struct large *right);
void plain(struct any *to, const struct any *from, struct large *left, const struct large *right)
{
	to->a = from->a;
	to->b = from->b;
	to->c = from->c;
	to->d = from->d;
	to->e = from->e;
	*left = *right;
	memset(left, 0, sizeof(*left));
}

void update(struct any *any);
void update(struct any *any)
{
	any->a++;
	any->b++;
	any->c++;
	any->d++;
	any->e += (vector){1, 1};
}

void unaligned(struct loose *to, const struct loose *from);
void unaligned(struct loose *to, const struct loose *from)
{
	to->b = from->b;
	to->c = from->c;
	to->d = from->d;
	to->e = from->e;
	to->b++;
	to->c++;
	to->d++;
	to->e++;
}

void not_cached(volatile struct any *to, const volatile struct any *from, volatile struct loose *odd);
void not_cached(volatile struct any *to, const volatile struct any *from, volatile struct loose *odd)
{
	to->a = from->a;
	to->b = from->b;
	to->c = from->c;
	to->d = from->d;
	to->e = from->e;
	odd->b++;
	odd->c++;
	odd->d++;
}

#define ATOMICS(type, name)                                                                                            \
	type name(_Atomic type *object, type value);                                                                   \
	type name(_Atomic type *object, type value)                                                                    \
	{                                                                                                              \
		type expected = value;                                                                                 \
		atomic_store_explicit(object, value, memory_order_release);                                            \
		value += atomic_load_explicit(object, memory_order_acquire);                                           \
		value += atomic_exchange(object, value);                                                               \
		value += atomic_fetch_add(object, value);                                                              \
		value += atomic_fetch_sub(object, value);                                                              \
		value += atomic_fetch_and(object, value);                                                              \
		value += atomic_fetch_or(object, value);                                                               \
		value += atomic_fetch_xor(object, value);                                                              \
		value += __atomic_fetch_nand((type *)object, value, __ATOMIC_SEQ_CST);                                 \
		value += atomic_compare_exchange_strong(object, &expected, value);                                     \
		value += atomic_compare_exchange_weak(object, &expected, value);                                       \
		value += __sync_val_compare_and_swap((type *)object, expected, value);                                 \
		return value;                                                                                          \
	}

ATOMICS(uint8_t, atomics8)
ATOMICS(uint16_t, atomics16)
ATOMICS(uint32_t, atomics32)
ATOMICS(uint64_t, atomics64)
#ifndef __clang__ /* calls libatomic's functions instead, which no hook sees */
ATOMICS(u128, atomics128)
#endif

void fences(void);
void fences(void)
{
	atomic_thread_fence(memory_order_seq_cst);
	atomic_signal_fence(memory_order_seq_cst);
	__sync_synchronize();
}
