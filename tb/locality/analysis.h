/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/analysis.h: what the stages of the analysis share. */
#ifndef HEDDLE_TB_LOCALITY_ANALYSIS_H
#define HEDDLE_TB_LOCALITY_ANALYSIS_H

#include "tb/locality/condition.h"
#include "tb/locality/locality.h"
#include "tb/ptx/flow/flow.h"

/* What all registers of a thread hold, by number: values, and predicates. */
struct registers {
    const struct value **values;
    const struct condition **flags;
};

/* One loop around what is looked at. */
struct counted {
    uint32_t loop;                /* its number in the kernel */
    const struct value *last;     /* number of the last trip in which this is executed; from 0 */
    const struct condition *when; /* it is reached in the trip before the loop */
    const struct counted *outer;
};

struct analysis {
    struct ptx_context *context;
    struct values values;
    const struct ptx_kernel *kernel;
    const struct locality_launch *launch;
    struct flow flow;
    const struct counted *around; /* loops, from the innermost */
    int guessing;                 /* loads are not to be noted: they will be looked at again */
    struct locality *found;
};

/* registers.c: all registers when a thread starts; a copy; those that may be either. */
struct registers registers_start(struct analysis *);
struct registers registers_copy(struct analysis *, const struct registers *);
void registers_join(struct analysis *, struct registers *into, const struct condition *,
                    const struct registers *other);
/* What an operand of the instruction holds. */
const struct value *held_value(struct analysis *, const struct registers *, const struct uop *,
                               uint32_t operand, enum ptx_type);
const struct condition *held_flag(struct analysis *, const struct registers *, const struct uop *,
                                  uint32_t operand);
const struct condition *held_guard(struct analysis *, const struct registers *,
                                   const struct uop *); /* the instruction is executed */

/* step.c: executes one instruction other than a branch where `when` holds. */
void step(struct analysis *, struct registers *, uint32_t insn, const struct condition *when);
/* Notes the instruction if it loads from global memory. */
void note_load(struct analysis *, uint32_t insn, const struct value *address,
               const struct condition *when);

/* region.c: the blocks of a loop (number from 1; 0: the kernel) as nodes of a graph without cycles:
 * loops inside are one node each; edges back to the loop's head and edges that leave it go to the
 * last node, `end`. */
struct region {
    uint32_t loop, num_nodes, end;
    uint32_t *node_of; /* by block; FLOW_NONE: not in it */
    uint32_t *head;    /* by node: its first block */
    uint32_t *inner;   /* by node: the loop that it is, or 0 */
    uint32_t *order;   /* nodes that are reached, each behind those that lead to it */
    uint32_t num_ordered;
    uint32_t *above; /* by node: its immediate dominator */
    uint8_t *meets;  /* by node: whoever comes to that one comes here, too */
    uint8_t *leaves; /* by node: an edge from it leaves the region */
    int is_nested;   /* there are no other cycles */
    int is_counted;  /* every trip passes all branches that leave it, or the first ones */
};
void region_find(struct analysis *, uint32_t loop, struct region *);
/* Whether the block is in a loop, also deeper; in loop 0 every block is. */
int in_loop(const struct analysis *, uint32_t block, uint32_t loop);

/* A way out of a loop. */
struct way {
    uint32_t target;              /* the block that it leads to */
    const struct condition *when; /* it is taken */
    struct registers registers;   /* and these are what registers hold */
};

/* walk.c: executes one trip of a loop, or the kernel once. */
struct trip {
    uint32_t loop;
    const struct counted *stages; /* given: of what is behind none, one, two ... of the ways out */
    struct registers back;        /* what registers hold where the next trip begins */
    struct way *ways;             /* in order; each as if there were no other before it */
    uint32_t num_ways;
    const struct doubt *doubt; /* NULL, or why the trips cannot be counted */
};
void walk(struct analysis *, struct trip *, const struct registers *from);

/* loop.c: executes a whole loop that begins with these registers, where `when` holds, and tells the
 * ways out of it: just one of them is taken. Returns how many there are. */
uint32_t walk_loop(struct analysis *, uint32_t loop, const struct registers *,
                   const struct condition *when, struct way **ways);

#endif
