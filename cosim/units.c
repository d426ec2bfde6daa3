/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/units.c: what can be asked of a contract. See contract.h. */
#include "cosim/contract.h"

#include <stdio.h>
#include <string.h>

#include "cmodel/bits.h"
#include "cosim/unit.h"

const struct unit *unit_find(const char *stem)
{
    for (unsigned u = 0; u < num_units; u++)
        if (!strcmp(units[u]->stem, stem))
            return units[u];
    return NULL;
}

uint64_t field_get(const struct field *f, const void *fields, unsigned index)
{
    const uint64_t *words = (const uint64_t *)((const char *)fields + f->offset);
    const unsigned bit = index * f->width;
    return bits_get(&words[bit / f->per_word], bit % f->per_word, f->width);
}

void field_set(const struct field *f, void *fields, unsigned index, uint64_t value)
{
    uint64_t *words = (uint64_t *)((char *)fields + f->offset);
    const unsigned bit = index * f->width;
    bits_set(&words[bit / f->per_word], bit % f->per_word, f->width, value);
}

void field_pack(const struct field *f, const void *fields, uint64_t *packed)
{
    bits_pack(packed, (const uint64_t *)((const char *)fields + f->offset), f->per_word,
              field_bits(f));
}

unsigned field_bits(const struct field *f)
{
    return f->width * f->count;
}

int field_is_set(const struct field *f)
{
    return f->count > 1 ? f->width == 1 : !strncmp(f->width_text, "NUM_", 4);
}

int field_equal(const struct field *f, const void *a, const void *b)
{
    for (unsigned i = 0; i < f->count; i++)
        if (field_get(f, a, i) != field_get(f, b, i))
            return 0;
    return 1;
}

int field_fits(const struct field *f, const void *fields)
{
    const uint64_t *words = (const uint64_t *)((const char *)fields + f->offset);
    for (unsigned left = field_bits(f); left > f->per_word; left -= f->per_word, words++)
        if (f->per_word < 64 && *words >> f->per_word)
            return 0;
    const unsigned last = (field_bits(f) - 1) % f->per_word + 1;
    return last == 64 || !(*words >> last);
}

const char *field_value_name(const struct unit *u, const struct field *f, uint64_t value)
{
    for (unsigned n = 0; n < u->num_names; n++)
        if (u->names[n].value == value && !strcmp(u->names[n].field, f->name))
            return u->names[n].id;
    const struct fsm *fsm = unit_field_fsm(u, f);
    return fsm && value < fsm->num_states ? fsm->states[value].name : NULL;
}

const struct fsm *unit_field_fsm(const struct unit *u, const struct field *f)
{
    for (unsigned n = 0; n < u->num_fsms; n++)
        if (!strcmp(u->fsms[n].state, f->name))
            return u->fsms[n].fsm;
    return NULL;
}

const struct field *unit_field(const struct unit *u, const char *name)
{
    for (unsigned f = 0; f < u->num_fields; f++)
        if (!strcmp(u->fields[f].name, name))
            return &u->fields[f];
    return NULL;
}

void unit_register(const struct unit *u, const struct field *f, char *path, size_t size)
{
    snprintf(path, size, unit_state_is_port(u, f) ? "%s" : "%s_q", f->name);
}

int unit_state_is_port(const struct unit *u, const struct field *f)
{
    for (unsigned p = 0; p < u->num_ports; p++)
        if (!strcmp(u->ports[p], f->name))
            return 1;
    return 0;
}

unsigned unit_state_bits(const struct unit *u)
{
    unsigned bits = 0;
    for (unsigned f = 0; f < u->num_fields; f++)
        if (u->fields[f].kind == FIELD_STATE)
            bits += field_bits(&u->fields[f]);
    return bits;
}

void unit_set_clock(const struct unit *u, void *in, uint64_t cycle)
{
    if (u->clock)
        field_set(u->clock, in, 0, cycle);
}

int unit_is_clocked(const struct unit *u)
{
    return u->state_size > 0;
}

uint64_t unit_wakes_after(const struct unit *u, uint64_t now, uint64_t wakes)
{
    const unsigned width = u->clock ? u->clock->width : 64;
    const uint64_t next = now + 1, wait = (wakes - next) & ~UINT64_C(0) >> (64 - width);
    return wakes == UINT64_MAX || wait > UINT64_MAX - next ? UINT64_MAX : next + wait;
}
