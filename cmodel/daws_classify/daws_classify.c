/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/daws_classify/daws_classify.c: see daws_classify.h. Tables of loops and loads have no
 * element for number 0. */
#include "cmodel/daws_classify/daws_classify.h"

#include <string.h>

#include "cmodel/loop_footprint.h"

_Static_assert(NUM_WARPS >= 2 && LOOP_BITS >= 2 && LOAD_BITS >= 2, "every table has an index");
_Static_assert(ILRD_SETS >= 2 && (ILRD_SETS & (ILRD_SETS - 1)) == 0, "low bits of a line");
_Static_assert(ILRD_WAYS >= 2 && (ILRD_WAYS & (ILRD_WAYS - 1)) == 0, "low bits of an address");
_Static_assert(LINE_BITS > CLOG2(ILRD_SETS) && LINE_BITS + LOAD_BITS <= 64, "fits a word");

#define LOOPS        ((1u << LOOP_BITS) - 1)
#define LOADS        (1u << (LOAD_BITS - 1))
#define LOCALITY_MAX 31
#define LOCALITY_MIN 32 /* two's complement, 6 bits: -32 */

static int has_locality(const struct daws_classify_state *s, uint64_t loop)
{
    return loop && s->locality[loop - 1] > 0 && s->locality[loop - 1] <= LOCALITY_MAX;
}

static int samples(const struct daws_classify_state *s, uint64_t slot, uint64_t loop)
{
    return loop && s->last[loop - 1] && s->sampler[loop - 1] == slot;
}

void daws_classify_reset(struct daws_classify_state *s)
{
    memset(s->last, 0, sizeof s->last);
    memset(s->sampler, 0, sizeof s->sampler);
    memset(s->locality, 0, sizeof s->locality);
    memset(s->diverged, 0, sizeof s->diverged);
    memset(s->converged, 0, sizeof s->converged);
    memset(s->load_loop, 0, sizeof s->load_loop);
    memset(s->divergence, 0, sizeof s->divergence);
    memset(s->repetition, 0, sizeof s->repetition);
    memset(s->ilrd_valid, 0, sizeof s->ilrd_valid);
    memset(s->ilrd_warp, 0, sizeof s->ilrd_warp);
}

static uint64_t footprint(const struct daws_classify_state *s, uint64_t loop, uint64_t active)
{
    return has_locality(s, loop)
               ? loop_footprint(active, s->diverged[loop - 1], s->converged[loop - 1])
               : 0;
}

void daws_classify_comb(const struct daws_classify_state *s, const struct daws_classify_in *in,
                        struct daws_classify_out *out)
{
    for (unsigned n = 0; n < NUM_SCHEDULERS; n++) {
        const uint64_t asked = loop_asked(in->loop_begin[n], in->loop_last[n], in->inner[n]);
        out->footprint[n] = footprint(s, asked, in->active[n]);
        out->closest[n] = footprint(s, in->next_loop[n], in->active[n]);
    }
}

/* Where the bit of pair (i, j), i < j, stands. */
static unsigned pair(unsigned i, unsigned j)
{
    return i * (2 * ILRD_WAYS - 1 - i) / 2 + (j - i - 1);
}

/* Way i was used before way j. */
static int is_older(uint64_t order, unsigned i, unsigned j)
{
    return (int)(i < j ? order >> pair(i, j) & 1 : !(order >> pair(j, i) & 1));
}

/* The way of the set for line and warp: where they are, or where they go. */
static unsigned find_way(const struct daws_classify_state *s, unsigned set, uint64_t tag,
                         uint64_t warp, int *found)
{
    unsigned oldest = 0;
    for (unsigned way = 0; way < ILRD_WAYS; way++) {
        const unsigned e = set * ILRD_WAYS + way;
        *found = (int)bit_get(s->ilrd_valid, e) && s->ilrd_warp[e] == warp &&
                 s->ilrd[e] >> (LOAD_BITS - 1) == tag;
        if (*found)
            return way;
    }
    for (unsigned way = 0; way < ILRD_WAYS; way++)
        if (!bit_get(s->ilrd_valid, set * ILRD_WAYS + way))
            return way;
    for (unsigned way = 1; way < ILRD_WAYS; way++)
        if (is_older(s->ilrd_order[set], way, oldest))
            oldest = way;
    return oldest;
}

/* The order of the set once this way has been used; pairs with an invalid way are 0, because what
 * the memory holds of them may never have been written. */
static uint64_t use_way(const struct daws_classify_state *s, unsigned set, unsigned used)
{
    uint64_t order = 0;
    for (unsigned i = 0; i < ILRD_WAYS; i++) {
        for (unsigned j = i + 1; j < ILRD_WAYS; j++) {
            const int both = (int)bit_get(s->ilrd_valid, set * ILRD_WAYS + i) &&
                             (int)bit_get(s->ilrd_valid, set * ILRD_WAYS + j);
            const int older =
                j == used || (i != used && both && is_older(s->ilrd_order[set], i, j));
            order |= (uint64_t)older << pair(i, j);
        }
    }
    return order;
}

/* Asks the repetition detector, which remembers the load: the one that it named before, or LOADS. */
static unsigned detect(struct daws_classify_state *s, const struct daws_classify_in *in,
                       unsigned load)
{
    const unsigned set = (unsigned)(in->access_line % ILRD_SETS);
    const uint64_t tag = in->access_line / ILRD_SETS;
    int found;
    const unsigned way = find_way(s, set, tag, in->access_warp, &found), e = set * ILRD_WAYS + way;
    const unsigned before = found ? (unsigned)(s->ilrd[e] & (LOADS - 1)) : LOADS;
    s->ilrd_order[set] = use_way(s, set, way);
    s->ilrd[e] = tag << (LOAD_BITS - 1) | load;
    s->ilrd_warp[e] = in->access_warp;
    bit_set(s->ilrd_valid, e, 1);
    return before;
}

/* The loop's repetition id is counted, or taken out of the counts. */
static void count(struct daws_classify_state *s, uint64_t loop, uint64_t id, int up)
{
    int is_diverged = 0;
    for (unsigned i = 0; i < LOADS; i++)
        is_diverged |= s->load_loop[i] && s->repetition[i] == id && s->divergence[i] > 1;
    uint64_t *counter = is_diverged ? s->diverged : s->converged;
    counter[loop - 1] += up ? 1 : UINT64_MAX;
}

static void classify(struct daws_classify_state *s, const struct daws_classify_in *in)
{
    const uint64_t loop = in->access_loop;
    if (!in->access || in->access_load == 0 || in->access_load > LOADS ||
        !samples(s, in->access_warp, loop) || !has_locality(s, loop))
        return;
    const unsigned load = (unsigned)in->access_load - 1;
    if (s->load_loop[load] && s->load_loop[load] != loop)
        return;
    if (s->load_loop[load]) {
        count(s, loop, s->repetition[load], 0);
    } else {
        s->load_loop[load] = loop;
        s->repetition[load] = load;
    }
    const unsigned other = detect(s, in, load);
    const uint64_t from = s->repetition[load];
    if (other < LOADS && s->load_loop[other] == loop && s->repetition[other] != from) {
        const uint64_t to = s->repetition[other];
        count(s, loop, to, 0);
        for (unsigned i = 0; i < LOADS; i++)
            if (s->load_loop[i] && s->repetition[i] == from)
                s->repetition[i] = to;
    }
    uint64_t *divergence = &s->divergence[load];
    if (in->access_active > 2 && in->access_lines > 2)
        *divergence += *divergence < 3;
    else if (in->access_active > 2)
        *divergence -= *divergence > 0;
    count(s, loop, s->repetition[load], 1);
}

static void feed_back(struct daws_classify_state *s, const struct daws_classify_in *in)
{
    if (!in->feedback || !samples(s, in->feedback_warp, in->feedback_loop))
        return;
    uint64_t *locality = &s->locality[in->feedback_loop - 1];
    if (in->feedback_local)
        *locality = *locality == LOCALITY_MAX ? LOCALITY_MAX : (*locality + 1) & 63;
    else
        *locality = *locality == LOCALITY_MIN ? LOCALITY_MIN : (*locality - 1) & 63;
}

static int is_inside(uint64_t loop, uint64_t first, uint64_t last)
{
    return loop >= first && loop <= last;
}

/* What the warps issue decides who samples, and what the detector forgets. */
static void follow(struct daws_classify_state *s, const struct daws_classify_in *in)
{
    uint64_t forgets[NUM_SCHEDULERS];
    for (unsigned n = 0; n < NUM_SCHEDULERS; n++)
        forgets[n] = bit_get(in->issue, n) && in->warp[n] < NUM_WARPS &&
                     samples(s, n * NUM_WARPS + in->warp[n], in->loop_end[n]);
    unsigned fresh = 0;
    while (fresh < NUM_SCHEDULERS * NUM_WARPS && !bit_get(in->fresh, fresh))
        fresh++;
    for (unsigned l = 1; l <= LOOPS; l++) {
        int leaves = s->sampler[l - 1] == fresh;
        for (unsigned n = 0; n < NUM_SCHEDULERS; n++)
            leaves |= bit_get(in->issue, n) && in->warp[n] < NUM_WARPS &&
                      s->sampler[l - 1] == n * NUM_WARPS + in->warp[n] &&
                      !is_inside(in->loop[n], l, s->last[l - 1]);
        if (leaves)
            s->last[l - 1] = 0;
    }
    for (unsigned n = 0; n < NUM_SCHEDULERS; n++) {
        const uint64_t l = in->loop_begin[n], slot = n * NUM_WARPS + in->warp[n];
        if (!bit_get(in->issue, n) || in->warp[n] >= NUM_WARPS)
            continue;
        if (l && in->active[n] > 2 && is_inside(in->loop[n], l, in->loop_last[n]) &&
            !s->last[l - 1]) {
            s->last[l - 1] = in->loop_last[n];
            s->sampler[l - 1] = slot;
            forgets[n] = 1;
        }
        for (unsigned e = 0; forgets[n] && e < ILRD_SETS * ILRD_WAYS; e++)
            if (s->ilrd_warp[e] == slot)
                bit_set(s->ilrd_valid, e, 0);
    }
}

void daws_classify_tick(struct daws_classify_state *s, const struct daws_classify_in *in,
                        const struct daws_classify_out *out)
{
    (void)out;
    if (in->start) {
        daws_classify_reset(s);
        return;
    }
    classify(s, in);
    feed_back(s, in);
    follow(s, in);
}
