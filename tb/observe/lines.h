/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/lines.h: the lines that an access of global or local memory touches, from where its lanes are. */
#ifndef HEDDLE_TB_OBSERVE_LINES_H
#define HEDDLE_TB_OBSERVE_LINES_H

#include "tb/sm/sm_state.h"

struct seen_lines {
    unsigned count;
    uint64_t first; /* address of the one that the first lane touches first */
};

/* `warp` of the SM; `line_bytes` of its L1D. */
struct seen_lines seen_lines(const struct sm *, const struct sm_kernel *, unsigned warp,
                             const struct exec_access *);

#endif
