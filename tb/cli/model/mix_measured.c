/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/mix_measured.c: see model.h. */
#include <stdio.h>

#include "tb/cli/model/model.h"
#include "tb/cli/model/reading.h"

/* How the machine divided its SMs, by the settings of the run. */
static int read_blocks(struct statistics *s, const char *path, unsigned blocks[MIX_KERNELS])
{
    for (unsigned i = 0; i < MIX_KERNELS; i++) {
        char member[48];
        double value = 0;
        snprintf(member, sizeof member, "settings.kmu.blocks_%u", i);
        if (!statistics_finite(statistics_at(s, member), &value) ||
            !(value >= 1 && value <= MODEL_BLOCKS)) {
            fprintf(stderr, "%s: %s: expected from 1 to %d, as --set kmu.blocks_%u=N says it\n",
                    path, member, MODEL_BLOCKS, i);
            return -1;
        }
        blocks[i] = (unsigned)value;
    }
    return 0;
}

/* In the time in which both ran. */
static int read_ipc(struct statistics *s, const char *path,
                    const struct model_kernel k[MIX_KERNELS], double ipc[MIX_KERNELS])
{
    for (unsigned i = 0; i < MIX_KERNELS; i++) {
        char member[48];
        double of_all = 0; /* SMs */
        snprintf(member, sizeof member, "together.0.each.%u.ipc", i);
        if (!statistics_finite(statistics_at(s, member), &of_all) || !(of_all > 0)) {
            fprintf(stderr,
                    "%s: %s: expected more than 0, as `heddle replay FILE FILE` writes it\n", path,
                    member);
            return -1;
        }
        ipc[i] = of_all / k[i].sms;
    }
    return 0;
}

int mix_read_measured(const char *path, const struct model_kernel k[MIX_KERNELS],
                      unsigned blocks[MIX_KERNELS], double ipc[MIX_KERNELS])
{
    struct statistics *s = statistics_read(path);
    const int failed = !s || read_ipc(s, path, k, ipc) ||
                       model_names_are(s, path, k[0].name, k[1].name) ||
                       read_blocks(s, path, blocks);
    statistics_free(s);
    return failed ? -1 : 0;
}
