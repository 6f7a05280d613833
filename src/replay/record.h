/*
 * replay/record: a trace on the lines of a layout. Private to replay.c and replay/.
 *
 * trace x layouts -> [replay_record] -> mesi. An access to bytes on several lines is one on each. An object lies where it
 * was when it was recorded; one whose address is not known starts at `start_bytes` of a line that it shares with nobody.
 * In another layout of the same size objects lie where they were, in one of another size each by itself.
 */
#ifndef REPLAY_RECORD_H
#define REPLAY_RECORD_H

#include "base/arena.h"
#include "base/error.h"
#include "import/trace.h"
#include "layout.h"
#include "mesi.h"

struct replay_recording {
	const struct trace *trace;
	const struct layout *recorded; /* whose offsets the trace has */
	const struct layout *layout;   /* on whose lines it is put: `recorded`, or the same members elsewhere */
	uint64_t start_bytes;          /* less than a line */
};

/*
 * Events for mesi_record, in `arena`; fields are members of `recorded` by index, and one behind them for bytes of no
 * member. Error: more threads and lines than can be simulated.
 */
struct error *replay_record(struct arena *arena, const struct replay_recording *recording, struct mesi_record *ret);

#endif
