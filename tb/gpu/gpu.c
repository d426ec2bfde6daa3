/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/gpu.c: opening and closing the machine. tb/gpu/launch.c runs kernels on it. */
#include "tb/gpu/gpu.h"

#include <stdlib.h>
#include <string.h>

#include "tb/gpu/machine.h"

/* Finds what the configuration names. */
static int look_up(struct gpu *g, enum unit_backend *backend, uint64_t *policy, FILE *err)
{
    const char *sched = g->config.run_sched, *name;
    g->wia = unit_find("wia");
    if (!g->wia) {
        fprintf(err, "unit wia is not part of this build\n");
        return -1;
    }
    if (unit_backend(g->config.run_backend, backend)) {
        fprintf(err, "run.backend = %s: unknown backend; expected c, rtl or lockstep\n",
                g->config.run_backend);
        return -1;
    }
    if (unit_value(g->wia, "policy", sched, policy) == 0)
        return 0;
    fprintf(err, "run.sched = %s: unknown policy; expected one of", sched);
    for (unsigned i = 0; (name = unit_value_id(g->wia, "policy", i, NULL)); i++)
        fprintf(err, " %s", name);
    fputc('\n', err);
    return -1;
}

static void destroy(struct gpu *g)
{
    if (g->wave)
        gpu_wave_close(g->wave, g->mismatch);
    for (unsigned i = 0; i < NUM_SMS; i++)
        sm_free(g->sms[i]);
    memory_free(g->memory);
    pool_free(g->pool);
    if (g->gmem)
        gmem_free_all(g->gmem);
    stats_free(&g->stats);
    free(g->stats_path);
    free(g);
}

/* Returns 0, or -1: no memory. */
static int build(struct gpu *g, enum unit_backend backend, uint64_t policy, const char *stats)
{
    if (stats && !(g->stats_path = strdup(stats)))
        return -1;
    g->gmem = gmem_new();
    g->memory = memory_new(&g->config, NUM_SMS);
    g->pool = pool_new((unsigned)g->config.run_threads);
    if (!g->gmem || !g->memory || !g->pool)
        return -1;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        g->sms[i] = sm_new(&g->config, i, g->memory, g->wia, backend, policy);
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
    g->wave = gpu_wave_open(spec, g->sms, err);
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
    enum unit_backend backend;
    uint64_t policy;
    if (!g) {
        fprintf(err, "no memory for the machine\n");
        return NULL;
    }
    g->config = *c;
    g->probe_last = UINT64_MAX;
    if (look_up(g, &backend, &policy, err)) {
        destroy(g);
        return NULL;
    }
    if (build(g, backend, policy, stats)) {
        fprintf(err, "no memory for the machine\n");
        destroy(g);
        return NULL;
    }
    if (wave && watch(g, wave, err)) {
        destroy(g);
        return NULL;
    }
    return g;
}

int gpu_write_stats(struct gpu *g, FILE *err)
{
    struct stats *s = &g->stats;
    if (!g->stats_path)
        return 0;
    s->wia_cycles = s->wia_mismatches = 0;
    memset(s->warp_edges, 0, sizeof s->warp_edges);
    for (unsigned i = 0; i < NUM_SMS; i++) {
        for (unsigned j = 0; j < NUM_WARP_EDGES; j++)
            s->warp_edges[j] += sm_warp_edges(g->sms[i])[j];
        for (unsigned j = 0; j < NUM_SCHEDULERS; j++) {
            s->wia_cycles += unit_cycles(sm_unit(g->sms[i], j));
            s->wia_mismatches += unit_mismatches(sm_unit(g->sms[i], j));
        }
    }
    return stats_write(s, &g->config, g->stats_path, err);
}

int gpu_close(struct gpu *g)
{
    int result = gpu_write_stats(g, stderr);
    destroy(g);
    return result;
}

struct gmem *gpu_memory(struct gpu *g)
{
    return g->gmem;
}

const struct config *gpu_config(const struct gpu *g)
{
    return &g->config;
}

uint64_t gpu_cycle(const struct gpu *g)
{
    return g->cycle;
}

int gpu_failed(const struct gpu *g)
{
    return g->failed;
}
