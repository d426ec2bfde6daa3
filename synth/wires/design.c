/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/design.c: see design.h. */
#include "synth/wires/design.h"

#include <string.h>

static int refuse(FILE *err, const struct design *d, const char *what, const char *name,
                  const char *expected)
{
    fprintf(err, "%s: error: %s '%s'; expected %s\n", d->netlist.path, what, name, expected);
    return -1;
}

/* Names stand in DEF files, where these words have a meaning. */
static int check_name(const struct design *d, const char *name, FILE *err)
{
    if (!*name || strchr("#\"", *name) || (strchr("()+-;*", *name) && !name[1]) ||
        name[strlen(name) - 1] == ';' || strlen(name) > 250)
        return refuse(err, d, "the name", name, "one that can stand in a DEF file");
    for (const char *c = name; *c; c++)
        if (*c <= ' ' || *c > '~')
            return refuse(err, d, "the name", name, "printed characters of ASCII only");
    return 0;
}

static void *allocate(struct design *d, size_t count, size_t size, FILE *err)
{
    void *memory = arena_alloc(&d->memory, count * size, 16);
    if (!memory)
        fprintf(err, "%s: error: no memory\n", d->netlist.path);
    return memory;
}

static int find_macros(struct design *d, FILE *err)
{
    const struct netlist *n = &d->netlist;
    d->macro = allocate(d, n->num_cells, sizeof *d->macro, err);
    if (!d->macro)
        return -1;
    for (uint32_t c = 0; c < n->num_cells; c++) {
        const uint32_t number = lef_macro(&d->lef, n->cells[c].type->name);
        if (check_name(d, n->cells[c].name, err))
            return -1;
        if (number == LEF_NONE)
            return netlist_error(n, err, n->cells[c].line,
                                 "the cell %s is a %s; expected one that %s has", n->cells[c].name,
                                 n->cells[c].type->name, d->lef.path);
        d->macro[c] = &d->lef.macros[number];
        if (!d->macro[c]->site || strcmp(d->macro[c]->site, d->site->name) != 0 ||
            d->macro[c]->height != d->site->height || d->macro[c]->width % d->site->width != 0)
            return netlist_error(n, err, n->cells[c].line,
                                 "the MACRO %s; expected one of whole sites %s, as high as these",
                                 d->macro[c]->name, d->site->name);
        d->cell_area += (double)d->macro[c]->width * d->macro[c]->height;
    }
    return 0;
}

static int find_ports(struct design *d, FILE *err)
{
    const struct netlist *n = &d->netlist;
    size_t bits = 0;
    for (uint32_t s = 0; s < n->num_signals; s++)
        bits += n->signals[s].direction != PIN_OTHER ? n->signals[s].bits : 0;
    d->ports = allocate(d, bits, sizeof *d->ports, err);
    if (!d->ports)
        return -1;
    for (uint32_t s = 0; s < n->num_signals; s++) {
        const struct netlist_signal *signal = &n->signals[s];
        for (unsigned b = 0; signal->direction != PIN_OTHER && b < signal->bits; b++) {
            const size_t size = strlen(signal->name) + 16;
            char *name = allocate(d, size, 1, err);
            if (!name)
                return -1;
            snprintf(name, size, signal->bits > 1 ? "%s[%d]" : "%s", signal->name,
                     signal->low + (int)b);
            if (check_name(d, name, err))
                return -1;
            if (signal->net[b] < FIRST_NET)
                d->num_constant_ports++;
            else
                d->ports[d->num_ports++] =
                    (struct design_port){name, signal->direction, signal->net[b]};
        }
    }
    return 0;
}

/* Calls `take` for each end of each net. */
static int each_end(struct design *d,
                    int (*take)(struct design *, uint32_t net, struct design_end, FILE *),
                    FILE *err)
{
    const struct netlist *n = &d->netlist;
    for (uint32_t c = 0; c < n->num_cells; c++) {
        const struct netlist_cell *cell = &n->cells[c];
        for (unsigned p = 0; p < cell->type->num_pins; p++) {
            const struct library_pin *pin = &cell->type->pins[p];
            const uint32_t number = lef_pin(d->macro[c], pin->name);
            if (cell->net[p] == NET_NONE)
                continue;
            if (cell->net[p] < FIRST_NET)
                return netlist_error(
                    n, err, cell->line,
                    "the pin %s of %s is a constant; expected a net: a wire to the "
                    "supply is not drawn",
                    pin->name, cell->name);
            if (number == LEF_NONE || !d->macro[c]->pins[number].shapes.count)
                return netlist_error(n, err, cell->line, "%s has no shape for the pin %s of a %s",
                                     d->lef.path, pin->name, cell->type->name);
            if (take(d, cell->net[p], (struct design_end){c, number, pin->direction == PIN_OUT},
                     err))
                return -1;
        }
    }
    for (uint32_t p = 0; p < d->num_ports; p++)
        if (take(d, d->ports[p].net,
                 (struct design_end){NO_CELL, p, d->ports[p].direction == PIN_IN}, err))
            return -1;
    return 0;
}

static int count_end(struct design *d, uint32_t net, struct design_end end, FILE *err)
{
    (void)end;
    (void)err;
    d->nets[net].num_ends++;
    return 0;
}

static int keep_end(struct design *d, uint32_t net, struct design_end end, FILE *err)
{
    (void)err;
    d->nets[net].ends[d->nets[net].num_ends++] = end;
    return 0;
}

static int find_ends(struct design *d, FILE *err)
{
    d->nets = allocate(d, d->netlist.num_nets, sizeof *d->nets, err);
    if (!d->nets || each_end(d, count_end, err))
        return -1;
    for (uint32_t k = 0; k < d->netlist.num_nets; k++) {
        d->nets[k].ends = allocate(d, d->nets[k].num_ends, sizeof *d->nets[k].ends, err);
        d->nets[k].num_ends = 0;
        if (!d->nets[k].ends || (k >= FIRST_NET && check_name(d, d->netlist.net_name[k], err)))
            return -1;
    }
    return each_end(d, keep_end, err);
}

int design_open(struct design *d, const char *netlist, const char *library, const char *lef,
                FILE *err)
{
    *d = (struct design){.netlist.path = netlist};
    if (library_read(&d->library, library, err) || lef_read(&d->lef, lef, err) ||
        netlist_read(&d->netlist, netlist, &d->library, err))
        return -1;
    d->site = lef_core(&d->lef);
    if (!d->site) {
        fprintf(err, "%s: error: no SITE of CLASS CORE; expected one, for the rows\n", lef);
        return -1;
    }
    if (!d->netlist.num_cells) {
        fprintf(err, "%s: error: no cells; expected some to place\n", netlist);
        return -1;
    }
    return find_macros(d, err) || find_ports(d, err) || find_ends(d, err) ? -1 : 0;
}

void design_close(struct design *d)
{
    netlist_free(&d->netlist);
    library_free(&d->library);
    lef_free(&d->lef);
    arena_free(&d->memory);
}

void design_end_name(const struct design *d, const struct design_end *e, char *to, size_t size)
{
    if (e->cell == NO_CELL)
        snprintf(to, size, "port %s", d->ports[e->pin].name);
    else
        snprintf(to, size, "%s.%s", d->netlist.cells[e->cell].name,
                 d->macro[e->cell]->pins[e->pin].name);
}

int design_is_wired(const struct design *d, uint32_t net)
{
    return net >= FIRST_NET && d->nets[net].num_ends > 1;
}
