/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/xbar.c: see xbar.h.
 *
 * Every port and bank has a box in which its senders put what they send it in this window, and
 * from which it takes, in the next one, what they did: so senders and receivers may run on
 * different host threads, and a packet crosses from one to the other once. */
#include "tb/mem/xbar.h"

#include <stdatomic.h>
#include <string.h>

/* Returns 0, or -1: no memory. */
static int box_init(struct xbar_box *b, size_t places)
{
    for (int side = 0; side < 2; side++)
        b->packets[side] = lines_alloc(places, sizeof *b->packets[side]);
    return b->packets[0] && b->packets[1] ? 0 : -1;
}

static void box_free(struct xbar_box *b)
{
    lines_free(b->packets[0]);
    lines_free(b->packets[1]);
}

static void box_clear(struct xbar_box *b)
{
    atomic_store(&b->count[0], 0);
    atomic_store(&b->count[1], 0);
}

static int port_init(struct xbar *x, const struct config *c, struct xbar_port *p)
{
    const uint32_t replies = memory_tags(c);
    p->queue = lines_alloc(x->queue_places, sizeof *p->queue);
    p->buffers = lines_alloc(x->num_banks, sizeof *p->buffers);
    if (!p->queue || !p->buffers)
        return -1;
    p->buffers[0].free = lines_alloc((size_t)x->num_banks * x->buffer_places, sizeof(uint64_t));
    if (!p->buffers[0].free)
        return -1;
    for (uint32_t i = 1; i < x->num_banks; i++)
        p->buffers[i].free = p->buffers[0].free + (size_t)i * x->buffer_places;
    int failed = packets_init(&p->replies, replies) | box_init(&p->sent, replies);
    failed |= box_init(&p->served, (size_t)x->num_banks * x->buffer_places);
    return failed ? -1 : 0;
}

static int bank_init(struct xbar *x, struct xbar_bank *b)
{
    const uint32_t requests = x->num_ports * x->buffer_places;
    return packets_init(&b->requests, requests) | box_init(&b->sent, requests) ? -1 : 0;
}

int xbar_init(struct xbar *x, const struct config *c, unsigned ports)
{
    x->alone = c->run_threads == 1;
    x->clocks.sixths = (uint64_t)c->sm_clock;
    x->num_ports = ports;
    x->num_banks = (uint32_t)c->l2_banks;
    x->queue_places = (uint32_t)c->l1d_miss_queue;
    x->buffer_places = (uint32_t)c->xbar_buffer;
    x->line_bytes = (uint32_t)c->l1d_line;
    for (unsigned i = 0; i < 256; i++)
        x->flits[i] =
            (uint16_t)((HEADER_BYTES + __builtin_popcount(i) * SECTOR_BYTES + c->xbar_flit - 1) /
                       c->xbar_flit);
    x->interval = (uint64_t)c->xbar_interval;
    x->latency = (uint64_t)c->xbar_latency;
    bank_map_init(&x->map, c);
    x->ports = lines_alloc(x->num_ports, sizeof *x->ports);
    x->banks = lines_alloc(x->num_banks, sizeof *x->banks);
    int failed = !x->ports || !x->banks;
    for (uint32_t i = 0; !failed && i < x->num_ports; i++)
        failed = port_init(x, c, &x->ports[i]);
    for (uint32_t i = 0; !failed && i < x->num_banks; i++)
        failed = bank_init(x, &x->banks[i]);
    if (failed)
        return -1;
    xbar_reset(x);
    return 0;
}

void xbar_free(struct xbar *x)
{
    for (uint32_t i = 0; x->ports && i < x->num_ports; i++) {
        struct xbar_port *p = &x->ports[i];
        if (p->buffers)
            lines_free(p->buffers[0].free);
        lines_free(p->buffers);
        lines_free(p->queue);
        box_free(&p->sent);
        box_free(&p->served);
        packets_free(&p->replies);
    }
    for (uint32_t i = 0; x->banks && i < x->num_banks; i++) {
        packets_free(&x->banks[i].requests);
        box_free(&x->banks[i].sent);
    }
    lines_free(x->ports);
    lines_free(x->banks);
}

void xbar_reset(struct xbar *x)
{
    for (uint32_t i = 0; i < x->num_ports; i++) {
        struct xbar_port *p = &x->ports[i];
        p->count = p->blocked = 0;
        box_clear(&p->sent);
        box_clear(&p->served);
        p->link_free = 0;
        packets_clear(&p->replies);
        p->next = NEVER;
        memset(p->buffers[0].free, 0, (size_t)x->num_banks * x->buffer_places * sizeof(uint64_t));
        for (uint32_t j = 0; j < x->num_banks; j++)
            p->buffers[j].next = p->buffers[j].taken = 0;
    }
    for (uint32_t i = 0; i < x->num_banks; i++) {
        struct xbar_bank *b = &x->banks[i];
        packets_clear(&b->requests);
        box_clear(&b->sent);
        b->link_free = 0;
    }
    atomic_store(&x->awaited[0], 0);
    atomic_store(&x->awaited[1], 0);
}

/* The order of memory accesses is that of the windows, whose end all threads wait for. One thread alone
 * counts without the lock of an atomic addition, which costs as much as the rest. */
static inline struct packet *place_in(struct xbar *x, struct xbar_box *b)
{
    const unsigned side = x->side;
    _Atomic uint32_t *count = &b->count[side];
    uint32_t place;
    if (x->alone) {
        place = atomic_load_explicit(count, memory_order_relaxed);
        atomic_store_explicit(count, place + 1, memory_order_relaxed);
    } else
        place = atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
    return &b->packets[side][place];
}

/* What is being sent, or served, moves its receiver. Read first: only the first write is news. */
static void await(struct xbar *x)
{
    _Atomic int *awaited = &x->awaited[x->side];
    if (!atomic_load_explicit(awaited, memory_order_relaxed))
        atomic_store_explicit(awaited, 1, memory_order_relaxed);
}

static uint32_t following(uint32_t place, uint32_t places)
{
    return place + 1 == places ? 0 : place + 1;
}

/* The place of a queue that is `behind` places behind its first. */
static inline struct xbar_queued *queued(const struct xbar *x, const struct xbar_port *p,
                                         uint32_t behind)
{
    const uint32_t place = p->first + behind;
    return &p->queue[place < x->queue_places ? place : place - x->queue_places];
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Lets a queued request enter the crossbar when its port and a place at its bank are free. Returns
 * 0, or -1: it is not known yet when a place will be. */
static int enter(struct xbar *x, struct xbar_port *p, struct xbar_queued *q)
{
    const struct memory_request *r = &q->request;
    const uint64_t line = r->address & ~(uint64_t)(x->line_bytes - 1);
    const struct bank_place place = bank_place(&x->map, line);
    struct xbar_buffer *buffer = &p->buffers[place.bank];
    const uint64_t place_free = buffer->free[buffer->next];
    if (place_free == NEVER)
        return -1;
    buffer->free[buffer->next] = NEVER;
    buffer->next = following(buffer->next, x->buffer_places);
    const uint64_t ready = later(q->sent, p->link_free);
    const uint32_t count = x->flits[r->kind == MEMORY_READ ? 0 : r->sectors];
    q->begins = later(ready, place_free);
    p->link_free = q->begins + count * x->interval;
    *place_in(x, &x->banks[place.bank].sent) =
        (struct packet){.due = p->link_free + x->latency,
                        .line = place.address,
                        .port = (uint16_t)(p - x->ports),
                        .bank = (uint16_t)place.bank,
                        .tag = r->tag,
                        .flits = (uint16_t)(count * x->interval),
                        .kind = r->kind,
                        .sectors = r->sectors,
                        .space = (uint8_t)space_of(r->address)};
    await(x);
    p->counters.reads += r->kind == MEMORY_READ;
    p->counters.writes += r->kind == MEMORY_WRITE;
    p->counters.atomics += r->kind == MEMORY_ATOMIC;
    p->counters.request_flits += count;
    p->counters.no_credit += q->begins - ready;
    p->counters.queue_occupancy += q->begins - q->sent;
    return 0;
}

/* Finds the port's next cycle: its replies, or whether its queue is full, have changed. */
static inline void find_next(const struct xbar *x, struct xbar_port *p)
{
    const uint64_t room = p->count == x->queue_places ? p->queue[p->first].begins : NEVER;
    p->next = clocks_from(&x->clocks, p->replies.due < room ? p->replies.due : room);
}

int xbar_room(struct xbar *x, unsigned port, uint64_t cycle)
{
    struct xbar_port *p = &x->ports[port];
    const uint32_t before = p->count;
    const uint64_t now = clocks_fixed(&x->clocks, cycle);
    while (p->count > p->blocked && p->queue[p->first].begins <= now) {
        p->first = following(p->first, x->queue_places);
        p->count--;
    }
    if (before == x->queue_places)
        find_next(x, p);
    return p->count < x->queue_places;
}

void xbar_send(struct xbar *x, unsigned port, uint64_t cycle, const struct memory_request *request)
{
    struct xbar_port *p = &x->ports[port];
    struct xbar_queued *q = queued(x, p, p->count++);
    *q = (struct xbar_queued){
        .sent = clocks_fixed(&x->clocks, cycle), .begins = NEVER, .request = *request};
    if (p->blocked || enter(x, p, q))
        p->blocked++;
    if (p->count == x->queue_places)
        find_next(x, p);
}

int xbar_receive(struct xbar *x, unsigned port, uint64_t cycle, uint32_t *tag)
{
    struct xbar_port *p = &x->ports[port];
    if (p->next > cycle)
        return 0;
    const uint64_t due = p->replies.due;
    if (due > clocks_fixed(&x->clocks, cycle)) {
        xbar_room(x, port, cycle);
        return 0;
    }
    const struct packet *reply = packets_at(&p->replies, 0);
    p->counters.sm_port_wait += due - reply->due;
    *tag = reply->tag;
    packets_pop(&p->replies);
    find_next(x, p);
    return 1;
}

void xbar_take(struct xbar *x, unsigned bank, uint64_t cycle)
{
    struct xbar_bank *b = &x->banks[bank];
    const uint64_t arrived = b->requests.due;
    const struct packet *p = packets_at(&b->requests, 0);
    *place_in(x, &x->ports[p->port].served) = (struct packet){.due = cycle, .bank = (uint16_t)bank};
    b->counters.bank_port_wait += arrived - p->due;
    b->counters.buffer_occupancy += cycle - arrived;
    packets_pop(&b->requests);
}

void xbar_answer(struct xbar *x, unsigned bank, const struct packet *ready)
{
    struct xbar_bank *b = &x->banks[bank];
    struct packet *p = place_in(x, &x->ports[ready->port].sent);
    const uint32_t count = x->flits[ready->sectors];
    const uint64_t begins = later(b->link_free, ready->due);
    *p = *ready;
    p->bank = (uint16_t)bank;
    p->flits = (uint16_t)(count * x->interval);
    b->link_free = begins + p->flits;
    p->due = b->link_free + x->latency;
    b->counters.bank_port_wait += begins - ready->due;
    b->counters.reply_flits += count;
    await(x);
}

/* Takes all that came in the last window, in the order in which it will arrive. */
static void collect(struct xbar *x, struct xbar_box *b, struct packet_queue *queue)
{
    const unsigned last = 1 - x->side;
    const uint32_t count = atomic_load_explicit(&b->count[last], memory_order_relaxed);
    for (uint32_t i = 0; i < count; i++)
        packets_insert(queue, &b->packets[last][i]);
    if (count)
        atomic_store_explicit(&b->count[last], 0, memory_order_relaxed);
}

/* A port learns which places at the banks are free again. */
static void collect_places(struct xbar *x, struct xbar_port *p)
{
    const unsigned last = 1 - x->side;
    const uint32_t count = atomic_load_explicit(&p->served.count[last], memory_order_relaxed);
    for (uint32_t i = 0; i < count; i++) {
        const struct packet *served = &p->served.packets[last][i];
        struct xbar_buffer *buffer = &p->buffers[served->bank];
        buffer->free[buffer->taken] = served->due + x->latency;
        buffer->taken = following(buffer->taken, x->buffer_places);
    }
    if (count)
        atomic_store_explicit(&p->served.count[last], 0, memory_order_relaxed);
}

void xbar_collect_port(struct xbar *x, unsigned port)
{
    struct xbar_port *p = &x->ports[port];
    collect(x, &p->sent, &p->replies);
    collect_places(x, p);
    while (p->blocked && !enter(x, p, queued(x, p, p->count - p->blocked)))
        p->blocked--;
    if (p->blocked)
        await(x);
    find_next(x, p);
}

void xbar_collect_bank(struct xbar *x, unsigned bank)
{
    collect(x, &x->banks[bank].sent, &x->banks[bank].requests);
}

void xbar_turn(struct xbar *x)
{
    x->side = 1 - x->side;
    atomic_store_explicit(&x->awaited[x->side], 0, memory_order_relaxed);
}

int xbar_awaited(const struct xbar *x)
{
    return atomic_load_explicit(&x->awaited[1 - x->side], memory_order_relaxed);
}
