/* Objects within objects, beside objects, across pages, longer than their type, and copied as a whole. */
#include <linelint-record.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

struct inner {
	volatile int left, right;
};

struct outer {
	volatile int before;
	struct inner inner;
	volatile int after;
};

struct packed {
	volatile char bytes[3];
} __attribute__((packed));

struct page_and_more {
	volatile long first[512], last[512];
};

struct flexible {
	long count;
	volatile long items[];
};

struct copied {
	long values[5];
};

#define NEED(condition)                                                                                                \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			return __LINE__ % 100;                                                                         \
	} while (0)

__attribute__((noinline)) static void copy(struct copied *to, const struct copied *from)
{
	*to = *from;
}

int main(void)
{
	struct outer *outer = calloc(1, sizeof(*outer));
	NEED(outer);
	LINELINT_TRACK(outer); /* 0 */
	LINELINT_TRACK(&outer->inner); /* 1: counts for both */
	outer->before = 1;
	outer->inner.left = 1;
	outer->inner.right = 1;
	outer->after = 1;
	LINELINT_UNTRACK(&outer->inner);
	outer->inner.right = 1; /* of the outer one alone */
	LINELINT_UNTRACK(outer);
	LINELINT_TRACK(&outer->inner); /* 2: the inner one first */
	LINELINT_TRACK(outer); /* 3 */
	outer->inner.left = 1;
	LINELINT_UNTRACK(outer);
	outer->inner.left = 1; /* of the inner one alone */
	outer->before = 1; /* of none */

	struct packed *packed = calloc(5, sizeof(*packed));
	NEED(packed);
	for (int i = 4; i >= 0; i -= 2)
		LINELINT_TRACK(&packed[i]); /* 4: bytes 12 to 14, 6 to 8, 0 to 2 */
	LINELINT_TRACK(&packed[1]); /* 5: between two of them */
	for (int i = 0; i < 5; i++)
		for (int byte = 0; byte < 3; byte++)
			packed[i].bytes[byte] = 1; /* packed[3] is none */
	LINELINT_UNTRACK(&packed[1]);
	for (int i = 0; i < 3; i++)
		packed[i].bytes[2] = 1; /* packed[1] is none */

	char *pages = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	NEED(pages != MAP_FAILED);
	struct page_and_more *large = (struct page_and_more *)(void *)(pages + 4096 - 8);
	LINELINT_TRACK(large); /* 6 */
	large->first[0] = 1;
	large->first[1] = 1;
	large->last[0] = 1;
	large->last[511] = 1;
	*(volatile long *)(void *)pages = 1; /* on its first page, of no object */

	struct flexible *flexible = calloc(1, sizeof(*flexible) + 10 * sizeof(flexible->items[0]));
	NEED(flexible);
	LINELINT_TRACK_SIZE(flexible, sizeof(*flexible) + 10 * sizeof(flexible->items[0])); /* 7 */
	flexible->items[9] = 1;

	struct copied *copied = calloc(3, sizeof(*copied));
	NEED(copied);
	LINELINT_TRACK(&copied[1]); /* 8 */
	copy(&copied[1], &copied[0]);
	copy(&copied[2], &copied[1]);
	return 0;
}
