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
#ifndef NAME
#define NAME(field, id, value, meaning)
#endif
#ifndef AT
#define AT(state, path)
#endif
#ifndef PORT
#define PORT(state)
#endif
#ifndef FSM
#define FSM(state, machine)
#endif
#ifndef IDLE_STABLE
#define IDLE_STABLE(condition)
#endif

#include CONTRACT_DEF

#undef PARAM
#undef IN
#undef OUT
#undef STATE
#undef NAME
#undef AT
#undef PORT
#undef FSM
#undef IDLE_STABLE
