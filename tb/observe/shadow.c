/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/shadow.c: see shadow.h. */
#include "tb/observe/shadow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct controls nothing = {
#define MASK(name, meaning)           .name = ~UINT64_C(0),
#define CHOICE(name, meaning)         .name = NO_CHOICE,
#define CHOICES(name, count, meaning) .name = {[0 ...(count) - 1] = NO_CHOICE},
#define OF_SCHEDULER
#include "tb/units/controls.def"
};

int shadow_open(struct shadow *s, const struct planned *planned, const struct plug *plug,
                unsigned places, struct verdict *verdict)
{
    s->unit = planned->unit;
    s->plug = plug;
    s->delay = planned->delay;
    s->places = places;
    s->observer = observer_find(planned->socket->stem);
    if (!s->observer) {
        wrong(verdict, 0, "unit %s has no observer: tb/observe/%s.c", planned->socket->stem,
              planned->socket->stem);
        return -1;
    }
    s->in = calloc(1, s->unit->size[FIELD_IN]);
    s->out = calloc(1, s->unit->size[FIELD_OUT]);
    s->state = calloc(1, s->unit->state_size + 1);
    s->before = calloc(1, s->unit->state_size + 1);
    s->memory = calloc(1, s->observer->memory + 1);
    s->late = malloc((s->delay + 1) * places * sizeof *s->late);
    if (!s->in || !s->out || !s->state || !s->before || !s->memory || !s->late)
        return -1;
    for (uint64_t i = 0; i < (s->delay + 1) * places; i++)
        s->late[i] = nothing;
    s->unit->reset(s->state);
    return 0;
}

void shadow_close(struct shadow *s)
{
    free(s->in);
    free(s->out);
    free(s->state);
    free(s->before);
    free(s->memory);
    free(s->late);
}

const struct shadow *shadow_find(const struct shadow *shadows, unsigned count, const char *stem)
{
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(shadows[i].observer->stem, stem))
            return &shadows[i];
    return NULL;
}

void shadow_comb(struct shadow *s, uint64_t cycle)
{
    unit_set_clock(s->unit, s->in, cycle);
    s->unit->comb(s->state, s->in, s->out);
}

/* What it steers in a cycle of its life, for each scheduler. */
static struct controls *late_at(const struct shadow *s, uint64_t cycle)
{
    return &s->late[cycle % (s->delay + 1) * s->places];
}

void shadow_steer(struct shadow *s, struct controls *controls)
{
    struct controls *now = late_at(s, s->cycles++);
    for (unsigned i = 0; i < s->places; i++)
        now[i] = nothing;
    if (s->observer->steer)
        s->observer->steer(s->out, s->state, now);
    if (s->observer->steer_set)
        s->observer->steer_set(s->in, now);
    const struct controls *due = late_at(s, s->cycles);
    for (unsigned i = 0; i < s->places; i++) {
        struct controls *c = &controls[i];
#define MASK(name, meaning)   c->name &= due[i].name;
#define CHOICE(name, meaning) c->name = due[i].name == NO_CHOICE ? c->name : due[i].name;
#define CHOICES(name, count, meaning)                                                              \
    for (unsigned j = 0; j < (count); j++)                                                         \
        c->name[j] = due[i].name[j] == NO_CHOICE ? c->name[j] : due[i].name[j];
#define OF_SCHEDULER
#include "tb/units/controls.def"
    }
}

void shadow_rest(struct shadow *s, uint64_t cycles)
{
    const struct controls *last = late_at(s, s->cycles + s->delay);
    for (uint64_t i = 0; i < cycles && i <= s->delay; i++)
        memmove(late_at(s, s->cycles++), last, s->places * sizeof *last);
}

int shadow_tick(struct shadow *s)
{
    memcpy(s->before, s->state, s->unit->state_size);
    s->unit->tick(s->state, s->in, s->out);
    return memcmp(s->before, s->state, s->unit->state_size) != 0 || s->delay || s->unit->clock;
}

int shadow_inputs_differ(const struct shadow *s, struct verdict *v, uint64_t cycle)
{
    return fields_differ(v, cycle, s->unit, FIELD_IN, s->in, s->plug->in);
}

int shadow_registers_differ(const struct shadow *s, struct verdict *v, uint64_t cycle)
{
    return fields_differ(v, cycle, s->unit, FIELD_STATE, s->state, plug_state(s->plug));
}

/* `index`: of one of several, or -1. */
static int control_differs(uint64_t should, uint64_t found, const char *name, int index,
                           struct verdict *v, uint64_t cycle)
{
    char which[16] = "";
    if (found == should)
        return 0;
    if (index >= 0)
        snprintf(which, sizeof which, "[%d]", index);
    return wrong(v, cycle,
                 "control %s%s is %#" PRIx64 "; by the units' outputs it should be %#" PRIx64, name,
                 which, found, should);
}

int controls_differ(const struct controls *should, const struct controls *found, struct verdict *v,
                    uint64_t cycle)
{
#define SAME(field, name, index, bits)                                                             \
    if (control_differs(should->field & (bits), found->field & (bits), #name, index, v, cycle))    \
        return 1;
#define MASK(name, meaning)                                                                        \
    SAME(name, name, -1, strcmp(#name, "allow_class") ? ALL_WARPS : UINT64_C(15))
#define CHOICE(name, meaning) SAME(name, name, -1, UINT64_MAX)
#define CHOICES(name, count, meaning)                                                              \
    for (int i = 0; i < (count); i++)                                                              \
    SAME(name[i], name, i, UINT64_MAX)
#define OF_SCHEDULER
#include "tb/units/controls.def"
#undef SAME
    return 0;
}
