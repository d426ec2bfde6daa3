/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/rows.h: a statistics file as rows, a kernel each with its launches summed, and what reports compute of a row. */
#ifndef HEDDLE_TB_CLI_ROWS_H
#define HEDDLE_TB_CLI_ROWS_H

#include "tb/cli/statistics.h"
#include "tb/sm/cpi.h"

/* Counts of a row: MEMBER(name, member of the file). */
#define L1D_MEMBERS(MEMBER)                                                                        \
    MEMBER(accesses, "l1d.accesses")                                                               \
    MEMBER(hits_intra_warp, "l1d.hits_intra_warp")                                                 \
    MEMBER(hits_inter_warp, "l1d.hits_inter_warp")                                                 \
    MEMBER(misses, "l1d.misses")                                                                   \
    MEMBER(mshr_merged, "l1d.mshr_merged")                                                         \
    MEMBER(mshr_occupancy, "l1d.mshr_occupancy")
#define MEMORY_MEMBERS(MEMBER)                                                                     \
    MEMBER(request_flits, "xbar.request_flits")                                                    \
    MEMBER(reply_flits, "xbar.reply_flits")                                                        \
    MEMBER(l2_reads, "l2.reads")                                                                   \
    MEMBER(l2_hits, "l2.read_hits")                                                                \
    MEMBER(l2_occupancy, "l2.mshr_occupancy")                                                      \
    MEMBER(dram_requests, "dram.reads") /* writes are added */                                     \
    MEMBER(row_hits, "dram.row_hits")                                                              \
    MEMBER(bus_busy, "dram.bus_busy")                                                              \
    MEMBER(l1i_accesses, "l1i.accesses")                                                           \
    MEMBER(l1i_misses, "l1i.misses")
#define ENERGY_MEMBERS(MEMBER)                                                                     \
    MEMBER(total, "energy.total")                                                                  \
    MEMBER(core, "energy.core")                                                                    \
    MEMBER(network, "energy.network")                                                              \
    MEMBER(memory, "energy.memory")                                                                \
    MEMBER(leakage, "energy.leakage")
#define OCCUPANCY_MEMBERS(MEMBER)                                                                  \
    MEMBER(blocks, "occupancy.blocks_per_sm")                                                      \
    MEMBER(warps, "occupancy.warps_per_block")                                                     \
    MEMBER(registers, "occupancy.registers_per_thread")                                            \
    MEMBER(shared, "occupancy.resources.shared_bytes.block_needs")                                 \
    MEMBER(values, "spills.values")                                                                \
    MEMBER(stores, "spills.stores")                                                                \
    MEMBER(loads, "spills.loads")

#define MEMBER(name, path) L1D_##name,
enum row_l1d { L1D_MEMBERS(MEMBER) L1D_failures, NUM_ROW_L1D };
#undef MEMBER
#define MEMBER(name, path) MEMORY_##name,
enum row_memory { MEMORY_MEMBERS(MEMBER) NUM_ROW_MEMORY };
#undef MEMBER
#define MEMBER(name, path) ENERGY_##name,
enum row_energy { ENERGY_MEMBERS(MEMBER) NUM_ROW_ENERGY };
#undef MEMBER
#define MEMBER(name, path) OCCUPANCY_##name,
enum row_occupancy { OCCUPANCY_MEMBERS(MEMBER) NUM_ROW_OCCUPANCY };
#undef MEMBER

/* What becomes of a scheduler's cycle: OUTCOME of tb/sm/sm.def. */
enum row_outcome {
#define OUTCOME(name, meaning) ROW_OUTCOME_##name,
#include "tb/sm/sm.def"
    NUM_ROW_OUTCOMES
};

/* Parts of a row that a file may lack. */
enum row_part {
    ROW_CYCLES = 1,
    ROW_CPI = 2,
    ROW_ISSUE = 4,
    ROW_MEMORY = 8,
    ROW_ENERGY = 16,
    ROW_OCCUPANCY = 32,
    ROW_MACHINE = 64 /* how many SMs there are, and their clock: figures per SM and second */
};

/* A kernel's launches in one file, summed. */
struct report_row {
    char *name;     /* the kernel; NULL: it is the whole run */
    char label[96]; /* the same, cut; with several files also the file or policy */
    unsigned
        lacks; /* parts of which any launch lacks a number, by enum row_part: these are not complete */
    double launches, cycles, sm_cycles, instructions, sms;
    double untimed; /* instructions that took no time */
    double warp_cycles[NUM_CPI_CLASSES];
    double issue[NUM_ROW_OUTCOMES];
    double l1d[NUM_ROW_L1D];
    double memory[NUM_ROW_MEMORY];
    double energy[NUM_ROW_ENERGY]; /* nanojoules */
    double clock_mhz;
    double occupancy[NUM_ROW_OCCUPANCY]; /* of the first launch */
    char limits[64];                     /* what limits the blocks on an SM, words with commas */
    double broken;                       /* launches that did not end well */
    char end[32];                        /* how the first of these ended */
};

/* {0}: none. */
struct report_rows {
    struct report_row *rows;
    int count;
    char missing[128]; /* the first member that a file lacks; "": none */
};

/* Adds the kernels of a file, in the order of their first launches; `file` stands in their labels, unless it is NULL. Returns
 * 0, or -1 with the reason on stderr: no memory, or there is no array of kernels. */
int rows_add(struct report_rows *, const struct statistics *, const char *file);
void rows_free(struct report_rows *);

/* The totals as a row, whose `launches` are those of all kernels. */
void rows_whole(struct report_row *whole, const struct statistics *, const struct report_rows *);

/* a / b; 0 where b is. */
double row_ratio(double a, double b);

/* Cycles that warps were resident, summed over them. */
double row_resident(const struct report_row *);

enum figure_group { FIGURE_cycles, FIGURE_memory, FIGURE_energy, FIGURE_occupancy };

/* See figures.def. */
struct figure {
    enum figure_group group;
    const char *head, *meaning;
    int width, digits;
    double (*of)(const struct report_row *);
};

/* The next figure of the group, behind `before`, or the first where that is NULL; NULL: there is none. */
const struct figure *figure_next(enum figure_group, const struct figure *before);

const char *row_outcome_name(enum row_outcome); /* "granted" */

#endif
