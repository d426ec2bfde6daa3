/* SPDX-License-Identifier: Apache-2.0 */
/* synth/netlist/netlist.h: a mapped netlist: one module of cells of a library, as Yosys writes it (mapped.v).
 *
 *   module wia(clk, grant);
 *     input clk;  wire [4:0] \order_q ;  output grant;
 *     assign grant = \order_q [3];       aliases; constants
 *     NAND2X1 _07_ (.A(_02_), .B(1'h1), .Y(_03_));
 *   endmodule
 */
#ifndef HEDDLE_SYNTH_NETLIST_H
#define HEDDLE_SYNTH_NETLIST_H

#include "synth/liberty/library.h"

/* Nets are numbers; these two are the constants. A bit that is x is 0. */
enum { NET_0, NET_1, FIRST_NET };

#define NET_NONE UINT32_MAX

struct netlist_cell {
    const char *name;
    const struct library_cell *type;
    const uint32_t *net; /* of each of its pins; NET_NONE: not connected */
    unsigned line;
};

/* A port or a wire. */
struct netlist_signal {
    const char *name;             /* without the backslash of an escaped name */
    enum pin_direction direction; /* PIN_OTHER: a wire */
    unsigned bits;
    int low;             /* number of the lowest */
    const uint32_t *net; /* of each bit, the lowest first */
};

struct netlist {
    const char *path;
    struct library *library;
    const char *module;
    struct netlist_cell *cells; /* as in the file */
    struct netlist_signal *signals;
    /* Of one of its bits, such as "order_q[3]"; Yosys' numbers only where there is no other; "cell.pin" of an output
     * that nobody reads. */
    const char **net_name;
    uint32_t num_cells, num_signals, num_nets;
    struct arena memory;
};

/* Every net that is read has one driver: a cell, an input, or a constant. Returns 0, or -1: `err` has been told where
 * and why. netlist_free is due either way; the library, which must live as long, is not freed. */
int netlist_read(struct netlist *, const char *path, struct library *, FILE *err);
void netlist_free(struct netlist *);

/* A signal by its name, or NULL. */
const struct netlist_signal *netlist_signal(const struct netlist *, const char *name);

/* Says `path:line: error: ...`. Returns -1. */
__attribute__((format(printf, 4, 5))) int netlist_error(const struct netlist *, FILE *err,
                                                        unsigned line, const char *format, ...);

#endif
