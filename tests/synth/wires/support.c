/* SPDX-License-Identifier: Apache-2.0 */
/* tests/synth/wires/support.c: see support.h. */
#include "tests/synth/wires/support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/text_file.h"

char *changed(const char *path, const char *from, const char *to)
{
    char *text = text_file_read(path, 1 << 20, NULL, stderr), *made = NULL;
    assert_non_null(text);
    char *at = strstr(text, from);
    if (!at)
        fail_msg("%s has no '%s'", path, from);
    assert_true(asprintf(&made, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) > 0);
    free(text);
    return made;
}

int with_file(const char *text, int (*take)(void *user, const char *path, FILE *err), void *user,
              char **said)
{
    char path[] = "/tmp/heddle_wires_XXXXXX", *heard = NULL;
    size_t length = 0;
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    FILE *err = open_memstream(&heard, &length);
    const int failed = take(user, path, err);
    fclose(err);
    remove(path);
    *said = NULL;
    if (length)
        *said = strdup(strncmp(heard, path, strlen(path)) ? heard : heard + strlen(path));
    free(heard);
    return failed;
}

struct design hand;

int hand_open(void **state)
{
    (void)state;
    if (design_open(&hand, HAND("v"), HAND("lib"), HAND("lef"), stderr))
        fail_msg("%s is refused", HAND("v"));
    return 0;
}

int hand_close(void **state)
{
    (void)state;
    design_close(&hand);
    return 0;
}

struct to_read {
    struct def *layout;
    const struct lef *lef;
};

static int take(void *user, const char *path, FILE *err)
{
    const struct to_read *r = user;
    const int failed = def_read(r->layout, path, r->lef, err);
    r->layout->path = "DEF";
    return failed;
}

int read_changed(struct def *l, const struct design *d, const char *from, const char *to,
                 char **said)
{
    char *text = changed(HAND("def"), from, to);
    const int failed = with_file(text, take, &(struct to_read){l, &d->lef}, said);
    free(text);
    return failed;
}

void expect_said(const char *said, const char *text, const char *about)
{
    if (!said || !strstr(said, text))
        fail_msg("'%s' is said of '%s'; expected '%s'", said ? said : "nothing", about, text);
}
