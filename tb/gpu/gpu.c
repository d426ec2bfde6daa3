/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/gpu.c: opening and closing the machine. tb/gpu/launch.c runs kernels on it. */
#include "tb/gpu/gpu.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tb/gpu/machine.h"

int gpu_close_views(struct gpu *g)
{
    int status = g->timeline ? timeline_close(g->timeline, g->stats.made_by, stderr) : 0;
    if (g->wave && gpu_wave_close(g->wave, g->mismatch))
        status = -1;
    g->timeline = NULL;
    g->wave = NULL;
    g->probe = NULL;
    return status;
}

static void destroy(struct gpu *g)
{
    if (g->wave)
        gpu_wave_close(g->wave, g->mismatch);
    dispatcher_close(&g->dispatcher);
    regulator_close(&g->regulator);
    for (unsigned i = 0; i < NUM_SMS; i++)
        sm_free(g->sms[i]);
    memory_free(g->memory);
    pool_free(g->pool);
    if (g->gmem)
        gmem_free_all(g->gmem);
    code_free(&g->code);
    kept_close(g->kept, 0);
    stats_free(&g->stats);
    profile_free(g->profile);
    timeline_free(g->timeline);
    reads_free(g->reads);
    classes_free(g->classes);
    told_free(g->told);
    grouped_free(g->grouped);
    observe_free(g->observe);
    free(g->stats_path);
    free(g->warps);
    free(g);
}

/* Returns 0, or -1: no memory. */
static int build(struct gpu *g, const struct plan *plans, enum unit_backend backend,
                 const char *stats)
{
    if (stats && !(g->stats_path = strdup(stats)))
        return -1;
    g->gmem = gmem_new();
    g->memory = memory_new(&g->config, NUM_SMS);
    g->pool = pool_new((unsigned)g->config.run_threads);
    if (!g->gmem || !g->memory || !g->pool ||
        dispatcher_open(&g->dispatcher, &g->config, plans, backend, g->sms) ||
        regulator_open(&g->regulator, &g->config, plans, backend))
        return -1;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        g->sms[i] =
            sm_new(&g->config, i, g->memory, plans, dispatcher_hears(&g->dispatcher), backend);
        if (!g->sms[i])
            return -1;
    }
    return 0;
}

static void write_wave(void *wave, uint64_t cycle)
{
    gpu_wave_cycle(wave, cycle);
}

/* Records the window that `spec` asks for. Returns 0 or -1. */
static int watch(struct gpu *g, const char *spec, FILE *err)
{
    g->wave = gpu_wave_open(spec, g->sms, &g->dispatcher, &g->regulator, err);
    if (!g->wave)
        return -1;
    g->probe = write_wave;
    g->probe_ctx = g->wave;
    gpu_wave_window(g->wave, &g->probe_first, &g->probe_last);
    return 0;
}

struct gpu *gpu_open(const struct config *c, const char *wave, const char *stats, FILE *err)
{
    struct gpu *g = calloc(1, sizeof *g);
    struct plan plans[NUM_SCOPES];
    enum unit_backend backend;
    if (!g) {
        fprintf(err, "no memory for the machine\n");
        return NULL;
    }
    g->config = *c;
    g->probe_last = UINT64_MAX;
    if (unit_backend(c->run_backend, &backend)) {
        fprintf(err, "[run] backend = %s: unknown backend; expected c, rtl or lockstep\n",
                c->run_backend);
        destroy(g);
        return NULL;
    }
    if (plan_machine(plans, c, err)) {
        destroy(g);
        return NULL;
    }
    g->stats.fold = (int)c->run_fold;
    g->several = plan_several(&plans[SCOPE_GPU]);
    if (*c->daws_table_profile &&
        !(g->classes = classes_read(c->daws_table_profile, &g->config, err))) {
        destroy(g);
        return NULL;
    }
    if (*c->poise_told && !(g->told = told_read(c->poise_told, err))) {
        destroy(g);
        return NULL;
    }
    if (build(g, plans, backend, stats) || (grouped_wanted(c) && !(g->grouped = grouped_new(c)))) {
        fprintf(err, "no memory for the machine\n");
        destroy(g);
        return NULL;
    }
    if (c->run_observe && !(g->observe = observe_new(&g->config, plans, g->sms, &g->dispatcher,
                                                     &g->regulator, g->memory, err))) {
        destroy(g);
        return NULL;
    }
    if (wave && watch(g, wave, err)) {
        destroy(g);
        return NULL;
    }
    return g;
}

int gpu_profile(struct gpu *g, const char *path)
{
    g->profile = profile_new(&g->config, path);
    for (unsigned i = 0; i < NUM_SMS && g->profile; i++)
        profile_listen(g->profile, g->sms[i], i);
    for (unsigned i = 0; i < (unsigned)g->config.l2_banks && g->profile; i++)
        memory_listen(g->memory, i, profile_l2_listener(g->profile, i));
    return g->profile ? 0 : -1;
}

int gpu_timeline(struct gpu *g, const struct timeline_choice *choice, FILE *err)
{
    g->timeline = timeline_open(choice, &g->config, g->sms, err);
    return g->timeline ? 0 : -1;
}

int gpu_reads(struct gpu *g, const char *path, uint32_t unit, int check)
{
    g->reads = reads_new(path, unit, check);
    return g->reads ? 0 : -1;
}

int gpu_write_stats(struct gpu *g, FILE *err)
{
    struct stats *s = &g->stats;
    const int unwritten =
        (g->profile && profile_write(g->profile, err)) | (g->reads && reads_write(g->reads, err));
    if (!g->stats_path)
        return unwritten;
    stats_forget_units(s);
    stats_add_rack(s, &g->dispatcher.rack);
    stats_add_rack(s, &g->regulator.rack);
    memset(s->warp_edges, 0, sizeof s->warp_edges);
    for (unsigned i = 0; i < NUM_SMS; i++) {
        for (unsigned j = 0; j < NUM_WARP_EDGES; j++)
            s->warp_edges[j] += sm_warp_edges(g->sms[i])[j];
        for (unsigned j = 0; j < NUM_RACKS; j++)
            stats_add_rack(s, sm_rack(g->sms[i], j));
    }
    return stats_write(s, &g->config, g->stats_path, err) | unwritten;
}

int gpu_trace(struct gpu *g, const char *folder, FILE *err)
{
    const struct config *c = &g->config;
    if (c->run_timing != 1 || c->run_blocks) {
        fprintf(err,
                "[run] timing = %" PRId64 ", blocks = %" PRId64
                ": a trace is of what SMs issue; expected 1 and 0\n",
                c->run_timing, c->run_blocks);
        return -1;
    }
    g->trace = trace_open(folder, TRACE_MEMORY, err);
    return g->trace ? 0 : -1;
}

void gpu_keep(struct gpu *g, const char *path, FILE *err)
{
    g->kept = g->stats_path ? kept_open(path, &g->config, err) : NULL;
}

void gpu_made_by(struct gpu *g, const struct notes *notes)
{
    g->stats.made_by = notes;
}

void gpu_progress(struct gpu *g)
{
    g->progress.asked = 1;
}

void gpu_copied(struct gpu *g, uint64_t address, uint64_t bytes)
{
    if (g->trace)
        trace_copy(g->trace, address, bytes);
}

int gpu_close(struct gpu *g)
{
    int result = gpu_write_stats(g, stderr);
    kept_close(g->kept, result == 0);
    g->kept = NULL;
    if (g->trace && trace_close(g->trace, stderr))
        result = -1;
    if (gpu_close_views(g))
        result = -1;
    destroy(g);
    return result;
}

struct gmem *gpu_memory(struct gpu *g)
{
    return g->gmem;
}

uint64_t gpu_cycle(const struct gpu *g)
{
    return g->cycle;
}

uint64_t gpu_fixed_cycle(const struct gpu *g)
{
    return clocks_fixed(memory_clocks(g->memory), g->cycle);
}

const char *gpu_warps(const struct gpu *g)
{
    return g->warps;
}

void gpu_interrupt(struct gpu *g)
{
    g->interrupted = 1;
}

int gpu_failed(const struct gpu *g)
{
    return g->failed;
}
