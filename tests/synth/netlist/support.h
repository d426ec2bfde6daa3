/* SPDX-License-Identifier: Apache-2.0 */
/* tests/synth/netlist/support.h: netlists of the library by hand (hand.lib), from texts. */
#ifndef HEDDLE_TESTS_NETLIST_SUPPORT_H
#define HEDDLE_TESTS_NETLIST_SUPPORT_H

#include "synth/netlist/netlist.h"

#define HAND "tests/synth/netlist/hand.lib"

/* Reads a text as a netlist through a file, the name of which is "NETLIST" in what `err` is told. Returns as
 * netlist_read. */
int read_text(struct netlist *, const char *text, struct library *, FILE *err);

/* The same; the test has failed where it is refused. */
void take_text(struct netlist *, const char *text, struct library *);

#endif
