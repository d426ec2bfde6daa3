/* SPDX-License-Identifier: Apache-2.0 */
/* tests/rtl/lists_test.c: the lists of the RTL library (rtl/lists.sh) as the tools that they are for read them: FuseSoC's CAPI2 and
 * Bender's manifest, by their documentation, neither being a Debian package; Verilator and Yosys themselves. That they are not out of
 * date is checked by `make lint`. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/tb/shell.h"
#include "tests/yaml_file.h"

#define MOST_FILES 200

/* Paths of a list, in its order. */
struct paths {
    const char *path[MOST_FILES];
    int count;
};

static void add_paths(struct paths *p, yaml_document_t *d, const yaml_node_t *list)
{
    const yaml_node_t *item;
    for (int i = 0; (item = yaml_item(d, list, i)); i++) {
        assert_true(p->count < MOST_FILES);
        p->path[p->count++] = yaml_text(item);
    }
}

static int place(const struct paths *p, const char *path)
{
    for (int i = 0; i < p->count; i++)
        if (!strcmp(p->path[i], path))
            return i;
    return -1;
}

/* The shared parts and every unit, each once; all parts before all units. */
static void check_paths(const struct paths *p, const char *list)
{
    glob_t parts, units;
    int last_part = -1, expected = 0;
    assert_int_equal(glob("rtl/prim/*.sv", 0, NULL, &parts), 0);
    assert_int_equal(glob("cmodel/*/*.def", 0, NULL, &units), 0);
    for (size_t i = 0; i < parts.gl_pathc; i++, expected++) {
        const int at = place(p, parts.gl_pathv[i]);
        if (at < 0)
            fail_msg("%s lacks %s", list, parts.gl_pathv[i]);
        last_part = at > last_part ? at : last_part;
    }
    for (size_t i = 0; i < units.gl_pathc; i++, expected++) {
        char path[256];
        const char *unit = strrchr(units.gl_pathv[i], '/') + 1;
        const int length = (int)strcspn(unit, ".");
        snprintf(path, sizeof path, "rtl/%.*s/%.*s.sv", length, unit, length, unit);
        if (place(p, path) <= last_part)
            fail_msg("%s lacks %s, or has it before a shared part", list, path);
    }
    assert_int_equal(p->count, expected);
    globfree(&parts);
    globfree(&units);
}

static void check_members(yaml_document_t *d, const yaml_node_t *node, const char *allowed)
{
    yaml_node_t *value;
    const char *key;
    for (int i = 0; (key = yaml_key(d, node, i, &value)); i++) {
        char word[100];
        snprintf(word, sizeof word, " %s ", key);
        if (!strstr(allowed, word))
            fail_msg("'%s' is none of:%s", key, allowed);
    }
}

/* What CAPI2 has, of that which a core without simulation needs. */
static void the_core_is_capi2(void **state)
{
    (void)state;
    yaml_document_t d;
    yaml_node_t *node;
    const char *name;
    char line[16] = "";
    FILE *f = fopen("heddle.core", "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    fclose(f);
    assert_string_equal(line, "CAPI=2:\n");
    yaml_file_read(&d, "heddle.core");
    const yaml_node_t *root = yaml_document_get_root_node(&d);
    check_members(&d, root, " CAPI=2 name description filesets parameters targets ");
    int colons = 0;
    for (const char *at = yaml_text(yaml_member(&d, root, "name")); *at; at++)
        colons += *at == ':';
    assert_int_equal(colons, 3); /* vendor, library, name, version */
    const yaml_node_t *sets = yaml_member(&d, root, "filesets");
    for (int i = 0; (name = yaml_key(&d, sets, i, &node)); i++) {
        check_members(&d, node, " files file_type ");
        assert_string_equal(yaml_text(yaml_member(&d, node, "file_type")), "systemVerilogSource");
        assert_non_null(yaml_item(&d, yaml_member(&d, node, "files"), 0));
    }
    const yaml_node_t *parameters = yaml_member(&d, root, "parameters");
    for (int i = 0; (name = yaml_key(&d, parameters, i, &node)); i++) {
        assert_string_equal(yaml_text(yaml_member(&d, node, "datatype")), "int");
        assert_string_equal(yaml_text(yaml_member(&d, node, "paramtype")), "vlogparam");
        check_members(&d, node, " datatype paramtype ");
    }
    yaml_document_delete(&d);
}

static void files_of(struct paths *p, yaml_document_t *d, const yaml_node_t *target)
{
    const yaml_node_t *sets = yaml_member(d, yaml_document_get_root_node(d), "filesets"), *set;
    for (int i = 0; (set = yaml_item(d, yaml_member(d, target, "filesets"), i)); i++) {
        const yaml_node_t *files = yaml_member(d, yaml_member(d, sets, yaml_text(set)), "files");
        if (!files)
            fail_msg("no fileset '%s'", yaml_text(set));
        add_paths(p, d, files);
    }
}

static void the_core_has_all_files(void **state)
{
    (void)state;
    yaml_document_t d;
    struct paths p = {0};
    yaml_file_read(&d, "heddle.core");
    const yaml_node_t *targets = yaml_member(&d, yaml_document_get_root_node(&d), "targets");
    files_of(&p, &d, yaml_member(&d, targets, "default"));
    check_paths(&p, "heddle.core");
    yaml_document_delete(&d);
}

/* Verilator as FuseSoC calls it for a target. */
static void lint(yaml_document_t *d, const yaml_node_t *target)
{
    static char output[MAX_OUTPUT];
    char command[3500];
    struct paths p = {0};
    const yaml_node_t *item, *root = yaml_document_get_root_node(d),
                             *tool = yaml_member(d, yaml_member(d, target, "tools"), "verilator");
    assert_string_equal(yaml_text(yaml_member(d, target, "default_tool")), "verilator");
    assert_string_equal(yaml_text(yaml_member(d, tool, "mode")), "lint-only");
    int length = snprintf(command, sizeof command, "verilator --lint-only --top-module %s",
                          yaml_text(yaml_member(d, target, "toplevel")));
    for (int i = 0; (item = yaml_item(d, yaml_member(d, tool, "verilator_options"), i)); i++)
        length +=
            snprintf(command + length, sizeof command - (size_t)length, " %s", yaml_text(item));
    for (int i = 0; (item = yaml_item(d, yaml_member(d, target, "parameters"), i)); i++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(yaml_text(item), "="), yaml_text(item));
        if (!yaml_member(d, yaml_member(d, root, "parameters"), name))
            fail_msg("parameter %s of a target is not declared", name);
        length +=
            snprintf(command + length, sizeof command - (size_t)length, " -G%s", yaml_text(item));
    }
    files_of(&p, d, target);
    for (int i = 0; i < p.count; i++)
        length += snprintf(command + length, sizeof command - (size_t)length, " %s", p.path[i]);
    assert_in_range(length, 1, sizeof command - 1);
    if (shell(command, output))
        fail_msg("%s\n%s", command, output);
}

static void each_target_lints(void **state)
{
    (void)state;
    yaml_document_t d;
    yaml_node_t *target;
    const char *name;
    int linted = 0;
    yaml_file_read(&d, "heddle.core");
    const yaml_node_t *targets = yaml_member(&d, yaml_document_get_root_node(&d), "targets");
    for (int i = 0; (name = yaml_key(&d, targets, i, &target)); i++)
        if (strcmp(name, "default")) {
            assert_string_equal(name, yaml_text(yaml_member(&d, target, "toplevel")));
            lint(&d, target);
            linted++;
        }
    struct paths all = {0};
    files_of(&all, &d, yaml_member(&d, targets, "default"));
    glob_t parts;
    assert_int_equal(glob("rtl/prim/*.sv", 0, NULL, &parts), 0);
    assert_int_equal(linted, all.count - (int)parts.gl_pathc);
    globfree(&parts);
    yaml_document_delete(&d);
}

static void bender_has_all_files(void **state)
{
    (void)state;
    yaml_document_t d;
    struct paths p = {0};
    yaml_file_read(&d, "Bender.yml");
    const yaml_node_t *root = yaml_document_get_root_node(&d), *package;
    check_members(&d, root, " package sources ");
    package = yaml_member(&d, root, "package");
    check_members(&d, package, " name description ");
    assert_string_equal(yaml_text(yaml_member(&d, package, "name")), "heddle");
    add_paths(&p, &d, yaml_member(&d, root, "sources"));
    check_paths(&p, "Bender.yml");
    yaml_document_delete(&d);
}

/* A file list as it is, from where its paths begin and, by -F, from elsewhere. */
static void tools_read_the_file_list(void **state)
{
    (void)state;
    static const struct command commands[] = {
        {"verilator --lint-only -Wall -f heddle.f --top-module wia -GNUM_WARPS=24 -GTL_GROUP=8", 0,
         NULL},
        {"here=$PWD; cd / && verilator --lint-only -Wall -F $here/heddle.f --top-module mask "
         "-GNUM_WARPS=8",
         0, NULL},
        {"yosys -q -p \"read_verilog -sv -defer $(grep -v ^// heddle.f | xargs); hierarchy "
         "-top wia -chparam NUM_WARPS 24 -chparam TL_GROUP 8; proc; check -assert\"",
         0, NULL},
        /* each list is that of its tool's paths */
        {"grep -v '^//' heddle.f >$TMPDIR/f; sed -n 's/^  - //p' Bender.yml | diff $TMPDIR/f -", 0,
         NULL},
    };
    TRY(commands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_core_is_capi2),        cmocka_unit_test(the_core_has_all_files),
        cmocka_unit_test(each_target_lints),        cmocka_unit_test(bender_has_all_files),
        cmocka_unit_test(tools_read_the_file_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
