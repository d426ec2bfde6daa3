/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/locality/support.h: a kernel's loads as the analysis finds them, against those that are
 * executed. */
#ifndef HEDDLE_TESTS_TB_LOCALITY_SUPPORT_H
#define HEDDLE_TESTS_TB_LOCALITY_SUPPORT_H

#include <stdint.h>

#define BUFFER_BYTES (1 << 20)

struct compared {
    uint32_t known, loads; /* loads whose addresses are known, of all */
    uint64_t bytes;        /* that blocks read by them, block by block */
    char wrong[160];       /* "", or the first byte that differs */
};

/* Runs the first kernel of a PTX text, of which each .u64 parameter is the middle of a buffer and each
 * .u32 one a number of `numbers`, in turn. Marks bytes one by one: shares no code with what makes spans
 * of memory. Fails the test where the kernel cannot be run or analysed. */
struct compared compare_reads(const char *text, const uint32_t grid[3], const uint32_t block[3],
                              const uint32_t *numbers);

#endif
