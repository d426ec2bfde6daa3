/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/window.h: runs the whole machine through a window of cycles. */
#ifndef HEDDLE_TB_GPU_WINDOW_H
#define HEDDLE_TB_GPU_WINDOW_H

#include "tb/gpu/machine.h"

/* What stopped a window, if anything did. */
struct window_end {
    enum sm_status status;
    uint64_t cycle; /* in which it happened */
    struct sm *sm;  /* where; NULL: the dispatcher */
};

/* Runs all SMs and the memory through the cycles g->cycle to until - 1, on the machine's host
 * threads, then exchanges what they sent each other. Nothing depends on the threads: when several
 * SMs stop, the first cycle counts, then the lowest number; the dispatcher counts before them. */
struct window_end window_run(struct gpu *, uint64_t until);

/* The longest window at the SMs' present clock. A packet takes the same time at each, and so fewer of their cycles at a lower one. */
uint64_t window_length(const struct gpu *);

/* The next cycle in which an SM, its units or the memory has something to do; NEVER: none has. */
uint64_t window_next(const struct gpu *);

/* Whether all is quiet but for units, which may move for ever. */
int window_quiet(const struct gpu *);

/* Where the clock may jump to from g->cycle when nothing is to be done before `next`: over whole
 * windows, so that they always begin in the same cycles, and not over what a waveform is to show.
 */
uint64_t window_skip(const struct gpu *, uint64_t next);

#endif
