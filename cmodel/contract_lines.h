/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/contract_lines.h: the lines of the contract CONTRACT_DEF, as the includer has defined
 * their kinds (contract.h). Kinds that it has not defined expand to nothing; afterwards none is
 * defined. */
#ifndef PARAM
#define PARAM(name)
#endif
#ifndef IN
#define IN(name, width, count, meaning)
#endif
#ifndef OUT
#define OUT(name, width, count, meaning)
#endif
#ifndef STATE
#define STATE(name, width, count, meaning)
#endif
#ifndef MEMORY
#define MEMORY(name, width, depth, meaning)
#endif
#ifndef NAME
#define NAME(field, id, value, meaning)
#endif
#ifndef PORT
#define PORT(state)
#endif
#ifndef FSM
#define FSM(state, machine)
#endif
#ifndef CLOCK
#define CLOCK(input)
#endif
#ifndef QUIET
#define QUIET(condition)
#endif
#ifndef IDLE_STABLE
#define IDLE_STABLE(condition)
#endif
#ifndef WAKES
#define WAKES(expression)
#endif

#include CONTRACT_DEF

#undef PARAM
#undef IN
#undef OUT
#undef STATE
#undef MEMORY
#undef NAME
#undef PORT
#undef FSM
#undef CLOCK
#undef QUIET
#undef IDLE_STABLE
#undef WAKES
