/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/energy.c: see energy.h. */
#include "tb/gpu/energy.h"

#include "tb/units/view.h"

struct energy energy_of(const struct stats_sums *s, const struct config *c)
{
    struct energy e = {0};
#define ENERGY(part, key, events, meaning)                                                         \
    e.keys[ENERGY_KEY_##key] = (events) * (uint64_t)c->energy_##key;                               \
    e.parts[ENERGY_##part] += e.keys[ENERGY_KEY_##key];
#include "tb/gpu/energy.def"
    for (unsigned i = 0; i < NUM_ENERGY_PARTS; i++)
        e.total += e.parts[i];
    return e;
}

const char *energy_key_name(enum energy_key key)
{
    static const char *const names[] = {
#define ENERGY(part, key, events, meaning) #key,
#include "tb/gpu/energy.def"
    };
    return names[key];
}

const char *energy_part_name(enum energy_part part)
{
    static const char *const names[] = {
#define PART(name) #name,
        ENERGY_PARTS(PART)
#undef PART
    };
    return names[part];
}
