/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/gpu.c: opening and closing the machine. tb/gpu/launch.c runs kernels on it. */
#include "tb/gpu/gpu.h"

#include <stdlib.h>
#include <string.h>

#include "tb/gpu/machine.h"

/* What the configuration names: units, their policies, who decides. */
struct choices {
    const struct unit *wia, *dispatch;
    uint64_t sched, dispatching;
    enum unit_backend backend;
};

/* Returns 0, or -1 with the reason on `err`. */
static int look_up(struct choices *x, const struct config *c, FILE *err)
{
    const struct {
        const char *stem, *key, *word;
        const struct unit **unit;
        uint64_t *policy;
    } rows[] = {
        {"wia", "sched", c->run_sched, &x->wia, &x->sched},
        {"dispatch", "dispatch", c->run_dispatch, &x->dispatch, &x->dispatching},
    };
    const char *name;
    if (unit_backend(c->run_backend, &x->backend)) {
        fprintf(err, "run.backend = %s: unknown backend; expected c, rtl or lockstep\n",
                c->run_backend);
        return -1;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        *rows[i].unit = unit_find(rows[i].stem);
        if (!*rows[i].unit) {
            fprintf(err, "unit %s is not part of this build\n", rows[i].stem);
            return -1;
        }
        if (unit_value(*rows[i].unit, "policy", rows[i].word, rows[i].policy) == 0)
            continue;
        fprintf(err, "run.%s = %s: unknown policy; expected one of", rows[i].key, rows[i].word);
        for (unsigned n = 0; (name = unit_value_id(*rows[i].unit, "policy", n, NULL)); n++)
            fprintf(err, " %s", name);
        fputc('\n', err);
        return -1;
    }
    return 0;
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
        g->sms[i] = sm_new(&g->config, i, g->memory, x->wia, x->backend, x->sched);
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
    if (look_up(&choices, c, err)) {
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
    s->wia_cycles = s->wia_mismatches = 0;
    s->dispatch_cycles = unit_cycles(g->dispatcher.unit);
    s->dispatch_mismatches = unit_mismatches(g->dispatcher.unit);
    memcpy(s->dispatch_edges, unit_edges(g->dispatcher.unit, 0), sizeof s->dispatch_edges);
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
