/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/mem/dram_test.c: tests tb/mem/dram.c in three ways. An observer derives the commands
 * from what changes from tick to tick (a row opens or closes, a request leaves) and checks each
 * against all before it by the list of minimum distances. A scheduler restated tick by tick, which
 * tries every command against that list, must leave the same state after every cycle, whatever the
 * ratio of the clocks. And latencies and rates must be those that the configuration adds up to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/mem/dram_model.h"

static void compare(const struct model *m, const struct dram *d)
{
    assert_int_equal(d->count, m->count);
    struct dram_request queue[64];
    assert_int_equal(in_order(d->num_banks, d->banks, d->queue, queue), m->count);
    for (unsigned i = 0; i < m->count; i++)
        assert_int_equal(queue[i].owner, m->queue[i].owner);
    for (uint32_t i = 0; i < d->num_banks; i++)
        assert_int_equal(d->banks[i].row, m->open[i]);
}

static void compare_replies(struct model *m, struct dram *d, uint64_t cycle)
{
    uint32_t owner;
    while (dram_receive(d, cycle, &owner)) {
        assert_true(m->first_reply < m->num_replies);
        assert_int_equal(m->replies[m->first_reply].due, cycle);
        assert_int_equal(m->replies[m->first_reply++].owner, owner);
    }
    const unsigned next = m->first_reply;
    assert_true(next == m->num_replies || !m->replies[next].due || m->replies[next].due > cycle);
}

/* Few rows of few banks, so that everything meets: hits, conflicts, both directions. */
static uint64_t some_address(const struct config *c, unsigned rows)
{
    const uint64_t banks = (uint64_t)c->dram_banks < 6 ? (uint64_t)c->dram_banks : 6;
    const uint64_t row = below(rows) * (uint64_t)c->dram_banks + below((uint32_t)banks);
    return row * (uint64_t)c->dram_row_bytes + below((uint32_t)c->dram_row_bytes / 128) * 128;
}

static struct dram_counters total;

/* Random traffic; `busy` of 64 cycles bring a request. */
static void random_run(const struct config *c, unsigned busy, unsigned rows)
{
    static struct model m;
    static struct dram_bank rows_before[64];
    static struct dram_request queue_before[64];
    struct dram d = {0};
    struct stream observed = {.c = c};
    uint32_t sent = 0;
    memset(&m, 0, sizeof m);
    m.c = m.stream.c = c;
    m.tick = 1; /* a request that is sent in cycle 0 is seen in tick 1 */
    for (unsigned i = 0; i < 64; i++)
        m.open[i] = -1;
    assert_int_equal(dram_init(&d, c, REPLIES), 0);
    for (uint64_t cycle = 0; sent < 3000 || d.count; cycle++) {
        const struct dram before = d;
        memcpy(rows_before, d.banks, d.num_banks * sizeof *d.banks);
        memcpy(queue_before, d.queue, d.places * sizeof *d.queue);
        const int left = dram_step(&d, cycle);
        model_step(&m, cycle);
        compare(&m, &d);
        assert_int_equal(left, d.count < before.count);
        if (c->dram_clock_mhz <= c->gpu_clock_mhz) /* at most one tick in a cycle */
            observe(&observed, &before, rows_before, queue_before, &d, m.tick - 1);
        compare_replies(&m, &d, cycle);
        if (sent < 3000 && dram_room(&d, 1) && below(64) < busy) {
            const uint64_t address = some_address(c, rows);
            const uint32_t bytes = 32 + below(4) * 32;
            const int is_write = below(8) < (sent / 256 % 2 ? 5 : 1); /* in phases */
            dram_send(&d, cycle, address, bytes, is_write, sent);
            m.queue[m.count++] = as_request(c, address, bytes, is_write, sent++);
        }
        if (cycle % 1000 == 0)
            dram_account(&d, cycle);
    }
    assert_memory_equal(&d.counters, &m.counters, sizeof m.counters);
    ADD_COUNTS(total, m.counters);
    dram_free(&d);
}

static void random_traffic(void **state)
{
    (void)state;
    static const struct {
        int64_t core, dram, queue, rate, banks;
        unsigned busy, rows;
    } shapes[] = {
        {1000, 1000, 32, 32, 16, 20, 4}, {1400, 924, 32, 32, 16, 16, 3},
        {1400, 924, 8, 64, 2, 40, 2},    {1000, 333, 16, 128, 6, 10, 2},
        {700, 1750, 32, 32, 16, 60, 4},  {1481, 2500, 64, 24, 8, 40, 3},
        {1000, 1000, 2, 16, 1, 60, 2},   {1, 1, 16, 4, 4, 8, 2},
    };
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct config c = test_config();
        c.gpu_clock_mhz = shapes[i].core, c.dram_clock_mhz = shapes[i].dram;
        c.dram_queue = shapes[i].queue, c.dram_bytes_per_cycle = shapes[i].rate;
        c.dram_banks = shapes[i].banks;
        random_run(&c, shapes[i].busy, shapes[i].rows);
        /* Other timings, each the longest once. */
        c.dram_tCCD = 9, c.dram_tRRD = 17, c.dram_tRCD = 5, c.dram_tRAS = 40, c.dram_tRP = 7;
        c.dram_tRC = 60, c.dram_tCL = 4, c.dram_tWL = 11, c.dram_tCDLR = 15, c.dram_tWR = 30;
        random_run(&c, shapes[i].busy, shapes[i].rows);
        c.dram_tCCD = 1; /* column commands in successive ticks */
        random_run(&c, shapes[i].busy, shapes[i].rows);
    }
    ASSERT_ALL_REACHED(total, 100);
    for (unsigned i = 0; i < NUM_RULES; i++)
        if (!tight[i])
            fail_msg("no command came as early as %s allows", rule_names[i]);
}

/* When the answer to a read of an idle channel is there. */
static uint64_t read_at(struct dram *d, uint64_t cycle, uint64_t address)
{
    uint32_t owner;
    dram_send(d, cycle, address, 128, 0, 7);
    while (dram_event(d) != NEVER) {
        cycle = dram_event(d);
        dram_step(d, cycle);
        if (dram_receive(d, cycle, &owner))
            return cycle;
    }
    fail_msg("no answer");
    return 0;
}

/* A row that is open, none open, another one open. */
static void latencies(void **state)
{
    (void)state;
    static const int64_t clocks[][2] = {{1000, 1000}, {1400, 924}, {1000, 1750}, {1417, 1848}};
    for (unsigned i = 0; i < 4; i++) {
        struct config c = test_config();
        c.gpu_clock_mhz = clocks[i][0], c.dram_clock_mhz = clocks[i][1];
        struct dram d = {0};
        assert_int_equal(dram_init(&d, &c, 4), 0);
        const uint64_t row_of_bank = (uint64_t)(c.dram_row_bytes * c.dram_banks);
        const struct {
            uint64_t address;
            int64_t row_commands;
        } reads[] = {{0, c.dram_tRCD},
                     {128, 0},
                     {row_of_bank, c.dram_tRP + c.dram_tRCD},
                     {(uint64_t)c.dram_row_bytes, c.dram_tRCD},
                     {row_of_bank + 256, 0}};
        for (unsigned j = 0; j < 5; j++) {
            const double ratio = (double)clocks[i][0] / (double)clocks[i][1];
            const uint64_t cycle = 10007 * (j + 1);
            const uint64_t tick = (uint64_t)((double)cycle / ratio) + 1; /* that sees it */
            const double data = (double)(tick + (uint64_t)(reads[j].row_commands + c.dram_tCL) +
                                         128 / (uint64_t)c.dram_bytes_per_cycle);
            const double whole = data * ratio; /* the core cycle by which it has come */
            uint64_t expected = (uint64_t)whole;
            expected += (double)expected < whole;
            assert_int_equal(read_at(&d, cycle, reads[j].address),
                             expected + (uint64_t)c.dram_latency);
        }
        dram_free(&d);
    }
}

/* Requests for one open row, more than enough: the data bus never rests. */
static void rate_of_row_hits(void **state)
{
    (void)state;
    for (int is_write = 0; is_write < 2; is_write++)
        for (int64_t rate = 8; rate <= 64; rate *= 2) {
            struct config c = test_config();
            struct dram d = {0};
            uint32_t owner, sent = 0;
            uint64_t cycle = 0, began = 0, begun_with = 0;
            c.dram_bytes_per_cycle = rate;
            assert_int_equal(dram_init(&d, &c, 1024), 0);
            for (; d.counters.reads + d.counters.writes < 1000; cycle++) {
                dram_step(&d, cycle);
                while (dram_receive(&d, cycle, &owner))
                    ;
                if (!began && d.counters.bytes) {
                    began = cycle;
                    begun_with = d.counters.bytes;
                }
                while (sent < 1000 && dram_room(&d, 1))
                    dram_send(&d, cycle, sent++ % 16 * 128, 128, is_write, 0);
            }
            assert_int_equal(d.counters.activates, 1);
            assert_int_equal(d.counters.row_hits, 999);
            /* From the first column command to the last, both clocks being the same. */
            assert_int_equal((cycle - 1 - began) * (uint64_t)rate, d.counters.bytes - begun_with);
            dram_free(&d);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traffic),
        cmocka_unit_test(latencies),
        cmocka_unit_test(rate_of_row_hits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
