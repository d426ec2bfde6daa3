/* SPDX-License-Identifier: Apache-2.0 */
/* synth/netlist/read.h: between the text of a netlist (read.c) and its nets (netlist.c). */
#ifndef HEDDLE_SYNTH_NETLIST_READ_H
#define HEDDLE_SYNTH_NETLIST_READ_H

#include <uthash.h>

#include "synth/netlist/netlist.h"

/* A signal while its file is read: its bits are numbers from `first` on. */
struct netlist_named {
    const char *name;
    enum pin_direction direction;
    int low; /* number of its lowest bit */
    unsigned bits;
    uint32_t first;
    UT_hash_handle hh;
};

struct netlist_reader {
    struct netlist *netlist; /* its cells have bits instead of nets */
    FILE *err;
    const char *at, *end;
    const char *text; /* of the token */
    size_t length;
    int token;
    unsigned line;
    struct netlist_named *named;
    uint32_t *same; /* of each bit: another one that is the same net; of one of them, itself */
    uint32_t num_bits, room;
    uint32_t *value; /* bits of the expression read last */
    uint32_t num_value, value_room, cell_room;
    uint32_t assigned; /* bits of all expressions so far */
};

/* Takes the whole text. Returns 0, or -1. */
int netlist_take(struct netlist_reader *);

/* The bit that stands for all that are the same net as this: NET_0 or NET_1 where it is constant. */
uint32_t netlist_root(struct netlist_reader *, uint32_t bit);

#endif
