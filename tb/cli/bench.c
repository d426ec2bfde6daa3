/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/bench.c: `heddle bench`: how fast the machine itself is, on each backend, one host thread.
 * The runs of the backends alternate, so that a noisy neighbour hurts them alike; the median of the
 * repeats is printed. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cosim/unit.h"
#include "hw.h"
#include "tb/cli/cli.h"
#include "tb/cli/process.h"
#include "tb/cli/statistics.h"

#define MAX_REPEATS 99

static const struct argp_option options[] = {
    {"repeat", 'r', "N", 0, "runs of each kind, of which the median counts (default 3)", 0},
    {0},
};

static const char *const workloads[] = {"spmv", "matmul"};
#define NUM_WORKLOADS (sizeof workloads / sizeof workloads[0])

struct sample {
    double seconds, instructions, cycles;
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    int *repeat = state->input;
    if (key != 'r')
        return ARGP_ERR_UNKNOWN;
    *repeat = atoi(text);
    if (*repeat < 1 || *repeat > MAX_REPEATS)
        argp_error(state, "--repeat=%s: expected 1 to %d", text, MAX_REPEATS);
    return 0;
}

static void print_machine(void)
{
    char line[256];
    struct utsname name;
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, "model name", 10)) {
            printf("machine: %s", strchr(line, ':') + 2);
            break;
        }
    if (f)
        fclose(f);
    if (uname(&name) == 0)
        printf("         %s %s, %ld processors, one used\n", name.sysname, name.machine,
               sysconf(_SC_NPROCESSORS_ONLN));
}

static int run_once(const char *workload, int backend, struct sample *sample)
{
    char setting[64], program[64], stats[] = "/tmp/heddle-bench-XXXXXX";
    int fd = mkstemp(stats);
    if (fd < 0) {
        perror("heddle bench: temporary file");
        return EXIT_USAGE;
    }
    close(fd);
    snprintf(setting, sizeof setting, "run.backend=%s",
             unit_backend_name((enum unit_backend)backend));
    snprintf(program, sizeof program, "workloads/%s", workload);
    struct machine_options options = {.config_file = build_path(1, CONFIG_NAME ".ini"),
                                      .stats = stats,
                                      .settings = {setting},
                                      .num_settings = 1};
    char *const words[] = {(char *)build_path(4, program), NULL};
    machine_environment(&options);
    int status = machine_run(words, 1);
    struct statistics *s = status ? NULL : statistics_read(stats);
    if (status)
        fprintf(stderr, "heddle bench: %s on backend %s ended with status %d\n", workload,
                unit_backend_name((enum unit_backend)backend), status);
    if (s) {
        sample->seconds = statistics_number(s, "host.wall_seconds");
        sample->instructions = statistics_number(s, "totals.warp_instructions");
        sample->cycles = statistics_number(s, "totals.cycles");
        status = statistics_incomplete(s) ? EXIT_USAGE : 0;
    } else if (!status)
        status = EXIT_USAGE;
    statistics_free(s);
    unlink(stats);
    return status;
}

static int by_seconds(const void *a, const void *b)
{
    double x = ((const struct sample *)a)->seconds, y = ((const struct sample *)b)->seconds;
    return (x > y) - (x < y);
}

static int bench(const char *workload, int repeat)
{
    struct sample samples[NUM_BACKENDS][MAX_REPEATS];
    for (int n = 0; n < repeat; n++)
        for (int b = 0; b < NUM_BACKENDS; b++) {
            if (isatty(STDERR_FILENO))
                fprintf(stderr, "\r\033[K%s, backend %s, run %d of %d", workload,
                        unit_backend_name((enum unit_backend)b), n + 1, repeat);
            int status = run_once(workload, b, &samples[b][n]);
            if (status)
                return status;
        }
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
    for (int b = 0; b < NUM_BACKENDS; b++) {
        qsort(samples[b], (size_t)repeat, sizeof samples[b][0], by_seconds);
        const struct sample *s = &samples[b][repeat / 2];
        printf("%-10s %-9s %14.0f %14.0f %10.3f %8.2fx\n", workload,
               unit_backend_name((enum unit_backend)b), s->instructions / s->seconds,
               s->cycles / s->seconds, s->seconds,
               s->seconds / samples[BACKEND_C][repeat / 2].seconds);
    }
    return 0;
}

int command_bench(int argc, char **argv)
{
    static const struct argp argp = {
        options, parse_option,
        NULL,    "Measures the simulator: warp instructions and cycles per second of each backend.",
        0,       0,
        0};
    int repeat = 3, status = 0;
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &repeat);
    print_machine();
    printf("%-10s %-9s %14s %14s %10s %9s\n", "workload", "backend", "warp instr./s", "cycles/s",
           "seconds", "time");
    for (size_t w = 0; w < NUM_WORKLOADS && !status; w++)
        status = bench(workloads[w], repeat);
    return status;
}
