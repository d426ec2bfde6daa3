/* SPDX-License-Identifier: Apache-2.0 */
/* tb/capture/record.h: the kinds of records of a capture. */
#ifndef HEDDLE_TB_CAPTURE_RECORD_H
#define HEDDLE_TB_CAPTURE_RECORD_H

/* The first line of the file, which is not compressed. Its number changes with the format. */
#define CAPTURE_MARK "HEDDLE CAPTURE 1\n"

enum record {
    RECORD_none,
#define RECORD(name, meaning) RECORD_##name,
#include "tb/capture/record.def"
#undef RECORD
    NUM_RECORDS
};

#endif
