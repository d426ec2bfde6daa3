/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/rlws_state/rlws_state.c: see rlws_state.h. */
#include "cmodel/rlws_state/rlws_state.h"

#include <string.h>

#define MOST(bits) (~UINT64_C(0) >> (64 - (bits)))
#define ATTRIBUTES 34
#define LOADS      (1u << (LOAD_BITS - 1))

_Static_assert(RLWS_COUNT_BITS >= 4 && RLWS_COUNT_BITS <= 24, "a quotient can be above 1022");
_Static_assert(LOAD_BITS >= 2 && LOAD_BITS <= 8, "loads have numbers");

enum { ICMP, L1MP, NIPL1M, NAIPMI }; /* ratios */

static int is_percentage(uint64_t ratio)
{
    return ratio < NIPL1M;
}

static void forget(struct rlws_state_state *s)
{
    const uint64_t in_flight = s->in_flight;
    memset(s, 0, sizeof *s);
    s->in_flight = in_flight;
    s->quotient[0] = s->quotient[1] = RLWS_STATE_MOST;
}

void rlws_state_reset(struct rlws_state_state *s)
{
    s->in_flight = 0;
    forget(s);
}

/* The warps of a scheduler for which all of a level is set. */
static uint64_t level(const uint64_t *words, unsigned k)
{
    return bits_get(words, k * NUM_WARPS, NUM_WARPS);
}

static unsigned number_of(uint64_t warps)
{
    return (unsigned)__builtin_popcountll(warps);
}

static int is_long(const struct rlws_state_state *s, uint64_t load)
{
    return load >= 1 && load <= LOADS && bit_get(s->missed, (unsigned)load - 1);
}

/* Those attributes of scheduler k that are of warps. */
static void see_warps(const struct rlws_state_state *s, const struct rlws_state_in *in, unsigned k,
                      uint64_t *a)
{
    const uint64_t able = level(in->running, k) & level(in->buffered, k),
                   clear = able & level(in->clear, k), sp = level(in->next_sp, k),
                   sfu = level(in->next_sfu, k), gmem = level(in->next_gmem, k),
                   stcmem = level(in->next_stcmem, k), mem = gmem | stcmem,
                   takes_sp = bit_get(in->takes_sp, k) ? clear : 0,
                   takes_sfu = in->takes_sfu ? clear : 0, takes_mem = in->takes_mem ? clear : 0,
                   ready_sp = sp & takes_sp, ready_sfu = sfu & takes_sfu,
                   ready_mem = mem & takes_mem, stalled_sp = sp & clear & ~takes_sp,
                   stalled_sfu = sfu & clear & ~takes_sfu, stalled_mem = mem & clear & ~takes_mem;
    uint64_t long_loads = 0, same_block = 0;
    for (unsigned w = 0; w < NUM_WARPS; w++) {
        const unsigned slot = k * NUM_WARPS + w;
        long_loads |= (uint64_t)is_long(s, in->next_load[slot]) << w;
        same_block |= (uint64_t)(s->recent_known && in->block[slot] == s->recent) << w;
    }
    a[rlws_state_attribute_rlmi] = (ready_mem & long_loads) != 0;
    a[rlws_state_attribute_rgmi] = (gmem & takes_mem) != 0;
    a[rlws_state_attribute_rstcmi] = (stcmem & takes_mem) != 0;
    a[rlws_state_attribute_rsfi] = ready_sfu != 0;
    a[rlws_state_attribute_rspi] = ready_sp != 0;
    a[rlws_state_attribute_niw] = number_of(level(in->occupied, k) & ~level(in->buffered, k));
    a[rlws_state_attribute_nsw] = number_of(level(in->split, k));
    a[rlws_state_attribute_nfsfi] = number_of(able & sfu);
    a[rlws_state_attribute_nfmi] = number_of(able & mem);
    a[rlws_state_attribute_nrspi] = number_of(ready_sp);
    a[rlws_state_attribute_nrgmi] = number_of(gmem & takes_mem);
    a[rlws_state_attribute_nrstcmi] = number_of(stcmem & takes_mem);
    a[rlws_state_attribute_nrsfi] = number_of(ready_sfu);
    a[rlws_state_attribute_nwi] = number_of(able & ~clear);
    a[rlws_state_attribute_nps] = number_of(stalled_sp | stalled_sfu | stalled_mem);
    a[rlws_state_attribute_nmps] = number_of(stalled_mem);
    a[rlws_state_attribute_nsfps] = number_of(stalled_sfu);
    a[rlws_state_attribute_nspps] = number_of(stalled_sp);
    a[rlws_state_attribute_nri] = number_of(ready_sp | ready_sfu | ready_mem);
    a[rlws_state_attribute_nws] = number_of(level(in->running, k));
    a[rlws_state_attribute_nrai] = number_of(ready_sp | ready_sfu);
    a[rlws_state_attribute_stbrmi] = number_of(ready_mem & same_block);
}

/* Those that are the same for all schedulers. */
static void see_sm(const struct rlws_state_state *s, const struct rlws_state_in *in, uint64_t *a)
{
    a[rlws_state_attribute_atbwb] = (uint64_t)bits_any(in->at_barrier, NUM_SCHEDULERS * NUM_WARPS);
    a[rlws_state_attribute_atbwf] = (uint64_t)bits_any(in->done, NUM_SCHEDULERS * NUM_WARPS);
    a[rlws_state_attribute_tbw] = s->waiting;
    a[rlws_state_attribute_ntf] = !s->ended;
    a[rlws_state_attribute_naipmi] = s->quotient[NAIPMI - NIPL1M];
    a[rlws_state_attribute_smnmie] = s->in_flight;
    a[rlws_state_attribute_icmp] = s->percent[ICMP];
    a[rlws_state_attribute_l1mp] = s->percent[L1MP];
    a[rlws_state_attribute_l2mp] = in->l2mp;
    a[rlws_state_attribute_nipl1m] = s->quotient[0];
    a[rlws_state_attribute_agml] = in->agml;
    a[rlws_state_attribute_gnmie] = in->gnmie;
}

void rlws_state_comb(const struct rlws_state_state *s, const struct rlws_state_in *in,
                     struct rlws_state_out *out)
{
    uint64_t a[ATTRIBUTES];
    see_sm(s, in, a);
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
        see_warps(s, in, k, a);
        for (unsigned i = 0; i < RLWS_STATE_VARIABLES; i++) {
            uint64_t bucket = 0;
            for (unsigned e = 0; e < RLWS_STATE_EDGES && in->attribute[i] < ATTRIBUTES; e++) {
                const uint64_t found = a[in->attribute[i]];
                bucket += in->edges[i * RLWS_STATE_EDGES + e] <=
                          (found > RLWS_STATE_MOST ? RLWS_STATE_MOST : found);
            }
            out->value[k * RLWS_STATE_VARIABLES + i] = bucket;
        }
    }
    out->busy = s->stale || s->steps;
}

static void divide(struct rlws_state_state *s)
{
    uint64_t part = s->high << 1 | s->low >> (RLWS_COUNT_BITS + 6);
    const int fits = part >= s->by;
    part -= fits ? s->by : 0;
    s->high = part & MOST(RLWS_COUNT_BITS);
    s->low = (s->low << 1 | (uint64_t)fits) & MOST(RLWS_COUNT_BITS + 7);
    if (--s->steps)
        return;
    if (is_percentage(s->turn))
        s->percent[s->turn] = s->by ? s->low : 0; /* never, but proofs need not find that out */
    else
        s->quotient[s->turn - NIPL1M] = s->low > RLWS_STATE_MOST ? RLWS_STATE_MOST : s->low;
}

/* The next ratio by number that is stale; the one that was divided last comes last. */
static void take(struct rlws_state_state *s)
{
    do
        s->turn = (s->turn + 1) % RLWS_STATE_RATIOS;
    while (!(s->stale >> s->turn & 1));
    s->stale &= ~(UINT64_C(1) << s->turn);
    s->steps = RLWS_COUNT_BITS + 7;
    s->low = s->dividend[s->turn] * (is_percentage(s->turn) ? 100 : 1);
    s->high = 0;
    s->by = s->divisor[s->turn];
}

static void count(struct rlws_state_state *s, unsigned ratio, uint64_t above, uint64_t below)
{
    const uint64_t dividend = s->dividend[ratio] + above, divisor = s->divisor[ratio] + below;
    const int full = dividend > MOST(RLWS_COUNT_BITS) || divisor > MOST(RLWS_COUNT_BITS);
    s->dividend[ratio] = dividend >> full;
    s->divisor[ratio] = divisor >> full;
    if (above || below)
        s->stale |= UINT64_C(1) << ratio;
}

void rlws_state_tick(struct rlws_state_state *s, const struct rlws_state_in *in,
                     const struct rlws_state_out *out)
{
    unsigned alu = 0, mem = 0, fetches = 0, fetch_misses = 0;
    (void)out;
    if (in->start)
        forget(s);
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
        const int is_mem = in->issue_class[k] >= rlws_state_issue_class_gmem;
        fetches += (unsigned)bit_get(in->fetch, k);
        fetch_misses += (unsigned)(bit_get(in->fetch, k) && bit_get(in->fetch_miss, k));
        if (!bit_get(in->issued, k))
            continue;
        alu += !is_mem;
        mem += (unsigned)is_mem;
        if (is_mem && !in->start) {
            s->recent_known = 1;
            if (in->issued_warp[k] < NUM_WARPS)
                s->recent = in->block[k * NUM_WARPS + in->issued_warp[k]];
        }
    }
    const uint64_t in_flight = s->in_flight + mem;
    s->in_flight = in_flight <= in->completed ? 0 : in_flight - in->completed;
    if (s->in_flight > MOST(10))
        s->in_flight = MOST(10);
    s->waiting = (in->start || s->waiting) && !in->last_block;
    if (in->start)
        return;
    s->ended |= in->block_end;
    const int misses = in->access && in->miss;
    if (misses && in->missed_load >= 1 && in->missed_load <= LOADS)
        bit_set(s->missed, (unsigned)in->missed_load - 1, 1);
    if (s->steps)
        divide(s);
    else if (s->stale)
        take(s);
    count(s, ICMP, fetch_misses, fetches);
    count(s, L1MP, (uint64_t)misses, in->access);
    count(s, NIPL1M, alu + mem, (uint64_t)misses);
    count(s, NAIPMI, alu, mem);
}
