/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/rack.c: see rack.h. */
#include "tb/units/rack.h"

#include <stdlib.h>
#include <string.h>

#include "tb/units/late.h"

#define SOCKET(stem) extern const struct socket stem##_socket;
#include "sockets.def"
#undef SOCKET

const struct socket *const sockets[] = {
#define SOCKET(stem) &stem##_socket,
#include "sockets.def"
#undef SOCKET
};
const unsigned num_sockets = sizeof sockets / sizeof sockets[0];

/* How a plug is run. */
struct plug_run {
    void *block;           /* holds all of these */
    void *in, *next, *out; /* what plug.in and plug.out show; the inputs of this cycle */
    size_t in_size, out_size;
    struct unit_promises promises;
    uint64_t clock; /* the cycle in `in` */
    uint64_t wake;
    int still;  /* while its inputs stay as they are and `wake` has not come, nothing moves */
    int silent; /* `out` is all zero */
    int rests;  /* its scheduler leaves out the cycles in which it is QUIET (socket.h) */
    const void *state;
    struct unit_direct direct;
    struct late late;
    struct log log;
};

/* Controls by scope: how many structs of which, and which of their words are masks. */
#define MASK(name, meaning) [offsetof(struct controls, name) / sizeof(uint64_t)] = 1,
static const uint8_t scheduler_masks[sizeof(struct controls) / sizeof(uint64_t)] = {
#define OF_SCHEDULER
#include "tb/units/controls.def"
};
#define MASK(name, meaning) [offsetof(struct gpu_controls, name) / sizeof(uint64_t)] = 1,
static const uint8_t gpu_masks[sizeof(struct gpu_controls) / sizeof(uint64_t)] = {
#define OF_GPU
#include "tb/units/controls.def"
};
#define MASK(name, meaning) [offsetof(struct clock_controls, name) / sizeof(uint64_t)] = 1,
static const uint8_t clock_masks[sizeof(struct clock_controls) / sizeof(uint64_t)] = {
#define OF_CLOCK
#include "tb/units/controls.def"
};
static const struct late_shape shapes[NUM_SCOPES] = {
    [SCOPE_SCHEDULER] = {scheduler_masks, sizeof scheduler_masks, 1},
    [SCOPE_SM] = {scheduler_masks, sizeof scheduler_masks, NUM_SCHEDULERS},
    [SCOPE_GPU] = {gpu_masks, sizeof gpu_masks, 1},
    [SCOPE_CLOCK] = {clock_masks, sizeof clock_masks, 1},
};

const struct socket *socket_find(const char *stem)
{
    for (unsigned i = 0; i < num_sockets; i++)
        if (!strcmp(sockets[i]->stem, stem))
            return sockets[i];
    return NULL;
}

const struct plug *plug_find(const struct plug *p, const char *stem)
{
    for (unsigned i = 0; i < p->rack->count; i++)
        if (!strcmp(p->rack->plugs[i].socket->stem, stem))
            return &p->rack->plugs[i];
    return NULL;
}

const void *plug_state(const struct plug *p)
{
    if (!p->run->state)
        p->run->state = unit_state(p->unit);
    return p->run->state;
}

static int plug_open(struct plug *p, struct rack *r, const struct planned *planned,
                     enum unit_backend backend, const char *place)
{
    struct plug_run *run = p->run = calloc(1, sizeof *run);
    p->rack = r;
    p->socket = planned->socket;
    p->policy = planned->policy;
    if (!run || !(p->unit = unit_open(planned->unit, backend, place)))
        return -1;
    run->promises = unit_promises(planned->unit);
    run->in_size = unit_in_size(planned->unit);
    run->out_size = unit_out_size(planned->unit);
    if (p->socket->log) {
        r->logs = 1;
        if (log_open(&run->log, p->socket->log))
            return -1;
    }
    uint8_t *at = calloc(1, 2 * run->in_size + run->out_size + p->socket->memory + 1);
    p->in = run->in = run->block = at;
    if (!at)
        return -1;
    run->next = at + run->in_size;
    p->out = run->out = at + 2 * run->in_size;
    p->memory = at + 2 * run->in_size + run->out_size;
    r->hears |= p->socket->hears;
    r->queue = p->socket->queue ? p->socket->queue : r->queue;
    return late_open(&run->late, &shapes[r->scope], planned->delay);
}

/* Whether a scheduler may leave the unit alone while no warp is ready and none begins: its contract
 * says that it is QUIET then, by the policy that the plan gives it. */
static int rests(const struct rack *r, struct plug *p)
{
    static const uint8_t contexts[NUM_WARPS];
    static const struct scheduler_view nobody = {.contexts = contexts};
    const struct view view = {.scheduler = &nobody, .sm = r->view.sm, .gpu = r->view.gpu};
    struct controls controls;
    if (r->scope != SCOPE_SCHEDULER || !p->run->promises.quiet)
        return 0;
    memset(&controls, 0xff, sizeof controls);
    p->socket->gather(p, &view, &controls, p->run->next);
    return p->run->promises.quiet(p->run->next);
}

/* Whether step_alone serves for all cycles. */
static int is_alone(const struct rack *r)
{
    const struct plug *p = r->plugs;
    if (r->count != 1 || r->logs || !p->socket->apply)
        return 0;
    const struct plug_run *run = p->run;
    return !run->late.delay && !run->promises.clock && !run->promises.wakes &&
           (!run->promises.quiet || (run->rests && !r->always)) &&
           !unit_direct(p->unit, &p->run->direct);
}

int rack_open(struct rack *r, const struct plan *plan, enum scope scope, const struct config *c,
              enum unit_backend backend, const struct view *view, const char *place)
{
    *r = (struct rack){.scope = scope, .view = *view, .wake = UINT64_MAX};
    r->plugs = calloc(plan->count + 1u, sizeof *r->plugs);
    if (!r->plugs)
        return -1;
    for (; r->count < plan->count; r->count++)
        if (plug_open(&r->plugs[r->count], r, &plan->units[r->count], backend, place)) {
            r->count++;
            return -1;
        }
    for (unsigned i = 0; i < r->count; i++)
        if (r->plugs[i].socket->open)
            r->plugs[i].socket->open(&r->plugs[i], c);
    for (unsigned i = 0; i < r->count; i++) {
        struct plug_run *run = r->plugs[i].run;
        run->rests = rests(r, &r->plugs[i]);
        r->always |= run->late.delay > 0 || (run->promises.clocked && !run->rests) ||
                     r->plugs[i].socket->acts;
    }
    if (r->count)
        r->wake = 0; /* none has been asked yet */
    r->alone = is_alone(r);
    return 0;
}

void rack_close(struct rack *r)
{
    for (unsigned i = 0; i < r->count; i++) {
        struct plug *p = &r->plugs[i];
        unit_close(p->unit);
        if (p->run) {
            late_close(&p->run->late);
            log_close(&p->run->log);
            free(p->run->block);
        }
        free(p->run);
    }
    free(r->plugs);
    *r = (struct rack){0};
}

void rack_hear(struct rack *r, const struct event *e)
{
    for (unsigned i = 0; i < r->count; i++)
        if (r->plugs[i].socket->hears >> e->kind & 1)
            r->plugs[i].socket->hear(&r->plugs[i], e);
    r->wake = 0;
}

/* Whether inputs are the same; all are made of words. */
static int same(const uint64_t *a, const uint64_t *b, size_t size)
{
    for (size_t i = 0; i < size / sizeof *a; i++)
        if (a[i] != b[i])
            return 0;
    return 1;
}

/* Asks the unit about `in`, whatever its contract says. Returns 0, or 1: it is wrong. */
static int step(struct rack *r, struct plug *p, uint64_t cycle)
{
    struct plug_run *run = p->run;
    if (run->promises.clock)
        unit_set_clock(unit_of(p->unit), run->in, run->clock = cycle);
    run->state = NULL;
    run->silent = 0;
    if (unit_step(p->unit, cycle, run->in, run->out)) {
        r->wrong = p->unit;
        return 1;
    }
    run->still = run->promises.idle(run->in, run->out);
    run->wake = run->promises.wakes ? unit_wakes(p->unit, run->in) : UINT64_MAX;
    if (!run->still && !run->rests)
        run->wake = cycle + 1;
    return 0;
}

/* A cycle of a unit, which is not asked where its contract says what comes of it. Returns 0, or 1:
 * it is wrong. */
static int ask(struct rack *r, struct plug *p, uint64_t cycle, const void *controls)
{
    struct plug_run *run = p->run;
    void *const in = run->still ? run->next : run->in; /* to be compared, or not */
    const int transient = p->socket->gather(p, &r->view, controls, in);
    if (run->promises.clock)
        unit_set_clock(unit_of(p->unit), in, run->clock);
    const int quiet = run->promises.quiet && (!run->rests || r->always) && run->promises.quiet(in);
    if (quiet || !run->still || cycle >= run->wake || !same(in, run->in, run->in_size)) {
        if (in != run->in) {
            run->next = run->in;
            p->in = run->in = in;
        }
        if (!quiet && step(r, p, cycle))
            return 1;
        if (quiet) {
            if (!run->silent)
                memset(run->out, 0, run->out_size);
            run->silent = run->still = 1;
            run->wake = UINT64_MAX;
        }
    }
    if (transient) /* even if what it shows hides that something else has changed */
        run->wake = cycle + 1;
    return 0;
}

/* A cycle of a rack of one unit, its reference alone, which something may come of: nothing need be compared. */
static void step_alone(struct rack *r, uint64_t cycle, void *controls)
{
    struct plug *p = r->plugs;
    struct plug_run *run = p->run;
    const int transient = p->socket->gather(p, &r->view, controls, run->in);
    run->direct.comb(run->direct.state, run->in, run->out);
    run->direct.tick(run->direct.state, run->in, run->out);
    run->still = run->promises.idle(run->in, run->out);
    run->wake = (run->still || run->rests) && !transient ? UINT64_MAX : cycle + 1;
    r->wake = run->wake;
    p->socket->apply(p, controls);
}

int rack_step(struct rack *r, uint64_t cycle, void *controls)
{
    if (r->alone && !r->plugs->run->still) {
        step_alone(r, cycle, controls);
        return 0;
    }
    r->wake = UINT64_MAX;
    for (unsigned i = 0; i < r->count; i++) {
        struct plug *p = &r->plugs[i];
        if (ask(r, p, cycle, controls))
            return 1;
        r->wake = p->run->wake < r->wake ? p->run->wake : r->wake;
        if (!p->socket->apply)
            continue;
        if (!p->run->late.delay) {
            p->socket->apply(p, controls);
            continue;
        }
        p->socket->apply(p, late_now(&p->run->late, cycle));
        const uint64_t wake = late_apply(&p->run->late, cycle, controls);
        r->wake = wake < r->wake ? wake : r->wake;
    }
    return 0;
}

const struct log *plug_log(const struct plug *p)
{
    return p->socket->log ? &p->run->log : NULL;
}

void rack_log_begin(struct rack *r)
{
    for (unsigned i = 0; i < r->count && r->logs; i++)
        if (r->plugs[i].socket->log)
            log_begin(&r->plugs[i].run->log);
}

void rack_note(struct rack *r, uint64_t cycle)
{
    for (unsigned i = 0; i < r->count; i++)
        if (r->plugs[i].socket->log)
            r->plugs[i].socket->log->note(&r->plugs[i], cycle, &r->plugs[i].run->log);
}

void rack_log_end(struct rack *r, uint64_t cycle)
{
    for (unsigned i = 0; i < r->count && r->logs; i++)
        if (r->plugs[i].socket->log)
            r->plugs[i].socket->log->end(cycle, &r->plugs[i].run->log);
}

const struct log *rack_log(const struct rack *r, unsigned index)
{
    return index < r->count ? plug_log(&r->plugs[index]) : NULL;
}

void rack_count(const struct rack *r, struct found *found)
{
    for (unsigned i = 0; i < r->count; i++)
        if (r->plugs[i].socket->count)
            r->plugs[i].socket->count(&r->plugs[i], found);
}

int rack_settle(struct rack *r, uint64_t cycle)
{
    for (unsigned i = 0; i < r->count; i++)
        if (unit_settle(r->plugs[i].unit, cycle)) {
            r->wrong = r->plugs[i].unit;
            return 1;
        }
    return 0;
}

int rack_audit(struct rack *r, uint64_t cycle, const struct warp_cycles *counted)
{
    char why[160];
    for (unsigned i = 0; i < r->count; i++) {
        const struct plug *p = &r->plugs[i];
        if (!p->socket->audit || !p->socket->audit(p, counted, why, sizeof why))
            continue;
        r->wrong = p->unit;
        unit_accuse(r->wrong, cycle, why);
        return 1;
    }
    return 0;
}

int rack_still(const struct rack *r)
{
    for (unsigned i = 0; i < r->count; i++)
        if (!r->plugs[i].run->still)
            return 0;
    return 1;
}

uint64_t rack_late(const struct rack *r)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < r->count; i++)
        sum += r->plugs[i].run->late.delay;
    return sum;
}

void rack_accuse(struct rack *r, uint64_t cycle, const char *reason)
{
    unsigned last = r->count - 1;
    while (last && !r->plugs[last].socket->apply)
        last--;
    r->wrong = r->plugs[last].unit;
    unit_accuse(r->wrong, cycle, reason);
}

struct unit_inst *rack_unit(const struct rack *r, unsigned index)
{
    return index < r->count ? r->plugs[index].unit : NULL;
}

int rack_trace_declare(struct rack *r, struct wave *wave)
{
    r->always = 1;
    r->alone = 0; /* each cycle is to be remembered */
    for (unsigned i = 0; i < r->count; i++)
        if (unit_trace_declare(r->plugs[i].unit, wave))
            return -1;
    return 0;
}

void rack_trace(const struct rack *r, struct wave *wave, uint64_t cycle, int asked)
{
    for (unsigned i = 0; i < r->count; i++) {
        struct plug_run *run = r->plugs[i].run;
        if (!asked)
            memset(run->next, 0, run->in_size);
        unit_trace(r->plugs[i].unit, wave, cycle, asked ? run->in : run->next);
    }
}

void rack_trace_show(const struct rack *r, struct wave *wave)
{
    for (unsigned i = 0; i < r->count; i++)
        unit_trace_show(r->plugs[i].unit, wave);
}
