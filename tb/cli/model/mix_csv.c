/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/mix_csv.c: two kernels on an SM as comma-separated values. See model.h. */
#include "cmodel/analytic/partition.h"
#include "tb/cli/csv.h"
#include "tb/cli/model/model.h"
#include "tb/file.h"

#define MOST 1e9 /* of a resource */

/* As the library counts it. Returns 0, or -1: it is no such number. */
static int count_of(double value, uint64_t *count)
{
    if (!(value >= 0 && value <= MOST))
        return -1;
    *count = (uint64_t)value;
    return 0;
}

/* The division of EVEN (thesis 8.6); none where an SM holds any number of blocks. Returns 0, or -1: there is none. */
static int even(const struct model_kernel k[MIX_KERNELS], uint64_t blocks[MIX_KERNELS])
{
    struct partition_kernel needs[PARTITION_KERNELS];
    uint64_t has[NUM_MODEL_RESOURCES];
    int failed = !(k[0].has[MODEL_blocks] <= MODEL_BLOCKS);
    for (unsigned r = 0; r < NUM_MODEL_RESOURCES; r++)
        failed |= count_of(k[0].has[r], &has[r]);
    for (unsigned i = 0; i < MIX_KERNELS; i++) {
        failed |= !(k[i].needs[MODEL_blocks] >= 1) ||
                  count_of(k[i].profile.warps_per_block, &needs[i].warps);
        for (unsigned r = 0; r < NUM_MODEL_RESOURCES; r++)
            failed |= count_of(k[i].needs[r], &needs[i].needed[r]);
    }
    return failed ? -1 : partition(PARTITION_EVEN, needs, has, NUM_MODEL_RESOURCES, blocks);
}

static void write_division(FILE *to, const struct model_kernel k[MIX_KERNELS],
                           const struct mixed *m, int is_even)
{
    const struct mix_profile *const profiles[] = {&k[0].profile, &k[1].profile};
    csv_field(to, k[0].name);
    fputc(',', to);
    csv_field(to, k[1].name);
    fprintf(to, ",%u,%u,%d", m->blocks[0], m->blocks[1], is_even);
    if (m->ratio > 0)
        fprintf(to, ",%.6g,%.6g,%.6g,%.6g,%u", m->at.ipc[0], m->at.ipc[1], m->ratio, m->lanes,
                m->at.bound);
    else
        fputs(",,,,,", to);
    if (m->ratio_measured > 0)
        fprintf(to, ",%.6g,%.6g,%.6g,%.6g\n", m->measured[0], m->measured[1], m->ratio_measured,
                mix_system_utilisation(profiles, m->measured, mix_lanes));
    else
        fputs(",,,,\n", to);
}

int mix_csv(const char *path, const struct model_kernel k[MIX_KERNELS],
            const struct mixed *divisions, size_t count)
{
    uint64_t its[MIX_KERNELS] = {0, 0}; /* no division has 0 blocks */
    struct file *file = file_create(path, stderr);
    if (!file)
        return -1;
    FILE *to = file_stream(file);
    even(k, its);
    fputs("first,second,blocks_0,blocks_1,even,ipc_0,ipc_1,ratio,lanes,full,"
          "machine_ipc_0,machine_ipc_1,machine_ratio,machine_lanes\n",
          to);
    for (size_t i = 0; i < count; i++)
        write_division(to, k, &divisions[i],
                       divisions[i].blocks[0] == its[0] && divisions[i].blocks[1] == its[1]);
    return file_commit(file, stderr);
}
