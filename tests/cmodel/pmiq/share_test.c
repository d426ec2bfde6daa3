/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/pmiq/share_test.c: shares of the accesses (thesis 9.6), told by who is granted: the ratio, equal shares, none; a kernel alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/pmiq/pmiq.h"
#include "cosim/stimulus.h"

void pmiq_stimulus(struct stimulus *, void *);

#define LARGEST 15

struct bench {
    struct pmiq_state s;
    struct pmiq_in in;
    struct pmiq_out out;
};

static void cycle(struct bench *b)
{
    pmiq_comb(&b->s, &b->in, &b->out);
    pmiq_tick(&b->s, &b->in, &b->out);
}

/* Both have begun an instruction of many lines, and go on. */
static struct bench both_go(uint64_t share_0, uint64_t share_1)
{
    struct bench b;
    memset(&b, 0, sizeof b);
    pmiq_reset(&b.s);
    b.in.ready = 1;
    b.in.begun = 3;
    b.in.share[0] = share_0;
    b.in.share[1] = share_1;
    return b;
}

/* Kernel 0 and 1 have accesses in the ratio of their shares: whenever one looks neither has an access more than is its own. */
static void the_ratio_is_exact(void **unused)
{
    (void)unused;
    for (uint64_t share_0 = 1; share_0 <= LARGEST; share_0++)
        for (uint64_t share_1 = 1; share_1 <= LARGEST; share_1++) {
            const uint64_t sum = share_0 + share_1;
            struct bench b = both_go(share_0, share_1);
            uint64_t had[2] = {0};
            for (uint64_t i = 1; i <= 6 * sum; i++) {
                cycle(&b);
                had[b.out.grant >> 1]++;
                assert_int_equal(had[0] + had[1], i);
                for (unsigned k = 0; k < 2; k++) { /* its own is i * share / sum */
                    assert_true(had[k] * sum < i * b.in.share[k] + sum);
                    assert_true(had[k] * sum + sum > i * b.in.share[k]);
                }
                if (i % sum == 0)
                    assert_int_equal(had[0] * sum, i * share_0);
            }
        }
}

/* Whatever has happened before under other shares: neither waits for longer than it takes to pay the largest debt that there is. */
static void nobody_starves(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct bench b = both_go(1, 1);
        struct stimulus stimulus = stimulus_start(seed);
        stimulus.state = &b.s;
        for (; stimulus.cycle < 200; stimulus_next(&stimulus)) {
            pmiq_stimulus(&stimulus, &b.in);
            cycle(&b);
        }
        b.in.clear = b.in.stalled = 0;
        b.in.ready = 1;
        b.in.begun = 3;
        b.in.share[0] = 1 + seed % LARGEST;
        b.in.share[1] = 1 + seed / LARGEST;
        int waits[2] = {0};
        for (int i = 0; i < 100; i++) {
            cycle(&b);
            for (unsigned k = 0; k < 2; k++) {
                waits[k] = b.out.grant >> k & 1 ? 0 : waits[k] + 1;
                /* what was owed under other shares is paid first */
                assert_true((uint64_t)waits[k] * b.in.share[k] <
                            LARGEST + 1 + b.in.share[k] + b.in.share[!k]);
            }
        }
    }
}

/* Equal shares are as none: whatever they are, and whatever happens, who is granted is the same. */
static void equal_shares_are_alike(void **unused)
{
    (void)unused;
    long granted = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct bench ones = both_go(1, 1), others = ones;
        struct stimulus stimulus = stimulus_start(seed);
        stimulus.state = &ones.s;
        for (; stimulus.cycle < 2000; stimulus_next(&stimulus)) {
            pmiq_stimulus(&stimulus, &ones.in);
            others.in = ones.in;
            ones.in.share[0] = ones.in.share[1] = 1;
            others.in.share[0] = others.in.share[1] = seed % (LARGEST + 1);
            cycle(&ones);
            cycle(&others);
            assert_memory_equal(&ones.out, &others.out, sizeof ones.out);
            assert_memory_equal(&ones.s, &others.s, sizeof ones.s);
            assert_int_equal(ones.s.owed, 0);
            granted += ones.out.grant != 0;
        }
    }
    assert_true(granted > 10000);
}

/* What a kernel has while the other waits for nothing is not held against it; nor does what it owes become less. */
static void alone_it_owes_nothing(void **unused)
{
    (void)unused;
    struct bench b = both_go(1, 9);
    cycle(&b);
    assert_int_equal(b.out.grant, 1);
    b.in.begun = 1;
    for (int i = 0; i < 100; i++) {
        cycle(&b);
        assert_int_equal(b.out.grant, 1);
    }
    b.in.begun = 3;
    for (int i = 0; i < 8; i++) {
        cycle(&b);
        assert_int_equal(b.out.grant, 2);
        assert_int_equal(b.out.pays, 1);
    }
    b.in.clear = 1; /* the SM begins anew: nothing is owed any more */
    cycle(&b);
    assert_int_equal(b.out.grant, 1);
}

/* A kernel that stalls is not waited for, whatever its share. */
static void stalls_come_first(void **unused)
{
    (void)unused;
    struct bench b = both_go(1, 9);
    b.in.path[1] = pmiq_path_constant;
    b.in.stalled = 2;
    for (int i = 0; i < 20; i++) {
        cycle(&b);
        assert_int_equal(b.out.grant, 1);
        assert_int_equal(b.s.owed, 0);
    }
}

/* Nothing of a kernel without a share goes while the other can. */
static void no_share(void **unused)
{
    (void)unused;
    struct bench b = both_go(0, 1);
    b.in.path[1] = pmiq_path_constant;
    for (int i = 0; i < 20; i++) {
        b.in.stalled = i % 5 == 4 ? 2 : 0;
        cycle(&b);
        assert_int_equal(b.out.grant, i % 5 == 4 ? 1 : 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ratio_is_exact),     cmocka_unit_test(nobody_starves),
        cmocka_unit_test(equal_shares_are_alike), cmocka_unit_test(alone_it_owes_nothing),
        cmocka_unit_test(stalls_come_first),      cmocka_unit_test(no_share),
    };
    return cmocka_run_group_tests_name("cmodel/pmiq/share", tests, NULL, NULL);
}
