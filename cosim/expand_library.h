/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/expand_library.h: a unit for programs outside the tree, as `make install` gives it to them. Both print text to standard output,
 * for the sizes of this configuration. */
#ifndef HEDDLE_COSIM_EXPAND_LIBRARY_H
#define HEDDLE_COSIM_EXPAND_LIBRARY_H

#include "cosim/contract.h"

/* heddle/<unit>.h: the C reference: plain structs, named values, functions. */
void print_header(const struct unit *);

/* heddle/<unit>_systemc.h: the reference as a SystemC module. */
void print_systemc(const struct unit *);

/* struct <unit>_in, _out and _state. */
void print_structs(const struct unit *);

#endif
