/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/memory.c: see memory.h: the crossbar, and the partitions behind it.
 *
 * The crossbar has one port per SM and one per L2 bank, each moving a flit in xbar.interval cycles
 * in both directions at once; a packet arrives xbar.latency cycles after its last flit has left. A
 * bank buffers xbar.buffer requests of each SM; the SM holds credits for them and learns at the end
 * of a window which are free again. When a packet leaves is known as soon as it is sent, or when
 * its credit comes: so nothing is simulated between packets. */
#include "tb/mem/memory.h"

#include <stdlib.h>
#include <string.h>

#include "tb/mem/l2.h"

#define HEADER_BYTES 8 /* of a packet: address, kind, tag */

/* A request in the miss queue. */
struct queued {
    uint64_t sent, begins; /* begins: enters the crossbar; NEVER: waits for a credit */
    struct memory_request request;
};

/* A packet on its way to a bank, or from one. */
struct flight {
    uint32_t bank;
    struct l2_packet packet;
};

struct port {
    struct queued *queue;           /* ring */
    uint32_t first, count, blocked; /* the last `blocked` wait for a credit */
    uint64_t link_free, reply_free; /* for the next request; the last reply came in this cycle */
    uint16_t *credits;              /* per bank */
    struct flight *sent;            /* in this window */
    uint32_t num_sent;
    struct l2_queue replies; /* by arrival */
    struct xbar_counters counters;
};

struct bank {
    struct l2_bank l2;
    uint64_t link_free;
    struct l2_packet *sent; /* replies of this window */
    uint16_t *taken;        /* ports whose requests were taken in this window */
    uint32_t num_sent, num_taken;
    uint64_t reply_flits, buffer_occupancy, port_wait;
};

struct memory {
    const struct config *config;
    struct port *ports;
    struct bank *banks; /* bank b belongs to channel b % num_channels */
    struct dram *channels;
    uint64_t *ended; /* of each partition: the cycle after its last event */
    uint32_t num_ports, num_banks, num_channels, queue_places, line_bytes;
    uint64_t flit_interval, latency, interleave;
    uint16_t flits[256]; /* of a packet that carries these sectors */
};

static int port_init(struct memory *m, struct port *p)
{
    const struct config *c = m->config;
    const uint32_t tags = (uint32_t)(c->l1d_mshrs + c->l1c_mshrs);
    /* At most one request is sent in a cycle, and a whole queue may be let go at once. */
    p->sent = calloc((size_t)m->latency + m->queue_places + 1, sizeof *p->sent);
    p->queue = calloc(m->queue_places, sizeof *p->queue);
    p->credits = calloc(m->num_banks, sizeof *p->credits);
    return p->sent && p->queue && p->credits ? l2_queue_init(&p->replies, tags) : -1;
}

static int bank_init(struct memory *m, uint32_t number)
{
    const struct config *c = m->config;
    struct bank *b = &m->banks[number];
    const uint32_t requests = m->num_ports * (uint32_t)c->xbar_buffer;
    const uint32_t replies = m->num_ports * (uint32_t)(c->l1d_mshrs + c->l1c_mshrs);
    b->sent = calloc(replies, sizeof *b->sent);
    b->taken = calloc(requests, sizeof *b->taken);
    if (!b->sent || !b->taken)
        return -1;
    return l2_init(&b->l2, c, &m->channels[number % m->num_channels], number / m->num_channels,
                   requests, replies);
}

static int init(struct memory *m)
{
    const struct config *c = m->config;
    m->ports = calloc(m->num_ports, sizeof *m->ports);
    m->banks = calloc(m->num_banks, sizeof *m->banks);
    m->channels = calloc(m->num_channels, sizeof *m->channels);
    m->ended = calloc(m->num_channels, sizeof *m->ended);
    if (!m->ended || !m->ports || !m->banks || !m->channels)
        return -1;
    for (uint32_t i = 0; i < m->num_channels; i++)
        if (dram_init(&m->channels[i], c, m->num_banks / m->num_channels * (uint32_t)c->l2_mshrs))
            return -1;
    for (uint32_t i = 0; i < m->num_banks; i++)
        if (bank_init(m, i))
            return -1;
    for (uint32_t i = 0; i < m->num_ports; i++)
        if (port_init(m, &m->ports[i]))
            return -1;
    return 0;
}

struct memory *memory_new(const struct config *c, unsigned ports)
{
    struct memory *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->config = c;
    m->num_ports = ports;
    m->num_banks = (uint32_t)c->l2_banks;
    m->num_channels = (uint32_t)c->dram_channels;
    m->queue_places = (uint32_t)c->l1d_miss_queue;
    m->line_bytes = (uint32_t)c->l1d_line;
    for (unsigned i = 0; i < 256; i++)
        m->flits[i] =
            (uint16_t)((HEADER_BYTES + __builtin_popcount(i) * SECTOR_BYTES + c->xbar_flit - 1) /
                       c->xbar_flit);
    m->flit_interval = (uint64_t)c->xbar_interval;
    m->latency = (uint64_t)c->xbar_latency;
    m->interleave = (uint64_t)c->l2_interleave;
    if (init(m)) {
        memory_free(m);
        return NULL;
    }
    memory_reset(m);
    return m;
}

void memory_free(struct memory *m)
{
    if (!m)
        return;
    for (uint32_t i = 0; m->ports && i < m->num_ports; i++) {
        free(m->ports[i].queue);
        free(m->ports[i].credits);
        free(m->ports[i].sent);
        free(m->ports[i].replies.packets);
    }
    for (uint32_t i = 0; m->banks && i < m->num_banks; i++) {
        l2_free(&m->banks[i].l2);
        free(m->banks[i].sent);
        free(m->banks[i].taken);
    }
    for (uint32_t i = 0; m->channels && i < m->num_channels; i++)
        dram_free(&m->channels[i]);
    free(m->ports);
    free(m->banks);
    free(m->channels);
    free(m->ended);
    free(m);
}

void memory_reset(struct memory *m)
{
    for (uint32_t i = 0; i < m->num_ports; i++) {
        struct port *p = &m->ports[i];
        p->count = p->blocked = p->num_sent = p->replies.count = 0;
        p->link_free = p->reply_free = 0;
        for (uint32_t j = 0; j < m->num_banks; j++)
            p->credits[j] = (uint16_t)m->config->xbar_buffer;
    }
    for (uint32_t i = 0; i < m->num_banks; i++) {
        l2_reset(&m->banks[i].l2);
        m->banks[i].num_sent = m->banks[i].num_taken = 0;
        m->banks[i].link_free = 0;
    }
    for (uint32_t i = 0; i < m->num_channels; i++)
        dram_reset(&m->channels[i]);
}

static uint32_t bank_of(const struct memory *m, uint64_t address)
{
    return (uint32_t)(address / m->interleave % m->num_banks);
}

/* Lets a queued request enter the crossbar when its port is free, from `cycle` on. It has a credit.
 */
static void enter(struct memory *m, struct port *p, struct queued *q, uint64_t cycle)
{
    const struct memory_request *r = &q->request;
    const uint32_t bank = bank_of(m, r->address);
    const uint64_t line = r->address & ~(uint64_t)(m->line_bytes - 1);
    const uint64_t count = m->flits[r->kind == MEMORY_READ ? 0 : r->sectors];
    q->begins = p->link_free > cycle ? p->link_free : cycle;
    p->link_free = q->begins + count * m->flit_interval;
    p->credits[bank]--;
    p->sent[p->num_sent++] =
        (struct flight){.bank = bank,
                        .packet = {.due = p->link_free + m->latency,
                                   .port = (uint16_t)(p - m->ports),
                                   .tag = r->tag,
                                   .kind = r->kind,
                                   .sectors = r->sectors,
                                   .line = line / m->interleave / m->num_banks * m->interleave +
                                           line % m->interleave}};
    p->counters.reads += r->kind == MEMORY_READ;
    p->counters.writes += r->kind == MEMORY_WRITE;
    p->counters.atomics += r->kind == MEMORY_ATOMIC;
    p->counters.request_flits += count;
    p->counters.queue_occupancy += q->begins - q->sent;
}

int memory_room(struct memory *m, unsigned port, uint64_t cycle)
{
    struct port *p = &m->ports[port];
    while (p->count > p->blocked && p->queue[p->first].begins <= cycle) {
        p->first = p->first + 1 == m->queue_places ? 0 : p->first + 1;
        p->count--;
    }
    return p->count < m->queue_places;
}

void memory_send(struct memory *m, unsigned port, uint64_t cycle,
                 const struct memory_request *request)
{
    struct port *p = &m->ports[port];
    struct queued *q = &p->queue[(p->first + p->count++) % m->queue_places];
    *q = (struct queued){.sent = cycle, .begins = NEVER, .request = *request};
    if (!p->blocked && p->credits[bank_of(m, request->address)])
        enter(m, p, q, cycle);
    else
        p->blocked++;
}

/* Lets requests go whose credits have come. */
static void unblock(struct memory *m, struct port *p, uint64_t cycle)
{
    while (p->blocked) {
        struct queued *q = &p->queue[(p->first + p->count - p->blocked) % m->queue_places];
        if (!p->credits[bank_of(m, q->request.address)])
            return;
        const uint64_t since = p->link_free > q->sent ? p->link_free : q->sent;
        enter(m, p, q, cycle);
        p->counters.no_credit += q->begins - since;
        p->blocked--;
    }
}

/* When the port's oldest reply is there: its last flit comes when it arrives, or behind the flits
 * of the reply before. */
static uint64_t reply_due(const struct memory *m, const struct port *p)
{
    const struct l2_packet *r = l2_head(&p->replies);
    const uint64_t behind = p->reply_free + m->flits[r->sectors] * m->flit_interval;
    return r->due > behind ? r->due : behind;
}

int memory_receive(struct memory *m, unsigned port, uint64_t cycle, uint32_t *tag)
{
    struct port *p = &m->ports[port];
    memory_room(m, port, cycle);
    if (!p->replies.count || l2_head(&p->replies)->due > cycle)
        return 0;
    const uint64_t due = reply_due(m, p);
    if (due > cycle)
        return 0;
    p->counters.sm_port_wait += due - l2_head(&p->replies)->due;
    p->reply_free = due;
    *tag = l2_head(&p->replies)->tag;
    l2_pop(&p->replies);
    return 1;
}

uint64_t memory_next(const struct memory *m, unsigned port)
{
    const struct port *p = &m->ports[port];
    const uint64_t reply = p->replies.count ? reply_due(m, p) : NEVER;
    const uint64_t room = p->count == m->queue_places ? p->queue[p->first].begins : NEVER;
    return reply < room ? reply : room;
}

unsigned memory_partitions(const struct memory *m)
{
    return m->num_channels;
}

/* Sends the bank's replies that are ready. */
static void send_replies(struct memory *m, struct bank *b, uint64_t cycle)
{
    while (b->l2.replies.count && l2_head(&b->l2.replies)->due <= cycle) {
        struct l2_packet *p = &b->sent[b->num_sent++];
        *p = *l2_head(&b->l2.replies);
        const uint64_t count = m->flits[p->sectors];
        const uint64_t begins = b->link_free > p->due ? b->link_free : p->due;
        b->port_wait += begins - p->due;
        b->link_free = begins + count * m->flit_interval;
        p->due = b->link_free + m->latency;
        b->reply_flits += count;
        l2_pop(&b->l2.replies);
    }
}

static void run_bank(struct memory *m, struct bank *b, uint64_t cycle, int dram_moved)
{
    struct l2_packet served;
    send_replies(m, b, cycle);
    if (!l2_step(&b->l2, cycle, dram_moved, &served))
        return;
    b->taken[b->num_taken++] = served.port;
    b->buffer_occupancy += cycle - served.due;
    /* The next request's flits come behind this one's. */
    const uint64_t busy =
        m->flits[served.kind == MEMORY_READ ? 0 : served.sectors] * m->flit_interval;
    if (b->l2.free < cycle + busy)
        b->l2.free = cycle + busy;
}

static uint64_t partition_event(const struct memory *m, uint32_t partition)
{
    uint64_t next = dram_event(&m->channels[partition]);
    for (uint32_t i = partition; i < m->num_banks; i += m->num_channels) {
        const struct l2_bank *b = &m->banks[i].l2;
        const uint64_t request = l2_event(b);
        const uint64_t reply = b->replies.count ? l2_head(&b->replies)->due : NEVER;
        next = request < next ? request : next;
        next = reply < next ? reply : next;
    }
    return next;
}

void memory_run(struct memory *m, unsigned partition, uint64_t until)
{
    struct dram *channel = &m->channels[partition];
    uint32_t owner;
    for (;;) {
        const uint64_t cycle = partition_event(m, partition);
        if (cycle >= until)
            return;
        m->ended[partition] = cycle + 1;
        int moved = dram_step(channel, cycle);
        while (dram_receive(channel, cycle, &owner)) {
            const uint32_t bank = (owner >> 16) * m->num_channels + partition;
            l2_fill(&m->banks[bank].l2, cycle, owner & 0xffff);
            moved = 1;
        }
        for (uint32_t i = partition; i < m->num_banks; i += m->num_channels)
            run_bank(m, &m->banks[i], cycle, moved);
    }
}

uint64_t memory_ended(const struct memory *m)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < m->num_channels; i++)
        last = m->ended[i] > last ? m->ended[i] : last;
    return last;
}

uint64_t memory_event(const struct memory *m)
{
    uint64_t next = NEVER;
    for (uint32_t i = 0; i < m->num_channels; i++) {
        const uint64_t event = partition_event(m, i);
        next = event < next ? event : next;
    }
    return next;
}

void memory_exchange(struct memory *m, uint64_t cycle)
{
    for (uint32_t i = 0; i < m->num_banks; i++) {
        struct bank *b = &m->banks[i];
        for (; b->num_taken; b->num_taken--)
            m->ports[b->taken[b->num_taken - 1]].credits[i]++;
        for (uint32_t j = 0; j < b->num_sent; j++)
            l2_insert(&m->ports[b->sent[j].port].replies, &b->sent[j]);
        b->num_sent = 0;
    }
    for (uint32_t i = 0; i < m->num_ports; i++) {
        struct port *p = &m->ports[i];
        unblock(m, p, cycle);
        for (uint32_t j = 0; j < p->num_sent; j++)
            l2_insert(&m->banks[p->sent[j].bank].l2.requests, &p->sent[j].packet);
        p->num_sent = 0;
    }
}

static void add_words(void *to, const void *from, size_t size)
{
    for (size_t i = 0; i < size / sizeof(uint64_t); i++)
        ((uint64_t *)to)[i] += ((const uint64_t *)from)[i];
}

struct memory_counters memory_counters(struct memory *m, uint64_t cycle)
{
    struct memory_counters sum = {0};
    for (uint32_t i = 0; i < m->num_ports; i++)
        add_words(&sum.xbar, &m->ports[i].counters, sizeof sum.xbar);
    for (uint32_t i = 0; i < m->num_banks; i++) {
        l2_account(&m->banks[i].l2, cycle);
        add_words(&sum.l2, &m->banks[i].l2.counters, sizeof sum.l2);
        sum.xbar.reply_flits += m->banks[i].reply_flits;
        sum.xbar.bank_port_wait += m->banks[i].port_wait;
        sum.xbar.buffer_occupancy += m->banks[i].buffer_occupancy;
    }
    for (uint32_t i = 0; i < m->num_channels; i++) {
        dram_account(&m->channels[i], cycle);
        add_words(&sum.dram, &m->channels[i].counters, sizeof sum.dram);
    }
    return sum;
}
