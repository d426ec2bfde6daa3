/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/metal.c: metal that touches is connected, and only metal of one net is. See check.h.
 *
 * 1. Pieces go into square bins of each layer, so that only near ones are compared.
 * 2. Two that touch on a layer belong together if they have the same owner, and are a fault if they do not. Two that are closer than
 *    the layer's spacing are counted.
 * 3. The pins of a net must be in one group, and every piece of a net in a group that has a pin of it. */
#include <stdlib.h>
#include <string.h>

#include "synth/wires/check.h"
#include "synth/wires/pieces.h"

#define MOST_ENTRIES (1u << 27) /* of pieces in bins */

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

static uint64_t bin_number(uint32_t layer, uint64_t x, uint64_t y)
{
    return ((uint64_t)layer << 56) ^ (x << 28) ^ y;
}

/* The bin of the lower left corner of a box. */
static uint64_t number_of_bin(const struct metal *m, uint32_t layer, const struct box *b)
{
    return bin_number(layer, bin_of(m, b->x0), bin_of(m, b->y0));
}

/* The bins of a piece with the space around it: from (x0, y0) to (x1, y1). */
struct bins {
    uint64_t x0, y0, x1, y1;
};

static struct bins bins_of(const struct metal *m, const struct piece *p)
{
    const int32_t around = m->layout->lef->layers[p->layer].spacing;
    return (struct bins){bin_of(m, p->box.x0 - around), bin_of(m, p->box.y0 - around),
                         bin_of(m, p->box.x1 + around), bin_of(m, p->box.y1 + around)};
}

/* The pieces in each bin, bin after bin. NULL: `err` has been told. */
static struct bin_entry *fill_bins(const struct metal *m, size_t *count)
{
    uint64_t entries = 0;
    for (uint32_t k = 0; k < m->num_pieces; k++) {
        const struct bins b = bins_of(m, &m->pieces[k]);
        entries += (b.x1 - b.x0 + 1) * (b.y1 - b.y0 + 1);
    }
    struct bin_entry *bins = entries < MOST_ENTRIES ? malloc((entries + 1) * sizeof *bins) : NULL;
    if (!bins) {
        check_fault(m->layout, m->err, 0, "more metal than there is memory for");
        return NULL;
    }
    *count = 0;
    for (uint32_t k = 0; k < m->num_pieces; k++) {
        const struct bins b = bins_of(m, &m->pieces[k]);
        for (uint64_t x = b.x0; x <= b.x1; x++)
            for (uint64_t y = b.y0; y <= b.y1; y++)
                bins[(*count)++] = (struct bin_entry){bin_number(m->pieces[k].layer, x, y), k};
    }
    qsort(bins, *count, sizeof *bins, bin_order);
    return bins;
}

/* Where two boxes overlap; what is between them, if one edge is behind the other. */
static struct box between(const struct box *a, const struct box *b)
{
    return (struct box){a->x0 > b->x0 ? a->x0 : b->x0, a->y0 > b->y0 ? a->y0 : b->y0,
                        a->x1 < b->x1 ? a->x1 : b->x1, a->y1 < b->y1 ? a->y1 : b->y1};
}

static int report_short(const struct metal *m, const struct piece *p, const struct piece *q,
                        const struct box *s)
{
    char one[300], other[300];
    return check_fault(m->layout, m->err, p->line > q->line ? p->line : q->line,
                       "short: %s touches %s on %s at (%.3f, %.3f) um",
                       owner_name(m, p, one, sizeof one), owner_name(m, q, other, sizeof other),
                       m->layout->lef->layers[p->layer].name, um(m, s->x0), um(m, s->y0));
}

/* Whether two are too close that do not touch. How close cells' own metal may be is their maker's choice. */
static int is_close(const struct metal *m, const struct piece *p, const struct piece *q,
                    const struct box *s)
{
    const int64_t spacing = m->layout->lef->layers[p->layer].spacing;
    const int64_t dx = s->x0 > s->x1 ? (int64_t)s->x0 - s->x1 : 0;
    const int64_t dy = s->y0 > s->y1 ? (int64_t)s->y0 - s->y1 : 0;
    return p->owner != q->owner && (p->cell == NO_CELL || q->cell == NO_CELL) &&
           dx * dx + dy * dy < spacing * spacing;
}

static int compare(struct metal *m, uint32_t a, uint32_t b, uint64_t bin)
{
    const struct piece *p = &m->pieces[a], *q = &m->pieces[b];
    const struct box s = between(&p->box, &q->box);
    if (p->layer != q->layer)
        return 0;
    if (s.x0 > s.x1 || s.y0 > s.y1) {
        /* Both may be in several bins; one of them counts. */
        const struct box at = {s.x0 < s.x1 ? s.x0 : s.x1, s.y0 < s.y1 ? s.y0 : s.y1, 0, 0};
        m->num_close += is_close(m, p, q, &s) && bin == number_of_bin(m, p->layer, &at);
        return 0;
    }
    if (!may_touch(p, q))
        return report_short(m, p, q, &s);
    /* Corners that meet in a point conduct nothing. */
    if (p->owner == q->owner && (s.x0 < s.x1 || s.y0 < s.y1) && p->owner != OWNER_OBSTRUCTION)
        join(m, a, b);
    return 0;
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
                failed = compare(m, bins[a].piece, bins[b].piece, bins[a].bin);
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

int check_metal(const struct design *d, const struct def *l, uint32_t *close, FILE *err)
{
    struct metal m = {.design = d, .layout = l, .err = err};
    uint32_t *group_of = malloc((size_t)d->netlist.num_nets * sizeof *group_of);
    int failed = group_of ? pieces_list(&m) : check_fault(l, err, 0, "no memory");
    for (uint32_t k = 0; group_of && k < d->netlist.num_nets; k++)
        group_of[k] = UINT32_MAX;
    failed = failed || compare_all(&m) || check_open(&m, group_of) || check_loose(&m, group_of);
    free(group_of);
    free(m.pieces);
    *close = m.num_close;
    return failed ? -1 : 0;
}

int check_layout(const struct design *d, const struct def *l, uint32_t *close, FILE *err)
{
    return check_places(d, l, err) || check_metal(d, l, close, err) ? -1 : 0;
}
