/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/mem/xbar_test.c: tests tb/mem/xbar.c, with the test in place of SMs and L2 banks,
 * against a restatement that goes cycle by cycle and knows no windows. Every packet must come to
 * its end in the same cycle, once, and all counts must agree, whatever the length of the windows
 * and whichever port or bank is run first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/mem/xbar_model.h"

/* The crossbar, driven by the same wishes. */
static struct xbar x;
static unsigned open_requests[PORTS];
static uint16_t next_tag[PORTS];
static struct packet_queue being_served[BANKS];

static void run_port(const struct config *c, unsigned port, uint64_t cycle)
{
    uint32_t tag;
    const uint64_t announced = *xbar_next(&x, port);
    while (xbar_receive(&x, port, cycle, &tag)) {
        assert_true(announced <= cycle);
        record(&seen[port], (struct event){.cycle = cycle, .tag = tag});
        open_requests[port]--;
    }
    const int room = xbar_room(&x, port, cycle);
    if (wants_to_send(port, cycle) && room &&
        open_requests[port] < (unsigned)(c->l1d_mshrs + c->l1c_mshrs)) {
        const struct memory_request r = request(port, cycle, next_tag[port]++);
        open_requests[port] += r.kind != MEMORY_WRITE;
        xbar_send(&x, port, cycle, &r);
    }
}

static void run_bank(unsigned bank, uint64_t cycle)
{
    struct packet_queue *requests = &x.banks[bank].requests, *answers = &being_served[bank];
    if (requests->due <= cycle && wants_to_serve(bank, cycle)) {
        struct packet p = *packets_at(requests, 0);
        record(&seen[PORTS + bank],
               (struct event){cycle, p.line, p.port, p.bank, p.tag, p.kind, p.sectors});
        xbar_take(&x, bank, cycle);
        const uint64_t last = answers->count ? packets_at(answers, answers->count - 1)->due : 0;
        p.due = cycle + service_time(bank, cycle);
        p.due = p.due > last ? p.due : last;
        p.flits = 0;
        if (p.kind != MEMORY_WRITE)
            packets_push(answers, &p);
    }
    while (answers->due <= cycle) {
        xbar_answer(&x, bank, packets_at(answers, 0));
        packets_pop(answers);
    }
}

/* Windows of `length` cycles, or of changing lengths up to the latency; ports and banks forward or
 * backward, banks before ports. */
static void run_crossbar(const struct config *c, unsigned length, int backward)
{
    memset(&x, 0, sizeof x);
    memset(open_requests, 0, sizeof open_requests);
    memset(next_tag, 0, sizeof next_tag);
    for (unsigned i = 0; i < PORTS + BANKS; i++)
        seen[i].count = 0;
    assert_int_equal(xbar_init(&x, c, PORTS), 0);
    for (unsigned i = 0; i < BANKS; i++)
        assert_int_equal(packets_init(&being_served[i], 1024), 0);
    uint64_t until;
    for (uint64_t cycle = 0; cycle < LAST_CYCLE; cycle = until) {
        until = cycle + (length ? length : 1 + chance(7, cycle, 5) % (uint64_t)c->xbar_latency);
        for (unsigned i = 0; i < PORTS + BANKS; i++) {
            const unsigned who = backward ? PORTS + BANKS - 1 - i : i;
            if (who < PORTS)
                xbar_collect_port(&x, who);
            else
                xbar_collect_bank(&x, who - PORTS);
            for (uint64_t t = cycle; t < until; t++)
                if (who < PORTS)
                    run_port(c, who, t);
                else
                    run_bank(who - PORTS, t);
        }
        xbar_turn(&x);
    }
}

static void close_crossbar(void)
{
    for (unsigned i = 0; i < BANKS; i++) {
        packets_free(&being_served[i]);
        being_served[i] = (struct packet_queue){0};
    }
    xbar_free(&x);
}

static struct xbar_counters counted(void)
{
    struct xbar_counters sum = {0};
    for (unsigned i = 0; i < PORTS; i++)
        ADD_COUNTS(sum, x.ports[i].counters);
    for (unsigned i = 0; i < BANKS; i++)
        ADD_COUNTS(sum, x.banks[i].counters);
    return sum;
}

static void compare_logs(void)
{
    for (unsigned i = 0; i < PORTS + BANKS; i++) {
        for (unsigned j = 0; j < seen[i].count && j < expected[i].count; j++)
            if (memcmp(&seen[i].events[j], &expected[i].events[j], sizeof(struct event)))
                fail_msg("event %u at %u: cycle %u tag %u, expected cycle %u tag %u", j, i,
                         (unsigned)seen[i].events[j].cycle, seen[i].events[j].tag,
                         (unsigned)expected[i].events[j].cycle, expected[i].events[j].tag);
        assert_int_equal(seen[i].count, expected[i].count);
    }
    const struct xbar_counters sum = counted();
    assert_memory_equal(&sum, &expected_counters, sizeof sum);
}

static struct config config_of(int64_t flit, int64_t interval, int64_t latency, int64_t buffer,
                               int64_t queue)
{
    struct config c = test_config();
    c.l2_banks = BANKS;
    c.xbar_flit = flit, c.xbar_interval = interval, c.xbar_latency = latency;
    c.xbar_buffer = buffer, c.l1d_miss_queue = queue;
    c.l1d_mshrs = 24, c.l1c_mshrs = 4;
    return c;
}

static void random_traffic(void **state)
{
    (void)state;
    static const struct {
        int64_t flit, interval, latency, buffer, queue;
        unsigned busy, serving;
    } shapes[] = {
        {32, 1, 20, 8, 8, 20, 30},   {32, 2, 20, 2, 4, 20, 40}, {16, 2, 8, 8, 2, 8, 60},
        {8, 1, 7, 1, 8, 10, 40},     {40, 1, 3, 3, 16, 30, 8},  {64, 1, 1, 4, 8, 64, 20},
        {256, 3, 30, 16, 1, 30, 64},
    };
    struct xbar_counters total = {0};
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct config c = config_of(shapes[i].flit, shapes[i].interval, shapes[i].latency,
                                    shapes[i].buffer, shapes[i].queue);
        strcpy(c.l2_bank_index, i % 2 ? "linear" : "hashed");
        const unsigned latency = (unsigned)c.xbar_latency;
        const unsigned lengths[] = {1, latency, 0, (latency + 1) / 2};
        busy = shapes[i].busy, serving = shapes[i].serving;
        run_model(&c);
        for (unsigned j = 0; j < 8; j++) {
            run_crossbar(&c, lengths[j / 2], j % 2);
            compare_logs();
            close_crossbar();
        }
        ADD_COUNTS(total, expected_counters);
    }
    ASSERT_ALL_REACHED(total, 100);
}

static void next_window(void)
{
    xbar_turn(&x);
    for (unsigned i = 0; i < BANKS; i++)
        xbar_collect_bank(&x, i);
    for (unsigned i = 0; i < PORTS; i++)
        xbar_collect_port(&x, i);
}

/* The cycle in which a bank's first request has come. */
static uint64_t arrival(unsigned bank)
{
    return x.banks[bank].requests.due;
}

/* Lines of 128 bytes written through one port, to one bank and to others: five flits each, one
 * behind the other. */
static void rate_of_a_port(void **state)
{
    (void)state;
    const struct config c = config_of(32, 3, 20, 8, 8);
    memset(&x, 0, sizeof x);
    assert_int_equal(xbar_init(&x, &c, PORTS), 0);
    for (uint64_t i = 0; i < 8; i++)
        xbar_send(&x, 0, 10 + i,
                  &(struct memory_request){.address = i % BANKS * 256,
                                           .kind = MEMORY_WRITE,
                                           .sectors = 0xf,
                                           .tag = (uint16_t)i});
    next_window();
    for (uint64_t i = 0; i < 8; i++) {
        assert_int_equal(arrival(i % BANKS), 10 + (i + 1) * 5 * 3 + 20);
        assert_int_equal(packets_at(&x.banks[i % BANKS].requests, 0)->tag, i);
        xbar_take(&x, i % BANKS, arrival(i % BANKS));
    }
    xbar_free(&x);
}

/* All SMs write to one bank at once: its port takes as long as all flits together. So does the port
 * of an SM that all banks answer. */
static void rate_into_a_port(void **state)
{
    (void)state;
    const struct config c = config_of(32, 3, 20, 8, 8);
    uint32_t tag;
    memset(&x, 0, sizeof x);
    assert_int_equal(xbar_init(&x, &c, PORTS), 0);
    for (unsigned i = 0; i < PORTS; i++)
        xbar_send(&x, i, 10, &(struct memory_request){.kind = MEMORY_WRITE, .sectors = 0xf});
    next_window();
    for (uint64_t i = 0; i < PORTS; i++) {
        assert_int_equal(arrival(0), 10 + (i + 1) * 5 * 3 + 20);
        assert_int_equal(packets_at(&x.banks[0].requests, 0)->port, i);
        xbar_take(&x, 0, arrival(0));
    }
    for (unsigned i = 0; i < BANKS; i++)
        xbar_answer(&x, i,
                    &(struct packet){.due = 500, .port = 2, .tag = (uint16_t)i, .sectors = 3});
    next_window();
    for (uint64_t i = 0; i < BANKS; i++) { /* 8 and 64 bytes: three flits */
        assert_int_equal(*xbar_next(&x, 2), 500 + (i + 1) * 3 * 3 + 20);
        assert_false(xbar_receive(&x, 2, *xbar_next(&x, 2) - 1, &tag));
        assert_true(xbar_receive(&x, 2, *xbar_next(&x, 2), &tag));
        assert_int_equal(tag, i);
    }
    xbar_free(&x);
}

/* A queue that a busy port fills has room again when its first request leaves, and says so at once. */
static void busy_port(void **state)
{
    (void)state;
    const struct config c = config_of(32, 10, 20, 4, 4);
    struct memory_request r = {.kind = MEMORY_READ, .sectors = 0xf};
    memset(&x, 0, sizeof x);
    assert_int_equal(xbar_init(&x, &c, PORTS), 0);
    for (unsigned i = 0; i < 5; i++) {
        assert_true(xbar_room(&x, 0, 100 + i));
        r.address = i == 4 ? 256 : 0;
        xbar_send(&x, 0, 100 + i, &r);
    }
    assert_int_equal(*xbar_next(&x, 0), 110);
    assert_false(xbar_room(&x, 0, 109));
    assert_true(xbar_room(&x, 0, 110));
    assert_int_equal(*xbar_next(&x, 0), NEVER);
    xbar_free(&x);
}

/* With one place at a bank, a request waits for the news that the one before has been served; the
 * ones behind it wait, though their bank is free, and the miss queue fills up. */
static void backpressure(void **state)
{
    (void)state;
    const struct config c = config_of(32, 1, 20, 1, 4);
    struct memory_request r = {.kind = MEMORY_READ, .sectors = 0xf};
    memset(&x, 0, sizeof x);
    assert_int_equal(xbar_init(&x, &c, PORTS), 0);
    for (unsigned i = 0; i < 5; i++) {
        assert_true(xbar_room(&x, 0, 100 + i)); /* the first has left at once */
        r.address = i == 4 ? 256 : 0;
        xbar_send(&x, 0, 100 + i, &r);
    }
    assert_false(xbar_room(&x, 0, 105));
    next_window();
    assert_int_equal(*xbar_next(&x, 0), NEVER);
    assert_int_equal(arrival(0), 121);
    assert_int_equal(arrival(1), NEVER);
    xbar_take(&x, 0, 300);
    next_window();
    assert_int_equal(*xbar_next(&x, 0), 320); /* there will be room */
    assert_false(xbar_room(&x, 0, 319));
    assert_true(xbar_room(&x, 0, 320));
    next_window();
    assert_int_equal(arrival(0), 341);
    assert_int_equal(arrival(1), NEVER);
    assert_int_equal(x.ports[0].counters.no_credit, 320 - 101);
    xbar_reset(&x);
    assert_int_equal(arrival(0), NEVER);
    assert_true(xbar_room(&x, 0, 400));
    xbar_send(&x, 0, 400, &r);
    next_window();
    assert_int_equal(arrival(1), 421);
    xbar_free(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traffic),   cmocka_unit_test(rate_of_a_port),
        cmocka_unit_test(rate_into_a_port), cmocka_unit_test(busy_port),
        cmocka_unit_test(backpressure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
