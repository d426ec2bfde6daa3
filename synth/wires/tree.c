/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/tree.c: see tree.h.
 *
 * 1. Wires, and the two sides of vias, are bars: a stretch in the middle of a box of metal.
 * 2. Where two bars of a layer touch, or a pin and a bar, the nearest points of their stretches are the same node.
 * 3. Each wire is cut at the nodes on it; each part is a resistor.
 * 4. A spanning tree of the smallest resistors stays. */
#include <stdlib.h>
#include <string.h>

#include "synth/wires/check.h"
#include "synth/wires/tree.h"

struct point {
    uint32_t layer; /* LEF_NONE: an end of the net, number x */
    int32_t x, y;
};

struct bar {
    uint32_t layer;
    struct box stretch, metal;
    int32_t width; /* 0: the side of a via */
};

/* Two points that are connected: the same, or by a resistor. */
struct joint {
    struct point a, b;
    double resistance;
};

/* A part of a wire. */
struct part {
    uint32_t a, b, layer;
    int32_t length, width;
};

struct builder {
    const struct design *design;
    const struct def *layout;
    const struct def_net *net;
    const struct design_net *ends;
    struct tree *tree;
    FILE *err;
    struct bar *bars;
    struct joint *joints;
    struct point *nodes;
    struct part *parts;
    uint32_t *same; /* of each node: another one that is connected without resistance, or itself */
    uint32_t num_bars, num_joints, num_nodes, num_parts;
    struct arena memory;
};

static void *grow(struct builder *b, const void *array, uint32_t count, size_t size)
{
    void *larger = arena_grow(&b->memory, array, count, size);
    if (!larger)
        check_fault(b->layout, b->err, 0, "no memory");
    return larger;
}

static int add_bar(struct builder *b, uint32_t layer, struct box stretch, struct box metal,
                   int32_t width)
{
    b->bars = grow(b, b->bars, b->num_bars, sizeof *b->bars);
    if (!b->bars)
        return -1;
    b->bars[b->num_bars++] = (struct bar){layer, stretch, metal, width};
    return 0;
}

static int add_joint(struct builder *b, struct point p, struct point q, double resistance)
{
    b->joints = grow(b, b->joints, b->num_joints, sizeof *b->joints);
    if (!b->joints)
        return -1;
    b->joints[b->num_joints++] = (struct joint){p, q, resistance};
    return 0;
}

static int add_via(struct builder *b, const struct def_via *v)
{
    const struct box spot = {v->x, v->y, v->x, v->y};
    const struct point low = {v->via->low, v->x, v->y}, high = {v->via->high, v->x, v->y};
    for (uint32_t k = 0; k < v->via->shapes.count; k++) {
        const struct shape *s = &v->via->shapes.shape[k];
        const struct box metal = {s->box.x0 + v->x, s->box.y0 + v->y, s->box.x1 + v->x,
                                  s->box.y1 + v->y};
        if ((s->layer == low.layer || s->layer == high.layer) &&
            add_bar(b, s->layer, spot, metal, 0))
            return -1;
    }
    b->tree->num_vias++;
    return add_joint(b, low, high, v->via->resistance);
}

static int add_bars(struct builder *b)
{
    for (uint32_t k = 0; k < b->net->num_wires; k++) {
        const struct def_wire *w = &b->net->wires[k];
        const struct box stretch = {w->x0, w->y0, w->x1, w->y1};
        const struct point from = {w->layer, w->x0, w->y0}, to = {w->layer, w->x1, w->y1};
        if (add_bar(b, w->layer, stretch, def_metal(w), w->width) || add_joint(b, from, from, 0) ||
            add_joint(b, to, to, 0))
            return -1;
    }
    for (uint32_t k = 0; k < b->net->num_vias; k++)
        if (add_via(b, &b->net->vias[k]))
            return -1;
    return 0;
}

/* Whether boxes touch in more than a corner. */
static int touch(const struct box *a, const struct box *b)
{
    const int32_t x0 = a->x0 > b->x0 ? a->x0 : b->x0, x1 = a->x1 < b->x1 ? a->x1 : b->x1;
    const int32_t y0 = a->y0 > b->y0 ? a->y0 : b->y0, y1 = a->y1 < b->y1 ? a->y1 : b->y1;
    return x0 <= x1 && y0 <= y1 && (x0 < x1 || y0 < y1);
}

/* The nearest points of two intervals: one that both have, or those that face each other. */
static void nearest(int32_t a0, int32_t a1, int32_t b0, int32_t b1, int32_t *a, int32_t *b)
{
    *a = a1 < b0 ? a1 : a0 > b1 ? a0 : a0 > b0 ? a0 : b0;
    *b = a1 < b0 ? b0 : a0 > b1 ? b1 : *a;
}

static int join_bars(struct builder *b, const struct bar *p, const struct bar *q)
{
    struct point at = {p->layer, 0, 0}, to = {q->layer, 0, 0};
    if (p->layer != q->layer || !touch(&p->metal, &q->metal))
        return 0;
    nearest(p->stretch.x0, p->stretch.x1, q->stretch.x0, q->stretch.x1, &at.x, &to.x);
    nearest(p->stretch.y0, p->stretch.y1, q->stretch.y0, q->stretch.y1, &at.y, &to.y);
    return add_joint(b, at, to, 0);
}

/* Joins an end of the net and a bar if a shape of its pin touches. */
static int join_end(struct builder *b, uint32_t end, const struct shape *s, const struct bar *p)
{
    const int32_t x = s->box.x0 + (s->box.x1 - s->box.x0) / 2,
                  y = s->box.y0 + (s->box.y1 - s->box.y0) / 2;
    struct point at = {p->layer, 0, 0};
    int32_t unused;
    if (s->layer != p->layer || !touch(&s->box, &p->metal))
        return 0;
    nearest(p->stretch.x0, p->stretch.x1, x, x, &at.x, &unused);
    nearest(p->stretch.y0, p->stretch.y1, y, y, &at.y, &unused);
    return add_joint(b, (struct point){LEF_NONE, (int32_t)end, 0}, at, 0);
}

static int join_shape(struct builder *b, uint32_t end, struct shape s)
{
    for (uint32_t k = 0; k < b->num_bars; k++)
        if (join_end(b, end, &s, &b->bars[k]))
            return -1;
    return 0;
}

static int join_ends(struct builder *b)
{
    for (uint32_t e = 0; e < b->ends->num_ends; e++) {
        const struct design_end *end = &b->ends->ends[e];
        const struct point own = {LEF_NONE, (int32_t)e, 0};
        if (add_joint(b, own, own, 0))
            return -1;
        if (end->cell == NO_CELL) {
            const struct def_pin *pin = def_pin(b->layout, b->design->ports[end->pin].name);
            if (pin && join_shape(b, e, pin->shape))
                return -1;
            continue;
        }
        const struct def_cell *cell = def_cell(b->layout, b->design->netlist.cells[end->cell].name);
        const struct shapes *shapes = &b->design->macro[end->cell]->pins[end->pin].shapes;
        for (uint32_t k = 0; cell && k < shapes->count; k++)
            if (join_shape(b, e,
                           (struct shape){shapes->shape[k].layer,
                                          def_placed(cell, &shapes->shape[k].box)}))
                return -1;
    }
    return 0;
}

static int join_all(struct builder *b)
{
    for (uint32_t p = 0; p < b->num_bars; p++)
        for (uint32_t q = p + 1; q < b->num_bars; q++)
            if (join_bars(b, &b->bars[p], &b->bars[q]))
                return -1;
    return join_ends(b);
}

static int point_order(const void *a, const void *b)
{
    const struct point *l = a, *r = b;
    return l->layer != r->layer ? (l->layer < r->layer ? -1 : 1)
           : l->x != r->x       ? (l->x < r->x ? -1 : 1)
                                : (l->y > r->y) - (l->y < r->y);
}

static uint32_t node_of(const struct builder *b, struct point p)
{
    const struct point *found = bsearch(&p, b->nodes, b->num_nodes, sizeof p, point_order);
    return (uint32_t)(found - b->nodes);
}

/* Nodes are the points of all joints, each once. */
static int find_nodes(struct builder *b)
{
    const uint32_t most = 2 * b->num_joints;
    b->nodes = arena_alloc(&b->memory, most * sizeof *b->nodes, 16);
    b->same = arena_alloc(&b->memory, most * sizeof *b->same, 16);
    if (!b->nodes || !b->same)
        return check_fault(b->layout, b->err, 0, "no memory");
    for (uint32_t k = 0; k < b->num_joints; k++) {
        b->nodes[2 * k] = b->joints[k].a;
        b->nodes[2 * k + 1] = b->joints[k].b;
    }
    qsort(b->nodes, most, sizeof *b->nodes, point_order);
    for (uint32_t k = 0; k < most; k++)
        if (!k || point_order(&b->nodes[k], &b->nodes[k - 1]) != 0)
            b->nodes[b->num_nodes++] = b->nodes[k];
    for (uint32_t k = 0; k < b->num_nodes; k++)
        b->same[k] = k;
    return 0;
}

static uint32_t root(uint32_t *same, uint32_t node)
{
    while (same[node] != node)
        node = same[node] = same[same[node]];
    return node;
}

static int add_part(struct builder *b, const struct bar *w, uint32_t from, uint32_t to)
{
    const struct point *p = &b->nodes[from], *q = &b->nodes[to];
    b->parts = grow(b, b->parts, b->num_parts, sizeof *b->parts);
    if (!b->parts)
        return -1;
    b->parts[b->num_parts++] =
        (struct part){from, to, w->layer, q->x - p->x + q->y - p->y, w->width};
    return 0;
}

/* Cuts a wire at its nodes. These are sorted by layer, x and y, so those on it come in its order. */
static int cut(struct builder *b, const struct bar *w)
{
    uint32_t before = UINT32_MAX;
    for (uint32_t k = 0; k < b->num_nodes; k++) {
        const struct point *p = &b->nodes[k];
        if (p->layer != w->layer || p->x < w->stretch.x0 || p->x > w->stretch.x1 ||
            p->y < w->stretch.y0 || p->y > w->stretch.y1)
            continue;
        if (before != UINT32_MAX && add_part(b, w, before, k))
            return -1;
        before = k;
    }
    return 0;
}

static int part_order(const void *a, const void *b)
{
    const struct part *l = a, *r = b;
    return l->a != r->a   ? (l->a < r->a ? -1 : 1)
           : l->b != r->b ? (l->b < r->b ? -1 : 1)
                          : (l->width < r->width) - (l->width > r->width);
}

/* Wires that lie on each other are one: the widest. */
static int cut_all(struct builder *b)
{
    uint32_t kept = 0;
    for (uint32_t k = 0; k < b->num_bars; k++)
        if (b->bars[k].width && cut(b, &b->bars[k]))
            return -1;
    if (b->num_parts)
        qsort(b->parts, b->num_parts, sizeof *b->parts, part_order);
    for (uint32_t k = 0; k < b->num_parts; k++)
        if (!kept || b->parts[k].a != b->parts[kept - 1].a || b->parts[k].b != b->parts[kept - 1].b)
            b->parts[kept++] = b->parts[k];
    b->num_parts = kept;
    return 0;
}

static int edge_order(const void *a, const void *b)
{
    const struct tree_edge *l = a, *r = b;
    return l->resistance != r->resistance ? (l->resistance < r->resistance ? -1 : 1)
           : l->a != r->a                 ? (l->a < r->a ? -1 : 1)
                                          : (l->b > r->b) - (l->b < r->b);
}

/* Resistors and capacitors of the parts, resistors of the vias. */
static void add_values(struct builder *b)
{
    struct tree *t = b->tree;
    const struct lef *lef = b->layout->lef;
    for (uint32_t k = 0; k < b->num_joints; k++) {
        const struct joint *j = &b->joints[k];
        if (j->resistance > 0)
            t->edges[t->num_edges++] =
                (struct tree_edge){node_of(b, j->a), node_of(b, j->b), j->resistance};
        else
            b->same[root(b->same, node_of(b, j->a))] = root(b->same, node_of(b, j->b));
    }
    for (uint32_t k = 0; k < b->num_parts; k++) {
        const struct part *p = &b->parts[k];
        const struct lef_layer *l = &lef->layers[p->layer];
        const double length = p->length / lef->units, width = p->width / lef->units;
        const double farads = length * (width * l->per_area + 2 * l->per_edge);
        const double ohms = l->per_square * length / width;
        t->length[p->layer] += length;
        t->total_capacitance += farads;
        t->capacitance[p->a] += farads / 2;
        t->capacitance[p->b] += farads / 2;
        if (ohms > 0)
            t->edges[t->num_edges++] = (struct tree_edge){p->a, p->b, ohms};
        else
            b->same[root(b->same, p->a)] = root(b->same, p->b);
    }
}

/* Nodes get new numbers: one for all that are connected without resistance. */
static void number_nodes(struct builder *b, uint32_t *number)
{
    struct tree *t = b->tree;
    for (uint32_t k = 0; k < b->num_nodes; k++)
        if (root(b->same, k) == k)
            number[k] = t->num_nodes++;
    for (uint32_t k = 0; k < b->num_nodes; k++)
        number[k] = number[root(b->same, k)];
    for (uint32_t k = 0; k < b->num_nodes; k++) {
        const double farads = t->capacitance[k]; /* number[k] <= k does not hold of all */
        t->capacitance[k] = 0;
        t->capacitance[b->num_nodes + number[k]] += farads;
    }
    memmove(t->capacitance, t->capacitance + b->num_nodes, t->num_nodes * sizeof *t->capacitance);
    for (uint32_t e = 0; e < b->ends->num_ends; e++)
        t->end_node[e] = number[node_of(b, (struct point){LEF_NONE, (int32_t)e, 0})];
    for (uint32_t k = 0; k < t->num_edges; k++) {
        t->edges[k].a = number[t->edges[k].a];
        t->edges[k].b = number[t->edges[k].b];
    }
}

/* Keeps what is needed to reach everything. `same` is used again. */
static void span(struct builder *b)
{
    struct tree *t = b->tree;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < t->num_nodes; k++)
        b->same[k] = k;
    if (t->num_edges)
        qsort(t->edges, t->num_edges, sizeof *t->edges, edge_order);
    for (uint32_t k = 0; k < t->num_edges; k++) {
        const uint32_t a = root(b->same, t->edges[k].a), c = root(b->same, t->edges[k].b);
        if (a == c) {
            t->num_loops++;
            continue;
        }
        b->same[a] = c;
        t->total_resistance += t->edges[k].resistance;
        t->edges[kept++] = t->edges[k];
    }
    t->num_edges = kept;
}

static int check_reached(struct builder *b)
{
    for (uint32_t e = 1; e < b->ends->num_ends; e++)
        if (root(b->same, b->tree->end_node[e]) != root(b->same, b->tree->end_node[0])) {
            char one[300], other[300];
            design_end_name(b->design, &b->ends->ends[0], one, sizeof one);
            design_end_name(b->design, &b->ends->ends[e], other, sizeof other);
            return check_fault(b->layout, b->err, b->net->line,
                               "the net %s has no way from %s to %s", b->net->name, one, other);
        }
    return 0;
}

static int build(struct builder *b)
{
    struct tree *t = b->tree;
    if (add_bars(b) || join_all(b) || find_nodes(b) || cut_all(b))
        return -1;
    uint32_t *number = arena_alloc(&b->memory, b->num_nodes * sizeof *number, 16);
    t->capacitance = calloc(2 * (size_t)b->num_nodes + 1, sizeof *t->capacitance);
    t->end_node = calloc((size_t)b->ends->num_ends + 1, sizeof *t->end_node);
    t->edges = calloc((size_t)b->num_joints + b->num_parts + 1, sizeof *t->edges);
    t->length = calloc((size_t)b->layout->lef->num_layers + 1, sizeof *t->length);
    if (!number || !t->capacitance || !t->end_node || !t->edges || !t->length)
        return check_fault(b->layout, b->err, 0, "no memory");
    add_values(b);
    number_nodes(b, number);
    span(b);
    return check_reached(b);
}

int tree_build(struct tree *t, const struct design *d, const struct def *l, uint32_t net, FILE *err)
{
    *t = (struct tree){0};
    struct builder b = {.design = d,
                        .layout = l,
                        .net = def_net(l, d->netlist.net_name[net]),
                        .ends = &d->nets[net],
                        .tree = t,
                        .err = err};
    if (!b.net)
        return check_fault(l, err, 0, "there is no net %s", d->netlist.net_name[net]);
    const int failed = build(&b);
    arena_free(&b.memory);
    return failed ? -1 : 0;
}

void tree_free(struct tree *t)
{
    free(t->capacitance);
    free(t->end_node);
    free(t->edges);
    free(t->length);
}
