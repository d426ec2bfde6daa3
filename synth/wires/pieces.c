/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/pieces.c: see pieces.h. */
#include "synth/wires/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "synth/wires/check.h"

/* Adds a piece, in the group of piece `with` or, if that is itself, alone. Returns 0, or -1. */
static int add(struct metal *m, struct piece p, uint32_t with)
{
    if (m->num_pieces == m->room) {
        const uint32_t room = m->room ? m->room * 2 : 1024;
        struct piece *larger = room > m->room ? realloc(m->pieces, room * sizeof *larger) : NULL;
        if (!larger)
            return check_fault(m->layout, m->err, 0, "no memory");
        m->pieces = larger;
        m->room = room;
    }
    p.group = with;
    m->pieces[m->num_pieces++] = p;
    return 0;
}

/* Shapes that belong together. `like` has all but the box and the layer. */
static int add_shapes(struct metal *m, const struct shapes *shapes, const struct def_cell *cell,
                      struct piece like)
{
    const uint32_t first = m->num_pieces;
    for (uint32_t k = 0; k < shapes->count; k++) {
        like.layer = shapes->shape[k].layer;
        like.box = def_placed(cell, &shapes->shape[k].box);
        if (add(m, like, like.owner == OWNER_OBSTRUCTION ? m->num_pieces : first))
            return -1;
    }
    return 0;
}

/* The netlist's number of each cell of the layout, or NO_CELL. */
static uint32_t *number_cells(const struct metal *m)
{
    const struct def *l = m->layout;
    uint32_t *number = malloc((l->num_cells + 1) * sizeof *number);
    struct def_cell *cell;
    if (!number)
        return NULL;
    for (uint32_t c = 0; c < l->num_cells; c++)
        number[c] = NO_CELL;
    for (uint32_t c = 0; c < m->design->netlist.num_cells; c++)
        if ((cell = def_cell(l, m->design->netlist.cells[c].name)))
            number[cell->number] = c;
    return number;
}

/* The net at a pin of a cell, by the netlist; of others, what they are. */
static uint32_t owner_of(const struct metal *m, uint32_t cell, const struct lef_pin *pin)
{
    if (pin->use != PIN_SIGNAL)
        return pin->use == PIN_POWER ? OWNER_POWER : OWNER_GROUND;
    if (cell == NO_CELL)
        return OWNER_FLOATING;
    const struct netlist_cell *c = &m->design->netlist.cells[cell];
    const int number = library_pin(c->type, pin->name, strlen(pin->name));
    return number < 0 || c->net[number] < FIRST_NET || c->net[number] == NET_NONE ? OWNER_FLOATING
                                                                                  : c->net[number];
}

static int add_cells(struct metal *m, const uint32_t *number)
{
    const struct def *l = m->layout;
    for (uint32_t c = 0; c < l->num_cells; c++) {
        const struct def_cell *cell = l->cells[c];
        struct piece like = {.cell = c, .line = cell->line, .owner = OWNER_OBSTRUCTION};
        if (add_shapes(m, &cell->macro->obstructions, cell, like))
            return -1;
        for (uint32_t p = 0; p < cell->macro->num_pins; p++) {
            like.owner = owner_of(m, number[c], &cell->macro->pins[p]);
            if (add_shapes(m, &cell->macro->pins[p].shapes, cell, like))
                return -1;
        }
    }
    return 0;
}

static int add_ports(struct metal *m)
{
    for (uint32_t p = 0; p < m->design->num_ports; p++) {
        const struct design_port *port = &m->design->ports[p];
        const struct def_pin *pin = def_pin(m->layout, port->name);
        if (pin &&
            add(m,
                (struct piece){pin->shape.box, pin->shape.layer, port->net, NO_CELL, 0, pin->line},
                m->num_pieces))
            return -1;
    }
    return 0;
}

static int add_net(struct metal *m, uint32_t net)
{
    const struct def_net *n = def_net(m->layout, m->design->netlist.net_name[net]);
    for (uint32_t k = 0; n && k < n->num_wires; k++)
        if (add(m,
                (struct piece){def_metal(&n->wires[k]), n->wires[k].layer, net, NO_CELL, 0,
                               n->wires[k].line},
                m->num_pieces))
            return -1;
    for (uint32_t k = 0; n && k < n->num_vias; k++) {
        const struct def_via *v = &n->vias[k];
        const uint32_t first = m->num_pieces;
        for (uint32_t s = 0; s < v->via->shapes.count; s++) {
            const struct box b = v->via->shapes.shape[s].box;
            const struct box at = {b.x0 + v->x, b.y0 + v->y, b.x1 + v->x, b.y1 + v->y};
            if (add(m, (struct piece){at, v->via->shapes.shape[s].layer, net, NO_CELL, 0, v->line},
                    first))
                return -1;
        }
    }
    return 0;
}

/* Wires of a net that the netlist does not have would be forgotten. */
static int check_names(const struct metal *m)
{
    const struct design *d = m->design;
    uint32_t known = 0;
    for (uint32_t k = FIRST_NET; k < d->netlist.num_nets; k++)
        known += d->netlist.net_name[k] && def_net(m->layout, d->netlist.net_name[k]) != NULL;
    if (known != m->layout->num_nets)
        return check_fault(m->layout, m->err, 0, "%u nets that the netlist does not have",
                           m->layout->num_nets - known);
    return 0;
}

int pieces_list(struct metal *m)
{
    uint32_t *number = number_cells(m);
    int failed = !number ? check_fault(m->layout, m->err, 0, "no memory") : add_cells(m, number);
    free(number);
    failed = failed || add_ports(m) || check_names(m);
    m->num_pins = m->num_pieces;
    for (uint32_t k = FIRST_NET; !failed && k < m->design->netlist.num_nets; k++)
        failed = m->design->netlist.net_name[k] && add_net(m, k);
    return failed ? -1 : 0;
}
