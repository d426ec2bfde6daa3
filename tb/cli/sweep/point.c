/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/point.c: what a point says of itself. */
#include <stdlib.h>
#include <string.h>

#include "tb/cli/cli.h"
#include "tb/cli/sweep/plan.h"

int is_sweep_key(const char *key)
{
#define OWN(own, meaning)                                                                          \
    if (!strcmp(key, #own))                                                                        \
        return 1;
    SWEEP_KEYS(OWN)
#undef OWN
    return 0;
}

int point_has(const struct point *p, const char *key)
{
    for (int i = 0; i < p->num_settings; i++)
        if (!strcmp(p->settings[i].key, key))
            return *p->settings[i].value == '1';
    return 0;
}

const char *point_other_run(const struct point *p)
{
    const char *word = NULL;
    for (int i = 0; i < p->num_settings && !word; i++)
        word = other_run(p->settings[i].value);
    return word;
}

int is_size(const char *word)
{
    return !strcmp(word, "small") || !strcmp(word, "medium") || !strcmp(word, "large") ||
           (*word >= '1' && *word <= '9');
}

const char *point_text(const struct point *p, struct arena *memory)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        no_memory();
    fprintf(to, "config=%s workload=", p->config);
    print_shell_word(p->workload, to);
    if (*p->size)
        fprintf(to, " size=%s", p->size);
    if (*p->args) {
        fprintf(to, " args=");
        print_shell_word(p->args, to);
    }
    for (int i = 0; i < p->num_settings; i++) {
        fprintf(to, " %s=", p->settings[i].key);
        print_shell_word(p->settings[i].value, to);
    }
    fclose(to);
    const char *kept = arena_copy(memory, text, size);
    free(text);
    return kept;
}

void point_split(struct point *p, struct arena *memory)
{
    struct member members[MAX_MEMBERS];
    const int count = point_members(p, members, memory);
    if (count < 0)
        return; /* workload_check() says so */
    const struct member *one = &members[0], *other = &members[1];
    const char *blank = *one->args ? " " : "";
    char *text = count > 1 ? text_of("%s%s+%s%s", one->program, blank, blank, other->program)
                           : text_of("%s%s%s", one->args, *p->args ? blank : "", p->args);
    const char *kept = arena_copy(memory, text, strlen(text));
    free(text);
    if (count == 1)
        p->args = kept;
    p->workload = count > 1 ? kept : one->name;
}
