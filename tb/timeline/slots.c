/* SPDX-License-Identifier: Apache-2.0 */
/* tb/timeline/slots.c: see slots.h.
 *
 * An SM steps only in cycles in which something can happen; in those between, nothing changes but that pipelines are free again. So
 * a cycle that is stepped is looked at when a scheduler has had its turn, with the pipelines as they were when the turn began; and
 * the cycles up to the next one are those of the states at the end of the step. */
#include "tb/timeline/slots.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tb/sm/account.h"

#define NO_CLASS NUM_CPI_CLASSES

/* A slot's slice, and what its warp is to execute next. */
struct slot {
    unsigned class;        /* of the slice that is open, or NO_CLASS */
    uint64_t since, until; /* its cycles so far */
    const struct uop *uop; /* the warp's next instruction when it began; NULL: none */
    const struct ptx_kernel *kernel;
    const struct uop *next; /* at the end of the last step */
    const struct ptx_kernel *next_kernel;
    int block; /* the slice of a block is open */
};

/* From which cycle on each pipeline takes an instruction, by number of cpi.h; [0]: none. */
struct pipelines {
    uint64_t free[1 << CPI_PIPELINE_BITS];
};

/* What is counted in a bucket of cycles. */
struct bucket {
    uint64_t begin, issued, ready, misses;
};

struct slots {
    struct json *out;
    struct sm *sm;
    unsigned process;
    struct cycles window;
    uint64_t full;                    /* the cycle at which `out` was; 0: it is not */
    const struct sm_observer *before; /* who looked already, or NULL */
    struct sm_observer observer;
    struct listener listener;
    struct slot slots[NUM_SCHEDULERS][NUM_WARPS];
    uint64_t now;                               /* cycles before this one are written */
    int resident;                               /* any state is one of a warp */
    uint8_t states[NUM_SCHEDULERS][NUM_WARPS];  /* after the last step; see cpi.h */
    struct pipelines pipelines[NUM_SCHEDULERS]; /* then, or at the beginning of a turn */
    struct bucket bucket;
    struct bucket told; /* the values that were written last, in hundredths */
};

static unsigned track_of(unsigned scheduler, unsigned slot)
{
    return TIMELINE_SLOTS + scheduler * NUM_WARPS + slot;
}

static void end_slice(struct slots *s, struct slot *t, unsigned track)
{
    if (t->class == NO_CLASS)
        return;
    json_event(s->out,
               "{\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%" PRIu64 ",\"dur\":%" PRIu64
               ",\"name\":\"%s\"",
               s->process, track, t->since, t->until - t->since,
               cpi_name((enum cpi_class)t->class));
    if (t->uop) {
        const uint32_t pc = (uint32_t)(t->uop - t->kernel->uops);
        json_more(s->out, ",\"args\":{\"pc\":%" PRIu32 ",\"ptx\":", pc);
        json_text(s->out, t->kernel->text[pc]);
        json_more(s->out, "}");
    }
    json_more(s->out, "}");
    t->class = NO_CLASS;
}

static void end_block(struct slots *s, struct slot *t, unsigned track)
{
    end_slice(s, t, track);
    if (t->block)
        json_event(s->out, "{\"ph\":\"E\",\"pid\":%u,\"tid\":%u,\"ts\":%" PRIu64 "}", s->process,
                   track, t->until);
    t->block = 0;
    t->next = NULL;
}

static void begin_block(struct slots *s, struct slot *t, unsigned scheduler, unsigned slot,
                        uint64_t cycle)
{
    const struct scheduler *sc = &s->sm->schedulers[scheduler];
    const struct exec_launch *launch = kernel_of(sc, slot)->launch;
    const uint64_t block = s->sm->blocks[sc->block[slot]].linear_id;
    char name[256];
    snprintf(name, sizeof name, "%.200s block %" PRIu64, launch->kernel->name, block);
    json_event(s->out,
               "{\"ph\":\"B\",\"pid\":%u,\"tid\":%u,\"ts\":%" PRIu64 ",\"name\":", s->process,
               track_of(scheduler, slot), cycle);
    json_text(s->out, name);
    json_more(s->out, ",\"args\":{\"kernel\":");
    json_text(s->out, launch->kernel->name);
    json_more(s->out, ",\"launch\":%" PRIu64 ",\"block\":%" PRIu64 "}}", launch->number, block);
    t->block = 1;
}

/* A warp is in a class in cycles of the window. */
static void put(struct slots *s, unsigned scheduler, unsigned slot, unsigned class, uint64_t from,
                uint64_t until)
{
    struct slot *t = &s->slots[scheduler][slot];
    from = from < s->window.first ? s->window.first : from;
    until = until > s->window.last ? s->window.last + 1 : until;
    if (from >= until)
        return;
    s->bucket.issued += class == CPI_issued ? until - from : 0;
    s->bucket.ready += class == CPI_issued || class == CPI_not_selected ? until - from : 0;
    if (t->class == class) { /* it has been open since, so there is no gap */
        t->until = until;
        return;
    }
    end_slice(s, t, track_of(scheduler, slot));
    if (!t->block)
        begin_block(s, t, scheduler, slot, from);
    t->class = class;
    t->since = from;
    t->until = until;
    t->uop = t->next;
    t->kernel = t->next_kernel;
}

/* A slot is in a state in cycles in which nothing changes but that pipelines are free again. */
static void put_state(struct slots *s, unsigned scheduler, unsigned slot, unsigned state,
                      uint64_t from, uint64_t until)
{
    const unsigned pipeline = cpi_pipeline_of(state);
    const uint64_t free = s->pipelines[scheduler].free[pipeline];
    uint64_t taken = free < until ? free : until; /* it takes nothing before */
    taken = taken > from ? taken : from;
    if (state == CPI_NO_WARP) { /* so it is for some cycles, from one block to the next */
        end_block(s, &s->slots[scheduler][slot], track_of(scheduler, slot));
        return;
    }
    if (taken > from)
        put(s, scheduler, slot, CPI_struct_sp + pipeline - 1, from, taken);
    if (until > taken)
        put(s, scheduler, slot, cpi_class_of(state), taken, until);
}

static void tell_value(struct slots *s, const char *name, uint64_t hundredths, uint64_t *told,
                       uint64_t at)
{
    if (hundredths == *told)
        return;
    *told = hundredths;
    json_event(s->out,
               "{\"ph\":\"C\",\"pid\":%u,\"ts\":%" PRIu64
               ",\"name\":\"%s\",\"args\":{\"%s\":%" PRIu64 ".%02" PRIu64 "}}",
               s->process, at, name, name, hundredths / 100, hundredths % 100);
}

/* Writes a bucket that is over, or ends early, at `end`; a value stays until another one is written. */
static void end_bucket(struct slots *s, uint64_t end)
{
    struct bucket *b = &s->bucket;
    const uint64_t from = b->begin < s->window.first ? s->window.first : b->begin,
                   until = end > s->window.last ? s->window.last + 1 : end;
    if (from < until) {
        tell_value(s, "IPC", 100 * b->issued / (until - from), &s->told.issued, from);
        tell_value(s, "warps ready", 100 * b->ready / (until - from), &s->told.ready, from);
        tell_value(s, "L1D misses", 100 * b->misses, &s->told.misses, from);
    }
    *b = (struct bucket){.begin = end};
}

static void end_buckets(struct slots *s, uint64_t until)
{
    while (until - s->bucket.begin >= TIMELINE_BUCKET)
        end_bucket(s, s->bucket.begin + TIMELINE_BUCKET);
}

/* No warp is there: one bucket is as the other. */
static void pass_idle(struct slots *s, uint64_t until)
{
    for (int first = 0; first < 2 && until - s->bucket.begin >= TIMELINE_BUCKET; first++)
        end_bucket(s, s->bucket.begin + TIMELINE_BUCKET);
    if (until - s->bucket.begin >= TIMELINE_BUCKET)
        s->bucket.begin = until - until % TIMELINE_BUCKET;
}

static void put_states(struct slots *s, uint64_t from, uint64_t until)
{
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        for (unsigned slot = 0; slot < NUM_WARPS; slot++)
            if (s->states[i][slot] != CPI_NO_WARP)
                put_state(s, i, slot, s->states[i][slot], from, until);
}

/* Cycles up to this one are those of the last states. */
static void catch_up(struct slots *s, uint64_t until)
{
    if (until <= s->now)
        return;
    if (!s->resident)
        pass_idle(s, until);
    while (s->resident && s->now < until) {
        const uint64_t border = s->bucket.begin + TIMELINE_BUCKET,
                       end = border < until ? border : until;
        put_states(s, s->now, end);
        end_buckets(s, end);
        s->now = end;
    }
    s->now = until;
}

static void close_all(struct slots *s)
{
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        for (unsigned slot = 0; slot < NUM_WARPS; slot++)
            end_block(s, &s->slots[i][slot], track_of(i, slot));
}

/* Returns whether there is no more to be done. */
static int is_over(struct slots *s, uint64_t cycle)
{
    if (s->full || cycle < s->now)
        return 1;
    if (!json_full(s->out))
        return 0;
    close_all(s);
    s->full = cycle;
    return 1;
}

static void look_at_pipelines(struct slots *s, unsigned scheduler)
{
    const uint64_t free[] = {0, s->sm->schedulers[scheduler].sp_free, s->sm->sfu_free,
                             s->sm->mem_free};
    for (unsigned i = 0; i < sizeof free / sizeof free[0]; i++)
        s->pipelines[scheduler].free[i] = free[i];
}

/* In which state account.c counts the slot from `from` on, as things stand: it may not have come to that yet. */
static unsigned state_of(const struct slots *s, unsigned scheduler, unsigned slot, uint64_t from)
{
    const struct scheduler *sc = &s->sm->schedulers[scheduler];
    if (sc->counted <= from && sc->moved >> slot & 1)
        return account_state(s->sm, sc, slot);
    return sc->cpi.states[slot];
}

static int cycle_begins(void *context, uint64_t cycle)
{
    struct slots *s = context;
    if (!is_over(s, cycle))
        catch_up(s, cycle);
    return s->before ? s->before->cycle(s->before->context, cycle) : 0;
}

static int turn(void *context, unsigned scheduler, uint64_t cycle)
{
    struct slots *s = context;
    look_at_pipelines(s, scheduler);
    return s->before ? s->before->turn(s->before->context, scheduler, cycle) : 0;
}

static int turned(void *context, unsigned scheduler, uint64_t cycle)
{
    struct slots *s = context;
    const struct scheduler *sc = &s->sm->schedulers[scheduler];
    /* One that was passed by rests, and has granted none. */
    const uint64_t issues = sc->controls.grant == NO_CHOICE ? 0 : sc->controls.grant;
    for (unsigned slot = 0; slot < NUM_WARPS && !is_over(s, cycle); slot++)
        if (issues >> slot & 1)
            put(s, scheduler, slot, CPI_issued, cycle, cycle + 1);
        else
            put_state(s, scheduler, slot, state_of(s, scheduler, slot, cycle), cycle, cycle + 1);
    return s->before ? s->before->turned(s->before->context, scheduler, cycle) : 0;
}

/* What the warps are like until the next step. */
static void look_at_warps(struct slots *s, unsigned scheduler, uint64_t from)
{
    const struct scheduler *sc = &s->sm->schedulers[scheduler];
    for (unsigned slot = 0; slot < NUM_WARPS; slot++) {
        struct slot *t = &s->slots[scheduler][slot];
        const unsigned state = state_of(s, scheduler, slot, from);
        const int runs = ((sc->view.running | sc->view.at_barrier) >> slot & 1) != 0;
        s->states[scheduler][slot] = (uint8_t)state;
        s->resident |= state != CPI_NO_WARP;
        t->next = runs ? sc->next[slot] : NULL;
        t->next_kernel = runs ? kernel_of(sc, slot)->launch->kernel : NULL;
    }
}

static int stepped(void *context, uint64_t cycle)
{
    struct slots *s = context;
    if (!is_over(s, cycle)) {
        s->now = cycle + 1;
        s->resident = 0;
        for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
            look_at_pipelines(s, i);
            look_at_warps(s, i, cycle + 1);
        }
        end_buckets(s, cycle + 1);
    }
    return s->before ? s->before->stepped(s->before->context, cycle) : 0;
}

static void hear(void *context, const struct event *e)
{
    struct slots *s = context;
    if (s->full)
        return;
    if (e->kind == EVENT_l1d_miss)
        s->bucket.misses += e->cycle >= s->window.first && e->cycle <= s->window.last;
    else {
        catch_up(s, e->cycle);
        close_all(s);
        s->resident = 0;
    }
}

static void name_tracks(struct slots *s, unsigned sm)
{
    json_event(s->out,
               "{\"ph\":\"M\",\"pid\":%u,\"name\":\"process_name\",\"args\":{\"name\":\"SM %u\"}}",
               s->process, sm);
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        for (unsigned slot = 0; slot < NUM_WARPS; slot++) {
            const unsigned track = track_of(i, slot);
            json_event(s->out,
                       "{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_name\",\"args\":{"
                       "\"name\":\"warp %u, scheduler %u\"}}",
                       s->process, track, slot, i);
            json_event(s->out,
                       "{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_sort_index\","
                       "\"args\":{\"sort_index\":%u}}",
                       s->process, track, track);
        }
}

struct slots *slots_new(struct json *out, struct sm *sm, unsigned number,
                        const struct cycles *window)
{
    struct slots *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->out = out;
    s->sm = sm;
    s->process = slots_process(number);
    s->window = *window;
    if (s->window.last == UINT64_MAX)
        s->window.last--; /* so that there is a cycle behind it */
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        for (unsigned slot = 0; slot < NUM_WARPS; slot++)
            s->slots[i][slot].class = NO_CLASS;
    s->before = sm->observer;
    s->observer = (struct sm_observer){s, cycle_begins, turn, turned, stepped};
    s->listener =
        (struct listener){.hears = HEARS(l1d_miss) | HEARS(kernel_end), .hear = hear, .context = s};
    name_tracks(s, number);
    sm_listen(sm, &s->listener);
    sm->observer = &s->observer;
    return s;
}

void slots_end(struct slots *s)
{
    if (!s->full) {
        close_all(s);
        end_bucket(s, s->now);
    }
    s->sm->observer = s->before;
}

void slots_free(struct slots *s)
{
    free(s);
}

uint64_t slots_full(const struct slots *s)
{
    return s->full;
}
