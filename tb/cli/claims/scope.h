/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/scope.h: which runs are meant where an expression is evaluated, and what a name is there. */
#ifndef HEDDLE_TB_CLI_CLAIMS_SCOPE_H
#define HEDDLE_TB_CLI_CLAIMS_SCOPE_H

#include "tb/cli/claims/expr.h"

/* The runs that are meant. */
struct scope {
    const int *points;
    int count;
    const char *kernel; /* NULL: the whole program */
    int member;         /* 1, 2: the first or the second of two workloads; 0: the whole run */
};

struct evaluation {
    const struct expr_source *source;
    struct expr_error *error;
    struct arena memory;
    /* Before anything runs: every result is 1 where such a statistic is known. */
    int (*known)(void *user, const char *name, enum expr_scope);
    void *user;
    struct scope all; /* of the claim */
};

/* Says in ev->error what is wrong at a place of the text. Returns -1. */
__attribute__((format(printf, 3, 4))) int expr_fail(struct evaluation *, int at, const char *format,
                                                    ...);

/* What a point is on an axis; NULL: it has none. `room` may hold the answer. */
const char *scope_place(const struct point *, const char *axis, char room[512]);

/* The points of a scope that have this place on an axis; of the runs of that name without one. */
struct scope scope_narrow(struct evaluation *, struct scope, const char *axis, const char *value);

/* The workload that is this member, 1 or 2, of the one pair that a scope is of. NULL with the error: it is of none, or of several. */
const char *scope_member(struct evaluation *, int at, struct scope, int member);
/* 1 for the first, 2 for the second, 0: no member is called that. */
int scope_member_number(const char *name);

/* The value of a name, of the one run of a scope. Returns 0, or -1 with the error. */
int scope_value(struct evaluation *, const struct expr *, struct scope, double *value);

#endif
