/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/energy.c: see energy.h. */
#include "tb/gpu/energy.h"

#include "tb/clocks.h"
#include "tb/gpu/stats.h"
#include "tb/units/view.h"

void energy_events(const struct stats_sums *s, uint64_t events_of[NUM_ENERGY_KEYS])
{
#define ENERGY(part, key, volts, events, meaning) events_of[ENERGY_KEY_##key] = (events);
#include "tb/gpu/energy.def"
}

/* What costs this much at full clock and goes with this power of the voltage. */
static uint64_t at_voltage(uint64_t femtojoules, unsigned power, uint64_t mv, uint64_t full)
{
    unsigned __int128 scaled = femtojoules;
    uint64_t by = 1;
    for (unsigned i = 0; i < power; i++) {
        scaled *= mv;
        by *= full;
    }
    return (uint64_t)(scaled / by);
}

void energy_spend(const uint64_t events_of[NUM_ENERGY_KEYS], const struct config *c,
                  unsigned sixths, uint64_t spent[NUM_ENERGY_KEYS])
{
    const uint64_t now = config_millivolts(c, sixths), full = config_millivolts(c, CLOCK_SIXTHS);
#define ENERGY(part, key, volts, events, meaning)                                                  \
    spent[ENERGY_KEY_##key] +=                                                                     \
        at_voltage(events_of[ENERGY_KEY_##key] * (uint64_t)c->energy_##key, volts, now, full);
#include "tb/gpu/energy.def"
}

struct energy energy_of(const uint64_t spent[NUM_ENERGY_KEYS])
{
    struct energy e = {0};
#define ENERGY(part, key, volts, events, meaning)                                                  \
    e.keys[ENERGY_KEY_##key] = spent[ENERGY_KEY_##key];                                            \
    e.parts[ENERGY_##part] += e.keys[ENERGY_KEY_##key];
#include "tb/gpu/energy.def"
    for (unsigned i = 0; i < NUM_ENERGY_PARTS; i++)
        e.total += e.parts[i];
    return e;
}

const char *energy_key_name(enum energy_key key)
{
    static const char *const names[] = {
#define ENERGY(part, key, volts, events, meaning) #key,
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
