/* SPDX-License-Identifier: Apache-2.0 */
/* tb/capture/out.h: a capture that is written: a line that says what it is, and records (record.def), compressed. The
 * file appears whole or not at all (tb/file.h). */
#ifndef HEDDLE_TB_CAPTURE_OUT_H
#define HEDDLE_TB_CAPTURE_OUT_H

#include <stdint.h>
#include <stdio.h>

#include "tb/capture/record.h"

struct capture_out;

/* Begins to write a file. NULL with the reason on `err`. */
struct capture_out *out_open(const char *path, FILE *err);

/* What fails is kept in mind until out_close. */
void out_record(struct capture_out *, enum record);
void out_u32(struct capture_out *, uint32_t);
void out_u64(struct capture_out *, uint64_t);
void out_bytes(struct capture_out *, const void *, uint64_t count); /* behind their length */
void out_text(struct capture_out *, const char *);

/* Puts the file in its place, and frees. Returns 0, or -1 with the reason on `err`: then what was there
 * is still there. */
int out_close(struct capture_out *, FILE *err);

/* Gives up what was written, and frees. */
void out_discard(struct capture_out *);

#endif
