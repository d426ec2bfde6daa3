/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/units/rack_test.c: what a rack does in single cycles: order, controls, events, which units
 * it asks. Units and sockets are the test's own. That leaving out cycles changes
 * nothing is tests/tb/units/left_out_test.c; who is to blame, blame_test.c. */
#include "tests/tb/units/parts.h"

/* What the sockets of the first tests saw, by number. */
static unsigned turns, turn_of[MAX_PLUGS];
static uint64_t allow_seen[MAX_PLUGS];

static int note(struct plug *p, const struct view *view, const void *controls, void *in)
{
    turn_of[p->policy] = turns++;
    allow_seen[p->policy] = ((const struct controls *)controls)->allow;
    part_gather(p, view, controls, in);
    return 0;
}

/* Steers by the unit's output: what it was given to see of the units before it. */
static void show(const struct plug *p, void *controls)
{
    struct controls *c = controls;
    const uint64_t word = ((const struct part_out *)p->out)->word;
    c->allow &= ~(UINT64_C(1) << p->policy);
    c->allow_load &= ~(UINT64_C(2) << p->policy);
    c->policy = p->policy;
    c->allow_class = word;
}

static void units_see_those_before_them(void **unused)
{
    (void)unused;
    static const struct socket noting = {
        .stem = "wire", .memory = sizeof(struct part_memory), .gather = note, .apply = show};
    struct plan plan = {.count = 3};
    struct part_view v = {0};
    struct controls c;
    struct rack r;
    for (unsigned i = 0; i < 3; i++)
        plan.units[i] = part_planned(&noting, &wire, i, 0);
    part_open(&r, &plan, &v, SCOPE_SCHEDULER, BACKEND_C);
    turns = 0;
    memset(&c, EVERY_CONTROL, sizeof c);
    assert_int_equal(rack_step(&r, 5, &c), 0);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(turn_of[i], i);
        assert_true(allow_seen[i] == UINT64_MAX << i);
    }
    assert_true(c.allow == UINT64_MAX << 3);                       /* masks are ANDed */
    assert_true(c.allow_load == (UINT64_MAX << 4 | 1));            /* each its own */
    assert_int_equal(c.policy, 2);                                 /* the last choice holds */
    assert_int_equal(c.allow_class, (UINT64_MAX << 2) * 3 & 0xff); /* it saw it in this cycle */
    assert_true(c.pollute == UINT64_MAX && c.grant == NO_CHOICE);  /* nobody said anything */
    rack_close(&r);
}

/* A unit of an SM has the controls of all its schedulers before it. */
static void each_its_own(const struct plug *p, void *controls)
{
    struct controls *c = controls;
    (void)p;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        c[i].allow &= ~(UINT64_C(1) << i);
        c[i].policy = 10 + i;
    }
}

static void an_sm_steers_all_its_schedulers(void **unused)
{
    (void)unused;
    static const struct socket s = {.stem = "wire",
                                    .memory = sizeof(struct part_memory),
                                    .gather = part_gather,
                                    .apply = each_its_own};
    for (unsigned delay = 0; delay < 3; delay++) {
        const struct plan plan = {.units = {part_planned(&s, &wire, 0, delay)}, .count = 1};
        struct part_view v = {0};
        struct controls c[NUM_SCHEDULERS];
        struct rack r;
        part_open(&r, &plan, &v, SCOPE_SM, BACKEND_C);
        assert_int_equal(rack_late(&r), delay);
        for (unsigned cycle = 1; cycle <= 3; cycle++) {
            memset(c, EVERY_CONTROL, sizeof c);
            assert_int_equal(rack_step(&r, cycle, c), 0);
            for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
                const int due = cycle > delay;
                assert_true(c[i].allow == (due ? ~(UINT64_C(1) << i) : UINT64_MAX));
                assert_true(c[i].policy == (due ? 10 + i : NO_CHOICE));
                assert_true(c[i].pollute == UINT64_MAX);
            }
        }
        rack_close(&r);
    }
}

/* ---- logs ---- */

static void log_began(struct log *l)
{
    *(uint64_t *)l->memory = 1;
}

/* A row: which unit, the cycle, whether the log had begun. */
static void log_noted(const struct plug *p, uint64_t cycle, struct log *l)
{
    assert_int_equal(log_add(l, (const uint64_t[]){p->policy, cycle, *(uint64_t *)l->memory}), 0);
}

static void log_ended(uint64_t cycle, struct log *l)
{
    assert_int_equal(log_add(l, (const uint64_t[]){99, cycle, 0}), 0);
}

/* Each unit that keeps a log has its own; others have none. */
static void logs_of_their_own(void **unused)
{
    (void)unused;
    static const struct log_kind kind = {.num_columns = 3,
                                         .memory = sizeof(uint64_t),
                                         .begin = log_began,
                                         .note = log_noted,
                                         .end = log_ended};
    static const struct socket without = PART_SOCKET("wire", ),
                               with = PART_SOCKET("wire", .log = &kind);
    const struct plan plan = {.units = {part_planned(&without, &wire, 0, 0),
                                        part_planned(&with, &wire, 1, 0),
                                        part_planned(&with, &wire, 2, 0),
                                        part_planned(&without, &wire, 3, 0)},
                              .count = 4},
                      silent = {.units = {part_planned(&without, &wire, 0, 0)}, .count = 1};
    struct part_view v = {0};
    struct rack r;
    part_open(&r, &plan, &v, SCOPE_SM, BACKEND_C);
    assert_true(r.logs);
    for (uint64_t kernel = 0; kernel < 2; kernel++) {
        rack_log_begin(&r);
        rack_note(&r, 10 + kernel);
        rack_note(&r, 20 + kernel);
        rack_log_end(&r, 30 + kernel);
        assert_true(!rack_log(&r, 0) && !rack_log(&r, 3) && !rack_log(&r, 4));
        for (unsigned i = 1; i <= 2; i++) {
            const struct log *l = rack_log(&r, i);
            const uint64_t rows[] = {i, 10 + kernel, 1, i, 20 + kernel, 1, 99, 30 + kernel, 0};
            assert_int_equal(l->count, 3);
            assert_memory_equal(l->rows, rows, sizeof rows);
        }
    }
    rack_close(&r);
    part_open(&r, &silent, &v, SCOPE_SM, BACKEND_C);
    assert_false(r.logs);
    rack_log_begin(&r);
    rack_log_end(&r, 1);
    assert_null(rack_log(&r, 0));
    rack_close(&r);
}

/* A step in which the controls do not matter. Returns how many edges there were. */
static unsigned edges(struct rack *r, uint64_t cycle)
{
    struct controls c[NUM_SCHEDULERS];
    const unsigned before = part_steps;
    memset(c, EVERY_CONTROL, sizeof c);
    assert_int_equal(rack_step(r, cycle, c), 0);
    return part_steps - before;
}

static const struct part_in *shown(const struct rack *r, unsigned index)
{
    return r->plugs[index].in;
}

/* An event is heard by those that hear it, and shown for one cycle. */
static void events_are_shown_once(void **unused)
{
    (void)unused;
    static const struct socket hears_evict = PART_SOCKET("meter", .hears = HEARS(l1d_evict)),
                               hears_end =
                                   PART_SOCKET("meter", .hears = HEARS(warp_end) | HEARS(l1d_fill));
    const struct plan plan = {
        .units = {part_planned(&hears_evict, &meter, 0, 0), part_planned(&hears_end, &meter, 1, 0)},
        .count = 2};
    static const enum event_kind kinds[] = {EVENT_l1d_evict, EVENT_warp_end, EVENT_l1d_fill,
                                            EVENT_issue};
    struct part_view v = {0};
    struct rack r;
    part_open(&r, &plan, &v, SCOPE_SM, BACKEND_C);
    assert_int_equal(r.hears, HEARS(l1d_evict) | HEARS(warp_end) | HEARS(l1d_fill));
    assert_true(r.wake == 0); /* nobody has been asked yet */
    assert_int_equal(edges(&r, 10), 2);
    assert_true(r.wake == UINT64_MAX && rack_still(&r));
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const uint64_t cycle = 20 + 10 * i;
        const int first = i == 0, second = i == 1 || i == 2;
        rack_hear(&r, &(struct event){.kind = kinds[i], .cycle = cycle});
        assert_true(r.wake <= cycle);
        assert_int_equal(edges(&r, cycle), first + second);
        assert_int_equal(shown(&r, 0)->event, first);
        assert_int_equal(shown(&r, 1)->event, second);
        assert_true(r.wake == (first || second ? cycle + 1 : UINT64_MAX));
        assert_int_equal(edges(&r, cycle + 1), first + second); /* it is over */
        assert_int_equal(shown(&r, 0)->event + shown(&r, 1)->event, 0);
        assert_true(r.wake == UINT64_MAX);
        assert_int_equal(edges(&r, cycle + 2), 0);
    }
    rack_close(&r);
}

static void who_is_asked(void **unused)
{
    (void)unused;
    static const struct socket deaf = PART_SOCKET("meter", ),
                               bell = PART_SOCKET("timer", .hears = HEARS(issue));
    const struct plan plan = {
        .units = {part_planned(&bell, &timer, 1, 0), part_planned(&deaf, &meter, 0, 0)},
        .count = 2};
    struct part_view v = {0};
    struct rack r;
    part_open(&r, &plan, &v, SCOPE_SM, BACKEND_C);
    assert_false(rack_still(&r));
    assert_int_equal(edges(&r, 100), 2);
    for (unsigned cycle = 101; cycle < 110; cycle++)
        assert_int_equal(edges(&r, cycle), 0); /* inputs stay, nothing moves */
    *part_word(&v) = 2; /* of the meter: bit 0 is 0 still, but it cannot be known */
    assert_int_equal(edges(&r, 110), 1);
    *part_word(&v) = 3; /* it counts up to 9 and says so in the cycle after */
    for (unsigned cycle = 111; cycle <= 120; cycle++) {
        assert_int_equal(edges(&r, cycle), 1);
        assert_true(r.wake == (cycle < 120 ? cycle + 1 : UINT64_MAX));
        assert_int_equal(rack_still(&r), cycle == 120);
    }
    assert_int_equal(edges(&r, 121), 0);
    *part_word(&v) = 3 | 19 << 8; /* the timer is to wait for 20 cycles */
    rack_hear(&r, &(struct event){.kind = EVENT_issue, .cycle = 130});
    assert_int_equal(edges(&r, 130), 1);
    assert_int_equal(edges(&r, 131), 1);
    assert_true(r.wake == 150 && rack_still(&r));
    assert_int_equal(edges(&r, 132), 0);
    assert_int_equal(edges(&r, 149), 0);
    assert_true(r.wake == 150);
    assert_int_equal(edges(&r, 150), 1); /* it rings */
    assert_int_equal(shown(&r, 0)->now, 150 % 64);
    assert_int_equal(((const struct part_out *)r.plugs[0].out)->word, 1);
    assert_true(r.wake == 151);
    assert_int_equal(edges(&r, 151), 1);
    assert_true(r.wake == UINT64_MAX);
    rack_close(&r);
}

/* A unit in a cycle in which it is QUIET says nothing and is not asked; in a scheduler, which
 * leaves out such cycles itself, it is asked in those that are not left out. */
static void the_quiet(void **unused)
{
    (void)unused;
    static const struct socket s = PART_SOCKET("arbiter", );
    const struct plan plan = {.units = {part_planned(&s, &arbiter, 0, 0)}, .count = 1};
    for (enum scope scope = SCOPE_SCHEDULER; scope <= SCOPE_SM; scope++) {
        const int rests = scope == SCOPE_SCHEDULER;
        struct part_view v = {0};
        struct rack r;
        part_open(&r, &plan, &v, scope, BACKEND_C);
        const struct part_out *out = r.plugs[0].out;
        assert_int_equal(edges(&r, 1), rests);
        *part_word(&v) = 6;
        for (unsigned cycle = 2; cycle < 6; cycle++) {
            assert_int_equal(edges(&r, cycle), 1);
            assert_int_equal(out->word, cycle % 2 ? 3 : 2);
            assert_true(r.wake == (rests ? UINT64_MAX : cycle + 1));
            assert_false(rack_still(&r));
        }
        *part_word(&v) = 0;
        for (unsigned cycle = 6; cycle < 9; cycle++) {
            assert_int_equal(edges(&r, cycle), rests && cycle == 6);
            out = r.plugs[0].out;
            assert_int_equal(out->word, 0);
            assert_true(rack_still(&r) && r.wake == UINT64_MAX);
        }
        *part_word(&v) = 6;
        assert_int_equal(edges(&r, 9), 1);
        assert_int_equal(out->word, 2); /* it goes on where it was */
        rack_close(&r);
    }
}

/* A socket finds the other units of its rack, and those only. */
static const struct plug *found[3];
static void look_round(struct plug *p, const struct config *c)
{
    (void)c;
    found[0] = plug_find(p, "meter");
    found[1] = plug_find(p, "timer");
    found[2] = plug_find(p, "wia");
}

static void units_find_each_other(void **unused)
{
    (void)unused;
    static const struct socket one = PART_SOCKET("meter", .open = look_round),
                               two = PART_SOCKET("timer", );
    const struct plan plan = {
        .units = {part_planned(&one, &meter, 0, 0), part_planned(&two, &timer, 0, 0)}, .count = 2};
    struct part_view v = {0};
    struct rack r;
    part_open(&r, &plan, &v, SCOPE_SM, BACKEND_C);
    assert_ptr_equal(found[0], &r.plugs[0]);
    assert_ptr_equal(found[1], &r.plugs[1]); /* though it stands behind */
    assert_null(found[2]);
    rack_close(&r);
}

/* Where there is no unit nothing need be asked, ever. */
static void an_empty_rack_sleeps(void **unused)
{
    (void)unused;
    static const struct plan none;
    struct part_view v = {0};
    struct rack r;
    part_open(&r, &none, &v, SCOPE_SM, BACKEND_C);
    assert_true(r.wake == UINT64_MAX && r.count == 0 && r.hears == 0);
    assert_true(rack_still(&r));
    assert_null(rack_unit(&r, 0));
    rack_close(&r);
}

/* Shows its unit something in every cycle by one policy, and by others what there is. */
static int gather_busy(struct plug *p, const struct view *view, const void *controls, void *input)
{
    const int transient = part_gather(p, view, controls, input);
    ((struct part_in *)input)->level |= p->policy == 1;
    return transient;
}

/* Whether a unit may be left out while no warp is ready hangs on the policy that the plan gives it. */
static void quiet_under_one_policy(void **unused)
{
    (void)unused;
    static const struct socket s = {.stem = "arbiter",
                                    .memory = sizeof(struct part_memory),
                                    .gather = gather_busy,
                                    .apply = part_apply};
    for (uint64_t policy = 0; policy < 2; policy++) {
        const struct plan plan = {.units = {part_planned(&s, &arbiter, policy, 0)}, .count = 1};
        struct part_view v = {0};
        struct rack r;
        part_open(&r, &plan, &v, SCOPE_SCHEDULER, BACKEND_C);
        assert_int_equal(r.always, policy);
        for (unsigned cycle = 1; cycle < 5; cycle++) {
            assert_int_equal(edges(&r, cycle), policy || cycle == 1);
            assert_true(r.wake == (policy ? cycle + 1 : UINT64_MAX));
        }
        rack_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_see_those_before_them),
        cmocka_unit_test(an_sm_steers_all_its_schedulers),
        cmocka_unit_test(logs_of_their_own),
        cmocka_unit_test(events_are_shown_once),
        cmocka_unit_test(who_is_asked),
        cmocka_unit_test(the_quiet),
        cmocka_unit_test(quiet_under_one_policy),
        cmocka_unit_test(units_find_each_other),
        cmocka_unit_test(an_empty_rack_sleeps),
    };
    return cmocka_run_group_tests_name("tb/units/rack", tests, NULL, NULL);
}
