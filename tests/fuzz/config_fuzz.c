/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/config_fuzz.c: any bytes as a configuration file, and each of its lines as an
 * assignment of --set. What is accepted must be a whole configuration with every value in its
 * range, what is refused must be told in one message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/config.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/input.h"

static const struct config least_config = {
    .name = "least",
#define KEY(section, key, least, most, meaning) .section##_##key = least,
#define WORD(section, key, meaning)             .section##_##key = "word",
#define PATH(stem, key, meaning, source)
#include "tb/config.def"
};

static void check_values(const struct config *c)
{
#define KEY(section, key, least, most, meaning)                                                    \
    assert_true(c->section##_##key >= least && c->section##_##key <= most);
#define WORD(section, key, meaning)                                                                \
    assert_true(c->section##_##key[0] && memchr(c->section##_##key, '\0', CONFIG_WORD_SIZE));
#define PATH(stem, key, meaning, source)                                                           \
    assert_non_null(memchr(c->stem##_##key, '\0', CONFIG_PATH_SIZE));
#include "tb/config.def"
}

/* Where messages go; reopened for each. */
struct listener {
    FILE *err;
    char *said;
    size_t size;
};

static void listen_to(struct listener *l)
{
    l->err = open_memstream(&l->said, &l->size);
    assert_non_null(l->err);
}

static void check_said(struct listener *l, int status)
{
    fclose(l->err);
    assert_true(status == 0 || status == -1);
    if (status)
        assert_true(l->size > 10 && l->said[l->size - 1] == '\n');
    else
        assert_int_equal(l->size, 0);
    free(l->said);
}

static void try_file(const uint8_t *data, size_t size)
{
    struct config c;
    struct listener l;
    char path[64];
    const int file = input_open(data, size, path);
    listen_to(&l);
    int status = config_read(&c, path, l.err);
    check_said(&l, status);
    close(file);
    if (status)
        return;
    assert_null(memchr(data, '\0', size)); /* or what stands behind it was overlooked */
    check_values(&c);
    listen_to(&l);
    check_said(&l, config_check(&c, l.err));
    listen_to(&l);
    config_print(&c, l.err);
    fclose(l.err);
    assert_true(l.size > 100);
    free(l.said);
}

static void try_assignment(const char *assignment)
{
    struct config c = least_config;
    struct listener l;
    listen_to(&l);
    check_said(&l, config_set(&c, assignment, l.err));
    check_values(&c);
}

int config_fuzz(const uint8_t *data, size_t size)
{
    char *lines = strndup((const char *)data, size), *rest = lines;
    assert_non_null(lines);
    try_file(data, size);
    for (const char *line; (line = strsep(&rest, "\n"));)
        try_assignment(line);
    free(lines);
    return 0;
}
