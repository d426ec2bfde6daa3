/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/metal.c: metal that touches is connected, and only metal of one net is. See check.h.
 *
 * 1. All metal is listed as pieces, each with its owner: a net, the supply, or an obstruction inside a cell.
 * 2. Pieces go into square bins of each layer, so that only near ones are compared.
 * 3. Two that touch on a layer belong together if they have the same owner, and are a fault if they do not. The shapes of a pin, and
 *    those of a via, belong together anyway.
 * 4. The pins of a net must be in one group, and every piece of a net in a group that has a pin of it. */
#include <stdlib.h>
#include <string.h>

#include "synth/wires/check.h"

#define MOST_ENTRIES (1u << 27) /* of pieces in bins */

/* Owners beside the nets, which have their own numbers. */
#define OWNER_POWER       (UINT32_MAX - 1)
#define OWNER_GROUND      (UINT32_MAX - 2)
#define OWNER_OBSTRUCTION (UINT32_MAX - 3)
#define OWNER_FLOATING    (UINT32_MAX - 4) /* a pin that is not connected */

struct piece {
    struct box box;
    uint32_t layer, owner;
    uint32_t cell;  /* of the layout, or NO_CELL */
    uint32_t group; /* another piece of the same group; itself: it stands for the group */
    unsigned line;
};

struct metal {
    const struct design *design;
    const struct def *layout;
    FILE *err;
    struct piece *pieces;
    uint32_t num_pieces, room;
    uint32_t num_pins; /* pieces of cells and ports, which come first */
};

static double um(const struct metal *m, double length)
{
    return length / m->layout->lef->units;
}

static uint32_t root(struct metal *m, uint32_t piece)
{
    struct piece *p = m->pieces;
    while (p[piece].group != piece)
        piece = p[piece].group = p[p[piece].group].group;
    return piece;
}

static void join(struct metal *m, uint32_t a, uint32_t b)
{
    m->pieces[root(m, a)].group = root(m, b);
}

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

static int add_all(struct metal *m)
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

static const char *owner_name(const struct metal *m, const struct piece *p, char *to, size_t size)
{
    const char *cell = p->cell == NO_CELL ? "" : m->layout->cells[p->cell]->name;
    switch (p->owner) {
    case OWNER_POWER: return "the power supply";
    case OWNER_GROUND: return "ground";
    case OWNER_OBSTRUCTION: snprintf(to, size, "the inside of %s", cell); return to;
    case OWNER_FLOATING: snprintf(to, size, "a pin of %s without a net", cell); return to;
    default: snprintf(to, size, "the net %s", m->design->netlist.net_name[p->owner]); return to;
    }
}

/* Inside a cell, metal may touch as its maker wants it. */
static int may_touch(const struct piece *a, const struct piece *b)
{
    return a->owner == b->owner || (a->cell != NO_CELL && a->cell == b->cell);
}

static int compare(struct metal *m, uint32_t a, uint32_t b)
{
    const struct piece *p = &m->pieces[a], *q = &m->pieces[b];
    const struct box s = {p->box.x0 > q->box.x0 ? p->box.x0 : q->box.x0,
                          p->box.y0 > q->box.y0 ? p->box.y0 : q->box.y0,
                          p->box.x1 < q->box.x1 ? p->box.x1 : q->box.x1,
                          p->box.y1 < q->box.y1 ? p->box.y1 : q->box.y1};
    if (p->layer != q->layer || s.x0 > s.x1 || s.y0 > s.y1)
        return 0;
    if (!may_touch(p, q)) {
        char one[300], other[300];
        return check_fault(m->layout, m->err, p->line > q->line ? p->line : q->line,
                           "short: %s touches %s on %s at (%.3f, %.3f) um",
                           owner_name(m, p, one, sizeof one), owner_name(m, q, other, sizeof other),
                           m->layout->lef->layers[p->layer].name, um(m, s.x0), um(m, s.y0));
    }
    /* Corners that meet in a point conduct nothing. */
    if (p->owner == q->owner && (s.x0 < s.x1 || s.y0 < s.y1) && p->owner != OWNER_OBSTRUCTION)
        join(m, a, b);
    return 0;
}

struct bin_entry {
    uint64_t bin;
    uint32_t piece;
};

static int bin_order(const void *a, const void *b)
{
    const struct bin_entry *l = a, *r = b;
    return l->bin != r->bin ? (l->bin < r->bin ? -1 : 1) : l->piece < r->piece ? -1 : 1;
}

/* Which bins a coordinate is in: they are as large as a row is high. */
static uint64_t bin_of(const struct metal *m, int32_t at)
{
    return (uint64_t)((int64_t)at + 4ll * LONGEST) / (uint64_t)m->design->site->height;
}

/* How many bins a piece is in. */
static uint64_t bins_of(const struct metal *m, const struct piece *p)
{
    return (bin_of(m, p->box.x1) - bin_of(m, p->box.x0) + 1) *
           (bin_of(m, p->box.y1) - bin_of(m, p->box.y0) + 1);
}

/* The pieces in each bin, bin after bin. NULL: `err` has been told. */
static struct bin_entry *fill_bins(const struct metal *m, size_t *count)
{
    uint64_t entries = 0;
    for (uint32_t k = 0; k < m->num_pieces; k++)
        entries += bins_of(m, &m->pieces[k]);
    struct bin_entry *bins = entries < MOST_ENTRIES ? malloc((entries + 1) * sizeof *bins) : NULL;
    if (!bins) {
        check_fault(m->layout, m->err, 0, "more metal than there is memory for");
        return NULL;
    }
    *count = 0;
    for (uint32_t k = 0; k < m->num_pieces; k++) {
        const struct piece *p = &m->pieces[k];
        for (uint64_t x = bin_of(m, p->box.x0); x <= bin_of(m, p->box.x1); x++)
            for (uint64_t y = bin_of(m, p->box.y0); y <= bin_of(m, p->box.y1); y++)
                bins[(*count)++] =
                    (struct bin_entry){((uint64_t)p->layer << 56) ^ (x << 28) ^ y, k};
    }
    qsort(bins, *count, sizeof *bins, bin_order);
    return bins;
}

static int compare_all(struct metal *m)
{
    size_t count, end;
    struct bin_entry *bins = fill_bins(m, &count);
    int failed = bins ? 0 : -1;
    for (size_t first = 0; !failed && first < count; first = end) {
        for (end = first; end < count && bins[end].bin == bins[first].bin;)
            end++;
        for (size_t a = first; !failed && a < end; a++)
            for (size_t b = a + 1; !failed && b < end; b++)
                failed = compare(m, bins[a].piece, bins[b].piece);
    }
    free(bins);
    return failed;
}

/* The pieces of each net that are pins are in one group; `group_of` has it for each net. */
static int check_open(struct metal *m, uint32_t *group_of)
{
    for (uint32_t k = 0; k < m->num_pieces; k++) {
        const struct piece *p = &m->pieces[k];
        const struct def_net *n;
        if (p->owner >= m->design->netlist.num_nets || k >= m->num_pins)
            continue;
        if (group_of[p->owner] == UINT32_MAX)
            group_of[p->owner] = root(m, k);
        if (group_of[p->owner] == root(m, k))
            continue;
        n = def_net(m->layout, m->design->netlist.net_name[p->owner]);
        return check_fault(m->layout, m->err, n ? n->line : 0,
                           "open: the net %s does not reach its pin on %s at (%.3f, %.3f) um",
                           m->design->netlist.net_name[p->owner],
                           m->layout->lef->layers[p->layer].name, um(m, p->box.x0),
                           um(m, p->box.y0));
    }
    return 0;
}

static int check_loose(struct metal *m, const uint32_t *group_of)
{
    for (uint32_t k = 0; k < m->num_pieces; k++) {
        const struct piece *p = &m->pieces[k];
        if (p->owner < m->design->netlist.num_nets && group_of[p->owner] != root(m, k))
            return check_fault(
                m->layout, m->err, p->line,
                "open: metal of the net %s on %s at (%.3f, %.3f) um is connected to no pin",
                m->design->netlist.net_name[p->owner], m->layout->lef->layers[p->layer].name,
                um(m, p->box.x0), um(m, p->box.y0));
    }
    return 0;
}

int check_metal(const struct design *d, const struct def *l, FILE *err)
{
    struct metal m = {.design = d, .layout = l, .err = err};
    uint32_t *group_of = malloc((size_t)d->netlist.num_nets * sizeof *group_of);
    int failed = group_of ? add_all(&m) : check_fault(l, err, 0, "no memory");
    for (uint32_t k = 0; group_of && k < d->netlist.num_nets; k++)
        group_of[k] = UINT32_MAX;
    failed = failed || compare_all(&m) || check_open(&m, group_of) || check_loose(&m, group_of);
    free(group_of);
    free(m.pieces);
    return failed ? -1 : 0;
}

int check_layout(const struct design *d, const struct def *l, FILE *err)
{
    return check_places(d, l, err) || check_metal(d, l, err) ? -1 : 0;
}
