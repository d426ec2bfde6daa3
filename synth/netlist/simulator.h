/* SPDX-License-Identifier: Apache-2.0 */
/* synth/netlist/simulator.h: a netlist that runs, cycle by cycle, without delays: in each cycle all nets settle once, so
 * that a net has one edge at most. Only what depends on a net that has changed is looked at. */
#ifndef HEDDLE_SYNTH_SIMULATOR_H
#define HEDDLE_SYNTH_SIMULATOR_H

#include "synth/netlist/netlist.h"

#define NODE_INPUTS 6 /* of a cell */

/* A function of nets, as a table: bit i is its value where the inputs, the first lowest, are i. */
struct node {
    uint64_t table;
    uint32_t input[NODE_INPUTS];
    uint32_t inputs, output; /* how many; its net */
    uint32_t cell;
};

/* A flip-flop that takes `next` at the rising edge of the clock. */
struct flip_flop {
    struct node next;   /* without an output */
    uint32_t output[2]; /* nets of the state, and of its inverse; NET_NONE: not used */
};

struct simulator {
    const struct netlist *netlist;
    uint8_t *value, *before;    /* of each net: now, and when it had settled in the cycle before */
    uint32_t *moved, num_moved; /* nets that differ; filled by simulator_compare */
    uint32_t clock;             /* net; NET_NONE: there is no flip-flop */
    struct node *nodes;         /* each behind those that it depends on */
    struct flip_flop *flip_flops;
    uint32_t num_nodes, num_flip_flops;
    /* the rest is its own */
    uint32_t *fan_out,
        *first_fan_out;             /* nodes that read a net: from first[net] to first[net + 1] */
    uint64_t *due;                  /* a bit for each node */
    uint32_t *touched, num_touched; /* nets that have had another value since the cycle began */
    uint8_t *is_touched, *next;
};

/* All nets 0, or what follows from that. NULL: a cell is not logic or a plain flip-flop, flip-flops have several clocks, or
 * logic runs in a circle; `err` has been told which. */
struct simulator *simulator_open(const struct netlist *, FILE *err);
void simulator_close(struct simulator *);

void simulator_set(struct simulator *, uint32_t net, int value);
void simulator_settle(struct simulator *);

/* Fills `moved`. Nets must have settled. */
void simulator_compare(struct simulator *);

/* The rising edge: flip-flops take what they are given, and what has settled is what was before. */
void simulator_edge(struct simulator *);

#endif
