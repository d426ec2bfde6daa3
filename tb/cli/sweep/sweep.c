/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/sweep.c: `heddle sweep`: runs a list of points as independent processes and gathers
 * their results. It may be interrupted at any time, by SIGKILL too, and resumes: a point's
 * outcome is a file that its task renames into place, and one transaction takes that over. */
#include "tb/cli/sweep/sweep.h"

#include <argp.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tb/cli/cli.h"
#include "tb/cli/option.h"
#include "tb/cli/sweep/folder.h"
#include "tb/cli/sweep/memory.h"
#include "tb/file.h"

#define MAX_JOBS     1024
#define MAX_TIMEOUT  (7 * 24 * 3600)
#define BROKEN_SHOWN 10

struct options {
    const char *file, *results, *from, *csv, *sbatch, *workload, *points;
    sweep_engine *engine;
    int jobs, timeout, task, dry_run, retry, forget;
};

static const struct argp_option options[] = {
    {"results", 'r', "FILE", 0, "the results (default: FILE.sqlite for FILE.ini)", 0},
    {"csv", 'c', "FILE", 0, "also write the results as comma-separated values", 0},
    {"from", 'f', "RESULTS.sqlite", 0, "run nothing: only write these results to --csv", 0},
    {"workload", 'w', "NAME", 0, "run points of this workload only; the others stay to be run", 0},
    {"points", 'p', "LIST", 0,
     "run points of these numbers only, as in 1-3,7; the others stay to be run", 0},
    {"dry-run", 'n', 0, 0, "check everything and print the points, run nothing", 0},
    {"engine", 'e', "local|slurm", 0,
     "what runs the points: processes of this machine (default), or a Slurm job array", 0},
    {"jobs", 'j', "N", 0,
     "points at a time (default: as many as there are processors, or as Slurm allows)", 0},
    {"timeout", 't', "SECONDS", 0, "a point that runs longer is broken (default: no limit)", 0},
    {"retry", 'y', 0, 0, "run broken points again", 0},
    {"forget", 'd', 0, 0, "drop results of points that FILE does not name any more", 0},
    {"sbatch", 's', "OPTIONS", 0, "more options of sbatch, as in --sbatch='--partition=long'", 0},
    {"task", 'k', "N", 0, "run point N alone and leave its outcome in RESULTS.tasks, for engines",
     0},
    {0},
};

/* The numbers from..to at the beginning of a list. Returns what follows, NULL: they are none. */
static const char *next_points(const char *list, long *from, long *to)
{
    char *end;
    *from = *to = strtol(list, &end, 10);
    if (*end == '-')
        *to = strtol(end + 1, &end, 10);
    return *list < '1' || *list > '9' || *to < *from || (*end && (*end != ',' || !end[1])) ? NULL
           : *end                                                                          ? end + 1
                                                                                           : end;
}

static error_t check_points(struct argp_state *state, const char *list)
{
    long from, to;
    for (const char *at = list; at == list || *at;)
        if (!(at = next_points(at, &from, &to)))
            argp_error(state, "--points=%s: expected numbers, as in 1-3,7", list);
    return 0;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'r': o->results = text; return 0;
    case 'c': o->csv = text; return 0;
    case 'f': o->from = text; return 0;
    case 'w': o->workload = text; return 0;
    case 'p': o->points = text; return check_points(state, text);
    case 'n': o->dry_run = 1; return 0;
    case 'e':
        o->engine = !strcmp(text, "local") ? engine_local : engine_slurm;
        if (o->engine == engine_slurm && strcmp(text, "slurm"))
            argp_error(state, "--engine=%s: expected local or slurm", text);
        return 0;
    case 'j': o->jobs = option_number(state, "jobs", text, 1, MAX_JOBS); return 0;
    case 't': o->timeout = option_number(state, "timeout", text, 0, MAX_TIMEOUT); return 0;
    case 'y': o->retry = 1; return 0;
    case 'd': o->forget = 1; return 0;
    case 's': o->sbatch = text; return 0;
    case 'k': o->task = option_number(state, "task", text, 1, MAX_POINTS); return 0;
    case ARGP_KEY_ARG:
        if (o->file)
            argp_error(state, "'%s': expected one FILE", text);
        o->file = text;
        return 0;
    case ARGP_KEY_END:
        if (o->from && (o->file || !o->csv))
            argp_error(state, "--from=%s goes with --csv=FILE and without a sweep to run", o->from);
        if (!o->from && !o->file)
            argp_error(state, "no file; expected: heddle sweep [OPTION...] FILE");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int sweep_import(struct sweep *s, int number, const char *otherwise)
{
    struct outcome o;
    char why[128];
    const struct point *p = &s->plan.points[number - 1];
    int found = outcome_read(&o, p, number, s->folder, why);
    if (found == 0 && strcmp(o.build, s->builds[number - 1])) {
        snprintf(why, sizeof why, "it is of another build");
        found = -1;
    }
    if (found != 0 && otherwise) {
        outcome_free(&o);
        o.broken = 1;
        o.exit_status = EXIT_USAGE;
        o.message = found < 0 ? text_of("what its task left cannot be used: %s", why)
                              : text_of("%s", otherwise);
    } else if (found < 0)
        fprintf(stderr, "heddle sweep: %s/%d.json: %s; its point is run again\n", s->folder, number,
                why);
    const int known = found == 0 || otherwise;
    if (known) {
        store_outcome(s->store, number, &o);
        if (o.broken)
            s->progress.broken++;
        else
            s->progress.done++;
    }
    char *path = task_file(s->folder, number, ".json");
    unlink(path);
    free(path);
    outcome_free(&o);
    return known ? 0 : -1;
}

static void tell_entered(const struct sweep *s, const struct entered *e)
{
    if (e->done_before)
        fprintf(stderr, "%d of %d points were run before\n", e->done_before, s->plan.count);
    if (e->rebuilt)
        fprintf(stderr, "%d points were run with another build and are run again\n", e->rebuilt);
    if (e->retried)
        fprintf(stderr, "%d broken points are run again\n", e->retried);
    if (e->forgotten)
        fprintf(stderr, "%d points that %s does not name were dropped\n", e->forgotten, s->file);
}

static int asked_for(const struct sweep *s, int number)
{
    long from = 1, to = s->plan.count;
    for (const char *at = s->points ? s->points : ""; *at;) {
        at = next_points(at, &from, &to);
        if (from <= number && number <= to)
            break;
    }
    return from <= number && number <= to &&
           (!s->workload || !strcmp(s->plan.points[number - 1].workload, s->workload));
}

/* The numbers of the points that have this status and were asked for, and how many they are. */
static int points(const struct sweep *s, const char *status, int *numbers)
{
    const int all = store_points(s->store, status, numbers);
    int count = 0;
    for (int i = 0; i < all; i++)
        if (asked_for(s, numbers[i]))
            numbers[count++] = numbers[i];
    return count;
}

/* Takes over what tasks of a sweep that was killed have left, and lists what there is to do. */
static void prepare(struct sweep *s)
{
    s->pending = more(NULL, (size_t)(s->plan.count + 1) * sizeof *s->pending);
    const int done = points(s, "done", s->pending), broken = points(s, "broken", s->pending),
              open = points(s, "pending", s->pending), count = done + broken + open;
    progress_begin(&s->progress, count, done, broken);
    s->num_pending = 0;
    for (int i = 0; i < open; i++)
        if (!folder_has(s->folder, s->pending[i]) || sweep_import(s, s->pending[i], NULL))
            s->pending[s->num_pending++] = s->pending[i];
    if (s->num_pending < open)
        fprintf(stderr, "%d points were left by an earlier sweep that was interrupted\n",
                open - s->num_pending);
    progress_begin(&s->progress, count, s->progress.done, s->progress.broken);
    if (done + broken && s->progress.before == count)
        fprintf(stderr, "nothing is left to run\n");
}

/* Opens the results, with exactly the plan's points in them. Returns 0 or -1. */
static int open_results(struct sweep *s, const struct options *o)
{
    struct entered entered;
    s->builds = more(NULL, (size_t)s->plan.count * sizeof *s->builds);
    if (build_hashes(&s->plan, s->builds) || !(s->store = store_open(s->results, 1)))
        return -1;
    if (store_enter(s->store, &s->plan, s->builds, o->retry, o->forget, &entered)) {
        fprintf(stderr,
                "heddle sweep: %s holds %d points that %s does not name; --forget drops them, "
                "--results=FILE chooses another file\n",
                s->results, entered.forgotten, s->file);
        return -1;
    }
    tell_entered(s, &entered);
    return 0;
}

static void tell_broken(const struct sweep *s)
{
    sqlite3_stmt *query =
        store_query(s->store, "SELECT id, \"group\", text, exit_status, message FROM points"
                              " WHERE status = 'broken' ORDER BY id");
    for (int n = 0; store_step(query) && n <= BROKEN_SHOWN; n++) {
        if (n == BROKEN_SHOWN) {
            fprintf(stderr, "and others: status and message are in the results\n");
            break;
        }
        fprintf(stderr, "broken: point %d, [%s] %s: exit status %d\n", sqlite3_column_int(query, 0),
                sqlite3_column_text(query, 1), sqlite3_column_text(query, 2),
                sqlite3_column_int(query, 3));
        const char *line = (const char *)sqlite3_column_text(query, 4);
        while (line && *line) {
            const int length = (int)strcspn(line, "\n");
            fprintf(stderr, "    | %.*s\n", length, line);
            line += length + (line[length] == '\n');
        }
    }
    sqlite3_finalize(query);
}

static int conclude(const struct sweep *s, int status)
{
    const int done = store_points(s->store, "done", NULL),
              broken = store_points(s->store, "broken", NULL);
    tell_broken(s);
    printf("%d points: %d done, %d broken", s->plan.count, done, broken);
    if (done + broken < s->plan.count)
        printf(", %d not run", s->plan.count - done - broken);
    printf("; results in %s\n", s->shown);
    if (status == EXIT_INTERRUPTED)
        printf("interrupted; the same command resumes it\n");
    return status ? status : broken ? EXIT_BROKEN : 0;
}

static int run(struct sweep *s, const struct options *o)
{
    int lock = folder_lock(s->folder), status = EXIT_USAGE;
    if (lock < 0)
        return EXIT_USAGE;
    signals_block();
    if (!open_results(s, o)) {
        prepare(s);
        status = o->engine(s);
        progress_end(&s->progress);
        status = conclude(s, status);
        if (o->csv && csv_write(s->store, o->csv))
            status = EXIT_USAGE;
    }
    if (s->store)
        sqlite3_close(s->store);
    folder_unlock(s->folder, lock);
    return status;
}

static char *absolute(const char *path)
{
    char here[PATH_MAX];
    if (*path == '/' || !getcwd(here, sizeof here))
        return text_of("%s", path);
    return text_of("%s/%s", here, path);
}

/* build/x.ini: build/x.sqlite */
static char *results_of(const char *file)
{
    const char *dot = strrchr(file, '.');
    return text_of("%.*s.sqlite",
                   dot && !strcmp(dot, ".ini") ? (int)(dot - file) : (int)strlen(file), file);
}

static int sweep_file(struct sweep *s, const struct options *o)
{
    if (plan_read(&s->plan, o->file, stderr))
        return EXIT_USAGE;
    int any = 0;
    for (int i = 0; i < s->plan.count; i++)
        if (asked_for(s, i + 1)) {
            any = 1;
            if (o->dry_run)
                printf("%d [%s] %s\n", i + 1, s->plan.points[i].group, s->plan.points[i].text);
        }
    if (!any)
        fprintf(stderr, "heddle sweep: no point of %s is chosen by --workload or --points\n",
                o->file);
    if (!any || o->dry_run)
        return any ? 0 : EXIT_USAGE;
    if (o->task > s->plan.count) {
        fprintf(stderr, "heddle sweep: --task=%d, but %s has %d points\n", o->task, o->file,
                s->plan.count);
        return EXIT_USAGE;
    }
    return o->task ? task_run(&s->plan, o->task, s->folder, s->captures, o->timeout) : run(s, o);
}

static int export(const struct options *o)
{
    sqlite3 *store = store_open(o->from, 0);
    const int failed = !store || csv_write(store, o->csv);
    sqlite3_close(store);
    return failed ? EXIT_USAGE : 0;
}

int command_sweep(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse_option,
        "FILE\n--from=RESULTS.sqlite --csv=FILE",
        "Runs every combination that FILE asks for, each as a process of its own, and gathers the "
        "results.\v"
        "FILE has groups, each the cross product of its keys:\n\n"
        "  [example]\n"
        "  config = gtx480, tiny\n"
        "  workload = spmv, bfs\n"
        "  size = small\n"
        "  args = --seed=1, --seed=2\n"
        "  run.sched = lrr, gto\n"
        "  l1d.sets = 32, 64\n"
        "  l1d.ways = 1..4, 8..16..4\n"
        "  l1d.mshrs = l1d.ways..32..8\n\n"
        "A value is a list of words, numbers and ranges from..to or from..to..step, whose ends may "
        "name an earlier key. A sweep that was interrupted or killed resumes when the same "
        "command is given again: what is done is not repeated.\n\n"
        "Exit status: 0 all points are done; 1 some are broken; 2 a usage or configuration error; "
        "130 interrupted.",
        0,
        0,
        0};
    struct options o = {.engine = engine_local};
    struct sweep s = {0};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    if (o.csv && file_check(o.csv, stderr))
        return EXIT_USAGE;
    if (o.from)
        return export(&o);
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    char *results = o.results ? text_of("%s", o.results) : results_of(o.file);
    char *file = absolute(o.file), *place = absolute(results),
         *command = text_of("%s", build_path(0, "heddle"));
    s.file = file;
    s.results = place;
    s.shown = results;
    s.command = command;
    s.sbatch = o.sbatch;
    s.workload = o.workload;
    s.points = o.points;
    s.folder = text_of("%s.tasks", place);
    s.captures = text_of("%s.captures", place);
    s.jobs = o.jobs || o.engine == engine_slurm        ? o.jobs
             : processors > 0 && processors < MAX_JOBS ? (int)processors
                                                       : 1;
    s.timeout = o.timeout;
    const int status = sweep_file(&s, &o);
    plan_free(&s.plan);
    free(s.builds);
    free(s.pending);
    free(s.folder);
    free(s.captures);
    free(command);
    free(place);
    free(file);
    free(results);
    return status;
}
