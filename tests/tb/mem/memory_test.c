/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/mem/memory_test.c: tests tb/mem/memory.c, crossbar, L2 and DRAM together: what an idle
 * memory takes, that every request is answered once, that nothing depends on windows or on the
 * order in which partitions run, that banks share their channel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/mem/memory.h"
#include "tests/tb/mem/expected.h"
#include "tests/tb/mem/random.h"
#include "tests/tb/mem/users.h"
#include "tests/tb/test_config.h"

/* Sends one request and waits for its answer, which it returns the cycle of. */
static uint64_t answer_at(struct memory *m, uint64_t cycle, enum memory_kind kind, uint64_t address,
                          uint8_t sectors)
{
    uint32_t tag;
    const struct memory_request r = {address, (uint8_t)kind, sectors, 9};
    assert_true(memory_room(m, 1, cycle));
    memory_send(m, 1, cycle, &r);
    for (;; cycle++) {
        window(m, cycle + 1, 0);
        if (memory_receive(m, 1, cycle + 1, &tag)) {
            assert_int_equal(tag, 9);
            return cycle + 1;
        }
    }
}

/* In an idle memory: a row opened, the same line again, a line of the open row, an atomic, part of
 * a line, each in a channel of its own and in both clock ratios. */
static void idle(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct config c = test_config();
        c.dram_clock_mhz = i ? 1000 : 727;
        struct memory *m = memory_new(&c, PORTS);
        struct open_rows rows = {0};
        uint64_t now = 1000;
        for (uint64_t address = 0; address < 8 * 4096; address += 4096 + 256) {
            const uint64_t opened = row_ticks(&rows, &c, address);
            assert_int_equal(answer_at(m, now, MEMORY_READ, address, 0xf),
                             from_dram(&c, now, opened, 128));
            now += 1000;
            assert_int_equal(answer_at(m, now, MEMORY_READ, address + 32, 0x6),
                             from_l2(&c, now, 64));
            now += 1000;
            const uint64_t again = row_ticks(&rows, &c, address + 128);
            assert_int_equal(again, 0);
            assert_int_equal(answer_at(m, now, MEMORY_READ, address + 128, 0x1),
                             from_dram(&c, now, 0, 32));
            now += 1000;
            assert_int_equal(answer_at(m, now, MEMORY_ATOMIC, address, 0x8),
                             answered(&c, at_l2(&c, now, 32), 32));
            now += 1000;
        }
        memory_free(m);
    }
}

static struct run random_run(const struct config *c, unsigned length, int backward)
{
    struct run r = {.answers = calloc(PORTS * SENDING, sizeof *r.answers)};
    struct memory *m = memory_new(c, PORTS);
    struct sm sms[PORTS] = {0};
    assert_non_null(r.answers);
    memset(sent, 0, sizeof sent);
    sent_by_odd = 0;
    for (unsigned i = 0; i < PORTS; i++)
        sms[i] = (struct sm){.random = i, .until = SENDING};
    uint64_t cycle = 0, quiet = 0;
    while (!quiet) {
        const uint64_t until =
            cycle + (length ? length : 1 + cycle * 7 % (uint64_t)c->xbar_latency);
        for (unsigned i = 0; i < PORTS; i++) {
            const unsigned port = backward ? PORTS - 1 - i : i;
            for (uint64_t t = cycle; t < until; t++)
                step(m, &r, &sms[port], port, t);
        }
        window(m, until, backward);
        cycle = until;
        quiet = cycle >= SENDING && memory_event(m) == NEVER;
        for (unsigned i = 0; i < PORTS; i++)
            quiet = quiet && *memory_next(m, i) == NEVER;
    }
    assert_true(memory_ended(m) <= cycle);
    r.counters = memory_counters(m, memory_ended(m)); /* lines are held for as long as one looks */
    for (unsigned i = 0; i < PORTS; i++)
        for (unsigned j = 0; j < 64; j++)
            assert_false(sms[i].open[j]); /* all answered */
    memory_free(m);
    return r;
}

static void nothing_is_lost_or_depends_on_windows(void **state)
{
    (void)state;
    static const struct {
        int64_t latency, buffer, queue, mshrs, dram_queue, dram_clock;
    } shapes[] = {{20, 8, 8, 32, 32, 1000},
                  {7, 1, 2, 4, 4, 500},
                  {1, 2, 1, 8, 2, 2300},
                  {12, 2, 4, 2, 8, 924}};
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct config c = test_config();
        c.xbar_latency = shapes[i].latency, c.xbar_buffer = shapes[i].buffer;
        c.l1d_miss_queue = shapes[i].queue, c.l2_mshrs = shapes[i].mshrs;
        c.dram_queue = shapes[i].dram_queue, c.dram_clock_mhz = shapes[i].dram_clock;
        c.l2_sets = 4, c.l2_ways = 2;
        struct run first = random_run(&c, 1, 0);
        const struct memory_counters *n = &first.counters;
        qsort(first.answers, first.count, sizeof *first.answers, by_cycle);
        assert_int_equal(first.count, sent[MEMORY_READ] + sent[MEMORY_ATOMIC]);
        assert_int_equal(n->xbar.reads, sent[MEMORY_READ]);
        assert_int_equal(n->xbar.writes, sent[MEMORY_WRITE]);
        assert_int_equal(n->xbar.atomics, sent[MEMORY_ATOMIC]);
        assert_int_equal(n->l2.accesses, n->xbar.reads + n->xbar.writes + n->xbar.atomics);
        assert_int_equal(n->l2.reads, n->xbar.reads);
        assert_int_equal(n->l2_spaces[1].accesses, sent_by_odd); /* ports have spaces by turns */
        assert_int_equal(n->l2_spaces[0].accesses, n->l2.accesses - sent_by_odd);
        assert_int_equal(n->l2.writebacks, n->dram.writes);
        assert_true(n->dram.reads > 100 && n->dram.writes > 100);
        for (unsigned j = 0; j < 6; j++) {
            const unsigned latency = (unsigned)c.xbar_latency, lengths[] = {latency, 0, 1};
            struct run other = random_run(&c, lengths[j / 2], j % 2);
            qsort(other.answers, other.count, sizeof *other.answers, by_cycle);
            assert_int_equal(other.count, first.count);
            assert_memory_equal(other.answers, first.answers, first.count * sizeof *first.answers);
            assert_memory_equal(&other.counters, n, sizeof *n);
            free(other.answers);
        }
        free(first.answers);
    }
}

/* Two SMs, each reading through a bank of its own of one channel, faster than that can: each gets
 * half. */
static void banks_share_their_channel(void **state)
{
    (void)state;
    struct config c = test_config();
    c.dram_bytes_per_cycle = 8;
    c.dram_queue = 4;
    struct memory *m = memory_new(&c, PORTS);
    uint64_t answers[2] = {0}, lines[2] = {0}, open[2] = {0};
    uint32_t tag;
    for (uint64_t cycle = 0; cycle < 50000; cycle++) {
        for (unsigned i = 0; i < 2; i++) {
            for (; memory_receive(m, i, cycle, &tag); answers[i]++)
                open[i]--;
            /* Banks 0 and 2 belong to channel 0. */
            const struct memory_request r = {
                .address = lines[i] / 2 * 1024 + lines[i] % 2 * 128 + i * 512, .sectors = 0xf};
            if (open[i] < 60 && memory_room(m, i, cycle)) {
                memory_send(m, i, cycle, &r);
                lines[i]++;
                open[i]++;
            }
        }
        window(m, cycle + 1, 0);
    }
    /* The channel moves a line in 16 cycles. */
    assert_in_range(answers[0] + answers[1], 50000 / 16 * 9 / 10, 50000 / 16);
    assert_in_range(answers[0], answers[1] * 9 / 10, answers[1] * 11 / 10);
    memory_free(m);
}

/* A kernel that is given up leaves nothing on its way, and the lines that L2 has. */
static void reset(void **state)
{
    (void)state;
    const struct config c = test_config();
    struct memory *m = memory_new(&c, PORTS);
    uint32_t tag;
    answer_at(m, 1000, MEMORY_READ, 0x4000, 0xf);
    for (unsigned i = 0; i < 8; i++)
        memory_send(m, 2, 2000 + i, &(struct memory_request){.address = i * 128, .sectors = 0xf});
    window(m, 2020, 0);
    window(m, 2040, 0);
    assert_int_not_equal(memory_event(m), NEVER);
    memory_reset(m);
    assert_int_equal(memory_event(m), NEVER);
    assert_int_equal(*memory_next(m, 2), NEVER);
    assert_int_equal(memory_ended(m), 0);
    assert_false(memory_receive(m, 2, 100000, &tag));
    assert_int_equal(answer_at(m, 3000, MEMORY_READ, 0x4000, 0xf), from_l2(&c, 3000, 128));
    memory_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle),
        cmocka_unit_test(nothing_is_lost_or_depends_on_windows),
        cmocka_unit_test(banks_share_their_channel),
        cmocka_unit_test(reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
