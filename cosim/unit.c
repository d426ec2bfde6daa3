/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/unit.c: instances of units and their lockstep. See unit.h for the account of a cycle. */
#include "cosim/unit.h"

#include <stdlib.h>
#include <string.h>

#include "cosim/inst.h"

static const char *const backend_names[NUM_BACKENDS] = {"c", "rtl", "lockstep"};

int unit_backend(const char *word, enum unit_backend *backend)
{
    for (int b = 0; b < NUM_BACKENDS; b++)
        if (!strcmp(word, backend_names[b])) {
            *backend = (enum unit_backend)b;
            return 0;
        }
    return -1;
}

const char *unit_value_id(const struct unit *u, const char *field, unsigned index,
                          const char **meaning)
{
    for (unsigned n = 0; n < u->num_names; n++)
        if (!strcmp(u->names[n].field, field) && index-- == 0) {
            if (meaning)
                *meaning = u->names[n].meaning;
            return u->names[n].id;
        }
    return NULL;
}

int unit_value(const struct unit *u, const char *field, const char *id, uint64_t *value)
{
    for (unsigned n = 0; n < u->num_names; n++)
        if (!strcmp(u->names[n].field, field) && !strcmp(u->names[n].id, id)) {
            *value = u->names[n].value;
            return 0;
        }
    return -1;
}

/* Every so many cycles of lockstep all words of all MEMORYs are compared. */
#define MEMORY_CYCLES 4096

/* All structs of all remembered cycles, and the reference's own state, are one block. */
static int lay_out(struct unit_inst *i)
{
    const size_t *size = i->unit->size;
    const size_t writes = i->unit->num_memories * sizeof(struct memory_write);
    size_t cycle = size[FIELD_IN] + NUM_SIDES * (size[FIELD_OUT] + size[FIELD_STATE] + writes);
    uint8_t *at = calloc(1, UNIT_HISTORY * cycle + 3 * i->unit->state_size +
                                i->unit->num_memories * sizeof(struct memory_moved));
    if (!at)
        return -1;
    i->memory = at;
    for (unsigned h = 0; h < UNIT_HISTORY; h++) {
        struct unit_cycle *c = &i->history[h];
        c->in = at, at += size[FIELD_IN];
        for (int side = 0; side < NUM_SIDES; side++) {
            c->out[side] = at, at += size[FIELD_OUT];
            c->state[side] = at, at += size[FIELD_STATE];
            c->writes[side] = (struct memory_write *)at, at += writes;
        }
    }
    i->state = at, at += i->unit->state_size;
    i->shadow = at, at += i->unit->state_size;
    i->stopped = at, at += i->unit->state_size;
    i->moved = (struct memory_moved *)at;
    return 0;
}

struct unit_inst *unit_open(const struct unit *u, enum unit_backend backend, const char *place)
{
    struct unit_inst *i = calloc(1, sizeof *i);
    if (!i)
        return NULL;
    i->unit = u;
    i->backend = backend;
    i->place = strdup(place);
    if (!i->place || lay_out(i) || inst_watch_open(i) ||
        (backend != BACKEND_C && !(i->model = u->model->open()))) {
        unit_close(i);
        return NULL;
    }
    u->reset(i->state);
    unit_preset(i, 0);
    return i;
}

void unit_close(struct unit_inst *i)
{
    if (!i)
        return;
    if (i->model)
        i->unit->model->close(i->model);
    free(i->memory);
    free(i->place);
    free(i->signals);
    free(i->memory_signals);
    inst_watch_close(i);
    free(i);
}

void unit_reset(struct unit_inst *i, uint64_t seed)
{
    i->unit->reset(i->state);
    if (i->model)
        i->unit->model->reset(i->model);
    inst_watch_reset(i);
    unit_preset(i, seed);
}

static int sides_equal(const struct unit_inst *i, const struct unit_cycle *c)
{
    const size_t *size = i->unit->size;
    return !memcmp(c->out[SIDE_REF], c->out[SIDE_RTL], size[FIELD_OUT]) &&
           !memcmp(c->state[SIDE_REF], c->state[SIDE_RTL], size[FIELD_STATE]) &&
           inst_memories_equal(i);
}

/* Takes the next place in the ring and looks at both sides, or at the one there is. */
static struct unit_cycle *look(struct unit_inst *i, uint64_t cycle, const void *in)
{
    const struct unit *u = i->unit;
    struct unit_cycle *c = &i->history[i->remembered++ % UNIT_HISTORY];
    c->cycle = cycle;
    memcpy(c->in, in, u->size[FIELD_IN]);
    if (inst_has(i, SIDE_REF)) {
        memcpy(c->state[SIDE_REF], i->state, u->size[FIELD_STATE]);
        u->comb(i->state, in, c->out[SIDE_REF]);
    }
    if (inst_has(i, SIDE_RTL))
        u->model->sample(i->model, in, c->out[SIDE_RTL], c->state[SIDE_RTL]);
    inst_memories_before(i, c);
    return c;
}

const struct unit_cycle *inst_peek(struct unit_inst *i, uint64_t cycle, const void *in)
{
    const struct unit_cycle *c = look(i, cycle, in);
    for (unsigned n = 0; n < i->unit->num_memories; n++)
        c->writes[SIDE_REF][n] = c->writes[SIDE_RTL][n] = (struct memory_write){0};
    return c;
}

/* Stops the machine; where a waveform is written only some cycles later, in which the reference alone decides, so that it shows what came of it. */
static int fails(struct unit_inst *i, uint64_t cycle)
{
    i->mismatches = 1;
    i->failed = cycle;
    inst_memories_stop(i);
    return !i->signals;
}

/* A cycle after that. The Verilog is shown the same inputs. */
static int go_on(struct unit_inst *i, uint64_t cycle, const void *in, void *out)
{
    const struct unit_cycle *c = inst_peek(i, cycle, in);
    memcpy(out, c->out[SIDE_REF], i->unit->size[FIELD_OUT]);
    i->unit->tick(i->state, in, out);
    i->unit->model->edge(i->model);
    return cycle >= i->failed + UNIT_AFTER;
}

static int lockstep(struct unit_inst *i, uint64_t cycle, const void *in, void *out)
{
    const struct unit *u = i->unit;
    struct unit_cycle *c = look(i, cycle, in);
    memcpy(out, c->out[SIDE_REF], u->size[FIELD_OUT]);
    if (++i->cycles % MEMORY_CYCLES == 0)
        inst_memories_read(i);
    if ((!sides_equal(i, c) || inst_watch(i, SIDE_REF, c->state[SIDE_REF]) ||
         inst_watch(i, SIDE_RTL, c->state[SIDE_RTL])) &&
        fails(i, cycle))
        return 1;
    u->tick(i->state, in, out);
    u->model->edge(i->model);
    inst_memories_after(i, c);
    return 0;
}

int unit_settle(struct unit_inst *i, uint64_t cycle)
{
    if (i->backend != BACKEND_LOCKSTEP || !i->remembered)
        return 0;
    if (i->mismatches)
        return 1;
    const struct unit_cycle *last = &i->history[(i->remembered - 1) % UNIT_HISTORY];
    inst_memories_read(i);
    return sides_equal(i, look(i, cycle, last->in)) ? 0 : fails(i, cycle);
}

/* One side alone decides. The cycle is remembered for a waveform, and where the RTL alone knows the
 * state of a state machine. */
static int alone(struct unit_inst *i, uint64_t cycle, const void *in, void *out)
{
    const struct unit *u = i->unit;
    enum unit_side side = i->backend == BACKEND_RTL ? SIDE_RTL : SIDE_REF;
    const void *state = i->state;
    struct unit_cycle *c = NULL;
    if (i->signals || (side == SIDE_RTL && u->num_fsms)) {
        c = look(i, cycle, in);
        memcpy(out, c->out[side], u->size[FIELD_OUT]);
        state = c->state[side];
    } else if (side == SIDE_REF)
        u->comb(i->state, in, out);
    else
        u->model->outputs(i->model, in, out);
    if (u->num_fsms && !i->mismatches && inst_watch(i, side, state)) {
        fails(i, cycle);
        return 1;
    }
    if (side == SIDE_REF)
        u->tick(i->state, in, out);
    else
        u->model->edge(i->model);
    if (c && i->backend != BACKEND_LOCKSTEP)
        inst_memories_after(i, c);
    return 0;
}

__attribute__((noinline)) static int step_watched(struct unit_inst *i, uint64_t cycle,
                                                  const void *in, void *out)
{
    if (i->backend == BACKEND_LOCKSTEP && !i->mismatches)
        return lockstep(i, cycle, in, out);
    if (i->backend == BACKEND_LOCKSTEP && i->signals)
        return go_on(i, cycle, in, out);
    return alone(i, cycle, in, out);
}

/* More is wanted of a cycle than the reference's outputs and state. */
static int is_watched(const struct unit_inst *i)
{
    return i->backend != BACKEND_C || i->signals || i->unit->num_fsms;
}

int unit_step(struct unit_inst *i, uint64_t cycle, const void *in, void *out)
{
    const struct unit *u = i->unit;
    i->now = cycle;
    if (is_watched(i))
        return step_watched(i, cycle, in, out);
    u->comb(i->state, in, out); /* nobody looks on */
    u->tick(i->state, in, out);
    return 0;
}

int unit_direct(const struct unit_inst *i, struct unit_direct *d)
{
    *d = (struct unit_direct){i->unit->comb, i->unit->tick, i->state};
    return is_watched(i) ? -1 : 0;
}

const void *unit_state(struct unit_inst *i)
{
    if (i->backend == BACKEND_RTL) {
        i->unit->model->state(i->model, i->state);
        i->unit->model->contents(i->model,
                                 (uint64_t *)((char *)i->state + i->unit->size[FIELD_STATE]));
    }
    return i->state;
}

const struct unit *unit_of(const struct unit_inst *i)
{
    return i->unit;
}

const char *unit_stem(const struct unit_inst *i)
{
    return i->unit->stem;
}

size_t unit_in_size(const struct unit *u)
{
    return u->size[FIELD_IN];
}

size_t unit_out_size(const struct unit *u)
{
    return u->size[FIELD_OUT];
}

const char *unit_place(const struct unit_inst *i)
{
    return i->place;
}

uint64_t unit_cycles(const struct unit_inst *i)
{
    return i->cycles;
}

uint64_t unit_mismatches(const struct unit_inst *i)
{
    return i->mismatches;
}

uint64_t unit_failed_cycle(const struct unit_inst *i)
{
    return i->failed;
}

void unit_accuse(struct unit_inst *i, uint64_t cycle, const char *reason)
{
    snprintf(i->complaint, sizeof i->complaint, "%s", reason);
    fails(i, cycle);
}

int unit_quiet(const struct unit_inst *i, const void *in)
{
    return i->unit->quiet(in);
}

struct unit_promises unit_promises(const struct unit *u)
{
    return (struct unit_promises){.quiet = u->has_quiet ? u->quiet : NULL,
                                  .idle = u->idle,
                                  .clock = u->clock != NULL,
                                  .wakes = u->has_wakes,
                                  .clocked = unit_is_clocked(u)};
}

int unit_idle(const struct unit_inst *i, const void *in, const void *out)
{
    return i->unit->idle(in, out);
}

uint64_t unit_wakes(struct unit_inst *i, const void *in)
{
    return unit_wakes_after(i->unit, i->now, i->unit->wakes(unit_state(i), in));
}
