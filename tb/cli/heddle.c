/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/heddle.c: the `heddle` command: picks the subcommand. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cosim/unit.h"
#include "tb/cli/cli.h"
#include "tb/cli/identity.h"
#include "tb/units/policies.h"

static const struct subcommand commands[] = {
    {"run", "run an OpenCL program on the machine", command_run},
    {"replay", "run the launches of a captured program again, without it", command_replay},
    {"list", "units, policies, configurations, workloads, configuration keys", command_list},
    {"compare", "statistics files side by side, with what the unit costs", command_compare},
    {"report", "where the cycles went, kernel by kernel, in tables and as a picture",
     command_report},
    {"trace", "what a trace holds, kernel by kernel and by opcode", command_trace},
    {"profile", "what each load does: divergence, hits by who brought the line, causes of misses",
     command_profile},
    {"locality", "what blocks will read, found before they run, and which of them share it",
     command_locality},
    {"sweep", "run many points: configurations, workloads, settings; interrupted sweeps resume",
     command_sweep},
    {"map", "speed-up at every (N, p) of a sweep, as a table and as a picture", command_map},
    {"train", "weights of Poise's engine, learned from the results of sweeps over (N, p)",
     command_train},
    {"search", "designs of RLWS, by the genetic algorithm of its paper; interrupted ones resume",
     command_search},
    {"claims", "what papers claim, beside what the machine says", command_claims},
    {"model", "what models say of kernels that were measured, beside what the machine does",
     command_model},
    {"bench", "how fast the simulator itself is", command_bench},
};
#define NUM_COMMANDS (sizeof commands / sizeof commands[0])

void commands_print(const struct subcommand *list, size_t count, FILE *to)
{
    for (size_t i = 0; i < count; i++)
        fprintf(to, "  %-10s %s\n", list[i].name, list[i].what);
}

int commands_run(const struct subcommand *list, size_t count, int argc, char **argv)
{
    char name[64];
    for (size_t i = 0; argc >= 2 && i < count; i++)
        if (!strcmp(argv[1], list[i].name)) {
            snprintf(name, sizeof name, "%s %s", argv[0], list[i].name);
            argv[1] = name;
            return list[i].run(argc - 1, argv + 1);
        }
    return -1;
}

static void usage(FILE *to)
{
    fprintf(to, "Usage: heddle COMMAND [OPTION...]\n\n");
    commands_print(commands, NUM_COMMANDS, to);
    fprintf(to, "\n`heddle COMMAND --help` prints the options of a command, `heddle --version` "
                "what this is.\n");
}

const char *build_path(int slot, const char *name)
{
    static char paths[8][PATH_MAX];
    char self[PATH_MAX / 2];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) {
        fprintf(stderr, "heddle: cannot find its own path: %s\n", strerror(errno));
        exit(EXIT_USAGE);
    }
    self[length] = 0;
    *strrchr(self, '/') = 0;
    snprintf(paths[slot], sizeof paths[slot], "%s/%s", self, name);
    return paths[slot];
}

int check_run_words(const struct config *c, FILE *err)
{
    enum unit_backend backend;
    if (policies_check(c, err))
        return -1;
    if (unit_backend(c->run_backend, &backend)) {
        fprintf(err, "heddle: [run] backend = %s: unknown backend; expected c, rtl or lockstep\n",
                c->run_backend);
        return -1;
    }
    return 0;
}

int check_several(const struct config *c, FILE *err)
{
    struct plan plans[NUM_SCOPES] = {0};
    if (plan_machine(plans, c, err))
        return -1;
    if (plan_several(&plans[SCOPE_GPU]))
        return 0;
    fprintf(err,
            "heddle: [run] dispatch = %s knows one kernel at a time; expected kmu for two "
            "workloads\n",
            c->run_dispatch);
    return -1;
}

int stands_alone(const char *sched)
{
    const struct policy *policy;
    for (unsigned i = 0; (policy = policy_at(POLICY_SCHED, i)); i++)
        if (!strcmp(policy->name, sched))
            return !policy_needs(policy);
    return 0;
}

void print_shell_word(const char *word, FILE *to)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, to);
        return;
    }
    fputc('\'', to);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", to);
        else
            fputc(*word, to);
    fputc('\'', to);
}

int main(int argc, char **argv)
{
    if (argc >= 2 &&
        (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))) {
        usage(stdout);
        return 0;
    }
    if (argc >= 2 && !strcmp(argv[1], "--version"))
        return identity_print();
    identity_remember(argc, argv);
    argv[0] = "heddle";
    const int status = commands_run(commands, NUM_COMMANDS, argc, argv);
    if (status >= 0)
        return status;
    if (argc >= 2)
        fprintf(stderr, "heddle: unknown command '%s'\n", argv[1]);
    usage(stderr);
    return EXIT_USAGE;
}
