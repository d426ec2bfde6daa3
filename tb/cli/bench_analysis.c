/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/bench_analysis.c: how long it takes to find out, before a launch, what its blocks read and share (PAVER 3), and how large
 * the graph is. The programs are executed without time; of each the first kernel counts. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "hw.h"
#include "tb/cli/bench.h"
#include "tb/cli/cli.h"
#include "tb/cli/process.h"
#include "tb/cli/statistics.h"

/* A grid as the paper has it, one of the largest that it has, and addresses that are no sums. */
static const struct {
    const char *name, *words[3];
} launches[] = {
    {"hotspot", {"workloads/hotspot", "--side=512", NULL}},
    {"hotspot, large", {"workloads/hotspot", "--side=2172", "--steps=2"}},
    {"sad", {"workloads/sad", "--size=medium", NULL}},
};
#define NUM_LAUNCHES (int)(sizeof launches / sizeof launches[0])

struct analysis {
    double seconds, blocks, loads, pairs, edges;
};

static double number(struct statistics *s, const char *member)
{
    char name[64];
    snprintf(name, sizeof name, "kernels.0.%s", member);
    return statistics_number(s, name);
}

static int run_once(int launch, struct analysis *out)
{
    char file[] = "/tmp/heddle-bench-XXXXXX", program[64];
    const int descriptor = mkstemp(file);
    if (descriptor < 0) {
        perror("heddle bench: temporary file");
        return EXIT_USAGE;
    }
    close(descriptor);
    struct machine_options o = {.config_file = build_path(1, CONFIG_NAME ".ini"),
                                .locality = file,
                                .settings = {"run.timing=0"},
                                .num_settings = 1};
    snprintf(program, sizeof program, "%s", launches[launch].words[0]);
    char *const words[] = {(char *)build_path(4, program), (char *)launches[launch].words[1],
                           (char *)launches[launch].words[2], NULL};
    machine_environment(&o);
    int status = machine_run(words, 1, NULL);
    if (status)
        fprintf(stderr, "heddle bench: %s ended with status %d\n", launches[launch].name, status);
    struct statistics *s = status ? NULL : statistics_read(file);
    if (s) {
        *out =
            (struct analysis){.seconds = number(s, "seconds.loads") + number(s, "seconds.memory") +
                                         number(s, "seconds.graph"),
                              .blocks = number(s, "blocks"),
                              .loads = statistics_count(s, "kernels.0.loads"),
                              .pairs = number(s, "pairs"),
                              .edges = number(s, "edges")};
        out->seconds /= number(s, "launches");
        status = statistics_incomplete(s) ? EXIT_USAGE : 0;
    } else if (!status) {
        status = EXIT_USAGE;
    }
    statistics_free(s);
    unlink(file);
    return status;
}

static int by_seconds(const void *a, const void *b)
{
    const double x = ((const struct analysis *)a)->seconds,
                 y = ((const struct analysis *)b)->seconds;
    return (x > y) - (x < y);
}

int bench_analysis(struct bench *b)
{
    static struct analysis samples[MAX_REPEATS];
    printf("\n%-14s %8s %6s %10s %10s %12s %9s\n", "analysis", "blocks", "loads", "pairs", "edges",
           "blocks/s", "seconds");
    for (int launch = 0; launch < NUM_LAUNCHES; launch++) {
        for (int n = 0; n < b->repeat; n++) {
            bench_progress(launches[launch].name, "analysis", n, b->repeat);
            const int status = run_once(launch, &samples[n]);
            if (status)
                return status;
        }
        bench_progress(NULL, NULL, 0, 0);
        qsort(samples, (size_t)b->repeat, sizeof samples[0], by_seconds);
        const struct analysis *median = &samples[b->repeat / 2];
        char name[64];
        snprintf(name, sizeof name, "%s/analysis", launches[launch].name);
        printf("%-14s %8.0f %6.0f %10.0f %10.0f %12.0f %9.3f", launches[launch].name,
               median->blocks, median->loads, median->pairs, median->edges,
               median->blocks / median->seconds, median->seconds);
        bench_speed(b, name, median->blocks / median->seconds);
        printf("\n");
    }
    return 0;
}
