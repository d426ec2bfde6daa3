/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/plan.h: the points of a sweep, from its file. Each section of the file is a group:
 * the cross product of its keys' values. */
#ifndef HEDDLE_TB_CLI_SWEEP_PLAN_H
#define HEDDLE_TB_CLI_SWEEP_PLAN_H

#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#include "tb/cli/sweep/memory.h"

#define MAX_POINTS 100000

struct config;

/* Settings that are none of the machine, 0 or 1. OWN(key, meaning of 1) */
#define SWEEP_KEYS(OWN)                                                                            \
    OWN(profile, "the run makes a profile, whose counts are results")                              \
    OWN(launches, "the I-th launch of a kernel is a kernel by itself, NAME#I")                     \
    OWN(differ, "launches of a replay may leave another memory than when captured")

/* Of a key that is a file, the value "@WORD": what another run of the same workload leaves, which comes before the point. WORD is
 * a size: the profile of that input; or a policy: the statistics under it. Returns the word, or NULL: the value is none of these. */
static inline const char *other_run(const char *value)
{
    return *value == '@' ? value + 1 : NULL;
}

struct setting {
    const char *key, *value;
};

#define MAX_MEMBERS  2 /* of a workload; what their results are called */
#define MEMBER_NAMES "first", "second"

/* What a point runs, or one of two that run beside each other: a program or the file of a capture. */
struct member {
    const char *program; /* its name and, behind a blank, its arguments, as it was written */
    const char *name, *args;
};

/* One run. Words that are not given are "". The workload is the name of a member, or two members, joined by a +; where the first has
 * arguments, there are blanks around it. */
struct point {
    const char *group, *config, *workload, *size, *args;
    const struct setting *settings; /* ordered by key */
    int num_settings;
    const char *text; /* what it is, whatever its group and number: its identity */
    unsigned line;    /* of its group */
};

/* Points are numbered from 1, in the order of the file; the last key of a group changes fastest. */
struct plan {
    struct point *points; /* points[0] is number 1 */
    int count;
    struct arena memory; /* of all that the points refer to */
};

/* Reads and checks the whole file before anything runs. Returns 0, or -1 with the first error on
 * `err` as "path:line: what; expected what". plan_free() either way. */
int plan_read(struct plan *, const char *path, FILE *err);

/* Most settings of a point. */
#define MAX_SETTINGS 80

/* How to read a file that is not only a sweep. */
struct plan_style {
    const char *prefix; /* only sections [prefix NAME] are groups; a point may occur again */
    const char *size;   /* of all points; NULL: as the file says */
    /* Changes the settings of a point of this group and configuration; NULL: nothing changes.
     * Returns how many there are now, or -1: the point is left out. */
    int (*amend)(void *user, const char *group, const struct config *,
                 struct setting settings[MAX_SETTINGS], int count, struct arena *);
    void *user;
};

/* As plan_read(). What is not built, or by an older build, is checked as far as this one can tell. */
int plan_read_part(struct plan *, const char *path, const struct plan_style *, FILE *err);
void plan_free(struct plan *);

/* Whether a key is one of SWEEP_KEYS. */
int is_sweep_key(const char *key);
/* Whether the point sets one of SWEEP_KEYS to 1. */
int point_has(const struct point *, const char *key);
/* The word of a setting "@WORD", NULL: there is none. */
const char *point_other_run(const struct point *);
/* Whether a word is a size of workloads. */
int is_size(const char *);

/* A member that is the file of a capture has a / in its name, or ends in .capture. */
int is_capture(const char *member);
/* The members of a point's workload, in the arena; one by itself may have more arguments in `args`. Returns how many they are, or -1: they are not such as above. */
int point_members(const struct point *, struct member members[MAX_MEMBERS], struct arena *);
/* Is it run by `heddle replay`, and not by `heddle run`? */
int point_replays(const struct point *);
/* Gives a point a size, unless all its members are captures. */
void workload_size(struct point *, const char *size);
/* Are the members programs that are known and, if `built` is not 0, built, or captures of this version? And is nothing asked of a replay
 * that it has not; `c`: the point's configuration, NULL: unknown. Return 0, or -1 with the reason on `err`, without an end of line. */
int workload_check(const struct point *, int built, FILE *err);
int replay_check(const struct point *, const struct config *c, FILE *err);

/* The words of a point that make its identity, in the arena. */
const char *point_text(const struct point *, struct arena *);
/* The arguments that a workload brings come before those of `args`, if it is one member; of two each keeps its own, and they are written
 * in the one way above. */
void point_split(struct point *, struct arena *);

/* A file of the build of a configuration: "tiny", "workloads/bfs". */
const char *plan_file(char path[PATH_MAX], const char *config, const char *file);

#endif
