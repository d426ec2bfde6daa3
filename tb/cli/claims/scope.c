/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/scope.c: see scope.h. */
#include "tb/cli/claims/scope.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int expr_fail(struct evaluation *ev, int at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(ev->error->what, sizeof ev->error->what, format, args);
    va_end(args);
    ev->error->at = at;
    return -1;
}

static const char *setting_of(const struct point *p, const char *key)
{
    for (int i = 0; i < p->num_settings; i++)
        if (!strcmp(p->settings[i].key, key))
            return p->settings[i].value;
    return NULL;
}

const char *scope_place(const struct point *p, const char *axis, char room[512])
{
    if (!strcmp(axis, "config"))
        return p->config;
    if (!strcmp(axis, "workload"))
        return p->workload;
    if (!strcmp(axis, "args"))
        return p->args;
    if (!strcmp(axis, "size"))
        return p->size;
    if (!strcmp(axis, "point"))
        return p->text;
    if (strcmp(axis, "program") != 0)
        return setting_of(p, axis);
    snprintf(room, 512, "%s%s%s", p->workload, *p->args ? " " : "", p->args);
    return room;
}

struct scope scope_narrow(struct evaluation *ev, struct scope scope, const char *axis,
                          const char *value)
{
    int *points = arena_alloc(&ev->memory, (size_t)scope.count * sizeof *points, sizeof *points);
    struct scope some = {points, 0, scope.kernel, scope.member};
    char room[512];
    if (!points)
        no_memory();
    for (int i = 0; i < scope.count; i++) {
        const struct point *p = &ev->source->points[scope.points[i]];
        const char *place = axis ? scope_place(p, axis, room) : p->group;
        if (place && !strcmp(place, value))
            points[some.count++] = scope.points[i];
    }
    return some;
}

/* Runs of the same text are one run. */
static int same_run(const struct evaluation *ev, struct scope scope)
{
    for (int i = 1; i < scope.count; i++)
        if (strcmp(ev->source->points[scope.points[i]].text,
                   ev->source->points[scope.points[0]].text) != 0)
            return 0;
    return scope.count > 0;
}

static int is_number(const char *text, double *value)
{
    char *end;
    *value = text ? strtod(text, &end) : 0;
    return text && *text && !*end && isfinite(*value);
}

static const char *const member_names[MAX_MEMBERS] = {MEMBER_NAMES};

const char *scope_member(struct evaluation *ev, int at, struct scope scope, int member)
{
    struct member members[MAX_MEMBERS];
    const char *first = NULL;
    for (int i = 0; i < scope.count; i++) {
        const struct point *p = &ev->source->points[scope.points[i]];
        if (point_members(p, members, &ev->memory) != MAX_MEMBERS) {
            expr_fail(ev, at, "'%s' has no members; expected two workloads joined by a +",
                      p->workload);
            return NULL;
        }
        if (first && strcmp(first, p->workload) != 0) {
            expr_fail(ev, at,
                      "members of '%s' and of '%s'; expected a fold over workload around it", first,
                      p->workload);
            return NULL;
        }
        first = p->workload;
    }
    if (!first)
        expr_fail(ev, at, "a member, and no run");
    return first ? members[member - 1].program : NULL;
}

/* The name under which a result of the scope stands. Returns 0, or -1: there is none. */
static int result_name(struct evaluation *ev, const struct expr *e, struct scope scope,
                       char name[256])
{
    const char *first = scope.kernel ? "kernel." : "",
               *second = scope.kernel   ? scope.kernel
                         : scope.member ? member_names[scope.member - 1]
                                        : "";
    snprintf(name, 256, "%s%s%s%s", first, second, *second ? "." : "", e->name);
    return scope.kernel && scope.member
               ? expr_fail(ev, e->at, "%s of a kernel and of a member; expected one of them",
                           e->name)
               : 0;
}

int scope_value(struct evaluation *ev, const struct expr *e, struct scope scope, double *value)
{
    char why[128], name[256];
    if (scope.count &&
        is_number(setting_of(&ev->source->points[scope.points[0]], e->name), value)) {
        double other;
        for (int i = 1; i < scope.count; i++)
            if (!is_number(setting_of(&ev->source->points[scope.points[i]], e->name), &other) ||
                other < *value || other > *value)
                return expr_fail(ev, e->at, "%s has several values here; expected runs with one",
                                 e->name);
        return 0;
    }
    if (!same_run(ev, scope))
        return expr_fail(ev, e->at, "%s of %d runs; expected one: a fold or {...} around it",
                         e->name, scope.count);
    if (result_name(ev, e, scope, name))
        return -1;
    if (ev->known) {
        static const char *const of[] = {"", " of a kernel", " of a member"};
        const enum expr_scope is = scope.kernel ? OF_KERNEL : scope.member ? OF_MEMBER : OF_PROGRAM;
        *value = 1;
        return ev->known(ev->user, e->name, is)
                   ? 0
                   : expr_fail(ev, e->at, "'%s': no such statistic%s", e->name, of[is]);
    }
    const int status = ev->source->fetch(ev->source->user, scope.points[0], name, value, why);
    if (status > 0)
        return expr_fail(ev, e->at, "'%s': no such statistic of %s", name,
                         ev->source->points[scope.points[0]].text);
    if (status < 0) {
        ev->error->not_run = 1;
        return expr_fail(ev, e->at, "%s: %s", ev->source->points[scope.points[0]].text, why);
    }
    return 0;
}

int scope_member_number(const char *name)
{
    int i = 0;
    while (i < MAX_MEMBERS && strcmp(member_names[i], name) != 0)
        i++;
    return i < MAX_MEMBERS ? i + 1 : 0;
}
