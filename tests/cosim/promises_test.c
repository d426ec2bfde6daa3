/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/promises_test.c: a contract whose QUIET, IDLE_STABLE or WAKES is a lie is found out,
 * and a truthful one is not blamed. Lies about wia are told under its stimulus; WAKES and CLOCK
 * belong to a timer of the test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/wia/wia.h"
#include "cosim/promises.h"
#include "cosim/stimulus.h"
#include "cosim/unit.h"

void wia_stimulus(struct stimulus *, void *);

static int always(const void *in)
{
    (void)in;
    return 1;
}

static int always_idle(const void *in, const void *out)
{
    (void)in, (void)out;
    return 1;
}

/* Runs wia's reference until a promise is broken. Returns the cycle, or `cycles`. */
static uint64_t run_wia(const struct unit *u, uint64_t cycles, char *reason, size_t size)
{
    struct wia_state state, before;
    struct wia_in in = {0};
    struct wia_out out;
    uint8_t scratch[sizeof in + sizeof out + sizeof state];
    struct stimulus s = stimulus_start(7);
    s.state = &state;
    u->reset(&state);
    for (; s.cycle < cycles; stimulus_next(&s)) {
        wia_stimulus(&s, &in);
        before = state;
        u->comb(&state, &in, &out);
        u->tick(&state, &in, &out);
        if (promise_broken(u, &before, &in, &out, NULL, &state, scratch, reason, size))
            break;
    }
    return s.cycle;
}

static void wia_keeps_its_promises(void **unused)
{
    (void)unused;
    char reason[160];
    assert_int_equal(run_wia(unit_find("wia"), 100000, reason, sizeof reason), 100000);
}

static void lies_about_a_cycle_are_found(void **unused)
{
    (void)unused;
    char reason[160];
    struct unit u = *unit_find("wia");
    u.idle = always_idle;
    assert_true(run_wia(&u, 1000, reason, sizeof reason) < 1000);
    assert_non_null(strstr(reason, "IDLE_STABLE holds, but STATE "));
    u = *unit_find("wia");
    u.quiet = always;
    assert_true(run_wia(&u, 1000, reason, sizeof reason) < 1000);
    assert_non_null(strstr(reason, "QUIET holds, but OUT grant"));
}

/* A timer: `set` makes it ring `delay` cycles later, by the clock, four bits wide. */
struct timer_in {
    uint64_t set, delay, now;
};
struct timer_out {
    uint64_t ring;
};
struct timer_state {
    uint64_t armed, deadline;
};

static void timer_reset(void *state)
{
    memset(state, 0, sizeof(struct timer_state));
}

static void timer_comb(const void *state, const void *input, void *output)
{
    const struct timer_state *s = state;
    const struct timer_in *in = input;
    struct timer_out *out = output;
    out->ring = s->armed && s->deadline == in->now;
}

static void timer_tick(void *state, const void *input, const void *output)
{
    struct timer_state *s = state;
    const struct timer_in *in = input;
    const struct timer_out *out = output;
    if (out->ring)
        s->armed = 0;
    if (in->set)
        *s = (struct timer_state){.armed = 1, .deadline = (in->now + in->delay) & 15};
}

static int not_quiet(const void *in)
{
    (void)in;
    return 0;
}

static int timer_idle(const void *input, const void *output)
{
    return !((const struct timer_in *)input)->set && !((const struct timer_out *)output)->ring;
}

static uint64_t timer_wakes(const void *state, const void *in)
{
    const struct timer_state *s = state;
    (void)in;
    return s->armed ? s->deadline : UINT64_MAX;
}

static uint64_t never(const void *state, const void *in)
{
    (void)state, (void)in;
    return UINT64_MAX;
}

static uint64_t one_too_late(const void *state, const void *in)
{
    const uint64_t wakes = timer_wakes(state, in);
    return wakes == UINT64_MAX ? wakes : (wakes + 1) & 15;
}

#define TIMER_FIELD(kind, part, name, width)                                                       \
    {                                                                                              \
        kind, #name, "", width, 1, width, 1, offsetof(struct timer_##part, name), #width           \
    }
static const struct field timer_fields[] = {
    TIMER_FIELD(FIELD_IN, in, set, 1),         TIMER_FIELD(FIELD_IN, in, delay, 4),
    TIMER_FIELD(FIELD_IN, in, now, 4),         TIMER_FIELD(FIELD_OUT, out, ring, 1),
    TIMER_FIELD(FIELD_STATE, state, armed, 1), TIMER_FIELD(FIELD_STATE, state, deadline, 4),
};

static const struct unit timer = {
    .stem = "timer",
    .fields = timer_fields,
    .num_fields = sizeof timer_fields / sizeof timer_fields[0],
    .size = {sizeof(struct timer_in), sizeof(struct timer_out), sizeof(struct timer_state)},
    .state_size = sizeof(struct timer_state),
    .clock = &timer_fields[2],
    .quiet = not_quiet,
    .idle = timer_idle,
    .wakes = timer_wakes,
    .reset = timer_reset,
    .comb = timer_comb,
    .tick = timer_tick,
};

/* Sets the timer in cycle 100 and runs for 20 cycles. Returns the cycle in which a promise is
 * broken, or 0. */
static uint64_t run_timer(uint64_t (*wakes)(const void *, const void *), char *reason, size_t size)
{
    struct unit u = timer;
    struct timer_state state, before;
    uint8_t scratch[sizeof(struct timer_in) + sizeof(struct timer_out) + sizeof state];
    u.wakes = wakes;
    u.reset(&state);
    for (uint64_t cycle = 100; cycle < 120; cycle++) {
        struct timer_in in = {.set = cycle == 100, .delay = 13};
        struct timer_out out = {0};
        unit_set_clock(&u, &in, cycle);
        assert_int_equal(in.now, cycle % 16);
        before = state;
        u.comb(&state, &in, &out);
        u.tick(&state, &in, &out);
        assert_int_equal(out.ring, cycle == 113);
        if (promise_broken(&u, &before, &in, &out, NULL, &state, scratch, reason, size))
            return cycle;
    }
    return 0;
}

static void late_alarms_are_found(void **unused)
{
    (void)unused;
    char reason[160];
    assert_int_equal(run_timer(timer_wakes, reason, sizeof reason), 0);
    assert_int_equal(run_timer(never, reason, sizeof reason), 112);
    assert_string_equal(reason, "WAKES names no cycle so early, but ring moves in the next");
    assert_int_equal(run_timer(one_too_late, reason, sizeof reason), 112);
}

/* An instance says in the machine's cycles when it wants to be stepped. */
static void alarms_are_given_in_cycles(void **unused)
{
    (void)unused;
    struct unit_inst *i = unit_open(&timer, BACKEND_C, "test");
    struct timer_in in = {.set = 1, .delay = 13};
    struct timer_out out;
    assert_non_null(i);
    assert_ptr_equal(unit_of(i), &timer);
    assert_int_equal(unit_in_size(&timer), sizeof in);
    assert_int_equal(unit_out_size(&timer), sizeof out);
    unit_set_clock(&timer, &in, 1000);
    unit_step(i, 1000, &in, &out);
    assert_false(unit_idle(i, &in, &out));
    assert_true(unit_wakes(i, &in) == 1013);
    in.set = 0;
    unit_set_clock(&timer, &in, 1013);
    unit_step(i, 1013, &in, &out);
    assert_int_equal(out.ring, 1);
    unit_set_clock(&timer, &in, 1014);
    unit_step(i, 1014, &in, &out);
    assert_true(unit_idle(i, &in, &out));
    assert_true(unit_wakes(i, &in) == UINT64_MAX);
    unit_close(i);
}

/* What a contract without the lines says. */
static void without_a_promise(void **unused)
{
    (void)unused;
    const struct unit *mask = unit_find("mask"), *dispatch = unit_find("dispatch");
    struct unit_inst *i = unit_open(mask, BACKEND_C, "test");
    uint8_t in[mask->size[FIELD_IN]], before[sizeof in], out[mask->size[FIELD_OUT]];
    assert_non_null(i);
    memset(in, 0xff, sizeof in);
    memcpy(before, in, sizeof in);
    unit_set_clock(mask, in, 5); /* no CLOCK: nothing happens */
    assert_memory_equal(in, before, sizeof in);
    assert_false(unit_quiet(i, in));
    assert_true(unit_idle(i, in, out)); /* no STATE */
    assert_true(unit_wakes(i, in) == UINT64_MAX);
    assert_false(dispatch->quiet(NULL));
    unit_close(i);
}

/* Every fourth run begins less than 4096 cycles before a clock of any width starts anew. */
static void clocks_wrap_around_soon(void **unused)
{
    (void)unused;
    unsigned soon[4] = {0};
    for (uint64_t seed = 1; seed <= 400; seed++) {
        const uint64_t left = -stimulus_start(seed).clock;
        soon[seed % 4] += left < 4096;
    }
    assert_int_equal(soon[0], 100);
    assert_true(soon[1] < 10 && soon[2] < 10 && soon[3] < 10); /* and most others anywhere */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wia_keeps_its_promises), cmocka_unit_test(lies_about_a_cycle_are_found),
        cmocka_unit_test(late_alarms_are_found),  cmocka_unit_test(alarms_are_given_in_cycles),
        cmocka_unit_test(without_a_promise),      cmocka_unit_test(clocks_wrap_around_soon),
    };
    return cmocka_run_group_tests_name("cosim/promises", tests, NULL, NULL);
}
