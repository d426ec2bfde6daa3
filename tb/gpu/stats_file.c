/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/stats_file.c: the file of the statistics. See stats.h. The members of each object come from the lists that declare
 * the counters. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "hw.h"
#include "tb/file.h"
#include "tb/gpu/stats.h"

static const char *const status_names[] = {
    [GPU_OK] = "ok",           [GPU_NO_FIT] = "no_fit",
    [GPU_FAULT] = "fault",     [GPU_DEADLOCK] = "deadlock",
    [GPU_LIMIT] = "limit",     [GPU_MISMATCH] = "mismatch",
    [GPU_STOPPED] = "stopped", [GPU_INTERRUPTED] = "interrupted",
};

static const char *const clock_names[NUM_SM_CLOCKS] = {"3", "4", "5", "6"};

static void number(cJSON *object, const char *name, double value)
{
    cJSON_AddNumberToObject(object, name, value);
}

static double ratio(uint64_t a, uint64_t b)
{
    return b ? (double)a / (double)b : 0;
}

static void add_l1(cJSON *object, const struct l1_counters *l1)
{
#define COUNTER(name, meaning) number(object, #name, (double)l1->name);
#define FAILURE(name, meaning)
#include "tb/mem/l1.def"
#undef COUNTER
#undef FAILURE
    cJSON *failures = cJSON_AddObjectToObject(object, "reservation_failures");
#define COUNTER(name, meaning)
#define FAILURE(name, meaning) number(failures, #name, (double)l1->failures[L1_FAIL_##name]);
#include "tb/mem/l1.def"
#undef COUNTER
#undef FAILURE
}

/* IPC of an SM = resident warps / CPI, exactly: both are ratios of the same sums. */
static void add_cpi(cJSON *object, const struct stats_sums *s)
{
    const struct cpi_sums *c = &s->sm.cpi;
    uint64_t resident = 0, mean = 0;
    for (unsigned i = 0; i < NUM_CPI_CLASSES; i++) {
        resident += c->cycles[i];
        mean += c->mean[i];
    }
    number(object, "total", ratio(resident, s->sm.warp_instructions));
    number(object, "warps_per_sm", ratio(resident, s->sm_cycles * NUM_SMS));
    number(object, "ipc_per_sm", ratio(s->sm.warp_instructions, s->sm_cycles * NUM_SMS));
    number(object, "warps", (double)c->warps);
    number(object, "mean_over_warps", ratio(mean, c->warps << CPI_FRACTION));
    cJSON *cycles = cJSON_AddObjectToObject(object, "warp_cycles");
    cJSON *shares = cJSON_AddObjectToObject(object, "per_instruction");
    for (enum cpi_class i = 0; i < NUM_CPI_CLASSES; i++) {
        number(cycles, cpi_name(i), (double)c->cycles[i]);
        number(shares, cpi_name(i), ratio(c->cycles[i], s->sm.warp_instructions));
    }
}

static double nanojoules(uint64_t femtojoules)
{
    return (double)femtojoules / 1e6;
}

static void add_energy(cJSON *object, const struct energy *e)
{
    number(object, "total", nanojoules(e->total));
    for (enum energy_part i = 0; i < NUM_ENERGY_PARTS; i++)
        number(object, energy_part_name(i), nanojoules(e->parts[i]));
    cJSON *events = cJSON_AddObjectToObject(object, "events");
    for (enum energy_key i = 0; i < NUM_ENERGY_KEYS; i++)
        number(events, energy_key_name(i), nanojoules(e->keys[i]));
}

/* What the warps of kernels did. */
static void add_own(cJSON *object, const struct stats_sums *s)
{
    number(object, "cycles", (double)s->cycles);
    number(object, "sm_cycles", (double)s->sm_cycles);
    number(object, "tail_cycles", (double)s->tail_cycles);
    number(object, "ipc", ratio(s->sm.warp_instructions, s->cycles));
    number(object, "untimed_instructions", (double)s->untimed_instructions);
    number(object, "thread_ipc", ratio(s->sm.thread_instructions, s->cycles));
#define COUNTER(name, meaning) number(object, #name, (double)s->sm.name);
#include "tb/sm/sm.def"
    cJSON *instructions = cJSON_AddObjectToObject(object, "instructions");
    const uint64_t *of_class = s->sm.instructions;
#define CLASS(name, meaning) number(instructions, #name, (double)*of_class++);
#include "tb/sm/sm.def"
    cJSON *threads = cJSON_AddObjectToObject(object, "threads");
    of_class = s->sm.threads;
#define CLASS(name, meaning) number(threads, #name, (double)*of_class++);
#include "tb/sm/sm.def"
    add_cpi(cJSON_AddObjectToObject(object, "cpi"), s);
    cJSON *tolerated = cJSON_AddObjectToObject(object, "tolerated");
#define COUNT(name, meaning) number(tolerated, #name, (double)s->tolerated.name);
#include "tb/exec/tolerate.def"
}

/* The same, and what the machine did. */
static void add_sums(cJSON *object, const struct stats_sums *s)
{
    const struct energy energy = energy_of(s->energy);
    add_own(object, s);
    cJSON *clocks = cJSON_AddObjectToObject(object, "at_clock");
    for (unsigned i = 0; i < NUM_SM_CLOCKS; i++)
        number(clocks, clock_names[i], (double)s->at_clock[i]);
    cJSON *issue = cJSON_AddObjectToObject(object, "issue");
#define OUTCOME(name, meaning) number(issue, #name, (double)s->sm.outcomes[OUTCOME_##name]);
#include "tb/sm/sm.def"
    cJSON *found = cJSON_AddObjectToObject(object, "found");
#define FOUND(name, meaning) number(found, #name, (double)s->sm.found.name);
#include "tb/sm/sm.def"
    cJSON *sharing = cJSON_AddObjectToObject(object, "sharing");
#define COUNT(name, meaning) number(sharing, #name, (double)s->sharing.name);
#include "tb/locality/sharing.def"
    add_l1(cJSON_AddObjectToObject(object, "l1d"), &s->l1d);
    add_l1(cJSON_AddObjectToObject(object, "l1c"), &s->l1c);
    add_l1(cJSON_AddObjectToObject(object, "l1i"), &s->l1i);
    cJSON *xbar = cJSON_AddObjectToObject(object, "xbar");
#define COUNTER(name, meaning) number(xbar, #name, (double)s->memory.xbar.name);
#include "tb/mem/xbar.def"
#undef COUNTER
    cJSON *l2 = cJSON_AddObjectToObject(object, "l2");
#define COUNTER(name, meaning) number(l2, #name, (double)s->memory.l2.name);
#define FAILURE(name, meaning)
#include "tb/mem/l2.def"
#undef COUNTER
#undef FAILURE
    cJSON *stalls = cJSON_AddObjectToObject(l2, "stalls");
#define COUNTER(name, meaning)
#define FAILURE(name, meaning) number(stalls, #name, (double)s->memory.l2.stalled_##name);
#include "tb/mem/l2.def"
#undef COUNTER
#undef FAILURE
    cJSON *dram = cJSON_AddObjectToObject(object, "dram");
#define COUNTER(name, meaning) number(dram, #name, (double)s->memory.dram.name);
#include "tb/mem/dram.def"
#undef COUNTER
    add_energy(cJSON_AddObjectToObject(object, "energy"), &energy);
}

static void add_occupancy(cJSON *object, const struct occupancy *o)
{
    cJSON *occupancy = cJSON_AddObjectToObject(object, "occupancy");
    number(occupancy, "blocks_per_sm", o->blocks);
    number(occupancy, "warps_per_block", o->warps);
    number(occupancy, "warps_per_scheduler", occupancy_scheduler(o));
    number(occupancy, "registers_per_thread", o->registers);
    number(occupancy, "instructions", o->instructions);
    number(occupancy, "loops", o->loops);
    number(occupancy, "loop_depth", o->loop_depth);
    number(occupancy, "loop_loads", o->loop_loads);
    cJSON *limited_by = cJSON_AddArrayToObject(occupancy, "limited_by");
    cJSON *resources = cJSON_AddObjectToObject(occupancy, "resources");
    for (unsigned i = 0; i < NUM_RESOURCES; i++) {
        cJSON *resource = cJSON_AddObjectToObject(resources, resource_name((enum resource)i));
        number(resource, "block_needs", (double)o->needed[i]);
        number(resource, "sm_has", (double)o->available[i]);
        if (o->limit[i] == o->blocks)
            cJSON_AddItemToArray(limited_by, cJSON_CreateString(resource_name((enum resource)i)));
    }
}

static void add_spills(cJSON *object, const struct ptx_spills *s)
{
    cJSON *spills = cJSON_AddObjectToObject(object, "spills");
#define SPILL(name, meaning) number(spills, #name, s->name);
#include "tb/ptx/spill.def"
#undef SPILL
}

/* All numbers but run.threads and run.observe, which results do not depend on: they stand with the
 * host's. */
static void add_settings(cJSON *object, const struct config *c)
{
    cJSON *settings = cJSON_AddObjectToObject(object, "settings");
#define KEY(section, key, least, most, meaning)                                                    \
    number(settings, #section "." #key, (double)c->section##_##key);
#define WORD(section, key, meaning)                                                                \
    cJSON_AddStringToObject(settings, #section "." #key, c->section##_##key);
#include "tb/config.def"
    cJSON_DeleteItemFromObject(settings, "run.threads");
    cJSON_DeleteItemFromObject(settings, "run.observe");
    cJSON_DeleteItemFromObject(settings, "run.backend"); /* these stand at the top */
    cJSON_DeleteItemFromObject(settings, "run.sched");
    cJSON_DeleteItemFromObject(settings, "run.dispatch");
}

static void add_edges(cJSON *object, const struct fsm *m, const uint64_t *taken)
{
    for (unsigned i = 0; i < m->num_edges; i++)
        number(object, m->edges[i].name, (double)taken[i]);
}

/* Of one state machine its edges; of several an object for each, by the STATE that it moves. */
static void add_unit_edges(cJSON *root, const struct stats_unit *u)
{
    char name[64];
    if (!unit_fsm(u->unit, 0))
        return;
    snprintf(name, sizeof name, "%s_edges", u->stem);
    cJSON *edges = cJSON_AddObjectToObject(root, name);
    const int several = unit_fsm(u->unit, 1) != NULL;
    const struct fsm *fsm;
    for (unsigned n = 0; (fsm = unit_fsm(u->unit, n)); n++)
        add_edges(several ? cJSON_AddObjectToObject(edges, unit_fsm_state(u->unit, n)) : edges, fsm,
                  u->edges[n]);
}

static void add_compared(cJSON *lockstep, const struct stats_unit *u)
{
    cJSON *unit = cJSON_AddObjectToObject(lockstep, u->stem);
    number(unit, "cycles", (double)u->cycles);
    number(unit, "mismatches", (double)u->mismatches);
}

/* What all launches under each number did in a period, those among them that were given up: per cycle of the whole of it. */
static void add_each(cJSON *array, const struct stats *s, const struct period_stats *p)
{
    for (unsigned n = 0; n < GPU_KERNELS; n++) {
        struct stats_sums sums = {0};
        cJSON *each = cJSON_CreateObject();
        cJSON_AddItemToArray(array, each);
        for (size_t i = p->first; i < p->first + p->count; i++)
            if (s->kernels[i].number == n)
                stats_add_words(&sums, &s->kernels[i].sums, sizeof sums);
        sums.cycles = p->sums.cycles;
        sums.sm_cycles = p->sums.sm_cycles;
        add_own(each, &sums);
    }
}

/* What a cache did for each of two captures that were replayed at once: each has an address space of its own. */
static void add_spaces(cJSON *array, const struct space_counters spaces[MEMORY_SPACES])
{
    for (unsigned i = 0; i < MEMORY_SPACES; i++) {
        cJSON *space = cJSON_CreateObject();
        cJSON_AddItemToArray(array, space);
#define COUNTER(name, meaning) number(space, #name, (double)spaces[i].name);
#include "tb/mem/space.def"
#undef COUNTER
    }
}

/* Of kernels that ran beside each other: which, what the machine did while they did, and what the warps of each. */
static void add_periods(cJSON *root, const struct stats *s)
{
    cJSON *periods = s->num_periods ? cJSON_AddArrayToObject(root, "together") : NULL;
    for (size_t i = 0; i < s->num_periods; i++) {
        cJSON *period = cJSON_CreateObject();
        cJSON_AddItemToArray(periods, period);
        number(period, "first_kernel", (double)s->periods[i].first);
        number(period, "num_kernels", (double)s->periods[i].count);
        add_sums(period, &s->periods[i].sums);
        add_each(cJSON_AddArrayToObject(period, "each"), s, &s->periods[i]);
        add_spaces(cJSON_AddArrayToObject(period, "l1d_spaces"), s->periods[i].sums.l1d_spaces);
        add_spaces(cJSON_AddArrayToObject(period, "l2_spaces"),
                   s->periods[i].sums.memory.l2_spaces);
    }
}

/* What folded launches have in common. */
static void add_geometry(cJSON *object, const struct kernel_stats *k)
{
    number(object, "launches", (double)k->launches);
    cJSON *grid = cJSON_AddArrayToObject(object, "grid"),
          *block = cJSON_AddArrayToObject(object, "block");
    for (int i = 0; i < 3; i++) {
        cJSON_AddItemToArray(grid, cJSON_CreateNumber(k->grid[i]));
        cJSON_AddItemToArray(block, cJSON_CreateNumber(k->block[i]));
    }
}

static cJSON *add_host(cJSON *root, const struct stats *s)
{
    cJSON *host = cJSON_AddObjectToObject(root, "host");
    for (size_t i = 0; s->made_by && i < s->made_by->count; i++)
        cJSON_AddStringToObject(host, s->made_by->notes[i].name, s->made_by->notes[i].value);
    return host;
}

static cJSON *document(const struct stats *s, const struct config *c)
{
    cJSON *root = cJSON_CreateObject();
    if (s->incomplete)
        cJSON_AddStringToObject(root, "incomplete", s->incomplete);
    cJSON_AddStringToObject(root, "config", c->name);
    cJSON_AddStringToObject(root, "sched", c->run_sched);
    cJSON_AddStringToObject(root, "dispatch", c->run_dispatch);
    cJSON_AddStringToObject(root, "backend", c->run_backend);
    cJSON *kernels = cJSON_AddArrayToObject(root, "kernels");
    for (size_t i = 0; i < s->num_kernels; i++) {
        const struct kernel_stats *k = &s->kernels[i];
        cJSON *kernel = cJSON_CreateObject();
        cJSON_AddItemToArray(kernels, kernel);
        cJSON_AddStringToObject(kernel, "name", k->name);
        cJSON_AddStringToObject(kernel, "status", status_names[k->status]);
        number(kernel, "start", (double)k->start);
        if (s->fold)
            add_geometry(kernel, k);
        if (k->shares) {
            number(kernel, "number", k->number);
            add_own(kernel, &k->sums);
        } else
            add_sums(kernel, &k->sums);
        add_occupancy(kernel, &k->occupancy);
        add_spills(kernel, &k->occupancy.spills);
        logs_write(&k->logs, kernel);
        if (k->log)
            cJSON_AddItemToObject(kernel, "log", cJSON_Parse(k->log));
    }
    add_periods(root, s);
    add_sums(cJSON_AddObjectToObject(root, "totals"), &s->totals);
    if (s->incomplete) { /* what the machine counts over all kernels went with it */
        add_settings(root, c);
        add_host(root, s);
        return root;
    }
    add_edges(cJSON_AddObjectToObject(root, "warp_edges"), &warp_fsm, s->warp_edges);
    for (unsigned u = 0; u < s->num_units; u++)
        add_unit_edges(root, &s->units[u]);
    add_settings(root, c);
    cJSON *lockstep = cJSON_AddObjectToObject(root, "lockstep");
    for (unsigned u = 0; u < s->num_units; u++)
        add_compared(lockstep, &s->units[u]);
    cJSON *host = add_host(root, s);
    number(host, "threads", (double)c->run_threads);
    number(host, "observe", (double)c->run_observe);
    if (c->run_observe)
        number(host, "aged", (double)s->aged);
    number(host, "wall_seconds", s->wall_seconds);
    number(host, "grouping_seconds", s->grouping_seconds);
    /* Of the program and the machine in it; compilers are processes of their own. */
    struct rusage used;
    if (getrusage(RUSAGE_SELF, &used) == 0)
        number(host, "peak_memory_mb", (double)used.ru_maxrss / 1024);
    return root;
}

int stats_write(const struct stats *s, const struct config *c, const char *path, FILE *err)
{
    struct file *file = file_create(path, err);
    if (!file)
        return -1;
    cJSON *root = document(s, c);
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    if (!text) {
        fprintf(err, "%s: no memory for the statistics\n", path);
        file_discard(file);
        return -1;
    }
    fprintf(file_stream(file), "%s\n", text);
    cJSON_free(text);
    return file_commit(file, err);
}
