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
    fprintf(to, "config=%s workload=%s", p->config, p->workload);
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
    const char *blank = strchr(p->workload, ' ');
    if (!blank)
        return;
    char *args =
        text_of("%s%s%s", blank + 1 + strspn(blank + 1, " "), *p->args ? " " : "", p->args);
    p->workload = arena_copy(memory, p->workload, (size_t)(blank - p->workload));
    p->args = arena_copy(memory, args, strlen(args));
    free(args);
}
