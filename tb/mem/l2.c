/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/l2.c: see l2.h.
 *
 * A miss reserves at once or not at all: a way (the least recently used that is not itself
 * reserved), an MSHR, and room in the channel's queue, also for the line that it replaces if that
 * is dirty. A write needs no data from DRAM: its sectors become valid and dirty; a read of other
 * sectors of that line fetches the line and keeps them. An atomic is performed here: its sectors
 * are read, then dirty. */
#include "tb/mem/l2.h"

#include <stdlib.h>
#include <string.h>

int l2_init(struct l2_bank *b, const struct config *c, struct dram *dram, unsigned number,
            const struct packet_queue *requests, uint32_t reply_places)
{
    b->number = number;
    b->neighbours = (uint64_t)(c->l2_banks / c->dram_channels);
    b->interleave = (uint64_t)c->l2_interleave;
    b->dram = dram;
    b->requests = requests;
    b->latency = (uint64_t)c->l2_latency;
    b->interval = (uint64_t)c->l2_interval;
    b->line_bytes = (uint32_t)c->l1d_line;
    b->all_sectors = (uint8_t)((1u << b->line_bytes / SECTOR_BYTES) - 1);
    int failed =
        tags_init(&b->tags, (uint64_t)c->l2_sets, (uint32_t)c->l2_ways, b->line_bytes, TAGS_LINEAR);
    failed |= mshrs_init(&b->mshrs, (uint32_t)c->l2_mshrs, (uint32_t)c->l2_mshr_merge);
    failed |= packets_init(&b->replies, reply_places);
    if (failed)
        return -1;
    tags_reset(&b->tags);
    l2_reset(b);
    return 0;
}

void l2_free(struct l2_bank *b)
{
    tags_free(&b->tags);
    mshrs_free(&b->mshrs);
    packets_free(&b->replies);
}

void l2_reset(struct l2_bank *b)
{
    const struct tags *t = &b->tags;
    tags_forget_reserved(&b->tags);
    memset(b->spaces.held, 0, sizeof b->spaces.held);
    for (uint64_t i = 0; i < t->num_sets * t->num_ways; i++)
        if (tags_valid(t, (int64_t)i))
            b->spaces.held[t->ways[i].space]++;
    mshrs_reset(&b->mshrs);
    packets_clear(&b->replies);
    b->free = 0;
    b->stalled_since = NEVER;
}

/* What waits in an MSHR, in one word. */
static uint64_t waiter_of(const struct packet *p)
{
    return (uint64_t)p->port << 32 | (uint64_t)p->tag << 16 | (uint64_t)p->kind << 8 | p->sectors;
}

static void answer(struct l2_bank *b, uint64_t cycle, uint64_t line, uint64_t waiter)
{
    packets_push(&b->replies, &(struct packet){.due = cycle + b->latency,
                                               .line = line,
                                               .port = (uint16_t)(waiter >> 32),
                                               .tag = (uint16_t)(waiter >> 16),
                                               .kind = (uint8_t)(waiter >> 8),
                                               .sectors = (uint8_t)waiter});
}

/* Where a line lies in the channel, whose banks take turns every `interleave` bytes. */
static uint64_t channel_address(const struct l2_bank *b, uint64_t line)
{
    return (line / b->interleave * b->neighbours + b->number) * b->interleave +
           line % b->interleave;
}

static uint32_t sector_bytes(uint8_t sectors)
{
    return (uint32_t)__builtin_popcount(sectors) * SECTOR_BYTES;
}

/* Makes room for a line. Returns its way, or -1 with the counter of what is missing: `fetches`
 * requests to the channel will follow. */
static int64_t replace(struct l2_bank *b, uint64_t cycle, uint64_t line, uint32_t fetches,
                       uint64_t **cause)
{
    int64_t way = tags_victim(&b->tags, line);
    if (way < 0) {
        *cause = &b->counters.stalled_no_way;
        return -1;
    }
    if (fetches && mshrs_full(&b->mshrs)) {
        *cause = &b->counters.stalled_no_mshr;
        return -1;
    }
    const struct way *w = &b->tags.ways[way];
    const int valid = tags_valid(&b->tags, way), dirty = valid && w->dirty;
    if (!dram_room(b->dram, fetches + (uint32_t)dirty)) {
        *cause = &b->counters.stalled_dram_full;
        return -1;
    }
    b->counters.evictions += (uint64_t)valid;
    b->counters.writebacks += (uint64_t)dirty;
    if (dirty)
        dram_send(b->dram, cycle, channel_address(b, b->tags.lines[way]), sector_bytes(w->dirty), 1,
                  0);
    return way;
}

/* Gives a way that `replace` has found to the line of a request. */
static void hold(struct l2_bank *b, uint64_t cycle, int64_t way, const struct packet *p)
{
    const unsigned before = tags_valid(&b->tags, way) ? b->tags.ways[way].space : NO_SPACE;
    spaces_move(&b->spaces, cycle, before, p->space);
    tags_reserve(&b->tags, way, p->line)->space = p->space;
}

/* Writes into a line that is valid or on its way. */
static void mark_dirty(struct way *w, uint8_t sectors)
{
    w->valid |= sectors;
    w->dirty |= sectors;
}

static void missed(struct l2_bank *b, const struct packet *p, enum l2_miss what)
{
    b->counters.misses++;
    b->spaces.counters[p->space].misses++;
    if (b->listener.missed)
        b->listener.missed(b->listener.user, p->line, what);
}

static int serve_write(struct l2_bank *b, uint64_t cycle, const struct packet *p, uint64_t **cause)
{
    int64_t way = tags_find(&b->tags, p->line);
    if (way < 0) {
        way = replace(b, cycle, p->line, 0, cause);
        if (way < 0)
            return 0;
        hold(b, cycle, way, p);
        tags_fill(&b->tags, way);
        missed(b, p, L2_LINE);
    } else {
        tags_touch(&b->tags, way);
        b->counters.hits++;
    }
    mark_dirty(&b->tags.ways[way], p->sectors);
    return 1;
}

/* Fetches the line into `way`. */
static void fetch(struct l2_bank *b, uint64_t cycle, int64_t way, const struct packet *p)
{
    struct way *w = &b->tags.ways[way];
    tags_wait(&b->tags, way);
    w->mshr = mshrs_take(&b->mshrs, cycle, p->line, way, waiter_of(p));
    dram_send(b->dram, cycle, channel_address(b, p->line), b->line_bytes, 0,
              (uint32_t)b->number << 16 | w->mshr);
}

/* A read or an atomic. */
static int serve_read(struct l2_bank *b, uint64_t cycle, const struct packet *p, uint64_t **cause)
{
    int64_t way = tags_find(&b->tags, p->line);
    struct way *w = &b->tags.ways[way < 0 ? 0 : way];
    if (way >= 0 && tags_reserved(&b->tags, way)) {
        if (mshrs_merge(&b->mshrs, w->mshr, waiter_of(p))) {
            *cause = &b->counters.stalled_merge_full;
            return 0;
        }
        tags_touch(&b->tags, way);
        b->counters.mshr_merged++;
        b->spaces.counters[p->space].mshr_merged++;
        missed(b, p, L2_ON_ITS_WAY);
        return 1;
    }
    if (way >= 0 && (w->valid & p->sectors) == p->sectors) {
        tags_touch(&b->tags, way);
        if (p->kind == MEMORY_ATOMIC)
            mark_dirty(w, p->sectors);
        answer(b, cycle, p->line, waiter_of(p));
        b->counters.hits++;
        b->counters.read_hits += p->kind == MEMORY_READ;
        return 1;
    }
    const int is_there = way >= 0;
    if (is_there) { /* written in part: the rest is fetched */
        if (mshrs_full(&b->mshrs) || !dram_room(b->dram, 1)) {
            *cause = mshrs_full(&b->mshrs) ? &b->counters.stalled_no_mshr
                                           : &b->counters.stalled_dram_full;
            return 0;
        }
        tags_touch(&b->tags, way);
    } else {
        way = replace(b, cycle, p->line, 1, cause);
        if (way < 0)
            return 0;
        hold(b, cycle, way, p);
    }
    fetch(b, cycle, way, p);
    missed(b, p, is_there ? L2_SECTORS : L2_LINE);
    return 1;
}

int l2_step(struct l2_bank *b, uint64_t cycle, int dram_moved)
{
    uint64_t *cause;
    if ((b->stalled_since != NEVER && !dram_moved) || b->free > cycle || b->requests->due > cycle)
        return 0;
    const struct packet *p = packets_at(b->requests, 0);
    l2_account(b, cycle);
    if (!(p->kind == MEMORY_WRITE ? serve_write : serve_read)(b, cycle, p, &cause)) {
        b->stalled_since = cycle;
        b->stalled_by = cause;
        return 0;
    }
    b->stalled_since = NEVER;
    b->counters.accesses++;
    b->spaces.counters[p->space].accesses++;
    if (b->listener.served)
        b->listener.served(b->listener.user, p->space, tags_set(&b->tags, p->line), p->line);
    b->counters.reads += p->kind == MEMORY_READ;
    b->free = cycle + b->interval;
    return 1;
}

void l2_fill(struct l2_bank *b, uint64_t cycle, uint32_t number)
{
    const struct mshr *e = &b->mshrs.entries[number];
    struct way *w = &b->tags.ways[e->way];
    const uint64_t *waiters = mshrs_give_back(&b->mshrs, cycle, number);
    tags_fill(&b->tags, e->way);
    w->valid = b->all_sectors;
    for (uint32_t i = 0; i < e->num_waiters; i++) {
        if ((uint8_t)(waiters[i] >> 8) == MEMORY_ATOMIC)
            mark_dirty(w, (uint8_t)waiters[i]);
        answer(b, cycle, e->line, waiters[i]);
    }
}

void l2_account(struct l2_bank *b, uint64_t cycle)
{
    mshrs_account(&b->mshrs, cycle);
    b->counters.mshr_occupancy = b->mshrs.occupancy;
    spaces_account(&b->spaces, cycle);
    if (b->stalled_since == NEVER)
        return;
    *b->stalled_by += cycle - b->stalled_since;
    b->stalled_since = cycle;
}
