/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/includes_test.c: files that a text includes: all that could be read counts, what is not understood is said to be
 * unknown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/ocl/includes.h"

static char top[] = "/tmp/heddle-includes-XXXXXX";
static char *options[] = {"-DX=1", "-Ione", "-w", "-Itwo", NULL};

static void put(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static int know(const char *source, struct cache_key *key)
{
    *key = cache_key();
    return includes_add(key, source, options);
}

static int begin(void **unused)
{
    (void)unused;
    return system("rm -rf * && mkdir -p one/in two") || setenv("HEDDLE_CACHE", "cache", 1);
}

/* A step writes a file (a folder where there is no text) or removes it; the key changes or does not. */
struct step {
    const char *name, *text;
    int changes;
};

static void go(const char *source, const struct step *steps, size_t count)
{
    struct cache_key before, after;
    assert_true(know(source, &before));
    for (size_t i = 0; i < count; i++) {
        if (!steps[i].text)
            unlink(steps[i].name);
        else if (*steps[i].text)
            put(steps[i].name, steps[i].text);
        else
            assert_int_equal(mkdir(steps[i].name, 0777), 0);
        assert_true(know(source, &after));
        if ((after.hash != before.hash) != steps[i].changes)
            fail_msg("%s, step %zu: %s", source, i, steps[i].name);
        before = after;
    }
}
#define GO(source, ...)                                                                            \
    do {                                                                                           \
        const struct step steps[] = {__VA_ARGS__};                                                 \
        go(source, steps, sizeof steps / sizeof steps[0]);                                         \
    } while (0)

static void where_they_are_found(void **unused)
{
    (void)unused;
    put("two/a.h", "int x;");
    GO("#include <a.h>\n", {"two/b.h", "int b;", 0}, {"two/a.h", "int y;", 1},
       {"one/in/a.h", "int b;", 0}, {"a.h", "int a;", 0}, {"one/a.h", "", 0},
       {"two/a.h", "int x;", 1});
    assert_int_equal(rmdir("one/a.h"), 0);
    GO("#include <a.h>\n", {"one/a.h", "int x;", 1}, {"two/a.h", "int z;", 0});
    GO("  # \tinclude  \"a.h\"", {"a.h", "int b;", 1}, {"one/a.h", "int y;", 0}, {"a.h", NULL, 1});
}

static void what_they_include(void **unused)
{
    (void)unused;
    put("one/in/a.h", "#include \"b.h\"\n#include <c.h>\n");
    put("one/in/b.h", "1");
    put("c.h", "2");
    GO("int a;\n#include \"in/a.h\"\n", {"one/b.h", "3", 0}, {"one/in/b.h", "4", 1},
       {"one/in/c.h", "5", 0}, {"two/c.h", "6", 1}, {"c.h", "7", 0}, {"one/in/b.h", NULL, 1},
       {"one/in/a.h", "8", 1}, {"two/c.h", "9", 0});
}

/* Also in a branch that is not taken, and more than once. */
static void whatever_branch(void **unused)
{
    (void)unused;
    put("one/a.h", "#pragma once\n#include \"a.h\"\n#include \"b.h\"\n");
    put("one/b.h", "#include \"a.h\"\n");
    GO("#if 0\n#include <a.h>\n#endif\n/*\n#include <b.h>\n*/\n", {"one/a.h", "1", 1},
       {"one/b.h", "2", 1});
}

static void what_is_not_known(void **unused)
{
    (void)unused;
    static const char *const sources[] = {
        "#include NAME\n",
        "#include <nowhere.h>\n",
        "#include \"one\"\n",
        "#include \"\"\n",
        "#include <a.h",
        "#include \"a.h\n\"",
        "#include",
        "#include \"a.h\\\n\"",
        "#include_next <a.h>\n",
        "#import <a.h>\n",
        "#if __has_include(<a.h>)\n#endif\n",
        "%:include <a.h>\n",
        "/* */ #include <a.h>\n",
        "x #include <a.h>\n",
        "includes nothing",
        "__TIME__",
        "#include <time.h>\n",
        "#include <computed.h>\n",
        "#include <a.h>\n#include <c.h>\n",
    };
    struct cache_key key;
    put("one/a.h", "1");
    put("one/time.h", "__DATE__");
    put("one/computed.h", "#define N <a.h>\n#include N\n");
    assert_true(know("#include <a.h>\n", &key));
    assert_true(know("", &key));
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (know(sources[i], &key))
            fail_msg("%s", sources[i]);
}

/* So many, so deep; a text that is cut off anywhere. */
static void limits(void **unused)
{
    (void)unused;
    static const char source[] = "#include <a.h>\n #include \"in/b.h\"\n";
    struct cache_key key;
    char name[32], text[64];
    for (int i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "one/%d.h", i);
        snprintf(text, sizeof text, i < 299 ? "#include \"%d.h\"\n" : "end", i + 1);
        put(name, text);
    }
    assert_true(know("#include <250.h>\n", &key));
    assert_false(know("#include <0.h>\n", &key));
    put("one/a.h", "1");
    put("one/in/b.h", "2");
    for (size_t i = 0; i <= strlen(source); i++) {
        char *cut = strndup(source, i);
        know(cut, &key);
        free(cut);
    }
    assert_true(know(source, &key));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(where_they_are_found, begin),
        cmocka_unit_test_setup(what_they_include, begin),
        cmocka_unit_test_setup(whatever_branch, begin),
        cmocka_unit_test_setup(what_is_not_known, begin),
        cmocka_unit_test_setup(limits, begin),
    };
    if (!mkdtemp(top) || chdir(top))
        return perror(top), 1;
    const int result = cmocka_run_group_tests_name("tb/ocl/includes", tests, NULL, NULL);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", top);
    return system(command) ? 1 : result;
}
