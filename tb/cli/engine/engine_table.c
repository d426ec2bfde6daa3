/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/engine/engine_table.c: the epochs as a table, and what they come to by kernel: how they ended, and how far the search has
 * moved from the prediction, which Poise measures in section VII-G (figure 10). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tb/cli/engine/engine.h"

/* A number, or a dash: there is none. */
static void print_number(int width, int decimals, double value)
{
    if (isnan(value))
        printf(" %*s", width, "-");
    else
        printf(" %*.*f", width, decimals, value);
}

static void print_pair(int width, double n, double p)
{
    char text[32] = "-";
    if (!isnan(n))
        snprintf(text, sizeof text, "(%.0f, %.0f)", n, p);
    printf(" %*s", width, text);
}

static void print_epoch(const struct epoch *e)
{
    static const char *const words[] = {
#define WORD(name, word, meaning) #word,
#include "tb/units/poise.rows"
    };
    const double *v = e->value;
    printf("%-20.20s %6d %3d %5.0f %11.0f %11.0f %3.0f", e->kernel, e->launch, e->sm,
           v[ENGINE_epoch], v[ENGINE_first], v[ENGINE_last], v[ENGINE_most]);
    print_number(6, 2, 100 * v[ENGINE_hit_base]);
    print_number(6, 2, 100 * v[ENGINE_own_base]);
    print_number(6, 2, v[ENGINE_gap]);
    print_number(7, 1, v[ENGINE_latency_base]);
    print_number(6, 2, 100 * v[ENGINE_hit_lone]);
    print_number(6, 2, 100 * v[ENGINE_own_lone]);
    print_number(7, 1, v[ENGINE_latency_lone]);
    print_pair(9, v[ENGINE_predicted_n], v[ENGINE_predicted_p]);
    printf(" %7.0f", v[ENGINE_samples]);
    print_pair(8, v[ENGINE_found_n], v[ENGINE_found_p]);
    printf("  %s%s\n", words[e->ended], v[ENGINE_given] > 0 ? ", pair given" : "");
}

/* Sums over epochs. */
struct sums {
    double epochs, ended[NUM_ENGINE_ENDS], samples;
    double predictions, predicted_n, predicted_p;
    double found_n, found_p, distance_n, distance_p, distance; /* where a pair was found */
};

static void add(struct sums *s, const struct epoch *e)
{
    const double *v = e->value;
    const double n = v[ENGINE_found_n] - v[ENGINE_predicted_n],
                 p = v[ENGINE_found_p] - v[ENGINE_predicted_p];
    s->epochs++;
    s->ended[e->ended]++;
    if (!isnan(v[ENGINE_predicted_n])) {
        s->predictions++;
        s->predicted_n += v[ENGINE_predicted_n];
        s->predicted_p += v[ENGINE_predicted_p];
    }
    if (!isnan(n)) {
        s->samples += v[ENGINE_samples];
        s->found_n += v[ENGINE_found_n];
        s->found_p += v[ENGINE_found_p];
        s->distance_n += fabs(n);
        s->distance_p += fabs(p);
        s->distance += sqrt(n * n + p * p);
    }
}

static double mean(double sum, double count)
{
    return count > 0 ? sum / count : NAN;
}

static void print_sums(const char *kernel, const struct sums *s)
{
    const double found = s->ended[ENGINE_ended_search];
    printf("%-20.20s %6.0f", kernel, s->epochs);
    for (int i = 0; i < NUM_ENGINE_ENDS; i++)
        printf(" %7.0f", s->ended[i]);
    print_number(7, 2, mean(s->samples, found));
    print_number(11, 2, mean(s->predicted_n, s->predictions));
    print_number(5, 2, mean(s->predicted_p, s->predictions));
    print_number(7, 2, mean(s->found_n, found));
    print_number(5, 2, mean(s->found_p, found));
    print_number(10, 2, mean(s->distance_n, found));
    print_number(5, 2, mean(s->distance_p, found));
    print_number(9, 2, mean(s->distance, found));
    putchar('\n');
}

void engine_table(const struct engine *e)
{
    printf("%-20s %6s %3s %5s %11s %11s %3s %6s %6s %6s %7s %6s %6s %7s %9s %7s %8s  %s\n",
           "kernel", "launch", "sm", "epoch", "first", "last", "W", "h_o%", "eta_o%", "I_n",
           "L_o m_o", "h'%", "eta'%", "L' m'", "predicted", "samples", "found", "ended");
    for (int i = 0; i < e->count; i++)
        print_epoch(&e->epochs[i]);
    printf("\nHow many epochs ended in which way; means: samples, pair found and distances of "
           "those whose "
           "search ended, the prediction of all that have one\n"
           "%-20s %6s %7s %7s %7s %7s %7s %7s %11s %5s %7s %5s %10s %5s %9s\n",
           "kernel", "epochs", "search", "compute", "idle", "epoch", "kernel", "samples",
           "predicted N", "p", "found N", "p", "distance N", "p", "Euclidean");
    struct sums all = {0};
    for (int k = 0; k < e->num_kernels; k++) {
        struct sums sums = {0};
        for (int i = 0; i < e->count; i++)
            if (!strcmp(e->epochs[i].kernel, e->kernels[k]))
                add(&sums, &e->epochs[i]);
        print_sums(e->kernels[k], &sums);
    }
    for (int i = 0; i < e->count; i++)
        add(&all, &e->epochs[i]);
    if (e->num_kernels > 1)
        print_sums("all", &all);
    if (e->left_out > 0)
        printf("%.0f more epochs, the last of their SMs, are not in the log\n", e->left_out);
}
