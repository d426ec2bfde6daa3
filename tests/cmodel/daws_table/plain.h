/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/daws_table/plain.h: DAWS 5.1 and 5.1.1 restated with the paper's table: the loads of each loop,
 * each diverged or not and with its repetition id; lines are summed over them whenever they are asked for.
 * Nothing is shared with daws_table.c. */
#ifndef HEDDLE_TESTS_CMODEL_DAWS_TABLE_PLAIN_H
#define HEDDLE_TESTS_CMODEL_DAWS_TABLE_PLAIN_H

#include <string.h>

#include "hw.h"

#define LOOPS      ((1 << LOOP_BITS) - 1)
#define LOOP_LOADS (2 << LOAD_BITS) /* that a loop can be told to have */

struct plain_load {
    int is_diverged, repetition;
};

struct plain {
    struct plain_load loads[LOOPS + 1][LOOP_LOADS]; /* by loop, from 1 */
    int count[LOOPS + 1];
};

static inline void plain_start(struct plain *p)
{
    memset(p, 0, sizeof *p);
}

static inline void plain_add(struct plain *p, int loop, int is_diverged, int repetition)
{
    p->loads[loop][p->count[loop]++] = (struct plain_load){is_diverged, repetition};
}

/* "This entry contributes as many cache lines as there are active threads. If the entry is converged (and
 * there is more than one thread active), then this entry contributes two [...]. All entries with one active
 * thread contribute one cache line. [...] each intra-loop repetition group [...] is only counted once. If
 * there are different divergence characteristics within the same repetition ID, then we count it as
 * diverged." */
static inline int plain_lines(const struct plain *p, int loop, int active)
{
    const struct plain_load *loads = p->loads[loop];
    int lines = 0;
    for (int i = 0; i < p->count[loop]; i++) {
        int is_first = 1, is_diverged = 0;
        for (int j = 0; j < p->count[loop]; j++)
            if (loads[j].repetition == loads[i].repetition) {
                is_first &= j >= i;
                is_diverged |= loads[j].is_diverged;
            }
        if (is_first && active == 1)
            lines += 1;
        if (is_first && active > 1)
            lines += is_diverged ? active : 2;
    }
    return lines < 255 ? lines : 255;
}

/* What the table is told of a loop: groups of one load each. */
static inline void plain_write(struct plain *p, int loop, int diverged, int converged)
{
    p->count[loop] = 0;
    for (int i = 0; i < diverged + converged && loop; i++)
        plain_add(p, loop, i < diverged, i);
}

#endif
