/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/contract_structs.h: expands one contract into struct <unit>_in, <unit>_out, <unit>_state
 * and the enum of its named values (<unit>_<field>_<id>). Included by <unit>.h only; CONTRACT_UNIT
 * and CONTRACT_DEF say which. */

#define CONTRACT_FIELD(name, width_text, width, count_text, count)                                 \
    CONTRACT_TYPE(CONTRACT_IS_1(count_text, count), CONTRACT_WORDS(width_text, width, count)) name;

#define IN(name, width, count, meaning) CONTRACT_FIELD(name, #width, width, #count, count)
struct CONTRACT_PASTE(CONTRACT_UNIT, in) {
#include "cmodel/contract_lines.h"
};

#define OUT(name, width, count, meaning) CONTRACT_FIELD(name, #width, width, #count, count)
struct CONTRACT_PASTE(CONTRACT_UNIT, out) {
#include "cmodel/contract_lines.h"
};

#define STATE(name, width, count, meaning) CONTRACT_FIELD(name, #width, width, #count, count)
struct CONTRACT_PASTE(CONTRACT_UNIT, state) {
#include "cmodel/contract_lines.h"
#define MEMORY(name, width, depth, meaning) uint64_t name[depth];
#include "cmodel/contract_lines.h"
};

#define NAME(field, id, value, meaning) CONTRACT_PASTE(CONTRACT_UNIT, field##_##id) = (value),
enum CONTRACT_PASTE(CONTRACT_UNIT, names) {
#include "cmodel/contract_lines.h"
    CONTRACT_PASTE(CONTRACT_UNIT, names_end)
};

#undef CONTRACT_FIELD
