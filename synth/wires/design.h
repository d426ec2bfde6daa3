/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/design.h: what is to be placed and routed: a mapped netlist, with the shapes that its cells have in a LEF file. */
#ifndef HEDDLE_SYNTH_WIRES_DESIGN_H
#define HEDDLE_SYNTH_WIRES_DESIGN_H

#include "synth/netlist/netlist.h"
#include "synth/wires/lef.h"

#define NO_CELL UINT32_MAX

/* A bit of a port. */
struct design_port {
    const char *name;
    enum pin_direction direction;
    uint32_t net;
};

/* Where a net ends: a pin of a cell, or a port. */
struct design_end {
    uint32_t cell; /* NO_CELL: a port */
    uint32_t pin;  /* number in the cell's MACRO, or of the port */
    int drives;    /* the net, from inside the design */
};

struct design_net {
    struct design_end *ends;
    uint32_t num_ends;
};

/* What is a constant has no wire: such a port is left to whoever connects the unit to its supply. */
struct design {
    struct lef lef;
    struct library library;
    struct netlist netlist;
    const struct lef_site *site;
    const struct lef_macro **macro; /* of each cell */
    struct design_port *ports;
    struct design_net *nets; /* by the netlist's numbers */
    uint32_t num_ports, num_constant_ports;
    double cell_area; /* units squared */
    struct arena memory;
};

/* Returns 0, or -1: `err` has been told. design_close is due either way. */
int design_open(struct design *, const char *netlist, const char *library, const char *lef,
                FILE *err);
void design_close(struct design *);

/* "cell.pin" or the port, for messages. */
void design_end_name(const struct design *, const struct design_end *, char *to, size_t size);

/* Whether the net has wires: nets that end once have none. */
int design_is_wired(const struct design *, uint32_t net);

#endif
