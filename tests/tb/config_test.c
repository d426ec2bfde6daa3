/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/config_test.c: the configuration reader: what it accepts, and what it says about the
 * rest. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "hw.h"
#include "tb/config.h"

static char *good; /* the text of this build's configuration */
static size_t good_size;

static int load(void **unused)
{
    (void)unused;
    char path[4096];
    snprintf(path, sizeof path, "%s/" CONFIG_NAME ".ini", getenv("HEDDLE_BUILD"));
    FILE *f = fopen(path, "r");
    if (!f)
        return -1;
    good = calloc(1, 65536);
    good_size = fread(good, 1, 65535, f);
    fclose(f);
    return 0;
}

static int unload(void **unused)
{
    (void)unused;
    free(good);
    return 0;
}

/* Writes text to a file, reads it as a configuration. *said gets what was printed. */
static int read_text(const char *text, size_t size, struct config *c, char **said)
{
    char path[] = "/tmp/heddle-config-XXXXXX.ini";
    int fd = mkstemps(path, 4);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, size), (ssize_t)size);
    close(fd);
    size_t said_size;
    FILE *err = open_memstream(said, &said_size);
    int status = config_read(c, path, err);
    fclose(err);
    unlink(path);
    return status;
}

static void reads_this_builds_file(void **unused)
{
    (void)unused;
    struct config c;
    char *said;
    assert_int_equal(read_text(good, good_size, &c, &said), 0);
    assert_string_equal(said, "");
    assert_int_equal(config_check(&c, stderr), 0);
    assert_string_equal(c.run_sched, "gto");
    assert_int_equal(c.l1d_line, 128);
    free(said);
}

/* A line is replaced in the good text; the message must name its line number and the trouble. */
static void names_line_and_trouble(void **unused)
{
    (void)unused;
    static const struct {
        const char *old, *new, *expected;
    } cases[] = {
        {"\nsets =", "\nsats =", "unknown key 'sats' in section [l1d]"},
        {"\n[l1d]", "\n[l1q]", "unknown section [l1q]"},
        {"\nsets = ", "\nsets = x", "expected a whole number"},
        {"\nsets = ", "\nsets = -", "is out of range; expected 1 to 65536"},
        {"\nsets = ", "\nsets = 99999999999999999999", "expected a whole number"},
        {"\nsets = ", "\nways = 4\nsets = ", "[l1d] ways is given twice; first in line"},
        {"\nsets = ", "\nno equals sign here\nsets = ",
         "neither a comment, nor [section], nor key = value"},
        {"\nsched = gto", "\nsched = ", "expected a word of 1 to 31 characters"},
        {"\nsched = gto", "\nsched = a-name-that-is-far-too-long-to-be-a-policy",
         "expected a word of 1 to 31 characters"},
        {"\noutside = fault", "\noutside = fail", "[gpu] outside = fail; expected fault or zero"},
        {"\noverrun = fail", "\noverrun = warning",
         "[mem] overrun = warning; expected fail or warn"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct config c;
        char text[70000], where[32], *said, *at = strstr(good, cases[i].old);
        unsigned line = 2;
        assert_non_null(at);
        for (char *p = good; p < at; p++)
            line += *p == '\n';
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, cases[i].new,
                 at + strlen(cases[i].old));
        assert_int_equal(read_text(text, strlen(text), &c, &said), -1);
        if (!strstr(said, cases[i].expected))
            fail_msg("case %zu: expected '%s' in '%s'", i, cases[i].expected, said);
        line += i == 1; /* a section is only noticed with its first key */
        if (i != 5) {   /* the repeated key stands further down */
            snprintf(where, sizeof where, ".ini:%u: ", line);
            if (!strstr(said, where))
                fail_msg("case %zu: expected '%s' in '%s'", i, where, said);
        }
        free(said);
    }
}

/* The good text, but for the lines that give one key. */
static void text_without(char *text, const char *leave_section, const char *leave_key)
{
    char section[64] = "", line[512];
    FILE *in = fmemopen(good, good_size, "r");
    *text = 0;
    while (fgets(line, sizeof line, in)) {
        char key[64] = "";
        sscanf(line, "[%63[^]]", section);
        if (!(sscanf(line, "%63[a-zA-Z_0-9] =", key) == 1 && !strcmp(section, leave_section) &&
              !strcmp(key, leave_key)))
            strcat(text, line);
    }
    fclose(in);
}

static void every_missing_key_is_named(void **unused)
{
    (void)unused;
    static const struct {
        const char *section, *key;
    } keys[] = {
#define KEY(section, key, least, most, meaning) {#section, #key},
#define WORD(section, key, meaning)             {#section, #key},
#define PATH(stem, key, meaning, source)
#define SIZE(key, constant, least, most, value, meaning, source)
#define SETTING(stem, key, least, most, value, meaning, source)
#include "tb/config.def"
    };
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        char text[70000], expected[128], *said;
        struct config c;
        text_without(text, keys[k].section, keys[k].key);
        assert_int_equal(read_text(text, strlen(text), &c, &said), -1);
        snprintf(expected, sizeof expected, "[%s] %s is missing", keys[k].section, keys[k].key);
        if (!strstr(said, expected))
            fail_msg("expected '%s' in '%s'", expected, said);
        free(said);
    }
}

/* Keys of units: in which section, their least, most and own value, and where they are read to. */
static const struct unit_key {
    const char *section, *key;
    int64_t least, most, value;
    size_t offset;
} unit_keys[] = {
#define SIZE(key, constant, least, most, value, meaning, source)                                   \
    {"hw", #key, least, most, value, offsetof(struct config, hw_##key)},
#define SETTING(stem, key, least, most, value, meaning, source)                                    \
    {#stem, #key, least, most, value, offsetof(struct config, stem##_##key)},
#include "tb/config.def"
};

/* Reads the good text with a unit's key given as `value`, or not given: NULL. */
static int read_unit_key(const struct unit_key *k, const char *value, int64_t *got, char **said,
                         unsigned *line)
{
    struct config c;
    char text[70000];
    text_without(text, k->section, k->key);
    if (value)
        sprintf(text + strlen(text), "\n[%s]\n%s = %s\n", k->section, k->key, value);
    *line = 0;
    for (const char *p = text; *p; p++)
        *line += *p == '\n';
    const int status = read_text(text, strlen(text), &c, said);
    memcpy(got, (const char *)&c + k->offset, sizeof *got);
    return status;
}

/* Its own value where the file gives none, else the file's; out of range it is refused, with the
 * line. */
static void keys_of_units(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof unit_keys / sizeof unit_keys[0]; i++) {
        const struct unit_key *k = &unit_keys[i];
        char value[32], expected[160], *said;
        int64_t got;
        unsigned line;
        assert_int_equal(read_unit_key(k, NULL, &got, &said, &line), 0);
        assert_true(got == k->value && got >= k->least && got <= k->most);
        free(said);
        for (int64_t number = k->least; number <= k->most; number++) {
            sprintf(value, "%lld", (long long)number);
            assert_int_equal(read_unit_key(k, value, &got, &said, &line), 0);
            assert_true(got == number);
            free(said);
            if (number == k->least + 3 && k->most > number + 3)
                number = k->most - 3; /* not all between */
        }
        for (int above = 0; above < 2; above++) {
            sprintf(value, "%lld", (long long)(above ? k->most + 1 : k->least - 1));
            assert_int_equal(read_unit_key(k, value, &got, &said, &line), -1);
            sprintf(expected, ".ini:%u: [%s] %s = %s is out of range; expected %lld to %lld", line,
                    k->section, k->key, value, (long long)k->least, (long long)k->most);
            if (!strstr(said, expected))
                fail_msg("expected '%s' in '%s'", expected, said);
            free(said);
        }
    }
}

/* Each unit that the machine has a place for has a delay, besides the keys of its file. */
static void units_have_their_keys(void **unused)
{
    (void)unused;
    static const char *const keys[] = {
        "hw.tl_group", "hw.block_bits", "hw.loop_bits", "hw.daws_looks", "mask.n", "mask.p",
#define SOCKET(stem) #stem ".delay",
#include "sockets.def"
#undef SOCKET
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        int found = 0;
        for (size_t k = 0; k < sizeof unit_keys / sizeof unit_keys[0]; k++) {
            char name[128];
            sprintf(name, "%s.%s", unit_keys[k].section, unit_keys[k].key);
            found += !strcmp(name, keys[i]);
        }
        if (found != 1)
            fail_msg("%s is found %d times", keys[i], found);
    }
}

static void long_lines_zeros_and_truncation_are_errors(void **unused)
{
    (void)unused;
    struct config c;
    char *said, *text = calloc(1, good_size + 2000);
    memset(text, ';', 1000);
    text[1000] = '\n';
    strcat(text, good);
    assert_int_equal(read_text(text, strlen(text), &c, &said), -1);
    assert_non_null(strstr(said, ".ini:1: line of more than"));
    free(said);
    memcpy(text, "a\0b\n", 4);
    assert_int_equal(read_text(text, 1001, &c, &said), -1);
    assert_non_null(strstr(said, ".ini:1: a byte of value 0; expected text"));
    free(said);
    for (size_t size = 0; size + 4 < good_size; size += 7) {
        int status = read_text(good, size, &c,
                               &said); /* whole only if all keys are whole by chance of the cut */
        if (status == 0)
            assert_int_equal(config_check(&c, stderr), 0);
        else
            assert_true(strlen(said) > 10);
        free(said);
    }
    free(text);
}

static void overrides(void **unused)
{
    (void)unused;
    static const struct {
        const char *assignment, *expected;
    } bad[] = {
        {"l1d.sets", "expected section.key=value"}, {"sets=4", "expected section.key=value"},
        {"l1d.sats=4", "unknown key 'sats'"},       {"x.y=4", "unknown section [x]"},
        {"l1d.sets=", "expected a whole number"},   {"l1d.sets=0", "is out of range"},
        {"", "expected section.key=value"},         {"l1d.sets.x=4", "unknown key 'sets.x'"},
    };
    struct config c;
    char *said;
    size_t size;
    assert_int_equal(read_text(good, good_size, &c, &said), 0);
    free(said);
    assert_int_equal(config_set(&c, "l1d.sets=0x40", stderr), 0);
    assert_int_equal(c.l1d_sets, 64);
    assert_int_equal(config_set(&c, "run.sched=lrr", stderr), 0);
    assert_string_equal(c.run_sched, "lrr");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        FILE *err = open_memstream(&said, &size);
        assert_int_equal(config_set(&c, bad[i].assignment, err), -1);
        fclose(err);
        if (!strstr(said, bad[i].expected) && !strstr(said, "expected section.key=value"))
            fail_msg("'%s': expected '%s' in '%s'", bad[i].assignment, bad[i].expected, said);
        free(said);
    }
}

static void every_file_reads(void **unused)
{
    (void)unused;
    glob_t files;
    assert_int_equal(glob("configs/*.ini", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct config c;
        assert_int_equal(config_read(&c, files.gl_pathv[i], stderr), 0);
        assert_int_equal(strncmp(files.gl_pathv[i] + strlen("configs/"), c.name, strlen(c.name)),
                         0);
    }
    globfree(&files);
}

/* Every key must carry a comment that names its source as the comments before the first section
 * spell it: [T6.2], [choice]. Returns the number of the first line without one, 0: none. */
static unsigned line_without_source(const char *text)
{
    const char *section = strstr(text, "\n[");
    const size_t head = section ? (size_t)(section - text) : 0;
    unsigned number = 1;
    for (const char *line = text; *line;
         line += strcspn(line, "\n"), line += *line != 0, number++) {
        const char *end = line + strcspn(line, "\n"), *comment = line + strcspn(line, ";\n");
        if (*line < 'a' || *line > 'z')
            continue;
        const char *tag = memchr(comment, '[', end - comment);
        const char *closed = tag ? memchr(tag, ']', end - tag) : NULL;
        if (!closed || closed == tag + 1 || !memmem(text, head, tag, closed + 1 - tag))
            return number;
    }
    return 0;
}

static void every_value_has_a_source(void **unused)
{
    (void)unused;
    glob_t files;
    assert_int_equal(glob("configs/*.ini", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        static char text[65536];
        FILE *f = fopen(files.gl_pathv[i], "r");
        assert_non_null(f);
        text[fread(text, 1, sizeof text - 1, f)] = 0;
        fclose(f);
        unsigned line = line_without_source(text);
        if (line && strcmp(files.gl_pathv[i], "configs/tiny.ini")) /* no GPU, hence no source */
            fail_msg("%s:%u: expected a comment with a source that the head of the file names",
                     files.gl_pathv[i], line);
    }
    globfree(&files);
}

static void a_value_without_source_is_noticed(void **unused)
{
    (void)unused;
    assert_int_equal(line_without_source("; [A]: a book\n[s]\nk = 1 ; [A] p. 3\n; free text\n"), 0);
    assert_int_equal(line_without_source("; [A]: a book\n[s]\nk = 1\n; [A]\n"), 3);
    assert_int_equal(line_without_source("; [A]: a book\n[s]\nj = 1 ; [A]\nk = 1 ; a book"), 4);
    assert_int_equal(line_without_source("; [A]: a book\n[s]\nk = 1 ; [B]\n"), 3);
    assert_int_equal(line_without_source("; [A]: a book\n[s]\nk = 1 ; [A\n[t]\n"), 3);
    assert_int_equal(line_without_source("[s]\nk = 1 ; [s]\n"), 2);
}

static void checks_across_keys(void **unused)
{
    (void)unused;
    static const struct {
        const char *key, *value, *expected;
        const char *before[2]; /* assignments that come first */
    } cases[] = {
        {"hw.num_warps", "63", "but this build has", {0}},
        {"l1d.sets", "33", "[l1d] sets = 33; expected a power of two", {0}},
        {"l1d.line", "96", "[l1d] line = 96; expected a power of two", {0}},
        {"l1c.sets", "3", "[l1c] sets = 3; expected a power of two", {0}},
        {"l1c.line", "33", "[l1c] line = 33; expected a power of two", {0}},
        {"l1c.line", "256", "[l1d] line = 128; expected a multiple of l1c.line = 256", {0}},
        {"l1i.sets", "3", "[l1i] sets = 3; expected a power of two", {0}},
        {"l1i.line", "96", "[l1i] line = 96; expected a power of two", {0}},
        {"l1i.line", "256", "[l1d] line = 128; expected a multiple of l1i.line = 256", {0}},
        {"mem.shared_banks", "12", "[mem] shared_banks = 12; expected a power of two", {0}},
        {"l2.interleave", "64", "[l2] interleave = 64; expected a multiple of l1d.line = 128", {0}},
        {"dram.channels", "64", "expected a multiple of dram.channels = 64", {0}},
        {"dram.row_bytes",
         "1111",
         "[dram] row_bytes = 1111; expected a multiple of l2.interleave",
         {0}},
        {"l1d.index", "random", "[l1d] index = random; expected linear, hashed or fermi", {0}},
        {"l2.bank_index", "xor", "[l2] bank_index = xor; expected linear or hashed", {0}},
        {"l1d.index",
         "fermi",
         "index = fermi with sets = 16, line = 128; it is known for 32 or 64",
         {"l1d.sets=16"}},
        {"l1d.bypass_mshr",
         "0",
         "[l1d] bypass_mshr = 0 with mshrs = 1024, mshr_merge = 256; ",
         {"l1d.mshrs=1024", "l1d.mshr_merge=256"}},
        {"sm.max_threads", "8192", "[sm] max_threads = 8192; ", {0}},
        {"mask.n", "64", "[mask] n = 64; expected at most hw.num_warps = ", {0}},
        {"mask.p", "64", "[mask] p = 64; expected at most hw.num_warps = ", {0}},
    };
    struct config c;
    char *said, assignment[64];
    size_t size;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(read_text(good, good_size, &c, &said), 0);
        free(said);
        for (unsigned j = 0; j < 2 && cases[i].before[j]; j++)
            assert_int_equal(config_set(&c, cases[i].before[j], stderr), 0);
        snprintf(assignment, sizeof assignment, "%s=%s", cases[i].key, cases[i].value);
        assert_int_equal(config_set(&c, assignment, stderr), 0);
        FILE *err = open_memstream(&said, &size);
        assert_int_equal(config_check(&c, err), -1);
        fclose(err);
        if (!strstr(said, cases[i].expected))
            fail_msg("expected '%s' in '%s'", cases[i].expected, said);
        free(said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_this_builds_file),
        cmocka_unit_test(names_line_and_trouble),
        cmocka_unit_test(every_missing_key_is_named),
        cmocka_unit_test(keys_of_units),
        cmocka_unit_test(units_have_their_keys),
        cmocka_unit_test(long_lines_zeros_and_truncation_are_errors),
        cmocka_unit_test(overrides),
        cmocka_unit_test(every_file_reads),
        cmocka_unit_test(every_value_has_a_source),
        cmocka_unit_test(a_value_without_source_is_noticed),
        cmocka_unit_test(checks_across_keys),
    };
    return cmocka_run_group_tests_name("tb/config", tests, load, unload);
}
