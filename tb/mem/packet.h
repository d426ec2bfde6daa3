/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/packet.h: a request on its way to an L2 bank, or its answer on the way back, and queues of
 * them. What leaves a queue does so in the order in which it becomes ready, one after the other:
 * the flits of a packet come behind those of the packet before it. */
#ifndef HEDDLE_TB_MEM_PACKET_H
#define HEDDLE_TB_MEM_PACKET_H

#include "tb/mem/lines.h"
#include "tb/mem/memory.h"
#include <stdint.h>

struct packet {
    uint64_t due;        /* ready to leave the queue, if nothing is before it */
    uint64_t line;       /* the bank's own address of its first byte */
    uint16_t port, bank; /* of the SM, of L2 */
    uint16_t tag;
    uint16_t flits; /* cycles for which it holds a port; 0: not in the crossbar */
    uint8_t kind;   /* enum memory_kind */
    uint8_t sectors;
    uint8_t space; /* of its address, below MEMORY_SPACES */
};

struct packet_queue {
    struct packet *packets;      /* ring */
    uint32_t first, count, mask; /* places - 1, which is a power of two; first is not reduced */
    uint64_t last;               /* the packet before left in this cycle */
    uint64_t due;                /* in which the first packet leaves; NEVER: there is none */
};

/* For at least this many packets. Returns 0, or -1: no memory. */
static inline int packets_init(struct packet_queue *q, uint32_t places)
{
    uint32_t power = 1;
    while (power < places)
        power *= 2;
    q->packets = lines_alloc(power, sizeof *q->packets);
    q->mask = power - 1;
    q->due = NEVER;
    return q->packets ? 0 : -1;
}

static inline void packets_free(struct packet_queue *q)
{
    lines_free(q->packets);
}

static inline void packets_clear(struct packet_queue *q)
{
    q->count = 0;
    q->last = 0;
    q->due = NEVER;
}

static inline struct packet *packets_at(const struct packet_queue *q, uint32_t index)
{
    return &q->packets[(q->first + index) & q->mask];
}

/* Finds when the first packet leaves. */
static inline void packets_look(struct packet_queue *q)
{
    const struct packet *head = packets_at(q, 0);
    const uint64_t behind = q->last + head->flits;
    q->due = head->due > behind ? head->due : behind;
}

/* Takes the first packet, which leaves in cycle `due`. An empty ring begins again at its start: one
 * that never holds much stays in the processor's cache. */
static inline void packets_pop(struct packet_queue *q)
{
    q->last = q->due;
    q->first = --q->count ? q->first + 1 : 0;
    q->due = NEVER;
    if (q->count)
        packets_look(q);
}

static inline int packet_before(const struct packet *a, const struct packet *b)
{
    if (a->due != b->due)
        return a->due < b->due;
    return a->port != b->port ? a->port < b->port : a->bank < b->bank;
}

/* Adds a packet, which must find a place, behind all others. */
static inline void packets_push(struct packet_queue *q, const struct packet *p)
{
    *packets_at(q, q->count++) = *p;
    if (q->count == 1)
        packets_look(q);
}

/* Adds a packet in its place. Most come in order, or nearly so. */
static inline void packets_insert(struct packet_queue *q, const struct packet *p)
{
    uint32_t at = q->count++;
    for (; at > 0 && packet_before(p, packets_at(q, at - 1)); at--)
        *packets_at(q, at) = *packets_at(q, at - 1);
    *packets_at(q, at) = *p;
    if (at == 0)
        packets_look(q);
}

#endif
