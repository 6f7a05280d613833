/*
 * patch: struct queue_t
 * writes: head
 * reads: ring size
 *
 * A typedef of an unnamed struct, pointers with their stars apart, and no newline at the end of the file.
 */
#include <stdlib.h>
struct other { int head, ring, size; } other;
typedef struct {
	unsigned long head;   /* of the consumer */
	void * const * ring;  /* of pointers */
	size_t size;          /* of the ring */
	char gap[40];
	char tail[64];
} queue_t, *queue_p;
queue_t the_queue; queue_p the_pointer;