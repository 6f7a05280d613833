#include "record/heap.h"

#include <malloc.h>

#include "record/class.h"
#include "record/object.h"
#include "record/settings.h"
#include "record/start.h"
#include "record/tally.h"

void llrec_heap_begin(void *memory, size_t bytes)
{
	if (!memory || !llrec_start())
		return;
	for (size_t i = 0; i < llrec_settings.heap_count; i++) {
		const struct llrec_heap *heap = &llrec_settings.heap[i];
		if (heap->bytes != bytes)
			continue;
		sigset_t mask;
		llrec_lock(&mask);
		int found = llrec_class_find_locked(NULL, heap->name, heap->bytes);
		llrec_lost[LLREC_LOST_CLASSES] += found < 0;
		llrec_unlock(&mask);
		if (found >= 0)
			llrec_object_track((uintptr_t)memory, bytes, (unsigned)found, bytes);
		return;
	}
}

void llrec_heap_end(void *memory)
{
	if (memory && llrec_start())
		llrec_object_clear((uintptr_t)memory, malloc_usable_size(memory));
}
