/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/paver_sm/paver_sm_test.c: the C reference against PAVER's words as plain.h restates them: under random inputs, and case
 * by case, among them the worked example of 5.3. */
#include "cosim/stimulus.h"
#include "tests/cmodel/paver_sm/bench.h"

void paver_sm_stimulus(struct stimulus *, void *);

/* A promise: no group has more blocks than a number of blocks can say. */
static void limit_group(struct paver_sm_in *in)
{
    const long size = (long)((in->reply_tail - in->reply_next) & (uint64_t)(POSITIONS - 1)) + 1;
    if (size > NUMBERS)
        in->reply_tail = (in->reply_next + NUMBERS - 1) & (uint64_t)(POSITIONS - 1);
}

static void random_inputs(void **unused)
{
    (void)unused;
    memset(&seen, 0, sizeof seen);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct stimulus s = stimulus_start(seed);
        struct bench *b = open_bench();
        s.state = &b->s;
        for (; s.cycle < 40000; stimulus_next(&s)) {
            paver_sm_stimulus(&s, &b->in);
            limit_group(&b->in);
            step(b);
        }
    }
    print_message("groups %ld (around the end %ld, largest %ld), numbers %ld, placed %ld, in the "
                  "dispatcher's order %ld, gifts %ld "
                  "(all that waits %ld, not all %ld, of the last block %ld, beside a placed one "
                  "%ld), refused %ld\n",
                  seen.groups, seen.wrapped, seen.largest, seen.numbers, seen.placed, seen.in_order,
                  seen.gifts, seen.whole, seen.partly, seen.emptied, seen.placed_and_given,
                  seen.refused);
    print_message("given up with replies due %ld, starts while blocks are left %ld, replies "
                  "unasked %ld, blocks placed where none may "
                  "be %ld\n",
                  seen.stops_with_due, seen.starts_while_busy, seen.wild_replies, seen.wild_places);
    assert_true(seen.groups > 5000 && seen.numbers > 5000 && seen.placed > 5000 &&
                seen.in_order > 500);
    assert_true(seen.whole > 100 && seen.partly > 100 && seen.emptied > 20 && seen.refused > 1000);
    assert_true(seen.placed_and_given > 5 && seen.wrapped > 5);
    assert_true(seen.stops_with_due > 5 && seen.starts_while_busy > 5);
    assert_true(seen.wild_replies > 100 && seen.wild_places > 100);
}

/* "There are 4 waiting TBs in the TB-Group of the donor SM indexed as (TB_0, TB_1, TB_2, TB_3), DonorSM.next = TB_0, DonorSM.tail =
 * TB_3 and Stolen TB count = 2. After Task-stealing, recipient SM.tail is updated to donor SM.tail i.e. TB_3. Donor SM.tail is
 * decremented by the stolen TB count and points to TB_1." Recipient SM.next points to "(DonorSM.tail + 1) i.e. TB_2" (5.3; the paper
 * has tail twice). */
static void the_worked_example(void **unused)
{
    (void)unused;
    enum { TB_0 = 20, TB_1, TB_2, TB_3 };
    struct bench *b = sm_0_has(TB_0, TB_3);
    set_free(b, 1, 1);
    is_quiet(b);
    assert_int_equal(b->out.waiting, 4);
    assert_int_equal(b->out.recipients[0], 2);
    assert_int_equal(b->out.busy, 1);
    assert_int_equal(b->s.next[0], TB_0);
    assert_int_equal(b->s.tail[0], TB_3);
    assert_int_equal(give(b, 0, 1, 2), 2);
    assert_int_equal(b->s.next[0], TB_0);
    assert_int_equal(b->s.tail[0], TB_1);
    assert_int_equal(b->s.next[1], TB_2);
    assert_int_equal(b->s.tail[1], TB_3);
    assert_int_equal(b->s.held[0], 3);
    assert_int_equal(b->s.allow[0], 1); /* the donor's next_tb is what it was */
    takes_number(b, 1, TB_2, 52);
    assert_int_equal(b->out.recipients[0], 0);
    is_quiet(b);
    assert_int_equal(b->s.allow[0], 3);
    place(b, 1, 52);
    takes_number(b, 1, TB_3, 53);
    place(b, 0, 50); /* as the number comes */
    takes_number(b, 0, TB_1, 51);
    place(b, 1, 53);
    place(b, 0, 51);
    is_quiet(b);
    assert_int_equal(b->out.busy, 0);
}

/* Of four blocks three wait where the first one will not. */
static void the_first_block_is_the_sms_own(void **unused)
{
    (void)unused;
    struct bench *b = sm_0_has(20, 23);
    set_free(b, 0, 1); /* it has a context */
    is_quiet(b);
    assert_int_equal(b->out.waiting, 3);
    set_free(b, 0, 0);
    set_free(b, 1, 1);
    b->in.place_valid = 1; /* it is placed */
    b->in.place_sm = 0;
    assert_int_equal(give(b, 0, 1, 100), 3);
    assert_int_equal(b->out.waiting, 3);
    assert_int_equal(b->out.place_block, 50);
    assert_int_equal(b->s.held[0], 2);
    assert_int_equal(b->s.allow[0], 0);
    assert_int_equal(b->s.next[1], 21);
    assert_int_equal(b->s.tail[1], 23);
    b = sm_0_has(20, 23);
    place(b, 0, 50);
    takes_number(b, 0, 21, 51); /* its number is not there; it is just coming; it is there */
    assert_int_equal(b->out.waiting, 2);
    is_quiet(b);
    assert_int_equal(b->out.waiting, 2);
    is_quiet(b);
    assert_int_equal(b->out.waiting, 3);
    b->in.place_valid = 1; /* a block for another SM: nothing of this one's */
    b->in.place_sm = 1;
    is_quiet(b);
    assert_int_equal(b->out.waiting, 3);
}

static void a_group_of_one(void **unused)
{
    (void)unused;
    struct bench *b = sm_0_has(30, 30); /* next == tail: one block */
    assert_int_equal(b->s.held[0], 1);
    set_free(b, 0, 1);
    set_free(b, 1, 1);
    assert_int_equal(give(b, 0, 1, 1), 0);
    place(b, 0, 50);
    assert_int_equal(b->s.held[0], 0);
    assert_int_equal(b->s.allow[0], 0);
    is_quiet(b);
    assert_int_equal(b->out.busy, 0);
    assert_int_equal(b->out.waiting, 0);
    assert_int_equal(b->out.recipients[0], 3);
}

/* All that waits goes, the donor's next block with it, whose number is there: that may not be placed here any more. */
static void a_stolen_next_tb_is_not_valid(void **unused)
{
    (void)unused;
    struct bench *b = sm_0_has(30, 30);
    set_free(b, 1, 1);
    is_quiet(b);
    assert_int_equal(b->out.waiting, 1);
    assert_int_equal(give(b, 0, 1, 1), 1);
    assert_int_equal(b->s.held[0], 2);
    assert_int_equal(b->s.allow[0], 0);
    takes_number(b, 1, 30, 51);
    b->in.place_valid = 1; /* where none may be: nothing happens */
    b->in.place_sm = 0;
    is_quiet(b);
    place(b, 1, 51);
    is_quiet(b);
    assert_int_equal(b->out.busy, 0);
}

static void without_groups_in_the_dispatchers_order(void **unused)
{
    (void)unused;
    struct bench *b = sm_0_has(20, 23);
    start(b, 0, 5);
    for (int sm = 0; sm < NUM_SMS; sm++) {
        set_free(b, sm, 1);
        assert_int_equal(has(b->s.allow, sm), 1);
        b->in.order_block = (uint64_t)(1000 + sm);
        place(b, sm, (uint64_t)(1000 + sm));
    }
    assert_int_equal(give(b, 0, 1, 5), 0);
    is_quiet(b);
    assert_int_equal(b->out.busy, 0);
    assert_int_equal(b->out.waiting, 0);
}

/* Groups go to the SMs in turn, then to those that are through. */
static void groups_in_turn_until_none_is_left(void **unused)
{
    (void)unused;
    struct bench *b = open_bench();
    start(b, NUM_SMS + 1, POSITIONS - 2); /* positions behind the highest are those from 0 on */
    set_free(b, 0, 1);
    for (int sm = 0; sm < NUM_SMS; sm++)
        takes_group(b, sm, (uint64_t)(POSITIONS - 2 + sm) % POSITIONS, (uint64_t)(2 * sm),
                    (uint64_t)(2 * sm + 1));
    for (int sm = 0; sm < NUM_SMS; sm++) {
        takes_number(b, sm, (uint64_t)(2 * sm), (uint64_t)(100 + sm));
        assert_int_equal(b->out.recipients[0], 0);
    }
    is_quiet(b);
    place(b, 1, 101);
    takes_number(b, 1, 3, 3);
    is_quiet(b);
    place(b, 1, 3); /* next == tail: there was one more */
    assert_int_equal(b->s.left, 1);
    takes_group(b, 1, (uint64_t)(POSITIONS - 2 + NUM_SMS) % POSITIONS, 40, 40);
    assert_int_equal(b->s.left, 0);
    set_free(b, 1, 1);
    assert_int_equal(give(b, 0, 1, 1), 0); /* a group comes: it is no recipient */
    takes_number(b, 1, 40, 5);
    is_quiet(b);
    place(b, 1, 5);
    is_quiet(b); /* there is none for it */
    assert_int_equal(b->out.recipients[0], 2);
}

/* Each group is of one block, and stays where it is until it is placed (MST-TS). */
static void replies_in_any_order(void **unused)
{
    (void)unused;
    struct bench *b = open_bench();
    start(b, 2, 0);
    cycle(b);
    cycle(b);
    is_quiet(b);
    for (int sm = 1; sm >= 0; sm--) {
        b->in.reply_valid = 1;
        b->in.reply_sm = (uint64_t)sm;
        b->in.reply_next = b->in.reply_tail = (uint64_t)(60 + sm);
        cycle(b);
    }
    assert_int_equal(b->out.fetch_sm, 1);
    assert_int_equal(b->s.next[0], 60);
    assert_int_equal(b->s.next[1], 61);
}

static void a_kernel_that_is_given_up(void **unused)
{
    (void)unused;
    struct bench *b = open_bench();
    start(b, 3 + NUM_SMS, 0);
    takes_group(b, 0, 0, 10, 19);
    for (int sm = 0; sm < NUM_SMS; sm++)
        cycle(b);
    assert_int_equal(b->s.asked[0] & 3, 3); /* a number for SM 0, a group for SM 1 */
    b->in.stop = 1;
    b->in.reply_valid = 1; /* comes with the stop */
    is_quiet(b);
    assert_int_equal(b->s.left, 0);
    assert_int_equal(b->s.held[0] | b->s.asked[0] | b->s.allow[0], 0);
    for (uint64_t sm = 0; sm < 2; sm++) { /* comes late */
        b->in.reply_valid = 1;
        b->in.reply_sm = sm;
        is_quiet(b);
        assert_int_equal(b->s.held[0] | b->s.asked[0] | b->s.allow[0], 0);
    }
    start(b, 1, 4);
    takes_group(b, 0, 4, 70, 71);
}

static void a_start_while_a_kernel_runs(void **unused)
{
    (void)unused;
    struct bench *b = sm_0_has(20, 23);
    set_free(b, 1, 1);
    b->in.place_valid = b->in.stop = b->in.reply_valid = 1; /* nothing else of the cycle counts */
    b->in.place_sm = b->in.reply_sm = b->in.look = 0;
    b->in.give = 1;
    b->in.recipient = 1;
    b->in.count = 1;
    start(b, 1, 9);
    assert_int_equal(b->out.fetch_valid, 0);
    assert_int_equal(b->out.given, 0);
    assert_int_equal(b->s.held[0] | b->s.asked[0] | b->s.allow[0], 0);
    takes_group(b, 0, 9, 5, 6);
}

static void what_is_not_given(void **unused)
{
    (void)unused;
    struct bench *b = sm_0_has(20, 23);
    set_free(b, 1, 1);
    const struct paver_sm_state before = b->s;
    assert_int_equal(give(b, 0, 1, 0), 0); /* none is wanted */
    assert_int_equal(give(b, 1, 1, 2), 0); /* it has none */
    assert_int_equal(give(b, 0, 0, 2), 0); /* has itself blocks */
    set_free(b, 1, 0);
    assert_int_equal(give(b, 0, 1, 2), 0); /* has no context */
    b->in.recipient = 1;
    b->in.count = 2;
    set_free(b, 1, 1);
    is_quiet(b); /* nobody says so */
    assert_memory_equal(&before, &b->s, sizeof before);
    assert_int_equal(give(b, 0, 1, 4), 4); /* all that wait */
    assert_int_equal(b->s.held[0], 2);
}

static void more_is_wanted_than_waits(void **unused)
{
    (void)unused;
    struct bench *b = sm_0_has(POSITIONS - 2, 1); /* four, around the end of the list */
    set_free(b, 0, 1);
    set_free(b, 1, 1);
    assert_int_equal(give(b, 0, 1, NUMBERS - 1), 3);
    assert_int_equal(b->s.next[0], POSITIONS - 2);
    assert_int_equal(b->s.tail[0], POSITIONS - 2);
    assert_int_equal(b->s.next[1], POSITIONS - 1);
    assert_int_equal(b->s.tail[1], 1);
}

/* As long as groups are left, who is through takes one of them. */
static void nobody_steals_while_groups_are_left(void **unused)
{
    (void)unused;
    struct bench *b = open_bench();
    start(b, NUM_SMS + 1, 0);
    set_free(b, 1, 1);
    for (int sm = 0; sm < NUM_SMS; sm++)
        takes_group(b, sm, (uint64_t)sm, (uint64_t)(10 * sm),
                    (uint64_t)(10 * sm + (sm == 1 ? 0 : 5)));
    for (int sm = 0; sm < NUM_SMS; sm++)
        takes_number(b, sm, (uint64_t)(10 * sm), (uint64_t)(100 + sm));
    is_quiet(b);
    place(b, 1, 101);
    assert_int_equal(give(b, 0, 1, 3), 0);
    assert_int_equal(b->out.waiting, 6);
    assert_int_equal(b->out.recipients[0], 0);
    assert_int_equal(b->out.fetch_group, 1);
    assert_int_equal(b->out.fetch_sm, 1);
    assert_int_equal(give(b, 0, 1, 3), 0); /* nor when its group comes */
    assert_int_equal(b->out.recipients[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_inputs),
        cmocka_unit_test(the_worked_example),
        cmocka_unit_test(the_first_block_is_the_sms_own),
        cmocka_unit_test(a_group_of_one),
        cmocka_unit_test(a_stolen_next_tb_is_not_valid),
        cmocka_unit_test(without_groups_in_the_dispatchers_order),
        cmocka_unit_test(groups_in_turn_until_none_is_left),
        cmocka_unit_test(replies_in_any_order),
        cmocka_unit_test(a_kernel_that_is_given_up),
        cmocka_unit_test(a_start_while_a_kernel_runs),
        cmocka_unit_test(what_is_not_given),
        cmocka_unit_test(more_is_wanted_than_waits),
        cmocka_unit_test(nobody_steals_while_groups_are_left),
    };
    return cmocka_run_group_tests_name("cmodel/paver_sm", tests, NULL, NULL);
}
