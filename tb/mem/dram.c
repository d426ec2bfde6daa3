/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/dram.c: a memory of fixed latency and limited bandwidth behind tb/mem/memory.h.
 *
 * One server moves dram.bytes_per_cycle for all SMs together, first come, first served. A request
 * waits in its SM's miss queue until the server begins with it, and is answered dram.latency cycles
 * after that. So an unloaded read takes exactly dram.latency cycles and a saturated memory moves
 * exactly dram.bytes_per_cycle. Because service is in order, beginning and end of each request are
 * known when it is sent: nothing has to be simulated in between.
 *
 * Time is counted in bytes (cycle * bytes_per_cycle), so that a rate which is no divisor of the
 * request needs no fraction. */
#include <stdlib.h>

#include "tb/mem/memory.h"

struct pending_reply {
    uint64_t due;
    uint32_t tag;
};

/* Two rings. `begins`: when each request in the miss queue begins to be served. `replies`: in order
 * of `due`. */
struct port {
    uint64_t *begins;
    struct pending_reply *replies;
    uint32_t first_begin, num_begins, first_reply, num_replies;
};

struct memory {
    struct port *ports;
    unsigned num_ports;
    uint32_t queue_places, reply_places;
    uint64_t latency, rate;
    uint64_t busy_until; /* in bytes */
    struct memory_counters counters;
};

struct memory *memory_new(const struct config *c, unsigned ports)
{
    struct memory *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->queue_places = (uint32_t)c->l1d_miss_queue;
    m->reply_places = (uint32_t)c->l1d_mshrs;
    m->latency = (uint64_t)c->dram_latency;
    m->rate = (uint64_t)c->dram_bytes_per_cycle;
    m->ports = calloc(ports, sizeof *m->ports);
    if (!m->ports) {
        memory_free(m);
        return NULL;
    }
    m->num_ports = ports;
    for (unsigned i = 0; i < ports; i++) {
        m->ports[i].begins = calloc(m->queue_places, sizeof *m->ports[i].begins);
        m->ports[i].replies = calloc(m->reply_places, sizeof *m->ports[i].replies);
        if (!m->ports[i].begins || !m->ports[i].replies) {
            memory_free(m);
            return NULL;
        }
    }
    return m;
}

void memory_free(struct memory *m)
{
    if (!m)
        return;
    for (unsigned i = 0; i < m->num_ports; i++) {
        free(m->ports[i].begins);
        free(m->ports[i].replies);
    }
    free(m->ports);
    free(m);
}

void memory_reset(struct memory *m)
{
    for (unsigned i = 0; i < m->num_ports; i++)
        m->ports[i].num_begins = m->ports[i].num_replies = 0;
    m->busy_until = 0;
}

int memory_room(struct memory *m, unsigned port, uint64_t cycle)
{
    struct port *p = &m->ports[port];
    while (p->num_begins && p->begins[p->first_begin] <= cycle) {
        p->first_begin = (p->first_begin + 1) % m->queue_places;
        p->num_begins--;
    }
    return p->num_begins < m->queue_places;
}

void memory_send(struct memory *m, unsigned port, uint64_t cycle,
                 const struct memory_request *request)
{
    struct port *p = &m->ports[port];
    uint64_t now = cycle * m->rate;
    uint64_t start = m->busy_until > now ? m->busy_until : now;
    uint64_t begin = (start + m->rate - 1) / m->rate;
    m->busy_until = start + request->bytes;
    p->begins[(p->first_begin + p->num_begins++) % m->queue_places] = begin;
    if (request->kind != MEMORY_WRITE)
        p->replies[(p->first_reply + p->num_replies++) % m->reply_places] =
            (struct pending_reply){.due = begin + m->latency, .tag = request->tag};
    m->counters.reads += request->kind == MEMORY_READ;
    m->counters.writes += request->kind == MEMORY_WRITE;
    m->counters.atomics += request->kind == MEMORY_ATOMIC;
    m->counters.bytes += request->bytes;
}

int memory_receive(struct memory *m, unsigned port, uint64_t cycle, uint32_t *tag)
{
    struct port *p = &m->ports[port];
    memory_room(m, port, cycle);
    if (!p->num_replies || p->replies[p->first_reply].due > cycle)
        return 0;
    *tag = p->replies[p->first_reply].tag;
    p->first_reply = (p->first_reply + 1) % m->reply_places;
    p->num_replies--;
    return 1;
}

uint64_t memory_next(const struct memory *m, unsigned port)
{
    const struct port *p = &m->ports[port];
    uint64_t reply = p->num_replies ? p->replies[p->first_reply].due : NEVER;
    uint64_t room = p->num_begins == m->queue_places ? p->begins[p->first_begin] : NEVER;
    return reply < room ? reply : room;
}

const struct memory_counters *memory_counters(const struct memory *m)
{
    return &m->counters;
}
