/*
 * record/output: what was counted, merged and sorted -> the record file, linelint-record(5).
 */
#ifndef RECORD_OUTPUT_H
#define RECORD_OUTPUT_H

#include "record/tally.h"

void llrec_output_write(const struct llrec_tally *tally);

#endif
