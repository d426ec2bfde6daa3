/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/units/late_test.c: late controls against a table with an entry for every cycle: what
 * steers is what the unit said `delay` cycles ago. A unit that is not asked says what it said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/units/controls.h"
#include "tb/units/late.h"

#define CYCLES     20000
#define MOST_DELAY 9
#define WORDS      3
#define MOST_COUNT 2

static const uint8_t mask[WORDS] = {1, 0, 1};

/* What steers in a cycle, word by word. */
struct row {
    uint64_t words[MOST_COUNT * WORDS];
};
static struct row said[CYCLES];

static uint64_t bits(void)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return state >> 29;
}

static unsigned below(unsigned n)
{
    return (unsigned)(bits() % n);
}

/* Few values, so that some come again and some that were on their way are taken back. */
static void say(uint64_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (below(3))
            words[i] = mask[i % WORDS] ? ~(uint64_t)below(3) : below(3);
}

/* What comes out where `c` was said before and `due` steers. */
static void steer(uint64_t *c, const struct row *due, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (mask[i % WORDS])
            c[i] &= due->words[i];
        else if (due->words[i] != NO_CHOICE)
            c[i] = due->words[i];
}

static const struct row *due_in(unsigned cycle, unsigned delay)
{
    static struct row nothing;
    memset(&nothing, 0xff, sizeof nothing);
    return cycle < delay ? &nothing : &said[cycle - delay];
}

/* `gap`: a unit is asked in one of so many cycles on average, and, if the machine heeds it, whenever
 * late_apply says that something is due; it does not between kernels. */
static void run(unsigned delay, unsigned gap, unsigned count, int heeds)
{
    const struct late_shape shape = {mask, WORDS, count};
    const unsigned words = count * WORDS;
    struct row now, before;
    struct late l;
    uint64_t due = UINT64_MAX;
    unsigned asks = 0;
    assert_int_equal(late_open(&l, &shape, delay), 0);
    memset(&said[0], 0xff, sizeof said[0]);
    for (unsigned cycle = 1; cycle < CYCLES; cycle++) {
        said[cycle] = said[cycle - 1];
        const int asked = !below(gap);
        if (asked) {
            memset(&said[cycle], 0xff, sizeof said[cycle]);
            say(said[cycle].words, words);
        }
        /* What steers may move in the cycle that was named, and in no other before. */
        const int moves =
            memcmp(due_in(cycle, delay), due_in(cycle - 1, delay), words * sizeof(uint64_t)) != 0;
        if (heeds && moves != (due == cycle))
            fail_msg("delay %u, cycle %u: moves: %d; named as the next: %d", delay, cycle, moves,
                     (int)due);
        if (!asked && !(heeds && due == cycle))
            continue;
        uint64_t *place = late_now(&l, cycle);
        for (unsigned i = 0; i < words; i++)
            assert_true(place[i] == UINT64_MAX);
        memcpy(place, said[cycle].words, words * sizeof *place);
        for (unsigned i = 0; i < words; i++) /* those of units before it */
            now.words[i] = mask[i % WORDS] ? ~(uint64_t)(below(2) * 4) : below(2) ? 9 : NO_CHOICE;
        before = now;
        due = late_apply(&l, cycle, now.words);
        steer(before.words, due_in(cycle, delay), words);
        for (unsigned i = 0; i < words; i++)
            if (now.words[i] != before.words[i])
                fail_msg("delay %u, cycle %u, word %u: %#llx steers, expected %#llx", delay, cycle,
                         i, (unsigned long long)now.words[i], (unsigned long long)before.words[i]);
        assert_true(due > cycle && (due <= cycle + delay || due == UINT64_MAX));
        asks++;
    }
    assert_true(asks > CYCLES / (2 * gap));
    late_close(&l);
}

static void as_the_table_says(void **unused)
{
    (void)unused;
    static const unsigned gaps[] = {1, 2, 5, 30};
    for (unsigned delay = 1; delay <= MOST_DELAY; delay++)
        for (unsigned i = 0; i < sizeof gaps / sizeof *gaps; i++)
            for (int heeds = 0; heeds < 2; heeds++)
                run(delay, gaps[i], 1 + i % MOST_COUNT, heeds);
}

/* Nothing is kept for a unit that is not late. */
static void none(void **unused)
{
    (void)unused;
    const struct late_shape shape = {mask, WORDS, 1};
    struct late l;
    assert_int_equal(late_open(&l, &shape, 0), 0);
    assert_null(l.controls);
    assert_null(l.since);
    late_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_the_table_says), cmocka_unit_test(none)};
    return cmocka_run_group_tests_name("tb/units/late", tests, NULL, NULL);
}
