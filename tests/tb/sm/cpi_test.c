/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/sm/cpi_test.c: the counts of tb/sm/cpi.h, which go by changes of state, against plain ones,
 * which look at each slot in each step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tb/sm/cpi.h"

static uint64_t seed = 1;
static uint64_t bits(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return seed >> 16;
}

/* What each slot is in: a class, or NUM_CPI_CLASSES, and a pipeline, or CPI_PIPELINES. */
struct slot {
    unsigned class, pipeline;
};

static void enter(struct cpi_counters *c, unsigned slot, const struct slot *s, uint64_t now)
{
    const unsigned pipeline = s->pipeline < CPI_PIPELINES ? s->pipeline + 1 : 0;
    cpi_enter(c, slot,
              s->class < NUM_CPI_CLASSES ? cpi_state((enum cpi_class)s->class, pipeline)
                                         : CPI_NO_WARP,
              now);
}

/* Some slots go elsewhere; only warps that wait for a register, or for nothing, want a pipeline. */
static void move_some(struct slot slots[64])
{
    for (unsigned i = 0; i < 64; i++) {
        if (bits() % 4)
            continue;
        do /* nobody is in the class that issues: cpi_issue counts that cycle */
            slots[i].class = (unsigned)(bits() % (NUM_CPI_CLASSES + 1));
        while (slots[i].class == CPI_issued);
        slots[i].pipeline = slots[i].class >= CPI_data_mem && slots[i].class < NUM_CPI_CLASSES
                                ? (unsigned)(bits() % (CPI_PIPELINES + 1))
                                : CPI_PIPELINES;
    }
}

static uint64_t plain[NUM_CPI_CLASSES + 1][64];

/* Cycles of a slot, some of which its pipeline refuses. */
static void add_plain(unsigned slot, const struct slot *s, const uint64_t refused_by[CPI_PIPELINES],
                      uint64_t cycles)
{
    static const unsigned structural[] = {CPI_struct_sp, CPI_struct_sfu, CPI_struct_mem};
    const uint64_t refused = s->pipeline < CPI_PIPELINES ? refused_by[s->pipeline] : 0;
    plain[s->class][slot] += cycles - refused;
    if (refused)
        plain[structural[s->pipeline]][slot] += refused;
}

/* In one cycle warps issue that could, and whose pipeline takes an instruction. */
static void issue_some(struct cpi_counters *c, const struct slot slots[64], uint64_t cycles,
                       const uint64_t refused[CPI_PIPELINES])
{
    if (cycles != 1)
        return;
    for (unsigned i = 0; i < 64; i++) {
        if (slots[i].class != CPI_not_selected || slots[i].pipeline == CPI_PIPELINES ||
            refused[slots[i].pipeline] || bits() % 4)
            continue;
        cpi_issue(c, i);
        plain[CPI_issued][i]++;
        plain[CPI_not_selected][i]--;
    }
}

static void assert_totals(const struct cpi_counters *c, uint64_t now, const struct cpi_sums *ended)
{
    uint64_t totals[NUM_CPI_CLASSES];
    cpi_totals(c, now, totals);
    for (unsigned i = 0; i < NUM_CPI_CLASSES; i++) { /* with those of warps that have not ended */
        uint64_t all = ended->cycles[i];
        for (unsigned slot = 0; slot < 64; slot++)
            all += plain[i][slot];
        assert_true(all > ended->cycles[i]);
        assert_int_equal(totals[i], all);
    }
}

/* Since when each pipeline takes nothing, and from which cycle on it does again. */
struct busy {
    uint64_t since[CPI_PIPELINES], free[CPI_PIPELINES];
};

/* Some pipelines that are free take an instruction, and nothing more from this cycle on. */
static void take_some(struct cpi_counters *c, struct busy *b, uint64_t from)
{
    for (unsigned i = 0; i < CPI_PIPELINES; i++)
        if (b->free[i] <= from && bits() % 3 == 0) {
            b->since[i] = from;
            b->free[i] = from + bits() % (1u << bits() % 12);
            cpi_take(c, i + 1, from, b->free[i]);
        }
}

/* In how many of these cycles each takes nothing. */
static void refusals(const struct busy *b, uint64_t from, uint64_t until,
                     uint64_t refused[CPI_PIPELINES])
{
    for (unsigned i = 0; i < CPI_PIPELINES; i++) {
        const uint64_t first = b->since[i] > from ? b->since[i] : from,
                       end = b->free[i] < until ? b->free[i] : until;
        refused[i] = end > first ? end - first : 0;
    }
}

static void counts_equal_plain_ones(void **state)
{
    (void)state;
    static struct cpi_counters c;
    struct slot slots[64];
    struct busy busy = {0};
    struct cpi_sums sums = {0}, expected = {0};
    for (unsigned i = 0; i < 64; i++)
        slots[i] = (struct slot){NUM_CPI_CLASSES, CPI_PIPELINES};
    uint64_t now = 1000, cycles;
    for (unsigned step = 0; step < 100000; step++, now += cycles) {
        cycles = bits() % 8 ? 1 : bits() % (1u << bits() % 24);
        if (bits() % 4)
            move_some(slots);
        if (bits() % 2) /* another scheduler's warp issues in this cycle */
            take_some(&c, &busy, now);
        uint64_t refused[CPI_PIPELINES];
        refusals(&busy, now, now + cycles, refused);
        for (unsigned slot = 0; slot < 64; slot++) /* those, too, that stay as they are */
            enter(&c, slot, &slots[slot], now);
        issue_some(&c, slots, cycles, refused);
        for (unsigned slot = 0; slot < 64; slot++)
            add_plain(slot, &slots[slot], refused, cycles);
        if (bits() % 2) /* an own one has, in the last of them */
            take_some(&c, &busy, now + cycles);
        if (step % 100)
            continue;
        const unsigned slot = (unsigned)bits() % 64;
        cpi_end(&c, slot, now + cycles, &sums);
        expected.warps += plain[CPI_issued][slot] > 0;
        for (unsigned i = 0; i < NUM_CPI_CLASSES; i++) {
            expected.cycles[i] += plain[i][slot];
            if (plain[CPI_issued][slot])
                expected.mean[i] += plain[i][slot] * (1u << CPI_FRACTION) / plain[CPI_issued][slot];
        }
        for (unsigned i = 0; i < NUM_CPI_CLASSES; i++)
            plain[i][slot] = 0;
        if (step % 1000 == 0 && step)
            assert_totals(&c, now + cycles, &expected);
    }
    assert_memory_equal(&sums, &expected, sizeof sums);
    assert_totals(&c, now, &expected);
    for (unsigned i = 0; i < NUM_CPI_CLASSES; i++) {
        const int structural = i >= CPI_struct_sp && i <= CPI_struct_mem;
        /* Warps issue in single cycles, and a pipeline is busy for 2,048 cycles at most. */
        assert_true(sums.cycles[i] > (i == CPI_issued ? 10000 : structural ? 20000 : 1000000));
    }
    assert_true(sums.warps > 900);
}

static void a_slot_that_ended_starts_from_zero(void **state)
{
    (void)state;
    static struct cpi_counters c;
    struct cpi_sums sums = {0};
    cpi_enter(&c, 1, cpi_state(CPI_done, 0), 500);
    cpi_enter(&c, 2, cpi_state(CPI_barrier, 0), 500);
    cpi_enter(&c, 1, cpi_state(CPI_not_selected, 0), 1500);
    cpi_enter(&c, 2, cpi_state(CPI_done, 0), 1500);
    cpi_issue(&c, 1);
    cpi_end(&c, 1, 2500, &sums);
    assert_int_equal(sums.cycles[CPI_issued], 1);
    assert_int_equal(sums.cycles[CPI_not_selected], 999);
    assert_int_equal(sums.cycles[CPI_done], 1000);
    cpi_end(&c, 1, 2500, &sums);
    assert_int_equal(sums.cycles[CPI_issued], 1);
    assert_int_equal(sums.cycles[CPI_not_selected], 999);
    assert_int_equal(sums.warps, 1);
    cpi_end(&c, 2, 2500, &sums);
    assert_int_equal(sums.cycles[CPI_issued], 1);
    assert_int_equal(sums.cycles[CPI_barrier], 1000);
    assert_int_equal(sums.cycles[CPI_done], 2000);
    assert_int_equal(sums.warps, 1);
}

/* The same state lasts from before a warp's end until after the next one's: nothing of the first is
 * the second's. */
static void a_state_goes_on_after_the_end(void **state)
{
    (void)state;
    static struct cpi_counters c;
    struct cpi_sums sums = {0};
    cpi_enter(&c, 0, cpi_state(CPI_data_exe, CPI_MEM), 0);
    cpi_take(&c, CPI_MEM, 0, 5);
    cpi_end(&c, 0, 12, &sums);
    assert_int_equal(sums.cycles[CPI_struct_mem], 5);
    assert_int_equal(sums.cycles[CPI_data_exe], 7);
    cpi_take(&c, CPI_MEM, 112, 1112);
    cpi_end(&c, 0, 1112, &sums);
    assert_int_equal(sums.cycles[CPI_struct_mem], 1005);
    assert_int_equal(sums.cycles[CPI_data_exe], 107);
    assert_int_equal(sums.warps, 0);
}

/* A warp that has not ended leaves nothing behind, and neither do sums of those that have. */
static void a_reset_leaves_nothing(void **state)
{
    (void)state;
    for (unsigned ended = 0; ended < 2; ended++) {
        struct cpi_counters c = {0};
        struct cpi_sums sums = {0};
        uint64_t totals[NUM_CPI_CLASSES];
        cpi_enter(&c, 3, cpi_state(CPI_not_selected, CPI_SP), 10);
        cpi_issue(&c, 3);
        if (ended) {
            cpi_end(&c, 3, 20, &sums);
            cpi_enter(&c, 3, CPI_NO_WARP, 20);
        }
        cpi_totals(&c, 30, totals);
        assert_int_equal(totals[CPI_not_selected], ended ? 9 : 19);
        cpi_take(&c, CPI_MEM, 30, 42);
        cpi_reset(&c);
        cpi_enter(&c, 3, cpi_state(CPI_not_selected, CPI_MEM), 40);
        cpi_totals(&c, 45, totals);
        for (unsigned i = 0; i < NUM_CPI_CLASSES; i++) /* the pipeline is busy as long as it was */
            assert_int_equal(totals[i], i == CPI_not_selected ? 3 : i == CPI_struct_mem ? 2 : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_equal_plain_ones),
        cmocka_unit_test(a_slot_that_ended_starts_from_zero),
        cmocka_unit_test(a_state_goes_on_after_the_end),
        cmocka_unit_test(a_reset_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
