/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/mem/l2_test.c: tests tb/mem/l2.c, with the test in place of crossbar and DRAM channel,
 * against a dumb restatement that looks at every cycle: each set is a list, most recently used
 * first; lines on their way carry the list of who waits. Traffic is random; what is served when,
 * what is asked of DRAM, all answers and all counts must agree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/mem/l2_model.h"

static struct dram channel;
static uint32_t open_reads[MAX_OPEN]; /* owners */
static unsigned num_open;

/* What the bank asked is what the model asked; the lines that it fetches get their owners. */
static void compare_asked(struct model *m)
{
    assert_int_equal(num_asked, m->num_asks);
    for (unsigned i = 0; i < num_asked; i++) {
        assert_int_equal(asked[i].address, m->asks[i].address);
        assert_int_equal(asked[i].bytes, m->asks[i].bytes);
        assert_int_equal(asked[i].is_write, m->asks[i].is_write);
        if (asked[i].is_write)
            continue;
        assert_int_equal(asked[i].owner >> 16, NUMBER);
        assert_true((asked[i].owner & 0xffff) < m->shape->mshrs);
        for (unsigned j = 0; j < num_open; j++)
            assert_int_not_equal(open_reads[j], asked[i].owner);
        open_reads[num_open++] = asked[i].owner;
        for (unsigned s = 0; s < m->shape->sets; s++)
            for (unsigned j = 0; j < m->held[s]; j++)
                if (channel_address(m, m->sets[s][j].address) == asked[i].address)
                    m->sets[s][j].owner = asked[i].owner;
    }
}

static void compare_answers(struct model *m, struct l2_bank *b, uint64_t cycle)
{
    while (b->replies.due <= cycle) {
        const struct packet *p = packets_at(&b->replies, 0);
        assert_true(m->first_answer < m->num_answers);
        const struct packet *a = &m->answers[m->first_answer++ % MAX_ANSWERS];
        assert_int_equal(p->due, a->due);
        assert_int_equal(p->port, a->port);
        assert_int_equal(p->tag, a->tag);
        assert_int_equal(p->sectors, a->sectors);
        packets_pop(&b->replies);
    }
    if (m->first_answer < m->num_answers)
        assert_true(m->answers[m->first_answer % MAX_ANSWERS].due > cycle);
}

/* The channel and its other banks: requests come and go, and one is answered. */
static int channel_moves(struct model *m, struct l2_bank *b, uint64_t cycle)
{
    int moved = 0;
    if (channel.count < channel.places && below(64) < 4)
        channel.count++;
    if (channel.count && below(64) < m->shape->serving) {
        channel.count--;
        moved = 1;
    }
    if (num_open && below(64) < m->shape->serving) {
        const unsigned chosen = below(num_open);
        const uint32_t owner = open_reads[chosen];
        open_reads[chosen] = open_reads[--num_open];
        model_fill(m, cycle, owner);
        l2_fill(b, cycle, owner & 0xffff);
        moved = 1;
    }
    m->room = channel.places - channel.count;
    return moved;
}

static void request(struct packet_queue *q, uint64_t cycle)
{
    static const uint8_t kinds[] = {MEMORY_READ, MEMORY_READ, MEMORY_WRITE, MEMORY_ATOMIC};
    const uint64_t last = q->count ? packets_at(q, q->count - 1)->due : 0;
    struct packet p = {.due = cycle + below(20),
                       .line = (below(4) ? below(12) : below(90)) * 128,
                       .port = (uint16_t)below(30),
                       .tag = (uint16_t)below(1000),
                       .kind = kinds[below(4)],
                       .sectors = (uint8_t)(1 + below(15))};
    p.space = p.line / 128 % 3 == 1;
    p.due = p.due > last ? p.due : last; /* the crossbar's order is another test's */
    packets_push(q, &p);
}

static void random_run(const struct shape *shape, struct l2_counters *total)
{
    struct config c = test_config();
    struct l2_bank b = {0};
    struct packet_queue requests = {0};
    struct model m = {.shape = shape};
    c.l2_banks = shape->neighbours * c.dram_channels;
    c.l2_sets = shape->sets, c.l2_ways = shape->ways, c.l2_mshrs = shape->mshrs;
    c.l2_mshr_merge = shape->merge, c.l2_interval = shape->interval, c.l2_latency = shape->latency;
    channel = (struct dram){.places = shape->queue};
    num_open = 0;
    assert_int_equal(packets_init(&requests, 64), 0);
    assert_int_equal(l2_init(&b, &c, &channel, NUMBER, &requests, MAX_ANSWERS), 0);
    for (uint64_t cycle = 0; cycle < 100000; cycle++) {
        const uint64_t event = l2_event(&b);
        const int moved = channel_moves(&m, &b, cycle);
        const struct packet head = *packets_at(&requests, 0);
        num_asked = m.num_asks = 0;
        const int expected = requests.count && head.due <= cycle ? model_step(&m, cycle, &head) : 0;
        /* Called when it has said so, when the channel moved, and sometimes for nothing. */
        int served = 0;
        if (event <= cycle || moved || below(8) == 0)
            served = l2_step(&b, cycle, moved);
        assert_int_equal(served, expected);
        if (served)
            packets_pop(&requests);
        compare_asked(&m);
        compare_answers(&m, &b, cycle);
        m.counters.mshr_occupancy += m.fetching;
        model_count_lines(&m);
        if (requests.count < 60 && below(16) < shape->busy)
            request(&requests, cycle);
    }
    l2_account(&b, 100000);
    assert_memory_equal(&b.counters, &m.counters, sizeof m.counters);
    assert_memory_equal(b.spaces.counters, m.spaces, sizeof m.spaces);
    assert_true(m.spaces[1].mshr_merged > 0);
    assert_int_equal(m.counters.hits + m.counters.misses, m.counters.accesses);
    ADD_COUNTS(*total, m.counters);
    l2_free(&b);
    packets_free(&requests);
}

static void random_traffic(void **state)
{
    (void)state;
    static const struct shape shapes[] = {
        {4, 4, 16, 8, 2, 30, 2, 32, 8, 20}, {7, 2, 4, 2, 1, 10, 1, 4, 12, 16},
        {1, 4, 16, 3, 3, 60, 2, 8, 6, 8},   {4, 1, 16, 8, 2, 5, 4, 16, 6, 8},
        {4, 4, 8, 8, 1, 100, 2, 3, 10, 12}, {2, 3, 2, 8, 4, 20, 2, 32, 4, 30},
    };
    struct l2_counters total = {0};
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
        random_run(&shapes[i], &total);
    ASSERT_ALL_REACHED(total, 100);
}

static uint64_t now;
static struct l2_bank bank;
static struct packet_queue queue;

static void begin(void)
{
    const struct config c = test_config();
    bank = (struct l2_bank){0};
    queue = (struct packet_queue){0};
    channel = (struct dram){.places = 32};
    now = 1000;
    assert_int_equal(packets_init(&queue, 8), 0);
    assert_int_equal(l2_init(&bank, &c, &channel, 0, &queue, 64), 0);
}

static void end(void)
{
    l2_free(&bank);
    packets_free(&queue);
}

/* Serves one request; returns the reads asked of DRAM. */
static unsigned serve(enum memory_kind kind, uint64_t line, uint8_t sectors)
{
    num_asked = 0;
    now += 100;
    packets_push(&queue,
                 &(struct packet){.due = now, .line = line, .kind = kind, .sectors = sectors});
    assert_true(l2_step(&bank, now, 0));
    packets_pop(&queue);
    return num_asked;
}

static unsigned answers(void)
{
    unsigned count = 0;
    for (now += 100; bank.replies.due <= now; count++)
        packets_pop(&bank.replies);
    return count;
}

/* What is written is there; the other sectors of the line are not, until a read brings them; what
 * was written stays dirty. */
static void sectors(void **state)
{
    (void)state;
    const struct config c = test_config();
    begin();
    assert_int_equal(serve(MEMORY_WRITE, 0x1000, 0x1), 0);
    assert_int_equal(answers(), 0); /* a write is not answered */
    assert_int_equal(serve(MEMORY_READ, 0x1000, 0x1), 0);
    assert_int_equal(answers(), 1);
    assert_int_equal(serve(MEMORY_READ, 0x1000, 0x3), 1); /* fetched */
    assert_int_equal(answers(), 0);
    assert_int_equal(asked[0].bytes, 128);
    l2_fill(&bank, now, asked[0].owner & 0xffff);
    assert_int_equal(answers(), 1);
    assert_int_equal(serve(MEMORY_READ, 0x1000, 0xf), 0);
    assert_int_equal(serve(MEMORY_ATOMIC, 0x1000, 0x4), 0);
    assert_int_equal(answers(), 2);
    /* Other lines of the set push it out: the written and the atomic's sector go to DRAM. */
    for (uint64_t i = 1; i <= (uint64_t)c.l2_ways; i++) {
        serve(MEMORY_WRITE, 0x1000 + i * (uint64_t)c.l2_sets * 128, 0xf);
        assert_int_equal(num_asked, i == (uint64_t)c.l2_ways);
    }
    assert_true(asked[0].is_write);
    assert_int_equal(asked[0].bytes, 2 * 32);
    assert_int_equal(bank.counters.writebacks, 1);
    end();
}

/* A kernel that is given up leaves its lines, but none that nobody will bring. */
static void reset_keeps_lines(void **state)
{
    (void)state;
    begin();
    serve(MEMORY_WRITE, 0x1000, 0xf);
    assert_int_equal(serve(MEMORY_READ, 0x2000, 0x1), 1);
    l2_reset(&bank);
    assert_int_equal(bank.replies.due, NEVER);
    assert_int_equal(bank.spaces.held[0], 1);
    assert_int_equal(serve(MEMORY_READ, 0x1000, 0xf), 0);
    assert_int_equal(serve(MEMORY_READ, 0x2000, 0x1), 1); /* asked for again */
    assert_int_equal(bank.spaces.held[0], 2);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traffic),
        cmocka_unit_test(sectors),
        cmocka_unit_test(reset_keeps_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
