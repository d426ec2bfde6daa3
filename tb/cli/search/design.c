/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/search/design.c: see design.h. */
#include "tb/cli/search/design.h"

#include <inttypes.h>
#include <string.h>

#include "hw.h"
#include "tb/units/rlws_design.h"

static const struct {
    const char *name;
    int is_boolean;
} attributes[] = {
#define ATTRIBUTE(name, range, sizes, meaning) {#name, (range) == 1},
#include "tb/units/rlws_attributes.def"
};

/* Five values of each parameter, in millionths and thousandths as the keys have them: around those of tables V and VIII. */
static const struct {
    const char *key;
    double unit;
    int64_t values[5];
} parameters[DESIGN_PARAMETERS] = {
    {"alpha", 1e6, {10000, 30000, 90000, 200000, 400000}},
    {"epsilon", 1e6, {5000, 10000, 20000, 40000, 100000}},
    {"gamma", 1e6, {500000, 900000, 950000, 990000, 999000}},
    {"reward", 1e3, {250, 500, 1000, 2000, 5000}},
    {"penalty", 1e3, {-2000, -1000, -500, -250, 0}},
};

uint64_t chance_below(struct chance *c, uint64_t bound)
{
    uint64_t z = c->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) % bound;
}

double chance_part(struct chance *c)
{
    return (double)chance_below(c, UINT64_C(1) << 53) / (double)(UINT64_C(1) << 53);
}

/* Has the design this attribute in a variable other than i? */
static int has(const struct design *d, int attribute, int i)
{
    for (int other = 0; other < DESIGN_VARIABLES; other++)
        if (other != i && d->attribute[other] == attribute)
            return 1;
    return 0;
}

/* An attribute that the design does not have yet, in a number of buckets that suits it. */
static void draw_variable(struct design *d, int i, struct chance *c)
{
    int attribute;
    do
        attribute = (int)chance_below(c, RLWS_NUM_ATTRIBUTES);
    while (has(d, attribute, i));
    d->attribute[i] = attribute;
    d->buckets[i] = attributes[attribute].is_boolean ? 2 : 2 << chance_below(c, 3);
}

static void clear_variable(struct design *d, int i)
{
    d->attribute[i] = RLWS_NUM_ATTRIBUTES;
    d->buckets[i] = 1;
}

static void draw(struct design *d, unsigned property, struct chance *c)
{
    if (property < DESIGN_VARIABLES)
        draw_variable(d, (int)property, c);
    else
        d->parameter[property - DESIGN_VARIABLES] =
            parameters[property - DESIGN_VARIABLES].values[chance_below(c, 5)];
}

struct design design_random(struct chance *c)
{
    struct design d;
    for (int i = 0; i < DESIGN_VARIABLES; i++)
        clear_variable(&d, i);
    for (unsigned property = 0; property < DESIGN_PROPERTIES; property++)
        draw(&d, property, c);
    return d;
}

void design_mutate(struct design *d, struct chance *c)
{
    draw(d, (unsigned)chance_below(c, DESIGN_PROPERTIES), c);
}

static void clear_twins(struct design *d)
{
    for (int i = DESIGN_VARIABLES - 1; i > 0; i--)
        if (d->attribute[i] != RLWS_NUM_ATTRIBUTES && has(d, d->attribute[i], i))
            clear_variable(d, i);
}

void design_cross(struct design *a, struct design *b, unsigned point)
{
    const struct design first = *a;
    for (unsigned i = point; i < DESIGN_VARIABLES; i++) {
        a->attribute[i] = b->attribute[i];
        a->buckets[i] = b->buckets[i];
        b->attribute[i] = first.attribute[i];
        b->buckets[i] = first.buckets[i];
    }
    for (unsigned i = point < DESIGN_VARIABLES ? 0 : point - DESIGN_VARIABLES;
         i < DESIGN_PARAMETERS; i++) {
        a->parameter[i] = b->parameter[i];
        b->parameter[i] = first.parameter[i];
    }
    clear_twins(a);
    clear_twins(b);
}

int design_same(const struct design *a, const struct design *b)
{
    return !memcmp(a->attribute, b->attribute, sizeof a->attribute) &&
           !memcmp(a->buckets, b->buckets, sizeof a->buckets) &&
           !memcmp(a->parameter, b->parameter, sizeof a->parameter);
}

void design_print(const struct design *d, const char *prefix, FILE *to)
{
    for (int i = 0; i < DESIGN_PARAMETERS; i++)
        fprintf(to, "%s%s = %" PRId64 "\n", prefix, parameters[i].key, d->parameter[i]);
    for (int i = 0; i < DESIGN_VARIABLES; i++)
        fprintf(to, "%sattribute%d = %d\n%sbuckets%d = %d\n", prefix, i + 1, d->attribute[i],
                prefix, i + 1, d->buckets[i]);
}

void design_tell(const struct design *d, FILE *to)
{
    for (int i = 0; i < DESIGN_PARAMETERS; i++)
        fprintf(to, "%s %g, ", parameters[i].key, (double)d->parameter[i] / parameters[i].unit);
    const char *between = "";
    for (int i = 0; i < DESIGN_VARIABLES; i++)
        if (d->attribute[i] != RLWS_NUM_ATTRIBUTES) {
            fprintf(to, "%s%s %d", between, attributes[d->attribute[i]].name, d->buckets[i]);
            between = ", ";
        }
}
