/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/locality.c: `heddle locality`: which memory the blocks of a program's kernels read, as far as
 * that is known before they run, and which blocks share it (PAVER, table 2). */
#include "tb/cli/locality.h"

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hw.h"
#include "tb/cli/cli.h"
#include "tb/cli/gnuplot.h"
#include "tb/cli/option.h"
#include "tb/cli/process.h"
#include "tb/file.h"
#include "tb/gpu/gpu.h"

struct options {
    struct machine_options machine;
    const char *picture, *file;
    int unit; /* 0: the machine's own */
    int check, loads;
    char **program;
};

static const struct argp_option options[] = {
    {"unit", 'u', "BYTES", 0,
     "what counts as one reference to data (default: 4; a cache line: 128); a power of two", 0},
    {"loads", 'l', NULL, 0,
     "list the loads of each kernel: where they read, or why that is not known", 0},
    {"check", 'k', NULL, 0, "compare with what the blocks then read, byte by byte where --unit=1",
     0},
    {"picture", 'p', "FILE", 0, "draw which blocks share memory into FILE.svg, .png or .pdf", 0},
    {"out", 'o', "FILE.json", 0, "keep all that was found", 0},
    {0},
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'u':
        o->unit = option_number(state, "unit", text, 1, READS_MAX_UNIT);
        if (o->unit & (o->unit - 1))
            argp_error(state, "--unit=%s: expected a power of two", text);
        return 0;
    case 'l': o->loads = 1; return 0;
    case 'k': o->check = 1; return 0;
    case 'p': o->picture = text; return 0;
    case 'o': o->file = text; return 0;
    case ARGP_KEY_ARG:
        o->program = &state->argv[state->next - 1];
        state->next = state->argc;
        return 0;
    case ARGP_KEY_END:
        if (!o->program)
            argp_error(state,
                       "no program; expected: heddle locality [OPTION...] -- PROGRAM [ARG...]");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static double number(struct statistics *s, const char *path, const char *member)
{
    char name[256];
    snprintf(name, sizeof name, "%s.%s", path, member);
    return statistics_number(s, name);
}

static const char *word(struct statistics *s, const char *path, const char *member)
{
    char name[256];
    snprintf(name, sizeof name, "%s.%s", path, member);
    return statistics_word(s, name);
}

static int is_known(struct statistics *s, const char *path, int load)
{
    char name[160];
    snprintf(name, sizeof name, "%s.loads.%d.known", path, load);
    return statistics_number(s, name) != 0;
}

/* "21x7": without sizes of 1 behind the last other one. */
static void format_size(struct statistics *s, const char *path, const char *member, char out[40])
{
    double size[3];
    for (int i = 0; i < 3; i++) {
        char name[256];
        snprintf(name, sizeof name, "%s.%s.%d", path, member, i);
        size[i] = statistics_number(s, name);
    }
    if (size[2] > 1)
        snprintf(out, 40, "%.0fx%.0fx%.0f", size[0], size[1], size[2]);
    else if (size[1] > 1)
        snprintf(out, 40, "%.0fx%.0f", size[0], size[1]);
    else
        snprintf(out, 40, "%.0f", size[0]);
}

static void print_loads(struct statistics *s, const char *path, int count)
{
    for (int i = 0; i < count; i++) {
        char load[160];
        const int known = is_known(s, path, i);
        snprintf(load, sizeof load, "%s.loads.%d", path, i);
        printf("    line %.0f: %s\n", number(s, load, "line"), word(s, load, "text"));
        printf("        %s%s\n",
               known ? "" : "not known: ", word(s, load, known ? "address" : "why"));
    }
}

static void print_kernel(struct statistics *s, int index, int loads)
{
    char path[64], name[80], grid[40], block[40];
    snprintf(path, sizeof path, "kernels.%d", index);
    snprintf(name, sizeof name, "%s.loads", path);
    const int count = statistics_count(s, name);
    int known = 0;
    for (int i = 0; i < count; i++)
        known += is_known(s, path, i);
    format_size(s, path, "grid", grid);
    format_size(s, path, "block", block);
    snprintf(name, sizeof name, "%s", word(s, path, "name"));
    printf("%-24.24s %4.0f %10s %8s %3d/%-3d", name, number(s, path, "launches"), grid, block,
           known, count);
    snprintf(name, sizeof name, "%s.failed", path);
    if (*statistics_word(s, name)) {
        printf(" %s\n", statistics_word(s, name));
    } else {
        const double blocks = number(s, path, "blocks"), pairs = number(s, path, "pairs"),
                     sharers = number(s, path, "sharers"), shared = number(s, path, "shared"),
                     seconds = number(s, path, "seconds.loads") +
                               number(s, path, "seconds.memory") + number(s, path, "seconds.graph");
        printf(" %11.0f %11.0f %7.0f %10.0f %11.6f %9.2f %9.2f\n", number(s, path, "units"), shared,
               sharers, pairs, 1 - pairs / (blocks * blocks), sharers > 0 ? shared / sharers : 0,
               1e3 * seconds / number(s, path, "launches"));
    }
    if (loads)
        print_loads(s, path, count);
}

static int print_all(const struct options *o, const char *file)
{
    struct statistics *s = statistics_read(file);
    if (!s)
        return -1;
    const int count = statistics_count(s, "kernels");
    printf("%-24s %4s %10s %8s %7s %11s %11s %7s %10s %11s %9s %9s\n", "kernel", "runs", "grid",
           "block", "known", "units", "shared", "sharers", "pairs", "SpScore", "degree", "ms");
    for (int i = 0; i < count; i++)
        print_kernel(s, i, o->loads);
    int status = statistics_incomplete(s) ? -1 : 0;
    if (!status && o->picture)
        status = locality_picture(s, o->picture);
    statistics_free(s);
    return status;
}

/* Copies what was found to where it is wanted. Returns 0, or -1 with the reason on stderr. */
static int keep(const char *from, const char *to)
{
    char *text = read_text_file(from);
    struct file *file = text ? file_create(to, stderr) : NULL;
    if (file)
        fputs(text, file_stream(file));
    free(text);
    return file ? file_commit(file, stderr) : -1;
}

/* Runs the program without time, which writes the file, and prints that. */
static int run(struct options *o, const char *file)
{
    struct stat written;
    o->machine.locality = file;
    o->machine.locality_unit = o->unit;
    o->machine.locality_check = o->check;
    o->machine.settings[o->machine.num_settings++] = "run.timing=0";
    machine_environment(&o->machine);
    const int status = machine_run(o->program, 0, NULL);
    if (stat(file, &written) || written.st_size == 0) {
        fprintf(stderr, "heddle locality: no kernel has run\n");
        return status;
    }
    return print_all(o, file) || (o->file && keep(file, o->file)) ? EXIT_USAGE : status;
}

int command_locality(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse_option,
        "-- PROGRAM [ARG...]",
        "Shows which global memory the blocks of each kernel read, as far as that is known before "
        "the "
        "kernel runs, and which blocks share it. The program is executed, but takes no time.\v"
        "Launches of which all this is the same are one line. known: loads whose addresses are "
        "known, "
        "of all. units: of memory that any block reads by them. shared: those that several blocks "
        "read. sharers: blocks that share with another. pairs: of blocks that share, in both "
        "orders. "
        "SpScore: 1 less pairs over all pairs, as in PAVER's table 2. degree: shared units over "
        "sharers. ms: of the analysis, per launch.\n\n"
        "Exit status: the program's own; 1 where --check has found a difference; 2 for a usage "
        "error.",
        0,
        0,
        0};
    struct options o = {.machine.config_file = build_path(1, CONFIG_NAME ".ini")};
    const char *folder = getenv("TMPDIR");
    char file[PATH_MAX];
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &o);
    if ((o.picture && picture_check(o.picture)) || (o.file && file_check(o.file, stderr)))
        return EXIT_USAGE;
    snprintf(file, sizeof file, "%s/heddle-locality-XXXXXX", folder && *folder ? folder : "/tmp");
    const int descriptor = mkstemp(file);
    if (descriptor < 0) {
        fprintf(stderr, "heddle locality: %s: %s\n", file, strerror(errno));
        return EXIT_USAGE;
    }
    close(descriptor);
    const int status = run(&o, file);
    unlink(file);
    return status;
}
