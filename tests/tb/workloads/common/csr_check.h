/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/workloads/common/csr_check.h: what holds for every matrix in compressed sparse rows. */
#ifndef HEDDLE_TESTS_TB_WORKLOADS_COMMON_CSR_CHECK_H
#define HEDDLE_TESTS_TB_WORKLOADS_COMMON_CSR_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tb/workloads/common/csr.h"
#include <cmocka.h>

/* Rows begin at 0, follow each other and end at the number of non-zeros; columns exist and ascend,
 * strictly where `repeats` is 0. */
static inline void check_csr(const struct csr *m, int repeats)
{
    assert_int_equal(m->start[0], 0);
    assert_int_equal(m->start[m->rows], m->nonzeros);
    for (uint32_t row = 0; row < m->rows; row++) {
        assert_true(m->start[row] <= m->start[row + 1]);
        for (uint32_t i = m->start[row]; i < m->start[row + 1]; i++) {
            assert_true(m->column[i] < m->columns);
            if (i > m->start[row])
                assert_true(m->column[i - 1] < m->column[i] + (repeats != 0));
        }
    }
}

#endif
