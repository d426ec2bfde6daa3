/* SPDX-License-Identifier: Apache-2.0 */
/* tests/machines_test.c: what other machines are told to do, Docker's and those of continuous integration, which cannot be tried here: each
 * command is one that a page has, the workflow is YAML and runs .ci/run, and nothing that is named is missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/yaml_file.h"

static int is_command(const char *line, const char *command)
{
    const size_t length = strlen(command);
    if (strncmp(line, command, length))
        return 0;
    line += length + strspn(line + length, " ");
    return !*line || *line == '#';
}

/* Is the command a line of a fenced block of the page? Behind it may stand a comment. */
static int in_page(const char *page, const char *command)
{
    char line[512];
    int fenced = 0, found = 0;
    FILE *f = fopen(page, "r");
    assert_non_null(f);
    while (!found && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        if (!strncmp(line, "```", 3))
            fenced = !fenced;
        else
            found = fenced && is_command(line, command);
    }
    fclose(f);
    return found;
}

static void check_command(const char *where, const char *command)
{
    if (!in_page("README.md", command) && !in_page("INSTALL.md", command))
        fail_msg("%s runs '%s', which stands in no block of README.md or INSTALL.md", where,
                 command);
}

static void the_dockerfile_runs_what_pages_say(void **state)
{
    (void)state;
    char line[512], last[512] = "";
    int commands = 0, from = 0;
    FILE *f = fopen("Dockerfile", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        if (*line == '#')
            continue;
        from += !strcmp(line, "FROM debian:12");
        if (!strncmp(line, "RUN ", 4)) {
            check_command("Dockerfile", line + 4);
            commands++;
        } else if (strncmp(line, "FROM ", 5) && strcmp(line, "COPY . /heddle") &&
                   strcmp(line, "WORKDIR /heddle") && strncmp(line, "CMD ", 4))
            fail_msg("Dockerfile: an instruction that nobody has looked at: %s", line);
        strcpy(last, line);
    }
    fclose(f);
    assert_int_equal(from, 1);
    assert_int_equal(commands, 2);
    assert_string_equal(last, "CMD [\"make\", \"run\"]");
    check_command("Dockerfile", "make run");
}

static void check_step(yaml_document_t *d, const yaml_node_t *step, int *checkout, int *tests)
{
    const char *run = yaml_text(yaml_member(d, step, "run")),
               *uses = yaml_text(yaml_member(d, step, "uses"));
    assert_true(!*run != !*uses); /* one of them */
    if (*uses) {
        assert_string_equal(uses, "actions/checkout@v4");
        ++*checkout;
    } else if (!strcmp(run, ".ci/run")) {
        assert_int_equal(*checkout, 1);
        ++*tests;
    } else
        check_command("ci.yml", run);
}

static void the_workflow_runs_ci(void **state)
{
    (void)state;
    yaml_document_t d;
    yaml_node_t *job;
    const yaml_node_t *step, *event;
    int checkout = 0, tests = 0, events = 0;
    yaml_file_read(&d, ".github/workflows/ci.yml");
    const yaml_node_t *root = yaml_document_get_root_node(&d);
    for (int i = 0; (event = yaml_item(&d, yaml_member(&d, root, "on"), i)); i++)
        events += !strcmp(yaml_text(event), "push") || !strcmp(yaml_text(event), "pull_request");
    assert_int_equal(events, 2);
    assert_non_null(yaml_key(&d, yaml_member(&d, root, "jobs"), 0, &job));
    assert_string_equal(yaml_text(yaml_member(&d, job, "runs-on")), "ubuntu-latest");
    assert_string_equal(yaml_text(yaml_member(&d, job, "container")), "debian:12");
    for (int i = 0; (step = yaml_item(&d, yaml_member(&d, job, "steps"), i)); i++)
        check_step(&d, step, &checkout, &tests);
    assert_int_equal(tests, 1);
    yaml_document_delete(&d);
    assert_int_equal(access(".ci/run", X_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dockerfile_runs_what_pages_say),
        cmocka_unit_test(the_workflow_runs_ci),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
