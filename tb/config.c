/* SPDX-License-Identifier: Apache-2.0 */
/* tb/config.c: see config.h. What the lines may say is config.def. */
#include "tb/config.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "hw.h"
#include "tb/clocks.h"
#include "tb/ini_file.h"

/* A number that must be given; one that need not; a word that must be given; a file that need not. */
enum kind { NUMBER, DEFAULTED, A_WORD, A_PATH };

struct key {
    const char *section, *key, *meaning;
    size_t offset;
    enum kind kind;
    int64_t least, most, value;
    const char *choices[2]; /* NULL: any word */
};

#define ROW(section, key, kind, least, most, value, meaning, ...)                                  \
    {#section, #key,  meaning,      offsetof(struct config, section##_##key), kind, least,         \
     most,     value, {__VA_ARGS__}},
static const struct key keys[] = {
#define KEY(section, key, least, most, meaning)                                                    \
    ROW(section, key, NUMBER, least, most, 0, meaning, NULL)
#define WORD(section, key, meaning) ROW(section, key, A_WORD, 0, 0, 0, meaning, NULL)
#define CHOICE(section, key, first, second, meaning)                                               \
    ROW(section, key, A_WORD, 0, 0, 0, meaning, #first, #second)
#define PATH(stem, key, meaning, source) ROW(stem, key, A_PATH, 0, 0, 0, meaning, NULL)
#define SIZE(key, constant, least, most, value, meaning, source)                                   \
    ROW(hw, key, DEFAULTED, least, most, value, meaning, NULL)
#define SETTING(stem, key, least, most, value, meaning, source)                                    \
    ROW(stem, key, DEFAULTED, least, most, value, meaning, NULL)
#include "tb/config.def"
};
#define NUM_KEYS (sizeof keys / sizeof keys[0])

/* What a reader knows of where it is. */
struct source {
    struct config *config;
    struct ini_file at;
    unsigned seen[NUM_KEYS]; /* line of first use */
};

#define MOST_UNTRACKED 16384 /* a request has a tag of 16 bits */

#define fail(s, ...) ini_fail(&(s)->at, __VA_ARGS__)

static const struct key *find_key(const char *section, const char *key)
{
    for (size_t i = 0; i < NUM_KEYS; i++)
        if (!strcmp(keys[i].section, section) && !strcmp(keys[i].key, key))
            return &keys[i];
    return NULL;
}

static int known_section(const char *section)
{
    for (size_t i = 0; i < NUM_KEYS; i++)
        if (!strcmp(keys[i].section, section))
            return 1;
    return 0;
}

static int set_word(struct source *s, const struct key *k, const char *value)
{
    char *word = (char *)s->config + k->offset;
    const int is_path = k->kind == A_PATH, size = is_path ? CONFIG_PATH_SIZE : CONFIG_WORD_SIZE;
    if (!*value || strlen(value) >= (size_t)size)
        return fail(s, "[%s] %s = '%s'; expected a %s of 1 to %d characters", k->section, k->key,
                    value, is_path ? "path" : "word", size - 1);
    if (k->choices[0] && strcmp(value, k->choices[0]) && strcmp(value, k->choices[1]))
        return fail(s, "[%s] %s = %s; expected %s or %s", k->section, k->key, value, k->choices[0],
                    k->choices[1]);
    strcpy(word, value);
    return 0;
}

static int set_number(struct source *s, const struct key *k, const char *value)
{
    char *end;
    errno = 0;
    long long number = strtoll(value, &end, 0);
    if (end == value || *end || errno)
        return fail(s, "[%s] %s = '%s'; expected a whole number (%s)", k->section, k->key, value,
                    k->meaning);
    if (number < k->least || number > k->most)
        return fail(s, "[%s] %s = %lld is out of range; expected %" PRId64 " to %" PRId64 " (%s)",
                    k->section, k->key, number, k->least, k->most, k->meaning);
    memcpy((char *)s->config + k->offset, &(int64_t){number}, sizeof(int64_t));
    return 0;
}

static int set(struct source *s, const char *section, const char *key, const char *value)
{
    const struct key *k = find_key(section, key);
    if (!k && !known_section(section))
        return fail(s, "unknown section [%s]; `heddle list` shows all keys", section);
    if (!k)
        return fail(s, "unknown key '%s' in section [%s]; `heddle list` shows all keys", key,
                    section);
    unsigned *seen = &s->seen[k - keys];
    if (*seen)
        return fail(s, "[%s] %s is given twice; first in line %u", section, key, *seen);
    *seen = s->at.line;
    return k->kind == A_WORD || k->kind == A_PATH ? set_word(s, k, value) : set_number(s, k, value);
}

static void take(void *source, const char *section, const char *key, const char *value)
{
    set(source, section, key, value);
}

static void name_config(struct config *c, const char *path)
{
    const char *slash = strrchr(path, '/'), *stem = slash ? slash + 1 : path,
               *dot = strrchr(stem, '.');
    snprintf(c->name, sizeof c->name, "%.*s",
             dot && dot > stem ? (int)(dot - stem) : (int)strlen(stem), stem);
}

int config_read(struct config *c, const char *path, FILE *err)
{
    struct source s = {.config = c, .at = {.name = path, .err = err}};
    memset(c, 0, sizeof *c);
    name_config(c, path);
    for (size_t i = 0; i < NUM_KEYS; i++)
        if (keys[i].kind == DEFAULTED)
            memcpy((char *)c + keys[i].offset, &keys[i].value, sizeof keys[i].value);
    if (ini_read(&s.at, take, &s))
        return -1;
    for (size_t i = 0; i < NUM_KEYS; i++)
        if (!s.seen[i] && keys[i].kind != DEFAULTED && keys[i].kind != A_PATH)
            return fail(&s, "[%s] %s is missing (%s)", keys[i].section, keys[i].key,
                        keys[i].meaning);
    return 0;
}

int config_set(struct config *c, const char *assignment, FILE *err)
{
    return config_set_by(c, "--set", assignment, err);
}

int config_set_by(struct config *c, const char *option, const char *assignment, FILE *err)
{
    struct source s = {.config = c, .at = {.name = option, .err = err}};
    char section[64], key[64], rest = 0;
    const char *equals = strchr(assignment, '=');
    if (!equals || sscanf(assignment, "%63[^.=].%63[^.=]%c", section, key, &rest) != 3 ||
        rest != '=')
        return fail(&s, "'%s'; expected section.key=value, as in l1d.sets=64", assignment);
    return set(&s, section, key, equals + 1);
}

/* What a reader of settings hands on. */
struct handed {
    struct source source; /* of a configuration that nobody uses: for its checks */
    void (*take)(void *user, const char *assignment);
    void *user;
};

static void hand_on(void *handed, const char *section, const char *key, const char *value)
{
    struct handed *h = handed;
    char assignment[CONFIG_PATH_SIZE + 128];
    if (!strcmp(section, "hw")) {
        fail(&h->source, "[hw] %s; expected other sections: [hw] is fixed when a build is made",
             key);
        return;
    }
    if (set(&h->source, section, key, value))
        return;
    snprintf(assignment, sizeof assignment, "%s.%s=%s", section, key, value);
    h->take(h->user, assignment);
}

int config_read_settings(const char *path, void (*take)(void *user, const char *assignment),
                         void *user, FILE *err)
{
    struct config unused;
    struct handed h = {.source = {.config = &unused, .at = {.name = path, .err = err}},
                       .take = take,
                       .user = user};
    return ini_read(&h.source.at, hand_on, &h);
}

int config_resolve(struct config *c, const char *folder, FILE *err)
{
    for (size_t i = 0; i < NUM_KEYS; i++) {
        char *path = (char *)c + keys[i].offset, absolute[CONFIG_PATH_SIZE];
        if (keys[i].kind != A_PATH || !*path || *path == '/')
            continue;
        if (snprintf(absolute, sizeof absolute, "%s/%s", folder, path) >= (int)sizeof absolute) {
            fprintf(err, "[%s] %s = %s: the path from the root on has more than %d characters\n",
                    keys[i].section, keys[i].key, path, CONFIG_PATH_SIZE - 1);
            return -1;
        }
        strcpy(path, absolute);
    }
    return 0;
}

static int power_of_two(int64_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

/* What holds between the values of several keys. */
static int check_relations(const struct config *c, struct source *s)
{
    const struct {
        const char *key;
        int64_t value;
    } powers[] = {
        {"[l1d] sets", c->l1d_sets},
        {"[l1d] line", c->l1d_line},
        {"[l1c] sets", c->l1c_sets},
        {"[l1c] line", c->l1c_line},
        {"[l1i] sets", c->l1i_sets ? c->l1i_sets : 1},
        {"[l1i] line", c->l1i_line},
        {"[mem] shared_banks", c->mem_shared_banks},
    };
    const struct {
        const char *key, *of;
        int64_t value, factor;
    } multiples[] = {
        {"[l1d] line", "l1c.line", c->l1d_line, c->l1c_line},
        {"[l1d] line", "l1i.line", c->l1d_line, c->l1i_line},
        {"[l2] interleave", "l1d.line", c->l2_interleave, c->l1d_line},
        {"[l2] banks", "dram.channels", c->l2_banks, c->dram_channels},
        {"[dram] row_bytes", "l2.interleave", c->dram_row_bytes, c->l2_interleave},
    };
    for (size_t i = 0; i < sizeof powers / sizeof powers[0]; i++)
        if (!power_of_two(powers[i].value))
            return fail(s, "%s = %" PRId64 "; expected a power of two", powers[i].key,
                        powers[i].value);
    for (size_t i = 0; i < sizeof multiples / sizeof multiples[0]; i++)
        if (multiples[i].value % multiples[i].factor)
            return fail(s, "%s = %" PRId64 "; expected a multiple of %s = %" PRId64,
                        multiples[i].key, multiples[i].value, multiples[i].of, multiples[i].factor);
    if (strcmp(c->l1d_index, "linear") && strcmp(c->l1d_index, "hashed") &&
        strcmp(c->l1d_index, "fermi"))
        return fail(s, "[l1d] index = %s; expected linear, hashed or fermi", c->l1d_index);
    if (!strcmp(c->l1d_index, "fermi") &&
        ((c->l1d_sets != 32 && c->l1d_sets != 64) || c->l1d_line != 128))
        return fail(s,
                    "[l1d] index = fermi with sets = %" PRId64 ", line = %" PRId64
                    "; it is known for 32 or 64 sets of lines of 128 bytes",
                    c->l1d_sets, c->l1d_line);
    if (!c->l1d_bypass_mshr && c->l1d_mshrs * c->l1d_mshr_merge > MOST_UNTRACKED)
        return fail(s,
                    "[l1d] bypass_mshr = 0 with mshrs = %" PRId64 ", mshr_merge = %" PRId64
                    "; expected a product of at most %d: the loads that wait without an MSHR",
                    c->l1d_mshrs, c->l1d_mshr_merge, MOST_UNTRACKED);
    if (strcmp(c->l2_bank_index, "linear") && strcmp(c->l2_bank_index, "hashed"))
        return fail(s, "[l2] bank_index = %s; expected linear or hashed", c->l2_bank_index);
    if (c->sm_clock < CLOCK_SIXTHS && c->xbar_latency < 2)
        return fail(s,
                    "[sm] clock = %" PRId64 " with [xbar] latency = %" PRId64
                    "; expected a latency of at least 2, which is a cycle of the SMs",
                    c->sm_clock, c->xbar_latency);
    if (strcmp(c->cpi_overlap, "first") && strcmp(c->cpi_overlap, "active"))
        return fail(s, "[cpi] overlap = %s; expected first or active", c->cpi_overlap);
    return 0;
}

int config_check(const struct config *c, FILE *err)
{
    struct source s = {.at = {.name = c->name, .err = err}};
    static const struct {
        const char *key;
        size_t offset;
        int64_t built;
    } structural[] = {
#define HW(key, constant, least, most, meaning) {#key, offsetof(struct config, hw_##key), constant},
#include "tb/config.def"
    };
    for (size_t i = 0; i < sizeof structural / sizeof structural[0]; i++) {
        int64_t value;
        memcpy(&value, (const char *)c + structural[i].offset, sizeof value);
        if (value != structural[i].built)
            return fail(&s,
                        "[hw] %s = %" PRId64 ", but this build has %" PRId64
                        "; [hw] is fixed when build/<config> is made: make run CONFIG=<config>",
                        structural[i].key, value, structural[i].built);
    }
    return config_check_values(c, err);
}

int config_check_values(const struct config *c, FILE *err)
{
    struct source s = {.at = {.name = c->name, .err = err}};
    const int64_t warps = c->hw_num_warps * c->hw_num_schedulers;
    if (check_relations(c, &s))
        return -1;
#define AT_MOST(stem, key, section, limit)                                                         \
    if (c->stem##_##key > c->section##_##limit)                                                    \
        return fail(&s,                                                                            \
                    "[" #stem "] " #key " = %" PRId64 "; expected at most " #section "." #limit    \
                    " = %" PRId64,                                                                 \
                    c->stem##_##key, c->section##_##limit);
#include "tb/config.def"
    if (c->sm_max_blocks > c->hw_sm_blocks)
        return fail(&s, "[sm] max_blocks = %" PRId64 "; hw.sm_blocks of this build is %" PRId64,
                    c->sm_max_blocks, c->hw_sm_blocks);
    if (c->sm_max_threads > warps * 32)
        return fail(&s,
                    "[sm] max_threads = %" PRId64 "; %" PRId64 " schedulers of %" PRId64
                    " warps hold %" PRId64,
                    c->sm_max_threads, c->hw_num_schedulers, c->hw_num_warps, warps * 32);
    return 0;
}

void config_print(const struct config *c, FILE *out)
{
    const char *section = "";
    for (size_t i = 0; i < NUM_KEYS; i++) {
        const struct key *k = &keys[i];
        const char *member = (const char *)c + k->offset;
        if (strcmp(section, k->section))
            fprintf(out, "[%s]\n", section = k->section);
        if (k->kind == A_WORD || k->kind == A_PATH)
            fprintf(out, "  %-18s %-10s %s\n", k->key, member, k->meaning);
        else
            fprintf(out, "  %-18s %-10" PRId64 " %s\n", k->key, *(const int64_t *)member,
                    k->meaning);
    }
}
