/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/lef.h: what a LEF file says of a technology's layers and of the shapes of a library's cells. LEF is the format in
 * which place and route learns where a cell's pins are:
 *
 *   LAYER metal1  TYPE ROUTING ; DIRECTION HORIZONTAL ; PITCH 1 ; WIDTH 0.3 ; RESISTANCE RPERSQ 0.08 ; ...  END metal1
 *   VIA M2_M1 DEFAULT  LAYER metal1 ; RECT -0.2 -0.2 0.2 0.2 ;  LAYER via ; RECT ... ;  LAYER metal2 ; RECT ... ;  END M2_M1
 *   SITE core  CLASS CORE ; SIZE 0.8 BY 10 ;  END core
 *   MACRO INVX1  SIZE 1.6 BY 10 ;  PIN A  PORT  LAYER metal1 ; RECT ... ;  END  END A  OBS ... END  END INVX1
 *
 * Lengths are in database units, `units` of which are 1 um. */
#ifndef HEDDLE_SYNTH_WIRES_LEF_H
#define HEDDLE_SYNTH_WIRES_LEF_H

#include "synth/wires/words.h"

struct box {
    int32_t x0, y0, x1, y1; /* x0 <= x1, y0 <= y1 */
};

struct shape {
    uint32_t layer; /* number in the LEF file */
    struct box box;
};

struct shapes {
    struct shape *shape;
    uint32_t count;
};

enum layer_kind { LAYER_OTHER, LAYER_ROUTING, LAYER_CUT };

struct lef_layer {
    const char *name;
    enum layer_kind kind;
    int vertical; /* the direction that wires prefer */
    int32_t pitch, offset, width, spacing;
    double per_square; /* ohm */
    double per_area;   /* F of 1 um2 */
    double per_edge;   /* F of 1 um of an edge */
    double per_cut;    /* ohm, of a cut layer */
    int has_resistance, has_capacitance;
};

/* Metal on two routing layers and the cut between them. */
struct lef_via {
    const char *name;
    struct shapes shapes;
    uint32_t low, high; /* the routing layers */
    double resistance;  /* ohm: its own, or of its cuts; 0 where the file has none */
};

enum pin_use { PIN_SIGNAL, PIN_POWER, PIN_GROUND };

struct lef_pin {
    const char *name;
    enum pin_use use;
    struct shapes shapes;
};

/* Of a cell whose lower left corner is at (0, 0). */
struct lef_macro {
    const char *name, *site; /* NULL: none */
    int32_t width, height;
    struct lef_pin *pins;
    uint32_t num_pins;
    struct shapes obstructions;
};

struct lef_site {
    const char *name;
    int32_t width, height;
    int core;
};

struct lef {
    const char *path;
    double units;
    struct lef_layer *layers; /* in the order of the file: from below */
    struct lef_via *vias;
    struct lef_site *sites;
    struct lef_macro *macros;
    uint32_t num_layers, num_vias, num_sites, num_macros;
    struct arena memory;
};

#define LEF_NONE UINT32_MAX

/* Returns 0, or -1: `err` has been told where and why. lef_free is due either way. */
int lef_read(struct lef *, const char *path, FILE *err);
void lef_free(struct lef *);

/* Numbers by name, or LEF_NONE. */
uint32_t lef_layer(const struct lef *, const char *name, size_t length);
uint32_t lef_via(const struct lef *, const char *name, size_t length);
uint32_t lef_macro(const struct lef *, const char *name);
uint32_t lef_pin(const struct lef_macro *, const char *name);

/* The site of rows of cells: the first of class CORE. NULL: there is none. */
const struct lef_site *lef_core(const struct lef *);

/* The narrowest cell of that site that has no pins but those of the supply and no obstruction: it fills gaps. NULL: none. */
const struct lef_macro *lef_filler(const struct lef *);

/* Whether a cell has no pins but those of the supply. */
int lef_is_filler(const struct lef_macro *);

#endif
