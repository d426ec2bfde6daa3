/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/units/left_out_test.c: nothing depends on which cycles are left out. A rack that is asked
 * only when it wakes, hears or sees something new steers in every cycle as a restatement that goes
 * through every unit in every cycle, knows no promise of a contract, and keeps what was said in a
 * table of cycles. Inputs, events, plans and delays are random. */
#include "tests/tb/units/parts.h"

#include "hw.h"

#define CYCLES     100000
#define MOST_DELAY 5
#define UNITS      4

/* Controls of any scope. */
union any {
    struct controls of_sm[NUM_SCHEDULERS];
    struct gpu_controls of_gpu;
};

static void meet(struct controls *c, const struct controls *with)
{
#define MASK(name, meaning) c->name &= with->name;
#define CHOICE(name, meaning)                                                                      \
    if (with->name != NO_CHOICE)                                                                   \
        c->name = with->name;
#define CHOICES(name, count, meaning)                                                              \
    for (unsigned i = 0; i < (count); i++)                                                         \
        if (with->name[i] != NO_CHOICE)                                                            \
            c->name[i] = with->name[i];
#define OF_SCHEDULER
#include "tb/units/controls.def"
}

static void meet_gpu(struct gpu_controls *c, const struct gpu_controls *with)
{
#define MASK(name, meaning) c->name &= with->name;
#define CHOICE(name, meaning)                                                                      \
    if (with->name != NO_CHOICE)                                                                   \
        c->name = with->name;
#define CHOICES(name, count, meaning)                                                              \
    for (unsigned i = 0; i < (count); i++)                                                         \
        if (with->name[i] != NO_CHOICE)                                                            \
            c->name[i] = with->name[i];
#define OF_GPU
#include "tb/units/controls.def"
}

static void meet_any(enum scope scope, union any *c, const union any *with)
{
    if (scope == SCOPE_GPU)
        meet_gpu(&c->of_gpu, &with->of_gpu);
    else
        for (unsigned i = 0; i < (scope == SCOPE_SM ? NUM_SCHEDULERS : 1); i++)
            meet(&c->of_sm[i], &with->of_sm[i]);
}

/* The restatement. `said` is what each unit steered by in the last cycles. */
struct plain {
    const struct plan *plan;
    struct rack scope; /* shows the sockets whose rack they are in, no more */
    struct plug plugs[UNITS];
    struct part_in in[UNITS];
    struct part_out out[UNITS];
    struct part_state state[UNITS];
    struct part_memory memory[UNITS];
    union any said[UNITS][MOST_DELAY + 1];
};

static void plain_open(struct plain *m, const struct plan *plan, enum scope scope)
{
    *m = (struct plain){.plan = plan, .scope.scope = scope};
    memset(m->said, 0xff, sizeof m->said);
    for (unsigned i = 0; i < plan->count; i++)
        m->plugs[i] = (struct plug){.socket = plan->units[i].socket,
                                    .rack = &m->scope,
                                    .in = &m->in[i],
                                    .out = &m->out[i],
                                    .policy = plan->units[i].policy,
                                    .memory = &m->memory[i]};
}

static union any plain_step(struct plain *m, const struct view *view, uint64_t cycle)
{
    union any c;
    memset(&c, 0xff, sizeof c);
    for (unsigned i = 0; i < m->plan->count; i++) {
        const struct planned *p = &m->plan->units[i];
        union any *now = &m->said[i][cycle % (MOST_DELAY + 1)];
        p->socket->gather(&m->plugs[i], view, &c, &m->in[i]);
        if (p->unit->clock)
            m->in[i].now = cycle % 64;
        p->unit->comb(&m->state[i], &m->in[i], &m->out[i]);
        p->unit->tick(&m->state[i], &m->in[i], &m->out[i]);
        memset(now, 0xff, sizeof *now);
        p->socket->apply(&m->plugs[i], now);
        meet_any(m->scope.scope, &c,
                 &m->said[i][(cycle + MOST_DELAY + 1 - p->delay) % (MOST_DELAY + 1)]);
    }
    return c;
}

/* Shows an event and the level in one field, so that one can hide that the other has changed. */
static int gather_mixed(struct plug *p, const struct view *view, const void *controls, void *input)
{
    struct part_in *in = input;
    const int transient = part_gather(p, view, controls, in);
    in->level |= in->event;
    in->event = 0;
    return transient;
}

#define EVERY_KIND (HEARS(issue) | HEARS(reply) | HEARS(l1d_evict) | HEARS(l1d_fill))
static const struct socket sockets_of_parts[] = {
    PART_SOCKET("wire", ),
    PART_SOCKET("meter", .hears = HEARS(l1d_evict)),
    PART_SOCKET("timer", .hears = HEARS(issue) | HEARS(l1d_fill)),
    PART_SOCKET("arbiter", .hears = HEARS(reply)),
    {.stem = "wire",
     .hears = HEARS(issue),
     .memory = sizeof(struct part_memory),
     .hear = part_hear,
     .gather = gather_mixed,
     .apply = part_apply},
};
static const struct socket quiet_arbiter = PART_SOCKET("arbiter", ); /* hears nothing */
static const struct unit *const units_of_parts[] = {&wire, &meter, &timer, &arbiter, &wire};

static void choose_plan(struct plan *plan, int late)
{
    *plan = (struct plan){.count = 1 + part_random(UNITS)};
    for (unsigned i = 0; i < plan->count; i++) {
        const unsigned kind = part_random(sizeof units_of_parts / sizeof *units_of_parts);
        plan->units[i] = part_planned(&sockets_of_parts[kind], units_of_parts[kind], i,
                                      late ? part_random(MOST_DELAY + 1) : 0);
    }
}

/* Some of what units see changes, often or seldom. Returns whether anything did. */
static int change(uint64_t *word, unsigned seldom)
{
    static const unsigned bits[] = {0, 0, 1, 5};
    const uint64_t before = *word;
    if (!part_random(seldom))
        *word ^= UINT64_C(1) << (8 * part_random(UNITS) + bits[part_random(4)]);
    if (!part_random(4 * seldom))
        *word &= ~(UINT64_C(0xff) << 8 * part_random(UNITS));
    return *word != before;
}

static void hear_any(struct rack *r, struct plain *m)
{
    static const enum event_kind kinds[] = {EVENT_issue, EVENT_reply, EVENT_l1d_evict,
                                            EVENT_l1d_fill};
    const struct event e = {.kind = kinds[part_random(4)]};
    if (r->hears >> e.kind & 1)
        rack_hear(r, &e);
    for (unsigned i = 0; i < m->plan->count; i++)
        if (m->plan->units[i].socket->hears >> e.kind & 1)
            m->memory[i].heard++;
}

static void explain(const struct plan *plan, enum scope scope, uint64_t cycle)
{
    fprintf(stderr, "scope %d, cycle %llu:", (int)scope, (unsigned long long)cycle);
    for (unsigned i = 0; i < plan->count; i++)
        fprintf(stderr, " %s%s (delay %llu)",
                plan->units[i].socket->gather == gather_mixed ? "mixed " : "",
                plan->units[i].unit->stem, (unsigned long long)plan->units[i].delay);
    fprintf(stderr, "\n");
}

/* Cycles in which the rack was asked, and those in which it was not. */
static uint64_t asked, left_out;

static void run_plan(enum scope scope, int late, unsigned cycles, unsigned seldom)
{
    static struct plain m;
    struct plan plan;
    struct part_view v = {0};
    union any now, expected;
    struct rack r;
    const size_t size = scope == SCOPE_SM    ? sizeof now.of_sm
                        : scope == SCOPE_GPU ? sizeof now.of_gpu
                                             : sizeof now.of_sm[0];
    choose_plan(&plan, late);
    part_open(&r, &plan, &v, scope, BACKEND_C);
    plain_open(&m, &plan, scope);
    const struct view view = part_view_of(&v);
    memset(&now, 0xff, sizeof now);
    for (uint64_t cycle = 1; cycle <= cycles; cycle++) {
        const int changed = change(part_word(&v), seldom);
        if (!part_random(2 * seldom))
            hear_any(&r, &m);
        expected = plain_step(&m, &view, cycle);
        if (changed || r.wake <= cycle) {
            memset(&now, 0xff, sizeof now);
            assert_int_equal(rack_step(&r, cycle, &now), 0);
            assert_true(r.wake > cycle);
            asked++;
        } else
            left_out++;
        int differs = memcmp(&now, &expected, size);
        for (unsigned i = 0; i < plan.count; i++)
            differs |= memcmp(plug_state(&r.plugs[i]), &m.state[i], plan.units[i].unit->state_size);
        if (differs) {
            explain(&plan, scope, cycle);
            fail_msg("the rack steers, or its units are, not as if all were asked");
        }
    }
    rack_close(&r);
}

static void run_plans(enum scope scope, int late)
{
    static const unsigned seldom[] = {1, 3, 20, 100};
    asked = left_out = part_steps = 0;
    for (unsigned i = 0; i < CYCLES / 500; i++)
        run_plan(scope, late, 500, seldom[i % 4]);
    assert_true(left_out > CYCLES / 5 && asked > CYCLES / 5); /* and both ways were gone */
}

static void at_an_sm(void **unused)
{
    (void)unused;
    run_plans(SCOPE_SM, 0);
}

static void at_the_gpu(void **unused)
{
    (void)unused;
    run_plans(SCOPE_GPU, 0);
}

static void with_delays(void **unused)
{
    (void)unused;
    run_plans(SCOPE_SM, 1);
    run_plans(SCOPE_GPU, 1);
}

/* A scheduler leaves out, besides, the cycles in which no warp is ready, unless a unit must be asked
 * all the same (rack.always), and those in which all that were ready have been turned down and would
 * be again (tb/sm/issue.c). What its arbiter grants is all that counts. */
static void schedule(const struct plan *plan)
{
    static struct plain m;
    struct part_view v = {0};
    struct rack r;
    uint64_t wake = 0;
    part_open(&r, plan, &v, SCOPE_SCHEDULER, BACKEND_C);
    plain_open(&m, plan, SCOPE_SCHEDULER);
    const struct view view = part_view_of(&v);
    for (uint64_t cycle = 1; cycle <= CYCLES / 10; cycle++) {
        int changed = change(part_word(&v), 3);
        const int ready = (*part_word(&v) >> 8 & 0xff) != 0;
        if (!part_random(20)) {
            hear_any(&r, &m);
            changed = 1;
        }
        const uint64_t expected = plain_step(&m, &view, cycle).of_sm[0].pollute;
        struct controls now;
        memset(&now, 0xff, sizeof now);
        if (changed || cycle >= wake) {
            if (ready || cycle >= r.wake || r.always) {
                assert_int_equal(rack_step(&r, cycle, &now), 0);
                asked++;
            }
            const int granted = now.pollute != UINT64_MAX;
            wake = granted || (ready && !rack_still(&r)) ? cycle + 1 : r.wake;
            wake = r.wake < wake ? r.wake : wake;
        } else
            left_out++;
        if (now.pollute != expected) {
            explain(plan, SCOPE_SCHEDULER, cycle);
            fail_msg("another grant");
        }
    }
    rack_close(&r);
}

/* The arbiter alone, behind a wire, behind units that move in cycles in which none is ready. */
static void at_a_scheduler(void **unused)
{
    (void)unused;
    asked = left_out = 0;
    for (unsigned i = 0; i < 10 * (MOST_DELAY + 1); i++) {
        const unsigned before = i % 4;
        struct plan plan = {.count = 1 + (before > 0)};
        if (before)
            plan.units[0] =
                part_planned(&sockets_of_parts[before - 1], units_of_parts[before - 1], 0, 0);
        plan.units[before > 0] = part_planned(&quiet_arbiter, &arbiter, 1, i / 10);
        schedule(&plan);
    }
    assert_true(left_out > CYCLES && asked > CYCLES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_an_sm),
        cmocka_unit_test(at_the_gpu),
        cmocka_unit_test(with_delays),
        cmocka_unit_test(at_a_scheduler),
    };
    return cmocka_run_group_tests_name("tb/units/left_out", tests, NULL, NULL);
}
