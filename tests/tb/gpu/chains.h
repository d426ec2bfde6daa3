/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/chains.h: chains of pointers through memory, and when they have been followed. */
#ifndef HEDDLE_TESTS_TB_GPU_CHAINS_H
#define HEDDLE_TESTS_TB_GPU_CHAINS_H

#include <inttypes.h>

#include "tests/tb/gpu/bench.h"
#include "tests/tb/mem/expected.h"

#define MOST_LINKS 16384

struct chain {
    uint64_t links[MOST_LINKS]; /* addresses */
    unsigned count;
};

/* Each word pair of the chain holds the address of the next, the last that of the first. */
static inline void chain_write(const struct chain *k, struct bench *b)
{
    for (unsigned i = 0; i < k->count; i++)
        memcpy(bench_words(b, k->links[i]), &k->links[(i + 1) % k->count], sizeof(uint64_t));
}

/* The cycle of the memory in which one of an SM begins, and the first of an SM that begins by then. */
static inline uint64_t memory_cycle(const struct config *c, uint64_t cycle)
{
    return rounded_up(cycle * 6, (uint64_t)c->sm_clock);
}
static inline uint64_t sm_cycle_by(const struct config *c, uint64_t cycle)
{
    uint64_t own = 0;
    while (memory_cycle(c, own) < cycle)
        own++;
    return own;
}

/* Cycles of a kernel that loads its parameter, then follows so many links, all from DRAM. */
static inline uint64_t chain_through_dram(const struct chain *k, const struct config *c,
                                          unsigned steps)
{
    struct open_rows rows = {0};
    /* The second instruction waits for the first; a buffer of one entry also for its fetch. */
    const int64_t fetch = c->sm_ibuffer_entries == 1 ? c->sm_fetch_latency : 1;
    const int64_t second = c->sp_latency > fetch ? c->sp_latency : fetch;
    const uint64_t began = 1; /* the dispatcher is started in cycle 0 */
    uint64_t now = began + 1 + (uint64_t)(c->sm_fetch_latency + second);
    for (unsigned i = 0; i < steps; i++)
        now = sm_cycle_by(c, from_dram(c, memory_cycle(c, now), row_ticks(&rows, c, k->links[i]),
                                       (uint64_t)c->l1d_line));
    return now + 1 - began;
}

/* The j-th line of a row of channel 0; rows are counted from the first that begins at or behind
 * `base`. */
static inline uint64_t line_of_row(const struct config *c, uint64_t base, uint64_t row, uint64_t j)
{
    const uint64_t row_bytes = (uint64_t)c->dram_row_bytes, channels = (uint64_t)c->dram_channels,
                   interleave = (uint64_t)c->l2_interleave, banks = (uint64_t)c->l2_banks;
    const uint64_t inside =
        (rounded_up(base, row_bytes * channels) + row) * row_bytes + j * (uint64_t)c->l1d_line;
    /* One of the chunks of a group of banks lies there. */
    const uint64_t group = inside / interleave / (banks / channels);
    for (uint64_t turn = 0; turn < banks; turn++) {
        uint64_t found;
        const uint64_t address = (group * banks + turn) * interleave + inside % interleave;
        if (expected_channel(c, address, &found) == 0 && found == inside)
            return address;
    }
    fail_msg("no address of channel 0 is %" PRIu64, inside);
    return 0;
}

/* At most 64 links that, but for the first ones, find their row open, none open, or another one. */
enum rows { ROW_OPEN, NO_ROW, OTHER_ROW };
static inline void chain_through_rows(struct chain *k, const struct config *c, enum rows kind,
                                      uint64_t base)
{
    const uint64_t in_row = (uint64_t)(c->dram_row_bytes / c->l1d_line);
    const uint64_t banks = (uint64_t)c->dram_banks;
    const uint64_t links = kind == ROW_OPEN ? in_row : kind == NO_ROW ? banks : 2 * in_row;
    k->count = 0;
    for (uint64_t i = 0; i < links && i < 64; i++)
        k->links[k->count++] = kind == ROW_OPEN ? line_of_row(c, base, 0, i)
                               : kind == NO_ROW ? line_of_row(c, base, i, 0)
                                                : line_of_row(c, base, i % 2 * banks, i / 2);
}

/* One line more of each set than L1D holds. Returns the bytes of memory from `base` on that it
 * needs. */
static inline uint64_t chain_past_l1(struct chain *k, const struct config *c, uint64_t base)
{
    const uint64_t line = (uint64_t)c->l1d_line, sets = (uint64_t)c->l1d_sets;
    k->count = (unsigned)(sets * (uint64_t)(c->l1d_ways + 1));
    assert_true(k->count <= MOST_LINKS);
    for (uint64_t i = 0; i < k->count; i++)
        k->links[i] = (rounded_up(base, sets * line) * sets + i) * line;
    return (k->count + sets) * line;
}

#endif
