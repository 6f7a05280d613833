/*
 * record/trace: on request, what each operation does with the objects of a class, in the order in which all threads do it
 * -> linelint-trace(5), a file a class. The place of an access in the order is drawn from a counter that all threads
 * share: a line that the program does not have, which is why nothing of this is done without the request.
 */
#ifndef RECORD_TRACE_H
#define RECORD_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "record/thread.h"

/* `begins`: the operation has not touched the class before. */
void llrec_trace_access(struct llrec_thread *thread, uint32_t object, uint64_t key, bool begins);

/* What a thread has mostly done: under the lock, when it ends. */
void llrec_trace_thread_locked(const struct llrec_thread *thread);

/* When all have stopped. */
void llrec_traces_write(void);

/* The file of a class's trace, in the record's words: false: there is none. The name is valid until the next call. */
bool llrec_trace_file(unsigned class_index, const char **ret);

void llrec_traces_forget_locked(void);

#endif
