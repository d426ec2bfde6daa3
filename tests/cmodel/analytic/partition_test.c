/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/partition_test.c: the partitions of an SM between two kernels, restated: all pairs of blocks are written down,
 * those that do not fit crossed out, and a pair is right if no other one that is left beats it by the rule's words (thesis 8.6). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/analytic/partition.h"
#include "tests/cmodel/analytic/numbers.h"

#define MOST 16 /* blocks of a kernel that the pages have room for */

/* A page of pairs: warps of each kernel, or 0 where the pair is crossed out. */
struct page {
    uint64_t first[MOST + 1][MOST + 1], second[MOST + 1][MOST + 1];
    uint64_t most;
};

static void write_down(struct page *p, const struct partition_kernel k[2],
                       const uint64_t *available, unsigned num)
{
    memset(p, 0, sizeof *p);
    for (uint64_t a = 1; a <= MOST; a++)
        for (uint64_t b = 1; b <= MOST; b++) {
            int crossed = 0;
            for (unsigned r = 0; r < num; r++)
                crossed |= a * k[0].needed[r] + b * k[1].needed[r] > available[r];
            if (crossed)
                continue;
            p->first[a][b] = a * k[0].warps;
            p->second[a][b] = b * k[1].warps;
            if (p->first[a][b] + p->second[a][b] > p->most)
                p->most = p->first[a][b] + p->second[a][b];
        }
}

static int64_t apart(const struct page *p, uint64_t a, uint64_t b)
{
    const int64_t d = (int64_t)p->first[a][b] - (int64_t)p->second[a][b];
    return d < 0 ? -d : d;
}

static uint64_t together(const struct page *p, uint64_t a, uint64_t b)
{
    return p->first[a][b] + p->second[a][b];
}

/* Is the pair on the page, and does no other one beat it? */
static void check(const struct page *p, enum partition_rule rule, const uint64_t blocks[2])
{
    const uint64_t a = blocks[0], b = blocks[1],
                   least = rule == PARTITION_MAX ? p->most
                           : p->most > 6         ? p->most - 6
                                                 : 0;
    assert_in_range(a, 1, MOST);
    assert_in_range(b, 1, MOST);
    assert_int_not_equal(p->first[a][b], 0);
    assert_true(together(p, a, b) >= least);
    for (uint64_t x = 1; x <= MOST; x++)
        for (uint64_t y = 1; y <= MOST; y++) {
            if (!p->first[x][y] || together(p, x, y) < least || (x == a && y == b))
                continue;
            assert_true(apart(p, a, b) <= apart(p, x, y));
            if (apart(p, a, b) != apart(p, x, y))
                continue;
            assert_true(together(p, a, b) >= together(p, x, y));
            assert_true(together(p, a, b) > together(p, x, y) || a > x);
        }
}

/* SMs of 48 warps, 8 blocks, registers and shared memory, as in the thesis (table 8.1), and all kinds of kernels. */
static void no_other_pair_is_better(void **unused)
{
    (void)unused;
    const uint64_t available[4] = {8, 48, 32768, 49152};
    unsigned fit = 0, none = 0;
    for (unsigned round = 0; round < 20000; round++) {
        struct partition_kernel k[2];
        for (unsigned i = 0; i < 2; i++) {
            k[i].warps = 1 + random_below(16);
            k[i].needed[0] = 1;
            k[i].needed[1] = k[i].warps;
            k[i].needed[2] = k[i].warps * 32 * (1 + random_below(63));
            k[i].needed[3] = random_below(4) ? random_below(20000) : 0;
        }
        struct page p;
        uint64_t blocks[2][2] = {{77, 77}, {77, 77}};
        write_down(&p, k, available, 4);
        for (unsigned rule = 0; rule < NUM_PARTITION_RULES; rule++) {
            const int failed = partition((enum partition_rule)rule, k, available, 4, blocks[rule]);
            assert_int_equal(failed, p.most ? 0 : -1);
            if (!failed)
                check(&p, (enum partition_rule)rule, blocks[rule]);
            else
                assert_true(blocks[rule][0] == 77 && blocks[rule][1] == 77);
        }
        fit += p.most != 0;
        none += p.most == 0;
    }
    assert_true(fit > 1000 && none > 100);
}

/* By hand: kernels of 6 and 8 warps, nothing but slots for 48 warps and 8 blocks. 48 = 4 * 6 + 3 * 8, even at that. */
static void by_hand(void **unused)
{
    (void)unused;
    const struct partition_kernel k[2] = {{6, {1, 6}}, {8, {1, 8}}};
    const uint64_t available[2] = {8, 48};
    uint64_t blocks[2];
    assert_int_equal(partition(PARTITION_MAX, k, available, 2, blocks), 0);
    assert_int_equal(blocks[0], 4);
    assert_int_equal(blocks[1], 3);
    /* Kernels of 10 and 7 warps. */
    const struct partition_kernel large[2] = {{10, {1, 10}}, {7, {1, 7}}};
    assert_int_equal(partition(PARTITION_MAX, large, available, 2, blocks), 0);
    assert_int_equal(blocks[0], 2); /* 20 + 28 = 48, all there is */
    assert_int_equal(blocks[1], 4);
    assert_int_equal(partition(PARTITION_EVEN, large, available, 2, blocks), 0);
    assert_int_equal(
        blocks[0],
        2); /* 20 and 21 differ least, but are 41, and 42 is what EVEN wants; 20 + 28 differ by 8, 30 + 14 by 16 */
    assert_int_equal(blocks[1], 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_other_pair_is_better),
        cmocka_unit_test(by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
