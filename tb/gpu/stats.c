/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/stats.c: gathers the statistics; stats_file.c writes them. See stats.h. */
#include "tb/gpu/stats.h"

#include <stdlib.h>
#include <string.h>

void stats_add_words(void *to, const void *from, size_t size)
{
    uint64_t *sum = to;
    const uint64_t *term = from;
    for (size_t i = 0; i < size / sizeof *sum; i++)
        sum[i] += term[i];
}

/* Where the unit's sums are: in alphabetical order. */
static struct stats_unit *find_unit(struct stats *s, const char *stem)
{
    unsigned at = 0;
    while (at < s->num_units && strcmp(s->units[at].stem, stem) < 0)
        at++;
    if (at < s->num_units && !strcmp(s->units[at].stem, stem))
        return &s->units[at];
    memmove(&s->units[at + 1], &s->units[at], (s->num_units++ - at) * sizeof s->units[at]);
    s->units[at] = (struct stats_unit){.stem = stem};
    return &s->units[at];
}

void stats_add_rack(struct stats *s, const struct rack *rack)
{
    const struct unit_inst *unit;
    for (unsigned i = 0; (unit = rack_unit(rack, i)); i++) {
        struct stats_unit *sum = find_unit(s, unit_stem(unit));
        sum->cycles += unit_cycles(unit);
        sum->mismatches += unit_mismatches(unit);
        sum->unit = unit_of(unit);
        const struct fsm *fsm;
        for (unsigned n = 0; (fsm = unit_fsm(sum->unit, n)); n++)
            for (unsigned e = 0; e < fsm->num_edges; e++)
                sum->edges[n][e] += unit_edges(unit, n)[e];
    }
}

void stats_forget_units(struct stats *s)
{
    s->num_units = 0;
}

void stats_add_own(struct stats_sums *sums, const struct sm *sm, unsigned kernel)
{
    stats_add_words(&sums->sm, sm_counters_of(sm, kernel), sizeof sums->sm);
}

void stats_add_sm(struct stats_sums *sums, const struct sm *sm)
{
    const struct sm_counters counters = sm_counters(sm);
    stats_add_words(&sums->sm, &counters, sizeof sums->sm);
    stats_add_words(&sums->l1d, sm_l1d_counters(sm), sizeof sums->l1d);
    stats_add_words(sums->l1d_spaces, sm_l1d_spaces(sm), sizeof sums->l1d_spaces);
    stats_add_words(&sums->l1c, sm_l1c_counters(sm), sizeof sums->l1c);
    stats_add_words(&sums->l1i, sm_l1i_counters(sm), sizeof sums->l1i);
}

void stats_add_memory(struct stats_sums *sums, const struct memory_counters *now,
                      const struct memory_counters *before)
{
    uint64_t *sum = (uint64_t *)&sums->memory;
    for (size_t i = 0; i < sizeof *now / sizeof *sum; i++)
        sum[i] += ((const uint64_t *)now)[i] - ((const uint64_t *)before)[i];
}

int stats_reserve(struct stats *s)
{
    if (s->num_kernels < s->places)
        return 0;
    const size_t places = s->places ? 2 * s->places : 16;
    struct kernel_stats *more = realloc(s->kernels, places * sizeof *more);
    if (!more)
        return -1;
    s->kernels = more;
    s->places = places;
    return 0;
}

static int alike(const struct kernel_stats *a, const struct kernel_stats *b)
{
    const struct occupancy *p = &a->occupancy, *q = &b->occupancy;
    return !a->shares && !b->shares && a->status == b->status &&
           !memcmp(a->grid, b->grid, sizeof a->grid) &&
           !memcmp(a->block, b->block, sizeof a->block) && p->instructions == q->instructions &&
           p->registers == q->registers && p->shared_bytes == q->shared_bytes &&
           !strcmp(a->name, b->name);
}

/* The kernel that a launch is to be added to, or NULL. What ran last is the likeliest. */
static struct kernel_stats *find_alike(const struct stats *s, const struct kernel_stats *kernel)
{
    for (size_t i = s->fold ? s->num_kernels : 0; i-- > 0;)
        if (alike(&s->kernels[i], kernel))
            return &s->kernels[i];
    return NULL;
}

int stats_add_kernel(struct stats *s, const struct kernel_stats *kernel, struct logs *logs)
{
    struct kernel_stats *k = find_alike(s, kernel);
    if (s->fold)
        logs_free(logs);
    if (k) {
        k->launches += kernel->launches;
        stats_add_words(&k->sums, &kernel->sums, sizeof k->sums);
    } else {
        char *copy = stats_reserve(s) ? NULL : strdup(kernel->name);
        if (!copy)
            return -1;
        k = &s->kernels[s->num_kernels++];
        *k = *kernel;
        k->name = copy;
        k->logs = *logs;
    }
    *logs = (struct logs){0};
    s->last = (size_t)(k - s->kernels);
    s->num_launches++;
    if (!kernel->shares)
        stats_add_words(&s->totals, &kernel->sums, sizeof kernel->sums);
    return 0;
}

int stats_add_period(struct stats *s, size_t first, const struct stats_sums *sums)
{
    struct period_stats *more = realloc(s->periods, (s->num_periods + 1) * sizeof *more);
    if (!more)
        return -1;
    s->periods = more;
    struct period_stats *const p = &s->periods[s->num_periods++];
    *p = (struct period_stats){.first = first, .count = s->num_kernels - first, .sums = *sums};
    for (size_t i = first; i < s->num_kernels; i++) {
        const struct stats_sums *own = &s->kernels[i].sums;
        p->sums.tail_cycles += own->tail_cycles;
        stats_add_words(&p->sums.tolerated, &own->tolerated, sizeof own->tolerated);
    }
    stats_add_words(&s->totals, &p->sums, sizeof p->sums);
    return 0;
}

void stats_free(struct stats *s)
{
    for (size_t i = 0; i < s->num_kernels; i++) {
        free(s->kernels[i].name);
        logs_free(&s->kernels[i].logs);
        free(s->kernels[i].log);
    }
    free(s->kernels);
    free(s->periods);
}
