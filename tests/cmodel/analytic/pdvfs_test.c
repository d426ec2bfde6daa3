/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/pdvfs_test.c: the problem of P-DVFS (thesis 5.3.3), restated: the equations written out, the best levels found by
 * trying all. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/cmodel/analytic/pdvfs_models.h"

static struct mckp_sum room[MCKP_ROOM_15_4];
static const struct pdvfs_rules meant;

static struct pdvfs_slots random_slots(unsigned num)
{
    struct pdvfs_slots s = {.num = num};
    double sum = 0;
    for (unsigned i = 0; i < num; i++) {
        sum += s.share[i] = uniform();
        s.mpi[i] = 0.01 * (i + uniform()) / num;
        for (unsigned e = 0; e < NUM_PDVFS_EVENTS; e++)
            s.events[i][e] = uniform() / (1 + 10 * e);
        s.events[i][PDVFS_L2_MISS] = NAN; /* not read */
    }
    for (unsigned i = 0; i < num; i++)
        s.share[i] /= sum;
    return s;
}

/* SPI and watts of (5.3) and (5.7), in the order of the text. */
static double spi(const struct pdvfs_speed *v, double mpi, unsigned j)
{
    return v->c1 * mpi + v->c2 / levels.hz[j];
}

static double watts(const struct pdvfs_slots *s, double time, unsigned i, unsigned j)
{
    const double *b = mcf.b, f = levels.hz[j] / 1e9;
    return b[0] + b[1] * (s->events[i][0] / time) + b[2] * (s->events[i][1] / time) +
           b[3] * (s->mpi[i] / time) + b[4] * (s->events[i][3] / time) +
           b[5] * (s->events[i][4] / time) + b[6] * f * sqrt(f);
}

/* (5.9) to (5.16): the energy of every assignment, by (5.1), by e_ij, and by the sums over x_ij and x_ik of (5.14). */
static void energy_is_the_same_in_every_form(void **unused)
{
    (void)unused;
    for (unsigned round = 0; round < 300; round++) {
        const struct pdvfs_slots s = random_slots(4);
        const struct pdvfs_speed v = random_speed();
        struct pdvfs_table t;
        unsigned level[4];
        double sum = 0, product = 0, constant = 0, printed = 0;
        assert_int_equal(pdvfs_predict(&levels, &v, &mcf, &s, &t), PDVFS_OK);
        for (unsigned i = 0; i < 4; i++) {
            level[i] = (unsigned)(uniform() * 4);
            const double s0 = v.c1 * s.mpi[i];
            double power = mcf.b[0], time = s0;
            for (unsigned j = 0; j < 4; j++) { /* x_ij is 1 for one j */
                const int x = level[i] == j;
                const double at = spi(&v, s.mpi[i], j), sj = v.c2 / levels.hz[j],
                             w = watts(&s, at, i, j) - mcf.b[0];
                near(t.spi[i][j], at, 1e-14);
                near(t.watts[i][j], w + mcf.b[0], 1e-12);
                near(pdvfs_time(&s, &t, PDVFS_TIME_SECONDS, i, j), s.share[i] * at, 1e-14);
                near(pdvfs_time(&s, &t, PDVFS_TIME_PRINTED, i, j), s.share[i] / at, 1e-14);
                near(pdvfs_energy(&s, &t, PDVFS_ENERGY_PRINTED, i, j),
                     s.share[i] * (mcf.b[0] * sj + w * s0 + w * sj), 1e-10);
                power += x * w;
                time += x * sj;
                printed += x * s.share[i] * (mcf.b[0] * sj + w * s0 + w * sj);
            }
            const double at = spi(&v, s.mpi[i], level[i]);
            sum += s.share[i] * at * watts(&s, at, i, level[i]);
            product += s.share[i] * power * time;
            constant += s.share[i] * mcf.b[0] * s0;
        }
        near(sum, product, 1e-12);
        near(pdvfs_total(&s, &t, PDVFS_ENERGY_WHOLE, level, 7e9), 7e9 * sum, 1e-12);
        near(pdvfs_total(&s, &t, PDVFS_ENERGY_PRINTED, level, 7e9), 7e9 * constant + printed,
             1e-12);
        /* What is missing are I_total, and of each slot its own part of the constant. */
        near(constant + printed, sum, 1e-12);
    }
}

/* All 4^n assignments. Is one within the limit? */
static int try_all(const struct pdvfs_slots *s, const struct pdvfs_table *t, double limit,
                   enum pdvfs_energy energy, unsigned *best, double *least)
{
    int found = 0;
    for (unsigned code = 0; code < 1u << (2 * s->num); code++) {
        double e = 0, d = 0;
        for (unsigned i = 0; i < s->num; i++) {
            const unsigned j = code >> (2 * i) & 3;
            e += pdvfs_energy(s, t, energy, i, j);
            d += s->share[i] * t->spi[i][j];
        }
        if (d > limit || (found && e >= *least))
            continue;
        found = 1;
        *least = e;
        for (unsigned i = 0; i < s->num; i++)
            best[i] = code >> (2 * i) & 3;
    }
    return found;
}

/* (5.17) to (5.25), (5.31) to (5.33). Printed e_ij differ by a constant per slot: the same levels are best. */
static void no_assignment_is_better(void **unused)
{
    (void)unused;
    unsigned late = 0;
    for (unsigned round = 0; round < 400; round++) {
        const struct pdvfs_slots s = random_slots(1 + round % 6);
        const struct pdvfs_speed v = random_speed();
        const double a = 0.5 * uniform() - 0.05;
        struct pdvfs_table t;
        struct pdvfs_rules printed = {.energy = PDVFS_ENERGY_PRINTED};
        unsigned best[PDVFS_SLOTS], level[PDVFS_SLOTS];
        double highest = 0, least = 0;
        assert_int_equal(pdvfs_predict(&levels, &v, &mcf, &s, &t), PDVFS_OK);
        for (unsigned i = 0; i < s.num; i++)
            highest += s.share[i] * spi(&v, s.mpi[i], 3);
        near(pdvfs_spi_highest(&s, &t), highest, 1e-13);
        const double limit = (1 + a) * highest;
        const int found = try_all(&s, &t, limit, PDVFS_ENERGY_WHOLE, best, &least);
        assert_int_equal(pdvfs_solve(&s, &t, limit, &meant, room, MCKP_ROOM_15_4, level),
                         found ? PDVFS_OK : PDVFS_LATE);
        late += !found;
        for (unsigned i = 0; i < s.num; i++)
            assert_int_equal(level[i], found ? best[i] : 3);
        if (found) {
            assert_int_equal(pdvfs_solve(&s, &t, limit, &printed, room, MCKP_ROOM_15_4, level),
                             PDVFS_OK);
            assert_memory_equal(level, best, s.num * sizeof *level);
        }
    }
    assert_true(late > 20 && late < 200);
}

/* (5.25) is what (5.23) leaves per instruction. */
static void the_limit_is_what_is_left(void **unused)
{
    (void)unused;
    near(pdvfs_limit(0.2, 100, 30, 9e10), 1e-9, 1e-14);
    assert_true(pdvfs_limit(0.2, 100, 130, 9e10) < 0);
}

/* Seconds per instruction are nanoseconds, instructions per second are 10^9: nothing ever fits. */
static void the_printed_times_never_fit(void **unused)
{
    (void)unused;
    const struct pdvfs_rules printed = {.time = PDVFS_TIME_PRINTED};
    for (unsigned round = 0; round < 100; round++) {
        const struct pdvfs_slots s = random_slots(15);
        const struct pdvfs_speed v = random_speed();
        struct pdvfs_table t;
        unsigned level[PDVFS_SLOTS];
        assert_int_equal(pdvfs_predict(&levels, &v, &mcf, &s, &t), PDVFS_OK);
        const double limit = 1.2 * pdvfs_spi_highest(&s, &t);
        assert_int_equal(pdvfs_solve(&s, &t, limit, &meant, room, MCKP_ROOM_15_4, level), PDVFS_OK);
        assert_int_equal(pdvfs_solve(&s, &t, limit, &printed, room, MCKP_ROOM_15_4, level),
                         PDVFS_LATE);
        /* With a limit of the same kind it is a floor that is wanted, and the ceiling forbids the fast levels: too slow. */
        double fastest = 0, time = 0;
        for (unsigned i = 0; i < 15; i++)
            fastest += s.share[i] / t.spi[i][3];
        assert_int_equal(pdvfs_solve(&s, &t, fastest / 1.2, &printed, room, MCKP_ROOM_15_4, level),
                         PDVFS_OK);
        double rate = 0;
        for (unsigned i = 0; i < 15; i++) {
            rate += s.share[i] / t.spi[i][level[i]];
            time += s.share[i] * t.spi[i][level[i]];
        }
        assert_true(rate <= fastest / 1.2 * (1 + 1e-12));
        assert_true(time > limit * 0.9);
    }
}

/* Below (5.33): no time is left. Where less energy is at lower levels, "trivially satisfied" slows down what already is too late. */
static void without_time_the_highest_frequency_is_meant(void **unused)
{
    (void)unused;
    const struct pdvfs_rules printed = {.late = PDVFS_LATE_TRIVIAL};
    struct pdvfs_slots s = random_slots(3);
    const struct pdvfs_speed v = {7e-8, 0.9};
    struct pdvfs_table t;
    unsigned level[PDVFS_SLOTS];
    s.mpi[0] = s.mpi[1] = s.mpi[2] = 0.02;
    assert_int_equal(pdvfs_predict(&levels, &v, &mcf, &s, &t), PDVFS_OK);
    const double limits[] = {0, -1e-9};
    for (unsigned l = 0; l < 2; l++) {
        assert_int_equal(pdvfs_solve(&s, &t, limits[l], &meant, room, MCKP_ROOM_15_4, level),
                         PDVFS_LATE);
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(level[i], 3);
        assert_int_equal(pdvfs_solve(&s, &t, limits[l], &printed, room, MCKP_ROOM_15_4, level),
                         PDVFS_LATE);
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(level[i], 0);
    }
    /* Above 0, and too little: late in either reading. */
    assert_int_equal(pdvfs_solve(&s, &t, 1e-12, &printed, room, MCKP_ROOM_15_4, level), PDVFS_LATE);
    assert_int_equal(level[0], 3);
}

static void an_empty_slot_has_the_highest_frequency(void **unused)
{
    (void)unused;
    struct pdvfs_slots s = {.num = 3, .share = {0, 1, 0}, .mpi = {0, 0.01, 0}};
    struct pdvfs_table t;
    unsigned level[PDVFS_SLOTS];
    assert_int_equal(pdvfs_predict(&levels, &(struct pdvfs_speed){7e-8, 0.9}, &mcf, &s, &t),
                     PDVFS_OK);
    assert_int_equal(pdvfs_solve(&s, &t, INFINITY, &meant, room, MCKP_ROOM_15_4, level), PDVFS_OK);
    assert_int_equal(level[0], 3);
    assert_int_equal(level[1], 0);
    assert_int_equal(level[2], 3);
    s = random_slots(15);
    assert_int_equal(pdvfs_predict(&levels, &(struct pdvfs_speed){7e-8, 0.9}, &mcf, &s, &t),
                     PDVFS_OK);
    assert_int_equal(pdvfs_solve(&s, &t, 1.1 * pdvfs_spi_highest(&s, &t), &meant, room, 8, level),
                     PDVFS_ROOM);
}

static void bad_input_is_an_error(void **unused)
{
    (void)unused;
    const struct pdvfs_slots good = random_slots(3);
    const struct pdvfs_speed v = {7e-8, 0.9};
    struct pdvfs_slots s = good;
    struct pdvfs_table t;
    unsigned level[PDVFS_SLOTS];
    s.share[1] += 0.01;
    assert_int_equal(pdvfs_predict(&levels, &v, &mcf, &s, &t), PDVFS_SHARES);
    assert_int_equal(pdvfs_predict(&levels, &v, &mcf, &good, &t), PDVFS_OK);
    assert_int_equal(pdvfs_solve(&s, &t, 1, &meant, room, MCKP_ROOM_15_4, level), PDVFS_SHARES);
    assert_int_equal(pdvfs_solve(&good, &t, NAN, &meant, room, MCKP_ROOM_15_4, level), PDVFS_RANGE);
    t.slots = 2;
    assert_int_equal(pdvfs_solve(&good, &t, 1, &meant, room, MCKP_ROOM_15_4, level), PDVFS_SIZE);
    t.slots = 3;
    t.spi[2][1] = NAN;
    assert_int_equal(pdvfs_solve(&good, &t, 1, &meant, room, MCKP_ROOM_15_4, level), PDVFS_RANGE);
    const double bad[] = {NAN, INFINITY, -1e-3};
    for (unsigned b = 0; b < 3; b++)
        for (unsigned member = 0; member < 3; member++) {
            s = good;
            *(member == 0 ? &s.share[1] : member == 1 ? &s.mpi[1] : &s.events[1][4]) = bad[b];
            assert_int_equal(pdvfs_predict(&levels, &v, &mcf, &s, &t), PDVFS_RANGE);
        }
    s.num = 0;
    assert_int_equal(pdvfs_predict(&levels, &v, &mcf, &s, &t), PDVFS_SIZE);
    s.num = PDVFS_SLOTS + 1;
    assert_int_equal(pdvfs_predict(&levels, &v, &mcf, &s, &t), PDVFS_SIZE);
    const struct pdvfs_speed slow[] = {{-1e-9, 1}, {1e-9, 0}, {NAN, 1}, {1e-9, NAN}};
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(pdvfs_predict(&levels, slow + i, &mcf, &good, &t), PDVFS_SPEED);
        assert_int_equal(pdvfs_f_dvfs(&levels, slow + i, 0.01, 0.1, level), PDVFS_SPEED);
    }
    struct pdvfs_levels l = levels;
    l.hz[2] = l.hz[1];
    assert_int_equal(pdvfs_predict(&l, &v, &mcf, &good, &t), PDVFS_RISING);
    l.hz[0] = 0;
    assert_int_equal(pdvfs_predict(&l, &v, &mcf, &good, &t), PDVFS_RANGE);
    l.num = PDVFS_LEVELS + 1;
    assert_int_equal(pdvfs_predict(&l, &v, &mcf, &good, &t), PDVFS_SIZE);
    assert_int_equal(pdvfs_f_dvfs(&levels, &v, NAN, 0.1, level), PDVFS_RANGE);
    assert_int_equal(pdvfs_f_dvfs(&levels, &v, 0.01, -0.1, level), PDVFS_RANGE);
    struct pdvfs_power p = mcf;
    p.b[0] = -500;
    assert_int_equal(pdvfs_predict(&levels, &v, &p, &good, &t), PDVFS_WATTS);
    p.b[0] = NAN;
    assert_int_equal(pdvfs_predict(&levels, &v, &p, &good, &t), PDVFS_RANGE);
    for (int e = PDVFS_OK; e <= PDVFS_ROOM; e++)
        for (int other = PDVFS_OK; other < e; other++)
            assert_string_not_equal(pdvfs_reason((enum pdvfs_error)e),
                                    pdvfs_reason((enum pdvfs_error)other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_the_same_in_every_form),
        cmocka_unit_test(no_assignment_is_better),
        cmocka_unit_test(the_limit_is_what_is_left),
        cmocka_unit_test(the_printed_times_never_fit),
        cmocka_unit_test(without_time_the_highest_frequency_is_meant),
        cmocka_unit_test(an_empty_slot_has_the_highest_frequency),
        cmocka_unit_test(bad_input_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
