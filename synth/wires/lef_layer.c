/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/lef_layer.c: layers and vias of a LEF file, and rectangles on layers. See lef_read.h. */
#include "synth/wires/lef_read.h"

#include <string.h>

#define FARAD_PER_PF 1e-12

static int take_layer_value(struct lef_reader *r, struct lef_layer *l)
{
    struct words *w = &r->w;
    int failed = 0;
    if (words_accept(w, "TYPE"))
        l->kind = words_is(w, "ROUTING") ? LAYER_ROUTING
                  : words_is(w, "CUT")   ? LAYER_CUT
                                         : LAYER_OTHER;
    else if (words_accept(w, "DIRECTION"))
        l->vertical = words_is(w, "VERTICAL");
    else if (words_accept(w, "PITCH"))
        failed = lef_length(r, &l->pitch);
    else if (words_accept(w, "OFFSET"))
        failed = lef_length(r, &l->offset);
    else if (words_accept(w, "WIDTH"))
        failed = lef_length(r, &l->width);
    else if (words_accept(w, "SPACING"))
        failed = lef_length(r, &l->spacing);
    else if (words_accept(w, "RESISTANCE")) {
        const int square = words_accept(w, "RPERSQ");
        failed = words_number(w, square ? &l->per_square : &l->per_cut);
        l->has_resistance = 1;
    } else if (words_accept(w, "CAPACITANCE")) {
        failed = words_expect(w, "CPERSQDIST") || words_number(w, &l->per_area);
        l->per_area *= FARAD_PER_PF;
        l->has_capacitance = 1;
    } else if (words_accept(w, "EDGECAPACITANCE")) {
        failed = words_number(w, &l->per_edge);
        l->per_edge *= FARAD_PER_PF;
    }
    return failed || words_skip(w) ? -1 : 0;
}

static int check_layer(struct lef_reader *r, const struct lef_layer *l)
{
    if (l->kind == LAYER_ROUTING && (l->pitch <= 0 || l->width <= 0))
        return words_error(&r->w, "the routing layer %s: expected a PITCH and a WIDTH above 0",
                           l->name);
    if (l->per_square < 0 || l->per_area < 0 || l->per_edge < 0 || l->per_cut < 0)
        return words_error(&r->w, "the layer %s: a resistance or capacitance below 0", l->name);
    return 0;
}

int lef_take_layer(struct lef_reader *r)
{
    struct lef *lef = r->lef;
    lef->layers = words_grow(&r->w, lef->layers, lef->num_layers, sizeof *lef->layers);
    if (!lef->layers)
        return -1;
    struct lef_layer *l = &lef->layers[lef->num_layers];
    *l = (struct lef_layer){.name = words_name(&r->w)};
    if (!l->name)
        return -1;
    if (lef_layer(lef, l->name, strlen(l->name)) != LEF_NONE)
        return words_error(&r->w, "a second layer %s", l->name);
    lef->num_layers++;
    while (!words_is(&r->w, "END"))
        if (take_layer_value(r, l))
            return -1;
    return lef_end(r, l->name) || check_layer(r, l) ? -1 : 0;
}

int lef_layer_name(struct lef_reader *r, uint32_t *layer)
{
    *layer = lef_layer(r->lef, r->w.word, r->w.length);
    if (*layer == LEF_NONE)
        return words_expected(&r->w, "the name of a layer");
    return words_skip(&r->w);
}

int lef_rectangle(struct lef_reader *r, uint32_t layer, int32_t x, int32_t y, struct shapes *to)
{
    int32_t c[4];
    if (layer == LEF_NONE)
        return words_expected(&r->w, "a LAYER first");
    for (int k = 0; k < 4; k++)
        if (lef_length(r, &c[k]))
            return -1;
    to->shape = words_grow(&r->w, to->shape, to->count, sizeof *to->shape);
    if (!to->shape)
        return -1;
    to->shape[to->count++] =
        (struct shape){layer,
                       {(c[0] < c[2] ? c[0] : c[2]) + x, (c[1] < c[3] ? c[1] : c[3]) + y,
                        (c[0] < c[2] ? c[2] : c[0]) + x, (c[1] < c[3] ? c[3] : c[1]) + y}};
    return words_expect(&r->w, ";");
}

int lef_shapes(struct lef_reader *r, int32_t x, int32_t y, struct shapes *to)
{
    uint32_t layer = LEF_NONE;
    while (!words_accept(&r->w, "END")) {
        if (words_accept(&r->w, "LAYER")) {
            if (lef_layer_name(r, &layer))
                return -1;
        } else if (words_accept(&r->w, "RECT")) {
            if (lef_rectangle(r, layer, x, y, to))
                return -1;
        } else if (words_is(&r->w, "POLYGON") || words_is(&r->w, "PATH") ||
                   words_is(&r->w, "VIA")) {
            return words_expected(&r->w, "a RECT: other shapes are not read");
        } else if (words_skip(&r->w)) {
            return -1;
        }
    }
    return 0;
}

/* Which layers a via connects. */
static int check_via(struct lef_reader *r, struct lef_via *v)
{
    unsigned cuts = 0;
    v->low = v->high = LEF_NONE;
    for (uint32_t k = 0; k < v->shapes.count; k++) {
        const uint32_t layer = v->shapes.shape[k].layer;
        if (r->lef->layers[layer].kind == LAYER_CUT) {
            cuts++;
            if (v->resistance == 0)
                v->resistance = r->lef->layers[layer].per_cut;
        } else if (v->low == LEF_NONE || v->low == layer) {
            v->low = layer;
        } else if (v->high == LEF_NONE || v->high == layer) {
            v->high = layer;
        } else {
            cuts = 0;
            break;
        }
    }
    if (!cuts || v->high == LEF_NONE)
        return words_error(&r->w, "the via %s: expected shapes on two layers and a cut", v->name);
    if (v->low > v->high) {
        const uint32_t low = v->low;
        v->low = v->high;
        v->high = low;
    }
    return 0;
}

int lef_take_via(struct lef_reader *r)
{
    struct lef *lef = r->lef;
    uint32_t layer = LEF_NONE;
    lef->vias = words_grow(&r->w, lef->vias, lef->num_vias, sizeof *lef->vias);
    if (!lef->vias)
        return -1;
    struct lef_via *v = &lef->vias[lef->num_vias];
    *v = (struct lef_via){.name = words_name(&r->w)};
    if (!v->name)
        return -1;
    words_accept(&r->w, "DEFAULT");
    while (!words_is(&r->w, "END")) {
        if (words_accept(&r->w, "LAYER")) {
            if (lef_layer_name(r, &layer))
                return -1;
        } else if (words_accept(&r->w, "RECT")) {
            if (lef_rectangle(r, layer, 0, 0, &v->shapes))
                return -1;
        } else if (words_accept(&r->w, "RESISTANCE")) {
            if (words_number(&r->w, &v->resistance) || words_skip(&r->w))
                return -1;
        } else if (words_skip(&r->w)) {
            return -1;
        }
    }
    lef->num_vias++;
    return lef_end(r, v->name) || check_via(r, v) ? -1 : 0;
}
