/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/command.c: see command.h. task.c runs them. */
#include "tb/cli/sweep/command.h"

#include <stdlib.h>
#include <string.h>

static void add_word(struct command *c, char *word)
{
    if (c->count < MAX_WORDS - 1)
        c->words[c->count++] = word;
    else
        free(word);
    c->words[c->count] = NULL;
}
#define ADD(...) add_word(c, text_of(__VA_ARGS__))

static void add_heddle(struct command *c, const struct point *p, const char *subcommand)
{
    char path[PATH_MAX];
    ADD("%s", plan_file(path, p->config, "heddle"));
    ADD("%s", subcommand);
}

static void add_program(struct command *c, const struct point *p, const struct member *m,
                        const char *size)
{
    char path[PATH_MAX], program[300];
    snprintf(program, sizeof program, "workloads/%s", m->name);
    ADD("--");
    ADD("%s", plan_file(path, p->config, program));
    if (*size)
        ADD("--size=%s", size);
    for (const char *at = m->args + strspn(m->args, " \t"); *at; at += strspn(at, " \t")) {
        ADD("%.*s", (int)strcspn(at, " \t"), at);
        at += strcspn(at, " \t");
    }
}

/* The program of a point that is no replay. */
static void add_own(struct command *c, const struct point *p, const char *size)
{
    add_program(c, p, &(struct member){.name = p->workload, .args = p->args}, size);
}

void command_point(struct command *c, const struct point *p, const struct task_files *files)
{
    const int replays = point_replays(p);
    add_heddle(c, p, replays ? "replay" : "run");
    ADD("--stats=%s", files->statistics);
    ADD("--fail=%s", files->fail);
    if (files->profile)
        ADD("--profile=%s", files->profile);
    if (point_has(p, "differ"))
        ADD("--differ");
    for (int i = 0; i < p->num_settings; i++)
        if (!is_sweep_key(p->settings[i].key))
            ADD("--set=%s=%s", p->settings[i].key,
                other_run(p->settings[i].value) ? files->other : p->settings[i].value);
    if (!replays) {
        add_own(c, p, p->size);
        return;
    }
    ADD("--");
    for (int i = 0; i < MAX_MEMBERS && files->captures[i]; i++)
        ADD("%s", files->captures[i]);
}

void command_other(struct command *c, const struct point *p, const char *word,
                   const struct task_files *files)
{
    add_heddle(c, p, "run");
    ADD("--%s=%s", is_size(word) ? "profile" : "stats", files->other);
    if (!is_size(word))
        ADD("--sched=%s", word);
    add_own(c, p, is_size(word) ? word : p->size);
}

void command_capture(struct command *c, const struct point *p, const struct member *m,
                     const char *file)
{
    add_heddle(c, p, "run");
    ADD("--capture=%s", file);
    ADD("--set=run.timing=0");
    add_program(c, p, m, p->size);
}
#undef ADD
