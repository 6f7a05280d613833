/*
 * record/start: the recorder's life: begun by whatever comes first (hooks run before main, and before this library's own
 * constructor), gone through by forks, ended at exit by writing the file.
 */
#ifndef RECORD_START_H
#define RECORD_START_H

#include <stdbool.h>

/* Once; false: nothing is to be recorded. */
bool llrec_start(void);

#endif
