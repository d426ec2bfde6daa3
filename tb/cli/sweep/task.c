/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/task.c: one point, run by the `heddle` of its configuration's build. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tb/cli/cli.h"
#include "tb/cli/statistics.h"
#include "tb/cli/sweep/folder.h"
#include "tb/cli/sweep/sweep.h"

#define MAX_WORDS 512 /* of the command line */

struct task_files {
    char *statistics, *profile, *other, *log, *fail; /* NULL: none is made; other: plan.h */
};

struct command {
    char *words[MAX_WORDS];
    int count;
};

static void add_word(struct command *c, char *word)
{
    if (c->count < MAX_WORDS - 1)
        c->words[c->count++] = word;
    else
        free(word);
}
#define ADD(...) add_word(c, text_of(__VA_ARGS__))

static void command_free(struct command *c)
{
    while (c->count)
        free(c->words[--c->count]);
}

static void add_heddle(struct command *c, const struct point *p)
{
    char path[PATH_MAX];
    ADD("%s", plan_file(path, p->config, "heddle"));
    ADD("run");
}

static void add_program(struct command *c, const struct point *p, const char *size)
{
    char path[PATH_MAX], program[300];
    snprintf(program, sizeof program, "workloads/%s", p->workload);
    ADD("--");
    ADD("%s", plan_file(path, p->config, program));
    if (*size)
        ADD("--size=%s", size);
    for (const char *at = p->args + strspn(p->args, " \t"); *at; at += strspn(at, " \t")) {
        ADD("%.*s", (int)strcspn(at, " \t"), at);
        at += strcspn(at, " \t");
    }
    c->words[c->count] = NULL;
}

/* The run of a point. */
static void write_command(struct command *c, const struct point *p, const struct task_files *files)
{
    add_heddle(c, p);
    ADD("--stats=%s", files->statistics);
    ADD("--fail=%s", files->fail);
    if (files->profile)
        ADD("--profile=%s", files->profile);
    for (int i = 0; i < p->num_settings; i++)
        if (!is_sweep_key(p->settings[i].key))
            ADD("--set=%s=%s", p->settings[i].key,
                other_run(p->settings[i].value) ? files->other : p->settings[i].value);
    add_program(c, p, p->size);
}

/* The run before it, on the configuration as it is: on another input, or under another policy. */
static void write_other(struct command *c, const struct point *p, const char *word,
                        const struct task_files *files)
{
    add_heddle(c, p);
    ADD("--%s=%s", is_size(word) ? "profile" : "stats", files->other);
    if (!is_size(word))
        ADD("--sched=%s", word);
    add_program(c, p, is_size(word) ? word : p->size);
}
#undef ADD

static pid_t start(char *const *words, const char *log)
{
    const pid_t parent = getpid(), child = fork();
    if (child)
        return child;
    const int nothing = open("/dev/null", O_RDWR),
              to = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (nothing < 0 || to < 0)
        _exit(EXIT_USAGE);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(to, STDERR_FILENO);
    signals_child(parent);
    execv(words[0], words);
    fprintf(stderr, "%s: cannot be run: %s\n", words[0], strerror(errno));
    _exit(EXIT_USAGE);
}

/* Waits for the process. Returns its exit status as a shell would, or -1: it was ended because its
 * time was over. */
static int wait_for(pid_t child, int timeout)
{
    struct timespec now, end;
    int status, late = 0;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += timeout;
    while (waitpid(child, &status, WNOHANG) == 0) {
        const int signal = signals_wait(1000);
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (signal_ends(signal)) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            exit(EXIT_INTERRUPTED); /* nothing is left: the point is still to be done */
        }
        if (timeout && !late &&
            (now.tv_sec > end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec)))
            late = kill(child, SIGKILL) == 0;
    }
    return late ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Adds to a member, which is made if there is none. */
static void add_to(cJSON *sums, const char *name, double value)
{
    cJSON *sum = cJSON_GetObjectItemCaseSensitive(sums, name);
    if (!sum)
        sum = cJSON_AddNumberToObject(sums, name, 0);
    cJSON_SetNumberValue(sum, sum->valuedouble + value);
}

/* The largest of a member. */
static void raise_to(cJSON *all, const char *name, double value)
{
    const cJSON *before = cJSON_GetObjectItemCaseSensitive(all, name);
    if (!before)
        cJSON_AddNumberToObject(all, name, value);
    else if (value > before->valuedouble)
        add_to(all, name, value - before->valuedouble);
}

/* A statistic of a launch by its name; NAN: there is none. */
static double statistic_of(const cJSON *launch, const char *name)
{
    const char *dot = strchr(name, '.');
    if (!dot)
        return cJSON_GetNumberValue(cJSON_GetObjectItem(launch, name));
    char object[32];
    snprintf(object, sizeof object, "%.*s", (int)(dot - name), name);
    return statistic_of(cJSON_GetObjectItem(launch, object), dot + 1);
}

/* The object of a launch among those kept: of its kernel's name; `launches`: of it alone, by its number among the launches
 * of that name. */
static cJSON *kept_of(cJSON *all, const char *name, cJSON *launches)
{
    char *key;
    if (launches) {
        add_to(launches, name, 1);
        key =
            text_of("%s#%.0f", name, cJSON_GetObjectItemCaseSensitive(launches, name)->valuedouble);
    } else
        key = text_of("%s", name);
    cJSON *kept = cJSON_GetObjectItemCaseSensitive(all, key);
    if (!kept)
        kept = cJSON_AddObjectToObject(all, key);
    free(key);
    return kept;
}

/* What a sweep keeps of each kernel: over its launches, or of each of them. */
static cJSON *keep_kernels(const cJSON *kernels, int apart)
{
    cJSON *all = cJSON_CreateObject(), *launches = apart ? cJSON_CreateObject() : NULL;
    for (const cJSON *k = kernels ? kernels->child : NULL; k; k = k->next) {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(k, "name"));
        const cJSON *occupancy = cJSON_GetObjectItem(k, "occupancy"),
                    *found = cJSON_GetObjectItem(k, "found");
        cJSON *kept = kept_of(all, name ? name : "?", launches);
        add_to(kept, "launches", 1);
#define SUM(name)     add_to(kept, name, statistic_of(k, name));
#define LARGEST(name) raise_to(kept, name, statistic_of(occupancy, name));
#include "tb/cli/sweep/kernel.def"
        for (const cJSON *f = found ? found->child : NULL; f; f = f->next) {
            char key[64];
            snprintf(key, sizeof key, "found.%s", f->string);
            if (cJSON_IsNumber(f))
                add_to(kept, key, f->valuedouble);
        }
    }
    cJSON_Delete(launches);
    return all;
}

/* Removes the members that are no numbers, nor objects. */
static void keep_numbers(cJSON *object)
{
    for (cJSON *member = object ? object->child : NULL; member;) {
        cJSON *next = member->next;
        if (!cJSON_IsNumber(member) && !cJSON_IsObject(member))
            cJSON_Delete(cJSON_DetachItemViaPointer(object, member));
        member = next;
    }
}

static cJSON *read_json(const char *path)
{
    char *text = read_text_file(path);
    cJSON *json = text ? cJSON_Parse(text) : NULL;
    free(text);
    return json;
}

static void add_host(cJSON *results, const cJSON *all)
{
    double value;
#define HOST(name)                                                                                 \
    if ((value = statistic_of(all, name)) > 0)                                                     \
        cJSON_AddNumberToObject(results, name, value);
#include "tb/cli/sweep/kernel.def"
}

/* The totals of a statistics file, and its kernels, their launches apart or not; or NULL: it is not one. */
static cJSON *read_results(const char *statistics, int apart)
{
    cJSON *all = read_json(statistics),
          *results = cJSON_DetachItemFromObjectCaseSensitive(all, "totals");
    keep_numbers(results);
    if (results) {
        add_host(results, all);
        cJSON_AddItemToObject(results, "kernel",
                              keep_kernels(cJSON_GetObjectItem(all, "kernels"), apart));
    }
    cJSON_Delete(all);
    return results;
}

/* The loads of a kernel's profile by PC. */
static cJSON *profile_loads(cJSON *loads)
{
    cJSON *all = cJSON_CreateObject();
    for (cJSON *load = loads ? loads->child : NULL; load;) {
        cJSON *next = load->next;
        char pc[24];
        snprintf(pc, sizeof pc, "%.0f", cJSON_GetNumberValue(cJSON_GetObjectItem(load, "pc")));
        cJSON_DetachItemViaPointer(loads, load);
        keep_numbers(load);
        cJSON_AddItemToObject(all, pc, load);
        load = next;
    }
    return all;
}

/* Adds the counts of a profile: profile.COUNT in all, kernel.NAME.profile.COUNT, and
 * kernel.NAME.profile.load.PC.COUNT. Returns 0, or -1: it is no profile. */
static int add_profile(cJSON *results, const char *profile)
{
    cJSON *all = read_json(profile), *kernels = cJSON_GetObjectItem(results, "kernel"),
          *totals = cJSON_DetachItemFromObjectCaseSensitive(all, "totals"),
          *its_kernels = cJSON_GetObjectItem(all, "kernels");
    const int failed = !totals;
    keep_numbers(totals);
    cJSON_AddItemToObject(results, "profile", totals);
    for (cJSON *k = its_kernels ? its_kernels->child : NULL; k;) {
        cJSON *next = k->next;
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(k, "name"));
        cJSON *to = cJSON_GetObjectItemCaseSensitive(kernels, name ? name : "?"),
              *loads = profile_loads(cJSON_GetObjectItem(k, "loads"));
        keep_numbers(k);
        cJSON_AddItemToObject(k, "load", loads);
        cJSON_DetachItemViaPointer(its_kernels, k);
        if (!cJSON_AddItemToObject(to, "profile", k))
            cJSON_Delete(k);
        k = next;
    }
    cJSON_Delete(all);
    return failed ? -1 : 0;
}

/* What became of the program of a point. */
static void judge(struct outcome *o, const struct point *p, int status, int timeout,
                  const struct task_files *files)
{
    o->broken = status != 0;
    if (status < 0) {
        o->exit_status = 124;
        o->message = text_of("still running after %d s", timeout);
    } else if (status) {
        o->exit_status = status;
        o->message = excerpt_of(files->log);
    } else if (!(o->results = read_results(files->statistics, point_has(p, "launches")))) {
        o->broken = 1;
        o->message = text_of("it left no statistics");
    } else if (files->profile && add_profile(o->results, files->profile)) {
        o->broken = 1;
        o->message = text_of("it left no profile");
    }
}

/* Runs it to its end. Returns its exit status, -1: it was ended, or -2: it could not be started. */
static int run_command(struct command *c, const char *log, int timeout)
{
    const pid_t child = start(c->words, log);
    command_free(c);
    if (child < 0)
        fprintf(stderr, "heddle sweep: cannot start a process: %s\n", strerror(errno));
    return child < 0 ? -2 : wait_for(child, timeout);
}

int task_run(const struct plan *plan, int number, const char *folder, int timeout)
{
    const struct point *p = &plan->points[number - 1];
    const char *other = point_other_run(p);
    const struct task_files files = {
        .statistics = task_file(folder, number, ".stats"),
        .profile = point_has(p, "profile") ? task_file(folder, number, ".profile") : NULL,
        .other = other ? task_file(folder, number, ".other") : NULL,
        .log = task_file(folder, number, ".log"),
        .fail = task_file(folder, number, ".fail"),
    };
    struct command command = {0};
    struct outcome o = {0};
    int status = build_hash(p, o.build) ? EXIT_USAGE : 0, ended = 0;
    if (!status) {
        folder_clear(files.fail);
        signals_block();
        if (other) {
            write_other(&command, p, other, &files);
            ended = run_command(&command, files.log, timeout);
        }
        if (!ended) {
            write_command(&command, p, &files);
            ended = run_command(&command, files.log, timeout);
        }
        if (ended == -2)
            status = EXIT_USAGE;
        else
            judge(&o, p, ended, timeout, &files);
    }
    if (!status && outcome_write(&o, p, number, folder))
        status = EXIT_USAGE;
    const char *const made[] = {files.statistics, files.profile, files.other,
                                status ? NULL : files.log};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        if (made[i])
            unlink(made[i]);
    outcome_free(&o);
    free(files.statistics);
    free(files.profile);
    free(files.other);
    free(files.log);
    free(files.fail);
    return status;
}
