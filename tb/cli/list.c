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
#include "tb/units/policies.h"
#include "tb/units/socket.h"

static void list_units(void)
{
    static const char *const scopes[NUM_SCOPES] = {", one per scheduler", ", one per SM", ", one"};
    printf("Units\n");
    for (unsigned u = 0; u < num_units; u++) {
        const struct socket *s = socket_find(units[u]->stem);
        printf("  %-13s %u STATE bits%s, page rtl/%s/README.md\n", units[u]->stem,
               unit_state_bits(units[u]), s ? scopes[s->scope] : "", units[u]->stem);
    }
}

static void list_kind(enum policy_kind kind)
{
    const struct policy *p;
    for (unsigned n = 0; (p = policy_at(kind, n)); n++) {
        const char *needs = policy_needs(p);
        printf("  %-14s %s; units: %s; %s%s%s%s\n", p->name, p->meaning, p->units, p->source,
               policy_acts(p) ? "; acts in every cycle" : "", needs ? "; needs " : "",
               needs ? needs : "");
    }
}

static void list_policies(void)
{
    printf("Policies (--sched)\n");
    list_kind(POLICY_SCHED);
}

static void list_dispatch(void)
{
    printf("Thread-block dispatching (--dispatch)\n");
    list_kind(POLICY_DISPATCH);
}

/* The configurations that were built stand beside this one, each in a folder of its own. */
static void list_configs(void)
{
    glob_t found;
    printf("Configurations built (make build CONFIG=... makes others)\n");
    if (glob(build_path(0, "../*/*.ini"), 0, NULL, &found))
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *file = strrchr(found.gl_pathv[i], '/');
        *file++ = 0;
        const char *folder = strrchr(found.gl_pathv[i], '/') + 1;
        const int length = (int)(strlen(file) - strlen(".ini"));
        const int plain = !strncmp(folder, file, (size_t)length) && !folder[length];
        printf("  %-12.*s %s\n", length, file, plain ? "" : folder);
    }
    globfree(&found);
}

static void list_workloads(void)
{
    printf("Workloads (%s/)\n", build_path(0, "workloads"));
#define WORKLOAD(name, paper_set, memory_sensitive, what, sizes)                                   \
    printf("  %-20s %s; %s; %s; %s\n", #name, what, paper_set,                                     \
           memory_sensitive ? "memory-sensitive" : "not memory-sensitive", sizes);
#include "tb/workloads/registry.def"
#undef WORKLOAD
}

static void list_keys(void)
{
    struct config c;
    printf("Configuration keys (--set section.key=value), with this build's values\n");
    if (!config_read(&c, build_path(0, CONFIG_NAME ".ini"), stderr))
        config_print(&c, stdout);
}

static const struct {
    const char *name;
    void (*print)(void);
} topics[] = {
    {"units", list_units},     {"policies", list_policies},   {"dispatch", list_dispatch},
    {"configs", list_configs}, {"workloads", list_workloads}, {"keys", list_keys},
};
#define NUM_TOPICS (sizeof topics / sizeof topics[0])

int command_list(int argc, char **argv)
{
    int help = argc == 2 && !strcmp(argv[1], "--help"), found = argc == 1;
    for (size_t t = 0; t < NUM_TOPICS && !help && argc <= 2; t++)
        if (argc == 1 || !strcmp(argv[1], topics[t].name)) {
            topics[t].print();
            found = 1;
        }
    if (found)
        return 0;
    fprintf(help ? stdout : stderr,
            "Usage: heddle list [units|policies|dispatch|configs|workloads|keys]\n");
    return help ? 0 : EXIT_USAGE;
}
