/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/task.c: one point, run by the `heddle` of its configuration's build. command.c says how, captures.c what comes before. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tb/cli/cli.h"
#include "tb/cli/statistics.h"
#include "tb/cli/sweep/captures.h"
#include "tb/cli/sweep/folder.h"
#include "tb/cli/sweep/sweep.h"

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

/* Adds to a member, which is made if there is none; what is no number adds nothing. */
static void add_to(cJSON *sums, const char *name, double value)
{
    cJSON *sum = cJSON_GetObjectItemCaseSensitive(sums, name);
    if (isnan(value))
        return;
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
        const cJSON *folded = cJSON_GetObjectItem(k, "launches"); /* run.fold */
        add_to(kept, "launches", cJSON_IsNumber(folded) ? folded->valuedouble : 1);
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

/* Removes what is no number from an object, and from the objects in it at any depth. */
static void keep_numbers(cJSON *object)
{
    for (cJSON *member = object ? object->child : NULL; member;) {
        cJSON *next = member->next;
        if (cJSON_IsObject(member))
            keep_numbers(member);
        else if (!cJSON_IsNumber(member))
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

/* Of two that ran beside each other: what each did. Returns 0, or -1: it is not there. */
static int add_each(cJSON *results, const cJSON *all)
{
    static const char *const names[MAX_MEMBERS] = {MEMBER_NAMES};
    const cJSON *together = cJSON_GetObjectItem(all, "together");
    cJSON *each = cJSON_GetObjectItem(cJSON_GetArrayItem(together, 0), "each");
    if (cJSON_GetArraySize(together) != 1 || cJSON_GetArraySize(each) != MAX_MEMBERS)
        return -1;
    for (int i = 0; i < MAX_MEMBERS; i++) {
        cJSON *member = cJSON_DetachItemFromArray(each, 0);
        keep_numbers(member);
        cJSON_AddItemToObject(results, names[i], member);
    }
    return 0;
}

/* The totals of a statistics file, each of two, and its kernels, their launches apart or not; or NULL: it is not one, or (then *why says
 * so) an incomplete one. */
static cJSON *read_results(const char *statistics, int apart, int two, char **why)
{
    cJSON *all = read_json(statistics), *incomplete = cJSON_GetObjectItem(all, "incomplete"),
          *results = incomplete ? NULL : cJSON_DetachItemFromObjectCaseSensitive(all, "totals");
    if (cJSON_IsString(incomplete))
        *why = text_of("its statistics are incomplete: %s", incomplete->valuestring);
    keep_numbers(results);
    if (results && two && add_each(results, all)) {
        cJSON_Delete(results);
        results = NULL;
    }
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
    char *why = NULL;
    o->broken = status != 0;
    if (status < 0) {
        o->exit_status = 124;
        o->message = text_of("still running after %d s", timeout);
    } else if (status) {
        o->exit_status = status;
        o->message = excerpt_of(files->log);
    } else if (!(o->results = read_results(files->statistics, point_has(p, "launches"),
                                           files->captures[1] != NULL, &why))) {
        o->broken = 1;
        o->message = why ? why : text_of("it left no statistics");
    } else if (files->profile && add_profile(o->results, files->profile)) {
        o->broken = 1;
        o->message = text_of("it left no profile");
    }
}

int command_wait(struct command *c, const char *log, int timeout)
{
    const pid_t child = start(c->words, log);
    while (c->count)
        free(c->words[--c->count]);
    if (child < 0)
        fprintf(stderr, "heddle sweep: cannot start a process: %s\n", strerror(errno));
    return child < 0 ? -2 : wait_for(child, timeout);
}

int task_run(const struct plan *plan, int number, const char *folder, const char *captures,
             int timeout)
{
    const struct point *p = &plan->points[number - 1];
    const char *other = point_other_run(p);
    struct task_files files = {
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
            command_other(&command, p, other, &files);
            ended = command_wait(&command, files.log, timeout);
        }
        if (point_replays(p))
            ended = captures_ready(p, captures, &files, timeout);
        if (!ended) {
            command_point(&command, p, &files);
            ended = command_wait(&command, files.log, timeout);
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
    for (int i = 0; i < MAX_MEMBERS; i++)
        free(files.captures[i]);
    return status;
}
