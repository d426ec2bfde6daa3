/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/units.c: the list of all units, and what can be asked of a contract. See contract.h. */
#include "cosim/contract.h"

#include <stdio.h>
#include <string.h>

#include "cmodel/contract.h"
#include "cosim/unit.h"

#define UNIT(stem) extern const struct unit stem##_unit;
#include "units.def"
#undef UNIT

const struct unit *const units[] = {
#define UNIT(stem) &stem##_unit,
#include "units.def"
#undef UNIT
};
const unsigned num_units = sizeof units / sizeof units[0];

const struct unit *unit_find(const char *stem)
{
    for (unsigned u = 0; u < num_units; u++)
        if (!strcmp(units[u]->stem, stem))
            return units[u];
    return NULL;
}

uint64_t field_get(const struct field *f, const void *fields, unsigned index)
{
    const uint8_t *at = (const uint8_t *)fields + f->offset;
    uint64_t word;
    if (CONTRACT_IS_SCALAR(f->width, f->count) || f->width == 1) {
        memcpy(&word, at + index / 64 * 8, 8);
        return f->width == 1 ? word >> index % 64 & 1 : word;
    }
    switch (CONTRACT_ELEMENT_BYTES(f->width)) {
    case 1: return at[index];
    case 2: return ((const uint16_t *)at)[index];
    case 4: return ((const uint32_t *)at)[index];
    default: return ((const uint64_t *)at)[index];
    }
}

void field_set(const struct field *f, void *fields, unsigned index, uint64_t value)
{
    uint8_t *at = (uint8_t *)fields + f->offset;
    uint64_t word;
    if (CONTRACT_IS_SCALAR(f->width, f->count) || f->width == 1) {
        at += index / 64 * 8;
        memcpy(&word, at, 8);
        word = f->width == 1 ? (word & ~(UINT64_C(1) << index % 64)) | (value & 1) << index % 64
                             : value;
        memcpy(at, &word, 8);
        return;
    }
    switch (CONTRACT_ELEMENT_BYTES(f->width)) {
    case 1: at[index] = (uint8_t)value; break;
    case 2: ((uint16_t *)at)[index] = (uint16_t)value; break;
    case 4: ((uint32_t *)at)[index] = (uint32_t)value; break;
    default: ((uint64_t *)at)[index] = value;
    }
}

unsigned field_bits(const struct field *f)
{
    return f->width * f->count;
}

int field_equal(const struct field *f, const void *a, const void *b)
{
    for (unsigned i = 0; i < f->count; i++)
        if (field_get(f, a, i) != field_get(f, b, i))
            return 0;
    return 1;
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
        field_set(u->clock, in, 0, cycle & ~UINT64_C(0) >> (64 - u->clock->width));
}

uint64_t unit_wakes_after(const struct unit *u, uint64_t now, uint64_t wakes)
{
    const unsigned width = u->clock ? u->clock->width : 64;
    const uint64_t next = now + 1, wait = (wakes - next) & ~UINT64_C(0) >> (64 - width);
    return wakes == UINT64_MAX || wait > UINT64_MAX - next ? UINT64_MAX : next + wait;
}
