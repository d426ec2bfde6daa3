/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/places.c: cells are where they may be, and are the netlist's. See check.h. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "synth/wires/check.h"
#include "tb/text_file.h"

int check_fault(const struct def *l, FILE *err, unsigned line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_file_error(err, l->path, line ? line : 1, format, arguments);
    va_end(arguments);
    return -1;
}

static double um(const struct def *l, int32_t length)
{
    return length / l->lef->units;
}

/* The netlist's cells are in the layout, with their macros, and nothing else that has pins. */
static int check_cells(const struct design *d, const struct def *l, FILE *err)
{
    uint32_t others = 0;
    for (uint32_t c = 0; c < d->netlist.num_cells; c++) {
        const char *name = d->netlist.cells[c].name;
        const struct def_cell *cell = def_cell(l, name);
        if (!cell)
            return check_fault(l, err, 0, "the cell %s is not placed", name);
        if (strcmp(cell->macro->name, d->macro[c]->name) != 0)
            return check_fault(l, err, cell->line, "the cell %s is a %s; expected a %s", name,
                               cell->macro->name, d->macro[c]->name);
    }
    for (uint32_t c = 0; c < l->num_cells; c++)
        others += !lef_is_filler(l->cells[c]->macro);
    for (uint32_t c = 0; c < d->netlist.num_cells; c++)
        others -= !lef_is_filler(d->macro[c]);
    if (others)
        return check_fault(l, err, 0, "%u cells that the netlist does not have", others);
    return 0;
}

/* Whether a cell stands upright in a row that does, or upside down in one that is. */
static int is_with(enum orientation cell, enum orientation row)
{
    const int cell_over = cell == ORIENT_FS || cell == ORIENT_S;
    const int row_over = row == ORIENT_FS || row == ORIENT_S;
    return cell_over == row_over;
}

static int is_on(const struct def_cell *c, const struct def_row *row, int32_t height)
{
    const int64_t from = (int64_t)c->x - row->x, end = from + c->macro->width;
    return c->y == row->y && c->macro->height == height &&
           is_with(c->orientation, row->orientation) && from >= 0 && from % row->step == 0 &&
           end <= (int64_t)row->sites * row->step;
}

static int row_order(const void *a, const void *b)
{
    const struct def_row *l = a, *r = b;
    return l->y < r->y ? -1 : l->y > r->y;
}

/* Each cell is on a row's sites. Rows are sorted by their y. */
static int check_sites(const struct design *d, const struct def *l, FILE *err)
{
    struct def_row *rows = malloc((l->num_rows + 1) * sizeof *rows);
    int status = rows ? 0 : check_fault(l, err, 0, "no memory");
    if (rows && l->num_rows)
        memcpy(rows, l->rows, l->num_rows * sizeof *rows);
    if (rows)
        qsort(rows, l->num_rows, sizeof *rows, row_order);
    for (uint32_t c = 0; !status && c < l->num_cells; c++) {
        const struct def_cell *cell = l->cells[c];
        const struct def_row key = {.y = cell->y};
        const struct def_row *row = bsearch(&key, rows, l->num_rows, sizeof *rows, row_order);
        if (!row || !is_on(cell, row, d->site->height))
            status = check_fault(l, err, cell->line,
                                 "the cell %s at (%.3f, %.3f) um, %s, is not on the sites of a row",
                                 cell->name, um(l, cell->x), um(l, cell->y),
                                 orientation_name[cell->orientation]);
    }
    for (uint32_t r = 1; !status && r < l->num_rows; r++)
        if (rows[r].y - rows[r - 1].y < d->site->height)
            status = check_fault(l, err, 0, "rows at y = %.3f and %.3f um overlap",
                                 um(l, rows[r - 1].y), um(l, rows[r].y));
    free(rows);
    return status;
}

static int cell_order(const void *a, const void *b)
{
    const struct def_cell *l = *(struct def_cell *const *)a, *r = *(struct def_cell *const *)b;
    return l->y != r->y ? (l->y < r->y ? -1 : 1) : l->x < r->x ? -1 : l->x > r->x;
}

/* All are on rows, which do not overlap: neighbours of a row are looked at. */
static int check_overlaps(const struct def *l, FILE *err)
{
    struct def_cell **cells = malloc((l->num_cells + 1) * sizeof(struct def_cell *));
    int status = cells ? 0 : check_fault(l, err, 0, "no memory");
    if (cells && l->num_cells)
        memcpy(cells, l->cells, l->num_cells * sizeof(struct def_cell *));
    if (cells)
        qsort(cells, l->num_cells, sizeof(struct def_cell *), cell_order);
    for (uint32_t c = 1; !status && c < l->num_cells; c++) {
        const struct def_cell *left = cells[c - 1], *right = cells[c];
        if (left->y == right->y && left->x + left->macro->width > right->x)
            status = check_fault(l, err, right->line, "the cell %s at (%.3f, %.3f) um overlaps %s",
                                 right->name, um(l, right->x), um(l, right->y), left->name);
    }
    free(cells);
    return status;
}

/* Whether a net of the layout has this end. */
static int has_end(const struct def_net *n, const struct design *d, const struct design_end *e)
{
    const char *pin =
        e->cell == NO_CELL ? d->ports[e->pin].name : d->macro[e->cell]->pins[e->pin].name;
    for (uint32_t k = 0; k < n->num_ends; k++) {
        const char *cell = n->ends[k].cell ? n->ends[k].cell->name : NULL;
        if (!strcmp(n->ends[k].name, pin) &&
            (e->cell == NO_CELL ? !cell : cell && !strcmp(cell, d->netlist.cells[e->cell].name)))
            return 1;
    }
    return 0;
}

static int check_ends(const struct design *d, const struct def *l, FILE *err)
{
    char name[256];
    for (uint32_t p = 0; p < d->num_ports; p++) {
        const struct def_pin *pin = def_pin(l, d->ports[p].name);
        const char *net = d->netlist.net_name[d->ports[p].net];
        if (!pin)
            return check_fault(l, err, 0, "the port %s is not placed", d->ports[p].name);
        if (strcmp(pin->net, net) != 0)
            return check_fault(l, err, pin->line, "the port %s is of the net %s; expected %s",
                               pin->name, pin->net, net);
    }
    if (l->num_pins != d->num_ports)
        return check_fault(l, err, 0, "%u pins; expected the %u ports of the netlist", l->num_pins,
                           d->num_ports);
    for (uint32_t k = 0; k < d->netlist.num_nets; k++) {
        const struct def_net *n = def_net(l, d->netlist.net_name[k] ? d->netlist.net_name[k] : "");
        if (!design_is_wired(d, k))
            continue;
        if (!n)
            return check_fault(l, err, 0, "there is no net %s", d->netlist.net_name[k]);
        for (uint32_t e = 0; e < d->nets[k].num_ends; e++) {
            design_end_name(d, &d->nets[k].ends[e], name, sizeof name);
            if (!has_end(n, d, &d->nets[k].ends[e]))
                return check_fault(l, err, n->line, "the net %s does not list %s", n->name, name);
        }
        if (n->num_ends != d->nets[k].num_ends)
            return check_fault(l, err, n->line, "the net %s lists %u ends; expected %u", n->name,
                               n->num_ends, d->nets[k].num_ends);
    }
    return 0;
}

int check_places(const struct design *d, const struct def *l, FILE *err)
{
    return check_cells(d, l, err) || check_sites(d, l, err) || check_overlaps(l, err) ||
                   check_ends(d, l, err)
               ? -1
               : 0;
}
