/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/workload.c: what is wrong with what a point runs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hw.h"
#include "tb/capture/record.h"
#include "tb/cli/cli.h"
#include "tb/cli/sweep/plan.h"

static int refuse_args(const struct member *capture, FILE *err)
{
    fprintf(err, "workload = %s; expected no arguments behind a capture", capture->program);
    return -1;
}

static int check_capture(const char *path, FILE *err)
{
    char mark[sizeof CAPTURE_MARK] = "";
    FILE *f = fopen(path, "rb");
    const int unread = !f || (fread(mark, 1, sizeof mark - 1, f) < sizeof mark - 1 && ferror(f)),
              failed = unread || strcmp(mark, CAPTURE_MARK) != 0;
    if (unread)
        fprintf(err, "workload = %s: cannot be read: %s", path, strerror(errno));
    else if (failed)
        fprintf(err, "workload = %s: is no capture of this version", path);
    if (f)
        fclose(f);
    return failed ? -1 : 0;
}

static int check_program(const struct point *p, const char *name, int built, FILE *err)
{
    static const char *const known[] = {
#define WORKLOAD(name, paper_set, memory_sensitive, what, sizes) #name,
#include "tb/workloads/registry.def"
#undef WORKLOAD
    };
    char path[PATH_MAX], program[300];
    size_t i = 0;
    while (i < sizeof known / sizeof known[0] && strcmp(known[i], name))
        i++;
    if (i == sizeof known / sizeof known[0]) {
        fprintf(err, "workload = %s: unknown workload; `heddle list workloads` shows them", name);
        return -1;
    }
    snprintf(program, sizeof program, "workloads/%s", name);
    if (built && access(plan_file(path, p->config, program), X_OK)) {
        fprintf(err, "workload = %s is not built; `make build CONFIG=%s` does so", name, p->config);
        return -1;
    }
    return 0;
}

int workload_check(const struct point *p, int built, FILE *err)
{
    struct arena memory = {0};
    struct member members[MAX_MEMBERS];
    const int count = point_members(p, members, &memory);
    int failed = count < 0;
    if (failed)
        fprintf(err, "workload = %s; expected one, or two joined by a +", p->workload);
    for (int i = 0; i < count && !failed; i++)
        failed = !is_capture(members[i].name) ? check_program(p, members[i].name, built, err)
                 : *members[i].args           ? refuse_args(&members[i], err)
                                              : check_capture(members[i].name, err);
    arena_free(&memory);
    return failed ? -1 : 0;
}

/* Has it a program, which has a size? */
static int sized(const struct point *p)
{
    struct arena memory = {0};
    struct member members[MAX_MEMBERS];
    const int count = point_members(p, members, &memory);
    int any = count < 0;
    for (int i = 0; i < count; i++)
        any |= !is_capture(members[i].name);
    arena_free(&memory);
    return any;
}

void workload_size(struct point *p, const char *size)
{
    p->size = sized(p) ? size : "";
}

/* Why a point with these words cannot be a replay; NULL: it can. */
static const char *refused(const struct point *p)
{
    return *p->args                ? "args; expected the arguments of each behind its name"
           : *p->size && !sized(p) ? "size; expected none: a capture has its own"
           : point_other_run(p)    ? "a key with @; expected it only where a program runs"
                                   : NULL;
}

int replay_check(const struct point *p, const struct config *c, FILE *err)
{
    const char *why = point_replays(p) ? refused(p)
                      : point_has(p, "differ")
                          ? "differ = 1; expected a capture, or two workloads joined by a +"
                          : NULL;
    if (why)
        fprintf(err, "workload = %s, and %s", p->workload, why);
    return why || (c && strchr(p->workload, '+') && check_several(c, err)) ? -1 : 0;
}
