/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/shadow.h: a cache as large as L1D, but fully associative, that sees the same loads and
 * stores and gets its lines at once. A miss that hits here is one that the sets of L1D have made (a
 * conflict); one that misses here too has the reason for which the line is not here. */
#ifndef HEDDLE_TB_PROFILE_SHADOW_H
#define HEDDLE_TB_PROFILE_SHADOW_H

#include <stdint.h>

enum shadow_state {
    SHADOW_NEVER,    /* no load has touched the line */
    SHADOW_HERE,     /* it is here */
    SHADOW_EVICTED,  /* others have driven it out */
    SHADOW_WRITTEN,  /* a store or atomic has dropped it */
    SHADOW_BYPASSED, /* its last load was one that brings no line */
    NUM_SHADOW_STATES
};

struct shadow_line {
    uint32_t newer, older; /* in the order of last use, while it is here */
    enum shadow_state state;
};

struct shadow {
    uint32_t capacity; /* lines; set by the user, at least 1 */
    uint32_t count, newest, oldest;
    struct shadow_line *lines; /* by number */
    uint32_t places;
};

/* What the shadow knows of a line. */
enum shadow_state shadow_state(const struct shadow *, uint32_t line);

/* A load: the line, if it is here, is the newest; else, if it `brings` the line, it comes, and the
 * oldest goes if there is no room. Returns 0, or -1: no memory. */
int shadow_load(struct shadow *, uint32_t line, int brings);

/* The line's load, which has missed, brings none. */
void shadow_bypass(struct shadow *, uint32_t line);

/* A store or atomic of a line that a load has touched. */
void shadow_write(struct shadow *, uint32_t line);

/* Forgets all but its capacity, and frees. */
void shadow_clear(struct shadow *);

#endif
