/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/list.c: `heddle list`: what there is to choose from. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cosim/contract.h"
#include "cosim/unit.h"
#include "hw.h"
#include "tb/cli/cli.h"
#include "tb/cli/wrap.h"
#include "tb/units/policies.h"
#include "tb/units/socket.h"

static void list_units(FILE *to)
{
    static const char *const scopes[NUM_SCOPES] = {", one per scheduler", ", one per SM", ", one",
                                                   ", one"};
    fprintf(to, "Units\n");
    for (unsigned u = 0; u < num_units; u++) {
        const struct socket *s = socket_find(units[u]->stem);
        fprintf(to, "  %-13s %u STATE bits%s, page rtl/%s/README.md\n", units[u]->stem,
                unit_state_bits(units[u]), s ? scopes[s->scope] : "", units[u]->stem);
    }
}

static void list_kind(enum policy_kind kind, FILE *to)
{
    const struct policy *p;
    for (unsigned n = 0; (p = policy_at(kind, n)); n++) {
        const char *needs = policy_needs(p);
        fprintf(to, "  %-14s %s; units: %s; %s%s%s%s\n", p->name, p->meaning, p->units, p->source,
                policy_acts(p) ? "; acts in every cycle" : "", needs ? "; needs " : "",
                needs ? needs : "");
    }
}

static void list_policies(FILE *to)
{
    fprintf(to, "Policies (--sched)\n");
    list_kind(POLICY_SCHED, to);
}

static void list_dispatch(FILE *to)
{
    fprintf(to, "Thread-block dispatching (--dispatch)\n");
    list_kind(POLICY_DISPATCH, to);
}

/* The configurations that were built stand beside this one, each in a folder of its own. */
static void list_configs(FILE *to)
{
    glob_t found;
    fprintf(to, "Configurations built (make build CONFIG=... makes others)\n");
    if (glob(build_path(0, "../*/*.ini"), 0, NULL, &found))
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *file = strrchr(found.gl_pathv[i], '/');
        *file++ = 0;
        const char *folder = strrchr(found.gl_pathv[i], '/') + 1;
        const int length = (int)(strlen(file) - strlen(".ini"));
        const int plain = !strncmp(folder, file, (size_t)length) && !folder[length];
        fprintf(to, "  %-12.*s %s\n", length, file, plain ? "" : folder);
    }
    globfree(&found);
}

static void list_workloads(FILE *to)
{
    fprintf(to, "Workloads (%s/)\n", build_path(0, "workloads"));
#define WORKLOAD(name, paper_set, memory_sensitive, what, sizes)                                   \
    fprintf(to, "  %-20s %s; %s; %s; %s\n", #name, what, paper_set,                                \
            memory_sensitive ? "memory-sensitive" : "not memory-sensitive", sizes);
#include "tb/workloads/registry.def"
#undef WORKLOAD
}

static void list_keys(FILE *to)
{
    struct config c;
    fprintf(to, "Configuration keys (--set section.key=value), with this build's values\n");
    if (!config_read(&c, build_path(0, CONFIG_NAME ".ini"), stderr))
        config_print(&c, to);
}

/* column: where what a line says of its name begins. */
static const struct {
    const char *name;
    void (*print)(FILE *);
    int column;
} topics[] = {
    {"units", list_units, 16},         {"policies", list_policies, 17},
    {"dispatch", list_dispatch, 17},   {"configs", list_configs, 15},
    {"workloads", list_workloads, 23}, {"keys", list_keys, 32},
};
#define NUM_TOPICS (sizeof topics / sizeof topics[0])

static void print_topic(size_t topic)
{
    char *lines = NULL;
    size_t size;
    FILE *to = open_memstream(&lines, &size);
    if (!to) {
        topics[topic].print(stdout);
        return;
    }
    topics[topic].print(to);
    fclose(to);
    wrap_print(lines, topics[topic].column, wrap_width(), stdout);
    free(lines);
}

int command_list(int argc, char **argv)
{
    int help = argc == 2 && !strcmp(argv[1], "--help"), found = argc == 1;
    for (size_t t = 0; t < NUM_TOPICS && !help && argc <= 2; t++)
        if (argc == 1 || !strcmp(argv[1], topics[t].name)) {
            print_topic(t);
            found = 1;
        }
    if (found)
        return 0;
    fprintf(help ? stdout : stderr,
            "Usage: heddle list [units|policies|dispatch|configs|workloads|keys]\n"
            "Lists what there is to choose from: everything, or of one kind.\n");
    return help ? 0 : EXIT_USAGE;
}
