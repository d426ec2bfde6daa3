/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/reuse.h: how far back the last touch of a line is, in accesses and in distinct lines
 * (the stack distance of Mattson et al., IBM Systems Journal 9(2), 1970).
 *
 * Each line has one mark, at the time of its last touch; the lines touched since are the marks
 * behind it. A Fenwick tree over times counts them in a logarithm of time. When all times are used
 * up, the marks move together: times are only compared. */
#ifndef HEDDLE_TB_PROFILE_REUSE_H
#define HEDDLE_TB_PROFILE_REUSE_H

#include <stdint.h>

struct reuse {
    uint32_t *tree;    /* by time, from 1 */
    uint32_t *line_at; /* whose mark stands at this time; NO_NUMBER: none */
    uint32_t *time_of; /* by line */
    uint64_t *access_of;
    uint32_t now, times; /* the last time given; how many there are */
    uint32_t lines, places;
    uint64_t accesses;
};

/* Between two touches of a line. */
struct distance {
    uint64_t lines;    /* other lines touched, each once */
    uint64_t accesses; /* accesses */
};

/* Touches a line; lines are numbered from 0 as they come. Returns 1 with the distance to its last
 * touch; 0: it is the first; -1: no memory. */
int reuse_touch(struct reuse *, uint32_t line, struct distance *);

/* Forgets all, and frees. */
void reuse_clear(struct reuse *);

#endif
