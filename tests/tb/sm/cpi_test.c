/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/sm/cpi_test.c: the bit-sliced counters of tb/sm/cpi.h against plain ones. */
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

static void counts_equal_plain_ones(void **state)
{
    (void)state;
    static struct cpi_counters sliced;
    static uint64_t plain[NUM_CPI_CLASSES][64];
    struct cpi_sums sums = {0}, expected = {0};
    for (unsigned step = 0; step < 200000; step++) {
        static struct cpi_masks m;
        const uint64_t cycles = bits() % 8 ? 1 : bits() % (1u << bits() % 24);
        for (unsigned i = 0; i < NUM_CPI_CLASSES; i++)
            m.slots[i] = bits() % 4 ? m.slots[i] : bits() << 16 & bits() << 8;
        m.slots[CPI_issued] = bits() % 2 ? UINT64_C(1) << bits() % 64 : 0;
        cpi_count(&sliced, &m, cycles);
        for (unsigned i = 0; i < NUM_CPI_CLASSES; i++)
            for (unsigned slot = 0; slot < 64; slot++)
                plain[i][slot] += m.slots[i] >> slot & 1 ? cycles : 0;
        if (step % 100)
            continue;
        const unsigned slot = (unsigned)bits() % 64;
        cpi_end(&sliced, slot, &sums);
        expected.warps += plain[CPI_issued][slot] > 0;
        for (unsigned i = 0; i < NUM_CPI_CLASSES; i++) {
            expected.cycles[i] += plain[i][slot];
            if (plain[CPI_issued][slot])
                expected.mean[i] += plain[i][slot] * (1u << CPI_FRACTION) / plain[CPI_issued][slot];
        }
        for (unsigned i = 0; i < NUM_CPI_CLASSES; i++)
            plain[i][slot] = 0;
    }
    assert_memory_equal(&sums, &expected, sizeof sums);
    uint64_t totals[NUM_CPI_CLASSES];
    cpi_totals(&sliced, totals);
    for (unsigned i = 0; i < NUM_CPI_CLASSES; i++) { /* with those of warps that have not ended */
        uint64_t all = expected.cycles[i];
        for (unsigned slot = 0; slot < 64; slot++)
            all += plain[i][slot];
        assert_true(all > expected.cycles[i]);
        assert_int_equal(totals[i], all);
    }
    assert_true(sums.warps > 1000 && sums.cycles[CPI_data_mem] > 1000000);
}

static void a_slot_that_ended_starts_from_zero(void **state)
{
    (void)state;
    static struct cpi_counters sliced;
    struct cpi_sums sums = {0};
    struct cpi_masks m = {.slots = {[CPI_issued] = 4, [CPI_done] = 2}};
    cpi_count(&sliced, &m, 1000);
    m.slots[CPI_issued] = 2;
    cpi_count(&sliced, &m, 1000);
    cpi_end(&sliced, 1, &sums);
    assert_int_equal(sums.cycles[CPI_issued], 1000);
    assert_int_equal(sums.cycles[CPI_done], 2000);
    cpi_end(&sliced, 1, &sums);
    assert_int_equal(sums.cycles[CPI_issued], 1000);
    assert_int_equal(sums.warps, 1);
    cpi_end(&sliced, 2, &sums);
    assert_int_equal(sums.cycles[CPI_issued], 2000);
    assert_int_equal(sums.cycles[CPI_done], 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_equal_plain_ones),
        cmocka_unit_test(a_slot_that_ended_starts_from_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
