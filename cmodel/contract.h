/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/contract.h: what a unit's contract (cmodel/<unit>/<unit>.def) may say, and the C structs
 * that come from it.
 *
 * PARAM(NAME)
 *     a structural number: [hw] of the configuration, RTL parameter, C constant
 * IN, OUT, STATE(name, width, count, meaning)
 *     `count` elements of `width` bits; packed, element 0 lowest, in RTL
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
 *     while this C expression over `in` holds, every OUT is 0 and no STATE moves: the bench may
 *     leave such a cycle out without asking
 * IDLE_STABLE(condition)
 *     while this C expression over `in` and `out` holds, no STATE moves: the bench may leave out
 *     the following cycles for as long as the inputs stay as they are and WAKES allows
 * WAKES(expression)
 *     a C expression over `state` and `in`, but not its CLOCK: the next cycle in which a STATE or
 *     an OUT moves although the inputs stay as they are (a timer), modulo the width of the CLOCK;
 *     UINT64_MAX: never, which is what a contract without the line says
 *
 * A unit without STATE is combinational: it has neither clock nor reset, and is always idle. A unit
 * with STATE but without IDLE_STABLE is stepped in every cycle. The random runs (cosim/random.c)
 * hold the last three kinds to their word.
 *
 * In C a field is: one uint64_t for up to 64 single-bit elements (element i is bit i) and for a
 * single element of any width up to 64; uint64_t words for more single-bit elements; else an array
 * of the smallest type that holds `width`. A header <unit>.h says CONTRACT_UNIT and CONTRACT_DEF
 * and includes cmodel/contract_structs.h. What else comes from a contract defines the kinds that it
 * takes and includes cmodel/contract_lines.h. */
#ifndef HEDDLE_CMODEL_CONTRACT_H
#define HEDDLE_CMODEL_CONTRACT_H

#include <stdint.h>

#include "hw.h"

/* Bits that number n things: $clog2. */
#define CLOG2(n) ((n) <= 1 ? 0 : 32 - __builtin_clz((unsigned)(n)-1))

#define CONTRACT_IS_SCALAR(width, count) ((count) == 1 || ((width) == 1 && (count) <= 64))
#define CONTRACT_LENGTH(width, count)    ((width) == 1 ? ((count) + 63) / 64 : (count))
#define CONTRACT_ELEMENT_BYTES(width)                                                              \
    ((width) == 1 || (width) > 32 ? 8 : (width) > 16 ? 4 : (width) > 8 ? 2 : 1)

#ifdef __cplusplus
#include <type_traits>
template <int Bytes>
using contract_element = std::conditional_t<
    Bytes == 8, uint64_t,
    std::conditional_t<Bytes == 4, uint32_t, std::conditional_t<Bytes == 2, uint16_t, uint8_t>>>;
template <int Width, int Count>
using contract_field = std::conditional_t<
    CONTRACT_IS_SCALAR(Width, Count), uint64_t,
    contract_element<CONTRACT_ELEMENT_BYTES(Width)>[CONTRACT_LENGTH(Width, Count)]>;
#define CONTRACT_FIELD(name, width, count) contract_field<(width), (count)> name;
#else
/* __builtin_choose_expr keeps the chosen operand's type, arrays included; nothing is evaluated. */
#define CONTRACT_ELEMENT(bytes)                                                                    \
    __typeof__(__builtin_choose_expr(                                                              \
        (bytes) == 8, (uint64_t)0,                                                                 \
        __builtin_choose_expr((bytes) == 4, (uint32_t)0,                                           \
                              __builtin_choose_expr((bytes) == 2, (uint16_t)0, (uint8_t)0))))
#define CONTRACT_FIELD(name, width, count)                                                         \
    __typeof__(__builtin_choose_expr(CONTRACT_IS_SCALAR(width, count), *(uint64_t *)0,             \
                                     *(CONTRACT_ELEMENT(CONTRACT_ELEMENT_BYTES(                    \
                                         width))(*)[CONTRACT_LENGTH(width, count)])0)) name;
#endif

#define CONTRACT_PASTE2(a, b) a##_##b
#define CONTRACT_PASTE(a, b)  CONTRACT_PASTE2(a, b)

#endif
