/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/xbar.h: the crossbar between SMs and L2 banks.
 *
 * It has one port per SM and one per bank, each moving a flit in xbar.interval cycles in both
 * directions at once; a packet is a header of eight bytes and its data. Its last flit arrives
 * xbar.latency cycles after it has left, or behind those of the packets that come to the same port
 * before it. A bank buffers xbar.buffer requests of each SM: the SM learns xbar.latency cycles
 * after a request was served that its place is free again.
 *
 * When a packet leaves is known as soon as it is sent, or when the place that it waits for is known
 * to become free: so nothing is simulated between packets. */
#ifndef HEDDLE_TB_MEM_XBAR_H
#define HEDDLE_TB_MEM_XBAR_H

#include "tb/clocks.h"
#include "tb/mem/bank.h"
#include "tb/mem/packet.h"

#define HEADER_BYTES 8 /* of a packet: address, kind, tag */

/* A request in the miss queue. */
struct xbar_queued {
    uint64_t sent, begins; /* begins: enters the crossbar; NEVER: waits for a place at its bank */
    struct memory_request request;
};

/* The buffer of a bank for one SM, which uses its places in turn. */
struct xbar_buffer {
    uint64_t *free;       /* each place is free from this cycle on; NEVER: a request has it */
    uint32_t next, taken; /* place for the next request; of the oldest request */
};

/* What is sent to one receiver in this window, and what was in the last one. Senders may run on
 * several host threads, so the order is any; but a sender's own packets stay in order. */
struct xbar_box {
    _Alignas(HOST_LINE) struct packet *packets[2];
    _Atomic uint32_t count[2];
};

struct xbar_port {
    _Alignas(HOST_LINE) struct xbar_queued *queue; /* ring */
    uint32_t first, count, blocked;                /* the last `blocked` wait */
    uint64_t next;                                 /* as memory_next has it */
    uint64_t link_free;                            /* for the next request */
    struct xbar_buffer *buffers;                   /* one per bank */
    struct packet_queue replies;                   /* as they arrive */
    struct xbar_box sent;                          /* replies, by banks */
    struct xbar_box served; /* requests that free a place: `bank`, and when in `due` */
    struct xbar_counters counters;
};

struct xbar_bank {
    _Alignas(HOST_LINE) struct packet_queue requests; /* as they arrive */
    uint64_t link_free;                               /* for the next reply */
    struct xbar_box sent;                             /* requests, by ports */
    struct xbar_counters counters;
};

struct xbar {
    struct clocks clocks;   /* the side of the SMs has the one, all in here the other */
    unsigned side;          /* of the boxes, that is written in this window */
    int alone;              /* one host thread runs all senders */
    _Atomic int awaited[2]; /* whether the boxes hold anything that moves the receiver */
    struct xbar_port *ports;
    struct xbar_bank *banks;
    uint32_t num_ports, num_banks, queue_places, buffer_places, line_bytes;
    uint64_t interval, latency;
    struct bank_map map;
    uint16_t flits[256]; /* of a packet that carries these sectors */
};

/* Returns 0, or -1: no memory. */
int xbar_init(struct xbar *, const struct config *, unsigned ports);
void xbar_free(struct xbar *);

/* Forgets all packets. */
void xbar_reset(struct xbar *);

/* The side of the SMs, in cycles of theirs: see tb/mem/memory.h. */
int xbar_room(struct xbar *, unsigned port, uint64_t cycle);
void xbar_send(struct xbar *, unsigned port, uint64_t cycle, const struct memory_request *);
int xbar_receive(struct xbar *, unsigned port, uint64_t cycle, uint32_t *tag);
static inline const uint64_t *xbar_next(const struct xbar *x, unsigned port)
{
    return &x->ports[port].next;
}

/* The side of the banks: takes the first request of banks[bank].requests, which must be due, and
 * sends an answer, which is ready at its `due`, in the order of these. */
void xbar_take(struct xbar *, unsigned bank, uint64_t cycle);
void xbar_answer(struct xbar *, unsigned bank, const struct packet *);

/* Ends a window. In the next one, each port and bank first collects what was sent to it. */
void xbar_turn(struct xbar *);
void xbar_collect_port(struct xbar *, unsigned port);
void xbar_collect_bank(struct xbar *, unsigned bank);

/* Whether there is anything to be collected that somebody waits for. */
int xbar_awaited(const struct xbar *);

#endif
