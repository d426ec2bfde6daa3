/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/sharing.c: see sharing.h. */
#include "tb/cli/model/sharing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of G(n): what misses less than once in so many accesses, over the ways, is not followed until it fills a set. */
#define GROWTH ((size_t)1 << 20)

int model_sharers_read(struct model_sharers *s, const char *who, const struct model_cache *cache,
                       char *const *files, unsigned count, unsigned ways, double noise)
{
    struct model_program *p = s->programs;
    unsigned most = 0;
    *s = (struct model_sharers){.count = count};
    for (unsigned i = 0; i < count; i++) {
        if (model_program_read(&p[i], cache, files[i]) ||
            (i && !model_programs_match(&p[0], &p[i])))
            return -1;
        const unsigned its = p[i].ways[p[i].num - 1];
        most = its > most ? its : most;
    }
    s->ways = ways ? ways : most;
    if (s->ways < most) {
        fprintf(stderr, "%s: --ways=%u: a run had %u\n", who, s->ways, most);
        return -1;
    }
    for (unsigned i = 0; i < count; i++)
        if (model_program_profile(&p[i], s->ways, noise))
            return -1;
    return 0;
}

void model_sharers_free(struct model_sharers *s)
{
    for (unsigned i = 0; i < s->count; i++)
        model_program_free(&s->programs[i]);
    free(s->room);
    s->room = NULL;
}

int model_sharers_grow(struct model_sharers *s, const char *who)
{
    s->room = calloc(s->count * GROWTH, sizeof *s->room);
    if (!s->room) {
        fprintf(stderr, "%s: no memory\n", who);
        return -1;
    }
    for (unsigned i = 0; i < s->count; i++) {
        const struct model_program *p = &s->programs[i];
        const enum camp_error error = camp_grow(&p->camp.curve, s->ways, CAMP_KEEP,
                                                s->room + i * GROWTH, GROWTH, &s->growth[i]);
        if (error) {
            fprintf(stderr, "%s: %s: %s\n", who, p->name, camp_reason(error));
            return -1;
        }
        s->sharers[i] = (struct camp_sharer){&p->camp, &s->growth[i]};
    }
    return 0;
}

static enum camp_error divide_two(const struct model_sharers *s, double ways[CAMP_SHARERS])
{
    struct camp_equilibria e;
    const enum camp_error error = camp_scan(s->sharers, s->ways, CAMP_CAMP, &e);
    if (error == CAMP_ROOM_LEFT) {
        for (unsigned i = 0; i < 2; i++)
            ways[i] = fmin(s->growth[i].top, s->ways);
    } else if (!error) {
        ways[0] = e.first[e.answer];
        ways[1] = s->ways - ways[0];
    }
    return error;
}

enum camp_error model_sharers_divide(const struct model_sharers *s, double ways[CAMP_SHARERS])
{
    struct camp_share share;
    if (s->count == 1) {
        ways[0] = s->ways;
        return CAMP_OK;
    }
    if (s->count == 2)
        return divide_two(s, ways);
    const enum camp_error error = camp_share(s->sharers, s->count, s->ways, &share);
    memcpy(ways, share.ways, sizeof share.ways);
    return error;
}

void model_sharers_note(const struct model_program pair[MODEL_PAIR], const struct model_measured *m)
{
    for (unsigned i = 0; i < MODEL_PAIR; i++) {
        if (m->sms[i] != pair[i].sms)
            printf("note: %s ran alone on %u SMs, beside the other on %u: not what the models "
                   "know\n",
                   pair[i].name, pair[i].sms, m->sms[i]);
        if (!pair[i].cache->apart && m->blocks[i] != pair[i].blocks)
            printf(
                "note: %s ran alone with sm.max_blocks = %u, beside the other with kmu.blocks_%u "
                "= %u: not what the models know\n",
                pair[i].name, pair[i].blocks, i, m->blocks[i]);
    }
}
