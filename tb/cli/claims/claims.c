/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/claims.c: `heddle claims`: reads ledgers of what papers claim, runs what they need,
 * and says what holds. Reading order: ledger.h, expr.h, rule.h, runs.h, judge.h, page.h. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/claims/page.h"
#include "tb/cli/cli.h"
#include "tb/cli/statistics.h"
#include "tb/file.h"
#include "tb/folder.h"
#include "tb/profile/sharing.h"

#define MAX_OPTIONS 8

struct options {
    const char *out, *paper, *claim, *size, *variants, *names, *keep;
    char *sweep[MAX_OPTIONS]; /* options of the sweeps */
    int num_sweep, no_run, dry_run, robust, configs;
    char **files;
    int num_files;
};

static const struct argp_option options[] = {
    {"out", 'o', "FOLDER", 0, "where runs, tables and pictures go (default: build/claims)", 0},
    {"paper", 'p', "NAME", 0, "claims of this paper only, as its [paper] is called", 0},
    {"claim", 'c', "ID", 0, "this claim only", 0},
    {"size", 's', "SIZE", 0, "of all programs: small, for trying (default: as the claims say)", 0},
    {"robust", 'r', 0, 0, "also run claims on gains on the machines of --variants", 0},
    {"variants", 'v', "FILE", 0, "other machines on which the sign of a gain must hold", 0},
    {"names", 'a', "FILE.json", 0,
     "check the names of statistics against those of any run before anything runs", 0},
    {"no-run", 'n', 0, 0, "run nothing: print what the results of earlier runs say", 0},
    {"keep", 'k', "FILE.md", 0,
     "in claims.md, keep the rows of this earlier one for claims that have not been run here, and "
     "its "
     "figures for those of which only a part has",
     0},
    {"dry-run", 'd', 0, 0, "check everything, print how many runs there are, and run nothing", 0},
    {"configs", 'f', 0, 0, "print the configurations that the claims need, and run nothing", 0},
    {"jobs", 'j', "N", 0, "runs at a time (default: as many as there are processors)", 0},
    {"timeout", 't', "SECONDS", 0, "a run that takes longer is broken", 0},
    {"retry", 'y', 0, 0, "run broken runs again", 0},
    {0},
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'o': o->out = text; return 0;
    case 'p': o->paper = text; return 0;
    case 'c': o->claim = text; return 0;
    case 's': o->size = text; return 0;
    case 'r': o->robust = 1; return 0;
    case 'v': o->variants = text; return 0;
    case 'a': o->names = text; return 0;
    case 'n': o->no_run = 1; return 0;
    case 'k': o->keep = text; return 0;
    case 'd': o->dry_run = 1; return 0;
    case 'f': o->configs = 1; return 0;
    case 'j':
    case 't':
    case 'y':
        if (o->num_sweep == MAX_OPTIONS)
            argp_error(state, "more than %d options of sweeps", MAX_OPTIONS);
        o->sweep[o->num_sweep++] = key == 'y'
                                       ? text_of("--retry")
                                       : text_of("--%s=%s", key == 'j' ? "jobs" : "timeout", text);
        return 0;
    case ARGP_KEY_ARGS:
        o->files = state->argv + state->next;
        o->num_files = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "no file of claims"); return EINVAL;
    case ARGP_KEY_END:
        if (o->robust && !o->variants)
            argp_error(state, "--robust needs --variants=FILE");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* A paper goes by its name, or by that of its file. */
static int is_paper(const char *name, const struct ledger *l)
{
    const char *slash = strrchr(l->path, '/'), *stem = slash ? slash + 1 : l->path;
    return !strcasecmp(name, l->name.text) ||
           (!strncasecmp(name, stem, strlen(name)) && !strcmp(stem + strlen(name), ".ini"));
}

static int chosen(const struct options *o, const struct claim *c)
{
    return (!o->paper || is_paper(o->paper, c->ledger)) && (!o->claim || !strcmp(o->claim, c->id));
}

/* A count of a profile, also of a load of a kernel: profile.COUNT, profile.load.PC.COUNT. */
static int known_count(const char *name, int of_kernel)
{
    static const char *const counts[] = {
#define COUNTER(name, meaning) "profile." #name,
#include "tb/profile/profile.def"
#define KIND(name, meaning) "profile.sharing." #name, "profile.lines." #name,
        SHARING_KINDS(KIND)
#undef KIND
#define COUNTER(name, meaning) "profile.l2." #name,
#include "tb/profile/l2_profile.def"
#define COUNTER(name, meaning) "profile.lost." #name,
#include "tb/profile/lost.def"
#define COUNTER(name, meaning) "profile.activity." #name,
#include "tb/profile/activity.def"
    };
    static const char load[] = "profile.load.";
    size_t skipped = 0; /* load.PC. */
    if (of_kernel && !strncmp(name, load, strlen(load))) {
        const size_t digits = strspn(name + strlen(load), "0123456789");
        skipped = digits ? strlen("load.") + digits + 1 : 0;
    }
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (!strncmp(name, "profile.", strlen("profile.")) &&
            !strcmp(name + strlen("profile.") + skipped, counts[i] + strlen("profile.")))
            return 1;
    return 0;
}

/* What the machine does, and none of two workloads on it by itself (tb/gpu/stats.c). */
static int of_machine(const char *name)
{
    static const char *const parts[] = {"issue.", "found.", "sharing.", "l1d.",  "l1c.",
                                        "l1i.",   "xbar.",  "l2.",      "dram.", "energy."};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!strncmp(name, parts[i], strlen(parts[i])))
            return 1;
    return 0;
}

/* Of a kernel a sweep keeps only some. */
static int known_name(void *statistics, const char *name, enum expr_scope scope)
{
    const int of_kernel = scope == OF_KERNEL;
    if (scope == OF_MEMBER)
        return !of_machine(name) && (!statistics || statistics_has_total(statistics, name));
    if (known_count(name, of_kernel))
        return 1;
    static const char *const kept[] = {
        "launches",
#define SUM(name)     name,
#define LARGEST(name) name,
#include "tb/cli/sweep/kernel.def"
    };
    static const char *const host[] = {
#define HOST(name) name,
#include "tb/cli/sweep/kernel.def"
    };
    const int found = !strncmp(name, "found.", strlen("found."));
    for (size_t i = 0; of_kernel && i < sizeof kept / sizeof kept[0]; i++)
        if (!strcmp(name, kept[i]))
            return 1;
    for (size_t i = 0; !of_kernel && i < sizeof host / sizeof host[0]; i++)
        if (!strcmp(name, host[i]))
            return 1;
    return (found || !of_kernel) && (!statistics || statistics_has_total(statistics, name));
}

/* Checks what the expressions of a claim name. */
static int check_names(struct runs *r, const struct claim *c, struct statistics *s, FILE *err)
{
    struct expr_source source;
    struct expr_error e;
    int failed = 0, end, at = 0;
    runs_of(r, c, -1, &source);
    for (int i = 0; i < c->num_runs && !failed; i++) {
        int found = 0;
        for (int k = 0; k < source.count && !found; k++)
            found = !strcmp(source.points[k].group, c->runs[i]);
        if (!found)
            failed = ledger_fail(c->ledger, &c->runs_words, 0, "no [runs ...] of that name", err);
    }
    for (int i = 0; i < c->num_values && !failed; i++)
        if (c->values[i].ours && expr_check(c->values[i].ours, &source, known_name, s, &e))
            failed = ledger_fail(c->ledger, &c->values[i].ours_words, e.at, e.what, err);
    while (!failed && (at = reason_next(c->reason.text, at, &end)) >= 0) {
        struct arena memory = {0};
        char *text = text_of("%.*s", end - at, c->reason.text + at);
        if (expr_check(expr_parse(text, &memory, &e), &source, known_name, s, &e))
            failed = ledger_fail(c->ledger, &c->reason, at + e.at, e.what, err);
        arena_free(&memory);
        free(text);
        at = end;
    }
    runs_forget(&source);
    return failed;
}

static int check_all(struct runs *r, const char *names)
{
    struct statistics *s = names ? statistics_read(names) : NULL;
    int failed = names && !s;
    for (int l = 0; l < r->num_ledgers && !failed; l++)
        for (int c = 0; c < r->ledgers[l].count && !failed; c++)
            failed = check_names(r, &r->ledgers[l].claims[c], s, stderr);
    statistics_free(s);
    return failed;
}

/* A file in the folder of the results, written by `print`. */
static int write_page(const struct page *p, const char *folder, const char *name,
                      void (*print)(const struct page *, FILE *))
{
    char *path = text_of("%s/%s", folder, name);
    struct file *file = file_create(path, stderr);
    free(path);
    if (!file)
        return -1;
    print(p, file_stream(file));
    return file_commit(file, stderr);
}

/* The files hold all claims, with what is known of them; stdout those that were asked for. */
static int print_all(struct runs *r, const struct options *o, struct kept *kept)
{
    int count = 0, all = 0, failed = 0;
    for (int l = 0; l < r->num_ledgers; l++)
        all += r->ledgers[l].count;
    struct judged *judged = more(NULL, (size_t)(all + 1) * sizeof *judged);
    char *shown = more(NULL, (size_t)all + 1);
    for (int l = 0; l < r->num_ledgers; l++)
        for (int c = 0; c < r->ledgers[l].count; c++) {
            shown[count] = (char)chosen(o, &r->ledgers[l].claims[c]);
            failed |= judge(&judged[count++], r, &r->ledgers[l].claims[c], o->robust, stderr);
        }
    struct page page = {judged, count, shown, o->size, r->variants, o->robust, NULL};
    page_text(&page, stdout);
    page.shown = NULL;
    failed |=
        write_page(&page, r->folder, "claims.csv", page_csv) | page_pictures(&page, r->folder);
    page.kept = o->keep ? kept : NULL;
    for (int i = 0; o->keep && i < count; i++)
        kept_values(kept, &judged[i], o->robust);
    failed |= write_page(&page, r->folder, "claims.md", page_markdown);
    for (int i = 0; i < count; i++)
        judged_free(&judged[i]);
    free(judged);
    free(shown);
    return failed ? EXIT_USAGE : 0;
}

static void print_configs(const struct runs *r)
{
    for (int i = 0; i < r->num_wanted; i++) {
        int first = 0;
        while (strcmp(r->wanted[first]->config, r->wanted[i]->config) != 0)
            first++;
        if (first == i)
            printf("%s\n", r->wanted[i]->config);
    }
}

/* First the machines as they are: what a profile chose there is run on the others. */
static int run_claims(struct runs *r, const struct options *o, const struct claim **claims,
                      int count)
{
    int status = runs_sweep(r, o->dry_run, o->sweep, o->num_sweep);
    if (status || !o->robust)
        return status;
    fprintf(stderr, "other machines\n");
    runs_want_signs(r, claims, count);
    return runs_sweep(r, o->dry_run, o->sweep, o->num_sweep);
}

static int run_and_print(struct runs *r, const struct options *o, struct kept *kept)
{
    const struct claim **claims = NULL;
    int count = 0, status = 0;
    for (int l = 0; l < r->num_ledgers; l++) {
        claims = more(claims, (size_t)(count + r->ledgers[l].count + 1) * sizeof *claims);
        for (int c = 0; c < r->ledgers[l].count; c++)
            if (chosen(o, &r->ledgers[l].claims[c])) {
                claims[count] = &r->ledgers[l].claims[c];
                runs_want(r, claims[count++]);
            }
    }
    if (!count) {
        fprintf(stderr, "heddle claims: there is no claim%s%s%s%s\n", o->claim ? " " : "",
                o->claim ? o->claim : "", o->paper ? " of " : "", o->paper ? o->paper : "");
        free(claims);
        return EXIT_USAGE;
    }
    if (o->configs)
        print_configs(r);
    else if (!o->no_run)
        status = run_claims(r, o, claims, count);
    free(claims);
    return status || o->dry_run || o->configs ? status : print_all(r, o, kept);
}

static int make_folder(const char *path)
{
    const int failed = folder_make(path);
    if (failed)
        fprintf(stderr, "%s: cannot be made: %s\n", path, strerror(errno));
    return failed;
}

static int claims(const struct options *o)
{
    struct ledger *ledgers = more(NULL, (size_t)o->num_files * sizeof *ledgers);
    struct variants variants = {0};
    struct kept kept = {0};
    char *folder = text_of("%s%s%s", o->out ? o->out : "build/claims", o->size ? "/" : "",
                           o->size ? o->size : "");
    struct runs runs = {.ledgers = ledgers,
                        .num_ledgers = o->num_files,
                        .variants = &variants,
                        .folder = folder,
                        .size = o->size};
    int status = 0, read = 0;
    while (!status && read < o->num_files) {
        status = ledger_read(&ledgers[read], o->files[read], stderr);
        read++;
    }
    status = status || (o->variants && variants_read(&variants, o->variants, stderr)) ||
                     (!o->configs && make_folder(folder)) || runs_read(&runs, stderr) ||
                     check_all(&runs, o->names) ||
                     (o->keep && kept_read(&kept, o->keep, page_columns(o->robust), stderr))
                 ? EXIT_USAGE
                 : run_and_print(&runs, o, &kept);
    kept_free(&kept);
    runs_free(&runs);
    variants_free(&variants);
    while (read)
        ledger_free(&ledgers[--read]);
    free(ledgers);
    free(folder);
    return status;
}

int command_claims(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse_option,
        "LEDGER.ini...",
        "Prints what papers claim beside what the machine says: runs what the claims of the files "
        "need and has not been run yet, then judges each of them.\v"
        "An interrupted command resumes: what was run is not run again. claims.md, "
        "claims.csv and the pictures, in FOLDER, or with --size in FOLDER/SIZE, hold all "
        "claims. A table that claims name is NAME.csv there, which other commands write.\n\nExit "
        "status: 0 all could be judged or was found open, whatever the "
        "verdict; "
        "2 a usage or configuration error; 130 interrupted.",
        0,
        0,
        0};
    struct options o = {0};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    const int status = claims(&o);
    while (o.num_sweep)
        free(o.sweep[--o.num_sweep]);
    return status;
}
