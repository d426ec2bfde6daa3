/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/mismatch.c: what a lockstep difference, or a finding of an observer, leaves on disk. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/folder.h"
#include "tb/gpu/machine.h"

/* Opens `directory`/`name`; NULL with the reason on stderr. */
static FILE *open_in(const char *directory, const char *name)
{
    char *path;
    FILE *f = folder_file(directory, name, &path);
    if (!f)
        fprintf(stderr, "heddle: %s cannot be written: %s\n", path ? path : name, strerror(errno));
    free(path);
    return f;
}

/* `what` and `cycle` for who runs the machine again to see it in a waveform. */
static void summarize(const char *directory, const char *what, uint64_t cycle)
{
    FILE *summary = open_in(directory, "mismatch");
    if (!summary)
        return;
    fprintf(summary, "%s %" PRIu64 "\n", what, cycle);
    fclose(summary);
}

/* Of the lines about warps those that begin with a place: "sm 3", or "sm 3 scheduler 1". */
static void print_warps(const char *warps, const char *place, FILE *to)
{
    const size_t length = strlen(place);
    fprintf(to, "Its warps when the machine stopped:\n");
    for (const char *line = warps, *end; (end = strchr(line, '\n')); line = end + 1)
        if (!strncmp(line, place, length) && line[length] == ' ')
            fprintf(to, "  %.*s\n", (int)(end - line), line);
}

void gpu_save_mismatch(const struct gpu *g, const char *directory)
{
    char name[64];
    const char *what = g->mismatch ? unit_stem(g->mismatch) : "observed";
    if (!g->mismatch && !g->wrong)
        return;
    snprintf(name, sizeof name, "%s.txt", what);
    FILE *report = open_in(directory, name);
    if (report) {
        if (g->mismatch) {
            unit_report(g->mismatch, g->config.name, report);
            unit_history(g->mismatch, report);
            if (g->warps)
                print_warps(g->warps, unit_place(g->mismatch), report);
        } else
            fprintf(report, "OBSERVED %s\n", g->wrong);
        fclose(report);
    }
    summarize(directory, what, g->mismatch ? unit_failed_cycle(g->mismatch) : g->wrong_cycle);
}
