/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/spill/slots.c: the first slot that is free wherever the value lives. Slots follow the
 * kernel's own local variables, those of 8 bytes first. */
#include "tb/ptx/spill/spill.h"

struct slot {
    struct slot *next;
    uint32_t address;
    uint64_t *taken; /* a bit for each point */
};

static int is_free(struct spill *s, const struct slot *slot, const struct spill_value *v)
{
    uint64_t both = 0;
    ptx_spend(s->context, v->num_words);
    for (uint32_t w = 0; w < v->num_words; w++)
        both |= slot->taken[v->first + w] & v->words[w];
    return !both;
}

static struct slot *add_slot(struct spill *s, uint32_t bytes)
{
    struct slot *slot = ptx_scratch(s->context, 1, sizeof *slot);
    if (s->local_bytes > MAX_WINDOW_BYTES - 2 * bytes)
        ptx_fail(s->context, 0, "local memory of kernel '%.100s' exceeds %u bytes", s->kernel->name,
                 MAX_WINDOW_BYTES);
    slot->taken = ptx_scratch(s->context, s->num_points / 64 + 1, sizeof *slot->taken);
    slot->address = s->local_bytes = (s->local_bytes + bytes - 1) / bytes * bytes;
    s->local_bytes += bytes;
    return slot;
}

static void place_one(struct spill *s, struct slot **slots, struct spill_value *v, uint32_t bytes)
{
    while (*slots && !is_free(s, *slots, v))
        slots = &(*slots)->next;
    if (!*slots)
        *slots = add_slot(s, bytes);
    for (uint32_t w = 0; w < v->num_words; w++)
        (*slots)->taken[v->first + w] |= v->words[w];
    v->address = (*slots)->address;
}

void spill_place(struct spill *s)
{
    s->local_bytes = s->kernel->local_bytes - s->kernel->stack_bytes;
    for (uint32_t units = 2; units; units--) {
        struct slot *slots = NULL;
        for (uint32_t n = 0; n < s->kernel->num_regs; n++)
            if (s->values[n].spilled && s->kernel->registers[n].units == units)
                place_one(s, &slots, &s->values[n], 4 * units);
    }
}
