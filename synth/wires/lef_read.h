/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/lef_read.h: between the parts of the reader of LEF files: the file itself (lef.c), layers and vias (lef_layer.c), sites and
 * cells (lef_cell.c). All of them return 0, or -1 when `err` has been told. */
#ifndef HEDDLE_SYNTH_WIRES_LEF_READ_H
#define HEDDLE_SYNTH_WIRES_LEF_READ_H

#include "synth/wires/lef.h"

struct lef_reader {
    struct words w;
    struct lef *lef;
};

int lef_length(struct lef_reader *, int32_t *to);

/* "END name", where the word is END. */
int lef_end(struct lef_reader *, const char *name);

/* "name ;" behind LAYER. */
int lef_layer_name(struct lef_reader *, uint32_t *layer);

/* Four numbers behind RECT, then ";". They are moved by (x, y). `layer`: of the LAYER before; LEF_NONE: there was none. */
int lef_rectangle(struct lef_reader *, uint32_t layer, int32_t x, int32_t y, struct shapes *to);

/* LAYER and RECT statements up to END, which is taken. */
int lef_shapes(struct lef_reader *, int32_t x, int32_t y, struct shapes *to);

/* Blocks, behind their first word. */
int lef_take_layer(struct lef_reader *);
int lef_take_via(struct lef_reader *);
int lef_take_site(struct lef_reader *);
int lef_take_macro(struct lef_reader *);

#endif
