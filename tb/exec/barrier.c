/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/barrier.c: the sixteen barriers of a block. PTX ISA, "bar": arrivals are counted by
 * warps, whatever their active lanes; bar.arrive counts and goes on; bar.red also counts the
 * threads whose predicate is true and gives all waiting ones the sum, or whether it is all or any
 * of them.
 *
 * A barrier's phase changes when it opens. A warp that came in an earlier phase has passed it. */
#include "tb/exec/barrier.h"

#include "tb/exec/fault.h"
#include "tb/exec/op.h"
#include "tb/exec/tolerate.h"

/* An operand that must be the same in all lanes. Returns 0 after a fault. */
static int uniform(struct exec_warp *w, uint32_t operand, uint32_t mask, const char *what,
                   uint32_t *value)
{
    const lane32 *lanes = exec_source(w, operand);
    const int first = __builtin_ctz(mask);
    *value = lanes[first];
    if (operand & UOP_CONST) {
        return 1;
    }
    FOR_ACTIVE(mask, i)
    {
        if (lanes[i] != *value) {
            exec_fault(w, i, "%s %u; lane %d has %u", what, lanes[i], first, *value);
            return 0;
        }
    }
    return 1;
}

/* The warps that a barrier is for: all of the block (0), or threads / 32. Returns 0 after a fault.
 */
static int read_expected(struct exec_warp *w, const struct uop *u, uint32_t mask,
                         uint32_t *expected)
{
    uint32_t threads;
    *expected = 0;
    if (u->src[1] == UOP_NONE) {
        return 1;
    }
    if (!uniform(w, u->src[1], mask, "a barrier of threads:", &threads)) {
        return 0;
    }
    if (threads == 0 || threads % WARP_LANES) {
        exec_fault(w, __builtin_ctz(mask), "a barrier of %u threads; expected a multiple of %d",
                   threads, WARP_LANES);
        return 0;
    }
    *expected = threads / WARP_LANES;
    return 1;
}

enum exec_status exec_barrier_arrive(struct exec_warp *w, const struct uop *u, uint32_t mask)
{
    const int first = __builtin_ctz(mask);
    uint32_t number, expected;
    if (!uniform(w, u->src[0], mask, "barrier", &number) || !read_expected(w, u, mask, &expected)) {
        return EXEC_FAULT;
    }
    if (number >= EXEC_BARRIERS) {
        exec_fault(w, first, "barrier %u; expected 0 to %d", number, EXEC_BARRIERS - 1);
        return EXEC_FAULT;
    }
    if (~(mask | w->exited)) {
        exec_tolerate_barrier(w, mask);
    }
    struct exec_barrier *b = &w->block->barriers[number];
    if (b->arrived && b->expected != expected) {
        exec_fault(w, first, "barrier %u is for %u threads here and for %u elsewhere (0: all)",
                   number, expected * WARP_LANES, b->expected * WARP_LANES);
        return EXEC_FAULT;
    }
    if (b->arrived++ == 0) {
        b->expected = expected;
        b->voters = b->yes = 0;
    }
    if (u->mod == BARRIER_RED) {
        const uint32_t votes = exec_negatable(w, u, 2, UF_SRC_NOT);
        b->voters += (uint32_t)__builtin_popcount(mask);
        b->yes += (uint32_t)__builtin_popcount(votes & mask);
    }
    w->barrier = number;
    w->phase = u->mod == BARRIER_ARRIVE ? b->phase - 1 : b->phase;
    w->waits = u->mod == BARRIER_RED ? u : NULL;
    w->waiting = mask;
    return EXEC_BARRIER;
}

void exec_barrier_settle(struct exec_block *block, uint32_t unfinished)
{
    for (int i = 0; i < EXEC_BARRIERS; i++) {
        struct exec_barrier *b = &block->barriers[i];
        if (b->arrived && b->arrived >= (b->expected ? b->expected : unfinished)) {
            b->arrived = 0;
            b->phase++;
        }
    }
}

/* The result of bar.red, for the lanes that waited. */
static void give_result(struct exec_warp *w, const struct exec_barrier *b)
{
    const struct uop *u = w->waits;
    if (u->mod2 != REDUCE_POPC) {
        const int result = u->mod2 == REDUCE_AND ? b->yes == b->voters : b->yes > 0;
        exec_set_predicate(w, u->dst[0], w->waiting, result ? ~0u : 0);
        return;
    }
    uint32_t rest = w->waiting;
    lane32 *d = exec_target(w, u->dst[0]);
    FOR_ACTIVE(rest, i)
    {
        d[i] = b->yes;
    }
}

int exec_barrier_passed(struct exec_warp *w)
{
    const struct exec_barrier *b = &w->block->barriers[w->barrier];
    if (b->phase == w->phase) {
        return 0;
    }
    if (w->waits) {
        give_result(w, b);
        w->waits = NULL;
    }
    return 1;
}
