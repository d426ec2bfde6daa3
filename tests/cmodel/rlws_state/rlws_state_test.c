/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/rlws_state/rlws_state_test.c: the C reference against table II of RLWS as plain.h restates it. With two edges, at what an
 * attribute should be and one above, a variable is 1 only if the attribute is that: so in random cycles each attribute is
 * compared as a number. Ratios come late: each must be what it was in one of the last LATE cycles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/rlws_state/rlws_state.h"
#include "cosim/stimulus.h"
#include "tests/cmodel/rlws_state/plain.h"

void rlws_state_stimulus(struct stimulus *, void *);

struct bench {
    struct rlws_state_state s;
    struct rlws_state_in in;
    struct rlws_state_out out;
};

static void step(struct bench *b)
{
    rlws_state_comb(&b->s, &b->in, &b->out);
    rlws_state_tick(&b->s, &b->in, &b->out);
}

/* A kernel has begun, and nothing happens. */
static struct bench begun(void)
{
    struct bench b;
    memset(&b, 0, sizeof b);
    rlws_state_reset(&b.s);
    b.in.start = 1;
    step(&b);
    b.in.start = 0;
    return b;
}

static int number_of(const char *name)
{
    for (int a = 0; a < TABLE_II_LENGTH; a++)
        if (strcmp(TABLE_II[a], name) == 0)
            return a;
    fail_msg("table II has no %s", name);
    return -1;
}

/* Is the attribute of scheduler k this number? */
static int is_number(const struct bench *b, int k, int attribute, long number)
{
    struct rlws_state_in in = b->in;
    struct rlws_state_out out;
    in.attribute[0] = (uint64_t)attribute;
    for (int e = 0; e < 7; e++)
        in.edges[e] = 1023;
    in.edges[0] = (uint64_t)number;
    in.edges[1] = (uint64_t)number + 1;
    rlws_state_comb(&b->s, &in, &out);
    return out.value[k * 8] == 1;
}

/* What the variable says of an attribute, by trying. */
static long seen(const struct bench *b, int k, const char *name)
{
    const int attribute = number_of(name);
    for (long n = 0; n <= 1022; n++)
        if (is_number(b, k, attribute, n))
            return n;
    fail_msg("%s is no number", name);
    return -1;
}

/* ---- random cycles ---- */

static void assert_attributes(const struct bench *b, const struct plain *p, uint64_t cycle)
{
    for (int k = 0; k < SCHEDULERS; k++)
        for (int a = 0; a < TABLE_II_LENGTH; a++) {
            const int ratio = is_ratio(TABLE_II[a]);
            int found = 0;
            if (ratio < 0) {
                const long number = plain_attribute(p, &b->in, k, TABLE_II[a]);
                found = is_number(b, k, a, number < 1022 ? number : 1022);
            }
            for (int c = 0; ratio >= 0 && c <= LATE && !found; c++)
                found = is_number(b, k, a, (long)p->ratio[ratio][c]);
            if (!found)
                fail_msg("cycle %lu: %s of scheduler %d is not what it should be", cycle,
                         TABLE_II[a], k);
        }
}

static int ascend(const uint64_t *edges)
{
    for (int e = 1; e < 7; e++)
        if (edges[e] < edges[e - 1])
            return 0;
    return 1;
}

static void is_table_ii_in_random_cycles(void **unused)
{
    (void)unused;
    static struct plain p;
    long buckets[8] = {0}, compared = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct stimulus random = stimulus_start(seed);
        struct bench b = begun();
        memset(&p, 0, sizeof p);
        plain_kernel(&p);
        p.begun = 1;
        random.state = &b.s;
        for (; random.cycle < 20000; stimulus_next(&random)) {
            memset(&b.in, 0, sizeof b.in);
            rlws_state_stimulus(&random, &b.in);
            for (unsigned w = 0; w < NUM_SCHEDULERS * NUM_WARPS; w++) { /* one pipeline at most */
                bit_set(b.in.next_sfu, w, bit_get(b.in.next_sfu, w) && !bit_get(b.in.next_sp, w));
                bit_set(b.in.next_gmem, w,
                        bit_get(b.in.next_gmem, w) && !bit_get(b.in.next_sp, w) &&
                            !bit_get(b.in.next_sfu, w));
                bit_set(b.in.next_stcmem, w,
                        bit_get(b.in.next_stcmem, w) && !bit_get(b.in.next_sp, w) &&
                            !bit_get(b.in.next_sfu, w) && !bit_get(b.in.next_gmem, w));
            }
            for (unsigned k = 0; k < NUM_SCHEDULERS; k++)
                b.in.issued_warp[k] %= NUM_WARPS;
            if (random.cycle % 8 == 0)
                assert_attributes(&b, &p, random.cycle);
            step(&b);
            for (int i = 0; i < 8 * SCHEDULERS; i++) {
                const uint64_t *edges = &b.in.edges[i % 8 * 7];
                const int a = (int)b.in.attribute[i % 8];
                unsigned bucket = 0;
                if (!ascend(edges) || (a < TABLE_II_LENGTH && is_ratio(TABLE_II[a]) >= 0))
                    continue;
                if (a < TABLE_II_LENGTH)
                    bucket = plain_bucket(edges, plain_attribute(&p, &b.in, i / 8, TABLE_II[a]));
                assert_int_equal(b.out.value[i], bucket);
                buckets[bucket]++;
                compared++;
            }
            plain_cycle(&p, &b.in);
        }
    }
    printf("%ld values compared; in buckets 0 to 7:", compared);
    for (int i = 0; i < 8; i++) {
        printf(" %ld", buckets[i]);
        assert_true(buckets[i] > 100);
    }
    printf("\n");
}

/* ---- warps, one by one ---- */

/* Slot 0 of the last scheduler has a warp that could issue `class`. */
static void one_warp(struct bench *b, unsigned slot, unsigned class)
{
    bit_set(b->in.occupied, slot, 1);
    bit_set(b->in.running, slot, 1);
    bit_set(b->in.buffered, slot, 1);
    bit_set(b->in.clear, slot, 1);
    bit_set(b->in.next_sp, slot, class == 0);
    bit_set(b->in.next_sfu, slot, class == 1);
    bit_set(b->in.next_gmem, slot, class == 2);
    bit_set(b->in.next_stcmem, slot, class == 3);
}

/* These attributes are 1, all others of warps are 0. */
static void assert_only(const struct bench *b, int k, const char *names)
{
    static const char *const of_warps[] = {"RLMI",  "RGMI",  "RSTCMI", "RSFI",  "RSPI",  "NIW",
                                           "NSW",   "NFSFI", "NFMI",   "NRSPI", "NRGMI", "NRSTCMI",
                                           "NRSFI", "NWI",   "NPS",    "NMPS",  "NSFPS", "NSPPS",
                                           "NRI",   "NWS",   "NRAI",   "STBRMI"};
    char wanted[300], one[20];
    snprintf(wanted, sizeof wanted, " %s ", names);
    for (size_t i = 0; i < sizeof of_warps / sizeof *of_warps; i++) {
        snprintf(one, sizeof one, " %s ", of_warps[i]);
        const long number = seen(b, k, of_warps[i]);
        if (number != (strstr(wanted, one) != NULL))
            fail_msg("%s is %ld, but these should be 1: %s", of_warps[i], number, names);
    }
}

static void a_warp_counts_where_it_should(void **unused)
{
    (void)unused;
    const int last = SCHEDULERS - 1;
    const unsigned slot = (unsigned)last * WARPS + WARPS - 1;
    static const char *const ready[] = {"RSPI NRSPI NRI NWS NRAI", "RSFI NRSFI NRI NWS NRAI NFSFI",
                                        "RGMI NRGMI NRI NWS NFMI", "RSTCMI NRSTCMI NRI NWS NFMI"},
                             *const busy[] = {"NWS NPS NSPPS", "NWS NPS NSFPS NFSFI",
                                              "NWS NPS NMPS NFMI", "NWS NPS NMPS NFMI"},
                             *const waits[] = {"NWS NWI", "NWS NWI NFSFI", "NWS NWI NFMI",
                                               "NWS NWI NFMI"};
    for (unsigned class = 0; class < 4; class ++) {
        struct bench b = begun();
        one_warp(&b, slot, class);
        assert_only(&b, last, busy[class]); /* no pipeline takes anything */
        memset(b.in.takes_sp, 0xff, sizeof b.in.takes_sp);
        b.in.takes_sfu = b.in.takes_mem = 1;
        assert_only(&b, last, ready[class]);
        if (SCHEDULERS > 1)
            assert_only(&b, 0, "");
        bit_set(b.in.clear, slot, 0);
        assert_only(&b, last, waits[class]);
        bit_set(b.in.buffered, slot, 0);
        assert_only(&b, last, "NWS NIW");
        bit_set(b.in.running, slot, 0); /* at a barrier, or not begun */
        bit_set(b.in.split, slot, 1);
        assert_only(&b, last, "NIW NSW");
        bit_set(b.in.buffered, slot, 1);
        bit_set(b.in.clear, slot, 1);
        assert_only(&b, last, "NSW");
    }
}

static void a_load_that_has_missed_is_long(void **unused)
{
    (void)unused;
    const uint64_t most = 1 << (LOAD_BITS - 1);
    for (uint64_t load = 0; load < 1 << LOAD_BITS; load++) {
        struct bench b = begun();
        one_warp(&b, 0, 2);
        b.in.takes_mem = 1;
        b.in.next_load[0] = b.in.missed_load = load;
        b.in.access = 1; /* a hit */
        step(&b);
        assert_int_equal(seen(&b, 0, "RLMI"), 0);
        b.in.miss = 1;
        step(&b);
        const int noted = load >= 1 && load <= most;
        assert_int_equal(seen(&b, 0, "RLMI"), noted);
        b.in.takes_mem = 0;
        assert_int_equal(seen(&b, 0, "RLMI"), 0);
        b.in.takes_mem = 1;
        for (uint64_t other = 0; other < 1 << LOAD_BITS; other++) {
            b.in.next_load[0] = other;
            assert_int_equal(seen(&b, 0, "RLMI"), noted && other == load);
        }
        b.in.next_load[0] = load;
        b.in.start = 1; /* the next kernel has other loads */
        step(&b);
        assert_int_equal(seen(&b, 0, "RLMI"), 0);
    }
}

static void the_block_of_the_last_memory_instruction(void **unused)
{
    (void)unused;
    struct bench b = begun();
    for (unsigned w = 0; w < 3; w++) {
        one_warp(&b, w, 2 + w % 2);
        b.in.block[w] = w == 2 ? 5 : 9;
    }
    b.in.takes_mem = 1;
    assert_int_equal(seen(&b, 0, "STBRMI"), 0); /* there was none */
    bit_set(b.in.issued, 0, 1);
    b.in.issue_class[0] = rlws_state_issue_class_sp;
    step(&b);
    assert_int_equal(seen(&b, 0, "STBRMI"), 0);
    b.in.issue_class[0] = rlws_state_issue_class_gmem;
    step(&b);
    assert_int_equal(seen(&b, 0, "STBRMI"), 2);
    b.in.issued_warp[0] = 2;
    b.in.issue_class[0] = rlws_state_issue_class_stcmem;
    step(&b);
    assert_int_equal(seen(&b, 0, "STBRMI"), 1);
    if (SCHEDULERS > 1) { /* of two in a cycle the higher scheduler's is the last */
        b.in.block[WARPS] = 9;
        bit_set(b.in.issued, 1, 1);
        b.in.issue_class[1] = rlws_state_issue_class_gmem;
        step(&b);
        assert_int_equal(seen(&b, 0, "STBRMI"), 2);
    }
}

/* ---- the SM ---- */

static void memory_instructions_are_in_flight(void **unused)
{
    (void)unused;
    struct bench b = begun();
    bit_set(b.in.issued, 0, 1);
    b.in.issue_class[0] = rlws_state_issue_class_gmem;
    for (long n = 1; n <= 1100; n++) {
        step(&b);
        assert_int_equal(seen(&b, SCHEDULERS - 1, "SMNMIE"), n < 1022 ? n : 1022);
    }
    b.in.completed = 3;
    step(&b);
    assert_int_equal(b.s.in_flight, 1023 + 1 - 3);
    bit_set(b.in.issued, 0, 0);
    b.in.completed = 1000;
    step(&b);
    assert_int_equal(b.s.in_flight, 21);
    b.in.start = 1; /* a kernel begins: what is in flight stays so */
    b.in.completed = 1;
    step(&b);
    assert_int_equal(b.s.in_flight, 20);
    b.in.completed = 21;
    step(&b);
    assert_int_equal(b.s.in_flight, 0);
}

static void blocks_wait_and_end(void **unused)
{
    (void)unused;
    struct bench b;
    memset(&b, 0, sizeof b);
    rlws_state_reset(&b.s);
    assert_int_equal(seen(&b, 0, "TBW"), 0);
    b = begun();
    assert_int_equal(seen(&b, 0, "TBW"), 1);
    assert_int_equal(seen(&b, 0, "NTF"), 1);
    b.in.block_end = b.in.last_block = 1;
    step(&b);
    b.in.block_end = b.in.last_block = 0;
    step(&b);
    assert_int_equal(b.s.waiting, 0);
    for (int k = 0; k < SCHEDULERS; k++) {
        assert_int_equal(seen(&b, k, "TBW"), 0);
        assert_int_equal(seen(&b, k, "NTF"), 0);
        assert_int_equal(seen(&b, k, "ATBWB"), 0);
        assert_int_equal(seen(&b, k, "ATBWF"), 0);
    }
    bit_set(b.in.at_barrier, SCHEDULERS * WARPS - 1, 1); /* of any scheduler: a block spans them */
    bit_set(b.in.done, 0, 1);
    for (int k = 0; k < SCHEDULERS; k++) {
        assert_int_equal(seen(&b, k, "ATBWB"), 1);
        assert_int_equal(seen(&b, k, "ATBWF"), 1);
    }
    b.in.start = b.in.last_block = 1; /* a kernel whose blocks are all handed out at once */
    step(&b);
    assert_int_equal(seen(&b, 0, "TBW"), 0);
    assert_int_equal(seen(&b, 0, "NTF"), 1);
}

static void the_gpu_is_seen_as_told(void **unused)
{
    (void)unused;
    struct bench b = begun();
    b.in.agml = 800;
    b.in.l2mp = 100;
    b.in.gnmie = 1023; /* that and 1022 are the same */
    assert_int_equal(seen(&b, 0, "AGML"), 800);
    assert_int_equal(seen(&b, 0, "L2MP"), 100);
    assert_int_equal(seen(&b, 0, "GNMIE"), 1022);
}

/* ---- ratios ---- */

/* Each of them is exact when nothing has happened for so long, and the unit rests; and at the worst no sooner. */
static void ratios_are_late_by_so_much(void **unused)
{
    (void)unused;
    static struct plain p;
    int latest = 0;
    struct stimulus random = stimulus_start(3);
    struct bench b = begun();
    plain_kernel(&p);
    for (int burst = 0; burst < 3000; burst++) {
        for (int c = (int)stimulus_below(&random, 2 * LATE); c >= 0; c--) {
            b.in.access = (uint64_t)!stimulus_once_in(&random, 3);
            b.in.miss = (uint64_t)stimulus_once_in(&random, 3);
            for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
                bit_set(b.in.issued, k, stimulus_once_in(&random, 2));
                b.in.issue_class[k] = stimulus_below(&random, 4);
                bit_set(b.in.fetch, k, stimulus_once_in(&random, 2));
                bit_set(b.in.fetch_miss, k, stimulus_once_in(&random, 4));
            }
            step(&b);
            plain_cycle(&p, &b.in);
        }
        b.in.access = 0;
        memset(b.in.issued, 0, sizeof b.in.issued);
        memset(b.in.fetch, 0, sizeof b.in.fetch);
        for (int c = 0; c < LATE; c++) {
            int late = 0;
            for (int r = 0; r < 4; r++)
                late |= !is_number(&b, 0, number_of(RATIO[r]), (long)p.ratio[r][0]);
            latest = late && c + 1 > latest ? c + 1 : latest;
            step(&b);
        }
        rlws_state_comb(&b.s, &b.in, &b.out);
        assert_false(b.out.busy);
        for (int r = 0; r < 4; r++)
            assert_true(is_number(&b, 0, number_of(RATIO[r]), (long)p.ratio[r][0]));
    }
    printf("ratios of counts of %d bits are late by at most %d cycles; seen: %d\n", RLWS_COUNT_BITS,
           LATE, latest);
    assert_in_range(latest, LATE - 8, LATE);
}

static void nothing_per_nothing(void **unused)
{
    (void)unused;
    struct bench b = begun();
    for (int n = 0; n < 2; n++) {
        assert_int_equal(seen(&b, 0, "ICMP"), 0);
        assert_int_equal(seen(&b, 0, "L1MP"), 0);
        assert_int_equal(seen(&b, 0, "NIPL1M"), 1022);
        assert_int_equal(seen(&b, 0, "NAIPMI"), 1022);
        bit_set(b.in.issued, 0,
                n == 0); /* an instruction, and nothing that it could be divided by */
        for (int c = 0; c <= LATE; c++) {
            step(&b);
            bit_set(b.in.issued, 0, 0);
        }
    }
}

/* Of events that come at a rate which does not change, a ratio stays near it: how near, depends on the bits of the counts. */
static void ratios_stay_near_the_rate(void **unused)
{
    (void)unused;
    struct bench b = begun();
    struct stimulus random = stimulus_start(5);
    double off[2] = {0}, sum[2] = {0};
    const int cycles = 400000, begins = 40000;
    for (int cycle = 0; cycle < cycles; cycle++) {
        b.in.access = 1;
        b.in.miss = stimulus_below(&random, 100) < 30;
        bit_set(b.in.issued, 0, 1);
        b.in.issue_class[0] =
            stimulus_once_in(&random, 8) ? rlws_state_issue_class_gmem : rlws_state_issue_class_sp;
        step(&b);
        const double miss = (double)b.s.percent[1], alu = (double)b.s.quotient[1];
        if (cycle < begins)
            continue;
        off[0] = fmax(off[0], fabs(miss - 30));
        off[1] = fmax(off[1], fabs(alu - 7));
        sum[0] += miss;
        sum[1] += alu;
    }
    printf("%d bits: 30 %% is %.1f on average, off by %.0f at most; 7 per 1 is %.2f, off by %.0f\n",
           RLWS_COUNT_BITS, sum[0] / (cycles - begins), off[0], sum[1] / (cycles - begins), off[1]);
    const double noise = 5 * sqrt(0.3 * 0.7 / pow(2, RLWS_COUNT_BITS - 1));
    assert_true(off[0] <= 100 * noise + 2);
}

/* ---- buckets ---- */

static void buckets_of_the_paper(void **unused)
{
    (void)unused;
    struct bench b = begun();
    static const uint64_t four[] = {10, 30, 60};
    memset(b.in.edges, 0xff, sizeof b.in.edges);
    for (int i = 0; i < 8 * 7; i++)
        b.in.edges[i] = i < 3 ? four[i] : 1023;
    b.in.attribute[0] = (uint64_t)number_of("L2MP");
    b.in.attribute[1] = 34; /* nothing */
    b.in.edges[7] = 0;
    for (uint64_t percent = 0; percent <= 100; percent++) { /* IV-B: 0-9, 10-29, 30-59, 60-100 */
        b.in.l2mp = percent;
        step(&b);
        assert_int_equal(b.out.value[0], percent <= 9    ? 0
                                         : percent <= 29 ? 1
                                         : percent <= 59 ? 2
                                                         : 3);
        assert_int_equal(b.out.value[1], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_table_ii_in_random_cycles),
        cmocka_unit_test(a_warp_counts_where_it_should),
        cmocka_unit_test(a_load_that_has_missed_is_long),
        cmocka_unit_test(the_block_of_the_last_memory_instruction),
        cmocka_unit_test(memory_instructions_are_in_flight),
        cmocka_unit_test(blocks_wait_and_end),
        cmocka_unit_test(the_gpu_is_seen_as_told),
        cmocka_unit_test(ratios_are_late_by_so_much),
        cmocka_unit_test(nothing_per_nothing),
        cmocka_unit_test(ratios_stay_near_the_rate),
        cmocka_unit_test(buckets_of_the_paper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
