/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/groups.h: the file of a sweep as it is written: groups of keys, each with a list of
 * values and ranges. plan.c makes points of it. */
#ifndef HEDDLE_TB_CLI_SWEEP_GROUPS_H
#define HEDDLE_TB_CLI_SWEEP_GROUPS_H

#include <stdint.h>

#include "tb/cli/sweep/memory.h"
#include "tb/ini_file.h"

#define MAX_ENTRIES 64 /* of a group */

/* One end of a range: a number, or the value of an earlier key of the group. */
struct end {
    int entry; /* -1: number */
    int64_t number;
};

struct setting;

/* A word; or all numbers from..to in steps, which for a single number is one. */
struct item {
    const char *word;               /* NULL: numbers */
    const struct setting *settings; /* of ENTRY_SETTINGS: what the file sets */
    int num_settings;
    struct end from, to;
    int64_t step;
};

enum entry_kind {
    ENTRY_CONFIG,
    ENTRY_WORKLOAD,
    ENTRY_SIZE,
    ENTRY_ARGS,
    ENTRY_SETTINGS, /* a file of them */
    ENTRY_SETTING
};

struct entry {
    const char *key;
    enum entry_kind kind;
    int numeric; /* its items are numbers */
    unsigned line;
    struct item *items;
    int count;
};

struct group {
    const char *name;
    unsigned line;
    struct entry entries[MAX_ENTRIES];
    int count;
};

struct groups {
    struct group *groups;
    int count;
    const char *prefix;   /* only sections [prefix NAME] are groups; NULL: all */
    struct arena *memory; /* for words, which outlive the groups */
    struct ini_file at;
};

/* Reads the file at.name into an otherwise empty *g. Returns 0, or -1 with the error reported;
 * groups_free() either way. */
int groups_read(struct groups *g);
void groups_free(struct groups *g);

/* The entry of this kind, or NULL. */
const struct entry *group_entry(const struct group *g, enum entry_kind kind);

#endif
