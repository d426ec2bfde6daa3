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

#include "tb/mem/xbar.h"
#include "tests/tb/mem/random.h"
#include "tests/tb/test_config.h"

#define PORTS      5
#define BANKS      4
#define MAX_QUEUED 64 /* packets in one place of the restatement */
#define MAX_LOG    32768
#define SENDING    6000 /* cycles in which SMs send */
#define LAST_CYCLE 40000

/* What SMs and banks want to do in a cycle is a function of who and when. */
static uint64_t chance(uint64_t who, uint64_t cycle, uint64_t what)
{
    uint64_t x = who * 0x9e3779b97f4a7c15u ^ cycle * 0xbf58476d1ce4e5b9u ^ what << 56;
    x = (x ^ x >> 31) * 0x94d049bb133111ebu;
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    return x >> 33;
}

static unsigned busy, serving; /* of 64 cycles: a port sends, a bank serves */

static int wants_to_send(unsigned port, uint64_t cycle)
{
    return cycle < SENDING && chance(port, cycle, 1) % 64 < busy;
}
static struct memory_request request(unsigned port, uint64_t cycle, uint16_t tag)
{
    static const uint8_t kinds[] = {MEMORY_READ, MEMORY_READ, MEMORY_WRITE, MEMORY_ATOMIC};
    const uint64_t x = chance(port, cycle, 2);
    return (struct memory_request){.address = (x >> 3) % 40 * 128 + (x >> 9) % 4 * 32,
                                   .kind = kinds[x % 4],
                                   .sectors = (uint8_t)(1 + (x >> 20) % 15),
                                   .tag = tag};
}
static int wants_to_serve(unsigned bank, uint64_t cycle)
{
    return chance(100 + bank, cycle, 3) % 64 < serving;
}
static uint64_t service_time(unsigned bank, uint64_t cycle)
{
    return 1 + chance(100 + bank, cycle, 4) % 30;
}

/* What has come to its end: replies at an SM, or requests that a bank has served. */
struct event {
    uint64_t cycle, line;
    uint32_t port, bank, tag, kind, sectors;
};
struct log {
    struct event events[MAX_LOG];
    unsigned count;
};
static struct log expected[PORTS + BANKS], seen[PORTS + BANKS];
static struct xbar_counters expected_counters;

static void record(struct log *l, struct event e)
{
    assert_true(l->count < MAX_LOG);
    l->events[l->count++] = e;
}

/* The restatement. */
struct item {
    struct memory_request request;
    uint64_t line;
    unsigned port, bank;
    uint64_t time; /* of the last thing that happened to it */
};
struct list {
    struct item items[MAX_QUEUED];
    unsigned count;
};
struct model {
    const struct config *c;
    struct list queue[PORTS];              /* miss queues */
    struct list coming[PORTS + BANKS];     /* sent; `time`: its last flit is at the port */
    struct list arrived[BANKS];            /* through the port */
    struct list ready[BANKS];              /* answers; `time`: from then on */
    uint64_t freed[PORTS][BANKS][MAX_LOG]; /* when the SM knows that a place is free again */
    unsigned num_freed[PORTS][BANKS], num_begun[PORTS][BANKS];
    uint64_t sending_until[PORTS + BANKS]; /* its last flit has left */
    uint64_t last_through[PORTS + BANKS];  /* the packet before came through the port */
    unsigned open[PORTS];
    uint16_t next_tag[PORTS];
};

static void add(struct list *l, struct item i)
{
    assert_true(l->count < MAX_QUEUED);
    l->items[l->count++] = i;
}

static struct item take(struct list *l, unsigned at)
{
    const struct item i = l->items[at];
    memmove(&l->items[at], &l->items[at + 1], (--l->count - at) * sizeof i);
    return i;
}

static uint64_t data_flits(const struct config *c, unsigned sectors)
{
    unsigned bytes = 8;
    for (unsigned i = 0; i < 8; i++)
        bytes += sectors >> i & 1 ? 32 : 0;
    uint64_t flits = 0;
    for (unsigned moved = 0; moved < bytes; moved += (unsigned)c->xbar_flit)
        flits++;
    return flits;
}

static uint64_t request_flits(const struct config *c, const struct item *i)
{
    return data_flits(c, i->request.kind == MEMORY_READ ? 0 : i->request.sectors);
}

/* Places of the bank that the port knows to be free. */
static int place_free(const struct model *m, unsigned port, unsigned bank, uint64_t cycle)
{
    unsigned known = 0;
    for (unsigned i = 0; i < m->num_freed[port][bank]; i++)
        known += m->freed[port][bank][i] <= cycle;
    return m->num_begun[port][bank] - known < (unsigned)m->c->xbar_buffer;
}

/* The first of the miss queue enters the crossbar if it can. */
static void begin_request(struct model *m, unsigned port, uint64_t cycle)
{
    struct list *q = &m->queue[port];
    if (!q->count || cycle < m->sending_until[port] ||
        !place_free(m, port, q->items[0].bank, cycle))
        return;
    struct item i = take(q, 0);
    const uint64_t flits = request_flits(m->c, &i), interval = (uint64_t)m->c->xbar_interval;
    m->num_begun[port][i.bank]++;
    m->sending_until[port] = cycle + flits * interval;
    i.time = cycle + flits * interval + (uint64_t)m->c->xbar_latency;
    add(&m->coming[PORTS + i.bank], i);
    expected_counters.request_flits += flits;
    expected_counters.reads += i.request.kind == MEMORY_READ;
    expected_counters.writes += i.request.kind == MEMORY_WRITE;
    expected_counters.atomics += i.request.kind == MEMORY_ATOMIC;
}

/* The next packet through a port, the one whose last flit was there first, when all its flits have
 * passed since the packet before. Returns whether there is one. */
static int through_port(struct model *m, unsigned place, uint64_t cycle, struct item *out)
{
    struct list *l = &m->coming[place];
    unsigned next = 0;
    for (unsigned i = 1; i < l->count; i++) {
        const struct item *a = &l->items[i], *b = &l->items[next];
        if (a->time < b->time ||
            (a->time == b->time && a->port + a->bank < b->port + b->bank)) /* one is equal */
            next = i;
    }
    if (!l->count || l->items[next].time > cycle)
        return 0;
    const struct item *i = &l->items[next];
    const uint64_t flits =
        place < PORTS ? data_flits(m->c, i->request.sectors) : request_flits(m->c, i);
    if (cycle < m->last_through[place] + flits * (uint64_t)m->c->xbar_interval)
        return 0;
    m->last_through[place] = cycle;
    *out = take(l, next);
    return 1;
}

static unsigned waiting(const struct list *l, uint64_t cycle)
{
    unsigned count = 0;
    for (unsigned i = 0; i < l->count; i++)
        count += l->items[i].time <= cycle;
    return count;
}

static void model_port(struct model *m, unsigned port, uint64_t cycle)
{
    struct item i;
    if (through_port(m, port, cycle, &i)) {
        record(&expected[port], (struct event){.cycle = cycle, .tag = i.request.tag});
        m->open[port]--;
    }
    expected_counters.sm_port_wait += waiting(&m->coming[port], cycle);
    begin_request(m, port, cycle);
    if (wants_to_send(port, cycle) && m->queue[port].count < (unsigned)m->c->l1d_miss_queue &&
        m->open[port] < (unsigned)(m->c->l1d_mshrs + m->c->l1c_mshrs)) {
        const struct memory_request r = request(port, cycle, m->next_tag[port]++);
        const uint64_t chunk = r.address / (uint64_t)m->c->l2_interleave;
        /* The chunks of a bank lie one behind the other. */
        const uint64_t line = chunk / BANKS * (uint64_t)m->c->l2_interleave +
                              r.address % (uint64_t)m->c->l2_interleave / 128 * 128;
        m->open[port] += r.kind != MEMORY_WRITE;
        add(&m->queue[port],
            (struct item){.request = r, .line = line, .port = port, .bank = chunk % BANKS});
        begin_request(m, port, cycle);
    }
    expected_counters.queue_occupancy += m->queue[port].count;
    expected_counters.no_credit += m->queue[port].count && cycle >= m->sending_until[port];
}

static void model_bank(struct model *m, unsigned bank, uint64_t cycle)
{
    struct item i;
    if (through_port(m, PORTS + bank, cycle, &i))
        add(&m->arrived[bank], i);
    expected_counters.bank_port_wait += waiting(&m->coming[PORTS + bank], cycle);
    if (m->arrived[bank].count && wants_to_serve(bank, cycle)) {
        i = take(&m->arrived[bank], 0);
        const struct memory_request *r = &i.request;
        record(&expected[PORTS + bank],
               (struct event){cycle, i.line, i.port, bank, r->tag, r->kind, r->sectors});
        m->freed[i.port][bank][m->num_freed[i.port][bank]++] = cycle + (uint64_t)m->c->xbar_latency;
        i.time = cycle + service_time(bank, cycle);
        struct list *ready = &m->ready[bank];
        if (ready->count && ready->items[ready->count - 1].time > i.time)
            i.time = ready->items[ready->count - 1].time;
        if (r->kind != MEMORY_WRITE)
            add(ready, i);
    }
    expected_counters.buffer_occupancy += m->arrived[bank].count;
    struct list *ready = &m->ready[bank];
    if (ready->count && ready->items[0].time <= cycle && cycle >= m->sending_until[PORTS + bank]) {
        i = take(ready, 0);
        const uint64_t flits = data_flits(m->c, i.request.sectors);
        m->sending_until[PORTS + bank] = cycle + flits * (uint64_t)m->c->xbar_interval;
        i.time = m->sending_until[PORTS + bank] + (uint64_t)m->c->xbar_latency;
        add(&m->coming[i.port], i);
        expected_counters.reply_flits += flits;
    }
    expected_counters.bank_port_wait += waiting(ready, cycle);
}

static void run_model(const struct config *c)
{
    static struct model m;
    memset(&m, 0, sizeof m);
    memset(expected, 0, sizeof expected);
    expected_counters = (struct xbar_counters){0};
    m.c = c;
    for (uint64_t cycle = 0; cycle < LAST_CYCLE; cycle++) {
        for (unsigned i = 0; i < PORTS; i++)
            model_port(&m, i, cycle);
        for (unsigned i = 0; i < BANKS; i++)
            model_bank(&m, i, cycle);
    }
    for (unsigned i = 0; i < PORTS; i++) { /* all has come to its end */
        assert_int_equal(m.open[i], 0);
        assert_int_equal(m.queue[i].count, 0);
    }
}

/* The crossbar, driven by the same wishes. */
static struct xbar x;
static unsigned open_requests[PORTS];
static uint16_t next_tag[PORTS];
static struct packet_queue being_served[BANKS];

static void run_port(const struct config *c, unsigned port, uint64_t cycle)
{
    uint32_t tag;
    const uint64_t announced = xbar_next(&x, port);
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
    if (packets_due(requests) <= cycle && wants_to_serve(bank, cycle)) {
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
    while (packets_due(answers) <= cycle) {
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
            for (uint64_t t = cycle; t < until; t++)
                if (who < PORTS)
                    run_port(c, who, t);
                else
                    run_bank(who - PORTS, t);
        }
        xbar_exchange(&x);
    }
}

static void close_crossbar(void)
{
    for (unsigned i = 0; i < BANKS; i++) {
        free(being_served[i].packets);
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
        const struct config c = config_of(shapes[i].flit, shapes[i].interval, shapes[i].latency,
                                          shapes[i].buffer, shapes[i].queue);
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

/* The cycle in which a bank's first request has come. */
static uint64_t arrival(unsigned bank)
{
    return packets_due(&x.banks[bank].requests);
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
    xbar_exchange(&x);
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
    xbar_exchange(&x);
    for (uint64_t i = 0; i < PORTS; i++) {
        assert_int_equal(arrival(0), 10 + (i + 1) * 5 * 3 + 20);
        assert_int_equal(packets_at(&x.banks[0].requests, 0)->port, i);
        xbar_take(&x, 0, arrival(0));
    }
    for (unsigned i = 0; i < BANKS; i++)
        xbar_answer(&x, i,
                    &(struct packet){.due = 500, .port = 2, .tag = (uint16_t)i, .sectors = 3});
    xbar_exchange(&x);
    for (uint64_t i = 0; i < BANKS; i++) { /* 8 and 64 bytes: three flits */
        assert_int_equal(xbar_next(&x, 2), 500 + (i + 1) * 3 * 3 + 20);
        assert_false(xbar_receive(&x, 2, xbar_next(&x, 2) - 1, &tag));
        assert_true(xbar_receive(&x, 2, xbar_next(&x, 2), &tag));
        assert_int_equal(tag, i);
    }
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
    xbar_exchange(&x);
    assert_int_equal(xbar_next(&x, 0), NEVER);
    assert_int_equal(arrival(0), 121);
    assert_int_equal(arrival(1), NEVER);
    xbar_take(&x, 0, 300);
    xbar_exchange(&x);
    assert_int_equal(xbar_next(&x, 0), 320); /* there will be room */
    assert_false(xbar_room(&x, 0, 319));
    assert_true(xbar_room(&x, 0, 320));
    assert_int_equal(arrival(0), 341);
    assert_int_equal(arrival(1), NEVER);
    assert_int_equal(x.ports[0].counters.no_credit, 320 - 101);
    xbar_reset(&x);
    assert_int_equal(arrival(0), NEVER);
    assert_true(xbar_room(&x, 0, 400));
    xbar_send(&x, 0, 400, &r);
    xbar_exchange(&x);
    assert_int_equal(arrival(1), 421);
    xbar_free(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traffic),
        cmocka_unit_test(rate_of_a_port),
        cmocka_unit_test(rate_into_a_port),
        cmocka_unit_test(backpressure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
