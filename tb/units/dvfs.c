/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/dvfs.c: the frequency controller in the machine, and the software that it interrupts: P-DVFS (cmodel/analytic/pdvfs_loop.h), or
 * F-DVFS with the same hardware. Software sees the counts of a period when the unit has ended it, and writes a table one entry a cycle. */
#include "cmodel/dvfs/dvfs.h"

#include <string.h>

#include "cmodel/analytic/pdvfs_loop.h"
#include "tb/clocks.h"
#include "tb/units/socket.h"

#define LEAST (CLOCK_SIXTHS + 1 - DVFS_LEVELS) /* sixths of the lowest level */

_Static_assert(DVFS_LEVELS <= 4, "sm.clock is 3 at least");
_Static_assert(DVFS_SLOTS <= PDVFS_SLOTS, "software has as many slots");

enum { OFF, P_DVFS, F_DVFS }; /* dvfs.software */

#define MOST_WRITES (DVFS_SLOTS + 1) /* a table, or the edges */

struct memory {
    uint64_t software, misses, scaling, control,
        settle;        /* keys, as far as the unit's ports hold them */
    double hz;         /* of the fixed clock */
    uint64_t fraction; /* bits of an edge behind the point */
    struct pdvfs loop;
    struct mckp_sum room[MCKP_ROOM_15_4];
    struct clock_view told,
        ended; /* what the unit has been told of; of that what lay before its last point */
    uint64_t due,
        length; /* as the unit had it when it was asked last; cycles of the period that ends there */
    int runs;   /* it has been told to */
    int answer; /* software has a table, and waits for the interrupt */
    struct {
        uint64_t what, index, value;
    } writes[MOST_WRITES];
    unsigned num_writes, written;
};

static int used(const struct config *c)
{
    return c->dvfs_software != OFF;
}

static const char *objects(const struct plan *plans)
{
    return plan_delay(plans, SCOPE_CLOCK, "dvfs")
               ? "has its latency in dvfs.settle: it cannot steer later than that"
               : NULL;
}

/* What has more bits than its port counts as the most that that holds. */
static uint64_t held(int64_t number, unsigned bits)
{
    const uint64_t most = (UINT64_C(1) << bits) - 1;
    return (uint64_t)number < most ? (uint64_t)number : most;
}

static void write(struct memory *m, uint64_t what, uint64_t index, uint64_t value)
{
    m->writes[m->num_writes].what = what;
    m->writes[m->num_writes].index = index;
    m->writes[m->num_writes++].value = value;
}

/* Edges that the unit can hold: whole units of 2^-fraction, the finest in which the highest does not overflow. Software goes by the same
 * ones. */
static void choose_edges(struct memory *m, struct pdvfs_settings *s, double highest)
{
    const double most = (double)((UINT64_C(1) << DVFS_EDGE_BITS) - 2);
    m->fraction = 0;
    while (m->fraction < DVFS_EDGE_BITS && highest * (double)(UINT64_C(2) << m->fraction) <= most)
        m->fraction++;
    const double one = (double)(UINT64_C(1) << m->fraction);
    for (unsigned i = 0; i + 1 < DVFS_SLOTS; i++) {
        uint64_t edge = (uint64_t)(highest * (i + 1) / (DVFS_SLOTS - 1) * one + 0.5);
        edge = edge > i ? edge : i + 1; /* they rise */
        s->edge[i] = (double)edge / one;
        write(m, dvfs_write_edge, i, edge);
    }
}

static void open(struct plug *p, const struct config *c)
{
    struct memory *m = p->memory;
    const double hz = (double)c->gpu_clock_mhz * 1e6;
    const int64_t b[NUM_PDVFS_EVENTS + 2] = {c->dvfs_b0, c->dvfs_b1, c->dvfs_b2, c->dvfs_b3,
                                             c->dvfs_b4, c->dvfs_b5, c->dvfs_b6};
    struct pdvfs_settings s;
    pdvfs_defaults(&s, (double)c->dvfs_highest / 1000);
    s.a = (double)c->dvfs_goal / 100;
    s.scaling_ticks = 1;
    s.window = (unsigned)c->dvfs_window;
    s.slots = DVFS_SLOTS;
    s.levels.num = DVFS_LEVELS;
    s.power.voltage = PDVFS_VOLTAGE_TABLE;
    s.left_first = (double)c->dvfs_instructions;
    s.left_most = 30 * s.left_first;
    m->software = (uint64_t)c->dvfs_software;
    m->misses = (uint64_t)c->dvfs_misses;
    m->scaling = held(c->dvfs_scaling, DVFS_TIME_BITS);
    m->control = held(c->dvfs_scaling * c->dvfs_control, DVFS_TIME_BITS);
    m->settle = held(c->dvfs_settle, DVFS_SETTLE_BITS);
    m->hz = hz;
    s.control_ticks = (unsigned)((m->control + m->scaling - 1) / m->scaling);
    for (unsigned i = 0; i < DVFS_LEVELS; i++) {
        s.levels.hz[i] = hz * (LEAST + i) / CLOCK_SIXTHS;
        s.power.term[i] =
            (double)config_millivolts(c, LEAST + i) / (double)config_millivolts(c, CLOCK_SIXTHS);
    }
    for (unsigned i = 0; i < NUM_PDVFS_EVENTS + 2; i++)
        s.power.b[i] = (double)b[i] * (i == 0 || i == NUM_PDVFS_EVENTS + 1 ? 1e-9 : 1e-15);
    choose_edges(m, &s, (double)c->dvfs_highest / 1000);
    pdvfs_start(&m->loop, &s);
}

static uint64_t missed(const struct memory *m, const struct clock_view *v)
{
    return m->misses ? v->l2_misses : v->l1d_misses;
}

/* F-DVFS goes by the misses per instruction of a period: here by those in the middle of its slot. */
static void choose_by_slot(struct pdvfs *l)
{
    const struct pdvfs_settings *s = &l->settings;
    for (unsigned i = 0; i < s->slots; i++) {
        const double from = i ? s->edge[i - 1] : 0, to = i + 1 < s->slots ? s->edge[i] : from;
        if (!l->knows_speed ||
            pdvfs_f_dvfs(&s->levels, &l->speed, (from + to) / 2, s->a, &l->table[i]))
            l->table[i] = s->levels.num - 1;
    }
}

/* A period has ended: what software does with its counts. */
static void end_period(struct memory *m)
{
    const struct clock_view *now = &m->told, *before = &m->ended;
    const struct pdvfs_sample s = {
        .seconds = (double)m->length / m->hz,
        .instructions = (double)(now->instructions - before->instructions),
        .events = {[PDVFS_L1D] = (double)(now->l1d_accesses - before->l1d_accesses),
                   [PDVFS_L2] = (double)(now->l2_accesses - before->l2_accesses),
                   [PDVFS_L2_MISS] = (double)(missed(m, now) - missed(m, before)),
                   [PDVFS_FP] = (double)(now->arithmetic - before->arithmetic)}};
    const unsigned long controls = m->loop.controls;
    pdvfs_tick(&m->loop, &s, m->room, MCKP_ROOM_15_4);
    m->ended = m->told;
    if (m->loop.controls == controls)
        return;
    if (m->software == F_DVFS)
        choose_by_slot(&m->loop);
    m->answer = 1;
}

/* The unit asks for a table. */
static void answer(struct memory *m)
{
    m->answer = 0;
    m->num_writes = m->written = 0;
    for (unsigned i = 0; i < DVFS_SLOTS; i++)
        write(m, dvfs_write_entry, i, m->loop.table[i]);
    write(m, dvfs_write_commit, 0, 0);
}

/* The unit has got a point behind it where it waits for another one. */
static void look(struct memory *m, const struct dvfs_state *state)
{
    if (m->length && state->due == m->due)
        return;
    if (m->length)
        end_period(m);
    m->length =
        m->length ? (state->due - m->due) & ((UINT64_C(2) << DVFS_TIME_BITS) - 1) : m->scaling;
    m->due = state->due;
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    const struct dvfs_state *state = plug_state(p);
    const struct clock_view *now = view->clock;
    struct memory *m = p->memory;
    struct dvfs_in *in = input;
    (void)controls;
    memset(in, 0, sizeof *in);
    if (m->runs && state->state != DVFS_IDLE)
        look(m, state);
    if (m->answer && state->irq)
        answer(m);
    if (m->written < m->num_writes) {
        in->write = m->writes[m->written].what;
        in->index = m->writes[m->written].index;
        in->value = m->writes[m->written++].value;
    } else if (!m->runs) {
        m->runs = 1;
        m->ended = *now; /* the unit begins to count in the next cycle */
    }
    in->run = (uint64_t)m->runs;
    in->scaling = m->scaling;
    in->control = m->control;
    in->settle = m->settle;
    in->fraction = m->fraction;
    in->issued = held((int64_t)(now->instructions - m->told.instructions), DVFS_COUNT_BITS);
    in->missed = held((int64_t)(missed(m, now) - missed(m, &m->told)), DVFS_COUNT_BITS);
    m->told = *now;
    return in->issued || in->missed || in->write != dvfs_write_none || !m->runs;
}

static void apply(const struct plug *p, void *controls)
{
    const struct dvfs_state *state = plug_state(p);
    const struct memory *m = p->memory;
    struct clock_controls *c = controls;
    c->sm_clock = LEAST + state->level;
    c->stands = m->settle;
}

const struct socket dvfs_socket = {.stem = "dvfs",
                                   .scope = SCOPE_CLOCK,
                                   .several = 1,
                                   .memory = sizeof(struct memory),
                                   .used = used,
                                   .objects = objects,
                                   .open = open,
                                   .gather = gather,
                                   .apply = apply};
