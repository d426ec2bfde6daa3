/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/model.c: `heddle model`: what models of the thesis say of kernels that were measured (cmodel/analytic), beside what the
 * machine does. */
#include "tb/cli/model/model.h"

#include <stdio.h>
#include <string.h>

#include "tb/cli/cli.h"

static const struct subcommand models[] = {
    {"camp", "how programs share a cache, L2 or L1D (thesis, chapter 3)", model_camp},
    {"mix", "how fast two kernels run that share an SM (thesis, chapter 9)", model_mix},
    {"pdvfs", "at which clock of the SMs a program takes the least energy (thesis, chapter 5)",
     model_pdvfs},
    {"power", "what the machine takes, also of programs beside each other (thesis, chapter 4)",
     model_power},
};
#define NUM_MODELS (sizeof models / sizeof models[0])

static void usage(FILE *to)
{
    fprintf(to, "Usage: heddle model MODEL [OPTION...] FILES...\n\n");
    commands_print(models, NUM_MODELS, to);
    fprintf(to, "\n`heddle model MODEL --help` prints the options of a model.\n");
}

int command_model(int argc, char **argv)
{
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-?"))) {
        usage(stdout);
        return 0;
    }
    const int status = commands_run(models, NUM_MODELS, argc, argv);
    if (status >= 0)
        return status;
    if (argc > 1)
        fprintf(stderr, "heddle model: no model '%s'\n", argv[1]);
    usage(stderr);
    return EXIT_USAGE;
}
