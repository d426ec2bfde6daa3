/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/eval.c: the value of an expression. See expr.h; scope.c has that of a name. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/claims/scope.h"

static int value_of(struct evaluation *ev, const struct expr *e, struct scope scope, double *value);

/* Values and the scopes that they belong to. */
struct values {
    double *value;
    struct scope *scope;
    int count, room;
};

static int add_value(struct evaluation *ev, struct values *all, const struct expr *e,
                     struct scope scope)
{
    if (all->count == all->room) {
        all->room = all->room ? 2 * all->room : 16;
        all->value = more(all->value, (size_t)all->room * sizeof *all->value);
        all->scope = more(all->scope, (size_t)all->room * sizeof *all->scope);
    }
    all->scope[all->count] = scope;
    return value_of(ev, e, scope, &all->value[all->count++]);
}

static int spread(struct evaluation *ev, struct values *all, const struct expr *e, int axis,
                  struct scope scope);

static int spread_kernels(struct evaluation *ev, struct values *all, const struct expr *e, int axis,
                          struct scope scope)
{
    const char **seen = NULL;
    int count = 0, failed = 0;
    for (int i = 0; i < scope.count && !failed; i++) {
        static const char *any[] = {"*"};
        const char **names = any;
        char why[128];
        /* a program has the same kernels on each machine */
        const struct expr_source *source = ev->source->chooser ? ev->source->chooser : ev->source;
        const int kernels =
            ev->known ? 1
                      : source->kernels(source->user, scope.points[i], &names, &ev->memory, why);
        if (kernels < 0) {
            ev->error->not_run = 1;
            failed = expr_fail(ev, e->at, "%s: %s", ev->source->points[scope.points[i]].text, why);
        }
        for (int k = 0; k < kernels && !failed; k++) {
            int old = 0;
            while (old < count && strcmp(seen[old], names[k]) != 0)
                old++;
            if (old < count)
                continue;
            seen = more(seen, (size_t)(count + 1) * sizeof *seen);
            seen[count++] = scope.kernel = names[k];
            failed = spread(ev, all, e, axis + 1, scope);
        }
    }
    free(seen);
    return failed;
}

static int spread_members(struct evaluation *ev, struct values *all, const struct expr *e, int axis,
                          struct scope scope)
{
    int failed = 0;
    for (scope.member = 1; scope.member <= MAX_MEMBERS && !failed; scope.member++)
        failed =
            !scope_member(ev, e->at, scope, scope.member) || spread(ev, all, e, axis + 1, scope);
    return failed ? -1 : 0;
}

/* e->a at each value of the axes from this one on, in the order of the runs. */
static int spread(struct evaluation *ev, struct values *all, const struct expr *e, int axis,
                  struct scope scope)
{
    char room[512], other[512];
    int any = 0;
    if (axis == e->num_axes)
        return add_value(ev, all, e->a, scope);
    const char *name = e->axes[axis];
    if (!strcmp(name, "kernel"))
        return spread_kernels(ev, all, e, axis, scope);
    if (!strcmp(name, "member"))
        return spread_members(ev, all, e, axis, scope);
    for (int i = 0; i < scope.count; i++) {
        const char *place = scope_place(&ev->source->points[scope.points[i]], name, room);
        int old = 0;
        if (!place)
            continue;
        for (; old < i; old++) {
            const char *before = scope_place(&ev->source->points[scope.points[old]], name, other);
            if (before && !strcmp(before, place))
                break;
        }
        any = 1;
        if (old == i && spread(ev, all, e, axis + 1, scope_narrow(ev, scope, name, place)))
            return -1;
    }
    return any ? 0 : expr_fail(ev, e->at, "no run has a '%s' here", name);
}

static int fold(struct evaluation *ev, const struct expr *e, const struct values *all,
                double *value)
{
    double sum = 0;
    const double *v = all->value;
    *value = e->op == OP_ALL || e->op == OP_ANY ? e->op == OP_ALL : v[0];
    for (int i = 0; i < all->count; i++) {
        if ((e->op == OP_GMEAN || e->op == OP_HMEAN) && !(v[i] > 0) && !ev->known)
            return expr_fail(ev, e->at, "a mean of %g; expected positive values", v[i]);
        sum += e->op == OP_GMEAN ? log(v[i]) : e->op == OP_HMEAN ? 1 / v[i] : v[i];
        *value = e->op == OP_MIN   ? fmin(*value, v[i])
                 : e->op == OP_MAX ? fmax(*value, v[i])
                 : e->op == OP_ALL ? *value != 0 && v[i] != 0
                 : e->op == OP_ANY ? *value != 0 || v[i] != 0
                                   : *value;
    }
    switch (e->op) {
    case OP_SUM: *value = sum; break;
    case OP_COUNT: *value = all->count; break;
    case OP_MEAN: *value = sum / all->count; break;
    case OP_GMEAN: *value = exp(sum / all->count); break;
    case OP_HMEAN: *value = all->count / sum; break;
    default: break;
    }
    return 0;
}

/* The first of the least, or greatest. */
static int best_of(const struct expr *e, const struct values *all)
{
    int best = 0;
    for (int i = 1; i < all->count; i++)
        if (e->op == OP_MIN ? all->value[i] < all->value[best] : all->value[i] > all->value[best])
            best = i;
    return best;
}

static int over_axes(struct evaluation *ev, const struct expr *e, struct scope scope, double *value)
{
    const struct expr_source *here = ev->source;
    /* what stays chosen, whatever the machine (expr.h) */
    const int chosen = here->chooser && (e->kind == EXPR_WHERE ||
                                         (e->num_axes == 1 && !strcmp(e->axes[0], "point") &&
                                          (e->op == OP_MIN || e->op == OP_MAX)));
    struct values all = {0};
    if (chosen)
        ev->source = here->chooser;
    int failed = spread(ev, &all, e, 0, scope);
    ev->source = here;
    if (!failed && !all.count)
        failed = expr_fail(ev, e->at, "nothing to go over");
    if (!failed && (e->kind == EXPR_WHERE || chosen))
        failed =
            value_of(ev, e->kind == EXPR_WHERE ? e->b : e->a, all.scope[best_of(e, &all)], value);
    else if (!failed)
        failed = fold(ev, e, &all, value);
    free(all.value);
    free(all.scope);
    return failed;
}

/* The runs of a member's program by itself, of all that the claim has. */
static int alone(struct evaluation *ev, const struct expr *e, struct scope scope, double *value)
{
    if (!scope.member)
        return expr_fail(ev, e->at, "alone, of no member; expected a fold over member around it");
    const char *program = scope_member(ev, e->at, scope, scope.member);
    if (!program)
        return -1;
    scope = scope_narrow(ev, ev->all, "program", program);
    return scope.count ? value_of(ev, e->a, scope, value)
                       : expr_fail(ev, e->at, "no run of %s by itself", program);
}

static int filtered(struct evaluation *ev, const struct expr *e, struct scope scope, double *value)
{
    for (int i = 0; i < e->num_filters; i++) {
        const struct expr_filter *f = &e->filters[i];
        if (f->axis && !strcmp(f->axis, "kernel"))
            scope.kernel = f->value;
        else if (f->axis && !strcmp(f->axis, "member")) {
            scope.member = scope_member_number(f->value);
            if (!scope.member)
                return expr_fail(ev, f->at, "member=%s; expected first or second", f->value);
            if (!scope_member(ev, f->at, scope, scope.member))
                return -1;
        } else
            scope = scope_narrow(ev, scope, f->axis, f->value);
        if (!scope.count)
            return expr_fail(ev, f->at, "no run with %s%s%s here", f->axis ? f->axis : "",
                             f->axis ? "=" : "the name ", f->value);
    }
    return value_of(ev, e->a, scope, value);
}

static double computed(enum expr_op op, double a, double b)
{
    switch (op) {
    case OP_ADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    case OP_DIV: return a / b;
    case OP_POW: return pow(a, b);
    case OP_LT: return a < b;
    case OP_LE: return a <= b;
    case OP_GT: return a > b;
    case OP_GE: return a >= b;
    case OP_EQ: return !(a < b) && !(a > b);
    case OP_NE: return a < b || a > b;
    case OP_AND: return a != 0 && b != 0;
    case OP_OR: return a != 0 || b != 0;
    case OP_NOT: return !(a != 0);
    case OP_NEG: return -a;
    case OP_ABS: return fabs(a);
    case OP_SQRT: return sqrt(a);
    case OP_ROUND: return round(a);
    case OP_MIN: return fmin(a, b);
    case OP_MAX: return fmax(a, b);
    default: return NAN;
    }
}

static int value_of(struct evaluation *ev, const struct expr *e, struct scope scope, double *value)
{
    double b = 0;
    switch (e->kind) {
    case EXPR_NUMBER: *value = e->number; return 0;
    case EXPR_NAME: return scope_value(ev, e, scope, value);
    case EXPR_FILTER: return filtered(ev, e, scope, value);
    case EXPR_FOLD:
    case EXPR_WHERE: return over_axes(ev, e, scope, value);
    case EXPR_ALONE: return alone(ev, e, scope, value);
    default: break;
    }
    if (value_of(ev, e->a, scope, value) || (e->b && value_of(ev, e->b, scope, &b)))
        return -1;
    if (ev->known) {
        *value = 1;
        return 0;
    }
    const double a = *value;
    *value = computed(e->op, a, b);
    if (e->op == OP_DIV && !(b < 0 || b > 0))
        return expr_fail(ev, e->b->at, "a division by 0");
    return isfinite(*value) ? 0 : expr_fail(ev, e->at, "not a finite number");
}

static int evaluate(struct evaluation *ev, const struct expr *e, double *value)
{
    const int count = ev->source->count;
    *ev->error = (struct expr_error){0};
    int *all = more(NULL, (size_t)(count + 1) * sizeof *all);
    for (int i = 0; i < count; i++)
        all[i] = i;
    ev->all = (struct scope){.points = all, .count = count};
    const int failed = value_of(ev, e, ev->all, value);
    free(all);
    arena_free(&ev->memory);
    return failed;
}

int expr_measures(const struct expr *e)
{
    return e && (e->kind == EXPR_NAME || expr_measures(e->a) || expr_measures(e->b));
}

int expr_value(const struct expr *e, const struct expr_source *source, double *value,
               struct expr_error *error)
{
    struct evaluation ev = {.source = source, .error = error};
    if (source->lacks && expr_measures(e)) {
        *error = (struct expr_error){.at = e->at, .not_run = 1};
        snprintf(error->what, sizeof error->what, "%s: not there", source->lacks);
        return -1;
    }
    return evaluate(&ev, e, value);
}

int expr_check(const struct expr *e, const struct expr_source *source,
               int (*known)(void *user, const char *name, enum expr_scope), void *user,
               struct expr_error *error)
{
    struct evaluation ev = {.source = source, .error = error, .known = known, .user = user};
    double value;
    return source->lacks ? 0 : evaluate(&ev, e, &value);
}
