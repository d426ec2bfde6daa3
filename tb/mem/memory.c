/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/memory.c: see memory.h: the crossbar, and behind it the partitions: a DRAM channel with
 * its L2 banks. Bank b belongs to channel b modulo their number; the banks of a channel take turns
 * in asking it. */
#include "tb/mem/memory.h"

#include <stdlib.h>
#include <string.h>

#include "tb/mem/l2.h"
#include "tb/mem/xbar.h"

struct partition {
    _Alignas(HOST_LINE) struct dram channel;
    struct l2_bank *banks;
    uint32_t num_banks, first; /* whose turn it is */
    uint64_t ended;            /* the cycle after its last event */
};

struct memory {
    struct xbar xbar;
    struct partition *partitions;
    uint32_t num_partitions;
};

static int partition_init(struct memory *m, const struct config *c, uint32_t number)
{
    struct partition *p = &m->partitions[number];
    const uint32_t replies = m->xbar.num_ports * memory_tags(c);
    p->num_banks = m->xbar.num_banks / m->num_partitions;
    p->banks = lines_alloc(p->num_banks, sizeof *p->banks);
    int failed = !p->banks || dram_init(&p->channel, c, p->num_banks * (uint32_t)c->l2_mshrs);
    for (uint32_t i = 0; !failed && i < p->num_banks; i++)
        failed = l2_init(&p->banks[i], c, &p->channel, i,
                         &m->xbar.banks[i * m->num_partitions + number].requests, replies);
    return failed ? -1 : 0;
}

struct memory *memory_new(const struct config *c, unsigned ports)
{
    struct memory *m = lines_alloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->num_partitions = (uint32_t)c->dram_channels;
    m->partitions = lines_alloc(m->num_partitions, sizeof *m->partitions);
    int failed = !m->partitions || xbar_init(&m->xbar, c, ports);
    for (uint32_t i = 0; !failed && i < m->num_partitions; i++)
        failed = partition_init(m, c, i);
    if (!failed)
        return m;
    memory_free(m);
    return NULL;
}

void memory_free(struct memory *m)
{
    if (!m)
        return;
    for (uint32_t i = 0; m->partitions && i < m->num_partitions; i++) {
        struct partition *p = &m->partitions[i];
        for (uint32_t j = 0; p->banks && j < p->num_banks; j++)
            l2_free(&p->banks[j]);
        lines_free(p->banks);
        dram_free(&p->channel);
    }
    lines_free(m->partitions);
    xbar_free(&m->xbar);
    lines_free(m);
}

void memory_reset(struct memory *m)
{
    xbar_reset(&m->xbar);
    for (uint32_t i = 0; i < m->num_partitions; i++) {
        struct partition *p = &m->partitions[i];
        for (uint32_t j = 0; j < p->num_banks; j++)
            l2_reset(&p->banks[j]);
        dram_reset(&p->channel);
        p->first = 0;
        p->ended = 0;
    }
}

void memory_pace(struct memory *m, unsigned sixths, uint64_t cycle, uint64_t stands)
{
    const uint64_t fixed = clocks_fixed(&m->xbar.clocks, cycle) + stands;
    m->xbar.clocks = (struct clocks){sixths, cycle, fixed};
}

const struct clocks *memory_clocks(const struct memory *m)
{
    return &m->xbar.clocks;
}

void memory_listen(struct memory *m, unsigned bank, struct l2_listener listener)
{
    m->partitions[bank % m->num_partitions].banks[bank / m->num_partitions].listener = listener;
}

int memory_room(struct memory *m, unsigned port, uint64_t cycle)
{
    return xbar_room(&m->xbar, port, cycle);
}

void memory_send(struct memory *m, unsigned port, uint64_t cycle,
                 const struct memory_request *request)
{
    xbar_send(&m->xbar, port, cycle, request);
}

int memory_receive(struct memory *m, unsigned port, uint64_t cycle, uint32_t *tag)
{
    return xbar_receive(&m->xbar, port, cycle, tag);
}

const uint64_t *memory_next(const struct memory *m, unsigned port)
{
    return xbar_next(&m->xbar, port);
}

unsigned memory_partitions(const struct memory *m)
{
    return m->num_partitions;
}

static uint64_t partition_event(const struct partition *p)
{
    uint64_t next = dram_event(&p->channel);
    for (uint32_t i = 0; i < p->num_banks; i++) {
        const uint64_t request = l2_event(&p->banks[i]);
        next = request < next ? request : next;
    }
    return next;
}

/* The banks in turns, beginning behind the one that was served last. The crossbar gets their
 * replies before they are ready: what holds its link is known by then. */
static void run_banks(struct memory *m, uint32_t number, uint64_t cycle, int dram_moved)
{
    struct partition *p = &m->partitions[number];
    const uint32_t first = p->first;
    for (uint32_t i = first; i < first + p->num_banks; i++) {
        const uint32_t at = i < p->num_banks ? i : i - p->num_banks;
        const uint32_t bank = at * m->num_partitions + number;
        struct l2_bank *b = &p->banks[at];
        if (l2_step(b, cycle, dram_moved)) {
            xbar_take(&m->xbar, bank, cycle);
            p->first = at + 1 < p->num_banks ? at + 1 : 0;
        }
        for (; b->replies.count; packets_pop(&b->replies))
            xbar_answer(&m->xbar, bank, packets_at(&b->replies, 0));
    }
}

void memory_run(struct memory *m, unsigned partition, uint64_t until)
{
    struct partition *p = &m->partitions[partition];
    const uint64_t end = clocks_fixed(&m->xbar.clocks, until);
    uint32_t owner;
    for (uint32_t i = 0; i < p->num_banks; i++)
        xbar_collect_bank(&m->xbar, i * m->num_partitions + partition);
    for (uint64_t cycle; (cycle = partition_event(p)) < end;) {
        p->ended = cycle + 1;
        int moved = dram_step(&p->channel, cycle);
        while (dram_receive(&p->channel, cycle, &owner)) {
            l2_fill(&p->banks[owner >> 16], cycle, owner & 0xffff);
            moved = 1;
        }
        run_banks(m, partition, cycle, moved);
    }
}

uint64_t memory_ended(const struct memory *m)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < m->num_partitions; i++)
        last = m->partitions[i].ended > last ? m->partitions[i].ended : last;
    return last ? clocks_from(&m->xbar.clocks, last) : 0;
}

uint64_t memory_event(const struct memory *m)
{
    uint64_t next = NEVER;
    if (xbar_awaited(&m->xbar))
        return 0;
    for (uint32_t i = 0; i < m->num_partitions; i++) {
        const uint64_t event = partition_event(&m->partitions[i]);
        next = event < next ? event : next;
    }
    return clocks_by(&m->xbar.clocks, next);
}

void memory_turn(struct memory *m)
{
    xbar_turn(&m->xbar);
}

void memory_collect(struct memory *m, unsigned port)
{
    xbar_collect_port(&m->xbar, port);
}

static void add_words(void *to, const void *from, size_t size)
{
    for (size_t i = 0; i < size / sizeof(uint64_t); i++)
        ((uint64_t *)to)[i] += ((const uint64_t *)from)[i];
}

struct l2_served memory_l2_served(const struct memory *m)
{
    struct l2_served sum = {0};
    for (uint32_t i = 0; i < m->num_partitions; i++)
        for (uint32_t j = 0; j < m->partitions[i].num_banks; j++) {
            const struct l2_counters *c = &m->partitions[i].banks[j].counters;
            sum.accesses += c->accesses;
            sum.misses += c->misses;
        }
    return sum;
}

struct memory_counters memory_counters(struct memory *m, uint64_t cycle)
{
    const uint64_t now = clocks_fixed(&m->xbar.clocks, cycle);
    struct memory_counters sum = {0};
    for (uint32_t i = 0; i < m->xbar.num_ports; i++)
        add_words(&sum.xbar, &m->xbar.ports[i].counters, sizeof sum.xbar);
    for (uint32_t i = 0; i < m->xbar.num_banks; i++)
        add_words(&sum.xbar, &m->xbar.banks[i].counters, sizeof sum.xbar);
    for (uint32_t i = 0; i < m->num_partitions; i++) {
        struct partition *p = &m->partitions[i];
        for (uint32_t j = 0; j < p->num_banks; j++) {
            l2_account(&p->banks[j], now);
            add_words(&sum.l2, &p->banks[j].counters, sizeof sum.l2);
            add_words(sum.l2_spaces, p->banks[j].spaces.counters, sizeof sum.l2_spaces);
        }
        dram_account(&p->channel, now);
        add_words(&sum.dram, &p->channel.counters, sizeof sum.dram);
    }
    return sum;
}
