/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/mix_cd3.h: critical data dependency distances (CD3) of one warp's instructions (thesis 9.4.1): how many instructions
 * after it the first one stands that has to wait for its result. Offline, from a stream; and online, from a table of registers. */
#ifndef HEDDLE_CMODEL_ANALYTIC_MIX_CD3_H
#define HEDDLE_CMODEL_ANALYTIC_MIX_CD3_H

#include <stddef.h>
#include <stdint.h>

#include "cmodel/analytic/mix.h"

#define MIX_READS  24 /* registers that an instruction reads, at most */
#define MIX_WRITES 8

/* An instruction that a warp has issued. One of MIX_MEM is a memory instruction. */
struct mix_instruction {
    enum mix_pipe pipe;
    unsigned num_reads, num_writes;
    uint16_t reads[MIX_READS], writes[MIX_WRITES];
};

/* Per pipe, how many instructions have which distance: at[p][0] have none that waits for them, at[p][MIX_BEYOND] one that is further than
 * MIX_DISTANCES away. */
struct mix_counts {
    uint64_t at[NUM_MIX_PIPES][MIX_BEYOND + 1];
};

/* What the offline form writes down of instruction i, node i: numbers of instructions, counted from 1, or 0: none. */
struct mix_node {
    size_t to;   /* forward trace: the first instruction that needs what i writes */
    size_t from; /* backward trace: the one of those that i waits for which leaves the pipes last */
};

/* Which instructions a histogram is a share of: the text has both. */
enum mix_whole {
    MIX_OF_PIPE, /* chosen: those of the pipe */
    MIX_OF_ALL   /* those of all pipes; the rest counts as having no successor */
};

/* Forward and backward trace of `stream[num]`. Edges lead from an instruction to a later one that reads (RAW) or writes (WAW) a register
 * that it has written. `last[registers]` and `node[num]` are room. MIX_BAD_INSTRUCTION: a register number not below `registers`, more
 * operands than there is room for, or no such pipe. */
enum mix_error mix_cd3_trace(const struct mix_instruction *stream, size_t num, unsigned registers,
                             size_t *last, struct mix_node *node);

/* The distance of stream[i], from 0, after mix_cd3_trace; 0: no successor. */
size_t mix_cd3_of(const struct mix_node *node, size_t i);

/* Adds the distances of a traced stream to `counts`. */
void mix_cd3_count(const struct mix_instruction *stream, size_t num, const struct mix_node *node,
                   struct mix_counts *counts);

/* The last writer of a register. */
struct mix_writer {
    uint64_t number; /* from 1; 0: none */
    uint16_t home;   /* the first register that it wrote, whose entry says whether it is consumed */
    uint8_t pipe, consumed;
};

/* The same while the warp runs. `counts` is right after each instruction: those that have no successor yet count as having none. */
struct mix_online {
    struct mix_writer *table;
    unsigned registers;
    uint64_t issued;
    struct mix_counts counts;
};

/* Begins with no instruction; `table[registers]` is room that must stay. */
void mix_online_start(struct mix_online *, struct mix_writer *table, unsigned registers);

/* The warp issues the next instruction. Errors: those of mix_cd3_trace; nothing has changed then. */
enum mix_error mix_online_issue(struct mix_online *, const struct mix_instruction *);

/* hist_p of (9.11), which adds up to 1. A pipe without instructions: all have no successor. */
void mix_histogram(const struct mix_counts *, enum mix_pipe, enum mix_whole,
                   double hist[MIX_BEYOND + 1]);

#endif
