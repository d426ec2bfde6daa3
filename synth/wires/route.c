/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/route.c: see route.h.
 *
 *   metal1 ( 30000 4500 ) M2_M1 NEW metal2 ( 30000 4500 ) ( * 500 )
 *
 * A path goes from point to point, `*` stands for the coordinate of the point before; a via stands behind the point that it is at.
 * What follows a via is on its other layer. */
#include "synth/wires/route.h"

struct path {
    uint32_t layer;
    int32_t x, y, width;
    int begun; /* it has a point */
    int special;
};

static int take_coordinate(struct words *w, const struct path *p, int32_t before, int32_t *to)
{
    if (!words_is(w, "*"))
        return words_length(w, 1, to);
    if (!p->begun)
        return words_error(w, "'*' in the first point of a path; expected a number");
    *to = before;
    words_next(w);
    return 0;
}

static int add_wire(struct words *w, struct def_net *net, const struct path *p, int32_t x,
                    int32_t y)
{
    if (x != p->x && y != p->y)
        return words_error(w, "a wire from (%d, %d) to (%d, %d); expected none that is diagonal",
                           p->x, p->y, x, y);
    net->wires = words_grow(w, net->wires, net->num_wires, sizeof *net->wires);
    if (!net->wires)
        return -1;
    net->wires[net->num_wires++] = (struct def_wire){.layer = p->layer,
                                                     .x0 = p->x < x ? p->x : x,
                                                     .y0 = p->y < y ? p->y : y,
                                                     .x1 = p->x < x ? x : p->x,
                                                     .y1 = p->y < y ? y : p->y,
                                                     .width = p->width,
                                                     .extended = !p->special,
                                                     .line = w->line};
    return 0;
}

/* Behind "(". */
static int take_point(struct words *w, struct def_net *net, struct path *p)
{
    int32_t x, y;
    if (take_coordinate(w, p, p->x, &x) || take_coordinate(w, p, p->y, &y))
        return -1;
    if (!words_is(w, ")"))
        return words_expected(w, "')': how far a wire is extended is not read");
    if (p->begun && add_wire(w, net, p, x, y))
        return -1;
    p->begun = 1;
    p->x = x;
    p->y = y;
    words_next(w);
    return 0;
}

static int take_via(struct words *w, const struct lef *lef, struct def_net *net, struct path *p)
{
    const uint32_t number = lef_via(lef, w->word, w->length);
    if (number == LEF_NONE)
        return words_expected(w, "a point, the name of a via, NEW, + or ;");
    const struct lef_via *via = &lef->vias[number];
    if (!p->begun || (p->layer != via->low && p->layer != via->high))
        return words_error(w, "the via %s behind a point on %s; expected one on %s or %s",
                           via->name, p->begun ? lef->layers[p->layer].name : "no layer",
                           lef->layers[via->low].name, lef->layers[via->high].name);
    net->vias = words_grow(w, net->vias, net->num_vias, sizeof *net->vias);
    if (!net->vias)
        return -1;
    net->vias[net->num_vias++] = (struct def_via){via, p->x, p->y, w->line};
    p->layer = p->layer == via->low ? via->high : via->low;
    p->width = lef->layers[p->layer].width;
    words_next(w);
    return 0;
}

static int take_path(struct words *w, const struct lef *lef, struct def_net *net, int special)
{
    struct path p = {.special = special, .layer = lef_layer(lef, w->word, w->length)};
    if (p.layer == LEF_NONE || lef->layers[p.layer].kind != LAYER_ROUTING)
        return words_expected(w, "the name of a routing layer");
    p.width = lef->layers[p.layer].width;
    words_next(w);
    if (special && words_length(w, 1, &p.width))
        return -1;
    if (p.width <= 0)
        return words_error(w, "a wire of width %d; expected more than 0", p.width);
    while (w->length && !words_is(w, "NEW") && !words_is(w, "+") && !words_is(w, ";"))
        if (words_accept(w, "(") ? take_point(w, net, &p) : take_via(w, lef, net, &p))
            return -1;
    /* A point alone, which qrouter writes, draws nothing. */
    return p.begun ? 0 : words_expected(w, "a point");
}

int route_take(struct words *w, const struct lef *lef, struct def_net *net, int special)
{
    do {
        if (take_path(w, lef, net, special))
            return -1;
    } while (words_accept(w, "NEW"));
    return 0;
}
