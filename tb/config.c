/* SPDX-License-Identifier: Apache-2.0 */
/* tb/config.c: see config.h. inih splits the lines; what they may say is config.def. */
#include "tb/config.h"

#include <errno.h>
#include <ini.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "hw.h"

struct key {
    const char *section, *key, *meaning;
    size_t offset;
    int is_word;
    int64_t least, most;
};

static const struct key keys[] = {
#define KEY(section, key, least, most, meaning)                                                    \
    {#section, #key, meaning, offsetof(struct config, section##_##key), 0, least, most},
#define WORD(section, key, meaning)                                                                \
    {#section, #key, meaning, offsetof(struct config, section##_##key), 1, 0, 0},
#include "tb/config.def"
#undef KEY
#undef WORD
};
#define NUM_KEYS (sizeof keys / sizeof keys[0])

/* What a reader knows of where it is. */
struct source {
    struct config *config;
    const char *name; /* file, or "--set" */
    unsigned line;    /* 0: none */
    FILE *file, *err;
    unsigned seen[NUM_KEYS]; /* line of first use */
    int failed;
};

__attribute__((format(printf, 2, 3))) static int fail(struct source *s, const char *format, ...)
{
    va_list args;
    if (s->failed) /* the first error is the one to mend */
        return -1;
    s->failed = 1;
    if (s->line)
        fprintf(s->err, "%s:%u: ", s->name, s->line);
    else
        fprintf(s->err, "%s: ", s->name);
    va_start(args, format);
    vfprintf(s->err, format, args);
    va_end(args);
    fputc('\n', s->err);
    return -1;
}

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
    if (!*value || strlen(value) >= CONFIG_WORD_SIZE)
        return fail(s, "[%s] %s = '%s'; expected a word of 1 to %d characters", k->section, k->key,
                    value, CONFIG_WORD_SIZE - 1);
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
    *seen = s->line;
    return k->is_word ? set_word(s, k, value) : set_number(s, k, value);
}

static int handle(void *user, const char *section, const char *key, const char *value)
{
    return set(user, section, key, value) == 0;
}

/* inih's own reader cuts lines that are long or hold a zero in silence; this one counts lines and
 * refuses those. */
static char *read_line(char *line, int size, void *user)
{
    struct source *s = user;
    int used = 0, zeros = 0, ch;
    while (!s->failed && used < size - 1 && (ch = getc(s->file)) != EOF) {
        line[used++] = (char)ch;
        zeros += !ch;
        if (ch == '\n')
            break;
    }
    if (!used)
        return NULL;
    line[used] = '\0';
    s->line++;
    if (zeros)
        fail(s, "a byte of value 0; expected text");
    else if (used == size - 1 && line[used - 1] != '\n')
        fail(s, "line of more than %d characters", size - 2);
    return s->failed ? NULL : line;
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
    struct source s = {.config = c, .name = path, .err = err, .file = fopen(path, "r")};
    memset(c, 0, sizeof *c);
    name_config(c, path);
    if (!s.file)
        return fail(&s, "cannot be read: %s", strerror(errno));
    int status = ini_parse_stream(read_line, &s, handle, &s);
    int unreadable = ferror(s.file);
    fclose(s.file);
    if (s.failed)
        return -1;
    s.line = 0;
    if (unreadable)
        return fail(&s, "cannot be read to its end");
    if (status) {
        s.line = status > 0 ? (unsigned)status : 0;
        return fail(&s, "neither a comment, nor [section], nor key = value");
    }
    for (size_t i = 0; i < NUM_KEYS; i++)
        if (!s.seen[i])
            return fail(&s, "[%s] %s is missing (%s)", keys[i].section, keys[i].key,
                        keys[i].meaning);
    return 0;
}

int config_set(struct config *c, const char *assignment, FILE *err)
{
    struct source s = {.config = c, .name = "--set", .err = err};
    char section[64], key[64], rest = 0;
    const char *equals = strchr(assignment, '=');
    if (!equals || sscanf(assignment, "%63[^.=].%63[^.=]%c", section, key, &rest) != 3 ||
        rest != '=')
        return fail(&s, "'%s'; expected section.key=value, as in l1d.sets=64", assignment);
    return set(&s, section, key, equals + 1);
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
        {"[mem] shared_banks", c->mem_shared_banks},
    };
    const struct {
        const char *key, *of;
        int64_t value, factor;
    } multiples[] = {
        {"[l1d] line", "l1c.line", c->l1d_line, c->l1c_line},
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
    if (strcmp(c->l1d_index, "linear") && strcmp(c->l1d_index, "hashed"))
        return fail(s, "[l1d] index = %s; expected linear or hashed", c->l1d_index);
    if (strcmp(c->cpi_overlap, "first") && strcmp(c->cpi_overlap, "active"))
        return fail(s, "[cpi] overlap = %s; expected first or active", c->cpi_overlap);
    return 0;
}

int config_check(const struct config *c, FILE *err)
{
    struct source s = {.name = c->name, .err = err};
    static const struct {
        const char *key;
        size_t offset;
        int64_t built;
    } structural[] = {
        {"num_sms", offsetof(struct config, hw_num_sms), NUM_SMS},
        {"num_schedulers", offsetof(struct config, hw_num_schedulers), NUM_SCHEDULERS},
        {"num_warps", offsetof(struct config, hw_num_warps), NUM_WARPS},
        {"tl_group", offsetof(struct config, hw_tl_group), TL_GROUP},
        {"sm_blocks", offsetof(struct config, hw_sm_blocks), SM_BLOCKS},
        {"block_bits", offsetof(struct config, hw_block_bits), BLOCK_BITS},
    };
    for (size_t i = 0; i < sizeof structural / sizeof structural[0]; i++) {
        int64_t value = *(const int64_t *)((const char *)c + structural[i].offset);
        if (value != structural[i].built)
            return fail(&s,
                        "[hw] %s = %" PRId64 ", but this build has %" PRId64
                        "; [hw] is fixed when build/<config> is made: make run CONFIG=<config>",
                        structural[i].key, value, structural[i].built);
    }
    if (check_relations(c, &s))
        return -1;
    if (c->mask_n > NUM_WARPS || c->mask_p > NUM_WARPS)
        return fail(&s, "[mask] n = %" PRId64 ", p = %" PRId64 "; a scheduler has %d warps",
                    c->mask_n, c->mask_p, NUM_WARPS);
    if (c->sm_max_blocks > SM_BLOCKS)
        return fail(&s, "[sm] max_blocks = %" PRId64 "; hw.sm_blocks of this build is %d",
                    c->sm_max_blocks, SM_BLOCKS);
    if (c->sm_max_threads > (int64_t)NUM_WARPS * NUM_SCHEDULERS * 32)
        return fail(&s, "[sm] max_threads = %" PRId64 "; %d schedulers of %d warps hold %d",
                    c->sm_max_threads, NUM_SCHEDULERS, NUM_WARPS, NUM_WARPS * NUM_SCHEDULERS * 32);
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
        if (k->is_word)
            fprintf(out, "  %-18s %-10s %s\n", k->key, member, k->meaning);
        else
            fprintf(out, "  %-18s %-10" PRId64 " %s\n", k->key, *(const int64_t *)member,
                    k->meaning);
    }
}
