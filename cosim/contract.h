/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/contract.h: a unit's contract as data: what cosim/unit_table.c makes of
 * cmodel/<unit>/<unit>.def. */
#ifndef HEDDLE_COSIM_CONTRACT_H
#define HEDDLE_COSIM_CONTRACT_H

#include <stddef.h>
#include <stdint.h>

#include "fsm/fsm.h"

enum field_kind { FIELD_IN, FIELD_OUT, FIELD_STATE, NUM_FIELD_KINDS };

/* A value of a field that has a name. */
struct field_name {
    const char *field, *id, *meaning;
    uint64_t value;
};

/* One IN, OUT or STATE line. In the C struct of its kind it is words from `offset` on, each with
 * `per_word` of its bits. */
struct field {
    enum field_kind kind;
    const char *name, *meaning;
    unsigned width, count, per_word;
    int scalar; /* one word, not an array of words */
    size_t offset;
    const char *width_text; /* the width as its line writes it */
};

/* Has it a bit for each of something: an array of bits, or a mask of as many bits as there are warps (NUM_WARPS) or their like? */
int field_is_set(const struct field *);

/* An FSM line: a STATE that moves along the edges of a state machine. */
struct state_fsm {
    const char *state;
    const struct fsm *fsm;
};

struct param {
    const char *name;
    unsigned value;
};

/* A word of a MEMORY that is written at the edge of a cycle. */
struct memory_write {
    uint64_t write, address, data;
};

/* The Verilated model of a unit, behind C functions. One call of `sample` shows the outputs and the
 * state before the edge of a cycle, `edge` moves the state. */
struct unit_model {
    void *(*open)(void); /* in reset state; NULL: no memory */
    void (*close)(void *);
    void (*sample)(void *, const void *in, void *out, void *state);
    void (*outputs)(void *, const void *in, void *out); /* as sample, without the state */
    void (*state)(void *, void *state); /* between cycles: the state after the last edge */
    void (*edge)(void *);
    void (*reset)(void *); /* as open leaves the registers; MEMORYs hold anything */
    /* Of the MEMORYs, in the order of the contract: what their write ports say before the edge, and
     * all their words, one memory behind the other. */
    void (*writes)(void *, struct memory_write *);
    void (*contents)(void *, uint64_t *words);
    void (*preset)(void *, const uint64_t *words);
};

struct unit {
    const char *stem;
    const struct param *params;
    const struct field *fields;
    const struct field *memories; /* `count` words of `width` bits, in struct <unit>_state */
    const struct field_name *names;
    const char *const *ports; /* the STATEs that are output ports too */
    const struct state_fsm *fsms;
    unsigned num_params, num_fields, num_memories, num_names, num_ports, num_fsms;
    size_t size[NUM_FIELD_KINDS]; /* of struct <unit>_in, _out, and of the STATEs in _state */
    size_t state_size;            /* of struct <unit>_state: STATEs, then MEMORYs */
    const struct field *clock;    /* the IN that CLOCK names, or NULL */
    int (*quiet)(const void *in); /* QUIET */
    int has_quiet, has_wakes;     /* is there such a line? */
    int (*idle)(const void *in, const void *out);         /* IDLE_STABLE */
    uint64_t (*wakes)(const void *state, const void *in); /* WAKES, as the contract has it */
    void (*reset)(void *state);
    void (*comb)(const void *state, const void *in, void *out);
    void (*tick)(void *state, const void *in, const void *out);
    const struct unit_model *model;
};

/* All units, in alphabetical order. */
extern const struct unit *const units[];
extern const unsigned num_units;

/* Element `index` of a field in the C struct it lives in. */
uint64_t field_get(const struct field *, const void *fields, unsigned index);
void field_set(const struct field *, void *fields, unsigned index, uint64_t value);

/* Bits of a field: width * count; and these bits as the RTL has them, element 0 lowest. */
unsigned field_bits(const struct field *);
void field_pack(const struct field *, const void *fields, uint64_t *packed);

/* True where both structs hold the same value in a field. */
int field_equal(const struct field *, const void *a, const void *b);

/* False where a word of the field has bits that belong to none of its elements. */
int field_fits(const struct field *, const void *fields);

/* The name of a value, or NULL. */
const char *field_value_name(const struct unit *, const struct field *, uint64_t value);

/* The state machine that a STATE is of, or NULL. */
const struct fsm *unit_field_fsm(const struct unit *, const struct field *);

/* A field by its name, or NULL. */
const struct field *unit_field(const struct unit *, const char *name);

/* Where the register of a STATE stands in the RTL, below the unit: "last_q", or the port. Writes to
 * `path`. */
void unit_register(const struct unit *, const struct field *, char *path, size_t size);

/* Is the STATE also an output port of the unit? */
int unit_state_is_port(const struct unit *, const struct field *);

/* Sum of the STATE bits. */
unsigned unit_state_bits(const struct unit *);

/* Has the unit STATE or MEMORY? Else it is combinational: neither clock nor reset. */
int unit_is_clocked(const struct unit *);

/* The first cycle after `now` that is `wakes` modulo the width of the CLOCK, or UINT64_MAX. */
uint64_t unit_wakes_after(const struct unit *, uint64_t now, uint64_t wakes);

#endif
