/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/lanes.h: a netlist of AND gates and registers, 64 times at once: bit i of each signal's word is its value in lane i. Read
 * from a file in AIGER's text format with the names of inputs and outputs, as Yosys writes it (Biere, Heljanko, Wieringa: AIGER 1.9
 * and Beyond, 2011). */
#ifndef HEDDLE_COSIM_LANES_H
#define HEDDLE_COSIM_LANES_H

#include <stdint.h>
#include <stdio.h>

#define LANES        64
#define LANES_STAGES 8

struct lanes;

/* NULL with the reason on `err`. */
struct lanes *lanes_open(const char *path, FILE *err);
void lanes_close(struct lanes *);

/* A signal by its name and bit: "waiting", 3. Its number for the functions below, or -1: none. */
int lanes_input(const struct lanes *, const char *name, unsigned bit);
int lanes_output(const struct lanes *, const char *name, unsigned bit);

void lanes_set(struct lanes *, int input, uint64_t value);
uint64_t lanes_get(const struct lanes *, int output);

/* Inputs that are not known before some outputs have been computed are of a later stage than these; all others are of stage 0. Gates
 * are of the latest stage of what they read, and so are outputs. Returns whether the input was of an earlier stage before. */
int lanes_delay(struct lanes *, int input, unsigned stage);
unsigned lanes_stage(const struct lanes *, int output);
/* To be called once all inputs have their stage: what follows from inputs and registers, stage after stage. */
void lanes_eval(struct lanes *, unsigned stage);
/* All registers take what lanes_eval has made of them. */
void lanes_edge(struct lanes *);
/* Fills the registers with noise, another one in each lane. */
void lanes_scramble(struct lanes *, uint64_t seed);
/* A lane gets the registers of lane 0. */
void lanes_heal(struct lanes *, unsigned lane);

/* The value of lane 0 in all lanes. */
static inline uint64_t lanes_spread(uint64_t value)
{
    return -(value & 1);
}

#endif
