/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/reading.c: what one load reads in one block.
 *
 * A dimension is a coordinate of the thread or the trip of a loop. Where an address is a sum of
 * dimensions, and conditions bound each of them by itself, all its values together are a box, whose
 * memory is told without going through it. Other dimensions are gone through one by one. */
#include "tb/locality/reading.h"

/* All conditions under which the load is executed. */
static void list_conditions(struct reader *r, const struct condition *c)
{
    while (c->kind == CONDITION_BOTH) {
        list_conditions(r, c->b);
        c = c->a;
    }
    if (c->kind == CONDITION_ALWAYS)
        return;
    if (r->num_conditions == MAX_CONDITIONS)
        r->steps = MAX_LOAD_STEPS + 1; /* as if it took too long */
    else
        r->conditions[r->num_conditions++] = c;
}

static void add_loops(struct reader *r, const struct counted *c)
{
    if (!c)
        return;
    add_loops(r, c->outer);
    list_conditions(r, c->when);
    r->dimensions[r->num_dimensions++] = (struct dimension){
        .bit = NEEDS_TRIP(c->loop), .at = &r->place.trip[c->loop], .last = c->last};
}

/* Dimensions on which parts of the address depend that are no sums, or how often a loop is executed.
 */
static uint64_t entangled(const struct reader *r)
{
    const struct value *address = r->load->address;
    uint64_t bits = 0;
    for (uint32_t i = 0; i < address->count; i++)
        if (address->terms[i].atom->kind > A_TRIP)
            bits |= address->terms[i].atom->needs;
    for (uint32_t i = 0; i < r->num_dimensions; i++)
        if (r->dimensions[i].last)
            bits |= r->dimensions[i].last->needs;
    return bits;
}

static int64_t stride(const struct value *address, const struct dimension *d)
{
    for (uint32_t i = 0; i < address->count; i++) {
        const struct term *t = &address->terms[i];
        if (t->atom->kind <= A_TRIP && t->atom->needs == d->bit)
            return t->factor;
    }
    return 0;
}

void reader_open(struct reader *r, const struct locality_load *load, const uint32_t block[3])
{
    r->load = load;
    r->num_dimensions = r->num_conditions = 0;
    for (unsigned i = 0; i < 3; i++)
        if (block[i] > 1)
            r->dimensions[r->num_dimensions++] =
                (struct dimension){.bit = (uint64_t)1 << (AXIS_X + i),
                                   .at = &r->place.axis[AXIS_X + i],
                                   .size = block[i]};
    list_conditions(r, load->when);
    add_loops(r, load->around);
    for (uint32_t i = 0; i < r->num_dimensions; i++)
        r->dimensions[i].stride = stride(load->address, &r->dimensions[i]);
}

/* Bounds a dimension by a condition on it alone. Returns 0 where it is of another kind. */
static int clip(struct reader *r, const struct condition *c, uint64_t bits)
{
    struct dimension *d = r->dimensions;
    while (d->bit != bits && d < r->dimensions + r->num_dimensions)
        d++;
    if (d == r->dimensions + r->num_dimensions || c->kind != CONDITION_NEGATIVE)
        return 0;
    int64_t factor = 0;
    for (uint32_t i = 0; i < c->value->count; i++) {
        const struct atom *a = c->value->terms[i].atom;
        if (a->needs & bits && a->kind > A_TRIP)
            return 0;
        factor += a->needs & bits ? c->value->terms[i].factor : 0;
    }
    *d->at = 0;
    r->place.stamp++;
    const int64_t rest = value_at(c->value, &r->place); /* factor * d + rest < 0 */
    if (factor > 0) {
        const int64_t high = rest >= 0 ? -1 : (-rest - 1) / factor;
        d->high = high < d->high ? high : d->high;
    } else {
        const int64_t low = rest < 0 ? 0 : rest / -factor + 1;
        d->low = low > d->low ? low : d->low;
    }
    return 1;
}

/* Sorts out what the conditions mean in this block. Returns 0 where the load is not executed. */
static int bound(struct reader *r)
{
    uint64_t counted = entangled(r);
    r->num_open = 0;
    for (uint32_t i = 0; i < r->num_dimensions; i++) {
        struct dimension *d = &r->dimensions[i];
        d->low = 0;
        d->high = d->last ? d->last->high : (int64_t)d->size - 1;
    }
    for (uint32_t i = 0; i < r->num_conditions; i++) {
        const struct condition *c = r->conditions[i];
        const int decided = condition_decided(c, &r->place, NEEDS_BLOCK);
        const uint64_t bits = c->needs & ~NEEDS_BLOCK;
        if (decided == 0)
            return 0;
        if (decided > 0 || ((bits & (bits - 1)) == 0 && clip(r, c, bits)))
            continue;
        counted |= bits;
        r->open[r->num_open++] = c;
    }
    for (uint32_t i = 0; i < r->num_dimensions; i++)
        r->dimensions[i].counts = (r->dimensions[i].bit & counted) != 0;
    return 1;
}

/* A box of memory: from `start` on `length` bytes, and the same again at strides. */
struct box {
    int64_t start, length;
    struct {
        int64_t stride, count;
    } sides[MAX_DIMENSIONS];
    uint32_t num_sides;
};

static void add_side(struct box *b, int64_t stride, int64_t count)
{
    uint32_t at = b->num_sides;
    if (stride < 0) {
        b->start += stride * (count - 1);
        stride = -stride;
    }
    if (stride == 0 || count == 1)
        return;
    for (; at > 0 && b->sides[at - 1].stride > stride; at--)
        b->sides[at] = b->sides[at - 1];
    b->sides[at].stride = stride;
    b->sides[at].count = count;
    b->num_sides++;
}

/* The last byte of the address space is left out: `behind` has no number for it. */
static void put_units(struct reader *r, uint64_t first, uint64_t last)
{
    const uint64_t behind = last == UINT64_MAX ? last : last + 1;
    if (first < behind && spans_add(r->into, first, behind))
        r->failed = 1;
}

/* What goes beyond the end of the address space goes on at its beginning. */
static void put_span(struct reader *r, int64_t start, int64_t length)
{
    const uint64_t unit = r->unit, first = (uint64_t)start / unit,
                   last = ((uint64_t)start + (uint64_t)length - 1) / unit;
    r->steps++;
    if (first <= last) {
        put_units(r, first, last);
    } else {
        put_units(r, first, UINT64_MAX / unit);
        put_units(r, 0, last);
    }
}

/* Sides from the shortest stride on extend the span as long as no unit is left out between. */
static void put_box(struct reader *r, struct box *b)
{
    const int64_t unit = r->unit;
    uint32_t first = 0;
    for (; first < b->num_sides && b->sides[first].stride <= b->length + unit - 1; first++)
        b->length += b->sides[first].stride * (b->sides[first].count - 1);
    int64_t number[MAX_DIMENSIONS] = {0};
    for (;;) {
        put_span(r, b->start, b->length);
        uint32_t i = first;
        while (i < b->num_sides && ++number[i] == b->sides[i].count) {
            b->start -= b->sides[i].stride * (b->sides[i].count - 1);
            number[i++] = 0;
        }
        if (i == b->num_sides || r->failed || r->steps > MAX_LOAD_STEPS)
            return;
        b->start += b->sides[i].stride;
    }
}

/* What all dimensions from `i` on read. */
static void read_from(struct reader *r, uint32_t i, struct box *box);

static int holds(const struct reader *r, uint64_t known, uint64_t bit)
{
    for (uint32_t i = 0; i < r->num_open; i++) {
        const uint64_t bits = r->open[i]->needs & ~NEEDS_BLOCK;
        if (bits & bit && !(bits & ~known) && !condition_at(r->open[i], &r->place))
            return 0;
    }
    return 1;
}

static void count_dimension(struct reader *r, uint32_t i, int64_t high, struct box *box)
{
    struct dimension *d = &r->dimensions[i];
    uint64_t known = 0;
    for (uint32_t j = 0; j <= i; j++)
        known |= r->dimensions[j].counts ? r->dimensions[j].bit : 0;
    for (int64_t at = d->low; at <= high && !r->failed && r->steps <= MAX_LOAD_STEPS; at++) {
        *d->at = at;
        r->place.stamp++;
        r->steps++;
        if (holds(r, known, d->bit))
            read_from(r, i + 1, box);
    }
    *d->at = 0;
    r->place.stamp++;
}

static void read_from(struct reader *r, uint32_t i, struct box *box)
{
    if (i == r->num_dimensions) {
        struct box whole = *box;
        whole.start += value_at(r->load->address, &r->place);
        put_box(r, &whole);
        return;
    }
    struct dimension *d = &r->dimensions[i];
    const int64_t last = d->last ? value_at(d->last, &r->place) : d->high,
                  high = last < d->high ? last : d->high;
    if (high < d->low)
        return;
    if (d->counts) {
        count_dimension(r, i, high, box);
        return;
    }
    struct box larger = *box;
    larger.start += d->stride * d->low;
    add_side(&larger, d->stride, high - d->low + 1);
    read_from(r, i + 1, &larger);
}

/* What the load reads in the block at the reader's place. */
void reader_read(struct reader *r)
{
    struct box box = {.length = r->load->bytes};
    for (uint32_t i = 0; i < r->num_dimensions; i++)
        *r->dimensions[i].at = 0;
    r->place.stamp++;
    if (r->steps <= MAX_LOAD_STEPS && bound(r)) {
        for (uint32_t i = 0; i < r->num_dimensions; i++)
            *r->dimensions[i].at = 0;
        r->place.stamp++;
        read_from(r, 0, &box);
    }
}
