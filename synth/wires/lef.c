/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/lef.c: the reader of LEF files. See lef.h. Statements that nothing here needs are passed over; shapes that are no
 * rectangles are refused, as a checker that does not see them would be blind. */
#include "synth/wires/lef.h"

#include <string.h>

struct reader {
    struct words w;
    struct lef *lef;
};

#define FARAD_PER_PF 1e-12

static int length_of(struct reader *r, int32_t *to)
{
    return words_length(&r->w, r->lef->units, to);
}

static int is_named(const char *own, const char *name, size_t length)
{
    return strlen(own) == length && !memcmp(own, name, length);
}

/* "END name", where the word is END. */
static int take_end(struct reader *r, const char *name)
{
    words_next(&r->w);
    return words_expect(&r->w, name);
}

/* Skips a block that ends with "END name". */
static int skip_block(struct reader *r, const char *name)
{
    while (r->w.length)
        if (words_accept(&r->w, "END") && words_accept(&r->w, name))
            return 0;
        else if (!words_is(&r->w, "END"))
            words_next(&r->w);
    return words_expected(&r->w, name);
}

static int take_units(struct reader *r)
{
    while (!words_is(&r->w, "END")) {
        if (words_accept(&r->w, "DATABASE")) {
            uint32_t units;
            if (words_expect(&r->w, "MICRONS") || words_count(&r->w, 1000000, &units))
                return -1;
            if (!units)
                return words_error(&r->w, "0 database units; expected at least 1");
            r->lef->units = units;
        }
        if (words_skip(&r->w))
            return -1;
    }
    return take_end(r, "UNITS");
}

static int take_layer_value(struct reader *r, struct lef_layer *l)
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
        failed = length_of(r, &l->pitch);
    else if (words_accept(w, "OFFSET"))
        failed = length_of(r, &l->offset);
    else if (words_accept(w, "WIDTH"))
        failed = length_of(r, &l->width);
    else if (words_accept(w, "SPACING"))
        failed = length_of(r, &l->spacing);
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

static int check_layer(struct reader *r, const struct lef_layer *l)
{
    if (l->kind == LAYER_ROUTING && (l->pitch <= 0 || l->width <= 0))
        return words_error(&r->w, "the routing layer %s: expected a PITCH and a WIDTH above 0",
                           l->name);
    if (l->per_square < 0 || l->per_area < 0 || l->per_edge < 0 || l->per_cut < 0)
        return words_error(&r->w, "the layer %s: a resistance or capacitance below 0", l->name);
    return 0;
}

static int take_layer(struct reader *r)
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
    return take_end(r, l->name) || check_layer(r, l) ? -1 : 0;
}

/* "LAYER name ;" */
static int take_layer_name(struct reader *r, uint32_t *layer)
{
    *layer = lef_layer(r->lef, r->w.word, r->w.length);
    if (*layer == LEF_NONE)
        return words_expected(&r->w, "the name of a layer");
    return words_skip(&r->w);
}

/* A number behind RECT, four of them, then ";". They are moved by (x, y). */
static int take_rectangle(struct reader *r, uint32_t layer, int32_t x, int32_t y, struct shapes *to)
{
    int32_t c[4];
    if (layer == LEF_NONE)
        return words_expected(&r->w, "a LAYER first");
    for (int k = 0; k < 4; k++)
        if (length_of(r, &c[k]))
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

/* LAYER and RECT statements up to END, which is taken. */
static int take_shapes(struct reader *r, int32_t x, int32_t y, struct shapes *to)
{
    uint32_t layer = LEF_NONE;
    while (!words_accept(&r->w, "END")) {
        if (words_accept(&r->w, "LAYER")) {
            if (take_layer_name(r, &layer))
                return -1;
        } else if (words_accept(&r->w, "RECT")) {
            if (take_rectangle(r, layer, x, y, to))
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
static int check_via(struct reader *r, struct lef_via *v)
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

static int take_via(struct reader *r)
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
            if (take_layer_name(r, &layer))
                return -1;
        } else if (words_accept(&r->w, "RECT")) {
            if (take_rectangle(r, layer, 0, 0, &v->shapes))
                return -1;
        } else if (words_accept(&r->w, "RESISTANCE")) {
            if (words_number(&r->w, &v->resistance) || words_skip(&r->w))
                return -1;
        } else if (words_skip(&r->w)) {
            return -1;
        }
    }
    lef->num_vias++;
    return take_end(r, v->name) || check_via(r, v) ? -1 : 0;
}

/* "SIZE w BY h ;" behind SIZE. */
static int take_size(struct reader *r, int32_t *width, int32_t *height)
{
    if (length_of(r, width) || words_expect(&r->w, "BY") || length_of(r, height))
        return -1;
    if (*width <= 0 || *height <= 0)
        return words_error(&r->w, "a SIZE of 0 or less");
    return words_skip(&r->w);
}

static int take_site(struct reader *r)
{
    struct lef *lef = r->lef;
    lef->sites = words_grow(&r->w, lef->sites, lef->num_sites, sizeof *lef->sites);
    if (!lef->sites)
        return -1;
    struct lef_site *s = &lef->sites[lef->num_sites];
    *s = (struct lef_site){.name = words_name(&r->w)};
    if (!s->name)
        return -1;
    while (!words_is(&r->w, "END")) {
        if (words_accept(&r->w, "CLASS"))
            s->core = words_is(&r->w, "CORE");
        else if (words_accept(&r->w, "SIZE")) {
            if (take_size(r, &s->width, &s->height))
                return -1;
            continue;
        }
        if (words_skip(&r->w))
            return -1;
    }
    lef->num_sites++;
    if (!s->width)
        return words_error(&r->w, "the site %s: expected a SIZE", s->name);
    return take_end(r, s->name);
}

static int take_pin(struct reader *r, struct lef_macro *m, int32_t x, int32_t y)
{
    m->pins = words_grow(&r->w, m->pins, m->num_pins, sizeof *m->pins);
    if (!m->pins)
        return -1;
    struct lef_pin *p = &m->pins[m->num_pins];
    *p = (struct lef_pin){.name = words_name(&r->w)};
    if (!p->name)
        return -1;
    if (lef_pin(m, p->name) != LEF_NONE)
        return words_error(&r->w, "a second pin %s of %s", p->name, m->name);
    m->num_pins++;
    while (!words_is(&r->w, "END")) {
        if (words_accept(&r->w, "PORT")) {
            if (take_shapes(r, x, y, &p->shapes))
                return -1;
            continue;
        }
        if (words_accept(&r->w, "USE"))
            p->use = words_is(&r->w, "POWER")    ? PIN_POWER
                     : words_is(&r->w, "GROUND") ? PIN_GROUND
                                                 : PIN_SIGNAL;
        if (words_skip(&r->w))
            return -1;
    }
    return take_end(r, p->name);
}

static int take_macro(struct reader *r)
{
    struct lef *lef = r->lef;
    int32_t x = 0, y = 0;
    lef->macros = words_grow(&r->w, lef->macros, lef->num_macros, sizeof *lef->macros);
    if (!lef->macros)
        return -1;
    struct lef_macro *m = &lef->macros[lef->num_macros];
    *m = (struct lef_macro){.name = words_name(&r->w)};
    if (!m->name)
        return -1;
    if (lef_macro(lef, m->name) != LEF_NONE)
        return words_error(&r->w, "a second MACRO %s", m->name);
    lef->num_macros++;
    while (!words_is(&r->w, "END")) {
        int failed;
        if (words_accept(&r->w, "SIZE"))
            failed = take_size(r, &m->width, &m->height);
        else if (words_accept(&r->w, "ORIGIN"))
            failed = length_of(r, &x) || length_of(r, &y) || words_skip(&r->w);
        else if (words_accept(&r->w, "SITE"))
            failed = !(m->site = words_name(&r->w)) || words_skip(&r->w);
        else if (words_accept(&r->w, "PIN"))
            failed = take_pin(r, m, x, y);
        else if (words_accept(&r->w, "OBS"))
            failed = take_shapes(r, x, y, &m->obstructions);
        else
            failed = words_skip(&r->w);
        if (failed)
            return -1;
    }
    if (!m->width)
        return words_error(&r->w, "the MACRO %s: expected a SIZE", m->name);
    return take_end(r, m->name);
}

/* A block of another kind, which ends with "END" and its name; or a statement. */
static int pass_over(struct reader *r)
{
    static const char *const named[] = {"VIARULE", "NONDEFAULTRULE", "ARRAY"};
    static const char *const alone[] = {"SPACING", "PROPERTYDEFINITIONS"};
    for (size_t k = 0; k < sizeof named / sizeof *named; k++)
        if (words_accept(&r->w, named[k])) {
            const char *name = words_name(&r->w);
            return name ? skip_block(r, name) : -1;
        }
    for (size_t k = 0; k < sizeof alone / sizeof *alone; k++)
        if (words_accept(&r->w, alone[k]))
            return skip_block(r, alone[k]);
    return words_skip(&r->w);
}

static int take_library(struct reader *r)
{
    while (r->w.length) {
        int failed;
        if (words_accept(&r->w, "END"))
            return words_expect(&r->w, "LIBRARY");
        if (words_accept(&r->w, "UNITS"))
            failed = take_units(r);
        else if (words_accept(&r->w, "LAYER"))
            failed = take_layer(r);
        else if (words_accept(&r->w, "VIA"))
            failed = take_via(r);
        else if (words_accept(&r->w, "SITE"))
            failed = take_site(r);
        else if (words_accept(&r->w, "MACRO"))
            failed = take_macro(r);
        else
            failed = pass_over(r);
        if (failed)
            return -1;
    }
    return words_expected(&r->w, "END LIBRARY");
}

int lef_read(struct lef *lef, const char *path, FILE *err)
{
    struct reader r = {.lef = lef};
    *lef = (struct lef){.path = path, .units = 100};
    const int failed = words_open(&r.w, path, &lef->memory, err) || take_library(&r);
    words_close(&r.w);
    return failed ? -1 : 0;
}

void lef_free(struct lef *lef)
{
    arena_free(&lef->memory);
}

uint32_t lef_layer(const struct lef *lef, const char *name, size_t length)
{
    for (uint32_t k = 0; k < lef->num_layers; k++)
        if (is_named(lef->layers[k].name, name, length))
            return k;
    return LEF_NONE;
}

uint32_t lef_via(const struct lef *lef, const char *name, size_t length)
{
    for (uint32_t k = 0; k < lef->num_vias; k++)
        if (is_named(lef->vias[k].name, name, length))
            return k;
    return LEF_NONE;
}

uint32_t lef_macro(const struct lef *lef, const char *name)
{
    for (uint32_t k = 0; k < lef->num_macros; k++)
        if (!strcmp(lef->macros[k].name, name))
            return k;
    return LEF_NONE;
}

uint32_t lef_pin(const struct lef_macro *m, const char *name)
{
    for (uint32_t k = 0; k < m->num_pins; k++)
        if (!strcmp(m->pins[k].name, name))
            return k;
    return LEF_NONE;
}

const struct lef_site *lef_core(const struct lef *lef)
{
    for (uint32_t k = 0; k < lef->num_sites; k++)
        if (lef->sites[k].core)
            return &lef->sites[k];
    return NULL;
}

int lef_is_filler(const struct lef_macro *m)
{
    for (uint32_t k = 0; k < m->num_pins; k++)
        if (m->pins[k].use == PIN_SIGNAL)
            return 0;
    return !m->obstructions.count;
}

const struct lef_macro *lef_filler(const struct lef *lef)
{
    const struct lef_site *site = lef_core(lef);
    const struct lef_macro *found = NULL;
    for (uint32_t k = 0; k < lef->num_macros && site; k++) {
        const struct lef_macro *m = &lef->macros[k];
        if (m->site && !strcmp(m->site, site->name) && lef_is_filler(m) &&
            (!found || m->width < found->width))
            found = m;
    }
    return found;
}
