/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/sweep_fuzz.c: any bytes as the file of a sweep. What is accepted must be groups of
 * keys with values, whose ranges refer to earlier numbers only and end; what is refused must be
 * told in one message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/cli/sweep/groups.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/input.h"

static void check_end(const struct group *g, int entry, const struct end *end)
{
    assert_true(end->entry >= -1 && end->entry < entry);
    assert_true(end->entry < 0 || g->entries[end->entry].numeric);
}

static void check_group(const struct group *g)
{
    assert_true(*g->name && g->line > 0 && g->count > 0 && g->count <= MAX_ENTRIES);
    for (int e = 0; e < g->count; e++) {
        const struct entry *entry = &g->entries[e];
        assert_true(entry->count > 0 && entry->line > g->line);
        assert_true(strncmp(entry->key, "hw.", 3) != 0);
        for (int before = 0; before < e; before++)
            assert_string_not_equal(entry->key, g->entries[before].key);
        for (int i = 0; i < entry->count; i++) {
            const struct item *item = &entry->items[i];
            assert_true(!entry->numeric || !item->word);
            if (item->word)
                continue;
            assert_true(item->step > 0);
            check_end(g, e, &item->from);
            check_end(g, e, &item->to);
        }
    }
}

int sweep_fuzz(const uint8_t *data, size_t size)
{
    char path[64], *said;
    size_t length;
    struct arena memory = {0};
    struct groups g = {.memory = &memory, .at = {.name = path}};
    const int file = input_open(data, size, path);
    g.at.err = open_memstream(&said, &length);
    assert_non_null(g.at.err);
    const int status = groups_read(&g);
    fclose(g.at.err);
    close(file);
    if (status) {
        assert_true(length > 10 && said[length - 1] == '\n');
        assert_null(memchr(said, '\n', length - 1));
    } else {
        assert_int_equal(length, 0);
        assert_null(memchr(data, '\0', size)); /* or what stands behind it was overlooked */
        assert_true(g.count > 0);
        for (int i = 0; i < g.count; i++)
            check_group(&g.groups[i]);
    }
    free(said);
    groups_free(&g);
    arena_free(&memory);
    return 0;
}
