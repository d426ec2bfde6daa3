/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/pmiq/pmiq_test.c: the C reference against thesis 8.5.2, restated without a queue: a list of all that has issued, in
 * order, each with whether it has begun; who waits is looked up in it anew in every cycle. The priority follows the sentences of the
 * thesis. What is owed (9.6) is no number but a ledger, which is summed anew. Nothing is shared with pmiq.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/pmiq/pmiq.h"
#include "cosim/stimulus.h"

void pmiq_stimulus(struct stimulus *, void *);

#define NOBODY (-1)
#define CYCLES 20000

/* All that has issued since the SM began anew. */
struct issued {
    int kernel, begun;
    uint64_t warp, handle;
};
/* An access for which both kernels could be granted. */
struct contested {
    int granted,
        left; /* whose it was; whether the kernel with the smaller share left it to the other */
    int64_t share[2]; /* as they were then */
};
struct bench {
    struct pmiq_state s;
    struct pmiq_in in;
    struct pmiq_out out;
    struct issued list[CYCLES + 1];
    struct contested ledger[CYCLES];
    int length, contested;
    int priority; /* the kernel that is designated */
};

static int has(uint64_t set, int kernel)
{
    return (int)(set >> kernel & 1);
}

/* The oldest instruction of a kernel that the load/store unit has not begun, or NOBODY. */
static int oldest(const struct bench *b, int kernel)
{
    for (int i = 0; i < b->length; i++)
        if (b->list[i].kernel == kernel && !b->list[i].begun)
            return i;
    return NOBODY;
}

static int waiting(const struct bench *b, int kernel)
{
    int n = 0;
    for (int i = 0; i < b->length; i++)
        n += b->list[i].kernel == kernel && !b->list[i].begun;
    return n;
}

/* "Accesses from the other kernel can proceed if they do not require the same type of resource": is it one that they do? */
static int same_resource(const struct pmiq_in *in, int asks, int has_failed)
{
    if (in->path[asks] != in->path[has_failed])
        return 0;
    if (in->block == 1 &&
        in->path[asks] ==
            0) /* L1D: a line that is there takes no MSHR, no way, no place in the miss queue */
        return !has(in->hit, asks);
    return 1;
}

enum is { EMPTY, GOES, STALLS };

/* What a kernel's latest memory instruction is in this cycle. */
static enum is kernel_is(const struct bench *b, int kernel)
{
    const int other = 1 - kernel, in_unit = has(b->in.begun, kernel);
    if (!in_unit && oldest(b, kernel) == NOBODY)
        return EMPTY;
    if (in_unit && has(b->in.stalled, kernel))
        return STALLS;
    if (has(b->in.begun, other) && has(b->in.stalled, other) &&
        same_resource(&b->in, kernel, other))
        return STALLS;
    return GOES;
}

/* "The kernel priority toggles in the next cycle if: 1) the high priority kernel suffers a memory stall, or 2) neither kernel stalls
 * on its latest memory instruction." */
static int toggles(enum is high, enum is low)
{
    if (high == STALLS)
        return 1;
    return high != STALLS && low != STALLS;
}

/* The kernel with the larger share; NOBODY where they are equal. */
static int greater(const uint64_t *share)
{
    return share[0] == share[1] ? NOBODY : share[1] > share[0];
}

/* What the kernel with the smaller share owes: for each access that it had, what the other's share is larger by; for each that it left
 * its own share less. */
static int64_t debt(const struct bench *b)
{
    int64_t sum = 0;
    for (int i = 0; i < b->contested; i++) {
        const struct contested *c = &b->ledger[i];
        const int high = c->share[1] > c->share[0];
        if (c->left)
            sum -= c->share[!high];
        else if (c->granted != high)
            sum += c->share[high] - c->share[!high];
    }
    return sum;
}

/* One cycle of both. */
static void cycle(struct bench *b)
{
    const struct pmiq_state asked = b->s;
    memset(&b->out, 0xff, sizeof b->out);
    pmiq_comb(&b->s, &b->in, &b->out);
    assert_memory_equal(&asked, &b->s, sizeof asked); /* asking moves nothing */
    if (b->in.clear)
        b->length = b->priority = b->contested = 0;
    const enum is kernels[] = {kernel_is(b, 0), kernel_is(b, 1)};
    const int high = b->priority, low = 1 - high;
    int goes = NOBODY;
    if (b->in.ready)
        goes = kernels[high] == GOES ? high : kernels[low] == GOES ? low : NOBODY;
    const int contested = b->in.ready && kernels[0] == GOES && kernels[1] == GOES,
              paid = greater(b->in.share);
    const int pays = contested && paid != NOBODY && debt(b) >= (int64_t)b->in.share[1 - paid];
    if (pays)
        goes = paid;
    const int turn = b->in.ready && (kernels[0] != EMPTY || kernels[1] != EMPTY) &&
                     toggles(kernels[high], kernels[low]) && !(pays && high == paid);
    int begins = NOBODY;
    if (goes != NOBODY && !has(b->in.begun, goes))
        begins = oldest(b, goes);
    assert_int_equal(b->out.grant, goes == NOBODY ? 0 : 1 << goes);
    assert_int_equal(b->out.take, begins != NOBODY);
    assert_int_equal(b->out.warp, begins != NOBODY ? b->list[begins].warp : 0);
    assert_int_equal(b->out.handle, begins != NOBODY ? b->list[begins].handle : 0);
    assert_int_equal(b->out.turns, turn);
    assert_int_equal(b->out.pays, pays);
    if (contested)
        b->ledger[b->contested++] =
            (struct contested){goes, pays, {(int64_t)b->in.share[0], (int64_t)b->in.share[1]}};
    int room[2];
    for (int k = 0; k < 2; k++) {
        room[k] = waiting(b, k) < PMIQ_DEPTH;
        assert_int_equal(has(b->out.full, k), !room[k]);
    }
    if (begins != NOBODY)
        b->list[begins].begun = 1;
    if (b->in.push_valid && room[b->in.push_kernel])
        b->list[b->length++] =
            (struct issued){(int)b->in.push_kernel, 0, b->in.push_warp, b->in.push_handle};
    if (turn)
        b->priority = low;
    pmiq_tick(&b->s, &b->in, &b->out);
    assert_int_equal(b->s.prio, b->priority);
    assert_int_equal(b->s.owed, debt(b));
    for (int k = 0; k < 2; k++) {
        int at = k * PMIQ_DEPTH;
        assert_int_equal(b->s.count[k], waiting(b, k));
        for (int i = 0; i < b->length; i++)
            if (b->list[i].kernel == k && !b->list[i].begun) {
                assert_int_equal(b->s.warps[at], b->list[i].warp);
                assert_int_equal(b->s.handles[at], b->list[i].handle);
                at++;
            }
    }
}

static struct bench *fresh(void)
{
    struct bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    memset(&b->s, 0xff, sizeof b->s);
    pmiq_reset(&b->s);
    b->in.ready = b->in.share[0] = b->in.share[1] = 1;
    return b;
}

/* In such a cycle an instruction of the kernel issues, to this memory if it is to be its head. */
static void issue(struct bench *b, int kernel, uint64_t warp)
{
    b->in.push_valid = 1;
    b->in.push_kernel = (uint64_t)kernel;
    b->in.push_warp = warp;
    b->in.push_handle = warp % (PMIQ_DEPTH + 2);
    cycle(b);
    b->in.push_valid = 0;
}

static void random_inputs(void **unused)
{
    (void)unused;
    long grants[2] = {0}, refused = 0, let_through = 0, both_stall = 0, kept = 0, full = 0,
         yields = 0, pays = 0, keeps = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct bench *b = fresh();
        struct stimulus stimulus = stimulus_start(seed);
        stimulus.state = &b->s;
        for (; stimulus.cycle < CYCLES / 10; stimulus_next(&stimulus)) {
            pmiq_stimulus(&stimulus, &b->in);
            cycle(b);
            const enum is k0 = kernel_is(b, 0), k1 = kernel_is(b, 1);
            const int failed[] = {has(b->in.begun & b->in.stalled, 0),
                                  has(b->in.begun & b->in.stalled, 1)};
            grants[0] += (long)(b->out.grant & 1);
            grants[1] += (long)(b->out.grant >> 1);
            refused += (k0 == STALLS && !failed[0]) || (k1 == STALLS && !failed[1]);
            both_stall += k0 == STALLS && k1 == STALLS;
            for (int k = 0; k < 2; k++)
                let_through += has(b->out.grant, k) && failed[!k] && b->in.path[0] == b->in.path[1];
            kept += b->out.grant && !b->out.turns;
            yields += b->out.grant && !has(b->out.grant, 1 - b->priority) && b->out.turns;
            full += b->out.full != 0;
            pays += (long)b->out.pays;
            keeps += b->out.pays && !b->out.turns;
        }
        free(b);
    }
    assert_true(grants[0] > 5000 && grants[1] > 5000);
    assert_true(refused > 1000 && let_through > 100 && both_stall > 1000 && kept > 500 &&
                full > 1000 && yields > 500 && pays > 500 && keeps > 200);
}

/* "This arbitration mechanism maintains fairness among kernels when neither stalls." */
static void neither_stalls(void **unused)
{
    (void)unused;
    struct bench *b = fresh();
    b->in.ready = 0;
    issue(b, 0, 1);
    issue(b, 1, 2);
    b->in.begun = 3; /* instructions of many lines */
    b->in.ready = 1;
    cycle(b);
    for (int i = 0; i < 20; i++) {
        const uint64_t before = b->out.grant;
        cycle(b);
        assert_int_equal(b->out.grant, 3 ^ before);
    }
    free(b);
}

/* "If one kernel is stalled by the memory due to insufficient MSHRs, we can still issue from threads of another kernel that is accessing
 * shared memory." */
static void the_example_of_the_thesis(void **unused)
{
    (void)unused;
    struct bench *b = fresh();
    b->in.path[0] = pmiq_path_l1d;
    b->in.path[1] = pmiq_path_shared;
    issue(b, 0, 0);
    cycle(b);
    assert_int_equal(b->out.grant, 1);
    b->in.begun = b->in.stalled = 1; /* no MSHR */
    for (uint64_t i = 0; i < 10; i++) {
        issue(b, 1, i % (NUM_SCHEDULERS * NUM_WARPS));
        cycle(b);
        assert_int_equal(b->out.grant, 2);
        assert_int_equal(b->out.warp, i % (NUM_SCHEDULERS * NUM_WARPS));
    }
    b->in.stalled =
        0; /* one is free: "the arbiter favors the un-stalled kernel until the stall is resolved" */
    cycle(b);
    assert_int_equal(b->out.grant, 1);
    free(b);
}

/* Two kernels that need the same: the one that comes second waits for the first, unless its line is there and may pass. */
static void the_same_resource(void **unused)
{
    (void)unused;
    for (uint64_t block = 0; block < 2; block++)
        for (uint64_t path = 0; path < 3; path++)
            for (int hit = 0; hit < 2; hit++) {
                struct bench *b = fresh();
                b->in.block = block;
                b->in.path[0] = b->in.path[1] = path;
                issue(b, 1, 0);
                b->in.begun = b->in.stalled = 1;
                b->in.hit = hit ? 2 : 0;
                cycle(b);
                const int passes = block == pmiq_block_cause && path == pmiq_path_l1d && hit;
                assert_int_equal(b->out.grant, passes ? 2 : 0);
                free(b);
            }
}

/* While both stall the priority alternates; while one does it is the other's. */
static void who_goes_first_afterwards(void **unused)
{
    (void)unused;
    struct bench *b = fresh();
    b->in.begun = 3;
    b->in.path[1] = pmiq_path_constant;
    b->in.stalled = 3;
    for (int i = 0; i < 8; i++) {
        cycle(b);
        assert_int_equal(b->s.prio, (i + 1) % 2);
    }
    for (int stalls = 0; stalls < 2; stalls++) {
        b->in.stalled = 1u << stalls;
        for (int i = 0; i < 4; i++)
            cycle(b);
        assert_int_equal(b->s.prio, 1 - stalls);
        assert_int_equal(b->out.grant, 1 << (1 - stalls));
    }
    free(b);
}

static void one_kernel_alone_loses_no_cycle(void **unused)
{
    (void)unused;
    for (int kernel = 0; kernel < 2; kernel++) {
        struct bench *b = fresh();
        issue(b, kernel, 0);
        for (uint64_t i = 1; i < 20; i++) {
            issue(b, kernel, i % 2);
            assert_int_equal(b->out.grant, 1 << kernel);
            assert_int_equal(b->out.warp, (i - 1) % 2);
        }
        free(b);
    }
}

static void a_full_queue_takes_nothing(void **unused)
{
    (void)unused;
    struct bench *b = fresh();
    b->in.ready = 0;
    for (uint64_t i = 0; i < PMIQ_DEPTH + 2; i++)
        issue(b, 1, i % 2);
    assert_int_equal(b->out.full, 2);
    assert_int_equal(b->s.count[1], PMIQ_DEPTH);
    issue(b, 0, 1);
    assert_int_equal(b->s.count[0], 1);
    b->in.clear = 1;
    cycle(b);
    assert_int_equal(b->s.count[0] + b->s.count[1], 0);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_inputs),
        cmocka_unit_test(neither_stalls),
        cmocka_unit_test(the_example_of_the_thesis),
        cmocka_unit_test(the_same_resource),
        cmocka_unit_test(who_goes_first_afterwards),
        cmocka_unit_test(one_kernel_alone_loses_no_cycle),
        cmocka_unit_test(a_full_queue_takes_nothing),
    };
    return cmocka_run_group_tests_name("cmodel/pmiq", tests, NULL, NULL);
}
