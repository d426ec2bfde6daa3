/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/mismatch.c: what a lockstep difference leaves on disk. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/gpu/machine.h"

/* Opens `directory`/`name`; NULL with the reason on stderr. */
static FILE *open_in(const char *directory, const char *name)
{
    char path[strlen(directory) + strlen(name) + 2];
    sprintf(path, "%s/%s", directory, name);
    FILE *f = fopen(path, "w");
    if (!f)
        fprintf(stderr, "heddle: %s cannot be written: %s\n", path, strerror(errno));
    return f;
}

void gpu_save_mismatch(const struct gpu *g, const char *directory)
{
    char name[64];
    if (!g->mismatch)
        return;
    snprintf(name, sizeof name, "%s.txt", unit_stem(g->mismatch));
    FILE *report = open_in(directory, name), *summary = open_in(directory, "mismatch");
    if (report) {
        unit_report(g->mismatch, g->config.name, report);
        unit_history(g->mismatch, report);
        fclose(report);
    }
    if (summary) {
        fprintf(summary, "%s %" PRIu64 "\n", unit_stem(g->mismatch),
                unit_failed_cycle(g->mismatch));
        fclose(summary);
    }
}
