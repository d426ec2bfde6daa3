/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/unit_table.c: one contract as data. Compiled once for every unit, with UNIT_STEM, UNIT_DEF
 * and UNIT_HEADER saying which. */
#include "cosim/contract.h"
#include "cosim/unit.h"

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

#define PORT(state) #state,
static const char *const ports[] = {
#include "cmodel/contract_lines.h"
    NULL,
};

#define FSM(state, machine) extern const struct fsm machine##_fsm;
#include "cmodel/contract_lines.h"
#define FSM(state, machine) {#state, &machine##_fsm},
static const struct state_fsm state_fsms[] = {
#include "cmodel/contract_lines.h"
    {0},
};

#define FIELD(kind, part, name, width_text, width, count_text, count, meaning)                     \
    {kind,                                                                                         \
     #name,                                                                                        \
     meaning,                                                                                      \
     width,                                                                                        \
     count,                                                                                        \
     CONTRACT_PER_WORD(width_text, width),                                                         \
     CONTRACT_IS_1(count_text, count),                                                             \
     offsetof(struct SYMBOL(part), name),                                                          \
     width_text},
#define IN(name, width, count, meaning)                                                            \
    FIELD(FIELD_IN, in, name, #width, width, #count, count, meaning)
#define OUT(name, width, count, meaning)                                                           \
    FIELD(FIELD_OUT, out, name, #width, width, #count, count, meaning)
#define STATE(name, width, count, meaning)                                                         \
    FIELD(FIELD_STATE, state, name, #width, width, #count, count, meaning)
static const struct field fields[] = {
#include "cmodel/contract_lines.h"
};

#define MEMORY(name, width, depth, meaning)                                                        \
    {FIELD_STATE, #name, meaning, width, depth, width, 0, offsetof(struct SYMBOL(state), name),    \
     #width},
static const struct field memories[] = {
#include "cmodel/contract_lines.h"
    {0},
};

#define WIDTH(name, width)                                                                         \
    _Static_assert((width) >= 1 && (width) <= 64, "the width of " #name " is not 1 to 64 bits");
#define IN(name, width, count, meaning)     WIDTH(name, width)
#define OUT(name, width, count, meaning)    WIDTH(name, width)
#define STATE(name, width, count, meaning)  WIDTH(name, width)
#define MEMORY(name, width, depth, meaning) WIDTH(name, width)
#include "cmodel/contract_lines.h"

/* Where a field stands in that list, from 1; and the one that CLOCK names, 0: none. */
#define IN(name, width, count, meaning)    line_##name,
#define OUT(name, width, count, meaning)   line_##name,
#define STATE(name, width, count, meaning) line_##name,
enum {
    line_0,
#include "cmodel/contract_lines.h"
};
#define CLOCK(input) +line_##input
enum {
    clock_line = 0
#include "cmodel/contract_lines.h"
};

#define QUIET(condition) +1
enum {
    num_quiet = 0
#include "cmodel/contract_lines.h"
};
#define WAKES(expression) +1
enum {
    num_wakes = 0
#include "cmodel/contract_lines.h"
};

/* What a contract promises is C over `in`, `out` and `state`. A contract without the line: what the
 * last line of the function says. */
#define QUIET(condition) return (condition);
static int quiet(const void *input)
{
    const struct SYMBOL(in) *in = input;
    (void)in;
#include "cmodel/contract_lines.h"
    return 0;
}

#define IDLE_STABLE(condition) return (condition);
static int idle(const void *input, const void *output)
{
    const struct SYMBOL(in) *in = input;
    const struct SYMBOL(out) *out = output;
    (void)in, (void)out;
#include "cmodel/contract_lines.h"
    return sizeof(struct SYMBOL(state)) == 0;
}

#define WAKES(expression) return (expression);
static uint64_t wakes(const void *registers, const void *input)
{
    const struct SYMBOL(state) *state = registers;
    const struct SYMBOL(in) *in = input;
    (void)state, (void)in;
#include "cmodel/contract_lines.h"
    return UINT64_MAX;
}

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
_Static_assert(COUNT(state_fsms) - 1 <= UNIT_MOST_FSMS, "as many as machines count edges of");
extern const struct unit_model SYMBOL(model) __attribute__((weak));

const struct unit SYMBOL(unit) = {
    .stem = STRING(UNIT_STEM),
    .params = params,
    .fields = fields,
    .memories = memories,
    .names = names,
    .ports = ports,
    .fsms = state_fsms,
    .num_params = COUNT(params),
    .num_fields = COUNT(fields),
    .num_memories = COUNT(memories) - 1,
    .num_names = COUNT(names) - 1,
    .num_ports = COUNT(ports) - 1,
    .num_fsms = COUNT(state_fsms) - 1,
    .size = {sizeof(struct SYMBOL(in)), sizeof(struct SYMBOL(out)), sizeof(struct SYMBOL(state))
#define MEMORY(name, width, depth, meaning) -sizeof(((struct SYMBOL(state) *)0)->name)
#include "cmodel/contract_lines.h"
    },
    .state_size = sizeof(struct SYMBOL(state)),
    .clock = clock_line ? &fields[clock_line - 1] : NULL,
    .quiet = quiet,
    .has_quiet = num_quiet,
    .has_wakes = num_wakes,
    .idle = idle,
    .wakes = wakes,
    .reset = reset,
    .comb = comb,
    .tick = tick,
    .model = &SYMBOL(model),
};
