/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/mem/pace_test.c: a memory whose users' clock is slower than its own, changes and stands still (memory_pace), against one of
 * the same clock whose users only act in the cycles in which an accumulator lets them. */
#include "tests/tb/mem/users.h"

#include "tests/tb/test_config.h"

#define MIDDLE 7000          /* of the requests: what is counted then is compared, too */
#define CYCLES (2 * SENDING) /* of the users: what is on its way then has long come */

/* From a cycle of the users on, after it has stood still for some of the memory. */
static const struct change {
    uint64_t cycle;
    unsigned sixths;
    uint64_t stands;
} changes[] = {{0, 3, 0},     {2001, 6, 0},  {5000, 4, 13}, {MIDDLE, 4, 0},
               {9000, 5, 20}, {12007, 3, 7}, {12008, 5, 1}};
#define NUM_CHANGES (sizeof changes / sizeof changes[0])

/* In which cycle of the memory each of the users' begins. */
static uint64_t begins[CYCLES + 1];

static void find_begins(void)
{
    uint64_t now = 0;
    unsigned cycle = 0, accumulator = 6, at = 0;
    for (; cycle <= CYCLES; now++, accumulator += changes[at ? at - 1 : 0].sixths) {
        if (accumulator < 6)
            continue;
        if (at < NUM_CHANGES && changes[at].cycle == cycle) {
            now += changes[at++].stands;
            accumulator = 6;
        }
        begins[cycle++] = now;
        accumulator -= 6;
    }
}

static struct config config(void)
{
    struct config c = test_config();
    c.xbar_latency = 20;
    c.xbar_buffer = 2;
    c.l2_sets = 4, c.l2_ways = 2;
    return c;
}

static void reset_users(struct sm *sms, uint64_t until)
{
    memset(sent, 0, sizeof sent);
    sent_by_odd = 0;
    for (unsigned i = 0; i < PORTS; i++)
        sms[i] = (struct sm){.random = i, .until = until};
}

/* Counters in the middle. */
static struct memory_counters middle;

static void finish(struct run *r, struct memory *m, uint64_t cycle)
{
    r->counters = memory_counters(m, cycle);
    qsort(r->answers, r->count, sizeof *r->answers, by_cycle);
    assert_int_equal(r->count, sent[MEMORY_READ] + sent[MEMORY_ATOMIC]);
    memory_free(m);
}

/* A user to which memory_next says that there is something to do finds it: a reply, or room. */
static void step_when_told(struct memory *m, struct run *r, struct sm *s, unsigned port,
                           uint64_t cycle)
{
    static int was_full[PORTS];
    const unsigned before = r->count;
    const int told = *memory_next(m, port) <= cycle;
    step(m, r, s, port, cycle);
    assert_true(!told || r->count > before || was_full[port]);
    was_full[port] = !memory_room(m, port, cycle);
}

/* The users' clock is the memory's affair. */
static struct run paced(unsigned longest)
{
    const struct config c = config();
    struct run r = {.answers = calloc(PORTS * SENDING, sizeof *r.answers)};
    struct memory *m = memory_new(&c, PORTS);
    struct sm sms[PORTS];
    unsigned at = 0;
    uint64_t sixths = 6;
    reset_users(sms, SENDING);
    for (uint64_t cycle = 0, until; cycle < CYCLES; cycle = until) {
        if (at < NUM_CHANGES && changes[at].cycle == cycle) {
            sixths = changes[at].sixths;
            memory_pace(m, changes[at].sixths, cycle, changes[at].stands);
            at++;
            window(m, cycle, 0);
        }
        if (cycle == MIDDLE)
            middle = memory_counters(m, cycle);
        const uint64_t length = (uint64_t)c.xbar_latency * sixths / 6;
        until = cycle + (length < longest ? length : longest);
        if (at < NUM_CHANGES && until > changes[at].cycle)
            until = changes[at].cycle;
        until = until < CYCLES ? until : CYCLES;
        assert_int_equal(clocks_fixed(memory_clocks(m), cycle), begins[cycle]);
        for (unsigned i = 0; i < PORTS; i++)
            for (uint64_t t = cycle; t < until; t++)
                step_when_told(m, &r, &sms[i], i, t);
        window(m, until, 0);
    }
    assert_int_equal(memory_event(m), NEVER);
    assert_true(memory_ended(m) < CYCLES);
    finish(&r, m, CYCLES);
    return r;
}

/* The users look at the memory's clock, and act where theirs has a cycle. */
static struct run stepped(void)
{
    const struct config c = config();
    struct run r = {.answers = calloc(PORTS * SENDING, sizeof *r.answers)};
    struct memory *m = memory_new(&c, PORTS);
    struct sm sms[PORTS];
    reset_users(sms, begins[SENDING]);
    for (uint64_t now = 0, cycle = 0; now < begins[CYCLES]; now++) {
        if (begins[MIDDLE] == now)
            middle = memory_counters(m, now);
        if (begins[cycle] == now) {
            const unsigned before = r.count;
            for (unsigned i = 0; i < PORTS; i++)
                step(m, &r, &sms[i], i, now);
            for (unsigned i = before; i < r.count; i++)
                r.answers[i].cycle = cycle;
            cycle++;
        }
        window(m, now + 1, 0);
    }
    finish(&r, m, begins[CYCLES]);
    return r;
}

static void a_slow_clock_is_one_with_fewer_cycles(void **state)
{
    (void)state;
    find_begins();
    struct run expected = stepped();
    const struct memory_counters expected_middle = middle;
    assert_true(expected.count > 1000);
    static const unsigned longest[] = {1, 3, 20};
    for (unsigned i = 0; i < sizeof longest / sizeof longest[0]; i++) {
        struct run r = paced(longest[i]);
        assert_int_equal(r.count, expected.count);
        assert_memory_equal(r.answers, expected.answers, r.count * sizeof *r.answers);
        assert_memory_equal(&middle, &expected_middle, sizeof middle);
        assert_memory_equal(&r.counters, &expected.counters, sizeof r.counters);
        free(r.answers);
    }
    free(expected.answers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slow_clock_is_one_with_fewer_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
