/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/standing.c: see standing.h. */
#include "tb/gpu/standing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "hw.h"
#include "tb/sm/sm.h"

#define SLOTS (NUM_SMS * NUM_SLOTS)

/* Warps that stand alike. */
struct group {
    struct sm_standing first;
    unsigned warps, order; /* order: in which it was found */
};

static void print_instruction(const struct sm_standing *s, FILE *out)
{
    char source[PTX_SOURCE_SIZE];
    if (s->placed)
        fprintf(out, "next pc %u%s line %u '%s'", s->pc, ptx_source_text(s->kernel, s->pc, source),
                s->kernel->uops[s->pc].line, s->kernel->text[s->pc]);
    else
        fprintf(out, "before its first instruction");
}

static void print_place(const struct sm_standing *s, FILE *out)
{
    fprintf(out, "sm %u scheduler %u slot %u  block %" PRIu64 " warp %u", s->sm, s->scheduler,
            s->slot, s->block, s->warp);
}

void standing_list(struct sm *const *sms, FILE *out)
{
    struct sm_standing s;
    for (unsigned i = 0; i < SLOTS; i++)
        if (sm_standing(sms[i / NUM_SLOTS], i % NUM_SLOTS, &s)) {
            print_place(&s, out);
            fprintf(out, "  %s  kernel %s  ", s.state, s.kernel->name);
            print_instruction(&s, out);
            fprintf(out, "  waits for %s\n", s.waits_for);
        }
}

static int alike(const struct sm_standing *a, const struct sm_standing *b)
{
    return a->kernel == b->kernel && a->placed == b->placed && a->pc == b->pc &&
           a->state == b->state && !strcmp(a->waits_for, b->waits_for);
}

static unsigned collect(struct sm *const *sms, struct group *groups)
{
    unsigned count = 0;
    struct sm_standing s;
    for (unsigned i = 0; i < SLOTS; i++) {
        if (!sm_standing(sms[i / NUM_SLOTS], i % NUM_SLOTS, &s))
            continue;
        unsigned g = 0;
        while (g < count && !alike(&groups[g].first, &s))
            g++;
        if (g == count) {
            groups[g] = (struct group){s, 0, g};
            count++;
        }
        groups[g].warps++;
    }
    return count;
}

static int more_warps(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    return x->warps != y->warps ? (x->warps < y->warps) - (x->warps > y->warps)
                                : (x->order > y->order) - (x->order < y->order);
}

static void print_group(const struct group *g, int several_kernels, FILE *out)
{
    fprintf(out, "\n  %3u warp%s %s  ", g->warps, g->warps == 1 ? "  " : "s,", g->first.state);
    if (several_kernels)
        fprintf(out, "kernel %s  ", g->first.kernel->name);
    print_instruction(&g->first, out);
    fprintf(out, "  wait%s for %s  (%s", g->warps == 1 ? "s" : "", g->first.waits_for,
            g->warps == 1 ? "" : "one is ");
    print_place(&g->first, out);
    fprintf(out, ")");
}

void standing_summary(struct sm *const *sms, unsigned lines, FILE *out)
{
    struct group *groups = malloc(SLOTS * sizeof *groups);
    if (!groups)
        return;
    const unsigned count = collect(sms, groups);
    unsigned left_out = 0;
    int several = 0;
    for (unsigned g = 1; g < count; g++)
        several |= groups[g].first.kernel != groups[0].first.kernel;
    qsort(groups, count, sizeof *groups, more_warps);
    for (unsigned g = 0; g < count; g++)
        if (g < lines)
            print_group(&groups[g], several, out);
        else
            left_out += groups[g].warps;
    if (left_out)
        fprintf(out, "\n  and %u more", left_out);
    free(groups);
}
