/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/table_fuzz.c: any bytes as a table of claims. What is accepted must be rows whose fields are of columns that have names,
 * each given once; what is refused must be told in one message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/cli/claims/table.h"
#include "tests/fuzz/fuzz.h"

static void check_row(const struct table *t, const struct point *p)
{
    assert_true(!strcmp(p->group, t->name) && !*p->workload && p->line > 1);
    assert_true(p->num_settings >= 0 && p->num_settings <= TABLE_COLUMNS);
    for (int i = 0; i < p->num_settings; i++) {
        assert_true(*p->settings[i].key && *p->settings[i].value);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(p->settings[i].key, p->settings[k].key);
    }
}

int table_fuzz(const uint8_t *data, size_t size)
{
    char folder[] = "/tmp/table.XXXXXX", path[64], *said;
    size_t length;
    struct table t;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/t.csv", folder);
    FILE *f = fopen(path, "wb"), *err = open_memstream(&said, &length);
    assert_true(f && err);
    assert_int_equal(fwrite(data, 1, size, f), size);
    fclose(f);
    const int status = table_load(&t, folder, "t", err);
    fclose(err);
    unlink(path);
    rmdir(folder);
    if (status) {
        assert_true(length > 10 && said[length - 1] == '\n');
        assert_null(memchr(said, '\n', length - 1));
    } else {
        assert_int_equal(length, 0);
        assert_null(memchr(data, '\0', size)); /* or what stands behind it was overlooked */
        assert_true(t.found && t.count <= MAX_POINTS);
        for (int i = 0; i < t.count; i++)
            check_row(&t, &t.rows[i]);
    }
    free(said);
    table_drop(&t);
    return 0;
}
