/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/model/pdvfs_plain_test.c: `heddle model pdvfs` on programs made up that are not as the models say, against the thesis's equations
 * restated, with all choices tried. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tb/cli/model/pdvfs_programs.h"
#include "tests/tb/cli/sweep/sweep_support.h"

/* A program restated: the slot of each launch, what each slot takes with each clock, as measured and by (5.3) and (5.7). */
struct plain {
    double t[SLOTS][CLOCKS], e[SLOTS][CLOCKS], fitted_t[SLOTS][CLOCKS], fitted_e[SLOTS][CLOCKS];
    double mpi[SLOTS], c1, c2;
    unsigned filled[SLOTS], num; /* the slots in which something is */
};

static void fit_plain(const struct clock_launch *l, unsigned launches, int l2, struct plain *p)
{
    long double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (unsigned i = 0; i < launches; i++)
        for (unsigned c = 0; c < CLOCKS; c++) {
            const long double x = misses(&l[i], l2, c) / l[i].instructions * hertz(c),
                              y = seconds(&l[i], c) * hertz(c) / l[i].instructions;
            n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
        }
    p->c1 = (double)((n * sxy - sx * sy) / (n * sxx - sx * sx));
    p->c2 = (double)(sy / n) - p->c1 * (double)(sx / n);
}

static void restate(const struct clock_launch *l, unsigned launches, int l2, struct plain *p)
{
    double most = 0, in[SLOTS] = {0}, sum[SLOTS][6] = {{0}};
    *p = (struct plain){0};
    fit_plain(l, launches, l2, p);
    for (unsigned i = 0; i < launches; i++)
        most = fmax(most, misses(&l[i], l2, 3) / l[i].instructions);
    for (unsigned i = 0; i < launches; i++) {
        const double mpi = misses(&l[i], l2, 3) / l[i].instructions;
        const unsigned s = mpi >= most ? SLOTS - 1 : (unsigned)(mpi / most * SLOTS);
        in[s] += l[i].instructions;
        for (unsigned c = 0; c < CLOCKS; c++) {
            const double counts[6] = {l[i].l1d_accesses,
                                      l[i].l2_accesses,
                                      misses(&l[i], l2, c),
                                      l[i].sp + l[i].sfu,
                                      0,
                                      0};
            p->t[s][c] += seconds(&l[i], c);
            p->e[s][c] += 1e-9 * l[i].nanojoules[c];
            for (unsigned k = 0; k < 5; k++)
                sum[s][k] += counts[k] / CLOCKS;
        }
    }
    for (unsigned s = 0; s < SLOTS; s++) {
        if (!(in[s] > 0))
            continue;
        p->filled[p->num++] = s;
        p->mpi[s] = sum[s][2] / in[s];
        for (unsigned c = 0; c < CLOCKS; c++) {
            const double spi = p->c1 * p->mpi[s] + p->c2 / hertz(c), volts = .7 + .1 * c;
            double watts = b[0] + b[6] * volts;
            for (unsigned k = 0; k < 5; k++)
                watts += b[1 + k] * sum[s][k] / in[s] / spi;
            p->fitted_t[s][c] = in[s] * spi;
            p->fitted_e[s][c] = in[s] * spi * watts;
        }
    }
}

/* Of all choices the one with the least energy within the bound. */
static void best(const struct plain *p, const double t[SLOTS][CLOCKS],
                 const double e[SLOTS][CLOCKS], double a, char *sixths)
{
    unsigned long choices = 1, best = 0;
    double least = INFINITY, highest = 0;
    for (unsigned i = 0; i < p->num; i++) {
        choices *= CLOCKS;
        highest += t[p->filled[i]][CLOCKS - 1];
    }
    for (unsigned long n = 0; n < choices; n++) {
        double time = 0, energy = 0;
        unsigned long rest = n;
        for (unsigned i = 0; i < p->num; i++, rest /= CLOCKS) {
            time += t[p->filled[i]][rest % CLOCKS];
            energy += e[p->filled[i]][rest % CLOCKS];
        }
        if (time <= (1 + a) * highest * (1 + 1e-13) && energy < least) {
            least = energy;
            best = n;
        }
    }
    memset(sixths, '.', SLOTS);
    sixths[SLOTS] = 0;
    for (unsigned i = 0; i < p->num; i++, best /= CLOCKS)
        sixths[p->filled[i]] = (char)('3' + best % CLOCKS);
}

/* The lowest clock with which a slot is not slower than the bound has it, by (5.3). */
static void f_dvfs(const struct plain *p, double a, char *sixths)
{
    memset(sixths, '.', SLOTS);
    sixths[SLOTS] = 0;
    for (unsigned i = 0; i < p->num; i++) {
        const unsigned s = p->filled[i];
        unsigned c = 0;
        while (p->fitted_t[s][c] > (1 + a) * p->fitted_t[s][CLOCKS - 1] * (1 + 1e-12))
            c++;
        sixths[s] = (char)('3' + c);
    }
}

/* What the row says is what this choice takes. */
static void assert_takes(const struct plain *p, const char *sixths, const struct pdvfs_row *r)
{
    double t = 0, e = 0, fitted_t = 0, fitted_e = 0, highest = 0;
    assert_string_equal(r->sixths, sixths);
    for (unsigned i = 0; i < p->num; i++) {
        const unsigned s = p->filled[i], c = (unsigned)(sixths[s] - '3');
        t += p->t[s][c];
        e += p->e[s][c];
        fitted_t += p->fitted_t[s][c];
        fitted_e += p->fitted_e[s][c];
        highest += p->t[s][CLOCKS - 1];
    }
    near(r->seconds, t, 1e-8);
    near(r->joules, e, 1e-8);
    near(r->fitted_seconds, fitted_t, 1e-7);
    near(r->fitted_joules, fitted_e, 1e-6);
    within(r->slower, 100 * (t / highest - 1), 1e-6);
}

static void as_the_equations(void **unused)
{
    (void)unused;
    unsigned differ = 0;
    for (unsigned program = 0; program < 10; program++) {
        struct clock_launch l[MOST_LAUNCHES];
        struct plain p;
        const int l2 = program % 2;
        const unsigned launches = 10 + (unsigned)random_below(20);
        const double c1 = between(100e-9, 400e-9), c2 = between(.5, 1.5);
        for (unsigned i = 0; i < launches; i++) {
            const double mpi = (double)(1 + random_below(5)) * .01;
            l[i] = made_up("k", between(1e5, 1e7), mpi, c1, c2, .1);
            set_energy(&l[i], l2);
        }
        pdvfs_write("p", l, launches);
        pdvfs_says(l2 ? "--period=0 --misses=l2 --csv=p.csv " CLOCK_FILES("p")
                      : "--period=0 --csv=p.csv " CLOCK_FILES("p"),
                   0, l2 ? "slots by misses of L2 " : "slots by misses of L1D ");
        restate(l, launches, l2, &p);
        assert_true(p.num >= 4 && p.num <= 9);
        for (double goal = 5; goal <= 20; goal += 5) {
            char sixths[SLOTS + 1];
            struct pdvfs_row oracle = pdvfs_row("p.csv", "k", goal, "oracle"),
                             r = pdvfs_row("p.csv", "k", goal, "P-DVFS");
            best(&p, p.t, p.e, goal / 100, sixths);
            assert_takes(&p, sixths, &oracle);
            assert_true(oracle.slower <= goal + 1e-9 && oracle.over == 0);
            best(&p, p.fitted_t, p.fitted_e, goal / 100, sixths);
            assert_takes(&p, sixths, &r);
            within(r.over, 100 * (r.joules / oracle.joules - 1), 1e-6);
            differ += strcmp(r.sixths, oracle.sixths) != 0;
            f_dvfs(&p, goal / 100, sixths);
            r = pdvfs_row("p.csv", "k", goal, "F-DVFS");
            assert_takes(&p, sixths, &r);
            within(r.over, 100 * (r.joules / oracle.joules - 1), 1e-6);
            memset(sixths, '.', SLOTS);
            for (unsigned i = 0; i < p.num; i++)
                sixths[p.filled[i]] = '6';
            r = pdvfs_row("p.csv", "k", goal, "N-DVFS");
            assert_takes(&p, sixths, &r);
        }
    }
    assert_true(differ >= 4); /* fits that are always right would test nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(as_the_equations),
    };
    return cmocka_run_group_tests_name("tb/cli/model/pdvfs_plain", tests, NULL, NULL);
}
