/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/lanes_memory.h: a MEMORY of a netlist in lanes. The netlist has its ports (rtl/prim/memory.sv): what it drives
 * is an output, read_data an input. Lanes mostly ask for the same word, so words are kept as signals are, a bit of each lane. */
#ifndef HEDDLE_COSIM_LANES_MEMORY_H
#define HEDDLE_COSIM_LANES_MEMORY_H

#include "cosim/contract.h"
#include "cosim/lanes.h"

struct lanes_memory {
    struct lanes *lanes;
    const struct field *field; /* `count` words of `width` bits */
    unsigned address_bits, reads;
    int write, *write_address, *write_data; /* outputs */
    int *read_address, *read_data;          /* outputs; inputs; port after port */
    uint64_t *word;                         /* `width` for each */
};

/* Returns 0, or -1 with the reason on `err`: the netlist has no such ports. */
int lanes_memory_open(struct lanes_memory *, struct lanes *, const struct field *, FILE *err);
void lanes_memory_close(struct lanes_memory *);

/* Each lane gets these words. */
void lanes_memory_fill(struct lanes_memory *, const uint64_t *words);
/* What it says is of a later stage than what it is asked. Returns whether a stage has changed: then another memory's may, too. */
int lanes_memory_delay(struct lanes_memory *);
/* The read ports that are asked in this stage. */
void lanes_memory_read(struct lanes_memory *, unsigned stage);
/* The write port, at the edge. Returns the lanes that have not written what lane 0 has, or something else. */
uint64_t lanes_memory_write(struct lanes_memory *);
/* A lane gets the words of lane 0. */
void lanes_memory_heal(struct lanes_memory *, unsigned lane);
/* Does lane 0 have these words? */
int lanes_memory_equal(const struct lanes_memory *, const uint64_t *words);

#endif
