/* SPDX-License-Identifier: Apache-2.0 */
/* tb/capture/in.h: a capture that is read. Its bytes are hostile until they are checked: no length is believed before so many
 * bytes are there. The first error stays; every function then returns -1. */
#ifndef HEDDLE_TB_CAPTURE_IN_H
#define HEDDLE_TB_CAPTURE_IN_H

#include <stdint.h>
#include <stdio.h>

#include "tb/capture/record.h"

struct capture_in;

/* NULL with the reason on `err`: the file cannot be read, or is no capture. */
struct capture_in *in_open(const char *path, FILE *err);
void in_close(struct capture_in *);

/* The next record's kind; RECORD_none: an error. */
enum record in_record(struct capture_in *);

/* The fields of `last`; and that nothing comes behind it. Returns as the next. */
int in_last(struct capture_in *, uint64_t *launches);

/* Each returns 0, or -1: an error. */
int in_u32(struct capture_in *, uint32_t *);
int in_u64(struct capture_in *, uint64_t *);

/* So many bytes, whose length has been read. */
int in_raw(struct capture_in *, void *, uint64_t count);

/* Bytes behind their length, which is at most `most`, to be freed, with a NUL behind them. `count` may be NULL: then
 * there may be no other NUL. */
int in_bytes(struct capture_in *, uint64_t most, uint8_t **, uint64_t *count);

/* The reader has found that what it has read makes no sense. Returns -1. */
__attribute__((format(printf, 2, 3))) int in_refuse(struct capture_in *, const char *format, ...);

/* "FILE: record 7: what is wrong", or NULL: nothing yet. */
const char *in_error(const struct capture_in *);

#endif
