/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/expr.h: what a claim computes from the results of its runs. An expression stands for
 * one number. A name is a statistic, as `heddle report --get=NAME` knows it, of the one run that is
 * meant, or the value of a setting of it; what is meant is narrowed by {...} and by folds.
 *
 *   a + b  a - b  a * b  a / b  a ^ b  -a  a < b  a <= b  a > b  a >= b  a == b  a != b
 *   a and b  a or b  not a                 0 is false, 1 is true
 *   abs(a)  sqrt(a)  round(a)  min(a, b)  max(a, b)
 *   e{RUNS, axis=value, ...}               e of the runs of that name, where the axis has the value
 *   sum mean gmean hmean min max count all any (axis, ...: e)
 *                                          over all values of the axes
 *   where_min where_max (axis, ...: e: f)  f where e is least or greatest, the first of equals
 *   alone(e)                               within a fold over `member`: e of the runs of that program by itself
 *
 * An axis is config, workload, args, size, program (workload with args), point (every run), kernel
 * (statistics are then those of one kernel of the program, summed over its launches), member (`first` and `second` of two workloads that
 * run beside each other: statistics are then its own), or a setting. */
#ifndef HEDDLE_TB_CLI_CLAIMS_EXPR_H
#define HEDDLE_TB_CLI_CLAIMS_EXPR_H

#include "tb/arena.h"
#include "tb/cli/sweep/plan.h"

enum expr_kind {
    EXPR_NUMBER,
    EXPR_NAME,
    EXPR_UNARY,  /* op a */
    EXPR_BINARY, /* a op b */
    EXPR_FILTER, /* a of fewer runs */
    EXPR_FOLD,   /* a over the values of axes */
    EXPR_WHERE,  /* b where a is least or greatest over the values of axes */
    EXPR_ALONE   /* a of the runs of a member by itself */
};

/* What a statistic is of. */
enum expr_scope { OF_PROGRAM, OF_KERNEL, OF_MEMBER };

enum expr_op {
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_POW,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_EQ,
    OP_NE,
    OP_AND,
    OP_OR,
    OP_NOT,
    OP_NEG,
    OP_ABS,
    OP_SQRT,
    OP_ROUND,
    OP_MIN,
    OP_MAX,
    OP_SUM,
    OP_MEAN,
    OP_GMEAN,
    OP_HMEAN,
    OP_COUNT,
    OP_ALL,
    OP_ANY
};

/* One condition of {...}. */
struct expr_filter {
    const char *axis; /* NULL: the name of runs */
    const char *value;
    int at;
};

struct expr {
    enum expr_kind kind;
    enum expr_op op;
    int at; /* where in the text it begins */
    double number;
    const char *name;
    const struct expr *a, *b;
    const char **axes;
    int num_axes;
    struct expr_filter *filters;
    int num_filters;
};

struct expr_error {
    int at;      /* where in the text */
    int not_run; /* nothing is wrong but that a run has no results */
    char what[200];
};

/* NULL with the reason in *e; what it returns lives in `memory`. */
const struct expr *expr_parse(const char *text, struct arena *memory, struct expr_error *e);

/* The runs that a claim may speak of, and where their results are. */
struct expr_source {
    const struct point *points; /* point.group is the name of the runs */
    int count;
    /* A result by its name. Returns 0; 1: there is no such statistic; -1: the run has no results,
     * for the reason in `why`. */
    int (*fetch)(void *user, int point, const char *name, double *value, char why[128]);
    /* The kernels of a run, their names in `memory`. Returns how many, or -1 as above. */
    int (*kernels)(void *user, int point, const char ***names, struct arena *memory, char why[128]);
    void *user;
    /* The same runs in the same order on another machine, where where_min and where_max choose, and
     * min and max over `point` alone: a profile is made once, and what it chose stays. NULL: here. */
    const struct expr_source *chooser;
    /* A file that is not there, without which nothing can be said of runs; NULL: nothing is missing. */
    const char *lacks;
};

/* Is its value one of runs, and no arithmetic of numbers alone? */
int expr_measures(const struct expr *);

/* Returns 0, or -1 with the reason in *e; where source->lacks something, only arithmetic of numbers has a value. */
int expr_value(const struct expr *, const struct expr_source *, double *value,
               struct expr_error *e);

/* Checks what can be before anything runs: that runs, axes and settings are there, that one run is
 * meant where a statistic stands, and by `known` that there is such a statistic; nothing, where source->lacks something. Returns 0, or -1
 * with the reason in *e. */
int expr_check(const struct expr *, const struct expr_source *,
               int (*known)(void *user, const char *name, enum expr_scope), void *user,
               struct expr_error *e);

#endif
