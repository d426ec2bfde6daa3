/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/config_path_test.c: keys that are files: none unless given, of any length that fits, and from the
 * root on once they are resolved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/test_config.h"

static const char *const keys[] = {
#define PATH(stem, key, meaning, source) #stem "." #key,
#include "tb/config.def"
};
#define NUM_KEYS (sizeof keys / sizeof keys[0])

static char *value_of(struct config *c, size_t i)
{
    char *const values[] = {
#define PATH(stem, key, meaning, source) c->stem##_##key,
#include "tb/config.def"
    };
    return values[i];
}

static void none_is_given(void **unused)
{
    (void)unused;
    struct config c;
    char path[4096];
    snprintf(path, sizeof path, "%s/" CONFIG_NAME ".ini", getenv("HEDDLE_BUILD"));
    assert_int_equal(config_read(&c, path, stderr), 0);
    assert_int_equal(config_resolve(&c, "/here", stderr), 0);
    for (size_t i = 0; i < NUM_KEYS; i++)
        assert_string_equal(value_of(&c, i), "");
}

static void folders(void **unused)
{
    (void)unused;
    static const char *const cases[][2] = {{"p.json", "/here/p.json"}, {"/p.json", "/p.json"}};
    for (size_t i = 0; i < 2 * NUM_KEYS; i++) {
        struct config c = test_config();
        char text[128];
        snprintf(text, sizeof text, "%s=%s", keys[i / 2], cases[i % 2][0]);
        assert_int_equal(config_set(&c, text, stderr), 0);
        assert_int_equal(config_resolve(&c, "/here", stderr), 0);
        assert_string_equal(value_of(&c, i / 2), cases[i % 2][1]);
    }
}

static void lengths(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < 2 * NUM_KEYS; i++) {
        struct config c = test_config();
        char text[CONFIG_PATH_SIZE + 128], *said;
        size_t size, length = (size_t)snprintf(text, sizeof text, "%s=", keys[i / 2]);
        const int longer = i % 2;
        memset(text + length, 'x', CONFIG_PATH_SIZE);
        text[length + CONFIG_PATH_SIZE - 1 + (size_t)longer] = 0;
        FILE *err = open_memstream(&said, &size);
        assert_int_equal(config_set(&c, text, err), -longer);
        assert_int_equal(config_resolve(&c, "/here", err), longer - 1);
        fclose(err);
        assert_non_null(strstr(said, longer ? "expected a path of 1 to 1023 characters"
                                            : "from the root on has more than 1023 characters"));
        assert_ptr_equal(strchr(said, '\n'), said + size - 1);
        free(said);
    }
    struct config c = test_config();
    char *said;
    size_t size;
    FILE *err = open_memstream(&said, &size);
    assert_int_equal(config_set(&c, "daws_table.profile=", err), -1);
    fclose(err);
    assert_non_null(strstr(said, "expected a path of 1 to 1023 characters"));
    free(said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_is_given),
        cmocka_unit_test(folders),
        cmocka_unit_test(lengths),
    };
    return cmocka_run_group_tests_name("tb/config_path", tests, NULL, NULL);
}
