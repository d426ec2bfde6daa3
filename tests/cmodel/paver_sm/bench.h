/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/paver_sm/bench.h: the C reference and its restatement (plain.h) side by side, compared in every cycle; and the steps that
 * its tests are made of. */
#ifndef HEDDLE_TESTS_CMODEL_PAVER_SM_BENCH_H
#define HEDDLE_TESTS_CMODEL_PAVER_SM_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/cmodel/paver_sm/plain.h"

static struct bench {
    struct paver_sm_state s;
    struct paver_sm_in in;
    struct paver_sm_out out;
    struct plain p;
} bench;

/* What was seen. */
static struct {
    long groups, numbers, placed, in_order, gifts, partly, whole, refused, emptied, wrapped;
    long stops_with_due, starts_while_busy, wild_replies, wild_places, placed_and_given, largest;
} seen;

static void assert_outputs(const struct bench *b, const struct paver_sm_out *should)
{
    const struct paver_sm_in *in = &b->in;
    if (in->place_valid && may_receive(&b->p, (int)in->place_sm))
        assert_int_equal(b->out.place_block, should->place_block);
    assert_int_equal(b->out.fetch_valid, should->fetch_valid);
    assert_int_equal(b->out.fetch_group, should->fetch_group);
    assert_int_equal(b->out.fetch_sm, should->fetch_sm);
    assert_int_equal(b->out.fetch_at, should->fetch_at);
    assert_memory_equal(b->out.recipients, should->recipients, sizeof should->recipients);
    assert_int_equal(b->out.busy, should->busy);
    assert_int_equal(b->out.waiting, should->waiting);
    assert_int_equal(b->out.given, should->given);
}

/* The registers say what the lists say. */
static void assert_registers(const struct paver_sm_state *s, const struct plain *p)
{
    assert_int_equal(s->active, p->grouped);
    assert_int_equal(s->left, p->left);
    assert_int_equal(s->last, p->before);
    if (p->left)
        assert_int_equal(s->group, p->group);
    for (int i = 0; i < NUM_SMS; i++) {
        const struct plain_sm *sm = &p->sm[i];
        assert_int_equal(has(s->held, i), blocks(sm) > 0);
        assert_int_equal(has(s->asked, i), sm->asked != NOTHING);
        assert_int_equal(has(s->allow, i), may_receive(p, i));
        if (sm->known)
            assert_int_equal(s->next_tb[i], sm->number);
        if (blocks(sm)) {
            assert_int_equal(s->next[i], sm->list[sm->first]);
            assert_int_equal(s->tail[i], sm->list[sm->end - 1]);
        }
    }
}

static int any_due(const struct plain *p)
{
    for (int i = 0; i < NUM_SMS; i++)
        if (p->sm[i].asked != NOTHING)
            return 1;
    return 0;
}

static void look_at(const struct bench *b)
{
    const struct paver_sm_in *in = &b->in;
    const struct plain_sm *placed = &b->p.sm[in->place_sm], *donor = &b->p.sm[in->look];
    const enum plain_asked due = b->p.sm[in->reply_sm].asked;
    const int rests = in->start || in->stop;
    seen.starts_while_busy += in->start && b->out.busy;
    seen.stops_with_due += in->stop && !in->start && any_due(&b->p);
    if (rests)
        return;
    const int takes = is_placed(&b->p, in, (int)in->place_sm);
    seen.groups += b->out.fetch_valid && b->out.fetch_group;
    seen.numbers += b->out.fetch_valid && !b->out.fetch_group;
    seen.placed += takes;
    seen.in_order += !b->p.grouped && in->place_valid;
    seen.wild_places += b->p.grouped && in->place_valid && !placed->known;
    seen.wild_replies += in->reply_valid && due == NOTHING;
    seen.wrapped += in->reply_valid && due == GROUP && in->reply_tail < in->reply_next;
    seen.gifts += b->out.given > 0;
    seen.partly += b->out.given && b->out.given < b->out.waiting;
    seen.whole += b->out.given && b->out.given == b->out.waiting;
    seen.emptied += b->out.given && (long)b->out.given == blocks(donor);
    seen.refused += in->give && in->count && b->out.waiting && !b->out.given;
    seen.placed_and_given += b->out.given && takes && in->place_sm == in->look;
    if (blocks(donor) > seen.largest)
        seen.largest = blocks(donor);
}

/* Steps both, compares outputs and registers. */
static void step(struct bench *b)
{
    const struct paver_sm_out should = plain_out(&b->p, &b->in);
    memset(&b->out, 0xff, sizeof b->out);
    paver_sm_comb(&b->s, &b->in, &b->out);
    assert_outputs(b, &should);
    look_at(b);
    paver_sm_tick(&b->s, &b->in, &b->out);
    plain_tick(&b->p, &b->in);
    assert_registers(&b->s, &b->p);
}

static struct bench *open_bench(void)
{
    memset(&bench, 0, sizeof bench);
    memset(&bench.s, 0xff, sizeof bench.s);
    paver_sm_reset(&bench.s);
    assert_registers(&bench.s, &bench.p);
    return &bench;
}

/* Nothing is asked of the next cycle but what stays: which contexts are free, and where the stealer looks. */
static void cycle(struct bench *b)
{
    step(b);
    b->in.start = b->in.stop = b->in.place_valid = b->in.reply_valid = b->in.give = 0;
}

static void start(struct bench *b, uint64_t groups, uint64_t first_group)
{
    b->in.start = 1;
    b->in.groups = groups;
    b->in.first_group = first_group;
    cycle(b);
    b->in.groups = b->in.first_group = 1; /* read no more */
}

/* The next cycle asks for a group for this SM; then it is there: positions next to tail. */
static void takes_group(struct bench *b, int sm, uint64_t at, uint64_t next, uint64_t tail)
{
    cycle(b);
    assert_int_equal(b->out.fetch_valid, 1);
    assert_int_equal(b->out.fetch_group, 1);
    assert_int_equal(b->out.fetch_sm, sm);
    assert_int_equal(b->out.fetch_at, at);
    b->in.reply_valid = 1;
    b->in.reply_sm = (uint64_t)sm;
    b->in.reply_next = next;
    b->in.reply_tail = tail;
    b->in.reply_tb = 99;
}

/* The same of the number of its next block. The reply of takes_group comes in the cycle before. */
static void takes_number(struct bench *b, int sm, uint64_t at, uint64_t number)
{
    cycle(b);
    assert_int_equal(b->out.fetch_valid, 1);
    assert_int_equal(b->out.fetch_group, 0);
    assert_int_equal(b->out.fetch_sm, sm);
    assert_int_equal(b->out.fetch_at, at);
    b->in.reply_valid = 1;
    b->in.reply_sm = (uint64_t)sm;
    b->in.reply_tb = number;
    b->in.reply_next = b->in.reply_tail = 98;
}

static void is_quiet(struct bench *b)
{
    cycle(b);
    assert_int_equal(b->out.fetch_valid, 0);
    assert_int_equal(b->out.fetch_sm, 0);
    assert_int_equal(b->out.fetch_at, 0);
}

static void place(struct bench *b, int sm, uint64_t number)
{
    b->in.place_valid = 1;
    b->in.place_sm = (uint64_t)sm;
    cycle(b);
    assert_int_equal(b->out.place_block, number);
}

static void set_free(struct bench *b, int sm, int is)
{
    bit_set(b->in.free, (unsigned)sm, is);
}

/* A kernel of one group: SM 0 has it, the number of its first block is 50, and no context is free. */
static struct bench *sm_0_has(uint64_t next, uint64_t tail)
{
    struct bench *b = open_bench();
    start(b, 1, 7);
    takes_group(b, 0, 7, next, tail);
    is_quiet(b); /* the group comes */
    takes_number(b, 0, next, 50);
    is_quiet(b); /* the number comes */
    return b;
}

static uint64_t give(struct bench *b, int from, int to, uint64_t count)
{
    b->in.give = 1;
    b->in.look = (uint64_t)from;
    b->in.recipient = (uint64_t)to;
    b->in.count = count;
    cycle(b);
    return b->out.given;
}

#endif
