/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/draw.c: see draw.h. */
#include "synth/wires/draw.h"

#include "tb/cli/gnuplot.h"

enum kind { KIND_FLIP_FLOP, KIND_BUFFER, KIND_LOGIC, NUM_KINDS };

static const char *const kind_name[NUM_KINDS] = {"flip-flops", "buffers and inverters", "logic"};
static const char *const kind_colour[NUM_KINDS] = {"#e07b39", "#8fbf7f", "#a9c4e0"};

/* From below. */
static const char *const layer_colour[] = {"#404040", "#1f4e9e", "#b3261e",
                                           "#2e7d32", "#7b1fa2", "#b58900"};
#define NUM_COLOURS (sizeof layer_colour / sizeof *layer_colour)

static enum kind kind_of(const struct library_cell *type)
{
    if (type->kind == CELL_FLIP_FLOP || type->kind == CELL_LATCH)
        return KIND_FLIP_FLOP;
    return type->num_inputs == 1 && type->num_outputs == 1 ? KIND_BUFFER : KIND_LOGIC;
}

static uint32_t print_cells(const struct design *d, const struct def *l, enum kind kind, FILE *to)
{
    const double units = l->lef->units;
    uint32_t count = 0;
    for (uint32_t c = 0; c < d->netlist.num_cells; c++) {
        const struct def_cell *cell = def_cell(l, d->netlist.cells[c].name);
        if (!cell || kind_of(d->netlist.cells[c].type) != kind)
            continue;
        count++;
        if (to)
            fprintf(to, "%g %g %g %g %g %g\n", (cell->x + cell->macro->width / 2) / units,
                    (cell->y + cell->macro->height / 2) / units, cell->x / units,
                    (cell->x + cell->macro->width) / units, cell->y / units,
                    (cell->y + cell->macro->height) / units);
    }
    return count;
}

static uint32_t print_wires(const struct def *l, uint32_t layer, FILE *to)
{
    const double units = l->lef->units;
    uint32_t count = 0;
    for (uint32_t n = 0; n < l->num_nets; n++)
        for (uint32_t k = 0; k < l->nets[n]->num_wires; k++) {
            const struct def_wire *w = &l->nets[n]->wires[k];
            if (w->layer != layer)
                continue;
            count++;
            if (to)
                fprintf(to, "%g %g\n%g %g\n\n", w->x0 / units, w->y0 / units, w->x1 / units,
                        w->y1 / units);
        }
    return count;
}

static void print_data(const struct design *d, const struct def *l, FILE *to)
{
    for (enum kind k = 0; k < NUM_KINDS; k++)
        if (print_cells(d, l, k, NULL)) {
            fprintf(to, "$cells%d << EOD\n", (int)k);
            print_cells(d, l, k, to);
            fprintf(to, "EOD\n");
        }
    for (uint32_t k = 0; k < l->lef->num_layers; k++)
        if (print_wires(l, k, NULL)) {
            fprintf(to, "$wires%u << EOD\n", k);
            print_wires(l, k, to);
            fprintf(to, "EOD\n");
        }
}

static void print_plots(const struct design *d, const struct def *l, FILE *to)
{
    const char *comma = "plot ";
    size_t colour = 0;
    for (enum kind k = 0; k < NUM_KINDS; k++) {
        const uint32_t count = print_cells(d, l, k, NULL);
        if (!count)
            continue;
        fprintf(to,
                "%s$cells%d with boxxyerror fillstyle solid 1 border rgb '#ffffff' linewidth 0.3 "
                "linecolor rgb '%s' title ",
                comma, (int)k, kind_colour[k]);
        picture_text(to, "%s: %u", kind_name[k], count);
        comma = ", ";
    }
    for (uint32_t k = 0; k < l->lef->num_layers; k++) {
        const int routing = l->lef->layers[k].kind == LAYER_ROUTING;
        if (print_wires(l, k, NULL)) {
            fprintf(to, "%s$wires%u with lines linewidth 1 linecolor rgb '%s' title ", comma, k,
                    layer_colour[colour % NUM_COLOURS]);
            picture_text(to, "%s", l->lef->layers[k].name);
            comma = ", ";
        }
        colour += routing != 0;
    }
    fprintf(to, "\n");
}

int draw_layout(const struct design *d, const struct def *l, const char *path)
{
    struct picture p;
    const double units = l->lef->units;
    if (picture_begin(&p, path, 1400, 1200))
        return -1;
    fprintf(p.script, "set size ratio -1\nset key outside right top samplen 2\n"
                      "set xlabel 'um'\nset ylabel 'um'\nset tics out nomirror\n");
    fprintf(p.script, "set xrange [%g:%g]\nset yrange [%g:%g]\nset title ", l->die.x0 / units,
            l->die.x1 / units, l->die.y0 / units, l->die.y1 / units);
    picture_text(p.script, "%s: %u cells, %u nets", d->netlist.module, d->netlist.num_cells,
                 l->num_nets);
    fprintf(p.script, "\n");
    print_data(d, l, p.script);
    print_plots(d, l, p.script);
    return picture_end(&p);
}
