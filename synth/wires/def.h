/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/def.h: a layout as a DEF file has it: rows, placed cells, placed pins, and the wires and vias of each net.
 *
 *   ROW row_0 core 0 0 N DO 88 BY 1 STEP 800 0 ;
 *   COMPONENTS 1 ;  - _083_ INVX1 + PLACED ( 1600 0 ) N ;  END COMPONENTS
 *   PINS 1 ;  - grant + NET grant + LAYER metal2 ( -150 -150 ) ( 150 150 ) + PLACED ( 400 3500 ) N ;  END PINS
 *   NETS 1 ;
 *   - grant ( _083_ Y ) ( PIN grant ) + ROUTED metal1 ( 2000 500 ) M2_M1 NEW metal2 ( 2000 500 ) ( * 3500 ) ;
 *   END NETS
 *
 * Lengths are in the database units of the LEF file. */
#ifndef HEDDLE_SYNTH_WIRES_DEF_H
#define HEDDLE_SYNTH_WIRES_DEF_H

#include <uthash.h>

#include "synth/wires/lef.h"

/* A cell as it is; upside down; its mirror image; turned by half a circle. */
enum orientation { ORIENT_N, ORIENT_FS, ORIENT_FN, ORIENT_S, NUM_ORIENTATIONS };
extern const char *const orientation_name[NUM_ORIENTATIONS];

struct def_row {
    int32_t x, y;
    enum orientation orientation;
    uint32_t sites;
    int32_t step;
};

struct def_cell {
    const char *name;
    const struct lef_macro *macro;
    int32_t x, y; /* its lower left corner */
    enum orientation orientation;
    uint32_t number; /* in the file */
    unsigned line;
    UT_hash_handle hh;
};

struct def_pin {
    const char *name, *net;
    struct shape shape; /* where it is */
    unsigned line;
    UT_hash_handle hh;
};

/* A cell's pin, or one of the layout's own. */
struct def_end {
    const struct def_cell *cell; /* NULL: a pin of the layout, `name` */
    const char *name;
    unsigned line;
};

/* From (x0, y0) to (x1, y1) in the middle of the metal; the same: a spot. */
struct def_wire {
    uint32_t layer;
    int32_t x0, y0, x1, y1, width;
    int extended; /* the metal goes on for half a width behind both ends */
    unsigned line;
};

struct def_via {
    const struct lef_via *via;
    int32_t x, y;
    unsigned line;
};

struct def_net {
    const char *name;
    struct def_end *ends;
    struct def_wire *wires;
    struct def_via *vias;
    uint32_t num_ends, num_wires, num_vias;
    unsigned line;
    UT_hash_handle hh;
};

struct def {
    const char *path, *design;
    const struct lef *lef;
    struct box die;
    struct def_row *rows;
    struct def_cell **cells; /* in the order of the file */
    struct def_pin **pins;
    struct def_net **nets;
    uint32_t num_rows, num_cells, num_pins, num_nets;
    struct def_cell *cell_of; /* by name */
    struct def_pin *pin_of;
    struct def_net *net_of;
    struct arena memory;
};

/* Returns 0, or -1: `err` has been told where and why. def_free is due either way; the LEF file must live as long. */
int def_read(struct def *, const char *path, const struct lef *, FILE *err);
void def_free(struct def *);

struct def_cell *def_cell(const struct def *, const char *name); /* or NULL */
struct def_pin *def_pin(const struct def *, const char *name);
struct def_net *def_net(const struct def *, const char *name);

/* A box of a cell, where it is in the layout. */
struct box def_placed(const struct def_cell *, const struct box *);

/* The metal of a wire. */
struct box def_metal(const struct def_wire *);

#endif
