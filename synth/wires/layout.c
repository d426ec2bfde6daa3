/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/layout.c: see layout.h. graywolf knows no sites: cells of a row keep their order and go to the nearest sites that are
 * free. Ports of a side keep their order and go to the nearest free tracks. Around the rows is a margin of MARGIN tracks. */
#include "synth/wires/layout.h"

#include <stdlib.h>
#include <string.h>

#define MARGIN 4

struct spot {
    uint32_t number; /* of the cell or port */
    int32_t at;      /* where graywolf has it, from the left or bottom of the rows */
    uint32_t place;  /* its site or track */
};

struct layout {
    struct design *design;
    const struct places *places;
    const uint32_t *white;
    FILE *err;
    struct spot *cells;   /* row by row, each from the left */
    uint32_t *first;      /* cell of each row, from 1; and one more */
    uint32_t sites;       /* of a row */
    int32_t left, bottom; /* of the rows, graywolf's */
    const struct lef_layer *up,
        *across; /* layers of ports: wires that go up, and those that go across */
    struct box die;
    int32_t width, height; /* of the rows */
};

static int by_place(const void *a, const void *b)
{
    const struct spot *l = a, *r = b;
    return l->at != r->at ? (l->at < r->at ? -1 : 1) : l->number < r->number ? -1 : 1;
}

static void *allocate(struct layout *l, size_t count, size_t size)
{
    void *memory = arena_alloc(&l->design->memory, count * size, 16);
    if (!memory)
        fprintf(l->err, "%s: error: no memory\n", l->design->netlist.path);
    return memory;
}

/* Sorts the cells into their rows. */
static int find_rows(struct layout *l)
{
    const struct places *p = l->places;
    const uint32_t cells = l->design->netlist.num_cells;
    l->cells = allocate(l, cells, sizeof *l->cells);
    l->first = allocate(l, p->num_rows + 2, sizeof *l->first);
    if (!l->cells || !l->first)
        return -1;
    l->left = p->cells[0].left;
    l->bottom = p->cells[0].bottom;
    for (uint32_t c = 0; c < cells; c++) {
        l->left = p->cells[c].left < l->left ? p->cells[c].left : l->left;
        l->bottom = p->cells[c].bottom < l->bottom ? p->cells[c].bottom : l->bottom;
        l->first[p->cells[c].row + 1]++;
    }
    for (uint32_t r = 1; r <= p->num_rows + 1; r++)
        l->first[r] += l->first[r - 1];
    for (uint32_t c = 0; c < cells; c++) /* moves the beginning of a row to its end */
        l->cells[l->first[p->cells[c].row]++] = (struct spot){c, p->cells[c].left - l->left, 0};
    for (uint32_t r = p->num_rows + 1; r > 1; r--)
        l->first[r] = l->first[r - 1];
    l->first[1] = 0;
    return 0;
}

static uint32_t sites_of(const struct layout *l, uint32_t cell)
{
    return (uint32_t)(l->design->macro[cell]->width / l->design->site->width);
}

/* Gives the cells of each row their sites. */
static void find_sites(struct layout *l)
{
    const int32_t site = l->design->site->width / place_grain(l->design);
    for (uint32_t r = 1; r <= l->places->num_rows; r++) {
        uint32_t free = 0;
        qsort(l->cells + l->first[r], l->first[r + 1] - l->first[r], sizeof *l->cells, by_place);
        for (uint32_t k = l->first[r]; k < l->first[r + 1]; k++) {
            struct spot *s = &l->cells[k];
            const uint32_t wished = (uint32_t)((s->at + site / 2) / site),
                           white = l->white[s->number];
            const uint32_t start = wished > free ? wished : free;
            s->place = start + (l->places->cells[s->number].mirrored ? white : 0);
            free = start + sites_of(l, s->number) + white;
        }
        l->sites = free > l->sites ? free : l->sites;
    }
    l->width = (int32_t)l->sites * l->design->site->width;
    l->height = (int32_t)l->places->num_rows * l->design->site->height;
}

/* The layer of ports whose wires go in a direction: the lowest one, or, above the layer of the cells' pins, the next if it is not the
 * topmost: there qrouter takes the track beside a port for a part of it, and leaves a gap. */
static const struct lef_layer *port_layer(const struct lef *lef, int vertical)
{
    const struct lef_layer *lowest = NULL, *topmost = NULL, *found = NULL;
    for (uint32_t k = 0; k < lef->num_layers; k++)
        if (lef->layers[k].kind == LAYER_ROUTING)
            topmost = &lef->layers[k];
    for (uint32_t k = 0; k < lef->num_layers; k++) {
        const struct lef_layer *layer = &lef->layers[k];
        if (layer->kind != LAYER_ROUTING)
            continue;
        lowest = lowest ? lowest : layer;
        if (layer->vertical == vertical && (!found || (found == lowest && layer != topmost)))
            found = layer;
    }
    return found;
}

static int find_edges(struct layout *l)
{
    l->up = port_layer(&l->design->lef, 1);
    l->across = port_layer(&l->design->lef, 0);
    if (!l->up || !l->across) {
        fprintf(l->err, "%s: error: expected routing layers of both directions\n",
                l->design->lef.path);
        return -1;
    }
    l->die = (struct box){-MARGIN * l->up->pitch, -MARGIN * l->across->pitch,
                          l->width + MARGIN * l->up->pitch, l->height + MARGIN * l->across->pitch};
    return 0;
}

/* The tracks of a layer: the first, and how many. */
static int32_t first_track(const struct layout *l, const struct lef_layer *layer)
{
    const int32_t low = layer->vertical ? l->die.x0 : l->die.y0;
    int32_t at = layer->offset % layer->pitch - (-low / layer->pitch + 1) * layer->pitch;
    while (at < low)
        at += layer->pitch;
    return at;
}

static int32_t num_tracks(const struct layout *l, const struct lef_layer *layer)
{
    const int32_t high = layer->vertical ? l->die.x1 : l->die.y1;
    return (high - first_track(l, layer)) / layer->pitch + 1;
}

static void write_frame(const struct layout *l, FILE *to)
{
    const struct design *d = l->design;
    fprintf(to, "VERSION 5.6 ;\nDESIGN %s ;\nUNITS DISTANCE MICRONS %g ;\n", d->netlist.module,
            d->lef.units);
    fprintf(to, "DIEAREA ( %d %d ) ( %d %d ) ;\n", l->die.x0, l->die.y0, l->die.x1, l->die.y1);
    for (uint32_t r = 1; r <= l->places->num_rows; r++)
        fprintf(to, "ROW row_%u %s 0 %d %s DO %u BY 1 STEP %d 0 ;\n", r, d->site->name,
                (int32_t)(r - 1) * d->site->height, r % 2 ? "FS" : "N", l->sites, d->site->width);
    for (uint32_t k = 0; k < d->lef.num_layers; k++) {
        const struct lef_layer *layer = &d->lef.layers[k];
        if (layer->kind == LAYER_ROUTING)
            fprintf(to, "TRACKS %c %d DO %d STEP %d LAYER %s ;\n", layer->vertical ? 'X' : 'Y',
                    first_track(l, layer), num_tracks(l, layer), layer->pitch, layer->name);
    }
}

/* Fills a row from one site up to another. Returns how many cells that takes; writes them if `to` is given. */
static uint32_t fill(const struct layout *l, uint32_t row, uint32_t from, uint32_t end,
                     uint32_t number, FILE *to)
{
    const struct design *d = l->design;
    const struct lef_macro *filler = lef_filler(&d->lef);
    const uint32_t sites = filler ? (uint32_t)(filler->width / d->site->width) : 0;
    uint32_t count = 0;
    for (; sites && from + sites <= end; from += sites, count++)
        if (to)
            fprintf(to, "- fill.%u %s + PLACED ( %d %d ) %s ;\n", number + count, filler->name,
                    (int32_t)from * d->site->width, (int32_t)(row - 1) * d->site->height,
                    row % 2 ? "FS" : "N");
    return count;
}

/* Cells and fillers, row by row. Returns how many; writes them if `to` is given. */
static uint32_t write_cells(const struct layout *l, FILE *to)
{
    const struct design *d = l->design;
    uint32_t fillers = 0;
    for (uint32_t r = 1; r <= l->places->num_rows; r++) {
        uint32_t free = 0;
        for (uint32_t k = l->first[r]; k < l->first[r + 1]; k++) {
            const struct spot *s = &l->cells[k];
            const int mirrored = l->places->cells[s->number].mirrored;
            fillers += fill(l, r, free, s->place, fillers, to);
            if (to)
                fprintf(to, "- %s %s + PLACED ( %d %d ) %s ;\n", d->netlist.cells[s->number].name,
                        d->macro[s->number]->name, (int32_t)s->place * d->site->width,
                        (int32_t)(r - 1) * d->site->height,
                        r % 2 ? (mirrored ? "S" : "FS") : (mirrored ? "FN" : "N"));
            free = s->place + sites_of(l, s->number);
        }
        fillers += fill(l, r, free, l->sites, fillers, to);
    }
    return d->netlist.num_cells + fillers;
}

/* Ports of a side, in their order, each on a track beside the rows. Returns how many, or -1. */
static int32_t find_side(struct layout *l, enum side side, struct spot *spots)
{
    const int upright = side == SIDE_BOTTOM || side == SIDE_TOP;
    const struct lef_layer *layer = upright ? l->up : l->across;
    const int32_t grain = place_grain(l->design), first = first_track(l, layer);
    const int32_t tracks = num_tracks(l, layer);
    int32_t count = 0, next = MARGIN;
    for (uint32_t p = 0; p < l->design->num_ports; p++) {
        const struct place *place = &l->places->ports[p];
        if (place->row == side)
            spots[count++] = (struct spot){p,
                                           upright ? (place->left + place->right) / 2 - l->left
                                                   : (place->bottom + place->top) / 2 - l->bottom,
                                           0};
    }
    if (count > tracks - 2 * MARGIN) {
        fprintf(l->err,
                "%s: error: %d ports on one side, beside %d tracks of %s; expected no more\n",
                l->design->netlist.path, count, tracks - 2 * MARGIN, layer->name);
        return -1;
    }
    qsort(spots, (size_t)count, sizeof *spots, by_place);
    for (int32_t k = 0; k < count; k++) {
        const int32_t wished = (int32_t)(((int64_t)spots[k].at * grain - first) / layer->pitch);
        const int32_t last = tracks - MARGIN - (count - k); /* the others need theirs */
        next = wished > next ? wished : next;
        next = next > last ? last : next;
        spots[k].place = (uint32_t)next++;
    }
    return count;
}

static void write_port(const struct layout *l, enum side side, const struct spot *s, FILE *to)
{
    const int upright = side == SIDE_BOTTOM || side == SIDE_TOP;
    const struct lef_layer *layer = upright ? l->up : l->across,
                           *other = upright ? l->across : l->up;
    const struct design_port *port = &l->design->ports[s->number];
    const int32_t along = first_track(l, layer) + (int32_t)s->place * layer->pitch;
    const int32_t low = first_track(l, other);
    const int32_t edge = side == SIDE_LEFT || side == SIDE_BOTTOM
                             ? low
                             : low + (num_tracks(l, other) - 1) * other->pitch;
    const int32_t half = layer->width / 2;
    fprintf(to,
            "- %s + NET %s + DIRECTION %s + USE SIGNAL\n  + LAYER %s ( %d %d ) ( %d %d )\n"
            "  + PLACED ( %d %d ) N ;\n",
            port->name, l->design->netlist.net_name[port->net],
            port->direction == PIN_IN ? "INPUT" : "OUTPUT", layer->name, -half, -half, half, half,
            upright ? along : edge, upright ? edge : along);
}

static int write_ports(struct layout *l, FILE *to)
{
    struct spot *spots = allocate(l, l->design->num_ports, sizeof *spots);
    if (!spots)
        return -1;
    fprintf(to, "PINS %u ;\n", l->design->num_ports);
    for (enum side side = SIDE_LEFT; side <= SIDE_TOP; side++) {
        const int32_t count = find_side(l, side, spots);
        if (count < 0)
            return -1;
        for (int32_t k = 0; k < count; k++)
            write_port(l, side, &spots[k], to);
    }
    fprintf(to, "END PINS\n");
    return 0;
}

/* A line for each end: qrouter copies them, and finds a net only by a name that ends its line. */
static void write_nets(const struct design *d, FILE *to)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < d->netlist.num_nets; k++)
        count += design_is_wired(d, k) != 0;
    fprintf(to, "NETS %u ;\n", count);
    for (uint32_t k = 0; k < d->netlist.num_nets; k++) {
        if (!design_is_wired(d, k))
            continue;
        fprintf(to, "- %s\n", d->netlist.net_name[k]);
        for (uint32_t e = 0; e < d->nets[k].num_ends; e++) {
            const struct design_end *end = &d->nets[k].ends[e];
            if (end->cell == NO_CELL)
                fprintf(to, "  ( PIN %s )", d->ports[end->pin].name);
            else
                fprintf(to, "  ( %s %s )", d->netlist.cells[end->cell].name,
                        d->macro[end->cell]->pins[end->pin].name);
            fprintf(to, e + 1 < d->nets[k].num_ends ? "\n" : " ;\n");
        }
    }
    fprintf(to, "END NETS\nEND DESIGN\n");
}

int layout_write(struct design *d, const struct places *places, const uint32_t *white, FILE *to,
                 FILE *err)
{
    struct layout l = {.design = d, .places = places, .white = white, .err = err};
    if (find_rows(&l))
        return -1;
    find_sites(&l);
    if (find_edges(&l))
        return -1;
    write_frame(&l, to);
    fprintf(to, "COMPONENTS %u ;\n", write_cells(&l, NULL));
    write_cells(&l, to);
    fprintf(to, "END COMPONENTS\n");
    if (write_ports(&l, to))
        return -1;
    write_nets(d, to);
    return 0;
}
