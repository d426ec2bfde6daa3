/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/unit_table.c: one contract as data. Compiled once for every unit, with UNIT_STEM, UNIT_DEF
 * and UNIT_HEADER saying which. */
#include "cosim/contract.h"

#include UNIT_HEADER

#define CONTRACT_DEF UNIT_DEF
#define SYMBOL(name) CONTRACT_PASTE(UNIT_STEM, name)
#define STRING2(x)   #x
#define STRING(x)    STRING2(x)

/* Each list below takes a few kinds of lines. */
#define PARAM(name) {#name, name},
static const struct param params[] = {
#include "cmodel/contract_lines.h"
};

#define NAME(field, id, value, meaning) {#field, #id, meaning, value},
static const struct field_name names[] = {
#include "cmodel/contract_lines.h"
    {0},
};

#define AT(state, path) {#state, #path},
#define PORT(state)     {#state, #state},
static const struct place places[] = {
#include "cmodel/contract_lines.h"
    {0},
};

#define FSM(state, machine) extern const struct fsm machine##_fsm;
#include "cmodel/contract_lines.h"
#define FSM(state, machine) {#state, &machine##_fsm},
static const struct state_fsm state_fsms[] = {
#include "cmodel/contract_lines.h"
    {0},
};

#define FIELD(kind, part, name, width, count, meaning)                                             \
    {kind, #name, meaning, width, count, offsetof(struct SYMBOL(part), name)},
#define IN(name, width, count, meaning)    FIELD(FIELD_IN, in, name, width, count, meaning)
#define OUT(name, width, count, meaning)   FIELD(FIELD_OUT, out, name, width, count, meaning)
#define STATE(name, width, count, meaning) FIELD(FIELD_STATE, state, name, width, count, meaning)
static const struct field fields[] = {
#include "cmodel/contract_lines.h"
};

/* The condition of IDLE_STABLE reads `in->...` and `out->...`. */
#define IDLE_STABLE(condition) return (condition);
static int idle(const void *input, const void *output)
{
    const struct SYMBOL(in) *in = input;
    const struct SYMBOL(out) *out = output;
    (void)in, (void)out;
#include "cmodel/contract_lines.h"
    return 0;
}
#define IDLE_STABLE(condition) #condition
static const char idle_text[] = ""
#include "cmodel/contract_lines.h"
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
