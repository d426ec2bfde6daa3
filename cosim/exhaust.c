/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/exhaust.c: is a changed reference (cosim/cmutate.c) the unchanged one after all? Both are
 * compiled for a unit so small that nothing is left to chance: from the reset state on, every state
 * that the unchanged one reaches is tried with every input. No output and no next state may differ.
 * Prints `equivalent STATES states INPUTS inputs` or `differs on FIELD`; status 2: too large. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/contract.h"

#define MOST_STATE_BITS 24
#define MOST_INPUT_BITS 32

extern const struct unit *const checked_unit;
extern const struct unit changed_unit;

struct search {
    const struct unit *unit;
    uint8_t *reached; /* a byte for each state, packed */
    uint32_t *queue;
    size_t first, count;
    uint64_t inputs;
};

static unsigned bits_of(const struct unit *u, enum field_kind kind)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < u->num_fields; i++)
        if (u->fields[i].kind == kind)
            bits += field_bits(&u->fields[i]);
    return bits;
}

static uint32_t pack(const struct unit *u, const void *state)
{
    uint32_t packed = 0;
    unsigned at = 0;
    for (unsigned i = 0; i < u->num_fields; i++) {
        const struct field *f = &u->fields[i];
        for (unsigned e = 0; f->kind == FIELD_STATE && e < f->count; e++, at += f->width)
            packed |= (uint32_t)field_get(f, state, e) << at;
    }
    return packed;
}

static void unpack(const struct unit *u, uint32_t packed, void *state)
{
    for (unsigned i = 0; i < u->num_fields; i++) {
        const struct field *f = &u->fields[i];
        for (unsigned e = 0; f->kind == FIELD_STATE && e < f->count; e++, packed >>= f->width)
            field_set(f, state, e, packed & ((UINT64_C(1) << f->width) - 1));
    }
}

/* The next input, all of them in turn; 0 after the last, which leaves the first. */
static int next_input(const struct unit *u, void *in)
{
    for (unsigned i = 0; i < u->num_fields; i++) {
        const struct field *f = &u->fields[i];
        for (unsigned e = 0; f->kind == FIELD_IN && e < f->count; e++) {
            const uint64_t next = (field_get(f, in, e) + 1) & ((UINT64_C(1) << f->width) - 1);
            field_set(f, in, e, next);
            if (next)
                return 1;
        }
    }
    return 0;
}

static const char *difference(const struct unit *u, enum field_kind kind, const void *a,
                              const void *b)
{
    if (!memcmp(a, b, u->size[kind]))
        return NULL;
    for (unsigned i = 0; i < u->num_fields; i++)
        if (u->fields[i].kind == kind && !field_equal(&u->fields[i], a, b))
            return u->fields[i].name;
    return NULL;
}

static void reach(struct search *s, const void *state)
{
    const uint32_t packed = pack(s->unit, state);
    if (!s->reached[packed]) {
        s->reached[packed] = 1;
        s->queue[s->count++] = packed;
    }
}

/* Every input in one state. Returns the field that differs, or NULL. */
static const char *try_state(struct search *s, uint32_t packed)
{
    const struct unit *u = s->unit, *v = &changed_unit;
    union room {
        uint64_t words[256];
    } in = {{0}}, out = {{0}}, changed_out, state = {{0}}, next, changed_next;
    unpack(u, packed, &state);
    do {
        const char *field;
        memcpy(&changed_out, &out, u->size[FIELD_OUT]);
        u->comb(&state, &in, &out);
        v->comb(&state, &in, &changed_out);
        if ((field = difference(u, FIELD_OUT, &out, &changed_out)))
            return field;
        memcpy(&next, &state, u->state_size);
        memcpy(&changed_next, &state, u->state_size);
        u->tick(&next, &in, &out);
        v->tick(&changed_next, &in, &out);
        if ((field = difference(u, FIELD_STATE, &next, &changed_next)))
            return field;
        if (memcmp(&next, &state, u->state_size) != 0)
            reach(s, &next);
        s->inputs++;
    } while (next_input(u, &in));
    return NULL;
}

int main(void)
{
    const struct unit *u = checked_unit;
    struct search s = {.unit = u};
    const unsigned states = bits_of(u, FIELD_STATE), inputs = bits_of(u, FIELD_IN);
    uint64_t reset[256] = {0}, changed_reset[256] = {0};
    if (states > MOST_STATE_BITS || inputs > MOST_INPUT_BITS || u->num_memories ||
        u->state_size > sizeof reset || u->size[FIELD_IN] > sizeof reset ||
        u->size[FIELD_OUT] > sizeof reset) {
        fprintf(
            stderr,
            "exhaust: %s has %u bits of state and %u of inputs, or MEMORYs; at most %d and %d\n",
            u->stem, states, inputs, MOST_STATE_BITS, MOST_INPUT_BITS);
        return 2;
    }
    s.reached = calloc((size_t)1 << states, 1);
    s.queue = calloc((size_t)1 << states, sizeof *s.queue);
    if (!s.reached || !s.queue)
        return 2;
    u->reset(reset);
    changed_unit.reset(changed_reset);
    const char *field = difference(u, FIELD_STATE, reset, changed_reset);
    for (reach(&s, reset); !field && s.first < s.count;)
        field = try_state(&s, s.queue[s.first++]);
    if (field)
        printf("differs on %s\n", field);
    else
        printf("equivalent %zu states %" PRIu64 " inputs\n", s.count, s.inputs / s.count);
    free(s.reached);
    free(s.queue);
    return 0;
}
