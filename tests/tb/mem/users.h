/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/mem/users.h: SMs that send a memory random requests, and what they see. */
#ifndef HEDDLE_TESTS_TB_MEM_USERS_H
#define HEDDLE_TESTS_TB_MEM_USERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/mem/memory.h"

#define PORTS   4
#define SENDING 20000 /* cycles */

/* Runs all partitions through a window, the last one first if `backward`. */
static void window(struct memory *m, uint64_t until, int backward)
{
    const unsigned count = memory_partitions(m);
    for (unsigned i = 0; i < count; i++)
        memory_run(m, backward ? count - 1 - i : i, until);
    memory_turn(m);
    for (unsigned i = 0; i < PORTS; i++)
        memory_collect(m, i);
}

/* What one SM saw. */
struct seen {
    uint64_t cycle;
    uint32_t port, tag;
};
struct run {
    struct seen *answers;
    unsigned count;
    struct memory_counters counters;
};

static uint64_t sent[3]; /* of each kind */
static uint64_t sent_by_odd;

struct sm {
    int open[64]; /* tags */
    uint64_t random;
    uint64_t until; /* it sends before this cycle */
};

static uint32_t next(struct sm *s)
{
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(s->random >> 33);
}

/* A random SM: it sends in 3 of 8 cycles when there is room and a free tag. */
static void step(struct memory *m, struct run *r, struct sm *s, unsigned port, uint64_t cycle)
{
    uint32_t tag;
    while (memory_receive(m, port, cycle, &tag)) {
        assert_true(tag < 64 && s->open[tag]);
        s->open[tag] = 0;
        r->answers[r->count++] = (struct seen){cycle, port, tag};
    }
    if (cycle >= s->until || next(s) % 8 >= 3 || !memory_room(m, port, cycle))
        return;
    struct memory_request q = {.kind = (uint8_t)(next(s) % 4 % 3), .tag = 0};
    q.address = next(s) % 3 ? next(s) % 200 * 32 : next(s) % 4000 * 32;
    q.sectors = (uint8_t)(1u << q.address % 128 / 32);
    q.address |= (uint64_t)(port & 1) << SPACE_SHIFT;
    while (q.tag < 64 && s->open[q.tag])
        q.tag++;
    if (q.kind != MEMORY_WRITE && q.tag == 64)
        return;
    if (q.kind != MEMORY_WRITE)
        s->open[q.tag] = 1;
    sent[q.kind]++;
    sent_by_odd += port & 1;
    memory_send(m, port, cycle, &q);
}

static int by_cycle(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->port != y->port)
        return x->port < y->port ? -1 : 1;
    return x->tag < y->tag ? -1 : x->tag > y->tag;
}

#endif
