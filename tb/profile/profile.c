/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/profile.c: see profile.h. SMs are followed each on its own, by whatever thread runs it;
 * at a kernel's end they are added up in order. */
#include "tb/profile/profile.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "hw.h"
#include "tb/file.h"
#include "tb/profile/kernel.h"
#include "tb/profile/stacks.h"

/* A launch that runs, or none. */
struct running {
    struct profiled_kernel *kernel; /* NULL: none */
    struct kernel_loads loads;      /* for the SMs */
    int beside;                     /* another one has run beside it */
};

struct profile {
    const struct config *config;
    char *path;
    struct sm_profile *sms[NUM_SMS];
    struct lost *lost[NUM_SMS];
    struct activity activity[NUM_SMS];
    struct dependence dependence[NUM_SMS];
    struct l1d_stacks *stacks[NUM_SMS];
    struct l2_profile *banks; /* l2.banks */
    struct profiled_kernel **kernels;
    size_t num_kernels;
    struct running running[NUM_KERNELS];
    struct l2_counts together; /* what L2 missed while several ran */
};

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
        dependence_open(&p->dependence[i], config);
        failed = !(p->sms[i] = sm_profile_new(config)) || !(p->lost[i] = lost_new(config)) ||
                 !(p->stacks[i] = l1d_stacks_new(config));
    }
    for (int64_t i = 0; i < config->l2_banks && !failed; i++)
        failed = stacks_open(&p->banks[i].stacks, (uint64_t)config->l2_sets);
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
        dependence_close(&p->dependence[i]);
        l1d_stacks_free(p->stacks[i]);
    }
    for (int64_t i = 0; p->banks && i < p->config->l2_banks; i++) {
        address_map_clear(&p->banks[i].seen);
        stacks_close(&p->banks[i].stacks);
    }
    for (size_t i = 0; i < p->num_kernels; i++)
        profiled_kernel_free(p->kernels[i]);
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
    sm_listen(sm, &p->dependence[index].listener);
    sm_listen(sm, l1d_stacks_listener(p->stacks[index]));
}

struct l2_listener profile_l2_listener(struct profile *p, unsigned bank)
{
    return l2_profile_listener(&p->banks[bank]);
}

static struct profiled_kernel *kernel_of(struct profile *p, const struct ptx_kernel *kernel)
{
    for (size_t i = 0; i < p->num_kernels; i++)
        if (profiled_kernel_is(p->kernels[i], kernel))
            return p->kernels[i];
    struct profiled_kernel **more = realloc(p->kernels, (p->num_kernels + 1) * sizeof *more);
    if (!more)
        return NULL;
    p->kernels = more;
    more[p->num_kernels] = profiled_kernel_new(kernel, p->config->l1d_line);
    return more[p->num_kernels] ? more[p->num_kernels++] : NULL;
}

/* How many run. */
static unsigned count_running(const struct profile *p)
{
    unsigned count = 0;
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        count += p->running[i].kernel != NULL;
    return count;
}

int profile_begin(struct profile *p, unsigned number, const struct ptx_kernel *kernel)
{
    struct profiled_kernel *k = kernel_of(p, kernel);
    struct running *r = &p->running[number];
    if (!k)
        return -1;
    k->launches++;
    *r = (struct running){.kernel = k, .loads = {kernel, k->num_loads, k->load_at}};
    const int beside = count_running(p) > 1;
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        p->running[i].beside |= beside;
    int failed = 0;
    for (unsigned i = 0; i < NUM_SMS && !beside; i++)
        l1d_stacks_begin(p->stacks[i]);
    for (unsigned i = 0; i < NUM_SMS; i++)
        failed |= sm_profile_begin(p->sms[i], number, &r->loads) |
                  dependence_begin(&p->dependence[i], number, kernel);
    return failed;
}

/* What a launch's warps did on all SMs. Returns 0 or -1. */
static int take_warps(struct profile *p, unsigned number, struct profiled_kernel *k)
{
    struct sharing sharing = {0};
    int failed = 0;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        failed |= sm_profile_end(p->sms[i], number, k->sums);
        failed |= lost_take(p->lost[i], number, &k->lost);
        activity_take(&p->activity[i], number, &k->activity);
        dependence_take(&p->dependence[i], number, &k->dependence);
        failed |= sharing_add(&sharing, sm_profile_sharing(p->sms[i], number));
    }
    sharing_count(&sharing, &k->sharing);
    sharing_clear(&sharing);
    return failed;
}

int profile_end(struct profile *p, unsigned number)
{
    const struct running r = p->running[number];
    if (!r.kernel)
        return 0;
    int failed = take_warps(p, number, r.kernel);
    r.kernel->beside += (uint64_t)r.beside;
    p->running[number] = (struct running){0};
    for (int64_t i = 0; i < p->config->l2_banks; i++)
        failed |= l2_profile_take(&p->banks[i], r.beside ? &p->together : &r.kernel->l2);
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

/* Counts up to the last that is not 0. */
static void add_counts(cJSON *object, const char *name, const uint64_t *counts, unsigned count)
{
    cJSON *array = cJSON_AddArrayToObject(object, name);
    while (count && !counts[count - 1])
        count--;
    for (unsigned i = 0; i < count; i++)
        cJSON_AddItemToArray(array, cJSON_CreateNumber((double)counts[i]));
}

/* Reuses by lines touched meanwhile: 0, 1, 2-3, 4-7 and so on. */
static void add_distances(cJSON *object, const struct load_profile *l)
{
    add_counts(object, "distances", l->distances, DISTANCE_BUCKETS);
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

/* What a pipe means to a kernel (struct mix_pipe_profile): for how many cycles an instruction keeps it, all pipes of its kind in an SM
 * taken together; the cycles that one right behind it waits for its result; and how many have a distance of 0 (nobody waits), 1, 2 ... */
static void add_pipe(cJSON *object, const char *name, double interval, double wait,
                     const uint64_t at[MIX_BEYOND + 1])
{
    cJSON *pipe = cJSON_AddObjectToObject(object, name);
    number(pipe, "interval", interval);
    number(pipe, "wait", wait);
    add_counts(pipe, "distances", at, MIX_BEYOND + 1);
}

static void add_dependence(cJSON *object, const struct dependence_counts *counts,
                           const struct config *c)
{
    cJSON *dependence = cJSON_AddObjectToObject(object, "dependence");
    const double memory = counts->memory ? (double)counts->busy / (double)counts->memory
                                         : (double)c->mem_interval,
                 latency = counts->waits ? (double)counts->waited / (double)counts->waits
                                         : (double)c->l1d_hit_latency;
    number(dependence, "warps", (double)counts->warps);
    add_pipe(dependence, "sp", (double)c->sp_interval / NUM_SCHEDULERS, (double)c->sp_latency - 1,
             counts->distances.at[MIX_SP]);
    add_pipe(dependence, "sfu", (double)c->sfu_interval, (double)c->sfu_latency - 1,
             counts->distances.at[MIX_SFU]);
    add_pipe(dependence, "mem", memory, latency - 1, counts->distances.at[MIX_MEM]);
}

static void add_load(cJSON *loads, const struct profiled_kernel *k, uint32_t i)
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
static void add_kernel(cJSON *kernels, const struct profiled_kernel *k, const struct config *c,
                       struct load_profile *totals, struct sharing_counts *sharing,
                       struct l2_counts *l2, struct lost_counts *lost,
                       struct activity_counts *activity)
{
    cJSON *kernel = cJSON_CreateObject();
    struct load_profile sum = {0};
    cJSON_AddItemToArray(kernels, kernel);
    cJSON_AddStringToObject(kernel, "name", k->name);
    number(kernel, "launches", (double)k->launches);
    if (k->beside)
        number(kernel, "launches_beside", (double)k->beside);
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
    add_dependence(kernel, &k->dependence, c);
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

/* Of each address space: accesses to the line used last in its set, to the one before, and so on; and those further down, or for the first
 * time. */
static void add_stack(cJSON *object, const char *name, const struct stack_counts *counts)
{
    cJSON *spaces = cJSON_AddArrayToObject(object, name);
    for (unsigned space = 0; space < MEMORY_SPACES; space++) {
        cJSON *stack = cJSON_CreateObject();
        cJSON_AddItemToArray(spaces, stack);
        add_counts(stack, "at", counts->at[space], STACK_DEPTH);
        number(stack, "further", (double)counts->at[space][STACK_DEPTH]);
    }
}

static void add_stacks(cJSON *root, const struct profile *p)
{
    struct stack_counts l1d = {0}, l2 = {0};
    for (unsigned i = 0; i < NUM_SMS; i++)
        stack_counts_add(&l1d, l1d_stacks_counts(p->stacks[i]));
    for (int64_t i = 0; i < p->config->l2_banks; i++)
        stack_counts_add(&l2, &p->banks[i].stacks.counts);
    cJSON *stacks = cJSON_AddObjectToObject(root, "stacks");
    add_stack(stacks, "l1d", &l1d);
    add_stack(stacks, "l2", &l2);
}

static int any_beside(const struct profile *p)
{
    int any = 0;
    for (size_t i = 0; i < p->num_kernels; i++)
        any |= p->kernels[i]->beside != 0;
    return any;
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
        add_kernel(kernels, p->kernels[i], p->config, &totals, &sharing, &l2, &lost, &activity);
    if (any_beside(p))
        add_l2(cJSON_AddObjectToObject(root, "together"), &p->together);
    l2_counts_add(&l2, &p->together);
    cJSON *object = cJSON_AddObjectToObject(root, "totals");
    add_counters(object, &totals);
    add_distances(object, &totals);
    add_sharing(object, &sharing);
    add_l2(object, &l2);
    add_lost(object, &lost);
    add_activity(object, &activity);
    add_stacks(root, p);
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
