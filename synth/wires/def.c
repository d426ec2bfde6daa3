/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/def.c: the reader of DEF files. See def.h. */
#include "synth/wires/def.h"

#include <string.h>

#include "synth/wires/route.h"

const char *const orientation_name[NUM_ORIENTATIONS] = {"N", "FS", "FN", "S"};

struct reader {
    struct words w;
    struct def *def;
};

static int take_orientation(struct words *w, enum orientation *to)
{
    for (int k = 0; k < NUM_ORIENTATIONS; k++)
        if (words_accept(w, orientation_name[k])) {
            *to = (enum orientation)k;
            return 0;
        }
    return words_expected(w, "N, S, FN or FS: cells are not turned on their sides");
}

/* "( x y )" */
static int take_point(struct words *w, int32_t *x, int32_t *y)
{
    return words_expect(w, "(") || words_length(w, 1, x) || words_length(w, 1, y) ||
           words_expect(w, ")");
}

static int take_box(struct words *w, struct box *b)
{
    if (take_point(w, &b->x0, &b->y0) || take_point(w, &b->x1, &b->y1))
        return -1;
    if (b->x0 > b->x1 || b->y0 > b->y1)
        return words_error(w,
                           "a box from (%d, %d) to (%d, %d); expected the lower left corner first",
                           b->x0, b->y0, b->x1, b->y1);
    return 0;
}

static int take_units(struct reader *r)
{
    uint32_t units;
    if (words_expect(&r->w, "DISTANCE") || words_expect(&r->w, "MICRONS") ||
        words_count(&r->w, 1000000, &units))
        return -1;
    if (units != r->def->lef->units)
        return words_error(&r->w, "%u units for 1 um; expected %g, as %s has it", units,
                           r->def->lef->units, r->def->lef->path);
    return words_skip(&r->w);
}

/* "name site x y orientation DO n BY 1 STEP dx dy ;" */
static int take_row(struct reader *r)
{
    struct def *d = r->def;
    struct words *w = &r->w;
    struct def_row row = {0};
    uint32_t by;
    int32_t dy;
    const char *name = words_name(w), *site = name ? words_name(w) : NULL;
    if (!site)
        return -1;
    const struct lef_site *core = lef_core(d->lef);
    if (!core || strcmp(core->name, site) != 0)
        return words_error(w, "the row %s of site %s; expected %s", name, site,
                           core ? core->name : "that the LEF file has a site of class CORE");
    if (words_length(w, 1, &row.x) || words_length(w, 1, &row.y) ||
        take_orientation(w, &row.orientation) || words_expect(w, "DO") ||
        words_count(w, LONGEST, &row.sites) || words_expect(w, "BY") || words_count(w, 1, &by) ||
        words_expect(w, "STEP") || words_length(w, 1, &row.step) || words_length(w, 1, &dy))
        return -1;
    if (row.step < core->width || (double)row.sites * row.step > LONGEST)
        return words_error(w, "the row %s: %u sites at steps of %d; expected steps of %d or more",
                           name, row.sites, row.step, core->width);
    d->rows = words_grow(w, d->rows, d->num_rows, sizeof *d->rows);
    if (!d->rows)
        return -1;
    d->rows[d->num_rows++] = row;
    return words_skip(w);
}

/* "PLACED ( x y ) orientation" or FIXED. */
static int take_place(struct words *w, int32_t *x, int32_t *y, enum orientation *o)
{
    if (!words_accept(w, "PLACED") && !words_accept(w, "FIXED"))
        return words_expected(w, "PLACED or FIXED");
    return take_point(w, x, y) || take_orientation(w, o) ? -1 : 0;
}

/* Other properties. */
static void skip_property(struct words *w)
{
    while (w->length && !words_is(w, "+") && !words_is(w, ";"))
        words_next(w);
}

static int take_cell(struct reader *r)
{
    struct def *d = r->def;
    struct words *w = &r->w;
    int placed = 0;
    struct def_cell *c = arena_alloc(&d->memory, sizeof *c, _Alignof(struct def_cell));
    if (!c)
        return words_error(w, "no memory");
    c->line = w->line;
    c->name = words_name(w);
    const char *macro = c->name ? words_name(w) : NULL;
    if (!macro)
        return -1;
    const uint32_t number = lef_macro(d->lef, macro);
    if (number == LEF_NONE)
        return words_error(w, "the cell %s is a %s, which %s does not have", c->name, macro,
                           d->lef->path);
    c->macro = &d->lef->macros[number];
    if (def_cell(d, c->name))
        return words_error(w, "a second cell %s; the first is in line %u", c->name,
                           def_cell(d, c->name)->line);
    while (words_accept(w, "+"))
        if (words_is(w, "PLACED") || words_is(w, "FIXED")) {
            if (take_place(w, &c->x, &c->y, &c->orientation))
                return -1;
            placed = 1;
        } else {
            skip_property(w);
        }
    if (!placed)
        return words_expected(w, "+ PLACED ( x y ) N");
    d->cells = words_grow(w, d->cells, d->num_cells, sizeof *d->cells);
    if (!d->cells)
        return -1;
    c->number = d->num_cells;
    d->cells[d->num_cells++] = c;
    HASH_ADD_KEYPTR(hh, d->cell_of, c->name, strlen(c->name), c);
    return words_expect(w, ";");
}

static int take_pin_layer(struct reader *r, struct def_pin *p)
{
    p->shape.layer = lef_layer(r->def->lef, r->w.word, r->w.length);
    if (p->shape.layer == LEF_NONE)
        return words_expected(&r->w, "the name of a layer");
    words_next(&r->w);
    return take_box(&r->w, &p->shape.box);
}

static int take_pin(struct reader *r)
{
    struct def *d = r->def;
    struct words *w = &r->w;
    int32_t x = 0, y = 0;
    int placed = 0, shaped = 0;
    enum orientation o = ORIENT_N;
    struct def_pin *p = arena_alloc(&d->memory, sizeof *p, _Alignof(struct def_pin));
    if (!p)
        return words_error(w, "no memory");
    p->line = w->line;
    p->name = words_name(w);
    if (!p->name)
        return -1;
    if (def_pin(d, p->name))
        return words_error(w, "a second pin %s; the first is in line %u", p->name,
                           def_pin(d, p->name)->line);
    while (words_accept(w, "+")) {
        int failed = 0;
        if (words_accept(w, "NET"))
            failed = !(p->net = words_name(w));
        else if (words_accept(w, "LAYER")) {
            failed = take_pin_layer(r, p);
            shaped = 1;
        } else if (words_is(w, "PLACED") || words_is(w, "FIXED")) {
            failed = take_place(w, &x, &y, &o);
            placed = 1;
        } else
            skip_property(w);
        if (failed)
            return -1;
    }
    if (!placed || !shaped || !p->net || o != ORIENT_N)
        return words_error(w, "the pin %s: expected NET, LAYER with a box, and PLACED at N",
                           p->name);
    p->shape.box = (struct box){p->shape.box.x0 + x, p->shape.box.y0 + y, p->shape.box.x1 + x,
                                p->shape.box.y1 + y};
    d->pins = words_grow(w, d->pins, d->num_pins, sizeof *d->pins);
    if (!d->pins)
        return -1;
    d->pins[d->num_pins++] = p;
    HASH_ADD_KEYPTR(hh, d->pin_of, p->name, strlen(p->name), p);
    return words_expect(w, ";");
}

/* "cell pin )" or "PIN pin )", behind "(". */
static int take_end(struct reader *r, struct def_net *n)
{
    struct def *d = r->def;
    struct words *w = &r->w;
    struct def_end end = {.line = w->line};
    const char *cell = words_name(w);
    end.name = cell ? words_name(w) : NULL;
    if (!end.name)
        return -1;
    if (strcmp(cell, "PIN") != 0) {
        end.cell = def_cell(d, cell);
        if (!end.cell)
            return words_error(w, "the net %s is at a cell %s that is not placed", n->name, cell);
        if (lef_pin(end.cell->macro, end.name) == LEF_NONE)
            return words_error(w, "the net %s is at a pin %s of %s; a %s has none", n->name,
                               end.name, cell, end.cell->macro->name);
    } else if (!def_pin(d, end.name)) {
        return words_error(w, "the net %s is at a pin %s that is not placed", n->name, end.name);
    }
    n->ends = words_grow(w, n->ends, n->num_ends, sizeof *n->ends);
    if (!n->ends)
        return -1;
    n->ends[n->num_ends++] = end;
    return words_expect(w, ")");
}

/* The net that is meant: a special one may be a part of another that has been read. */
static struct def_net *open_net(struct reader *r, int special)
{
    struct def *d = r->def;
    struct words *w = &r->w;
    const unsigned line = w->line;
    const char *name = words_name(w);
    if (!name)
        return NULL;
    struct def_net *n = def_net(d, name);
    if (n && special)
        return n;
    if (n) {
        words_error(w, "a second net %s; the first is in line %u", name, n->line);
        return NULL;
    }
    n = arena_alloc(&d->memory, sizeof *n, _Alignof(struct def_net));
    d->nets = n ? words_grow(w, d->nets, d->num_nets, sizeof *d->nets) : NULL;
    if (!d->nets) {
        words_error(w, "no memory");
        return NULL;
    }
    n->name = name;
    n->line = line;
    d->nets[d->num_nets++] = n;
    HASH_ADD_KEYPTR(hh, d->net_of, n->name, strlen(n->name), n);
    return n;
}

static int take_net(struct reader *r, int special)
{
    struct words *w = &r->w;
    struct def_net *n = open_net(r, special);
    if (!n)
        return -1;
    while (words_accept(w, "("))
        if (take_end(r, n))
            return -1;
    while (words_accept(w, "+"))
        if (words_accept(w, "ROUTED") || words_accept(w, "FIXED")) {
            if (route_take(w, r->def->lef, n, special))
                return -1;
        } else {
            skip_property(w);
        }
    return words_expect(w, ";");
}

static int take_common_net(struct reader *r)
{
    return take_net(r, 0);
}

static int take_special_net(struct reader *r)
{
    return take_net(r, 1);
}

/* "n ; - ... - ... END name", behind the name. How many there are is not relied upon. */
static int take_section(struct reader *r, const char *name, int (*take)(struct reader *))
{
    if (words_skip(&r->w))
        return -1;
    while (words_accept(&r->w, "-"))
        if (take(r))
            return -1;
    return words_expect(&r->w, "END") || words_expect(&r->w, name) ? -1 : 0;
}

/* Sections whose lines are of no interest. */
static int pass_over(struct reader *r)
{
    static const char *const sections[] = {"VIAS", "REGIONS", "GROUPS", "PROPERTYDEFINITIONS"};
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++)
        if (words_accept(&r->w, sections[k])) {
            while (r->w.length && !words_is(&r->w, "END"))
                words_next(&r->w);
            return words_expect(&r->w, "END") || words_expect(&r->w, sections[k]) ? -1 : 0;
        }
    return words_skip(&r->w);
}

static int take_design(struct reader *r)
{
    struct words *w = &r->w;
    while (w->length) {
        int failed;
        if (words_accept(w, "END"))
            return words_expect(w, "DESIGN");
        if (words_accept(w, "DESIGN"))
            failed = !(r->def->design = words_name(w)) || words_skip(w);
        else if (words_accept(w, "UNITS"))
            failed = take_units(r);
        else if (words_accept(w, "DIEAREA"))
            failed = take_box(w, &r->def->die) || words_skip(w);
        else if (words_accept(w, "ROW"))
            failed = take_row(r);
        else if (words_accept(w, "COMPONENTS"))
            failed = take_section(r, "COMPONENTS", take_cell);
        else if (words_accept(w, "PINS"))
            failed = take_section(r, "PINS", take_pin);
        else if (words_accept(w, "NETS"))
            failed = take_section(r, "NETS", take_common_net);
        else if (words_accept(w, "SPECIALNETS"))
            failed = take_section(r, "SPECIALNETS", take_special_net);
        else
            failed = pass_over(r);
        if (failed)
            return -1;
    }
    return words_expected(w, "END DESIGN");
}

int def_read(struct def *d, const char *path, const struct lef *lef, FILE *err)
{
    struct reader r = {.def = d};
    *d = (struct def){.path = path, .lef = lef};
    const int failed = words_open(&r.w, path, &d->memory, err) || take_design(&r);
    words_close(&r.w);
    return failed ? -1 : 0;
}

void def_free(struct def *d)
{
    HASH_CLEAR(hh, d->cell_of);
    HASH_CLEAR(hh, d->pin_of);
    HASH_CLEAR(hh, d->net_of);
    arena_free(&d->memory);
}

struct def_cell *def_cell(const struct def *d, const char *name)
{
    struct def_cell *found;
    HASH_FIND_STR(d->cell_of, name, found);
    return found;
}

struct def_pin *def_pin(const struct def *d, const char *name)
{
    struct def_pin *found;
    HASH_FIND_STR(d->pin_of, name, found);
    return found;
}

struct def_net *def_net(const struct def *d, const char *name)
{
    struct def_net *found;
    HASH_FIND_STR(d->net_of, name, found);
    return found;
}

struct box def_placed(const struct def_cell *c, const struct box *b)
{
    const int turned = c->orientation == ORIENT_FN || c->orientation == ORIENT_S;
    const int over = c->orientation == ORIENT_FS || c->orientation == ORIENT_S;
    const int32_t w = c->macro->width, h = c->macro->height;
    return (struct box){c->x + (turned ? w - b->x1 : b->x0), c->y + (over ? h - b->y1 : b->y0),
                        c->x + (turned ? w - b->x0 : b->x1), c->y + (over ? h - b->y0 : b->y1)};
}

struct box def_metal(const struct def_wire *w)
{
    const int32_t half = w->width / 2;
    const int flat = w->x0 != w->x1, spot = !flat && w->y0 == w->y1;
    const int32_t along = w->extended || spot ? half : 0;
    const int32_t dx = flat ? along : half, dy = flat ? half : along;
    return (struct box){w->x0 - dx, w->y0 - dy, w->x1 + dx, w->y1 + dy};
}
