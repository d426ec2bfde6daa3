/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/dvfs.c: what the frequency controller is to be shown (rtl/dvfs/README.md), its software's writes among it.
 *
 * Software is the library's loop here, too, but it goes by what observers have counted: instructions and misses. What it makes of other
 * events depends on the power model; so the values of P-DVFS's table are compared where the model has none of these (dvfs.b1, b2, b4 of 0),
 * and those of F-DVFS always. */
#include "cmodel/dvfs/dvfs.h"

#include <string.h>

#include "cmodel/analytic/pdvfs_loop.h"
#include "tb/observe/observer.h"

#define EDGES (DVFS_SLOTS - 1)

/* What software does in a cycle. Edges come first, then it has the unit run, then tables come when they are asked for. */
struct memory {
    int begun;
    struct pdvfs loop;
    struct mckp_sum room[MCKP_ROOM_15_4];
    uint64_t edge[DVFS_SLOTS], fraction;
    uint64_t instructions, misses;               /* that the unit has been told of */
    uint64_t period_instructions, period_misses; /* of these, at its last point */
    uint64_t due, last_due;
    unsigned periods; /* that have begun */
    int has_table;    /* the loop has made one that the unit has not asked for */
    unsigned entry;   /* the next that is written; DVFS_SLOTS: the commit; above: none */
};

static uint64_t most(unsigned bits)
{
    return (UINT64_C(1) << bits) - 1;
}

static uint64_t capped(uint64_t number, unsigned bits)
{
    return number > most(bits) ? most(bits) : number;
}

static uint64_t misses_of(const struct config *c, const struct clock_seen *seen)
{
    return c->dvfs_misses == 1 ? seen->l2_misses : seen->l1d_misses;
}

/* The edges: equal parts of the highest one, in the finest units in which that has one bit less than all ones. */
static void find_edges(struct memory *m, double highest)
{
    for (m->fraction = DVFS_EDGE_BITS; m->fraction; m->fraction--)
        if (highest * (double)(UINT64_C(1) << m->fraction) <= (double)(most(DVFS_EDGE_BITS) - 1))
            break;
    for (unsigned i = 0; i < EDGES; i++) {
        const double exact = highest * (i + 1) / EDGES * (double)(UINT64_C(1) << m->fraction) + 0.5;
        m->edge[i] = exact < i + 1 ? i + 1 : (uint64_t)exact;
    }
}

static void begin(struct memory *m, const struct config *c)
{
    const int64_t mv[] = {c->energy_mv_3, c->energy_mv_4, c->energy_mv_5, c->energy_mv_6};
    const uint64_t scaling = capped((uint64_t)c->dvfs_scaling, DVFS_TIME_BITS),
                   control = capped((uint64_t)(c->dvfs_scaling * c->dvfs_control), DVFS_TIME_BITS);
    struct pdvfs_settings s = {0};
    find_edges(m, (double)c->dvfs_highest / 1000);
    s.a = (double)c->dvfs_goal / 100;
    s.control_ticks = (unsigned)(control / scaling + (control % scaling != 0));
    s.scaling_ticks = 1;
    s.window = (unsigned)c->dvfs_window;
    s.points = 20;
    s.slots = DVFS_SLOTS;
    for (unsigned i = 0; i < EDGES; i++)
        s.edge[i] = (double)m->edge[i] / (double)(UINT64_C(1) << m->fraction);
    s.levels.num = DVFS_LEVELS;
    for (unsigned i = 0; i < DVFS_LEVELS; i++) {
        const unsigned sixths = 7 - DVFS_LEVELS + i;
        s.levels.hz[i] = (double)c->gpu_clock_mhz * 1e6 * sixths / 6;
        s.power.term[i] = (double)mv[sixths - 3] / (double)mv[3];
    }
    s.power.voltage = PDVFS_VOLTAGE_TABLE;
    s.power.b[0] = (double)c->dvfs_b0 * 1e-9;
    s.power.b[1 + PDVFS_L2_MISS] = (double)c->dvfs_b3 * 1e-15;
    s.power.b[1 + NUM_PDVFS_EVENTS] = (double)c->dvfs_b6 * 1e-9;
    s.left_first = (double)c->dvfs_instructions;
    s.left_most = 30 * s.left_first;
    pdvfs_start(&m->loop, &s);
    m->entry = DVFS_SLOTS + 1;
    m->begun = 1;
}

/* The level that F-DVFS has for a slot, by the misses in its middle. */
static unsigned level_of(const struct pdvfs *l, unsigned slot)
{
    const double *edge = l->settings.edge;
    const double mpi = slot == EDGES ? edge[EDGES - 1]
                       : slot        ? (edge[slot - 1] + edge[slot]) / 2
                                     : edge[0] / 2;
    unsigned level;
    if (!l->knows_speed)
        return DVFS_LEVELS - 1;
    return pdvfs_f_dvfs(&l->settings.levels, &l->speed, mpi, l->settings.a, &level)
               ? DVFS_LEVELS - 1
               : level;
}

/* The unit waits for another point than before: a period has ended, unless it is the first that has begun. */
static void at_a_point(struct memory *m, const struct config *c, uint64_t due)
{
    if (m->periods++) {
        const uint64_t length = m->periods == 2 ? capped((uint64_t)c->dvfs_scaling, DVFS_TIME_BITS)
                                                : (m->due - m->last_due) & most(DVFS_TIME_BITS + 1);
        const struct pdvfs_sample s = {
            .seconds = (double)length / ((double)c->gpu_clock_mhz * 1e6),
            .instructions = (double)(m->instructions - m->period_instructions),
            .events[PDVFS_L2_MISS] = (double)(m->misses - m->period_misses)};
        const unsigned long before = m->loop.controls;
        pdvfs_tick(&m->loop, &s, m->room, MCKP_ROOM_15_4);
        if (m->loop.controls > before) {
            m->has_table = 1;
            for (unsigned i = 0; i < DVFS_SLOTS && c->dvfs_software == 2; i++)
                m->loop.table[i] = level_of(&m->loop, i);
        }
    }
    m->period_instructions = m->instructions;
    m->period_misses = m->misses;
    m->last_due = m->due;
    m->due = due;
}

static void write_table(struct memory *m, struct dvfs_in *in)
{
    if (m->entry == DVFS_SLOTS) {
        in->write = dvfs_write_commit;
    } else {
        in->write = dvfs_write_entry;
        in->index = m->entry;
        in->value = m->loop.table[m->entry];
    }
    m->entry++;
}

static void expect(const struct config *c, const struct clock_seen *seen, void *input)
{
    const struct dvfs_state *s = seen->state;
    const uint64_t misses = misses_of(c, seen);
    struct memory *m = seen->memory;
    struct dvfs_in *in = input;
    memset(in, 0, sizeof *in);
    if (!m->begun)
        begin(m, c);
    in->run = seen->cycle >= EDGES;
    if (seen->cycle < EDGES) {
        in->write = dvfs_write_edge;
        in->index = seen->cycle;
        in->value = m->edge[seen->cycle];
    }
    if (seen->cycle > EDGES && (!m->periods || s->due != m->due))
        at_a_point(m, c, s->due);
    if (m->has_table && s->irq) {
        m->has_table = 0;
        m->entry = 0;
    }
    if (m->entry <= DVFS_SLOTS)
        write_table(m, in);
    in->scaling = capped((uint64_t)c->dvfs_scaling, DVFS_TIME_BITS);
    in->control = capped((uint64_t)(c->dvfs_scaling * c->dvfs_control), DVFS_TIME_BITS);
    in->settle = capped((uint64_t)c->dvfs_settle, DVFS_SETTLE_BITS);
    in->fraction = m->fraction;
    in->issued = capped(seen->instructions - m->instructions, DVFS_COUNT_BITS);
    in->missed = capped(misses - m->misses, DVFS_COUNT_BITS);
    m->instructions = seen->instructions;
    m->misses = misses;
    if (seen->cycle == EDGES) { /* what it has been told before it runs is of no period */
        m->period_instructions = m->instructions;
        m->period_misses = m->misses;
    }
}

static void steer(const struct config *c, const void *state, uint64_t *sixths, uint64_t *stands)
{
    const struct dvfs_state *s = state;
    *sixths = 6 - (DVFS_LEVELS - 1 - s->level);
    *stands = capped((uint64_t)c->dvfs_settle, DVFS_SETTLE_BITS);
}

const struct observer dvfs_observer = {
    .stem = "dvfs", .memory = sizeof(struct memory), .expect_clock = expect, .steer_clock = steer};
