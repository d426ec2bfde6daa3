/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/contract.h: what a unit's contract (cmodel/<unit>/<unit>.def) may say, and the C structs
 * that come from it.
 *
 * PARAM(NAME)
 *     a structural number: [hw] of the configuration, RTL parameter, C constant
 * IN, OUT, STATE(name, width, count, meaning)
 *     `count` elements of `width` bits; packed, element 0 lowest, in RTL
 * MEMORY(name, width, depth, meaning)
 *     an array that hardware would build as SRAM, no flip-flops: `depth` words of `width` bits. In
 *     RTL an instance of rtl/prim/memory.sv with this name, in the unit itself; in C
 *     `uint64_t name[depth]` behind the STATEs. SRAM has no reset: <unit>_reset leaves it alone,
 *     and no unit may depend on a word that it has not written since
 * NAME(field, id, value, meaning)
 *     a value of an IN, OUT or STATE field has a name
 * PORT(state)
 *     the STATE is also an output port of the same name, for other units; its register is found
 *     through the port
 * FSM(state, machine)
 *     the STATE moves as fsm/<machine>.def says; its values are named there
 * CLOCK(input)
 *     the IN field counts the machine's cycles, modulo its width; the bench sets it, and it does
 *     not count as a change of the inputs
 * QUIET(condition)
 *     while this C expression over `in` holds, every OUT is 0 and no STATE or MEMORY moves: the
 *     bench may leave such a cycle out without asking
 * IDLE_STABLE(condition)
 *     while this C expression over `in` and `out` holds, no STATE or MEMORY moves: the bench may
 *     leave out the following cycles for as long as the inputs stay as they are and WAKES allows
 * WAKES(expression)
 *     a C expression over `state` and `in`, but not its CLOCK: the next cycle in which a STATE, a
 *     MEMORY or an OUT moves although the inputs stay as they are (a timer), modulo the width of
 *     the CLOCK; UINT64_MAX: never, which is what a contract without the line says
 *
 * A unit without STATE and MEMORY is combinational: it has neither clock nor reset, and is always
 * idle. Another one without IDLE_STABLE is stepped in every cycle. The random runs (cosim/random.c)
 * hold the last three kinds to their word.
 *
 * The C type of a field follows from its line as it is written, in every configuration alike:
 *
 *     count is 1   uint64_t name;          one number, or a mask: IN(live, NUM_WARPS, 1, ...)
 *     width is 1   uint64_t name[words];   element i is bit i % 64 of word i / 64 (cmodel/bits.h)
 *     else         uint64_t name[count];
 *
 * where "is 1" means the digit: NUM_SMS is not 1, even on a machine with one SM. No width is above
 * 64. `build/<config>/expand structs UNIT` prints the structs of a unit. A header <unit>.h says
 * CONTRACT_UNIT and CONTRACT_DEF and includes cmodel/contract_structs.h. What else comes from a
 * contract defines the kinds that it takes and includes cmodel/contract_lines.h. */
#ifndef HEDDLE_CMODEL_CONTRACT_H
#define HEDDLE_CMODEL_CONTRACT_H

#include <stdint.h>

#include "cmodel/bits.h"
#include "hw.h"

/* Bits that number n things: $clog2. */
#define CLOG2(n) ((n) <= 1 ? 0 : 32 - __builtin_clz((unsigned)(n)-1))

/* Is a width or a count the digit 1? `text` is how the line writes it: #width, #count. (No
 * structural number has a name of one letter.) */
#define CONTRACT_IS_1(text, value) (sizeof(text) == 2 && (value) == 1)

/* How many bits of a field are in one word of its C struct, and in how many words all are. */
#define CONTRACT_PER_WORD(width_text, width) (CONTRACT_IS_1(width_text, width) ? 64 : (width))
#define CONTRACT_WORDS(width_text, width, count)                                                   \
    (CONTRACT_IS_1(width_text, width) ? ((count) + 63) / 64 : (count))

#ifdef __cplusplus
#include <type_traits>
template <bool One, unsigned Words>
using contract_field = std::conditional_t<One, uint64_t, uint64_t[Words]>;
#define CONTRACT_TYPE(one, words) contract_field<(one), (words)>
#else
/* __builtin_choose_expr keeps the type of the chosen operand, arrays included; nothing is
 * evaluated. */
#define CONTRACT_TYPE(one, words)                                                                  \
    __typeof__(__builtin_choose_expr(one, *(uint64_t *)0, *(uint64_t(*)[words])0))
#endif

#define CONTRACT_PASTE2(a, b) a##_##b
#define CONTRACT_PASTE(a, b)  CONTRACT_PASTE2(a, b)

#endif
