/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/model.c: `heddle model`: what models of the thesis say of kernels that were measured (cmodel/analytic), beside what the
 * machine does. */
#include "tb/cli/model/model.h"

#include <stdio.h>
#include <string.h>

#include "tb/cli/cli.h"

static const struct {
    const char *name, *what;
    int (*run)(int argc, char **argv);
} models[] = {
    {"mix", "how fast two kernels run that share an SM (thesis, chapter 9)", model_mix},
};
#define NUM_MODELS (sizeof models / sizeof models[0])

static void usage(FILE *to)
{
    fprintf(to, "Usage: heddle model MODEL [OPTION...] FILES...\n\n");
    for (size_t i = 0; i < NUM_MODELS; i++)
        fprintf(to, "  %-10s %s\n", models[i].name, models[i].what);
    fprintf(to, "\n`heddle model MODEL --help` prints the options of a model.\n");
}

int command_model(int argc, char **argv)
{
    char name[64];
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-?"))) {
        usage(stdout);
        return 0;
    }
    for (size_t i = 0; argc > 1 && i < NUM_MODELS; i++)
        if (!strcmp(argv[1], models[i].name)) {
            snprintf(name, sizeof name, "%s %s", argv[0], argv[1]);
            argv[1] = name;
            return models[i].run(argc - 1, argv + 1);
        }
    if (argc > 1)
        fprintf(stderr, "heddle model: no model '%s'\n", argv[1]);
    usage(stderr);
    return EXIT_USAGE;
}
