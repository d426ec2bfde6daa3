/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/units/wires_test.c: random events, also such as no kernel makes, heard by the sockets of an
 * SM's units and by their observers (tb/observe), which share nothing: both show their units the
 * same and steer the same. What an SM does in a cycle keeps to the machine's rules; numbers of loads and
 * loops, lines and settings go to their ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/ccws/ccws.h"
#include "cmodel/daws_classify/daws_classify.h"
#include "cosim/stimulus.h"
#include "tb/mem/tags.h"
#include "tb/observe/units.h"
#include "tb/sm/operands.h"
#include "tests/tb/test_config.h"

#define CYCLES     3000
#define SEEDS      9
#define PROGRAM    32
#define MANY_LOOPS (2u << LOOP_BITS) /* numbers go beyond what units know */

/* An SM as far as units and their observers look at it. */
struct bench {
    struct stimulus random;
    struct config config;
    struct plan plans[NUM_SCOPES];
    struct sm *sm;
    struct view view;
    struct loop_class loops[MANY_LOOPS];
    struct loop_classes classes;
    struct told_pair pairs[8];
    struct told_pairs told;
    struct uop uops[PROGRAM]; /* what they read and write, and where they issue to */
    struct ptx_kernel kernel;
    struct exec_launch launch;
    struct operand_view *operands;
    struct units_observer observer;
    struct events_observer events;
    struct verdict verdict;
    uint64_t lines; /* of the load in L1D, still to come */
    uint64_t load_warp;
    uint64_t first;        /* cycle in which a kernel begins */
    uint64_t kernel_every; /* so many cycles, about */
    uint64_t some_lines;   /* most are of so many, and of as many warps */
    uint64_t
        one_loop; /* most of what happens is in this one, in the first warp; 0: there is none such */
    int strangers; /* lines are never found by the warp that has brought them */
    int final, changed;
    uint64_t local[2u << LOOP_BITS]; /* by loop: its counter has been positive in this kernel */
    uint64_t hits, unscored;         /* in the victim tags, in this kernel */
    int deaf;                        /* a kind of events that sockets do not hear, or -1 */
};

static uint64_t all_unscored; /* of all kernels */

static uint64_t below(struct bench *b, uint64_t n)
{
    return stimulus_below(&b->random, n);
}

static int once_in(struct bench *b, uint64_t n)
{
    return stimulus_once_in(&b->random, n);
}

/* Small, mostly; or up to a bound. */
static uint64_t some(struct bench *b, uint64_t bound)
{
    return below(b, once_in(b, 4) || bound < 6 ? bound : 6);
}

static uint64_t some_loop(struct bench *b)
{
    return b->one_loop && !once_in(b, b->strangers ? 100 : 4) ? b->one_loop : some(b, MANY_LOOPS);
}

static uint64_t some_warp(struct bench *b, uint64_t of)
{
    return b->one_loop && !once_in(b, b->strangers ? 100 : 4)
               ? 0
               : below(b, b->some_lines < of ? b->some_lines : of);
}

/* Settings at random, each in its range, many of them near its lower end, some at the upper one. */
static void draw_settings(struct bench *b)
{
    struct config *c = &b->config;
#define SETTING(stem, key, least, most, value, meaning, source)                                    \
    if (once_in(b, 2))                                                                             \
        c->stem##_##key =                                                                          \
            once_in(b, 8)                                                                          \
                ? (most)                                                                           \
                : (int64_t)(least) +                                                               \
                      (int64_t)below(b,                                                            \
                                     ((uint64_t)((most) - (int64_t)(least)) >> below(b, 20)) + 1);
#include "tb/config.def"
#define DELAY(stem)  c->stem##_delay = (int64_t)some(b, 4);
#define SOCKET(stem) DELAY(stem)
#include "sockets.def"
#undef SOCKET
#define AT_MOST(stem, key, section, limit)                                                         \
    if (c->stem##_##key > c->section##_##limit)                                                    \
        c->stem##_##key = c->section##_##limit;
#include "tb/config.def"
    c->l1d_line = INT64_C(32) << below(b, 3);
    c->l1d_sets = INT64_C(1) << below(b, 7);
    c->l1d_ways = 1 + (int64_t)below(b, 8);
}

/* Instructions that name any registers, special ones among them. */
static void draw_program(struct bench *b)
{
    for (struct uop *u = b->uops; u < b->uops + PROGRAM; u++) {
        const uint64_t registers = NUM_SPECIALS + some(b, 200);
        u->klass = (uint8_t)below(b, NUM_CLASSES);
        u->num_reads = (uint8_t)some(b, 17);
        u->num_writes = (uint8_t)below(b, 5);
        for (unsigned i = 0; i < u->num_reads; i++)
            u->reads[i] = (uint16_t)below(b, registers);
        for (unsigned i = 0; i < u->num_writes; i++)
            u->writes[i] = (uint16_t)below(b, registers);
    }
    b->kernel = (struct ptx_kernel){.uops = b->uops, .num_uops = PROGRAM};
    b->launch = (struct exec_launch){.kernel = &b->kernel};
    b->operands = operands_of(&b->kernel);
    assert_non_null(b->operands);
}

static void open(struct bench *b, const struct policy *policy, uint64_t seed)
{
    *b = (struct bench){.random = stimulus_start(seed), .config = test_config(), .deaf = -1};
    snprintf(b->config.run_sched, sizeof b->config.run_sched, "%s", policy->name);
    strcpy(b->config.daws_table_profile, "given");
    draw_settings(b);
    b->config.pmiq_block = 0;              /* this SM has no load/store unit */
    b->config.dvfs_software = 0;           /* nor anything that sets its clock */
    if (strstr(policy->units, "wia=gtls")) /* beside which there can be no mask */
        b->config.mask_n = b->config.mask_p = 0;
    if (strstr(policy->units, "rlws")) /* whose observer asks what a kernel's warps do next */
        b->config.cd3_count = 0;
    b->first = 1 + below(b, 3);
    b->kernel_every = seed == 8 ? CYCLES : seed % 3 ? 700 : 20;
    b->some_lines = seed % 2 || seed == 8
                        ? 64
                        : 3; /* where there are few they are soon lost and missed again */
    b->one_loop = seed < 5 ? 0 : seed == 7 ? UINT64_MAX >> (64 - LOOP_BITS) : 1;
    b->strangers = seed == 8;
    if (seed <= 3) { /* the clock's lowest bits come around at an epoch's end */
        b->first = seed;
        b->config.poise_period = (1 << POISE_TIME_BITS) - 1;
    }
    assert_int_equal(plan_machine(b->plans, &b->config, stderr), 0);
    b->sm = calloc(1, sizeof *b->sm);
    assert_non_null(b->sm);
    b->view.sm = &b->sm->view;
    b->sm->view.number = b->sm->index = (unsigned)below(b, 100);
    b->sm->lsu.places = 1;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        b->sm->view.schedulers[i] = &b->sm->schedulers[i].view;
        b->sm->schedulers[i].view.contexts = b->sm->schedulers[i].block;
        b->sm->schedulers[i].view.takes = issue_takes(b->sm, &b->sm->schedulers[i], 1);
    }
    memset(b->sm->controls, 0xff, sizeof b->sm->controls);
    assert_int_equal(rack_open(&b->sm->rack, &b->plans[SCOPE_SM], SCOPE_SM, &b->config, BACKEND_C,
                               &b->view, "sm 0"),
                     0);
    assert_int_equal(
        units_observe(&b->observer, &b->config, &b->plans[SCOPE_SM], b->sm, NULL, &b->verdict), 0);
    b->verdict.scheduler = -1;
    draw_program(b);
    b->sm->view.operands = b->operands;
    if (b->config.cd3_count)
        b->sm->kernels[0].launch = &b->launch;
}

/* It happens in this cycle: sockets hear it, and so do observers. */
static void tell_both(struct bench *b, struct event e)
{
    events_happened(&b->events, &e);
    if ((int)e.kind != b->deaf && b->sm->rack.hears >> e.kind & 1)
        rack_hear(&b->sm->rack, &e);
}
#define happens(b, name, ...)                                                                      \
    tell_both(b, (struct event){.kind = EVENT_##name, .of.name = {__VA_ARGS__}})

/* The registers of a unit, or NULL: there is none. */
static const void *state_of(const struct bench *b, const char *stem)
{
    for (unsigned i = 0; i < b->sm->rack.count; i++)
        if (!strcmp(b->sm->rack.plugs[i].socket->stem, stem))
            return plug_state(&b->sm->rack.plugs[i]);
    return NULL;
}

/* What ccws was shown in a cycle, beside its registers before that cycle. */
static void note_hit(struct bench *b, const struct ccws_state *before)
{
    const struct rack *r = &b->sm->rack;
    for (unsigned i = 0; i < r->count; i++) {
        const struct ccws_in *in = r->plugs[i].in;
        if (strcmp(r->plugs[i].socket->stem, "ccws") != 0)
            continue;
        if (in->start)
            b->hits = b->unscored = 0;
        b->hits += in->hit;
        b->unscored +=
            in->hit && before->asked && before->scoring && before->asked_warp != in->hit_warp;
    }
}

static void note_locality(struct bench *b)
{
    const struct daws_classify_state *s = state_of(b, "daws_classify");
    for (unsigned loop = 0; s && loop < sizeof s->locality / sizeof *s->locality; loop++)
        b->local[loop] |= s->locality[loop] - 1 < 31;
}

/* What is found in a kernel is what the registers were. */
static void kernel_ends(struct bench *b)
{
    struct found found = {0};
    uint64_t local = 0;
    rack_count(&b->sm->rack, &found);
    for (unsigned loop = 0; loop < sizeof b->local / sizeof *b->local; loop++)
        local += b->local[loop];
    assert_int_equal(found.loops_with_locality, local);
    assert_int_equal(found.lost_hits, b->hits);
    assert_int_equal(found.lost_unscored, b->unscored);
    all_unscored += b->unscored;
    memset(b->local, 0, sizeof b->local);
}

static void close(struct bench *b)
{
    kernel_ends(b);
    units_observer_free(&b->observer);
    rack_close(&b->sm->rack);
    free(b->sm);
    free(b->operands);
}

static void kernel_starts(struct bench *b, uint64_t cycle)
{
    struct sm *sm = b->sm;
    kernel_ends(b);
    sm->kernels[0].shape = (struct sm_shape){.blocks = 1 + (unsigned)below(b, 8),
                                             .warps = 1 + (unsigned)below(b, 2 * NUM_SLOTS)};
    const uint64_t most = (sm->kernels[0].shape.warps + NUM_SCHEDULERS - 1) / NUM_SCHEDULERS *
                          sm->kernels[0].shape.blocks;
    sm->view.warps = most < NUM_WARPS ? most : NUM_WARPS;
    b->classes = (struct loop_classes){.loops = b->loops, .count = (uint32_t)below(b, MANY_LOOPS)};
    for (unsigned i = 0; i < MANY_LOOPS; i++)
        b->loops[i] = (struct loop_class){some(b, 2u << LOAD_BITS), some(b, 2u << LOAD_BITS)};
    sm->classes = sm->view.classes = once_in(b, 8) ? NULL : &b->classes;
    for (unsigned i = 0; i < 8; i++) {
        const uint64_t n = below(b, NUM_WARPS + 1);
        b->pairs[i] = (struct told_pair){n, n ? 1 + below(b, n) : 0};
    }
    b->told = (struct told_pairs){.pairs = b->pairs, .count = below(b, 9)};
    sm->told = sm->view.told = once_in(b, 2) ? NULL : &b->told;
    b->lines = 0;
    units_start(&b->observer, cycle);
    happens(b, kernel_start, );
}

static void level(uint64_t *slots, uint64_t bit, int is)
{
    *slots = is ? *slots | bit : *slots & ~bit;
}

/* Pipelines are busy, and what is chosen changes. */
static void schedulers_work(struct bench *b)
{
    b->sm->sfu_free = once_in(b, 4) ? UINT64_MAX : 0;
    b->sm->mem_free = once_in(b, 4) ? UINT64_MAX : 0;
    b->sm->lsu.count = (uint32_t)once_in(b, 4);
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        struct scheduler *sc = &b->sm->schedulers[i];
        sc->crowded = b->sm->lsu.count ? ALL_WARPS : 0;
        sc->sp_free = once_in(b, 4) ? UINT64_MAX : 0;
        sc->view.takes = issue_takes(b->sm, sc, 1);
        sc->view.action = b->observer.action[i] = once_in(b, 9) ? NO_CHOICE : below(b, 5);
    }
    b->changed = 1;
}

/* Warps begin, end and wait. */
static void slots_change(struct bench *b)
{
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        struct scheduler *sc = &b->sm->schedulers[i];
        const unsigned slot = (unsigned)below(b, NUM_WARPS);
        if (!once_in(b, 6))
            continue;
        b->changed = 1;
        sc->state[slot] = (uint8_t)below(b, WARP_DONE + 1);
        const uint64_t bit = UINT64_C(1) << slot;
        sc->block[slot] = (uint8_t)below(b, 8);
        sc->in_buffer[slot] = (uint8_t)below(b, 3);
        level(&sc->view.occupied, bit, sc->state[slot] != WARP_FREE);
        level(&sc->view.running, bit, sc->state[slot] == WARP_RUN);
        level(&sc->view.at_barrier, bit, sc->state[slot] == WARP_BARRIER);
        level(&sc->view.done, bit, sc->state[slot] == WARP_DONE);
        level(&sc->view.buffered, bit, sc->in_buffer[slot] > 0);
        if (sc->state[slot] == WARP_RUN && once_in(b, 2))
            happens(b, warp_start, .warp = i * NUM_WARPS + slot);
        if (sc->state[slot] == WARP_DONE && once_in(b, 2))
            happens(b, warp_end, .warp = i * NUM_WARPS + slot);
    }
}

/* Blocks start and end, and the last one of a kernel is handed out; instructions are fetched, and complete. */
static void blocks_work(struct bench *b)
{
    while (once_in(b, 3))
        happens(b, complete, .warp = below(b, NUM_SLOTS));
    if (once_in(b, 8))
        happens(b, block_start, .block = below(b, 1000), .context = below(b, SM_BLOCKS));
    if (once_in(b, 8))
        happens(b, block_end, .block = 1);
    if (once_in(b, 20))
        happens(b, last_block);
    if (once_in(b, 3))
        happens(b, fetch, .warp = below(b, NUM_SLOTS), .hit = (uint64_t)once_in(b, 2));
    if (once_in(b, 8))
        happens(b, gpu_memory, .latency = some(b, 3000), .l2_missed = below(b, 101),
                .in_flight = some(b, 3000));
}

static void warps_issue(struct bench *b)
{
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        const uint64_t pc = below(b, PROGRAM);
        const unsigned class = b->uops[pc].klass;
        if (once_in(b, 2))
            happens(b, issue, .warp = i * NUM_WARPS + some_warp(b, NUM_WARPS), .pc = pc,
                    .issue_class = class == CLASS_CTRL ? CLASS_SP : class,
                    .active = stimulus_bits(&b->random) >> 32 >> below(b, 33),
                    .load = some(b, 2u << LOAD_BITS), .loop_begin = some_loop(b),
                    .loop_end = some_loop(b), .loop_last = some_loop(b), .loop = some_loop(b),
                    .next_loop = some_loop(b));
    }
}

static uint64_t some_line(struct bench *b)
{
    return (once_in(b, 8) ? stimulus_bits(&b->random) >> 8 : below(b, b->some_lines)) *
           (uint64_t)b->config.l1d_line;
}

static uint64_t some_owner(struct bench *b)
{
    const uint64_t any = some_warp(b, NUM_SLOTS);
    if (b->strangers && any == b->load_warp)
        return NOBODY;
    return once_in(b, 8) ? NOBODY : once_in(b, 2) && !b->strangers ? b->load_warp : any;
}

/* A line of a load is looked up in L1D. */
static void looked_up(struct bench *b)
{
    const uint64_t line = some_line(b), merged = once_in(b, 4), bypass = once_in(b, 4);
    b->final = --b->lines == 0;
    if (once_in(b, 2)) {
        happens(b, l1d_hit, .line = line, .warp = b->load_warp, .owner = some_owner(b));
        return;
    }
    happens(b, l1d_miss, .line = line, .warp = b->load_warp, .merged = merged, .bypass = bypass);
    if (!merged && !bypass && once_in(b, 2))
        happens(b, l1d_evict, .line = some_line(b), .owner = some_owner(b));
}

static void memory_works(struct bench *b)
{
    if (!b->lines && once_in(b, 3)) {
        const uint64_t load = once_in(b, 4) ? 0 : 1 + some(b, 2u << LOAD_BITS);
        const uint64_t lines = 1 + (b->strangers ? 0 : some(b, 66));
        b->lines = load ? lines : 0;
        b->load_warp = some_warp(b, NUM_SLOTS);
        happens(b, access, .warp = b->load_warp, .lines = lines, .line = some_line(b),
                .active = 1 + (stimulus_bits(&b->random) >> 32 >> below(b, 32)), .load = load,
                .loop = some_loop(b));
    }
    if (b->lines && !once_in(b, 3))
        looked_up(b);
    while (once_in(b, 3))
        happens(b, l1d_return, .line = some_line(b), .loads = 1 + some(b, 2u << POISE_MISS_BITS));
}

/* A cycle of the SM. Returns 0, or 1: what sockets do is not what observers expect. */
static int step(struct bench *b, uint64_t cycle)
{
    struct rack *rack = &b->sm->rack;
    events_forget(&b->events);
    b->final = b->changed = 0;
    if (cycle > 1 && units_rested(&b->observer, cycle))
        return 1;
    if (cycle == b->first || once_in(b, b->kernel_every))
        kernel_starts(b, cycle);
    const int busy = once_in(b, 4) || cycle / 64 % 2;
    if (busy) {
        slots_change(b);
        schedulers_work(b);
        blocks_work(b);
        warps_issue(b);
        memory_works(b);
    }
    /* A machine leaves out cycles in which nothing happens. */
    if (!b->events.num_happened && !b->changed && rack_still(rack) && rack->wake > cycle &&
        !once_in(b, 3))
        return 0;
    memset(b->sm->controls, 0xff, sizeof b->sm->controls);
    const struct ccws_state *state = state_of(b, "ccws"),
                            before = state ? *state : (struct ccws_state){0};
    assert_int_equal(rack_step(rack, cycle, b->sm->controls), 0);
    note_hit(b, &before);
    note_locality(b);
    return units_stepped(&b->observer, cycle, &b->events, b->final);
}

/* The cycle in which the two differ, or 0: none. */
static uint64_t differ(const struct policy *policy, uint64_t seed, int deaf)
{
    static struct bench b;
    open(&b, policy, seed);
    b.deaf = deaf;
    uint64_t cycle = 1;
    while (cycle <= CYCLES && !step(&b, cycle))
        cycle++;
    if (deaf < 0 && cycle <= CYCLES)
        fail_msg("%s, seed %llu: %s", policy->name, (unsigned long long)seed, b.verdict.text);
    close(&b);
    return cycle <= CYCLES ? cycle : 0;
}

static uint32_t heard_by(const struct policy *policy)
{
    struct config c = test_config();
    struct plan plans[NUM_SCOPES];
    uint32_t hears = 0;
    snprintf(c.run_sched, sizeof c.run_sched, "%s", policy->name);
    strcpy(c.daws_table_profile, "given");
    assert_int_equal(plan_machine(plans, &c, stderr), 0);
    for (unsigned i = 0; i < plans[SCOPE_SM].count; i++)
        hears |= plans[SCOPE_SM].units[i].socket->hears;
    return hears;
}

static void sockets_show_what_has_happened(void **unused)
{
    (void)unused;
    const struct policy *policy;
    unsigned compared = 0;
    for (unsigned i = 0; (policy = policy_at(POLICY_SCHED, i)); i++)
        for (uint64_t seed = 1; seed <= SEEDS && heard_by(policy); seed++, compared++)
            assert_int_equal(differ(policy, seed, -1), 0);
    assert_true(compared > 0);
    assert_true(all_unscored > 0);
}

/* A socket that misses the events of a kind is noticed, whichever kind. */
static void what_is_not_heard_is_noticed(void **unused)
{
    (void)unused;
    const struct policy *policy;
    for (unsigned i = 0; (policy = policy_at(POLICY_SCHED, i)); i++) {
        const uint32_t hears = heard_by(policy);
        for (int kind = 0; kind < NUM_EVENTS; kind++)
            if (hears >> kind & 1 && !differ(policy, 1, kind))
                fail_msg("%s: nothing notices that no socket hears %s", policy->name,
                         event_name((enum event_kind)kind));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sockets_show_what_has_happened),
        cmocka_unit_test(what_is_not_heard_is_noticed),
    };
    return cmocka_run_group_tests_name("tb/units/wires", tests, NULL, NULL);
}
