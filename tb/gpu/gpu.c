/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/gpu.c: opening and closing the machine. tb/gpu/launch.c runs kernels on it. */
#include "tb/gpu/gpu.h"

#include <stdlib.h>
#include <string.h>

#include "tb/gpu/machine.h"

/* Finds the units of a scheduler that the configuration needs. */
static int find_units(struct gpu *g, FILE *err)
{
    static const char *const stems[] = {SM_UNITS(SM_UNIT_STEM)};
    const int used[NUM_SM_UNITS] = {[SM_wia] = 1, [SM_mask] = g->config.mask_n || g->config.mask_p};
    for (unsigned u = 0; u < NUM_SM_UNITS; u++)
        if (used[u] && !(g->units[u] = unit_find(stems[u]))) {
            fprintf(err, "unit %s is not part of this build\n", stems[u]);
            return -1;
        }
    return 0;
}

/* What the configuration names: policies, who decides. */
struct choices {
    const struct unit *dispatch;
    uint64_t sched, dispatching;
    enum unit_backend backend;
};

/* The value of a unit's input `policy`. Returns 0, or -1 with the reason on `err`. */
static int find_policy(const struct unit *unit, const char *key, const char *word, uint64_t *policy,
                       FILE *err)
{
    const char *name;
    if (unit_value(unit, "policy", word, policy) == 0)
        return 0;
    fprintf(err, "run.%s = %s: unknown policy; expected one of", key, word);
    for (unsigned n = 0; (name = unit_value_id(unit, "policy", n, NULL)); n++)
        fprintf(err, " %s", name);
    fputc('\n', err);
    return -1;
}

/* Returns 0, or -1 with the reason on `err`. */
static int look_up(struct gpu *g, struct choices *x, FILE *err)
{
    const struct config *c = &g->config;
    if (find_units(g, err))
        return -1;
    x->dispatch = unit_find("dispatch");
    if (!x->dispatch) {
        fprintf(err, "unit dispatch is not part of this build\n");
        return -1;
    }
    if (unit_backend(c->run_backend, &x->backend)) {
        fprintf(err, "run.backend = %s: unknown backend; expected c, rtl or lockstep\n",
                c->run_backend);
        return -1;
    }
    return find_policy(g->units[SM_wia], "sched", c->run_sched, &x->sched, err) ||
                   find_policy(x->dispatch, "dispatch", c->run_dispatch, &x->dispatching, err)
               ? -1
               : 0;
}

static void destroy(struct gpu *g)
{
    if (g->wave)
        gpu_wave_close(g->wave, g->mismatch);
    dispatcher_close(&g->dispatcher);
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
static int build(struct gpu *g, const struct choices *x, const char *stats)
{
    if (stats && !(g->stats_path = strdup(stats)))
        return -1;
    g->gmem = gmem_new();
    g->memory = memory_new(&g->config, NUM_SMS);
    g->pool = pool_new((unsigned)g->config.run_threads);
    if (!g->gmem || !g->memory || !g->pool)
        return -1;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        g->sms[i] = sm_new(&g->config, i, g->memory, g->units, x->backend, x->sched);
        if (!g->sms[i])
            return -1;
    }
    return dispatcher_open(&g->dispatcher, x->dispatch, x->backend, x->dispatching, g->sms);
}

static void write_wave(void *wave, uint64_t cycle)
{
    gpu_wave_cycle(wave, cycle);
}

/* Records the window that `spec` asks for. Returns 0 or -1. */
static int watch(struct gpu *g, const char *spec, FILE *err)
{
    g->wave = gpu_wave_open(spec, g->sms, &g->dispatcher, err);
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
    struct choices choices;
    if (!g) {
        fprintf(err, "no memory for the machine\n");
        return NULL;
    }
    g->config = *c;
    g->probe_last = UINT64_MAX;
    if (look_up(g, &choices, err)) {
        destroy(g);
        return NULL;
    }
    if (build(g, &choices, stats)) {
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
    memset(s->units, 0, sizeof s->units);
    stats_add_unit(&s->units[NUM_SM_UNITS], g->dispatcher.unit);
    memcpy(s->dispatch_edges, unit_edges(g->dispatcher.unit, 0), sizeof s->dispatch_edges);
    memset(s->warp_edges, 0, sizeof s->warp_edges);
    for (unsigned i = 0; i < NUM_SMS; i++) {
        for (unsigned j = 0; j < NUM_WARP_EDGES; j++)
            s->warp_edges[j] += sm_warp_edges(g->sms[i])[j];
        for (unsigned j = 0; j < NUM_SCHEDULERS * NUM_SM_UNITS; j++) {
            const enum sm_unit_kind kind = (enum sm_unit_kind)(j % NUM_SM_UNITS);
            const struct unit_inst *unit = sm_unit(g->sms[i], j / NUM_SM_UNITS, kind);
            if (unit)
                stats_add_unit(&s->units[kind], unit);
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
