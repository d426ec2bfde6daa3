/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/workloads/common/csr_test.c: entries in any order become rows, against a search of all
 * entries for every element. */
#include "tests/tb/workloads/common/csr_check.h"

#include <string.h>

#include "tb/workloads/common/random.h"

enum { ROWS = 9, COLUMNS = 7, MOST = 60 };

/* Compares with what a search of all entries, element by element, finds. */
static void check_against_search(const struct csr *m, const struct csr_entry *entries, size_t count,
                                 int first_only)
{
    uint32_t i = 0;
    for (uint32_t row = 0; row < ROWS; row++) {
        assert_int_equal(m->start[row], i);
        for (uint32_t column = 0; column < COLUMNS; column++) {
            int found = 0;
            for (size_t e = 0; e < count; e++) {
                if (entries[e].row != row || entries[e].column != column || (first_only && found))
                    continue;
                found = 1;
                assert_true(i < m->nonzeros);
                assert_int_equal(m->column[i], column);
                assert_true(m->value[i] == entries[e].value);
                i++;
            }
        }
    }
    assert_int_equal(m->start[ROWS], i);
    assert_int_equal(m->nonzeros, i);
}

static void builds_rows_from_random_entries(void **state)
{
    struct random random = {5};
    (void)state;
    for (unsigned trial = 0; trial < 500; trial++) {
        struct csr_entry entries[MOST], shuffled[MOST];
        size_t count = random_below(&random, MOST + 1);
        enum csr_repeats repeats = trial % 2 ? CSR_FIRST : CSR_KEEP;
        struct csr m;
        for (size_t i = 0; i < count; i++)
            entries[i] = (struct csr_entry){(uint32_t)random_below(&random, ROWS),
                                            (uint32_t)random_below(&random, COLUMNS), (float)i};
        memcpy(shuffled, entries, sizeof entries);
        assert_int_equal(csr_build(&m, ROWS, COLUMNS, shuffled, count, repeats), 0);
        check_csr(&m, repeats == CSR_KEEP);
        check_against_search(&m, entries, count, repeats == CSR_FIRST);
        csr_free(&m);
        assert_null(m.start);
    }
}

static void knows_its_row_lengths(void **state)
{
    struct csr_entry entries[] = {{2, 0, 1}, {0, 1, 1}, {2, 2, 1}, {2, 1, 1}};
    struct csr m;
    uint32_t shortest, longest;
    (void)state;
    assert_int_equal(csr_build(&m, 3, 3, entries, 4, CSR_KEEP), 0);
    csr_row_lengths(&m, &shortest, &longest);
    assert_int_equal(shortest, 0);
    assert_int_equal(longest, 3);
    csr_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builds_rows_from_random_entries),
        cmocka_unit_test(knows_its_row_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
