/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/rlws_state/plain.h: table II of RLWS, restated. Each warp is a record, each attribute has the name that the paper gives it
 * and is looked for among the records one by one, or in what has happened since the kernel began. Ratios are divisions of
 * real numbers. Nothing is shared with rlws_state.c. */
#ifndef HEDDLE_TESTS_CMODEL_RLWS_STATE_PLAIN_H
#define HEDDLE_TESTS_CMODEL_RLWS_STATE_PLAIN_H

#include <math.h>
#include <string.h>

#include "cmodel/rlws_state/rlws_state.h"

enum { SCHEDULERS = NUM_SCHEDULERS, WARPS = NUM_WARPS, LATE = RLWS_STATE_LATE, MOST_LOADS = 256 };

static const char *const TABLE_II[] = {
    "ATBWB",  "ATBWF", "TBW",   "RLMI",  "RGMI",   "RSTCMI", "RSFI",    "RSPI",  "NTF",
    "NIW",    "NSW",   "NFSFI", "NFMI",  "NRSPI",  "NRGMI",  "NRSTCMI", "NRSFI", "NWI",
    "NPS",    "NMPS",  "NSFPS", "NSPPS", "NAIPMI", "NRI",    "NWS",     "NRAI",  "STBRMI",
    "SMNMIE", "ICMP",  "L1MP",  "L2MP",  "NIPL1M", "AGML",   "GNMIE"};
enum { TABLE_II_LENGTH = sizeof TABLE_II / sizeof *TABLE_II };

/* The four ratios: misses of the instruction cache and of L1D per look-up, instructions per miss, ALU instructions per memory instruction. */
static const char *const RATIO[] = {"ICMP", "L1MP", "NIPL1M", "NAIPMI"};

struct plain_warp {
    int there, can_run, at_barrier, over, has_instruction, operands_ready, diverged;
    enum { NOWHERE, SP, SFU, GLOBAL, OTHER_MEMORY } to;
    int pipeline_free, load, block;
};

struct plain {
    /* of the kernel */
    int begun, all_handed_out, blocks_ended;
    int missed[MOST_LOADS], num_missed; /* numbers of loads */
    int memory_block;                   /* of the last memory instruction; -1: there was none */
    double above[4], below[4];          /* of each ratio, what it is taken of */
    double ratio[4][LATE + 1];          /* the last ones; the newest is first */
    /* of the SM */
    long flying;
};

static inline int plain_bit(const uint64_t *set, int at)
{
    return (int)(set[at / 64] >> at % 64 & 1);
}

static inline struct plain_warp plain_warp(const struct rlws_state_in *in, int k, int w)
{
    const int slot = k * WARPS + w;
    struct plain_warp warp = {
        .there = plain_bit(in->occupied, slot),
        .can_run = plain_bit(in->running, slot),
        .at_barrier = plain_bit(in->at_barrier, slot),
        .over = plain_bit(in->done, slot),
        .has_instruction = plain_bit(in->buffered, slot),
        .operands_ready = plain_bit(in->clear, slot),
        .diverged = plain_bit(in->split, slot),
        .load = (int)in->next_load[slot],
        .block = (int)in->block[slot],
    };
    if (plain_bit(in->next_sp, slot)) {
        warp.to = SP;
        warp.pipeline_free = plain_bit(in->takes_sp, k);
    } else if (plain_bit(in->next_sfu, slot)) {
        warp.to = SFU;
        warp.pipeline_free = in->takes_sfu != 0;
    } else if (plain_bit(in->next_gmem, slot) || plain_bit(in->next_stcmem, slot)) {
        warp.to = plain_bit(in->next_gmem, slot) ? GLOBAL : OTHER_MEMORY;
        warp.pipeline_free = in->takes_mem != 0;
    }
    return warp;
}

static inline int has_missed(const struct plain *p, int load)
{
    for (int i = 0; i < p->num_missed; i++)
        if (p->missed[i] == load)
            return 1;
    return 0;
}

/* Does a warp count for an attribute of warps? -1: it is no such attribute. */
static inline int plain_counts(const struct plain *p, const struct plain_warp *w, const char *name)
{
    const int next = w->can_run && w->has_instruction, could = next && w->operands_ready,
              ready = could && w->to != NOWHERE && w->pipeline_free,
              stalled = could && w->to != NOWHERE && !w->pipeline_free,
              memory = w->to == GLOBAL || w->to == OTHER_MEMORY, alu = w->to == SP || w->to == SFU;
    const struct {
        const char *name;
        int counts;
    } all[] = {
        {"RLMI", ready && memory && has_missed(p, w->load)},
        {"RGMI", ready && w->to == GLOBAL},
        {"RSTCMI", ready && w->to == OTHER_MEMORY},
        {"RSFI", ready && w->to == SFU},
        {"RSPI", ready && w->to == SP},
        {"NIW", w->there && !w->has_instruction},
        {"NSW", w->diverged},
        {"NFSFI", next && w->to == SFU},
        {"NFMI", next && memory},
        {"NRSPI", ready && w->to == SP},
        {"NRGMI", ready && w->to == GLOBAL},
        {"NRSTCMI", ready && w->to == OTHER_MEMORY},
        {"NRSFI", ready && w->to == SFU},
        {"NWI", next && !w->operands_ready},
        {"NPS", stalled},
        {"NMPS", stalled && memory},
        {"NSFPS", stalled && w->to == SFU},
        {"NSPPS", stalled && w->to == SP},
        {"NRI", ready},
        {"NWS", w->can_run},
        {"NRAI", ready && alu},
        {"STBRMI", ready && memory && w->block == p->memory_block},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, name) == 0)
            return all[i].counts;
    return -1;
}

/* The ratio as it is now; nothing per nothing is 0 percent, and else no number is large enough. */
static inline double plain_ratio(const struct plain *p, int r)
{
    if (p->below[r] == 0)
        return r < 2 ? 0 : 1022;
    return fmin(1022, floor((r < 2 ? 100 : 1) * p->above[r] / p->below[r]));
}

static inline int is_ratio(const char *name)
{
    for (int r = 0; r < 4; r++)
        if (strcmp(RATIO[r], name) == 0)
            return r;
    return -1;
}

/* An attribute by its name, of scheduler k; not of a ratio, which comes late. */
static inline long plain_attribute(const struct plain *p, const struct rlws_state_in *in, int k,
                                   const char *name)
{
    long count = 0;
    int of_warps = 0, barrier = 0, over = 0;
    for (int j = 0; j < SCHEDULERS; j++)
        for (int w = 0; w < WARPS; w++) {
            const struct plain_warp warp = plain_warp(in, j, w);
            const int counts = plain_counts(p, &warp, name);
            of_warps = counts >= 0;
            count += of_warps && j == k && counts;
            barrier |= warp.at_barrier;
            over |= warp.over;
        }
    if (of_warps)
        return name[0] == 'R' ? count > 0 : count;
    if (strcmp(name, "ATBWB") == 0)
        return barrier;
    if (strcmp(name, "ATBWF") == 0)
        return over;
    if (strcmp(name, "TBW") == 0)
        return p->begun && !p->all_handed_out;
    if (strcmp(name, "NTF") == 0)
        return p->blocks_ended == 0;
    if (strcmp(name, "SMNMIE") == 0)
        return p->flying;
    if (strcmp(name, "L2MP") == 0)
        return (long)in->l2mp;
    if (strcmp(name, "AGML") == 0)
        return (long)in->agml;
    return (long)in->gnmie;
}

static inline void plain_kernel(struct plain *p)
{
    const long flying = p->flying;
    memset(p, 0, sizeof *p);
    p->flying = flying;
    p->memory_block = -1;
    for (int r = 0; r < 4; r++)
        for (int c = 0; c <= LATE; c++)
            p->ratio[r][c] = plain_ratio(p, r);
}

/* Older events count less: when a number is too large for its register both are taken half, rounded down. */
static inline void plain_count(struct plain *p, int r, int above, int below)
{
    const double largest = pow(2, RLWS_COUNT_BITS) - 1;
    p->above[r] += above;
    p->below[r] += below;
    if (p->above[r] > largest || p->below[r] > largest) {
        p->above[r] = floor(p->above[r] / 2);
        p->below[r] = floor(p->below[r] / 2);
    }
    memmove(&p->ratio[r][1], &p->ratio[r][0], LATE * sizeof(double));
    p->ratio[r][0] = plain_ratio(p, r);
}

/* What a cycle does. */
static inline void plain_cycle(struct plain *p, const struct rlws_state_in *in)
{
    int alu = 0, memory = 0, look_ups = 0, not_found = 0;
    if (in->start)
        plain_kernel(p);
    for (int k = 0; k < SCHEDULERS; k++) {
        const int issued = plain_bit(in->issued, k), to_memory = in->issue_class[k] > 1;
        alu += issued && !to_memory;
        memory += issued && to_memory;
        look_ups += plain_bit(in->fetch, k);
        not_found += plain_bit(in->fetch, k) && plain_bit(in->fetch_miss, k);
        if (issued && to_memory && !in->start)
            p->memory_block = plain_warp(in, k, (int)in->issued_warp[k]).block;
    }
    p->flying += memory;
    for (uint64_t i = 0; i < in->completed && p->flying > 0; i++)
        p->flying--;
    if (p->flying > 1023)
        p->flying = 1023;
    if (in->start)
        p->begun = 1;
    if (in->last_block)
        p->all_handed_out = 1;
    if (in->start)
        return;
    p->blocks_ended += in->block_end != 0;
    const int missed = in->access && in->miss, load = (int)in->missed_load;
    if (missed && load > 0 && load <= 1 << (LOAD_BITS - 1) && !has_missed(p, load))
        p->missed[p->num_missed++] = load;
    plain_count(p, 0, not_found, look_ups);
    plain_count(p, 1, missed, in->access != 0);
    plain_count(p, 2, alu + memory, missed);
    plain_count(p, 3, alu, memory);
}

/* The bucket of a number: of those that it reaches the highest. */
static inline unsigned plain_bucket(const uint64_t *edges, long number)
{
    for (unsigned b = 7; b > 0; b--)
        if (edges[b - 1] < 1023 && number >= (long)edges[b - 1])
            return b;
    return 0;
}

#endif
