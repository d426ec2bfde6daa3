/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/flow/flow.h: control flow of a decoded kernel: reconvergence points, loops, register
 * pressure.
 */
#ifndef HEDDLE_TB_PTX_FLOW_FLOW_H
#define HEDDLE_TB_PTX_FLOW_FLOW_H

#include "tb/ptx/context.h"
#include "tb/ptx/ptx.h"

#define FLOW_NONE UINT32_MAX

/* A directed graph; the successors of node n are to[first[n]] up to, not including, to[first[n +
 * 1]]. */
struct digraph {
    uint32_t num_nodes;
    uint32_t *first, *to;
};

/* Basic blocks in program order, and two more nodes: number num_blocks, where all lanes have returned, and
 * the one behind it, from which edges lead to where the kernel and its routines begin. A call goes on to
 * what follows it. */
struct flow {
    uint32_t num_blocks;
    uint32_t *start;    /* first instruction of each block; start[num_blocks] is num_uops */
    uint32_t *block_of; /* by instruction */
    struct digraph forward, backward;
};

/* True if control never goes on to the next instruction: unguarded bra, brx, ret, exit, trap, return. A guarded
 * ret or trap retires lanes and goes on with the others. */
int flow_ends(const struct uop *);

/* graph.c */
void flow_build(struct ptx_context *, const struct ptx_kernel *, struct flow *);
void digraph_reverse(struct ptx_context *, const struct digraph *, struct digraph *reversed);

/* Dominators of every node that the root reaches; on the reversed graph: post-dominators. */
struct dominance {
    struct ptx_context *context;
    uint32_t
        *idom; /* the immediate one; FLOW_NONE for the root and for nodes that it does not reach */
    uint32_t *number; /* in post-order: a dominator has a greater number; FLOW_NONE: not reached */
};

/* dominance.c */
struct dominance dominance_find(struct ptx_context *, const struct digraph *,
                                const struct digraph *reversed, uint32_t root);
int dominates(const struct dominance *, uint32_t above, uint32_t node); /* also itself */

/* loops.c: fills the kernel's loops and UF_LOOP_HEAD. */
void flow_loops(struct ptx_context *, const struct flow *, const struct dominance *,
                struct ptx_kernel *);

/* calls.c: lets loops go on in the routines that they call. */
void flow_calls(struct ptx_context *, struct ptx_kernel *);

/* liveness.c: where registers are live. A register is live before an instruction from which a way
 * leads to a read of it without a write in between. A guarded write leaves the old value in some
 * lanes and so ends no range. */
struct liveness {
    struct ptx_context *context;
    const struct ptx_kernel *kernel;
    struct digraph before;        /* of each instruction: branches that lead to it */
    struct digraph reads, writes; /* of each register: the instructions */
    uint32_t *stamp;              /* by instruction: the last register found live before it */
    uint32_t *points;             /* of the last register: the instructions before which it is */
    uint32_t num_points;          /* live */
    uint32_t *stack;
};
void liveness_open(struct liveness *, struct ptx_context *, const struct ptx_kernel *);
void liveness_find(struct liveness *, uint32_t number);

/* constants.c: takes the registers of values that are constants of the launch out of the count:
 * their units become 0. */
void flow_constants(struct ptx_context *, struct ptx_kernel *);

/* The most 32-bit registers that are live at once, at least 1. */
uint32_t flow_pressure(struct ptx_context *, const struct ptx_kernel *);

/* flow.c: all of the above, for a kernel whose micro-operations are complete. */
void flow_analyse(struct ptx_context *, struct ptx_kernel *);

#endif
