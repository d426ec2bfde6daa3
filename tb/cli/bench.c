/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/bench.c: `heddle bench`: how fast the machine itself is: warp instructions per second on
 * kernels of three kinds, for each backend, with two host threads, and without timing, which is the
 * limit; on one of them also under a policy whose units are stepped in every cycle. Runs of one
 * workload alternate, so that a noisy neighbour hurts them alike; the median of the repeats counts. */
#include "tb/cli/bench.h"

#include <argp.h>
#include <errno.h>
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

static const struct argp_option options[] = {
    {"repeat", 'r', "N", 0, "runs of each kind, of which the median counts (default 3)", 0},
    {"baseline", 'b', "FILE", 0, "compare with the speeds that FILE records", 0},
    {"record", 'w', "FILE", 0, "record the speeds in FILE", 0},
    {0},
};

/* The least speed that each kind of kernel should have on backend c: warp instructions/s. */
static const struct {
    const char *workload, *size, *kind;
    double target;
} workloads[] = {
    {"matmul", "medium", "compute", 1500000},
    {"vecadd", "large", "streaming", 600000},
    {"bfs", "medium", "divergent", 250000},
    {"spmv", "medium", "divergent", 250000},
};
#define NUM_WORKLOADS (int)(sizeof workloads / sizeof workloads[0])

static const struct {
    const char *name;
    const char *settings[3];
    const char *only; /* on this workload; NULL: on all */
} modes[] = {
    {"c", {"run.backend=c", "run.threads=1", "run.sched=gto"}, NULL},
    {"rtl", {"run.backend=rtl", "run.threads=1", "run.sched=gto"}, NULL},
    {"lockstep", {"run.backend=lockstep", "run.threads=1", "run.sched=gto"}, NULL},
    {"c, 2 threads", {"run.backend=c", "run.threads=2", "run.sched=gto"}, NULL},
    {"no timing", {"run.backend=c", "run.timing=0", "run.sched=gto"}, NULL},
    {"rlws, c", {"run.backend=c", "run.threads=1", "run.sched=rlws"}, "spmv"},
    {"rlws, rtl", {"run.backend=rtl", "run.threads=1", "run.sched=rlws"}, "spmv"},
    {"rlws, both", {"run.backend=lockstep", "run.threads=1", "run.sched=rlws"}, "spmv"},
};
#define NUM_MODES (int)(sizeof modes / sizeof modes[0])

struct sample {
    double seconds, instructions, cycles, memory;
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct bench *b = state->input;
    switch (key) {
    case 'r':
        b->repeat = atoi(text);
        if (b->repeat < 1 || b->repeat > MAX_REPEATS)
            argp_error(state, "--repeat=%s: expected 1 to %d", text, MAX_REPEATS);
        return 0;
    case 'b': b->baseline = text; return 0;
    case 'w': b->record = text; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
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
        printf("         %s %s, %ld processors\n", name.sysname, name.machine,
               sysconf(_SC_NPROCESSORS_ONLN));
}

static int run_once(int workload, int mode, struct sample *sample)
{
    char program[64], size[64], stats[] = "/tmp/heddle-bench-XXXXXX";
    int fd = mkstemp(stats);
    if (fd < 0) {
        perror("heddle bench: temporary file");
        return EXIT_USAGE;
    }
    close(fd);
    snprintf(program, sizeof program, "workloads/%s", workloads[workload].workload);
    snprintf(size, sizeof size, "--size=%s", workloads[workload].size);
    struct machine_options o = {
        .config_file = build_path(1, CONFIG_NAME ".ini"),
        .stats = stats,
        .settings = {modes[mode].settings[0], modes[mode].settings[1], modes[mode].settings[2]},
        .num_settings = 3};
    char *const words[] = {(char *)build_path(4, program), size, NULL};
    machine_environment(&o);
    int status = machine_run(words, 1, NULL);
    struct statistics *s = status ? NULL : statistics_read(stats);
    if (status)
        fprintf(stderr, "heddle bench: %s (%s) ended with status %d\n",
                workloads[workload].workload, modes[mode].name, status);
    if (s) {
        sample->seconds = statistics_number(s, "host.wall_seconds");
        sample->instructions = statistics_number(s, "totals.warp_instructions") +
                               statistics_number(s, "totals.untimed_instructions");
        sample->cycles = statistics_number(s, "totals.cycles");
        sample->memory = statistics_number(s, "host.peak_memory_mb");
        status = statistics_incomplete(s) ? EXIT_USAGE : 0;
    } else if (!status)
        status = EXIT_USAGE;
    statistics_free(s);
    unlink(stats);
    return status;
}

static int measured(int workload, int mode)
{
    return !modes[mode].only || !strcmp(modes[mode].only, workloads[workload].workload);
}

static int by_seconds(const void *a, const void *b)
{
    double x = ((const struct sample *)a)->seconds, y = ((const struct sample *)b)->seconds;
    return (x > y) - (x < y);
}

void bench_progress(const char *workload, const char *how, int run, int repeat)
{
    if (isatty(STDERR_FILENO) && !workload)
        fprintf(stderr, "\r\033[K");
    else if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s, %s, run %d of %d", workload, how, run + 1, repeat);
}

/* The recorded speed in a line "workload/mode<TAB>speed", or 0: there is none. */
static double recorded(const struct bench *b, const char *name)
{
    const size_t length = strlen(name);
    for (const char *line = b->before; line;
         line = strchr(line, '\n'), line = line ? line + 1 : NULL)
        if (!strncmp(line, name, length) && line[length] == '\t')
            return strtod(line + length, NULL);
    return 0;
}

void bench_speed(struct bench *b, const char *name, double speed)
{
    if (b->before && recorded(b, name) > 0)
        printf(" %9.2fx", speed / recorded(b, name));
    if (b->recording)
        fprintf(file_stream(b->recording), "%s\t%.0f\n", name, speed);
}

static void print_row(struct bench *b, int workload, int mode, const struct sample *median)
{
    const struct sample *s = &median[mode], *c = &median[0];
    const double speed = s->instructions / s->seconds;
    char name[64];
    snprintf(name, sizeof name, "%s/%s", workloads[workload].workload, modes[mode].name);
    printf("%-8s %-10s %-13s %12.0f %12.0f %9.3f %7.2fx %6.1f", workloads[workload].workload,
           workloads[workload].kind, modes[mode].name, speed, s->cycles / s->seconds, s->seconds,
           s->seconds / c->seconds, s->memory);
    bench_speed(b, name, speed);
    if (mode == 0)
        printf("  %s the target of %.0f", speed >= workloads[workload].target ? "meets" : "MISSES",
               workloads[workload].target);
    printf("\n");
}

static int bench(struct bench *b, int workload)
{
    static struct sample samples[NUM_MODES][MAX_REPEATS];
    struct sample median[NUM_MODES];
    for (int n = 0; n < b->repeat; n++)
        for (int mode = 0; mode < NUM_MODES; mode++) {
            if (!measured(workload, mode))
                continue;
            bench_progress(workloads[workload].workload, modes[mode].name, n, b->repeat);
            int status = run_once(workload, mode, &samples[mode][n]);
            if (status)
                return status;
        }
    bench_progress(NULL, NULL, 0, 0);
    for (int mode = 0; mode < NUM_MODES; mode++) {
        qsort(samples[mode], (size_t)b->repeat, sizeof samples[0][0], by_seconds);
        median[mode] = samples[mode][b->repeat / 2];
    }
    for (int mode = 0; mode < NUM_MODES; mode++)
        if (measured(workload, mode))
            print_row(b, workload, mode, median);
    return 0;
}

int command_bench(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse_option,
        NULL,
        "Measures the simulator: warp instructions and cycles per second. `time` is relative to "
        "backend c on one host thread; `no timing` only executes the kernels, which is the limit. "
        "`MB` is "
        "the most memory that the program and the machine in it had, compilers left out. "
        "Besides: how long it takes to find out what the "
        "blocks of a launch share.",
        0,
        0,
        0};
    struct bench b = {.repeat = 3};
    int status = 0;
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &b);
    if (b.baseline && !(b.before = read_text_file(b.baseline)))
        return EXIT_USAGE;
    if (b.record && !(b.recording = file_create(b.record, stderr))) {
        free(b.before);
        return EXIT_USAGE;
    }
    if (b.recording)
        fputs("# SPDX-License-Identifier: Apache-2.0\n", file_stream(b.recording));
    print_machine();
    printf("%-8s %-10s %-13s %12s %12s %9s %8s %6s%s\n", "workload", "kind", "how", "instr./s",
           "cycles/s", "seconds", "time", "MB", b.before ? "  baseline" : "");
    for (int w = 0; w < NUM_WORKLOADS && !status; w++)
        status = bench(&b, w);
    if (!status)
        status = bench_analysis(&b);
    if (status)
        file_discard(b.recording);
    else if (b.recording && file_commit(b.recording, stderr))
        status = EXIT_USAGE;
    free(b.before);
    return status;
}
