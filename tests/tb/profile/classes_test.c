/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/profile/classes_test.c: what a profile makes of loops, by profiles written out here; which files are
 * refused, with which words; and kernels that a profile does not have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/profile/classes.h"
#include "tests/tb/ptx/ptx_support.h"
#include "tests/tb/test_config.h"

/* Loop 1 has loads 1 to 4, of which 1 and 2 are repeated, and loop 2, inside, load 5; load 6 is an atomic of
 * loop 2; load 7 is outside. */
static const char statements[] =
    "ld.param.u64 %d0, [a];\nmov.u64 %d1, %d0;\nmov.u32 %r8, 0;\n"
    "L: ld.global.u32 %r1, [%d0];\nld.global.u32 %r2, [%d0+4];\nld.global.u32 %r3, [%d0+256];\n"
    "ld.global.u32 %r3, [%d0+512];\nmov.u32 %r7, 0;\n"
    "I: ld.global.u32 %r1, [%d1];\natom.global.add.u32 %r2, [%d0], 1;\nadd.u32 %r7, %r7, 1;\n"
    "setp.lt.u32 %p7, %r7, 3;\n@%p7 bra I;\nadd.u32 %r8, %r8, 1;\nsetp.lt.u32 %p8, %r8, 9;\n@%p8 "
    "bra L;\n"
    "ld.global.u32 %r1, [%d0];\nret;\n";

static const char *const texts[] = {
    "ld.global.u32 %r1, [%d0]",     "ld.global.u32 %r2, [%d0+4]",
    "ld.global.u32 %r3, [%d0+256]", "ld.global.u32 %r3, [%d0+512]",
    "ld.global.u32 %r1, [%d1]",     "atom.global.add.u32 %r2, [%d0], 1",
    "ld.global.u32 %r1, [%d0]"};

static struct ptx_module *module;
static const struct ptx_kernel *kernel;

static int parse(void **unused)
{
    (void)unused;
    module = body_parse(statements);
    kernel = ptx_kernel(module, "k");
    return kernel ? 0 : -1;
}

static int drop(void **unused)
{
    (void)unused;
    ptx_free(module);
    return 0;
}

/* What a load of the file says. */
struct row {
    unsigned number, executions, reusing;
    const char *shapes;
};

static void write_row(FILE *f, const struct row *r)
{
    static const unsigned loops[] = {1, 1, 1, 1, 2, 2, 0}, ids[] = {1, 1, 3, 4, 5, 0, 7};
    const unsigned i = r->number - 1,
                   pc =
                       find_text(kernel, texts[i], i == 6 ? find_text(kernel, "@%p8 bra L", 0) : 0);
    fprintf(f,
            "{\"pc\": %u, \"text\": \"%s\", \"number\": %u, \"loop\": %u, \"repetition\": %u, "
            "\"executions\": %u, \"executions_reusing\": %u, \"shapes\": [%s]}",
            pc, texts[i], r->number, loops[i], ids[i], r->executions, r->reusing, r->shapes);
}

/* The file with these loads, of the kernel `name`. */
static char *text_of(const char *name, const struct row *rows, unsigned count)
{
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fprintf(f,
            "{\"l1d_lines\": 128, \"l1d_line\": 128, \"kernels\": [{\"name\": \"%s\", "
            "\"program_loads\": 7, \"program_loops\": 2, \"loads\": [",
            name);
    for (unsigned i = 0; i < count; i++) {
        fputs(i ? ", " : "", f);
        write_row(f, &rows[i]);
    }
    fprintf(f, "]}]}\n");
    fclose(f);
    return text;
}

static struct classes *read_text(const char *text, char **said)
{
    char path[] = "/tmp/heddle-classes-XXXXXX";
    const int fd = mkstemp(path);
    const struct config config = test_config();
    size_t size;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    FILE *err = open_memstream(said, &size);
    struct classes *c = classes_read(path, &config, err);
    fclose(err);
    unlink(path);
    return c;
}

static void what_becomes_of_loops(void **unused)
{
    (void)unused;
    static const struct {
        const char *what;
        struct row rows[7];
        struct loop_class is[2];
    } cases[] = {
        {"all lanes a line each", {{3, 320, 300, "[32, 32, 10]"}}, {{1, 0}, {0, 0}}},
        {"one line for all", {{3, 10, 9, "[32, 1, 10]"}}, {{0, 1}, {0, 0}}},
        {"two lines are converged", {{3, 20, 19, "[32, 2, 10]"}}, {{0, 1}, {0, 0}}},
        {"somewhat diverged is diverged (PC 240 of figure 5)",
         {{3, 50, 40, "[32, 5, 10]"}},
         {{1, 0}, {0, 0}}},
        {"most executions decide", {{3, 50, 40, "[32, 5, 6], [16, 1, 5]"}}, {{1, 0}, {0, 0}}},
        {"as many are not most", {{3, 50, 40, "[32, 5, 6], [16, 1, 6]"}}, {{0, 1}, {0, 0}}},
        {"two lanes say nothing",
         {{3, 50, 40, "[1, 1, 900], [2, 2, 900], [3, 3, 1]"}},
         {{1, 0}, {0, 0}}},
        {"half of the executions are no locality",
         {{3, 100, 50, "[32, 32, 10]"}},
         {{0, 0}, {0, 0}}},
        {"more than half are", {{3, 100, 51, "[32, 32, 10]"}}, {{1, 0}, {0, 0}}},
        {"the loop's loads together",
         {{3, 100, 0, "[32, 32, 10]"}, {4, 900, 600, "[32, 1, 10]"}},
         {{1, 1}, {0, 0}}},
        {"of an inner loop alone",
         {{3, 100, 0, "[32, 32, 10]"}, {5, 900, 600, "[32, 1, 10]"}},
         {{0, 0}, {0, 1}}},
        {"repeated loads count once",
         {{1, 9, 8, "[32, 1, 10]"}, {2, 9, 8, "[32, 1, 10]"}, {3, 9, 8, "[32, 1, 10]"}},
         {{0, 2}, {0, 0}}},
        {"as diverged, if one is",
         {{1, 9, 8, "[32, 1, 10]"}, {2, 9, 8, "[32, 9, 10]"}, {3, 9, 8, "[32, 1, 10]"}},
         {{1, 1}, {0, 0}}},
        {"whichever comes first",
         {{1, 9, 8, "[32, 9, 10]"}, {2, 9, 8, "[32, 1, 10]"}},
         {{1, 0}, {0, 0}}},
        {"outside loops", {{7, 100, 99, "[32, 32, 10]"}}, {{0, 0}, {0, 0}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned count = 0;
        char *said, message[256];
        while (cases[i].rows[count].number)
            count++;
        char *text = text_of("k", cases[i].rows, count);
        struct classes *c = read_text(text, &said);
        assert_non_null(c);
        const struct loop_classes *is = classes_of(c, kernel, stderr, message, sizeof message);
        if (!is)
            fail_msg("%s: %s", cases[i].what, message);
        assert_int_equal(is->count, 2);
        for (unsigned l = 0; l < 2; l++)
            if (is->loops[l].diverged != cases[i].is[l].diverged ||
                is->loops[l].converged != cases[i].is[l].converged)
                fail_msg("%s: loop %u has %u diverged, %u converged", cases[i].what, l + 1,
                         (unsigned)is->loops[l].diverged, (unsigned)is->loops[l].converged);
        classes_free(c);
        free(text);
        free(said);
    }
}

/* `text` with `old` replaced; to be freed. */
static char *replaced(const char *text, const char *old, const char *new)
{
    char *result;
    const char *at = strstr(text, old);
    assert_non_null(at);
    assert_true(asprintf(&result, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old)) > 0);
    return result;
}

static void other_files_are_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *old, *new, *said;
    } cases[] = {
        {"{", "", "no profile; expected what `heddle run --profile` writes"},
        {"\"kernels\"", "\"colonels\"", "no profile"},
        {"\"l1d_lines\"", "\"lines\"", "no profile"},
        {"\"l1d_line\"", "\"old\"", "a profile without loads' numbers and repetition ids"},
        {"\"program_loads\"", "\"old\"", "a profile without loads' numbers and repetition ids"},
        {"\"number\": 3", "\"old\": 3", "a profile without loads' numbers and repetition ids"},
        {"\"number\": 3", "\"number\": -3", "a profile without"},
        {"\"number\": 3", "\"number\": 3.5", "a profile without"},
        {"\"number\": 3", "\"number\": 1e300", "a profile without"},
        {"\"repetition\"", "\"old\"", "a profile without loads' numbers and repetition ids"},
        {"\"name\": \"k\"", "\"name\": 7", "a profile without"},
        {"\"shapes\": [", "\"shapes\": 1, \"old\": [", "a profile without"},
        {"\"l1d_line\": 128", "\"l1d_line\": 64", "lines of 64 bytes; expected l1d.line = 128"},
    };
    static const struct row row = {3, 100, 90, "[32, 32, 10]"};
    const struct config config = test_config();
    char *good = text_of("k", &row, 1), *said;
    size_t size;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = replaced(good, cases[i].old, cases[i].new);
        assert_null(read_text(text, &said));
        if (!strstr(said, cases[i].said) || strncmp(said, "/tmp/heddle-classes-", 20) != 0)
            fail_msg("'%s': '%s'", cases[i].new, said);
        free(text);
        free(said);
    }
    assert_null(read_text("", &said));
    assert_non_null(strstr(said, "cannot be read: it is empty"));
    free(said);
    static const char *const paths[] = {"/nowhere/p.json", "/tmp"};
    for (size_t i = 0; i < 2; i++) {
        FILE *err = open_memstream(&said, &size);
        assert_null(classes_read(paths[i], &config, err));
        fclose(err);
        assert_non_null(strstr(said, i ? "/tmp: cannot be read: Is a directory"
                                       : "/nowhere/p.json: cannot be read: No such file"));
        free(said);
    }
    free(good);
}

/* A profile of another program is an error that says where. */
static void other_programs_are_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *old, *new, *said;
    } cases[] = {
        {"\"program_loads\": 7", "\"program_loads\": 6", "has 2 loops and 7 loads, in "},
        {"\"program_loops\": 2", "\"program_loops\": 3",
         "it has 3 and 7; expected a profile of this"},
        {"\"number\": 3", "\"number\": 4", "load 4 of "},
        {"\"number\": 3", "\"number\": 8", "load 8 of "},
        {"\"number\": 3", "\"number\": 6", "is not the program's"},
        {"\"loop\": 1", "\"loop\": 2", "in loop 2 with repetition id 3, is not the program's"},
        {"\"repetition\": 3", "\"repetition\": 1", "with repetition id 1, is not the program's"},
        {"%d0+256", "%d0+264", "`ld.global.u32 %r3, [%d0+264]`"},
        {"\"pc\": ", "\"pc\": 1", "expected a profile of this program"},
        {"\"pc\": ", "\"pc\": 9007199254740992, \"old\": ", "at pc 9007199254740992"},
    };
    static const struct row row = {3, 100, 90, "[32, 32, 10]"};
    char *good = text_of("k", &row, 1), *said, message[1024];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = replaced(good, cases[i].old, cases[i].new);
        struct classes *c = read_text(text, &said);
        assert_non_null(c);
        assert_null(classes_of(c, kernel, stderr, message, sizeof message));
        if (!strstr(message, cases[i].said) || !strstr(message, "kernel k") ||
            !strstr(message, "/tmp/heddle-classes-"))
            fail_msg("'%s': '%s'", cases[i].new, message);
        classes_free(c);
        free(text);
        free(said);
    }
    free(good);
}

/* A kernel that is not there is told once, and has no locality; of two of one name the one that fits
 * counts. */
static void kernels_are_found_by_name(void **unused)
{
    (void)unused;
    static const struct row row = {3, 100, 90, "[32, 32, 10]"};
    char *text = text_of("another", &row, 1), *said, *told, message[256];
    struct classes *c = read_text(text, &said);
    size_t size;
    FILE *err = open_memstream(&told, &size);
    for (int i = 0; i < 3; i++) {
        const struct loop_classes *is = classes_of(c, kernel, err, message, sizeof message);
        assert_non_null(is);
        for (unsigned l = 0; l < 2; l++)
            assert_int_equal(is->loops[l].diverged + is->loops[l].converged, 0);
    }
    fclose(err);
    assert_ptr_equal(strchr(told, '\n'), told + size - 1);
    assert_non_null(strstr(told, "has no kernel k: none of its loops counts as one with locality"));
    classes_free(c);
    free(text);
    free(said);
    free(told);

    char *fits = text_of("k", &row, 1),
         *both =
             replaced(fits, "\"kernels\": [",
                      "\"kernels\": [{\"name\": \"k\", \"program_loads\": 1, \"program_loops\": 1, "
                      "\"loads\": []}, ");
    c = read_text(both, &said);
    const struct loop_classes *is = classes_of(c, kernel, stderr, message, sizeof message);
    assert_non_null(is);
    assert_int_equal(is->loops[0].diverged, 1);
    classes_free(c);
    free(both);
    free(fits);
    free(said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_becomes_of_loops),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(other_programs_are_refused),
        cmocka_unit_test(kernels_are_found_by_name),
    };
    return cmocka_run_group_tests_name("tb/profile/classes", tests, parse, drop);
}
