/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/units/parts.h: units and sockets of the tests' own. All units have the same structs; what
 * they make of them differs. What a unit sees is one word of the view of its scope. */
#ifndef HEDDLE_TESTS_TB_UNITS_PARTS_H
#define HEDDLE_TESTS_TB_UNITS_PARTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cosim/contract.h"
#include "tb/units/rack.h"

#define EVERY_CONTROL 0xff /* all ones, as a cycle begins */

struct part_in {
    uint64_t level, event, from, now;
};
struct part_out {
    uint64_t word;
};
struct part_state {
    uint64_t value, armed;
};

#define PART_FIELD(kind, part, name, width)                                                        \
    {                                                                                              \
        kind, #name, "", width, 1, width, 1, offsetof(struct part_##part, name), #width            \
    }
static const struct field part_fields[] = {
    PART_FIELD(FIELD_IN, in, level, 8),      PART_FIELD(FIELD_IN, in, event, 1),
    PART_FIELD(FIELD_IN, in, from, 64),      PART_FIELD(FIELD_IN, in, now, 6),
    PART_FIELD(FIELD_OUT, out, word, 8),     PART_FIELD(FIELD_STATE, state, value, 8),
    PART_FIELD(FIELD_STATE, state, armed, 1)};

/* How often any unit went through an edge. */
static unsigned part_steps;

static void part_reset(void *state)
{
    memset(state, 0, sizeof(struct part_state));
}

static int part_never_quiet(const void *in)
{
    (void)in;
    return 0;
}

static uint64_t part_never_wakes(const void *state, const void *in)
{
    (void)state, (void)in;
    return UINT64_MAX;
}

/* A wire: no registers. */
static void wire_reset(void *state)
{
    (void)state;
}

static void wire_tick(void *state, const void *in, const void *out)
{
    (void)state, (void)in, (void)out;
    part_steps++;
}

static void wire_comb(const void *state, const void *input, void *output)
{
    const struct part_in *in = input;
    (void)state;
    ((struct part_out *)output)->word = (in->level ^ in->from * 3) & 0xff;
}

static int wire_idle(const void *in, const void *out)
{
    (void)in, (void)out;
    return 1;
}

/* A meter: counts up to 9 while bit 0 of the level is 1; an event clears it. */
static void meter_comb(const void *state, const void *in, void *output)
{
    (void)in;
    ((struct part_out *)output)->word = ((const struct part_state *)state)->value;
}

static void meter_tick(void *state, const void *input, const void *out)
{
    const struct part_in *in = input;
    struct part_state *s = state;
    (void)out;
    part_steps++;
    s->value = in->event ? 0 : s->value + (in->level & 1 && s->value < 9);
}

static int meter_idle(const void *input, const void *output)
{
    const struct part_in *in = input;
    return !in->event && (!(in->level & 1) || ((const struct part_out *)output)->word == 9);
}

/* A timer: an event sets it for level + 1 cycles later, by a clock of six bits. */
static void timer_comb(const void *state, const void *input, void *output)
{
    const struct part_state *s = state;
    const struct part_in *in = input;
    ((struct part_out *)output)->word = s->armed && s->value == in->now;
}

static void timer_tick(void *state, const void *input, const void *output)
{
    const struct part_in *in = input;
    struct part_state *s = state;
    part_steps++;
    if (((const struct part_out *)output)->word)
        s->armed = 0;
    if (in->event)
        *s = (struct part_state){.armed = 1, .value = (in->now + in->level % 32 + 1) & 63};
}

static int timer_idle(const void *input, const void *output)
{
    return !((const struct part_in *)input)->event && !((const struct part_out *)output)->word;
}

static uint64_t timer_wakes(const void *state, const void *in)
{
    const struct part_state *s = state;
    (void)in;
    return s->armed ? s->value : UINT64_MAX;
}

/* An arbiter: grants, in turn, one of eight that ask (level) and may (from); the word is its number
 * plus 1, or 0. */
static void arbiter_comb(const void *state, const void *input, void *output)
{
    const struct part_in *in = input;
    const uint64_t asks = in->level & in->from & 0xff;
    uint64_t *word = &((struct part_out *)output)->word;
    *word = 0;
    for (uint64_t i = 1; i <= 8 && !*word; i++) {
        const uint64_t one = (((const struct part_state *)state)->value + i) % 8;
        *word = asks >> one & 1 ? one + 1 : 0;
    }
}

static void arbiter_tick(void *state, const void *in, const void *output)
{
    const uint64_t word = ((const struct part_out *)output)->word;
    (void)in;
    part_steps++;
    if (word)
        ((struct part_state *)state)->value = word - 1;
}

static int arbiter_quiet(const void *in)
{
    return !((const struct part_in *)in)->level;
}

static int arbiter_idle(const void *in, const void *output)
{
    (void)in;
    return !((const struct part_out *)output)->word;
}

/* The last two fields are STATE. */
#define PART(stem_, clocked, comb_, tick_, idle_, quiet_, wakes_, ...)                             \
    {                                                                                              \
        .stem = stem_, .fields = part_fields,                                                      \
        .num_fields = sizeof part_fields / sizeof part_fields[0] - 2 * !(clocked),                 \
        .size = {sizeof(struct part_in), sizeof(struct part_out),                                  \
                 (clocked) * sizeof(struct part_state)},                                           \
        .state_size = (clocked) * sizeof(struct part_state),                                       \
        .reset = (clocked) ? part_reset : wire_reset, .comb = comb_, .tick = tick_, .idle = idle_, \
        .quiet = quiet_, .wakes = wakes_, __VA_ARGS__                                              \
    }
static const struct unit wire =
    PART("wire", 0, wire_comb, wire_tick, wire_idle, part_never_quiet, part_never_wakes, );
static const struct unit meter =
    PART("meter", 1, meter_comb, meter_tick, meter_idle, part_never_quiet, part_never_wakes, );
static const struct unit timer =
    PART("timer", 1, timer_comb, timer_tick, timer_idle, part_never_quiet, timer_wakes,
         .clock = &part_fields[3], .has_wakes = 1);
static const struct unit arbiter = PART("arbiter", 1, arbiter_comb, arbiter_tick, arbiter_idle,
                                        arbiter_quiet, part_never_wakes, .has_quiet = 1);

/* What a socket remembers between cycles. */
struct part_memory {
    uint64_t heard;
};

static void part_hear(struct plug *p, const struct event *e)
{
    (void)e;
    ((struct part_memory *)p->memory)->heard++;
}

/* Eight bits for each unit of a rack. */
static uint64_t part_level(const struct plug *p, const struct view *v)
{
    const uint64_t all = v->scheduler ? v->scheduler->running
                         : v->sm      ? v->sm->blocks
                                      : v->gpu->kernels[0].limit;
    return all >> 8 * p->policy & 0xff;
}

/* Shows the level, whether it has heard of anything, and the first of the controls. */
static int part_gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    struct part_memory *m = p->memory;
    struct part_in *in = input;
    *in = (struct part_in){
        .level = part_level(p, view), .event = m->heard > 0, .from = *(const uint64_t *)controls};
    m->heard = 0;
    return (int)in->event;
}

/* Steers by what the unit says; nothing by 0. What it withholds and what it chooses depend on its
 * number, so that units meet in some controls and not in others. */
static void part_apply(const struct plug *p, void *controls)
{
    const uint64_t word = ((const struct part_out *)p->out)->word;
    if (!word)
        return;
    if (p->rack->scope == SCOPE_GPU) {
        struct gpu_controls *c = controls;
        *(p->policy % 2 ? &c->place_sm : &c->place_block) = word;
        return;
    }
    struct controls *c = controls;
    c += p->rack->scope == SCOPE_SM ? p->policy % NUM_SCHEDULERS : 0;
    c->allow &= ~word;
    if (p->policy % 2)
        c->pollute &= ~(word << 8);
    else
        c->policy = word;
}

/* A socket of the tests: .stem and .scope are its unit's and its rack's. */
#define PART_SOCKET(stem_, ...)                                                                    \
    {                                                                                              \
        .stem = stem_, .memory = sizeof(struct part_memory), .hear = part_hear,                    \
        .gather = part_gather, .apply = part_apply, __VA_ARGS__                                    \
    }

static inline struct planned part_planned(const struct socket *s, const struct unit *u,
                                          uint64_t number, uint64_t delay)
{
    return (struct planned){.socket = s, .unit = u, .policy = number, .delay = delay};
}

/* The view of a scope whose word the tests set. */
struct part_view {
    struct scheduler_view scheduler;
    struct sm_view sm;
    struct gpu_view gpu;
    enum scope scope;
};

static inline uint64_t *part_word(struct part_view *v)
{
    return v->scope == SCOPE_SCHEDULER ? &v->scheduler.running
           : v->scope == SCOPE_SM      ? &v->sm.blocks
                                       : &v->gpu.kernels[0].limit;
}

static inline struct view part_view_of(const struct part_view *v)
{
    return (struct view){.scheduler = v->scope == SCOPE_SCHEDULER ? &v->scheduler : NULL,
                         .sm = v->scope == SCOPE_GPU ? NULL : &v->sm,
                         .gpu = v->scope == SCOPE_GPU ? &v->gpu : NULL};
}

static inline void part_open(struct rack *r, const struct plan *plan, struct part_view *v,
                             enum scope scope, enum unit_backend backend)
{
    static const struct config c;
    v->scope = scope;
    const struct view view = part_view_of(v);
    assert_int_equal(rack_open(r, plan, scope, &c, backend, &view, "test"), 0);
}

/* A number below `n`. */
static inline unsigned part_random(unsigned n)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % n;
}

#endif
