/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/spill/choose.c: which registers are spilled. At the point of highest pressure, the one
 * that costs least for what it relieves: the instructions that it adds, eightfold for each loop
 * around them, per point above the limit at which it frees registers (after Chaitin, PLDI 1982). */
#include "tb/ptx/spill/spill.h"

#define LOOP_WEIGHT 8
#define MAX_WEIGHT  (1u << 18)
#define LOAD_COST   2 /* of local memory */
#define WAIT_COST   8 /* of a store that waits for a load of global memory: issue is in order */

int spill_needs(const struct uop *u, uint32_t number)
{
    for (uint32_t i = 0; i < u->num_reads; i++)
        if (u->reads[i] == number)
            return 1;
    for (uint32_t i = 0; i < u->num_writes && u->guard != UOP_NONE; i++)
        if (u->writes[i] == number)
            return 1;
    return 0;
}

/* The points at which the register occupies one, some of them twice. */
static uint32_t list_live(struct spill *s, uint32_t number)
{
    const struct uop *u = s->kernel->uops;
    uint32_t count = 0;
    liveness_find(&s->live, number);
    for (uint32_t i = 0; i < s->live.num_points; i++) {
        const uint32_t at = s->live.points[i];
        s->points[count++] = 2 * at;
        if (at > 0 && u[at - 1].num_writes)
            s->points[count++] = 2 * at - 1;
    }
    for (uint32_t e = s->live.writes.first[number]; e < s->live.writes.first[number + 1]; e++)
        s->points[count++] = 2 * s->live.writes.to[e] + 1;
    return count;
}

/* The points at which it would occupy one if it were spilled, each once. */
static uint32_t list_spilled(struct spill *s, uint32_t number)
{
    const struct digraph *reads = &s->live.reads, *writes = &s->live.writes;
    uint32_t count = 0;
    for (uint32_t e = reads->first[number]; e < reads->first[number + 1]; e++)
        s->points[count++] = 2 * reads->to[e];
    for (uint32_t e = writes->first[number]; e < writes->first[number + 1]; e++) {
        const uint32_t i = writes->to[e], listed = s->kernel->uops[i].num_reads;
        int reads_it = 0;
        for (uint32_t r = 0; r < listed; r++)
            reads_it |= s->kernel->uops[i].reads[r] == number;
        s->points[count++] = 2 * i + 1;
        if (!reads_it && spill_needs(&s->kernel->uops[i], number))
            s->points[count++] = 2 * i;
    }
    return count;
}

static void find_range(struct spill *s, uint32_t number)
{
    struct spill_value *v = &s->values[number];
    const uint32_t count = list_live(s, number);
    uint32_t low = UINT32_MAX, high = 0;
    for (uint32_t i = 0; i < count; i++) {
        low = s->points[i] < low ? s->points[i] : low;
        high = s->points[i] > high ? s->points[i] : high;
    }
    v->first = low / 64;
    v->num_words = count ? high / 64 - v->first + 1 : 0;
    v->words = ptx_scratch(s->context, v->num_words, sizeof *v->words);
    for (uint32_t i = 0; i < count; i++)
        v->words[s->points[i] / 64 - v->first] |= UINT64_C(1) << s->points[i] % 64;
}

static int occupies(const struct spill_value *v, uint32_t point)
{
    const uint32_t word = point / 64 - v->first;
    return word < v->num_words && v->words[word] >> point % 64 & 1;
}

/* How often an instruction is thought to be executed. A loop is taken to lie between its head and
 * its back edge, whichever comes first in the text. */
static uint32_t *find_weights(struct spill *s)
{
    const struct ptx_kernel *k = s->kernel;
    uint32_t *weight = ptx_scratch(s->context, k->num_uops, sizeof *weight);
    for (uint32_t i = 0; i < k->num_uops; i++)
        weight[i] = 1;
    for (uint32_t n = 0; n < k->num_loops; n++) {
        const struct ptx_loop *l = &k->loops[n];
        const uint32_t first = l->head < l->back ? l->head : l->back;
        const uint32_t last = l->head < l->back ? l->back : l->head;
        ptx_spend(s->context, last - first + 1);
        for (uint32_t i = first; i <= last; i++)
            if (weight[i] < MAX_WEIGHT)
                weight[i] *= LOOP_WEIGHT;
    }
    return weight;
}

static int waits_long(const struct uop *u)
{
    return u->op == U_ATOM || u->op == U_TEX || (u->op == U_LD && u->klass == CLASS_GMEM);
}

static uint64_t find_cost(const struct spill *s, uint32_t number, const uint32_t *weight)
{
    const struct digraph *reads = &s->live.reads, *writes = &s->live.writes;
    uint64_t cost = 0;
    for (uint32_t e = reads->first[number]; e < reads->first[number + 1]; e++)
        cost += (uint64_t)weight[reads->to[e]] * LOAD_COST;
    for (uint32_t e = writes->first[number]; e < writes->first[number + 1]; e++) {
        const uint32_t i = writes->to[e];
        cost += (uint64_t)weight[i] * (waits_long(&s->kernel->uops[i]) ? WAIT_COST : LOAD_COST);
    }
    return cost;
}

/* Registers come, or go, at a point. */
static void change(struct spill *s, uint32_t point, uint32_t units, int come)
{
    s->pressure[point] += come ? units : -units;
    const uint64_t bit = UINT64_C(1) << point % 64;
    if (s->pressure[point] > s->limit)
        s->over[point / 64] |= bit;
    else
        s->over[point / 64] &= ~bit;
}

static void change_range(struct spill *s, uint32_t number, int come)
{
    const struct spill_value *v = &s->values[number];
    const uint32_t units = s->kernel->registers[number].units;
    for (uint32_t w = 0; w < v->num_words; w++)
        for (uint64_t rest = v->words[w]; rest; rest &= rest - 1)
            change(s, (v->first + w) * 64 + (uint32_t)__builtin_ctzll(rest), units, come);
}

/* The point of highest pressure above the limit, or FLOW_NONE. */
static uint32_t find_worst(const struct spill *s)
{
    uint32_t worst = FLOW_NONE, most = s->limit;
    ptx_spend(s->context, s->num_points / 64 + 1);
    for (uint32_t w = 0; w < (s->num_points + 63) / 64; w++)
        for (uint64_t rest = s->over[w]; rest; rest &= rest - 1) {
            const uint32_t point = w * 64 + (uint32_t)__builtin_ctzll(rest);
            if (s->pressure[point] > most) {
                most = s->pressure[point];
                worst = point;
            }
        }
    return worst;
}

/* The registers that spilling frees, summed up over the points above the limit; 0: none at `point`.
 */
static uint64_t find_gain(struct spill *s, uint32_t number, uint32_t point)
{
    const struct spill_value *v = &s->values[number];
    uint32_t before = 0, after = 0; /* points above the limit at which it occupies registers */
    if (v->spilled || !occupies(v, point))
        return 0;
    ptx_spend(s->context, v->num_words);
    for (uint32_t w = 0; w < v->num_words; w++)
        before += (uint32_t)__builtin_popcountll(v->words[w] & s->over[v->first + w]);
    const uint32_t count = list_spilled(s, number);
    for (uint32_t i = 0; i < count; i++) {
        if (s->points[i] == point)
            return 0;
        after += s->over[s->points[i] / 64] >> s->points[i] % 64 & 1;
    }
    return (uint64_t)(before - after) * s->kernel->registers[number].units;
}

static uint32_t find_cheapest(struct spill *s, uint32_t point)
{
    uint32_t best = FLOW_NONE;
    uint64_t best_gain = 1;
    ptx_spend(s->context, s->kernel->num_regs);
    for (uint32_t n = NUM_SPECIALS; n < s->kernel->num_regs; n++) {
        const uint64_t gain = find_gain(s, n, point);
        if (gain &&
            (best == FLOW_NONE || s->values[n].cost * best_gain < s->values[best].cost * gain)) {
            best = n;
            best_gain = gain;
        }
    }
    return best;
}

static void open_values(struct spill *s)
{
    const uint32_t *weight = find_weights(s);
    for (uint32_t n = 0; n < s->kernel->num_regs; n++) {
        if (!s->kernel->registers[n].units)
            continue;
        find_range(s, n);
        s->values[n].cost = find_cost(s, n, weight);
        change_range(s, n, 1);
    }
}

void spill_choose(struct spill *s, struct ptx_context *c, const struct ptx_kernel *k,
                  uint32_t limit)
{
    const uint32_t points = 2 * k->num_uops;
    *s = (struct spill){.context = c, .kernel = k, .limit = limit, .num_points = points};
    s->limit -= k->num_routines && limit; /* the stack pointer has one */
    liveness_open(&s->live, c, k);
    s->values = ptx_scratch(c, k->num_regs, sizeof *s->values);
    s->pressure = ptx_scratch(c, points, sizeof *s->pressure);
    s->points = ptx_scratch(c, 2 * (size_t)points, sizeof *s->points);
    s->over = ptx_scratch(c, points / 64 + 1, sizeof *s->over);
    open_values(s);
    for (uint32_t point; (point = find_worst(s)) != FLOW_NONE;) {
        const uint32_t n = find_cheapest(s, point);
        if (n == FLOW_NONE)
            ptx_fail(c, k->uops[point / 2].line,
                     "'%.100s' alone needs %u registers of a thread; expected at most %u",
                     k->text[point / 2], s->pressure[point], limit);
        s->values[n].spilled = 1;
        change_range(s, n, 0);
        const uint32_t count = list_spilled(s, n);
        for (uint32_t i = 0; i < count; i++)
            change(s, s->points[i], k->registers[n].units, 1);
    }
}
