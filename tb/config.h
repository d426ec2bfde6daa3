/* SPDX-License-Identifier: Apache-2.0 */
/* tb/config.h: the machine's numbers, read from an INI file and overridden key by key. */
#ifndef HEDDLE_TB_CONFIG_H
#define HEDDLE_TB_CONFIG_H

#include <stdint.h>
#include <stdio.h>

#define CONFIG_WORD_SIZE 32
#define CONFIG_PATH_SIZE 1024

/* One struct member `section_key` per line of config.def. */
struct config {
    char name[64]; /* the file's stem: "gtx480" */
#define KEY(section, key, least, most, meaning) int64_t section##_##key;
#define WORD(section, key, meaning)             char section##_##key[CONFIG_WORD_SIZE];
#define PATH(stem, key, meaning, source)        char stem##_##key[CONFIG_PATH_SIZE]; /* "": none */
#include "tb/config.def"
};

/* Reads the file at `path`. An unknown, repeated, malformed or out-of-range key, or a missing one
 * that has no default, is an error, reported on `err` as "path:line: what; expected what". Returns
 * 0, or -1 with *c unspecified. */
int config_read(struct config *c, const char *path, FILE *err);

/* Overrides one value; `assignment` is "section.key=value". Errors as above, named "--set". Returns
 * 0 or -1. */
int config_set(struct config *c, const char *assignment, FILE *err);

/* The same for an option that stands for one key: errors are named by what was typed. */
int config_set_by(struct config *c, const char *option, const char *assignment, FILE *err);

/* Reads a file of values that override others, of any keys but those of [hw], and hands each to `take`
 * as "section.key=value". Errors as of config_read(), ranges included; what no single key can tell is
 * left to config_check(). Returns 0 or -1. */
int config_read_settings(const char *path, void (*take)(void *user, const char *assignment),
                         void *user, FILE *err);

/* The SMs' millivolts at a clock of so many sixths, 3 to 6: the keys energy.mv_3 and so on. */
static inline uint64_t config_millivolts(const struct config *c, unsigned sixths)
{
    const int64_t of[] = {c->energy_mv_3, c->energy_mv_4, c->energy_mv_5, c->energy_mv_6};
    return (uint64_t)of[sixths - 3];
}

/* Files that are not given from the root on are looked for in `folder`. Returns 0, or -1 with the
 * reason on `err`: a path is too long. */
int config_resolve(struct config *c, const char *folder, FILE *err);

/* Checks what no single key can: powers of two, limits between keys, [hw] against the constants of
 * this build. Returns 0 or -1 with the reason on `err`. */
int config_check(const struct config *c, FILE *err);

/* The same but for [hw], which may be that of another build. */
int config_check_values(const struct config *c, FILE *err);

/* Prints every key with its value and meaning, section by section. */
void config_print(const struct config *c, FILE *out);

#endif
