/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/search/genetic_test.c: designs, and how a generation follows from the one before (RLWS IV-H): what crossover and mutation leave alone,
 * how often parents are chosen, and what comes back in every tenth generation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/cli/search/genetic.h"
#include "tb/units/rlws_design.h"

enum { DESIGNS = 2000 };

static void assert_possible(const struct design *d)
{
    for (int i = 0; i < DESIGN_VARIABLES; i++) {
        assert_in_range(d->attribute[i], 0, RLWS_NUM_ATTRIBUTES);
        if (d->attribute[i] == RLWS_NUM_ATTRIBUTES) {
            assert_int_equal(d->buckets[i], 1);
            continue;
        }
        assert_true(d->buckets[i] == 2 ||
                    (d->attribute[i] >= 9 && (d->buckets[i] == 4 || d->buckets[i] == 8)));
        for (int other = 0; other < i; other++)
            assert_int_not_equal(d->attribute[other], d->attribute[i]);
    }
}

/* Property p of two designs. */
static int same_property(const struct design *a, const struct design *b, int p)
{
    return p < DESIGN_VARIABLES
               ? a->attribute[p] == b->attribute[p] && a->buckets[p] == b->buckets[p]
               : a->parameter[p - DESIGN_VARIABLES] == b->parameter[p - DESIGN_VARIABLES];
}

static void random_designs_are_possible(void **unused)
{
    struct chance chance = {1};
    int seen[RLWS_NUM_ATTRIBUTES] = {0}, of_buckets[9] = {0};
    (void)unused;
    for (int n = 0; n < DESIGNS; n++) {
        const struct design d = design_random(&chance);
        assert_possible(&d);
        for (int i = 0; i < DESIGN_VARIABLES; i++) {
            assert_int_not_equal(d.attribute[i], RLWS_NUM_ATTRIBUTES);
            seen[d.attribute[i]]++;
            of_buckets[d.buckets[i]]++;
        }
    }
    const int mean = DESIGNS * DESIGN_VARIABLES / RLWS_NUM_ATTRIBUTES;
    for (int a = 0; a < RLWS_NUM_ATTRIBUTES; a++)
        assert_in_range(seen[a], mean * 8 / 10, mean * 12 / 10);
    assert_true(of_buckets[2] > of_buckets[4] && of_buckets[4] > 0 && of_buckets[8] > 0);
}

static void children_have_what_their_parents_have(void **unused)
{
    struct chance chance = {2};
    int cleared = 0;
    (void)unused;
    for (int n = 0; n < DESIGNS; n++) {
        const struct design a = design_random(&chance), b = design_random(&chance);
        const int point = 1 + n % (DESIGN_PROPERTIES - 1);
        struct design first = a, second = b;
        design_cross(&first, &second, (unsigned)point);
        assert_possible(&first);
        assert_possible(&second);
        for (int p = 0; p < DESIGN_PROPERTIES; p++) {
            const struct design *of_first = p < point ? &a : &b, *of_second = p < point ? &b : &a;
            const int none = p < DESIGN_VARIABLES && first.attribute[p] == RLWS_NUM_ATTRIBUTES,
                      second_none =
                          p < DESIGN_VARIABLES && second.attribute[p] == RLWS_NUM_ATTRIBUTES;
            assert_true(none || same_property(&first, of_first, p));
            assert_true(second_none || same_property(&second, of_second, p));
            cleared += none + second_none;
        }
    }
    assert_true(cleared > DESIGNS / 10);
}

static void one_property_mutates(void **unused)
{
    struct chance chance = {3};
    int changed[DESIGN_PROPERTIES] = {0};
    (void)unused;
    for (int n = 0; n < DESIGNS; n++) {
        const struct design before = design_random(&chance);
        struct design after = before;
        int differ = 0;
        design_mutate(&after, &chance);
        assert_possible(&after);
        for (int p = 0; p < DESIGN_PROPERTIES; p++)
            if (!same_property(&before, &after, p)) {
                differ++;
                changed[p]++;
            }
        assert_true(differ <= 1);
    }
    for (int p = 0; p < DESIGN_PROPERTIES; p++)
        assert_true(changed[p] > DESIGNS / DESIGN_PROPERTIES / 2);
}

enum { POPULATION = 100 };

/* A generation in which one half is three times as fit as the other. */
static void first_generation(struct candidate *of, struct chance *chance)
{
    genetic_next(of, POPULATION, 0, 0, NULL, NULL, chance);
    for (int i = 0; i < POPULATION; i++) {
        assert_possible(&of[i].design);
        of[i].fitness = i < POPULATION / 2 ? 3 : 1;
    }
}

static void the_fit_have_more_children(void **unused)
{
    struct chance chance = {4};
    struct candidate last[POPULATION], next[POPULATION];
    double fit = 0, all = 0;
    (void)unused;
    for (int n = 1; n < 200; n++) {
        first_generation(last, &chance);
        genetic_next(next, POPULATION, n % 10 ? n : n + 1, 0, last, NULL, &chance);
        /* The first variable of a child is that of a parent, unless it has mutated. */
        for (int i = 0; i < POPULATION - 10; i++)
            for (int p = 0; p < POPULATION; p++)
                if (same_property(&next[i].design, &last[p].design, 0) &&
                    same_property(&next[i].design, &last[p].design, 1)) {
                    fit += p < POPULATION / 2;
                    all++;
                    break;
                }
    }
    assert_in_range(100 * fit / all, 72, 79); /* three in four */
}

static void the_best_come_back_in_every_tenth(void **unused)
{
    struct chance chance = {5};
    struct candidate last[POPULATION], next[POPULATION], best[POPULATION / 10];
    (void)unused;
    first_generation(last, &chance);
    for (int i = 0; i < POPULATION / 10; i++)
        best[i] = (struct candidate){design_random(&chance), 9};
    for (int generation = 1; generation <= 20; generation++) {
        int back = 0;
        genetic_next(next, POPULATION, generation, 0, last, best, &chance);
        for (int i = 0; i < POPULATION / 10; i++)
            back += design_same(&next[POPULATION - 10 + i].design, &best[i].design);
        assert_int_equal(back, generation % 10 ? 0 : 10);
    }
}

static void the_same_seed_gives_the_same(void **unused)
{
    struct candidate of[3][POPULATION];
    (void)unused;
    for (unsigned i = 0; i < 3; i++) {
        struct chance chance = {i == 2 ? 7 : 6};
        struct candidate last[POPULATION];
        first_generation(last, &chance);
        genetic_next(of[i], POPULATION, 1, 0, last, NULL, &chance);
    }
    for (int i = 0; i < POPULATION; i++)
        assert_true(design_same(&of[0][i].design, &of[1][i].design));
    assert_false(design_same(&of[0][0].design, &of[2][0].design));
}

static void at_random_there_are_no_children(void **unused)
{
    struct chance chance = {8}, alone = {8};
    struct candidate last[POPULATION], next[POPULATION];
    (void)unused;
    memset(last, 0, sizeof last);
    genetic_next(next, POPULATION, 10, 1, last, NULL, &chance);
    for (int i = 0; i < POPULATION; i++) {
        const struct design d = design_random(&alone);
        assert_true(design_same(&next[i].design, &d));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_designs_are_possible),
        cmocka_unit_test(children_have_what_their_parents_have),
        cmocka_unit_test(one_property_mutates),
        cmocka_unit_test(the_fit_have_more_children),
        cmocka_unit_test(the_best_come_back_in_every_tenth),
        cmocka_unit_test(the_same_seed_gives_the_same),
        cmocka_unit_test(at_random_there_are_no_children),
    };
    return cmocka_run_group_tests_name("tb/cli/search/genetic", tests, NULL, NULL);
}
