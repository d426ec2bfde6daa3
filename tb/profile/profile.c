/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/profile.c: see profile.h. SMs are followed each on its own, by whatever thread runs it;
 * at a kernel's end they are added up in order. */
#include "tb/profile/profile.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "hw.h"
#include "tb/file.h"
#include "tb/profile/activity.h"
#include "tb/profile/l2_profile.h"
#include "tb/profile/lost.h"
#include "tb/profile/repetition.h"
#include "tb/profile/sm_profile.h"

/* One of the kernel's loads, as it stands in the program. */
struct site {
    uint32_t pc, line; /* line of the PTX text */
    uint32_t loop;     /* the innermost around it, from 1, or 0 */
    uint32_t number;   /* as events tell it: from 1; 0: a texture load */
    uint32_t repetition;
    char *text;
};

/* All launches of a kernel. */
struct kernel {
    char *name;
    uint64_t launches;
    uint32_t num_pcs, num_loads;
    uint32_t program_loads, program_loops; /* as events number them: loads are also atomics */
    uint32_t *load_at;                     /* by pc */
    struct site *sites;                    /* by load */
    struct load_profile *sums;             /* by load */
    struct sharing_counts sharing;
    struct l2_counts l2;
    struct lost_counts lost;
    struct activity_counts activity;
    struct kernel_loads loads; /* for the SMs, of the launch that runs */
};

struct profile {
    const struct config *config;
    char *path;
    struct sm_profile *sms[NUM_SMS];
    struct lost *lost[NUM_SMS];
    struct activity activity[NUM_SMS];
    struct l2_profile *banks; /* l2.banks */
    struct kernel *kernels;
    size_t num_kernels;
    struct kernel *running;
};

static void free_kernel(struct kernel *k)
{
    for (uint32_t i = 0; k->sites && i < k->num_loads; i++)
        free(k->sites[i].text);
    free(k->name);
    free(k->load_at);
    free(k->sites);
    free(k->sums);
}

struct profile *profile_new(const struct config *config, const char *path)
{
    struct profile *p = calloc(1, sizeof *p);
    int failed = !p;
    if (p) {
        p->config = config;
        failed = !(p->path = strdup(path)) ||
                 !(p->banks = calloc((size_t)config->l2_banks, sizeof *p->banks));
    }
    for (unsigned i = 0; i < NUM_SMS && !failed; i++) {
        activity_open(&p->activity[i]);
        failed = !(p->sms[i] = sm_profile_new(config)) || !(p->lost[i] = lost_new(config));
    }
    if (!failed)
        return p;
    profile_free(p);
    return NULL;
}

void profile_free(struct profile *p)
{
    if (!p)
        return;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        sm_profile_free(p->sms[i]);
        lost_free(p->lost[i]);
    }
    for (int64_t i = 0; p->banks && i < p->config->l2_banks; i++)
        address_map_clear(&p->banks[i].seen);
    for (size_t i = 0; i < p->num_kernels; i++)
        free_kernel(&p->kernels[i]);
    free(p->banks);
    free(p->kernels);
    free(p->path);
    free(p);
}

void profile_listen(struct profile *p, struct sm *sm, unsigned index)
{
    sm_listen(sm, sm_profile_listener(p->sms[index]));
    sm_listen(sm, lost_listener(p->lost[index]));
    sm_listen(sm, &p->activity[index].listener);
}

struct l2_listener profile_l2_listener(struct profile *p, unsigned bank)
{
    return l2_profile_listener(&p->banks[bank]);
}

/* Does it load through L1D? */
static int is_load(const struct uop *u)
{
    return u->klass == CLASS_GMEM && (u->op == U_LD || u->op == U_TEX);
}

/* Adds the numbers of the loads. Returns 0 or -1. */
static int number_loads(struct kernel *k, const struct ptx_kernel *from, int64_t line)
{
    struct landmark *marks = landmarks_of(from);
    uint32_t *repetitions = marks ? repetitions_of(from, marks, line) : NULL;
    const int failed = !repetitions;
    for (uint32_t pc = 0; pc < from->num_uops && !failed; pc++)
        k->program_loads += marks[pc].load != 0;
    for (uint32_t i = 0; i < k->num_loads && !failed; i++) {
        k->sites[i].number = marks[k->sites[i].pc].load;
        k->sites[i].repetition = repetitions[k->sites[i].pc];
    }
    free(repetitions);
    free(marks);
    return -failed;
}

/* Copies what the program says: it may be gone before the profile is written. Returns 0 or -1. */
static int describe(struct kernel *k, const struct ptx_kernel *from, int64_t line)
{
    *k = (struct kernel){.num_pcs = from->num_uops, .program_loops = from->num_loops};
    for (uint32_t pc = 0; pc < from->num_uops; pc++)
        k->num_loads += (uint32_t)is_load(&from->uops[pc]);
    k->name = strdup(from->name);
    k->load_at = calloc(k->num_pcs + 1u, sizeof *k->load_at);
    k->sites = calloc(k->num_loads + 1u, sizeof *k->sites);
    k->sums = calloc(k->num_loads + 1u, sizeof *k->sums);
    if (!k->name || !k->load_at || !k->sites || !k->sums)
        return -1;
    int failed = 0;
    for (uint32_t pc = 0, next = 0; pc < k->num_pcs; pc++) {
        k->load_at[pc] = NO_LOAD_NUMBER;
        if (!is_load(&from->uops[pc]))
            continue;
        k->load_at[pc] = next;
        k->sites[next] = (struct site){.pc = pc,
                                       .line = from->uops[pc].line,
                                       .loop = from->loop_of[pc],
                                       .text = strdup(from->text[pc])};
        failed |= !k->sites[next++].text;
    }
    return failed ? -1 : number_loads(k, from, line);
}

/* Is it this kernel? Programs may have several of one name. */
static int same(const struct kernel *k, const struct ptx_kernel *other)
{
    if (strcmp(k->name, other->name) || k->num_pcs != other->num_uops)
        return 0;
    for (uint32_t i = 0; i < k->num_loads; i++)
        if (!is_load(&other->uops[k->sites[i].pc]) ||
            strcmp(k->sites[i].text, other->text[k->sites[i].pc]))
            return 0;
    return 1;
}

static struct kernel *kernel_of(struct profile *p, const struct ptx_kernel *kernel)
{
    for (size_t i = 0; i < p->num_kernels; i++)
        if (same(&p->kernels[i], kernel))
            return &p->kernels[i];
    struct kernel *more = realloc(p->kernels, (p->num_kernels + 1) * sizeof *more);
    if (!more)
        return NULL;
    p->kernels = more;
    if (!describe(&more[p->num_kernels], kernel, p->config->l1d_line))
        return &more[p->num_kernels++];
    free_kernel(&more[p->num_kernels]);
    return NULL;
}

int profile_begin(struct profile *p, const struct ptx_kernel *kernel)
{
    struct kernel *k = p->running = kernel_of(p, kernel);
    if (!k)
        return -1;
    k->launches++;
    k->loads = (struct kernel_loads){kernel, k->num_loads, k->load_at};
    int failed = 0;
    for (unsigned i = 0; i < NUM_SMS; i++)
        failed |= sm_profile_begin(p->sms[i], &k->loads);
    return failed;
}

int profile_end(struct profile *p)
{
    struct sharing sharing = {0};
    int failed = 0;
    for (unsigned i = 0; i < NUM_SMS && p->running; i++) {
        failed |= sm_profile_end(p->sms[i], p->running->sums);
        failed |= lost_take(p->lost[i], &p->running->lost);
        activity_take(&p->activity[i], &p->running->activity);
        failed |= sharing_add(&sharing, sm_profile_sharing(p->sms[i]));
    }
    for (int64_t i = 0; i < p->config->l2_banks && p->running; i++)
        failed |= l2_profile_take(&p->banks[i], &p->running->l2);
    if (p->running)
        sharing_count(&sharing, &p->running->sharing);
    sharing_clear(&sharing);
    p->running = NULL;
    return failed;
}

static void number(cJSON *object, const char *name, double value)
{
    cJSON_AddNumberToObject(object, name, value);
}

static void add_counters(cJSON *object, const struct load_profile *l)
{
#define COUNTER(name, meaning) number(object, #name, (double)l->name);
#include "tb/profile/profile.def"
}

/* How many executions had so many lanes and lines: [lanes, lines, executions] of each pair that
 * occurs. */
static void add_shapes(cJSON *object, const struct load_profile *l)
{
    cJSON *shapes = cJSON_AddArrayToObject(object, "shapes");
    for (unsigned lanes = 0; lanes <= MOST_LANES; lanes++)
        for (unsigned lines = 0; lines <= MOST_SHAPE_LINES; lines++)
            if (l->shapes[lanes][lines]) {
                const double shape[] = {lanes, lines, (double)l->shapes[lanes][lines]};
                cJSON_AddItemToArray(shapes, cJSON_CreateDoubleArray(shape, 3));
            }
}

/* Reuses by lines touched meanwhile: 0, 1, 2-3, 4-7 and so on, up to the last that occurs. */
static void add_distances(cJSON *object, const struct load_profile *l)
{
    cJSON *distances = cJSON_AddArrayToObject(object, "distances");
    unsigned count = DISTANCE_BUCKETS;
    while (count && !l->distances[count - 1])
        count--;
    for (unsigned i = 0; i < count; i++)
        cJSON_AddItemToArray(distances, cJSON_CreateNumber((double)l->distances[i]));
}

/* By who shares the lines: accesses to them, and how many they are. */
static void add_sharing(cJSON *object, const struct sharing_counts *counts)
{
    cJSON *accesses = cJSON_AddObjectToObject(object, "sharing"),
          *lines = cJSON_AddObjectToObject(object, "lines");
#define KIND(name, meaning)                                                                        \
    number(accesses, #name, (double)counts->accesses[SHARING_##name]);                             \
    number(lines, #name, (double)counts->lines[SHARING_##name]);
    SHARING_KINDS(KIND)
#undef KIND
}

static void add_l2(cJSON *object, const struct l2_counts *counts)
{
    cJSON *l2 = cJSON_AddObjectToObject(object, "l2");
#define COUNTER(name, meaning) number(l2, #name, (double)counts->name);
#include "tb/profile/l2_profile.def"
}

static void add_lost(cJSON *object, const struct lost_counts *counts)
{
    cJSON *lost = cJSON_AddObjectToObject(object, "lost");
#define COUNTER(name, meaning) number(lost, #name, (double)counts->name);
#include "tb/profile/lost.def"
}

static void add_activity(cJSON *object, const struct activity_counts *counts)
{
    cJSON *activity = cJSON_AddObjectToObject(object, "activity");
#define COUNTER(name, meaning)                                                                     \
    number(activity, #name, (double)counts->instructions[ACTIVITY_##name]);
#include "tb/profile/activity.def"
}

static void add_load(cJSON *loads, const struct kernel *k, uint32_t i)
{
    cJSON *load = cJSON_CreateObject();
    cJSON_AddItemToArray(loads, load);
    number(load, "pc", k->sites[i].pc);
    number(load, "line", k->sites[i].line);
    cJSON_AddStringToObject(load, "text", k->sites[i].text);
    number(load, "number", k->sites[i].number);
    number(load, "loop", k->sites[i].loop);
    number(load, "repetition", k->sites[i].repetition);
    add_counters(load, &k->sums[i]);
    add_shapes(load, &k->sums[i]);
    add_distances(load, &k->sums[i]);
}

/* A kernel, and its sums to the totals. */
static void add_kernel(cJSON *kernels, const struct kernel *k, struct load_profile *totals,
                       struct sharing_counts *sharing, struct l2_counts *l2,
                       struct lost_counts *lost, struct activity_counts *activity)
{
    cJSON *kernel = cJSON_CreateObject();
    struct load_profile sum = {0};
    cJSON_AddItemToArray(kernels, kernel);
    cJSON_AddStringToObject(kernel, "name", k->name);
    number(kernel, "launches", (double)k->launches);
    number(kernel, "program_loads", k->program_loads);
    number(kernel, "program_loops", k->program_loops);
    for (uint32_t i = 0; i < k->num_loads; i++)
        load_profile_add(&sum, &k->sums[i]);
    add_counters(kernel, &sum);
    add_distances(kernel, &sum);
    add_sharing(kernel, &k->sharing);
    add_l2(kernel, &k->l2);
    l2_counts_add(l2, &k->l2);
    add_lost(kernel, &k->lost);
    lost_counts_add(lost, &k->lost);
    add_activity(kernel, &k->activity);
    activity_counts_add(activity, &k->activity);
    for (unsigned i = 0; i < NUM_SHARING_KINDS; i++) {
        sharing->accesses[i] += k->sharing.accesses[i];
        sharing->lines[i] += k->sharing.lines[i];
    }
    cJSON *loads = cJSON_AddArrayToObject(kernel, "loads");
    for (uint32_t i = 0; i < k->num_loads; i++)
        if (k->sums[i].executions)
            add_load(loads, k, i);
    load_profile_add(totals, &sum);
}

static cJSON *document(const struct profile *p)
{
    cJSON *root = cJSON_CreateObject();
    struct load_profile totals = {0};
    struct sharing_counts sharing = {0};
    struct l2_counts l2 = {0};
    struct lost_counts lost = {0};
    struct activity_counts activity = {0};
    cJSON_AddStringToObject(root, "config", p->config->name);
    cJSON_AddStringToObject(root, "sched", p->config->run_sched);
    cJSON_AddStringToObject(root, "dispatch", p->config->run_dispatch);
    number(root, "l1d_lines", (double)(p->config->l1d_sets * p->config->l1d_ways));
    number(root, "l1d_line", (double)p->config->l1d_line);
    cJSON *kernels = cJSON_AddArrayToObject(root, "kernels");
    for (size_t i = 0; i < p->num_kernels; i++)
        add_kernel(kernels, &p->kernels[i], &totals, &sharing, &l2, &lost, &activity);
    cJSON *object = cJSON_AddObjectToObject(root, "totals");
    add_counters(object, &totals);
    add_distances(object, &totals);
    add_sharing(object, &sharing);
    add_l2(object, &l2);
    add_lost(object, &lost);
    add_activity(object, &activity);
    return root;
}

int profile_write(const struct profile *p, FILE *err)
{
    struct file *file = file_create(p->path, err);
    if (!file)
        return -1;
    cJSON *root = document(p);
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    if (!text) {
        fprintf(err, "%s: no memory for the profile\n", p->path);
        file_discard(file);
        return -1;
    }
    fprintf(file_stream(file), "%s\n", text);
    cJSON_free(text);
    return file_commit(file, err);
}
