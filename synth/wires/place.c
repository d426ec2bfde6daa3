/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/place.c: see place.h. */
#include "synth/wires/place.h"

#include <stdlib.h>
#include <string.h>

#define MOST_LAYERS 4 /* that graywolf takes */

int32_t place_grain(const struct design *d)
{
    const int32_t units = (int32_t)d->lef.units;
    return units > 100 && units % 100 == 0 && d->site->width % (units / 100) == 0 &&
                   d->site->height % (units / 100) == 0
               ? units / 100
               : 1;
}

const uint32_t *place_white(struct design *d, double density, FILE *err)
{
    uint32_t *white = arena_alloc(&d->memory, d->netlist.num_cells * sizeof *white, sizeof *white);
    double owed = 0; /* what has been rounded away from the cells before */
    if (!white)
        fprintf(err, "%s: error: no memory\n", d->netlist.path);
    for (uint32_t c = 0; white && c < d->netlist.num_cells; c++) {
        owed += d->macro[c]->width * (1 / density - 1) / d->site->width;
        white[c] = (uint32_t)owed;
        owed -= white[c];
    }
    return white;
}

/* The first via between two layers, or NULL. */
static const struct lef_via *via_between(const struct lef *lef, uint32_t low, uint32_t high)
{
    for (uint32_t k = 0; k < lef->num_vias; k++)
        if (lef->vias[k].low == low && lef->vias[k].high == high)
            return &lef->vias[k];
    return NULL;
}

/* The width of a via's shape on a layer. */
static int32_t width_on(const struct lef_via *v, uint32_t layer)
{
    for (uint32_t k = 0; k < v->shapes.count; k++)
        if (v->shapes.shape[k].layer == layer)
            return v->shapes.shape[k].box.x1 - v->shapes.shape[k].box.x0;
    return 0;
}

static int32_t width_of_cut(const struct lef *lef, const struct lef_via *v)
{
    for (uint32_t k = 0; k < v->shapes.count; k++)
        if (lef->layers[v->shapes.shape[k].layer].kind == LAYER_CUT)
            return width_on(v, v->shapes.shape[k].layer);
    return 0;
}

static void write_layer(const struct lef *lef, const struct lef_layer *l, int32_t grain, FILE *to)
{
    const double width = l->width / lef->units;
    fprintf(to, "layer %s %g %g %s\n", l->name, l->per_square,
            (l->per_area + 2 * l->per_edge / width) * 1e15,
            l->vertical ? "vertical" : "horizontal");
    fprintf(to, "width %s %d\nspacing %s %s %d\n", l->name, l->width / grain, l->name, l->name,
            (l->pitch - l->width) / grain);
}

static void write_rules(const struct lef *lef, int32_t grain, FILE *to)
{
    uint32_t before = LEF_NONE, layers = 0;
    fprintf(to, "RULES\n");
    for (uint32_t k = 0; k < lef->num_layers && layers < MOST_LAYERS; k++)
        if (lef->layers[k].kind == LAYER_ROUTING) {
            write_layer(lef, &lef->layers[k], grain, to);
            layers++;
        }
    layers = 0;
    for (uint32_t k = 0; k < lef->num_layers && layers < MOST_LAYERS; k++) {
        if (lef->layers[k].kind != LAYER_ROUTING)
            continue;
        const struct lef_via *v = before == LEF_NONE ? NULL : via_between(lef, before, k);
        if (v) {
            const int32_t cut = width_of_cut(lef, v);
            fprintf(to, "via v%u %s %s\nwidth v%u %d\n", layers, lef->layers[before].name,
                    lef->layers[k].name, layers, cut / grain);
            fprintf(to, "overhang v%u %s %d\noverhang v%u %s %d\n", layers,
                    lef->layers[before].name, (width_on(v, before) - cut) / 2 / grain, layers,
                    lef->layers[k].name, (width_on(v, k) - cut) / 2 / grain);
        }
        before = k;
        layers++;
    }
    fprintf(to, "ENDRULES\n");
}

/* The pitches of the lowest layers of wires that go up and of wires that go across, for its grid. */
static int32_t pitch_of(const struct lef *lef, int vertical)
{
    for (uint32_t k = 0; k < lef->num_layers; k++)
        if (lef->layers[k].kind == LAYER_ROUTING && lef->layers[k].vertical == vertical)
            return lef->layers[k].pitch;
    return 1;
}

void place_write_parameters(const struct design *d, FILE *to)
{
    const int32_t grain = place_grain(d), site = d->site->width / grain;
    const int32_t x = pitch_of(&d->lef, 1) / grain, y = pitch_of(&d->lef, 0) / grain;
    write_rules(&d->lef, grain, to);
    fprintf(to,
            "*vertical_wire_weight : 1.0\n*vertical_path_weight : 1.0\n*padspacing : variable\n"
            "*rowSep : 0.0 0\n*track.pitch : %d\n*minimum_pad_space : %d\n*gridX : %d\n"
            "*gridY : %d\n*gridOffsetX : 0\n*gridOffsetY : 0\n*graphics.wait : off\n"
            "*last_chance.wait : off\n*random.seed : 12345\n",
            x, x + x / 2, x, y);
    fprintf(to,
            "TWMC*chip.aspect.ratio : 1.0\nTWSC*feedThruWidth : %d layer 1\n"
            "TWSC*do.global.route : on\nTWSC*ignore_feeds : true\nTWSC*call_row_evener : true\n"
            "TWSC*even_rows_maximally : true\nGENR*row_to_tile_spacing: 1\n"
            "GENR*flip_alternate_rows : 1\n",
            site);
}

/* A pin is a point to graywolf: the middle of its largest shape. */
static void write_pin(const struct design *d, const struct lef_pin *p, uint32_t net, int32_t left,
                      int32_t bottom, int32_t grain, FILE *to)
{
    struct box largest = p->shapes.shape[0].box;
    for (uint32_t k = 1; k < p->shapes.count; k++) {
        const struct box b = p->shapes.shape[k].box;
        if ((double)(b.x1 - b.x0) * (b.y1 - b.y0) >
            (double)(largest.x1 - largest.x0) * (largest.y1 - largest.y0))
            largest = b;
    }
    if (design_is_wired(d, net))
        fprintf(to, "pin name %s signal n%u layer 1 %d %d\n", p->name, net,
                left + (largest.x0 + largest.x1) / 2 / grain,
                bottom + (largest.y0 + largest.y1) / 2 / grain);
}

static void write_cell(const struct design *d, uint32_t c, uint32_t white, FILE *to)
{
    const int32_t grain = place_grain(d);
    const int32_t width = (d->macro[c]->width + (int32_t)white * d->site->width) / grain;
    const int32_t height = d->macro[c]->height / grain;
    const int32_t left = -(width / 2), bottom = -(height / 2);
    const struct netlist_cell *cell = &d->netlist.cells[c];
    fprintf(to, "cell %u c%u\nleft %d right %d bottom %d top %d\n", c, c, left, left + width,
            bottom, bottom + height);
    for (unsigned p = 0; p < cell->type->num_pins; p++)
        if (cell->net[p] != NET_NONE)
            write_pin(d, &d->macro[c]->pins[lef_pin(d->macro[c], cell->type->pins[p].name)],
                      cell->net[p], left, bottom, grain, to);
}

void place_write_cells(const struct design *d, const uint32_t *white, FILE *to)
{
    const int32_t grain = place_grain(d);
    const int32_t x = pitch_of(&d->lef, 1) / grain / 2, y = pitch_of(&d->lef, 0) / grain / 2;
    for (uint32_t c = 0; c < d->netlist.num_cells; c++)
        write_cell(d, c, white[c], to);
    for (uint32_t p = 0; p < d->num_ports; p++)
        fprintf(to,
                "pad %u name p%u\ncorners 4 %d %d %d %d %d %d %d %d\n"
                "pin name p%u signal n%u layer 1 0 0\n\n",
                p + 1, p, -x, -y, -x, y, x, y, x, -y, p, d->ports[p].net);
}

/* The number behind c or p, below `count`; or UINT32_MAX. */
static uint32_t number_of(const struct words *w, uint32_t count)
{
    char text[12] = "", *end;
    if (w->length > 1 && w->length < sizeof text)
        memcpy(text, w->word + 1, w->length - 1);
    const unsigned long value = strtoul(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && value < count ? (uint32_t)value : UINT32_MAX;
}

/* Behind the name. */
static int take_place(struct words *w, struct place *p, int32_t *row)
{
    uint32_t orientation;
    if (words_length(w, 1, &p->left) || words_length(w, 1, &p->bottom) ||
        words_length(w, 1, &p->right) || words_length(w, 1, &p->top) ||
        words_count(w, 7, &orientation) || words_length(w, 1, row))
        return -1;
    p->mirrored = orientation == 2 || orientation == 3;
    return 0;
}

static int take_line(struct design *d, struct words *w, struct places *places)
{
    const int is_port = *w->word == 'p', is_feed = w->length > 6 && !memcmp(w->word, "twfeed", 6);
    const uint32_t count = is_port ? d->num_ports : d->netlist.num_cells;
    const uint32_t number = *w->word == 'c' || is_port ? number_of(w, count) : UINT32_MAX;
    struct place fed = {0}, *p = &fed;
    int32_t row;
    if (number == UINT32_MAX && !is_feed)
        return words_expected(w, "a cell c0, c1, ... or a port p0, p1, ...");
    if (!is_feed)
        p = is_port ? &places->ports[number] : &places->cells[number];
    if (p->row)
        return words_error(w, "'%.*s' is placed twice", (int)w->length, w->word);
    words_next(w);
    if (take_place(w, p, &row))
        return -1;
    p->row = (uint32_t)(is_port ? -row : row);
    if (!p->row || p->row > (is_port ? SIDE_TOP : MOST_ROWS))
        return words_error(w, "row %d; expected 1 to %d, or -1 to -4 of a port", row, MOST_ROWS);
    if (!is_port && p->row > places->num_rows)
        places->num_rows = p->row;
    return 0;
}

int place_read(struct design *d, const char *path, struct places *places, FILE *err)
{
    struct words w;
    int failed = words_open(&w, path, &d->memory, err);
    *places =
        (struct places){arena_alloc(&d->memory, d->netlist.num_cells * sizeof(struct place), 16),
                        arena_alloc(&d->memory, d->num_ports * sizeof(struct place), 16), 0};
    if (!failed && (!places->cells || !places->ports))
        failed = words_error(&w, "no memory");
    while (!failed && w.length)
        failed = take_line(d, &w, places);
    for (uint32_t c = 0; !failed && c < d->netlist.num_cells; c++)
        if (!places->cells[c].row)
            failed =
                words_error(&w, "the cell c%u (%s) is not placed", c, d->netlist.cells[c].name);
    for (uint32_t p = 0; !failed && p < d->num_ports; p++)
        if (!places->ports[p].row)
            failed = words_error(&w, "the port p%u (%s) is not placed", p, d->ports[p].name);
    words_close(&w);
    return failed ? -1 : 0;
}
