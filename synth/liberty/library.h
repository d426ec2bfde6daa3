/* SPDX-License-Identifier: Apache-2.0 */
/* synth/liberty/library.h: what a Liberty file says of its cells, as far as Heddle wants to know it. */
#ifndef HEDDLE_SYNTH_LIBRARY_H
#define HEDDLE_SYNTH_LIBRARY_H

#include "synth/liberty/function.h"
#include "synth/liberty/liberty.h"

#define CELL_PINS   64 /* of one cell */
#define CELL_STATES 2  /* names of a state: itself, and inverted */

enum pin_direction { PIN_IN, PIN_OUT, PIN_OTHER };
enum cell_kind {
    CELL_LOGIC,     /* outputs are functions of the inputs */
    CELL_FLIP_FLOP, /* one ff group */
    CELL_LATCH,     /* one latch group */
    CELL_OTHER      /* buses, pads, three states, several states, or no function */
};

struct library_pin {
    const char *name;
    enum pin_direction direction;
    double capacitance; /* F */
    const struct function
        *function; /* of the cell's pins by number, then of the states; NULL: none */
    const struct liberty_group *group;
};

struct library_cell {
    const char *name;
    enum cell_kind kind;
    int unused;  /* dont_use or dont_touch: no tool takes it of its own accord */
    double area; /* in the library's own unit, um2 in all that are known */
    struct library_pin *pins;
    unsigned num_pins, num_inputs, num_outputs;
    const struct liberty_group *group;
    struct library_cell *next;
};

struct library {
    struct liberty liberty;
    const char *name;
    double time, capacitance, voltage,
        leakage;                /* units in s, F, V, W; voltage: of the supply, in V */
    struct library_cell *cells; /* in the order of the file */
    unsigned num_cells;
};

/* Returns 0, or -1: `err` has been told. library_free is due either way. */
int library_read(struct library *, const char *path, FILE *err);
void library_free(struct library *);

const struct library_cell *library_cell(const struct library *, const char *name); /* NULL: none */

/* The number of a cell's pin of this name, or -1. */
int library_pin(const struct library_cell *, const char *name, size_t length);

/* An attribute whose value is a number from 0 on. Returns 0, or -1: `err` has been told. */
int library_number(const struct library *, const struct liberty_attribute *, double *to, FILE *err);

/* An attribute whose value is a function of a cell's pins and states, such as `when`; or NULL: `err` has been told. */
const struct function *library_function(struct library *, const struct library_cell *,
                                        const struct liberty_attribute *, FILE *err);

/* Whether an output shows the state of its flip-flop or latch as it is. */
int library_is_state(const struct library_cell *, const struct library_pin *);

/* The smallest cell of a kind that tools take, of equal ones the first in the file; NULL: there is none. */
const struct library_cell *library_nand2(const struct library *); /* not of the and of two inputs */
const struct library_cell *library_buffer(const struct library *); /* its one input */
/* What an output of a unit drives, in F: the first inputs of four NAND2. 0: there is none. */
double library_load(const struct library *);
const struct library_cell *
library_flip_flop(const struct library *); /* takes an input at the rising edge, nothing else */

#endif
