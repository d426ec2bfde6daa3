/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/wave.c: see wave.h. Scopes: top.sm<i>.scheduler<j>, in it the units (wia.in, .ref, .rtl,
 * .differ) and the machine's own view: kernel, the granted instruction
 * with its PTX, each warp's state, PC and active lanes. Scope top.dispatch: the block dispatcher;
 * top.dvfs: what sets the SMs' clock, as it is in the last cycle of its own before each of theirs. */
#include "tb/gpu/wave.h"

#include <stdlib.h>

#include "cosim/wave.h"
#include "hw.h"

/* Handles of one scheduler's signals. */
struct scheduler_signals {
    unsigned kernel, granted_pc, granted_text;
    unsigned running, buffered, awaited, clear;
    struct {
        unsigned state, pc, active, block;
    } warps[NUM_WARPS];
};

struct gpu_wave {
    struct wave *wave;
    struct sm *const *sms;
    struct dispatcher *dispatcher;
    struct regulator *regulator;
    struct scheduler_signals signals[NUM_SMS][NUM_SCHEDULERS];
    struct sm_context before[NUM_SMS][NUM_SCHEDULERS]; /* at the end of the cycle before */
};

static void declare_warp(struct gpu_wave *g, struct scheduler_signals *s, unsigned warp)
{
    struct wave_name states[NUM_WARP_STATES];
    char name[16];
    for (unsigned i = 0; i < NUM_WARP_STATES; i++)
        states[i] = (struct wave_name){i, warp_fsm.states[i].name};
    snprintf(name, sizeof name, "warp%02u", warp);
    wave_scope(g->wave, name);
    s->warps[warp].state = wave_signal(g->wave, "state", 3, states, NUM_WARP_STATES);
    s->warps[warp].pc = wave_signal(g->wave, "pc", 20, NULL, 0);
    s->warps[warp].active = wave_signal(g->wave, "active", 32, NULL, 0);
    s->warps[warp].block = wave_signal(g->wave, "block", 32, NULL, 0);
    wave_up(g->wave);
}

static int declare_scheduler(struct gpu_wave *g, unsigned sm, unsigned scheduler)
{
    struct scheduler_signals *s = &g->signals[sm][scheduler];
    char name[16];
    snprintf(name, sizeof name, "scheduler%u", scheduler);
    wave_scope(g->wave, name);
    s->kernel = wave_text_signal(g->wave, "kernel");
    s->granted_pc = wave_signal(g->wave, "granted_pc", 20, NULL, 0);
    s->granted_text = wave_text_signal(g->wave, "granted_text");
    s->running = wave_array(g->wave, "running", NUM_WARPS, 1);
    s->buffered = wave_array(g->wave, "buffered", NUM_WARPS, 1);
    s->awaited = wave_array(g->wave, "awaited", NUM_WARPS, 1);
    s->clear = wave_array(g->wave, "clear", NUM_WARPS, 1);
    for (unsigned warp = 0; warp < NUM_WARPS; warp++)
        declare_warp(g, s, warp);
    const int status = rack_trace_declare(sm_rack(g->sms[sm], scheduler), g->wave);
    wave_up(g->wave);
    return status;
}

struct gpu_wave *gpu_wave_open(const char *spec, struct sm *const *sms,
                               struct dispatcher *dispatcher, struct regulator *regulator,
                               FILE *err)
{
    struct gpu_wave *g = calloc(1, sizeof *g);
    int status = 0;
    if (!g) {
        fprintf(err, "no memory for a waveform\n");
        return NULL;
    }
    g->sms = sms;
    g->dispatcher = dispatcher;
    g->regulator = regulator;
    g->wave = wave_open(spec, err);
    if (!g->wave) {
        free(g);
        return NULL;
    }
    for (unsigned sm = 0; sm < NUM_SMS && !status; sm++) {
        char name[16];
        snprintf(name, sizeof name, "sm%u", sm);
        wave_scope(g->wave, name);
        for (unsigned scheduler = 0; scheduler < NUM_SCHEDULERS && !status; scheduler++) {
            status = declare_scheduler(g, sm, scheduler);
            sm_context(sms[sm], scheduler, 0, &g->before[sm][scheduler]);
        }
        status |= rack_trace_declare(sm_rack(sms[sm], NUM_SCHEDULERS), g->wave);
        sm_watch(sms[sm]);
        wave_up(g->wave);
    }
    if (!status && !rack_trace_declare(&dispatcher->rack, g->wave) &&
        !rack_trace_declare(&regulator->rack, g->wave))
        return g;
    fprintf(err, "no memory for a waveform\n");
    gpu_wave_close(g, NULL);
    return NULL;
}

static void show(struct gpu_wave *g, unsigned sm, unsigned scheduler)
{
    const struct scheduler_signals *s = &g->signals[sm][scheduler];
    char title[64], warps[80];
    snprintf(title, sizeof title, "sm %u scheduler %u", sm, scheduler);
    snprintf(warps, sizeof warps, "warps of %s", title);
    wave_comment(g->wave, title);
    wave_show(g->wave, s->kernel, VIEW_HEX);
    wave_show(g->wave, s->granted_pc, VIEW_DECIMAL);
    wave_show(g->wave, s->granted_text, VIEW_HEX);
    wave_show(g->wave, s->running, VIEW_HEX);
    wave_show(g->wave, s->clear, VIEW_HEX);
    rack_trace_show(sm_rack(g->sms[sm], scheduler), g->wave);
    rack_trace_show(sm_rack(g->sms[sm], NUM_SCHEDULERS), g->wave);
    wave_group(g->wave, warps, 1);
    for (unsigned warp = 0; warp < NUM_WARPS; warp++) {
        wave_show(g->wave, s->warps[warp].state, VIEW_DECIMAL);
        wave_show(g->wave, s->warps[warp].pc, VIEW_DECIMAL);
    }
    wave_group_end(g->wave, warps, 1);
}

static int has(const struct rack *r, const struct unit_inst *unit)
{
    for (unsigned i = 0; rack_unit(r, i); i++)
        if (rack_unit(r, i) == unit)
            return 1;
    return 0;
}

int gpu_wave_close(struct gpu_wave *g, const struct unit_inst *failed)
{
    unsigned sm = 0, rack = 0;
    for (unsigned i = 0; i < NUM_SMS * NUM_RACKS && failed; i++)
        if (has(sm_rack(g->sms[i / NUM_RACKS], i % NUM_RACKS), failed)) {
            sm = i / NUM_RACKS;
            rack = i % NUM_RACKS;
        }
    if (!failed || !has(&g->dispatcher->rack, failed))
        show(g, sm, rack % NUM_SCHEDULERS);
    rack_trace_show(&g->dispatcher->rack, g->wave);
    rack_trace_show(&g->regulator->rack, g->wave);
    if (failed)
        wave_mark(g->wave, unit_failed_cycle(failed));
    int status = wave_close(g->wave);
    free(g);
    return status;
}

void gpu_wave_window(const struct gpu_wave *g, uint64_t *first, uint64_t *last)
{
    wave_window(g->wave, first, last);
}

static void set(struct gpu_wave *g, unsigned signal, uint64_t value)
{
    wave_set(g->wave, signal, &value);
}

/* The granted instruction is what the warp was about to execute at the end of the cycle before. */
static void write_grant(struct gpu_wave *g, const struct scheduler_signals *s,
                        const struct sm_context *now, const struct sm_context *before)
{
    const unsigned warp = (unsigned)now->grant;
    const int granted = now->grant < NUM_WARPS;
    set(g, s->granted_pc, granted ? before->warps[warp].pc : 0);
    wave_set_text(g->wave, s->granted_text,
                  granted && before->warps[warp].text ? before->warps[warp].text : "");
}

/* The names of the kernels that run: one, or two with a + between. */
static void write_kernels(struct gpu_wave *g, const struct scheduler_signals *s,
                          const struct sm_context *now)
{
    char names[256] = "";
    size_t length = 0;
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        if (now->kernels[i] && length < sizeof names)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                       length ? " + " : "", now->kernels[i]);
    wave_set_text(g->wave, s->kernel, names);
}

static void write_scheduler(struct gpu_wave *g, unsigned sm, unsigned scheduler, uint64_t cycle)
{
    const struct scheduler_signals *s = &g->signals[sm][scheduler];
    struct sm_context now;
    sm_context(g->sms[sm], scheduler, cycle, &now);
    write_kernels(g, s, &now);
    write_grant(g, s, &now, &g->before[sm][scheduler]);
    set(g, s->running, now.running);
    set(g, s->buffered, now.buffered);
    set(g, s->awaited, now.awaited);
    set(g, s->clear, now.clear);
    for (unsigned warp = 0; warp < NUM_WARPS; warp++) {
        set(g, s->warps[warp].state, now.warps[warp].state);
        set(g, s->warps[warp].pc, now.warps[warp].pc);
        set(g, s->warps[warp].active, now.warps[warp].active);
        set(g, s->warps[warp].block, now.warps[warp].block);
    }
    rack_trace(sm_rack(g->sms[sm], scheduler), g->wave, cycle, now.stepped);
    g->before[sm][scheduler] = now;
}

void gpu_wave_cycle(struct gpu_wave *g, uint64_t cycle)
{
    if (!wave_cycle(g->wave, cycle))
        return;
    for (unsigned sm = 0; sm < NUM_SMS; sm++) {
        for (unsigned scheduler = 0; scheduler < NUM_SCHEDULERS; scheduler++)
            write_scheduler(g, sm, scheduler, cycle);
        rack_trace(sm_rack(g->sms[sm], NUM_SCHEDULERS), g->wave, cycle,
                   sm_stepped(g->sms[sm]) == cycle + 1);
    }
    rack_trace(&g->dispatcher->rack, g->wave, cycle, 1);
    rack_trace(&g->regulator->rack, g->wave, g->regulator->cycle - 1, 1);
}
