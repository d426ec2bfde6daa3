/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/lef_cell.c: sites and cells of a LEF file. See lef_read.h. */
#include "synth/wires/lef_read.h"

#include <string.h>

/* "SIZE w BY h ;" behind SIZE. */
static int take_size(struct lef_reader *r, int32_t *width, int32_t *height)
{
    if (lef_length(r, width) || words_expect(&r->w, "BY") || lef_length(r, height))
        return -1;
    if (*width <= 0 || *height <= 0)
        return words_error(&r->w, "a SIZE of 0 or less");
    return words_skip(&r->w);
}

int lef_take_site(struct lef_reader *r)
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
    return lef_end(r, s->name);
}

static int take_pin(struct lef_reader *r, struct lef_macro *m, int32_t x, int32_t y)
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
            if (lef_shapes(r, x, y, &p->shapes))
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
    return lef_end(r, p->name);
}

int lef_take_macro(struct lef_reader *r)
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
            failed = lef_length(r, &x) || lef_length(r, &y) || words_skip(&r->w);
        else if (words_accept(&r->w, "SITE"))
            failed = !(m->site = words_name(&r->w)) || words_skip(&r->w);
        else if (words_accept(&r->w, "PIN"))
            failed = take_pin(r, m, x, y);
        else if (words_accept(&r->w, "OBS"))
            failed = lef_shapes(r, x, y, &m->obstructions);
        else
            failed = words_skip(&r->w);
        if (failed)
            return -1;
    }
    if (!m->width)
        return words_error(&r->w, "the MACRO %s: expected a SIZE", m->name);
    return lef_end(r, m->name);
}
