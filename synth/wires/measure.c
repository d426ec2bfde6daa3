/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/measure.c: see measure.h. */
#include "synth/wires/measure.h"

#include <stdlib.h>
#include <string.h>

#include "synth/wires/tree.h"

struct sums {
    double *length; /* um on each layer */
    double total, longest, capacitance, pins;
    uint32_t nets, vias, loops, longest_net;
};

/* What the cells' pins on a net add. */
static double pin_capacitance(const struct design *d, uint32_t net)
{
    double sum = 0;
    for (uint32_t e = 0; e < d->nets[net].num_ends; e++) {
        const struct design_end *end = &d->nets[net].ends[e];
        const char *name = end->cell == NO_CELL ? NULL : d->macro[end->cell]->pins[end->pin].name;
        const struct library_cell *type = name ? d->netlist.cells[end->cell].type : NULL;
        const struct library_pin *pin =
            name ? &type->pins[library_pin(type, name, strlen(name))] : NULL;
        if (pin && pin->direction == PIN_IN)
            sum += pin->capacitance;
    }
    return sum;
}

static int add_net(struct sums *s, const struct design *d, const struct def *l, uint32_t net,
                   FILE *err)
{
    struct tree t;
    const int failed = tree_build(&t, d, l, net, err);
    double length = 0;
    for (uint32_t k = 0; !failed && k < l->lef->num_layers; k++) {
        s->length[k] += t.length[k];
        length += t.length[k];
    }
    s->total += length;
    if (length > s->longest) {
        s->longest = length;
        s->longest_net = net;
    }
    s->capacitance += t.total_capacitance;
    s->pins += failed ? 0 : pin_capacitance(d, net);
    s->vias += t.num_vias;
    s->loops += t.num_loops;
    s->nets++;
    tree_free(&t);
    return failed;
}

static void write_areas(const struct design *d, const struct def *l, FILE *to)
{
    const double units = l->lef->units;
    double core = 0;
    for (uint32_t r = 0; r < l->num_rows; r++)
        core += (double)l->rows[r].sites * l->rows[r].step * d->site->height;
    fprintf(to, "cells=%u\nports=%u\nconstant_ports=%u\nrows=%u\n", d->netlist.num_cells,
            d->num_ports, d->num_constant_ports, l->num_rows);
    fprintf(to, "cell_area_um2=%.0f\ncore_area_um2=%.0f\n", d->cell_area / units / units,
            core / units / units);
    fprintf(to, "die_area_um2=%.0f\n",
            ((double)l->die.x1 - l->die.x0) * ((double)l->die.y1 - l->die.y0) / units / units);
    fprintf(to, "die_um=%.1f x %.1f\n", (l->die.x1 - l->die.x0) / units,
            (l->die.y1 - l->die.y0) / units);
    fprintf(to, "density=%.3f\n", core > 0 ? d->cell_area / core : 0);
}

int measure_write(const struct design *d, const struct def *l, FILE *to, FILE *err)
{
    struct sums s = {.length = calloc((size_t)l->lef->num_layers + 1, sizeof(double))};
    int failed = s.length ? 0 : fprintf(err, "%s: error: no memory\n", l->path);
    for (uint32_t k = 0; !failed && k < d->netlist.num_nets; k++)
        if (design_is_wired(d, k))
            failed = add_net(&s, d, l, k, err);
    if (!failed) {
        write_areas(d, l, to);
        fprintf(to, "nets=%u\nvias=%u\nloops=%u\nwire_um=%.0f\n", s.nets, s.vias, s.loops, s.total);
        for (uint32_t k = 0; k < l->lef->num_layers; k++)
            if (l->lef->layers[k].kind == LAYER_ROUTING)
                fprintf(to, "wire_um_%s=%.0f\n", l->lef->layers[k].name, s.length[k]);
        fprintf(to, "longest_um=%.0f\nlongest_net=%s\n", s.longest,
                s.nets ? d->netlist.net_name[s.longest_net] : "none");
        fprintf(to, "wire_pf=%.3f\npin_pf=%.3f\n", s.capacitance * 1e12, s.pins * 1e12);
    }
    free(s.length);
    return failed ? -1 : 0;
}
