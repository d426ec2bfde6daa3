/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/memories.c: the MEMORYs of an instance. Their contents are too large to be moved out of the
 * Verilated model in every cycle. So a shadow of the RTL's is kept: it moves as the RTL's write
 * ports say, is compared with the reference's in every cycle, and is read anew from the model now
 * and then, which shows what has moved without a write. */
#include <stdlib.h>
#include <string.h>

#include "cosim/inst.h"

/* The words of a MEMORY in a struct <unit>_state. */
static uint64_t *words(const struct field *m, void *state)
{
    return (uint64_t *)((char *)state + m->offset);
}

/* All MEMORYs of a struct <unit>_state, which lie behind its registers, one behind the other. */
static uint64_t *contents(const struct unit *u, void *state)
{
    return (uint64_t *)((char *)state + u->size[FIELD_STATE]);
}

static size_t contents_size(const struct unit *u)
{
    return u->state_size - u->size[FIELD_STATE];
}

void unit_preset(struct unit_inst *i, uint64_t seed)
{
    const struct unit *u = i->unit;
    uint64_t random = seed;
    for (unsigned n = 0; n < u->num_memories; n++)
        for (unsigned w = 0; w < u->memories[n].count; w++) {
            random = random * UINT64_C(6364136223846793005) + (seed != 0);
            words(&u->memories[n], i->state)[w] = random >> (64 - u->memories[n].width);
        }
    if (i->model && u->num_memories)
        u->model->preset(i->model, contents(u, i->state));
    inst_memories_read(i);
}

void inst_memories_read(struct unit_inst *i)
{
    const struct unit *u = i->unit;
    if (!u->num_memories)
        return;
    if (i->model)
        u->model->contents(i->model, contents(u, i->shadow));
    else
        memcpy(contents(u, i->shadow), contents(u, i->state), contents_size(u));
}

int inst_memories_equal(const struct unit_inst *i)
{
    const struct unit *u = i->unit;
    return !memcmp(contents(u, i->shadow), contents(u, i->state), contents_size(u));
}

void inst_memories_stop(struct unit_inst *i)
{
    const struct unit *u = i->unit;
    memcpy(contents(u, i->stopped), contents(u, i->state), contents_size(u));
}

/* A write that changes no word does not count: of the reference it cannot be seen. */
void inst_memories_before(struct unit_inst *i, struct unit_cycle *c)
{
    static const struct memory_write nothing;
    const struct unit *u = i->unit;
    for (unsigned n = 0; n < u->num_memories; n++)
        c->writes[SIDE_REF][n] = c->writes[SIDE_RTL][n] = nothing;
    if (!u->num_memories || !i->model)
        return;
    u->model->writes(i->model, c->writes[SIDE_RTL]);
    for (unsigned n = 0; n < u->num_memories; n++) {
        struct memory_write *w = &c->writes[SIDE_RTL][n];
        if (!w->write || w->address >= u->memories[n].count ||
            words(&u->memories[n], i->shadow)[w->address] == w->data)
            *w = nothing;
    }
}

/* What the reference has changed, from what it was. */
static void find_write(const uint64_t *was, const uint64_t *is, unsigned depth,
                       struct memory_write *w)
{
    unsigned address = 0;
    if (!memcmp(was, is, depth * sizeof *is))
        return;
    while (was[address] == is[address])
        address++;
    *w = (struct memory_write){1, address, is[address]};
}

void inst_memories_after(struct unit_inst *i, struct unit_cycle *c)
{
    const struct unit *u = i->unit;
    for (unsigned n = 0; n < u->num_memories; n++) {
        const struct field *m = &u->memories[n];
        uint64_t *shadow = words(m, i->shadow);
        const uint64_t *now = words(m, i->state);
        if (inst_has(i, SIDE_REF))
            find_write(shadow, now, m->count, &c->writes[SIDE_REF][n]);
        if (!i->model) {
            memcpy(shadow, now, m->count * sizeof *now);
            continue;
        }
        const struct memory_write *w = &c->writes[SIDE_RTL][n];
        if (w->write) {
            i->moved[n].rose |= ~shadow[w->address] & w->data;
            i->moved[n].fell |= shadow[w->address] & ~w->data;
            shadow[w->address] = w->data;
        }
    }
}
