/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/mem/xbar_model.h: the crossbar restated, cycle by cycle and without windows, between SMs
 * and banks that the test plays. */
#ifndef HEDDLE_TESTS_TB_MEM_XBAR_MODEL_H
#define HEDDLE_TESTS_TB_MEM_XBAR_MODEL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tb/mem/xbar.h"
#include "tests/tb/mem/expected.h"
#include "tests/tb/mem/random.h"
#include "tests/tb/test_config.h"

#define PORTS      5
#define BANKS      4
#define MAX_QUEUED 256 /* packets in one place of the restatement */
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
        add(&m->queue[port], (struct item){.request = r,
                                           .line = line,
                                           .port = port,
                                           .bank = (unsigned)expected_bank(m->c, chunk)});
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

#endif
