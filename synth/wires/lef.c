/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/lef.c: a LEF file, and looking around in it. See lef.h. Statements that nothing here needs are passed over; shapes that are no
 * rectangles are refused, as a checker that does not see them would be blind. */
#include "synth/wires/lef_read.h"

#include <string.h>

int lef_length(struct lef_reader *r, int32_t *to)
{
    return words_length(&r->w, r->lef->units, to);
}

int lef_end(struct lef_reader *r, const char *name)
{
    words_next(&r->w);
    return words_expect(&r->w, name);
}

/* Skips a block that ends with "END name". */
static int skip_block(struct lef_reader *r, const char *name)
{
    while (r->w.length)
        if (words_accept(&r->w, "END") && words_accept(&r->w, name))
            return 0;
        else if (!words_is(&r->w, "END"))
            words_next(&r->w);
    return words_expected(&r->w, name);
}

static int take_units(struct lef_reader *r)
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
    return lef_end(r, "UNITS");
}

/* A block of another kind, which ends with "END" and its name; or a statement. */
static int pass_over(struct lef_reader *r)
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

static int take_library(struct lef_reader *r)
{
    while (r->w.length) {
        int failed;
        if (words_accept(&r->w, "END"))
            return words_expect(&r->w, "LIBRARY");
        if (words_accept(&r->w, "UNITS"))
            failed = take_units(r);
        else if (words_accept(&r->w, "LAYER"))
            failed = lef_take_layer(r);
        else if (words_accept(&r->w, "VIA"))
            failed = lef_take_via(r);
        else if (words_accept(&r->w, "SITE"))
            failed = lef_take_site(r);
        else if (words_accept(&r->w, "MACRO"))
            failed = lef_take_macro(r);
        else
            failed = pass_over(r);
        if (failed)
            return -1;
    }
    return words_expected(&r->w, "END LIBRARY");
}

int lef_read(struct lef *lef, const char *path, FILE *err)
{
    struct lef_reader r = {.lef = lef};
    *lef = (struct lef){.path = path, .units = 100};
    const int failed = words_open(&r.w, path, &lef->memory, err) || take_library(&r);
    words_close(&r.w);
    return failed ? -1 : 0;
}

void lef_free(struct lef *lef)
{
    arena_free(&lef->memory);
}

static int is_named(const char *own, const char *name, size_t length)
{
    return strlen(own) == length && !memcmp(own, name, length);
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
