/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/model/camp_test.c: `heddle model camp` on programs made up so that the answer is known, and on others against the thesis's
 * equations as they stand there, solved by small steps; and on real runs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "hw.h"
#include "tests/tb/cli/model/camp_support.h"
#include "tests/tb/cli/sweep/sweep_support.h"

/* By hand ---------------------------------------------------------------------------------------*/

/* AB: 2 : 1. MB: S (1 - (12 - S) / 24) = 2 (12 - S) (1 - S / 24), or S^2 - 84 S + 576 = 0. CAMP: the first has had twice as many accesses; with x =
 * (23 / 24)^n, 24 (1 - x^2) + 24 (1 - x) = 12, or x^2 + x - 1.5 = 0; between whole accesses G is a straight line here. */
static void by_hand(void **unused)
{
    (void)unused;
    const double x = (sqrt(7) - 1) / 2, mb = 42 - sqrt(42 * 42 - 576);
    double row[NUM_COLUMNS];
    camp_finds(&camp_first, &camp_second, "", "A: first, B: second; 12 ways\n");
    camp_row(said, "AB", row, NUM_COLUMNS);
    camp_near(row[WAYS_A], 8, .0051);
    camp_near(row[WAYS_B], 4, .0051);
    camp_near(row[MPA_A], 1 - 8. / 24, .00011);
    camp_near(row[MPA_B], 1 - 4. / 24, .00011);
    camp_near(row[SPI_A], 2, 1e-9);
    camp_near(row[OVER_B], 1, 1e-9);
    camp_row(said, "MB", row, NUM_COLUMNS);
    camp_near(row[WAYS_A], mb, .0051);
    camp_row(said, "CAMP", row, NUM_COLUMNS);
    camp_near(row[WAYS_B], 24 * (1 - x), .011);
    camp_near(row[WAYS_A], 24 * (1 - x * x), .011);
    assert_null(strstr(said, "machine"));
    assert_non_null(strstr(said, "A: first alone, 7 SMs: 0.2000 accesses per instruction; SPI = "));
    assert_non_null(strstr(said, "\n    6   0.7500   2.0000       2.0000    +0.0 %\n"));
}

/* Runs that do not lie on a line: least squares by the sums. */
static void of_one(void **unused)
{
    (void)unused;
    const struct made_up one = {"one", "a", .5, 1, 3, {{2, .75, 4}, {4, .5, 3.1}, {8, 0, 1}}};
    camp_finds(&one, NULL, "", "A: one alone, 1 SM: 0.5000 accesses per instruction; SPI = ");
    assert_non_null(strstr(said, "\n    8   0.0000   1.0000 "));
    assert_null(strstr(said, "CAMP"));
    double alpha, beta, r2;
    assert_int_equal(
        sscanf(strstr(said, "SPI = "), "SPI = %lf MPA + %lf, R2 %lf", &alpha, &beta, &r2), 3);
    /* Least squares by the sums: x .75 .5 0, y 4 3.1 1. */
    const double n = 3, sx = 1.25, sy = 8.1, sxx = .8125, sxy = 4.55;
    const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
    camp_near(alpha, slope, .00006);
    camp_near(beta, (sy - slope * sx) / n, .00006);
    assert_true(r2 > .99 && r2 <= 1);
}

/* What they use fits the cache together: 4 and 6 ways. */
static void room_for_both(void **unused)
{
    (void)unused;
    const struct made_up a = {"a", "a", .2, 7, 3, {{2, .5, 3}, {4, 0, 1}, {16, 0, 1}}},
                         b = {"b", "b", .2, 8, 3, {{3, .5, 3}, {6, 0, 1}, {16, 0, 1}}};
    double row[NUM_COLUMNS];
    camp_finds(&a, &b, "", "the programs fit the cache together");
    camp_row(said, "CAMP", row, NUM_COLUMNS);
    camp_near(row[WAYS_A], 4, .0051);
    camp_near(row[WAYS_B], 6, .0051);
    camp_near(row[OVER_A], 1, 1e-9);
    char words[400], text[3][120];
    snprintf(words, sizeof words, "%s %s %s", camp_files(&a, text[0]), camp_files(&b, text[1]),
             camp_files(&a, text[2]));
    camp_says(words, 0, "CAMP, 16 ways\n");
    assert_non_null(strstr(said, "the programs fit the cache together"));
    assert_non_null(
        strstr(said, "\nC: a                       4.00   0.0000    1.0000      1.000"));
}

/* camp.md: two cliffs at 8 and 10 of 16 ways, API = alpha = beta = 1. */
static void three_equilibria(void **unused)
{
    (void)unused;
    const struct made_up a = {"a", "a", 1, 7, 3, {{7, 1, 2}, {8, .05, 1.05}, {16, .05, 1.05}}},
                         b = {"b", "b", 1, 8, 3, {{9, 1, 2}, {10, .05, 1.05}, {16, .05, 1.05}}};
    camp_finds(&a, &b, "--picture=p.svg", "another equilibrium, unstable\n");
    assert_int_equal(access("p.svg", F_OK), 0);
    double row[2], sum = 0, unstable = 0;
    unsigned count = 0;
    const char *at = strstr(said, "\nCAMP");
    while (at && (count == 0 || !strncmp(at, "\n          ", 11))) {
        assert_int_equal(sscanf(at + 11, "%lf %lf", &row[0], &row[1]), 2);
        camp_near(row[0] + row[1], 16, .011);
        sum += row[0];
        count++;
        const char *next = strchr(at + 1, '\n'), *word = strstr(at, "unstable");
        unstable = word && word < next ? row[0] : unstable;
        at = next;
    }
    assert_int_equal(count, 3);
    camp_near(sum, 5.9 + 6.2 + 8.3, .16);
    camp_near(unstable, 6.2, .051);
    camp_row(said, "CAMP", row,
             2); /* the answer: alone both are as fast, so the start is 8 ways each */
    camp_near(row[0], 8.3, .051);
}

/* A stream: alpha cannot be told. */
static void level(void **unused)
{
    (void)unused;
    const struct made_up stream = {"stream", "a", .2, 7, 2, {{6, 1, 2}, {12, 1, 2.5}}};
    camp_finds(&stream, &camp_second, "", "MPA hardly varies, SPI is taken as 2.2500\n");
    const struct made_up steep = {"steep", "a", .2, 7, 2, {{6, .755, 2}, {12, .746, 3}}};
    camp_finds(&steep, &camp_second, "", "MPA hardly varies, SPI is taken as 2.5000\n");
    assert_non_null(strstr(said, "\n    6   0.7550   2.0000       2.5000   +25.0 %\n"));
    char words[200], text[2][80];
    snprintf(words, sizeof words, "--noise=.008 %s %s", camp_files(&steep, text[0]),
             camp_files(&camp_second, text[1]));
    camp_says(words, 2, "a.6.json: steep: ");
    assert_non_null(
        strstr(said, "\nSPI = -111.1111 MPA + 85.8889 is not above 0 for each MPA from 0 to 1"));
}

/* Against the equations as they stand -----------------------------------------------------------*/

#define STATES 400

/* (3.2), with straight lines; beyond the last run as it fell before, down to 0. */
static double mpa(const struct made_up *p, double s)
{
    double x0 = 0, y0 = 1, x1 = 0, y1 = 1;
    for (unsigned r = 0; r < p->num && (r == 0 || s > x1); r++) {
        x0 = x1, y0 = y1;
        x1 = p->runs[r].ways, y1 = p->runs[r].mpa;
    }
    return fmax(0, y0 + (y1 - y0) * (s - x0) / (x1 - x0));
}

/* (3.4), with alpha and beta of (3.15) and (3.16) by sums. */
static double spi(const struct made_up *p, double s)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (unsigned r = 0; r < p->num; r++) {
        sx += p->runs[r].mpa;
        sy += p->runs[r].spi;
        sxx += p->runs[r].mpa * p->runs[r].mpa;
        sxy += p->runs[r].mpa * p->runs[r].spi;
    }
    const double alpha = (p->num * sxy - sx * sy) / (p->num * sxx - sx * sx);
    return alpha * mpa(p, s) + (sy - alpha * sx) / p->num;
}

/* (3.5) to (3.7): n where G(n) = s. */
static double accesses(const struct made_up *p, double s)
{
    static double old[STATES + 1], new[STATES + 1];
    double before = 0, g = 1, n = 1;
    memset(old, 0, sizeof old);
    for (old[1] = 1; g < s; n++) {
        before = g;
        g = 0;
        for (unsigned i = 1; i <= STATES; i++) {
            new[i] = old[i] * (1 - mpa(p, i)) + (i > 1 ? old[i - 1] * mpa(p, i - 1) : 0);
            g += i * new[i];
        }
        memcpy(old, new, sizeof old);
    }
    return n - 1 + (s - before) / (g - before);
}

/* What is the same for both in equilibrium, of one: T of (3.9), or of (3.17) and (3.18) ways over accesses or misses per second. */
static double common(const struct made_up *p, unsigned model, double s)
{
    const double aps = p->api / spi(p, s);
    return model == 0 ? accesses(p, s) / aps : model == 1 ? s / aps : s / (aps * mpa(p, s));
}

/* Ways of the first: by halves, as there is one equilibrium. */
static double solve(const struct made_up *a, const struct made_up *b, unsigned model, double ways)
{
    double low = .01, high = ways - .01;
    while (high - low > 1e-4) {
        const double s = (low + high) / 2;
        if (common(a, model, s) < common(b, model, ways - s))
            low = s;
        else
            high = s;
    }
    return low;
}

static void as_the_equations(void **unused)
{
    (void)unused;
    static const char *const names[] = {"CAMP", "AB", "MB"};
    static const struct made_up some[] = {
        {"k", "a", .21, 7, 4, {{2, .9, 9}, {4, .7, 7.4}, {8, .5, 6.2}, {16, .2, 4.1}}},
        {"l", "b", .09, 8, 3, {{4, .8, 5}, {12, .6, 4.8}, {16, .3, 3.5}}},
        {"m", "c", .6, 8, 3, {{1, .99, 3}, {8, .4, 2.1}, {16, .35, 1.9}}},
    };
    double row[NUM_COLUMNS];
    for (unsigned i = 0; i < 3; i++) {
        const struct made_up *a = &some[i], *b = &some[(i + 1) % 3];
        camp_finds(a, b, "", "16 ways\n");
        assert_null(strstr(said, "another"));
        for (unsigned m = 0; m < 3; m++) {
            const double s = solve(a, b, m, 16);
            camp_row(said, names[m], row, NUM_COLUMNS);
            camp_near(row[WAYS_A], s, .0052);
            camp_near(row[WAYS_B], 16 - s, .0052);
            camp_near(row[MPA_A], mpa(a, s), .0002);
            camp_near(row[MPA_B], mpa(b, 16 - s), .0002);
            camp_near(row[SPI_A], spi(a, s), .002);
            camp_near(row[SPI_B], spi(b, 16 - s), .002);
            camp_near(row[OVER_A], spi(a, 16) / spi(a, s), .001);
            camp_near(row[OVER_B], spi(b, 16) / spi(b, 16 - s), .001);
        }
    }
    /* Three have one T, and all of the cache. */
    double s[3], t[3];
    char words[400], text[3][120];
    snprintf(words, sizeof words, "%s %s %s", camp_files(&some[0], text[0]),
             camp_files(&some[1], text[1]), camp_files(&some[2], text[2]));
    camp_says(words, 0, "CAMP, 16 ways\n");
    for (unsigned i = 0; i < 3; i++) {
        char start[8];
        snprintf(start, sizeof start, "\n%c: %s ", 'A' + i, some[i].name);
        const char *from = strstr(said, "CAMP, "), *at = strstr(from, start);
        assert_non_null(at);
        double miss, time, over;
        assert_int_equal(sscanf(at + strlen(start), "%lf %lf %lf %lf", &s[i], &miss, &time, &over),
                         4);
        t[i] = common(&some[i], 0, s[i]);
        camp_near(miss, mpa(&some[i], s[i]), .0012);
        camp_near(time, spi(&some[i], s[i]), .01);
        camp_near(over, spi(&some[i], 16) / time, .001);
    }
    camp_near(s[0] + s[1] + s[2], 16, .016);
    camp_near(t[1], t[0], .02 * t[0]);
    camp_near(t[2], t[0], .02 * t[0]);
}

/* A larger cache: the curves go on as they fell. */
static void more_ways(void **unused)
{
    (void)unused;
    double row[NUM_COLUMNS];
    camp_finds(&camp_first, &camp_second, "--ways=15", "15 ways\n");
    camp_row(said, "AB", row, NUM_COLUMNS);
    camp_near(row[WAYS_A], 10, .0051);
    camp_near(row[MPA_A], 1 - 10. / 24, .00031);
    const struct made_up large = {"large", "l", .2, 7, 2, {{6, .75, 2}, {16, .5, 2}}};
    camp_finds(&large, &camp_second, "", "A: large, B: second; 16 ways\n"); /* the most of all */
    camp_says("-w 11 a.6.json,a.12.json", 2, "--ways=11: a run had 12\n");
    camp_says("-w 0 a.6.json,a.12.json", 2, "--ways=0: expected a number from 1 to 64");
    camp_says("-w 65 a.6.json,a.12.json", 2, "--ways=65: expected a number from 1 to 64");
}

/* On the machine --------------------------------------------------------------------------------*/

static double value(const char *file, const char *path)
{
    char words[200];
    snprintf(words, sizeof words, "--get=%s %s", path, file);
    assert_int_equal(heddle("report", words), 0);
    return strtod(said, NULL);
}

static double of_space(unsigned space, const char *what)
{
    char path[60];
    snprintf(path, sizeof path, "together.0.l2_spaces.%u.%s", space, what);
    return value("both.json", path);
}

/* Two programs as a person measures them. */
static void of_runs(void **unused)
{
    (void)unused;
    static const char *const names[2] = {"spmv", "bfs"};
    char words[400], file[40];
    double row[NUM_COLUMNS], error[7], camps[NUM_COLUMNS];
    camp_measure(names);
    camp_says("--noise=.1 -m both.json spmv.1.json,spmv.2.json,spmv.4.json "
              "bfs.4.json,bfs.2.json,bfs.1.json",
              0, "machine ");
    assert_null(strstr(said, "note"));
    char *table = strdup(said);
    camp_row(table, "machine", row, NUM_COLUMNS);
    camp_row(table, "CAMP", camps, NUM_COLUMNS);
    camp_row(strstr(table, "\nerror"), "CAMP", error, 7);
    for (unsigned i = 0; i < 2; i++) {
        camp_near(error[WAYS_A + i], camps[WAYS_A + i] - row[WAYS_A + i], .011);
        camp_near(error[MPA_A + i], 100 * (camps[MPA_A + i] - row[MPA_A + i]), .011);
        camp_near(error[SPI_A + i], 100 * (camps[SPI_A + i] / row[SPI_A + i] - 1), .011);
    }
    for (unsigned i = 0; i < 2; i++) {
        camp_near(row[MPA_A + i],
                  (of_space(i, "misses") - of_space(i, "mshr_merged")) / of_space(i, "accesses"),
                  .00006);
        camp_near(row[WAYS_A + i],
                  of_space(i, "line_cycles") / value("both.json", "together.0.cycles") /
                      value("both.json", "settings.l2.sets") /
                      value("both.json", "settings.l2.banks"),
                  .0051);
        snprintf(words, sizeof words, "together.0.each.%u.ipc", i);
        camp_near(row[SPI_A + i] * value("both.json", words), 1, .0001);
        snprintf(file, sizeof file, "%s.4.json", names[i]);
        camp_near(row[OVER_A + i] * value(file, "totals.ipc") * row[SPI_A + i], 1, .002);
        snprintf(file, sizeof file, "%s.2.json", names[i]);
        char line[40];
        snprintf(line, sizeof line, "\n    2 %8.4f %8.4f ",
                 (value(file, "totals.l2.misses") - value(file, "totals.l2.mshr_merged")) /
                     value(file, "totals.l2.accesses"),
                 1 / value(file, "totals.ipc"));
        assert_non_null(strstr(table, line));
    }
    assert_true(row[WAYS_A] + row[WAYS_B] <= 4.01); /* no more than there are */
    free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(by_hand),          IN_FOLDER(of_one),  IN_FOLDER(room_for_both),
        IN_FOLDER(three_equilibria), IN_FOLDER(level),   IN_FOLDER(as_the_equations),
        IN_FOLDER(more_ways),        IN_FOLDER(of_runs),
    };
    return cmocka_run_group_tests_name("tb/cli/model/camp", tests, NULL, NULL);
}
