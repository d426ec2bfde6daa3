/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/run.c: `heddle run`: checks the settings, points the system's OpenCL loader at the machine
 * and starts the program; and `heddle replay`, which starts tb/replay on a capture. */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cosim/wave.h"
#include "hw.h"
#include "tb/cli/cli.h"
#include "tb/cli/failure.h"
#include "tb/cli/identity.h"
#include "tb/cli/option.h"
#include "tb/cli/process.h"
#include "tb/file.h"
#include "tb/gpu/kept.h"
#include "tb/gpu/trace.h"
#include "tb/timeline/timeline.h"

#define LIST           1 /* options without a letter */
#define DIFFER         2
#define PROGRESS       3
#define TIMELINE       4
#define TIMELINE_OF    5
#define TIMELINE_UP_TO 6

struct run {
    struct machine_options machine;
    const char *typed[MAX_SETTINGS]; /* the option that gave each of the settings */
    char **program;                  /* NULL-terminated */
};

static const struct argp_option run_options[] = {
    {"capture", 'C', "FILE", 0,
     "keep the launches, with all that they need, for `heddle replay` without the program", 0},
    {0},
};

static const struct argp_option replay_options[] = {
    {"list", LIST, NULL, 0, "print the launches, and run nothing", 0},
    {"differ", DIFFER, NULL, 0,
     "launches may leave another memory than when captured: that is said, and is no error", 0},
    {0},
};

static const struct argp_option options[] = {
    {"config-file", 'c', "FILE", 0, "configuration (default: the one this build was made with)", 0},
    {"set", 's', "SECTION.KEY=VALUE", 0, "override one configuration key; may be given again", 0},
    {"settings", 'S', "FILE.ini", 0,
     "override configuration keys by those of a file; the last word counts, here or in --set", 0},
    {"sched", 'p', "POLICY", 0, "warp scheduling policy: --set run.sched=POLICY", 0},
    {"dispatch", 'd', "POLICY", 0, "thread-block dispatching: --set run.dispatch=POLICY", 0},
    {"backend", 'b', "c|rtl|lockstep", 0, "what decides: --set run.backend=...", 0},
    {"max-cycles", 'm', "N", 0, "stop a kernel after N cycles: --set run.max_cycles=N", 0},
    {"stats", 'o', "FILE.json", 0, "write the statistics", 0},
    {"profile", 'P', "FILE.json", 0, "write what each load does, for `heddle profile`", 0},
    {"wave", 'w', "FILE.fst[:FROM-TO]", 0, "write a waveform, of all cycles or of a window", 0},
    {"timeline", TIMELINE, "FILE.json[:FROM-TO]", 0,
     "write what the warps of an SM do over time, of all cycles or of a window, for Perfetto or "
     "chrome://tracing",
     0},
    {"timeline-sm", TIMELINE_OF, "N", 0, "of this SM (default: 0)", 0},
    {"timeline-mb", TIMELINE_UP_TO, "N", 0,
     "the timeline ends where its file has N million bytes (default: 256)", 0},
    {"trace", 't', "FOLDER", 0,
     "write what is executed as a trace for Accel-Sim into a folder that is new or empty", 0},
    {"progress", PROGRESS, NULL, 0,
     "a line per second about a kernel that takes long, although standard error is no terminal "
     "(default there: every 30 seconds)",
     0},
    {"fail", 'f', "FOLDER", 0,
     "what explains a run that failed goes there (default: fail/PROGRAM.PID, and fail/latest leads "
     "there)",
     0},
    {0},
};

static void add_setting(struct run *r, struct argp_state *state, const char *option,
                        const char *key, const char *value)
{
    char *setting;
    if (r->machine.num_settings == MAX_SETTINGS)
        argp_error(state, "more than %d settings", MAX_SETTINGS);
    if (asprintf(&setting, "%s%s", key, value) < 0)
        argp_failure(state, EXIT_USAGE, errno, "settings");
    if (strchr(setting, '\n'))
        argp_error(state, "%s '%s': a line break", option, value);
    r->typed[r->machine.num_settings] = option;
    r->machine.settings[r->machine.num_settings++] = setting;
}

struct receiver {
    struct run *run;
    struct argp_state *state;
};

static void take_setting(void *receiver, const char *assignment)
{
    const struct receiver *r = receiver;
    add_setting(r->run, r->state, "--settings", "", assignment);
}

static void read_settings(struct run *r, struct argp_state *state, const char *path)
{
    if (config_read_settings(path, take_setting, &(struct receiver){r, state}, stderr))
        exit(EXIT_USAGE);
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct run *r = state->input;
    switch (key) {
    case 'c': r->machine.config_file = text; return 0;
    case 's': add_setting(r, state, "--set", "", text); return 0;
    case 'S': read_settings(r, state, text); return 0;
    case 'p': add_setting(r, state, "--sched", "run.sched=", text); return 0;
    case 'd': add_setting(r, state, "--dispatch", "run.dispatch=", text); return 0;
    case 'b': add_setting(r, state, "--backend", "run.backend=", text); return 0;
    case 'm': add_setting(r, state, "--max-cycles", "run.max_cycles=", text); return 0;
    case 'o': r->machine.stats = text; return 0;
    case 'P': r->machine.profile = text; return 0;
    case 'w': r->machine.wave = text; return 0;
    case 't': r->machine.trace = text; return 0;
    case TIMELINE: r->machine.timeline = text; return 0;
    case TIMELINE_OF:
        r->machine.timeline_sm = option_number(state, "timeline-sm", text, 0, NUM_SMS - 1);
        return 0;
    case TIMELINE_UP_TO:
        r->machine.timeline_mb = option_number(state, "timeline-mb", text, 1, 1000000);
        return 0;
    case PROGRESS: r->machine.progress = 1; return 0;
    case 'f': r->machine.fail = text; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int check(const struct run *r, struct config *c)
{
    if (config_read(c, r->machine.config_file, stderr))
        return -1;
    for (int i = 0; i < r->machine.num_settings; i++)
        if (config_set_by(c, r->typed[i], r->machine.settings[i], stderr))
            return -1;
    return config_check(c, stderr) || check_run_words(c, stderr) ? -1 : 0;
}

/* What could not be written after the run is reported before it. */
static int check_files(const struct machine_options *m, const struct config *c)
{
    const struct timeline_choice timeline = {.spec = m->timeline, .sm = (unsigned)m->timeline_sm};
    if ((m->stats && file_check(m->stats, stderr)) || (m->trace && trace_folder(m->trace, stderr)))
        return -1;
    if ((m->profile && file_check(m->profile, stderr)) ||
        (m->capture && file_check(m->capture, stderr)))
        return -1;
    if (m->timeline && timeline_check(&timeline, c, stderr))
        return -1;
    if (!m->timeline && (m->timeline_sm || m->timeline_mb)) {
        fprintf(stderr, "heddle run: --timeline-sm and --timeline-mb go with --timeline\n");
        return -1;
    }
    return m->wave ? wave_files(m->wave, file_check, stderr) : 0;
}

/* Writes the statistics of the kernels that have ended, if the program has ended before the machine could. */
static void recover(const struct run *r, FILE *kept, int ended)
{
    char why[96];
    if (WIFSIGNALED(ended))
        snprintf(why, sizeof why, "the program was ended by signal %d (%.40s)", WTERMSIG(ended),
                 strsignal(WTERMSIG(ended)));
    else
        snprintf(why, sizeof why,
                 "the program has left with status %d before the machine was closed",
                 WEXITSTATUS(ended));
    struct notes made_by = {0};
    identity_read(&made_by);
    const int64_t launches = kept_recover(fileno(kept), r->machine.stats, why, &made_by, stderr);
    notes_free(&made_by);
    if (launches >= 0)
        fprintf(stderr, "heddle: %s is incomplete; launches until then: %" PRId64 "\n",
                r->machine.stats, launches);
}

static int run_program(struct run *r)
{
    struct failure failure;
    if (failure_begin(&failure, &r->machine, r->program)) {
        fprintf(stderr, "heddle run: --fail=%s: %s\n", r->machine.fail, strerror(errno));
        return EXIT_USAGE;
    }
    FILE *const kept = r->machine.stats ? tmpfile() : NULL;
    char kept_path[64];
    if (kept) {
        fcntl(fileno(kept), F_SETFD, FD_CLOEXEC);
        snprintf(kept_path, sizeof kept_path, "/proc/%d/fd/%d", (int)getpid(), fileno(kept));
        r->machine.kept = kept_path;
    }
    machine_environment(&r->machine);
    int ended = 0, status = machine_run(r->program, 0, &ended);
    if (kept) {
        recover(r, kept, ended);
        fclose(kept);
    }
    r->machine.kept = NULL;
    if (r->machine.wave && wave_settle(r->machine.wave, stderr) && !status)
        status = EXIT_FAILURE;
    if (status == EXIT_MISMATCH)
        failure_explain(&failure);
    failure_end(&failure);
    return status;
}

/* Parses what is common, and what the command has of its own; checks it, and runs. */
static int run(struct run *r, const struct argp *own, int argc, char **argv)
{
    static const struct argp common = {options, parse_option, NULL, NULL, NULL, NULL, NULL};
    const struct argp_child children[] = {{&common, 0, NULL, 0}, {0}};
    struct argp argp = *own;
    struct config c;
    argp.children = children;
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, r);
    int status = check(r, &c) || check_files(&r->machine, &c) ? EXIT_USAGE : run_program(r);
    for (int i = 0; i < r->machine.num_settings; i++)
        free((char *)r->machine.settings[i]);
    return status;
}

static error_t parse_run(int key, char *text, struct argp_state *state)
{
    struct run *r = state->input;
    switch (key) {
    case 'C': r->machine.capture = text; return 0;
    case ARGP_KEY_INIT: state->child_inputs[0] = r; return 0;
    case ARGP_KEY_ARG: /* the first word that is no option: the program, with all that follows */
        r->program = &state->argv[state->next - 1];
        state->next = state->argc;
        return 0;
    case ARGP_KEY_END:
        if (!r->program)
            argp_error(state, "no program; expected: heddle run [OPTION...] -- PROGRAM [ARG...]");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int command_run(int argc, char **argv)
{
    static const struct argp argp = {run_options,
                                     parse_run,
                                     "-- PROGRAM [ARG...]",
                                     "Runs an OpenCL program on the machine.\v"
                                     "The program is any OpenCL 1.2 host program; it finds Heddle "
                                     "through the system's own loader.\n\n"
                                     "Exit status: the program's own; 1 if it ignored a kernel "
                                     "that failed; 2 for a usage or configuration error; 3 "
                                     "if lockstep found a difference between Verilog and C.",
                                     0,
                                     0,
                                     0};
    struct run r = {.machine.config_file = build_path(1, CONFIG_NAME ".ini")};
    return run(&r, &argp, argc, argv);
}

struct replay {
    struct run run;            /* first: argp knows the one as the other */
    const char *option;        /* of tb/replay; NULL: none */
    char *files[2], *words[5]; /* tb/replay and its arguments */
};

static void write_words(struct replay *r)
{
    char **word = &r->words[1];
    if (r->option)
        *word++ = (char *)r->option;
    for (int i = 0; i < 2 && r->files[i]; i++)
        *word++ = r->files[i];
}

static error_t parse_replay(int key, char *text, struct argp_state *state)
{
    struct replay *r = state->input;
    switch (key) {
    case LIST:
    case DIFFER:
        if (r->option && strcmp(r->option, key == LIST ? "--list" : "--differ"))
            argp_error(state, "--list runs nothing, and --differ is of a run");
        r->option = key == LIST ? "--list" : "--differ";
        return 0;
    case ARGP_KEY_INIT: state->child_inputs[0] = &r->run; return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_error(state, "more than two captures: '%s'", text);
        r->files[state->arg_num] = text;
        return 0;
    case ARGP_KEY_END:
        if (!state->arg_num)
            argp_error(state, "no capture; expected: heddle replay [OPTION...] FILE [FILE]");
        if (r->option && !strcmp(r->option, "--list") && r->files[1])
            argp_error(state, "--list: more than one capture: '%s'", r->files[1]);
        write_words(r);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int command_replay(int argc, char **argv)
{
    static const struct argp argp = {
        replay_options,
        parse_replay,
        "FILE [FILE]",
        "Runs the launches of a capture (`heddle run --capture=FILE`) on the machine, without the "
        "program that made them.\v"
        "Each launch finds the memory that it found when it was captured, and what it leaves is "
        "compared with what it left then. A kernel whose result depends on the order in which "
        "its threads come may leave something else on another machine or under another policy; "
        "--differ lets it.\n\n"
        "Two captures run beside each other, each in an address space of its own, until both have "
        "been gone "
        "through once; who is through first begins again. The dispatching policy must be one for "
        "several kernels: --dispatch=kmu.\n\n"
        "Exit status: 0 if all launches are as they were; 1 if one fails, or leaves another "
        "memory; 2 for a "
        "usage or configuration error, or a damaged capture; 3 if lockstep found a difference "
        "between Verilog and C.",
        0,
        0,
        0};
    struct replay r = {.run.machine.config_file = build_path(1, CONFIG_NAME ".ini"),
                       .words = {(char *)build_path(6, "replay")}};
    r.run.program = r.words;
    return run(&r.run, &argp, argc, argv);
}
