/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/rlws_state_stimulus.c: random but plausible inputs of what RLWS's learner sees. Settings hold for a phase. Levels, and what
 * software sets, are drawn anew from a number that is kept for as long as they hold. In some phases memory instructions pile up, in
 * others nothing happens; in the wild ones more complete than are in flight, edges do not ascend and warps have no such number. */
#include "cmodel/rlws_state/rlws_state.h"
#include "cosim/stimulus.h"

void rlws_state_stimulus(struct stimulus *, void *input);

#define SLOTS (NUM_SCHEDULERS * NUM_WARPS)

enum { LEVELS = 11 };

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left; /* cycles until the next phase */
    uint64_t wild, quiet, piling;
    uint64_t levels, settings; /* what they are drawn from */
    uint64_t density[LEVELS];  /* how many warps have a level */
    uint64_t loads, blocks;    /* how many there are */
    uint64_t moves;            /* once in so many cycles levels change; and so on */
    uint64_t kernels, issues, memory, sfu, accesses, misses, fetches, fetch_misses, block_ends;
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");

static uint64_t often(struct stimulus *s)
{
    static const uint64_t once_in[] = {1, 1, 2, 3, 10, 40, 500};
    return once_in[stimulus_below(s, 7)];
}

static void new_phase(struct stimulus *s, struct phase *p)
{
    static const uint64_t kernels[] = {20, 500, 20000, 1000000};
    p->left = stimulus_below(s, stimulus_once_in(s, 8) ? 40000 : 3000);
    p->wild = (uint64_t)stimulus_once_in(s, 6);
    p->quiet = (uint64_t)stimulus_once_in(s, 12);
    p->piling = (uint64_t)stimulus_once_in(s, 4);
    p->settings = stimulus_bits(s) | 1;
    for (int i = 0; i < LEVELS; i++)
        p->density[i] = stimulus_below(s, 8);
    p->loads = 1 + stimulus_below(s, 1 << LOAD_BITS);
    p->blocks = 1 + stimulus_below(s, stimulus_once_in(s, 3) ? 64 : 8);
    p->moves = often(s);
    p->kernels = kernels[stimulus_below(s, 4)];
    p->issues = p->piling ? 1 : often(s);
    p->memory = p->piling ? 2 : often(s);
    p->sfu = often(s);
    p->accesses = often(s);
    p->misses = often(s);
    p->fetches = often(s);
    p->fetch_misses = often(s);
    p->block_ends = often(s) * 100;
}

/* A level of all warps: of all, of none, of few, of most, of half of them. */
static void draw_level(struct stimulus *s, uint64_t density, uint64_t *words)
{
    for (unsigned at = 0; at < SLOTS; at += 64) {
        const uint64_t a = stimulus_bits(s), few = a & stimulus_bits(s) & stimulus_bits(s);
        const unsigned width = SLOTS - at < 64 ? SLOTS - at : 64;
        bits_set(words, at, width,
                 density == 0   ? ~UINT64_C(0)
                 : density == 1 ? 0
                 : density == 2 ? few
                 : density == 3 ? ~few
                                : a);
    }
}

static void draw_levels(struct phase *p, struct rlws_state_in *in)
{
    struct stimulus of = stimulus_start(p->levels);
    draw_level(&of, p->density[0], in->occupied);
    draw_level(&of, p->density[1], in->running);
    draw_level(&of, stimulus_once_in(&of, 2), in->at_barrier); /* of none, or of all */
    draw_level(&of, stimulus_once_in(&of, 2) ? 1 : p->density[2], in->done);
    if (stimulus_once_in(&of, 2)) { /* one alone */
        const unsigned slot = (unsigned)stimulus_below(&of, SLOTS);
        draw_level(&of, 1, stimulus_once_in(&of, 2) ? in->done : in->at_barrier);
        bit_set(stimulus_once_in(&of, 2) ? in->done : in->at_barrier, slot, 1);
    }
    draw_level(&of, p->density[3], in->buffered);
    draw_level(&of, p->density[4], in->clear);
    draw_level(&of, p->density[5], in->split);
    draw_level(&of, p->density[6], in->next_sp);
    draw_level(&of, p->density[7], in->next_sfu);
    draw_level(&of, p->density[8], in->next_gmem);
    draw_level(&of, p->density[9], in->next_stcmem);
    for (unsigned w = 0; w < SLOTS; w++) {
        const unsigned class = (unsigned)stimulus_below(&of, 4);
        if (p->density[10] > 2) { /* an instruction issues to one pipeline */
            bit_set(in->next_sp, w, class == 0);
            bit_set(in->next_sfu, w, class == 1);
            bit_set(in->next_gmem, w, class == 2);
            bit_set(in->next_stcmem, w, class == 3);
        }
        in->next_load[w] = stimulus_below(&of, p->loads);
        in->block[w] = stimulus_below(&of, p->blocks);
    }
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++)
        bit_set(in->takes_sp, k, !stimulus_once_in(&of, 3));
    in->takes_sfu = (uint64_t)!stimulus_once_in(&of, 3);
    in->takes_mem = (uint64_t)!stimulus_once_in(&of, 3);
    in->agml = stimulus_once_in(&of, 3) ? 1023 : stimulus_below(&of, 1024);
    in->l2mp = stimulus_below(&of, p->wild ? 128 : 101);
    in->gnmie = stimulus_once_in(&of, 3) ? 1023 : stimulus_below(&of, 1024);
}

/* All edges of a variable at one place: at 0, of an attribute that there is not; or 1023 without a bit, which only
 * attributes of ten bits reach. */
static void draw_equal_edges(struct stimulus *of, struct rlws_state_in *in, unsigned variable)
{
    static const uint64_t large[] = {rlws_state_attribute_naipmi, rlws_state_attribute_smnmie,
                                     rlws_state_attribute_nipl1m, rlws_state_attribute_agml,
                                     rlws_state_attribute_gnmie};
    const int none = stimulus_once_in(of, 3);
    in->attribute[variable] = none ? 34 + stimulus_below(of, stimulus_once_in(of, 2) ? 2 : 30)
                                   : large[stimulus_below(of, 5)];
    const uint64_t place = none ? 0 : 1023 ^ UINT64_C(1) << stimulus_below(of, 10);
    for (unsigned e = 0; e < RLWS_STATE_EDGES; e++)
        in->edges[variable * RLWS_STATE_EDGES + e] = place;
}

static void draw_settings(const struct phase *p, struct rlws_state_in *in)
{
    struct stimulus of = stimulus_start(p->settings);
    static const uint64_t ranges[] = {2, NUM_WARPS + 1, 101, 1024};
    for (unsigned i = 0; i < RLWS_STATE_VARIABLES; i++) {
        uint64_t *edges = &in->edges[i * RLWS_STATE_EDGES];
        const uint64_t range = ranges[stimulus_below(&of, 4)];
        const unsigned there = 1 + (unsigned)stimulus_below(&of, RLWS_STATE_EDGES);
        in->attribute[i] = stimulus_below(&of, stimulus_once_in(&of, 4) ? 64 : 34);
        for (unsigned e = 0; e < RLWS_STATE_EDGES; e++)
            edges[e] = e < there ? stimulus_below(&of, range) : 1023;
        for (unsigned e = 1; e < there && !p->wild; e++) /* ascending */
            for (unsigned at = e; at > 0 && edges[at] < edges[at - 1]; at--) {
                const uint64_t lower = edges[at];
                edges[at] = edges[at - 1];
                edges[at - 1] = lower;
            }
        if (stimulus_once_in(&of, 6))
            draw_equal_edges(&of, in, i);
    }
}

static void draw_events(struct stimulus *s, const struct phase *p, struct rlws_state_in *in)
{
    const struct rlws_state_state *state = s->state;
    uint64_t most = state->in_flight;
    const int any = !p->quiet;
    in->start = (uint64_t)(any && stimulus_once_in(s, p->kernels));
    in->last_block = (uint64_t)(any && stimulus_once_in(s, p->kernels));
    in->block_end = (uint64_t)(any && stimulus_once_in(s, p->block_ends));
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
        const int issued = any && stimulus_once_in(s, p->issues),
                  memory = stimulus_once_in(s, p->memory);
        bit_set(in->issued, k, issued);
        in->issue_class[k] =
            memory ? 2 + stimulus_below(s, 2) : (uint64_t)stimulus_once_in(s, p->sfu);
        in->issued_warp[k] =
            stimulus_below(s, p->wild ? UINT64_C(1) << CLOG2(NUM_WARPS) : NUM_WARPS);
        bit_set(in->fetch, k, any && stimulus_once_in(s, p->fetches));
        bit_set(in->fetch_miss, k, stimulus_once_in(s, p->fetch_misses));
        most += (uint64_t)(issued && memory);
    }
    in->completed = 0;
    if (any && !p->piling && stimulus_once_in(s, p->wild ? 20 : 2))
        in->completed =
            p->wild ? stimulus_below(s, 1024) : stimulus_below(s, (most < 12 ? most : 12) + 1);
    if (any && !p->piling && stimulus_once_in(s, 60)) { /* all of them, just not all, or too many */
        const uint64_t about = most + stimulus_below(s, p->wild ? 16 : 9);
        in->completed = about < 8 ? 0 : about - 8 < 1023 ? about - 8 : 1023;
    }
    in->access = (uint64_t)(any && stimulus_once_in(s, p->accesses));
    in->miss = (uint64_t)stimulus_once_in(s, p->misses);
    in->missed_load = stimulus_below(s, p->loads);
}

void rlws_state_stimulus(struct stimulus *s, void *input)
{
    struct rlws_state_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    if (p->left-- == 0)
        new_phase(s, p);
    if (!p->levels || stimulus_once_in(s, p->moves))
        p->levels = stimulus_bits(s) | 1;
    draw_levels(p, in);
    draw_settings(p, in);
    draw_events(s, p, in);
}
