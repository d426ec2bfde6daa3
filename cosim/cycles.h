/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/cycles.h: a file with the cycles that it is to be of, as options name them: FILE[:FROM-TO]. */
#ifndef HEDDLE_COSIM_CYCLES_H
#define HEDDLE_COSIM_CYCLES_H

#include <stddef.h>
#include <stdint.h>

/* Both included. */
struct cycles {
    uint64_t first, last;
};

/* Takes it apart: the first `length` characters are the file; without cycles it is of all. Returns 0, or -1: what stands behind the
 * last ':' is not FROM-TO, or FROM is above TO. */
int cycles_parse(const char *spec, size_t *length, struct cycles *);

#endif
