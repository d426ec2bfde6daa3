/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/unit_table.c: one contract as data. Compiled once for every unit, with UNIT_STEM, UNIT_DEF
 * and UNIT_HEADER saying which. */
#include "cosim/contract.h"

#include UNIT_HEADER

#define SYMBOL(name) CONTRACT_PASTE(UNIT_STEM, name)
#define STRING2(x)   #x
#define STRING(x)    STRING2(x)

/* Each list below expands a few kinds of lines and drops the others. */
#define PARAM(name)
#define IN(name, width, count, meaning)
#define OUT(name, width, count, meaning)
#define STATE(name, width, count, meaning)
#define NAME(field, id, value, meaning)
#define AT(state, path)
#define PORT(state)
#define FSM(state, machine)
#define IDLE_STABLE(condition)

#undef PARAM
#define PARAM(name) {#name, name},
static const struct param params[] = {
#include UNIT_DEF
};
#undef PARAM
#define PARAM(name)

#undef NAME
#define NAME(field, id, value, meaning) {#field, #id, meaning, value},
static const struct field_name names[] = {
#include UNIT_DEF
    {0},
};
#undef NAME
#define NAME(field, id, value, meaning)

#undef AT
#undef PORT
#define AT(state, path) {#state, #path},
#define PORT(state)     {#state, #state},
static const struct place places[] = {
#include UNIT_DEF
    {0},
};
#undef AT
#undef PORT
#define AT(state, path)
#define PORT(state)

#undef FSM
#define FSM(state, machine) extern const struct fsm machine##_fsm;
#include UNIT_DEF
#undef FSM
#define FSM(state, machine) {#state, &machine##_fsm},
static const struct state_fsm state_fsms[] = {
#include UNIT_DEF
    {0},
};
#undef FSM
#define FSM(state, machine)

#undef IN
#undef OUT
#undef STATE
#define FIELD(kind, part, name, width, count, meaning)                                             \
    {kind, #name, meaning, width, count, offsetof(struct SYMBOL(part), name)},
#define IN(name, width, count, meaning)    FIELD(FIELD_IN, in, name, width, count, meaning)
#define OUT(name, width, count, meaning)   FIELD(FIELD_OUT, out, name, width, count, meaning)
#define STATE(name, width, count, meaning) FIELD(FIELD_STATE, state, name, width, count, meaning)
static const struct field fields[] = {
#include UNIT_DEF
};
#undef IN
#undef OUT
#undef STATE
#define IN(name, width, count, meaning)
#define OUT(name, width, count, meaning)
#define STATE(name, width, count, meaning)

/* The condition of IDLE_STABLE reads `in->...` and `out->...`. */
#undef IDLE_STABLE
#define IDLE_STABLE(condition) return (condition);
static int idle(const void *input, const void *output)
{
    const struct SYMBOL(in) *in = input;
    const struct SYMBOL(out) *out = output;
    (void)in, (void)out;
#include UNIT_DEF
    return 0;
}
#undef IDLE_STABLE
#define IDLE_STABLE(condition) #condition
static const char idle_text[] = ""
#include UNIT_DEF
    ;

static void reset(void *state)
{
    SYMBOL(reset)(state);
}

static void comb(const void *state, const void *in, void *out)
{
    SYMBOL(comb)(state, in, out);
}

static void tick(void *state, const void *in, const void *out)
{
    SYMBOL(tick)(state, in, out);
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
extern const struct unit_model SYMBOL(model) __attribute__((weak));

const struct unit SYMBOL(unit) = {
    .stem = STRING(UNIT_STEM),
    .params = params,
    .fields = fields,
    .names = names,
    .places = places,
    .fsms = state_fsms,
    .num_params = COUNT(params),
    .num_fields = COUNT(fields),
    .num_names = COUNT(names) - 1,
    .num_places = COUNT(places) - 1,
    .num_fsms = COUNT(state_fsms) - 1,
    .size = {sizeof(struct SYMBOL(in)), sizeof(struct SYMBOL(out)), sizeof(struct SYMBOL(state))},
    .idle_text = idle_text,
    .idle = idle,
    .reset = reset,
    .comb = comb,
    .tick = tick,
    .model = &SYMBOL(model),
};
