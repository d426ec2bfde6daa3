/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/grouped.c: see grouped.h. */
#include "tb/gpu/grouped.h"

#include <stdlib.h>
#include <string.h>

#include "tb/gpu/progress.h"
#include "tb/gpu/reads.h"
#include "tb/locality/group.h"

#define KEPT 32 /* launches whose groups are kept */

/* What groups depend on. The launch's kernel may be gone; kernels of one name and length are one. */
struct launch_key {
    struct locality_launch launch;
    char *kernel;
    uint8_t *params;
    uint32_t num_uops, param_bytes, resident, blocks;
};

struct kept {
    struct launch_key key; /* kernel is NULL: nothing is kept here */
    struct grouping grouping;
    struct grouped_launch found;
};

struct grouped {
    enum grouping_kind kind;
    int fill; /* paver_sm.fill */
    struct kept kept[KEPT];
    unsigned oldest; /* which is given up for the next */
    double seconds;
};

static const struct {
    const char *policy;
    enum grouping_kind kind;
} kinds[] = {{"mst", GROUPING_MST}, {"kway", GROUPING_KWAY}, {"rb", GROUPING_RB}};

/* The kind of the machine's policy, or NULL. */
static const enum grouping_kind *kind_of(const struct config *c)
{
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (!strcmp(kinds[i].policy, c->run_dispatch))
            return &kinds[i].kind;
    return NULL;
}

int grouped_wanted(const struct config *c)
{
    return kind_of(c) != NULL;
}

struct grouped *grouped_new(const struct config *c)
{
    struct grouped *g = calloc(1, sizeof *g);
    if (g) {
        g->kind = *kind_of(c);
        g->fill = c->paver_sm_fill != 0;
    }
    return g;
}

static void forget(struct kept *k)
{
    grouping_free(&k->grouping);
    free(k->key.kernel);
    free(k->key.params);
    *k = (struct kept){0};
}

void grouped_free(struct grouped *g)
{
    for (unsigned i = 0; g && i < KEPT; i++)
        forget(&g->kept[i]);
    free(g);
}

double grouped_seconds(const struct grouped *g)
{
    return g->seconds;
}

/* A key that points into the launch. */
static struct launch_key key_of(const struct gpu_launch *l, uint32_t blocks, uint32_t resident)
{
    return (struct launch_key){.launch = reads_launch(l),
                               .kernel = l->kernel->name,
                               .params = (uint8_t *)l->params,
                               .num_uops = l->kernel->num_uops,
                               .param_bytes = l->kernel->param_bytes,
                               .resident = resident,
                               .blocks = blocks};
}

static int same_sizes(const struct locality_launch *a, const struct locality_launch *b)
{
    return a->work_dim == b->work_dim && !memcmp(a->grid, b->grid, sizeof a->grid) &&
           !memcmp(a->block, b->block, sizeof a->block) &&
           !memcmp(a->offset, b->offset, sizeof a->offset);
}

static int same(const struct launch_key *a, const struct launch_key *b)
{
    return a->num_uops == b->num_uops && a->param_bytes == b->param_bytes &&
           a->resident == b->resident && a->blocks == b->blocks &&
           same_sizes(&a->launch, &b->launch) && !strcmp(a->kernel, b->kernel) &&
           (!a->param_bytes || !memcmp(a->params, b->params, a->param_bytes));
}

/* Makes the key's own what it points to. Returns 0, or -1: no memory. */
static int own(struct launch_key *key)
{
    const uint8_t *params = key->params;
    key->launch.kernel = NULL;
    key->launch.params = NULL;
    key->kernel = strdup(key->kernel);
    key->params = malloc(key->param_bytes + 1u);
    if (!key->kernel || !key->params)
        return -1;
    if (key->param_bytes)
        memcpy(key->params, params, key->param_bytes);
    return 0;
}

/* The graph of the first blocks of a launch. Returns 0, or -1 with *error filled. */
static int find_sharing(const struct launch_key *key, struct sharing *sharing,
                        struct ptx_error *error)
{
    struct footprint footprint = {0};
    struct locality *found = locality_find(&key->launch, error);
    const int failed = !found ||
                       footprint_find(&footprint, found, &key->launch, READS_UNIT, error) ||
                       sharing_find(sharing, &footprint, error);
    footprint_free(&footprint);
    locality_free(found);
    if (!failed)
        sharing_cut(sharing, key->blocks);
    return failed ? -1 : 0;
}

/* Finds the groups of a launch. Returns 0, or -1: no memory; *out is NULL: it cannot be analysed. */
static int find(struct grouped *g, const struct launch_key *key, const struct grouped_launch **out,
                FILE *err)
{
    struct kept *k = &g->kept[g->oldest];
    struct sharing sharing = {0};
    struct ptx_error error = {0};
    *out = NULL;
    forget(k);
    if (find_sharing(key, &sharing, &error)) {
        fprintf(err, "kernel %s: blocks in the dispatcher's order, not in groups: %s\n",
                key->kernel, error.message);
        return 0;
    }
    const int failed = grouping_make(
        &k->grouping, &sharing, g->kind,
        (struct grouping_room){.sms = NUM_SMS, .resident = key->resident, .fill = g->fill});
    k->found.counts = sharing.counts;
    sharing_free(&sharing);
    k->key = *key;
    if (own(&k->key) || failed) {
        forget(k);
        return -1;
    }
    k->found.groups =
        (struct block_groups){k->grouping.blocks, k->grouping.first, k->grouping.count};
    g->oldest = (g->oldest + 1) % KEPT;
    *out = &k->found;
    return 0;
}

int grouped_blocks(struct grouped *g, const struct gpu_launch *l, uint64_t blocks,
                   uint32_t resident, const struct grouped_launch **out, FILE *err)
{
    *out = NULL;
    if (blocks >> PAVER_TB_BITS)
        return 0;
    const struct launch_key key = key_of(l, (uint32_t)blocks, resident);
    for (unsigned i = 0; i < KEPT; i++)
        if (g->kept[i].key.kernel && same(&g->kept[i].key, &key)) {
            *out = &g->kept[i].found;
            return 0;
        }
    const double began = seconds_now();
    const int status = find(g, &key, out, err);
    g->seconds += seconds_now() - began;
    return status;
}
