/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/contract_structs.h: expands one contract into struct <unit>_in, <unit>_out, <unit>_state
 * and the enum of its named values (<unit>_<field>_<id>). Included by <unit>.h only; CONTRACT_UNIT
 * and CONTRACT_DEF say which. */
#define PARAM(name)
#define IN(name, width, count, meaning)
#define OUT(name, width, count, meaning)
#define STATE(name, width, count, meaning)
#define NAME(field, id, value, meaning)
#define AT(state, path)
#define PORT(state)
#define FSM(state, machine)
#define IDLE_STABLE(condition)

#undef IN
#define IN(name, width, count, meaning) CONTRACT_FIELD(name, width, count)
struct CONTRACT_PASTE(CONTRACT_UNIT, in) {
#include CONTRACT_DEF
};
#undef IN
#define IN(name, width, count, meaning)

#undef OUT
#define OUT(name, width, count, meaning) CONTRACT_FIELD(name, width, count)
struct CONTRACT_PASTE(CONTRACT_UNIT, out) {
#include CONTRACT_DEF
};
#undef OUT
#define OUT(name, width, count, meaning)

#undef STATE
#define STATE(name, width, count, meaning) CONTRACT_FIELD(name, width, count)
struct CONTRACT_PASTE(CONTRACT_UNIT, state) {
#include CONTRACT_DEF
};
#undef STATE
#define STATE(name, width, count, meaning)

#undef NAME
#define NAME(field, id, value, meaning) CONTRACT_PASTE(CONTRACT_UNIT, field##_##id) = (value),
enum CONTRACT_PASTE(CONTRACT_UNIT, names) {
#include CONTRACT_DEF
    CONTRACT_PASTE(CONTRACT_UNIT, names_end)
};

#undef PARAM
#undef IN
#undef OUT
#undef STATE
#undef NAME
#undef AT
#undef PORT
#undef FSM
#undef IDLE_STABLE
