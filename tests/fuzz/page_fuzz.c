/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/page_fuzz.c: any bytes as the statistics of a run, of which a page is made. What is accepted must give a page that
 * runs nothing and fetches nothing, and the same one again; what is refused gives none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/cli/cost.h"
#include "tb/cli/html/page.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/input.h"
#include "tests/tb/cli/html/markup.h"

/* The page, to be freed, and whether it was accepted. No folder of a build: results do not depend on what was built. */
static char *page_of(const struct statistics *s, int *accepted)
{
    const struct pictures none = {0};
    char *page;
    size_t length;
    FILE *to = open_memstream(&page, &length);
    *accepted = !page_write(to, s, &none, "/nowhere");
    fclose(to);
    return page;
}

static void check_page(const struct statistics *s)
{
    int accepted, again;
    char *page = page_of(s, &accepted), *other = page_of(s, &again);
    assert_int_equal(accepted, again);
    assert_string_equal(page, other);
    if (accepted) {
        const char *fault = markup_fault(page);
        if (fault)
            fail_msg("%s", fault);
    } else
        assert_string_equal(page, "");
    free(page);
    free(other);
}

/* The same bytes as a unit's page of evidence: what a row gives must be of that row's line. */
static void check_evidence(const uint8_t *data, size_t size)
{
    struct notes notes = {0};
    char *text = malloc(size + 1);
    assert_non_null(text);
    memcpy(text, data, size);
    text[size] = 0;
    if (!cost_of_evidence(&notes, text, "tiny"))
        for (size_t i = 0; i < notes.count; i++)
            assert_non_null(strstr(text, notes.notes[i].value));
    notes_free(&notes);
    free(text);
}

int page_fuzz(const uint8_t *data, size_t size)
{
    char path[64];
    const int file = input_open(data, size, path);
    FILE *const said = stderr;
    stderr = fopen("/dev/null", "w");
    struct statistics *s = statistics_read(path);
    if (s)
        check_page(s);
    statistics_free(s);
    fclose(stderr);
    stderr = said;
    close(file);
    check_evidence(data, size);
    return 0;
}
