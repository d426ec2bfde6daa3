/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/reads.h: what blocks will read by the analysis of tb/locality, launch by launch, for a file that
 * `heddle locality` prints; and whether they do read that. */
#ifndef HEDDLE_TB_GPU_READS_H
#define HEDDLE_TB_GPU_READS_H

#include "tb/exec/exec.h"
#include "tb/gpu/gpu.h"
#include "tb/locality/locality.h"

#define READS_CELLS 128 /* of a picture, in each direction */

struct reads;

/* For a file that reads_write writes. `check`: what is executed is compared. NULL: no memory. */
struct reads *reads_new(const char *path, uint32_t unit, int check);
void reads_free(struct reads *);

/* A launch as tb/locality takes it. */
struct locality_launch reads_launch(const struct gpu_launch *);

/* Analyses a launch. Returns 0, or -1 with the reason in `message`: no memory. A kernel that cannot be
 * analysed is none of whose loads are known. */
int reads_begin(struct reads *, const struct gpu_launch *, char *message, size_t size);

/* Who must be told what the blocks access; NULL: nobody. */
const struct exec_watch *reads_watch(const struct reads *);

/* The launch has ended. Returns 0, or -1: a block has read other memory than was found; `message`
 * says which. */
int reads_end(struct reads *, char *message, size_t size);

/* Writes the file. Returns 0, or -1 with the reason on `err`. */
int reads_write(const struct reads *, FILE *err);

#endif
