/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/cd3_log.c: see cd3_log.h. Counts of the unit wrap; what each has gained is added up from cycle to cycle, in which it
 * gains one at most, as software would by `wraps`. */
#include "tb/units/cd3_log.h"

#include <string.h>

#include "cmodel/cd3/cd3.h"
#include "tb/units/socket.h"

enum {
#define COLUMN(name, point, unit, meaning) AT_##name,
#define WORDS(name, meaning)               AT_##name,
#include "tb/units/cd3.rows"
    NUM_COLUMNS
};

static const char *const words[] = {
#define WORD(name, word, meaning) #word,
#include "tb/units/cd3.rows"
};
_Static_assert(sizeof words / sizeof words[0] == CD3_PIPES, "a word for each pipe");

static const struct log_column columns[] = {
#define COLUMN(name, point, unit, meaning) {#name, unit, meaning, point, NULL},
#define WORDS(name, meaning)               {#name, "", meaning, 0, words},
#include "tb/units/cd3.rows"
};

#define COUNTS (CD3_PIPES * CD3_BINS)

struct memory {
    uint64_t before[COUNTS]; /* as the registers were; the kernel begins with 0 */
    uint64_t total[COUNTS];
};

static void begin(struct log *l)
{
    memset(l->memory, 0, sizeof(struct memory));
}

static void note(const struct plug *p, uint64_t cycle, struct log *l)
{
    const uint64_t *count = ((const struct cd3_state *)plug_state(p))->count;
    struct memory *m = l->memory;
    (void)cycle;
    for (unsigned i = 0; i < COUNTS; i++) {
        m->total[i] += (count[i] - m->before[i]) & (~UINT64_C(0) >> (64 - CD3_COUNT_BITS));
        m->before[i] = count[i];
    }
}

static void add(struct log *l, unsigned pipe, uint64_t distance, uint64_t instructions)
{
    uint64_t row[NUM_COLUMNS];
    if (!instructions)
        return;
    row[AT_pipe] = pipe;
    row[AT_distance] = distance;
    row[AT_instructions] = instructions;
    log_add(l, row);
}

static void end(uint64_t cycle, struct log *l)
{
    const struct memory *m = l->memory;
    (void)cycle;
    for (unsigned pipe = 0; pipe < CD3_PIPES; pipe++) {
        const uint64_t *of_pipe = &m->total[pipe * CD3_BINS];
        uint64_t without = of_pipe[0];
        for (unsigned d = 1; d < CD3_BINS; d++)
            without -= of_pipe[d];
        add(l, pipe, 0, without);
        for (unsigned d = 1; d < CD3_BINS; d++)
            add(l, pipe, d, of_pipe[d]);
    }
}

const struct log_kind cd3_log = {.columns = columns,
                                 .num_columns = NUM_COLUMNS,
                                 .memory = sizeof(struct memory),
                                 .begin = begin,
                                 .note = note,
                                 .end = end};
_Static_assert(COUNTS <= LOG_MOST_ROWS, "there is room for all rows");
