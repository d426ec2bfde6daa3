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

static struct cpi_masks masks_of(const struct slot slots[64])
{
    struct cpi_masks m = {0};
    for (unsigned i = 0; i < 64; i++) {
        if (slots[i].class < NUM_CPI_CLASSES)
            m.slots[slots[i].class] |= UINT64_C(1) << i;
        if (slots[i].pipeline < CPI_PIPELINES)
            m.wants[slots[i].pipeline] |= UINT64_C(1) << i;
    }
    return m;
}

/* Some slots go elsewhere; only warps that wait for a register, or for nothing, want a pipeline. */
static void move_some(struct slot slots[64])
{
    for (unsigned i = 0; i < 64; i++) {
        if (bits() % 4)
            continue;
        slots[i].class = (unsigned)(bits() % (NUM_CPI_CLASSES + 1));
        slots[i].pipeline = slots[i].class >= CPI_data_mem && slots[i].class < NUM_CPI_CLASSES
                                ? (unsigned)(bits() % (CPI_PIPELINES + 1))
                                : CPI_PIPELINES;
    }
}

static uint64_t plain[NUM_CPI_CLASSES + 1][64];

/* Cycles of a slot, some of which its pipeline refuses. */
static void add_plain(unsigned slot, const struct slot *s, const struct cpi_masks *m,
                      uint64_t cycles)
{
    static const unsigned structural[] = {CPI_struct_sp, CPI_struct_sfu, CPI_struct_mem};
    const uint64_t refused = s->pipeline < CPI_PIPELINES ? m->refused[s->pipeline] : 0;
    plain[s->class][slot] += cycles - refused;
    if (refused)
        plain[structural[s->pipeline]][slot] += refused;
}

static void assert_totals(const struct cpi_counters *c, const struct cpi_sums *ended)
{
    uint64_t totals[NUM_CPI_CLASSES];
    cpi_totals(c, totals);
    for (unsigned i = 0; i < NUM_CPI_CLASSES; i++) { /* with those of warps that have not ended */
        uint64_t all = ended->cycles[i];
        for (unsigned slot = 0; slot < 64; slot++)
            all += plain[i][slot];
        assert_true(all > ended->cycles[i]);
        assert_int_equal(totals[i], all);
    }
}

static void counts_equal_plain_ones(void **state)
{
    (void)state;
    static struct cpi_counters c;
    struct slot slots[64];
    struct cpi_sums sums = {0}, expected = {0};
    for (unsigned i = 0; i < 64; i++)
        slots[i] = (struct slot){NUM_CPI_CLASSES, CPI_PIPELINES};
    for (unsigned step = 0; step < 100000; step++) {
        const uint64_t cycles = bits() % 8 ? 1 : bits() % (1u << bits() % 24);
        if (bits() % 4)
            move_some(slots);
        struct cpi_masks m = masks_of(slots);
        for (unsigned i = 0; i < CPI_PIPELINES; i++)
            m.refused[i] = bits() % 2 ? bits() % (cycles + 1) : bits() % 2 * cycles;
        cpi_count(&c, &m, cycles);
        for (unsigned slot = 0; slot < 64; slot++)
            add_plain(slot, &slots[slot], &m, cycles);
        if (step % 100)
            continue;
        const unsigned slot = (unsigned)bits() % 64;
        cpi_end(&c, slot, &sums);
        expected.warps += plain[CPI_issued][slot] > 0;
        for (unsigned i = 0; i < NUM_CPI_CLASSES; i++) {
            expected.cycles[i] += plain[i][slot];
            if (plain[CPI_issued][slot])
                expected.mean[i] += plain[i][slot] * (1u << CPI_FRACTION) / plain[CPI_issued][slot];
        }
        for (unsigned i = 0; i < NUM_CPI_CLASSES; i++)
            plain[i][slot] = 0;
        if (step % 1000 == 0 && step)
            assert_totals(&c, &expected);
    }
    assert_memory_equal(&sums, &expected, sizeof sums);
    assert_totals(&c, &expected);
    for (unsigned i = 0; i < NUM_CPI_CLASSES; i++)
        assert_true(sums.cycles[i] > 1000000);
    assert_true(sums.warps > 900);
}

static void a_slot_that_ended_starts_from_zero(void **state)
{
    (void)state;
    static struct cpi_counters c;
    struct cpi_sums sums = {0};
    struct cpi_masks m = {.slots = {[CPI_issued] = 4, [CPI_done] = 2}};
    cpi_count(&c, &m, 1000);
    m = (struct cpi_masks){.slots = {[CPI_issued] = 2, [CPI_done] = 4}};
    cpi_count(&c, &m, 1000);
    cpi_end(&c, 1, &sums);
    assert_int_equal(sums.cycles[CPI_issued], 1000);
    assert_int_equal(sums.cycles[CPI_done], 1000);
    cpi_end(&c, 1, &sums);
    assert_int_equal(sums.cycles[CPI_issued], 1000);
    assert_int_equal(sums.warps, 1);
    cpi_end(&c, 2, &sums);
    assert_int_equal(sums.cycles[CPI_issued], 2000);
    assert_int_equal(sums.cycles[CPI_done], 2000);
}

/* The same state lasts from before a warp's end until after the next one's: nothing of the first is
 * the second's. */
static void a_state_goes_on_after_the_end(void **state)
{
    (void)state;
    static struct cpi_counters c;
    struct cpi_sums sums = {0};
    struct cpi_masks m = {.slots = {[CPI_data_exe] = 1}, .wants = {[2] = 1}, .refused = {[2] = 5}};
    cpi_count(&c, &m, 5);
    m.refused[2] = 0;
    cpi_count(&c, &m, 7);
    cpi_end(&c, 0, &sums);
    assert_int_equal(sums.cycles[CPI_struct_mem], 5);
    assert_int_equal(sums.cycles[CPI_data_exe], 7);
    cpi_count(&c, &m, 100);
    m.refused[2] = 1000;
    cpi_count(&c, &m, 1000);
    cpi_end(&c, 0, &sums);
    assert_int_equal(sums.cycles[CPI_struct_mem], 1005);
    assert_int_equal(sums.cycles[CPI_data_exe], 107);
    assert_int_equal(sums.warps, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_equal_plain_ones),
        cmocka_unit_test(a_slot_that_ended_starts_from_zero),
        cmocka_unit_test(a_state_goes_on_after_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
