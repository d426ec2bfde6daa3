/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/model/pdvfs_support.c: see pdvfs_support.h. */
#include "tests/tb/cli/model/pdvfs_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/cli/sweep/sweep_support.h"

static void write_launch(FILE *f, const struct clock_launch *l, unsigned c)
{
    fprintf(f,
            "{\"name\": \"%s\", \"status\": \"ok\", \"blocks\": 8, \"cycles\": %.17g, "
            "\"warp_instructions\": %.17g, \"instructions\": {\"sp\": %.17g, \"sfu\": %.17g}, ",
            l->name, l->cycles[c], l->instructions, l->sp, l->sfu);
    fprintf(f,
            "\"l1d\": {\"accesses\": %.17g, \"misses\": %.17g, \"mshr_merged\": %.17g}, \"l2\": "
            "{\"accesses\": %.17g, \"misses\": %.17g, \"mshr_merged\": %.17g}, \"energy\": "
            "{\"total\": %.17g}}",
            l->l1d_accesses, l->l1d[c] + l->merged, l->merged, l->l2_accesses, l->l2[c] + l->merged,
            l->merged, l->nanojoules[c]);
}

void pdvfs_write(const char *stem, const struct clock_launch *launch, unsigned launches)
{
    for (unsigned c = 0; c < CLOCKS; c++) {
        char path[40];
        snprintf(path, sizeof path, "%s.%u.json", stem, c + 3);
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fprintf(f, "{\"config\": \"gtx480\", \"sched\": \"gto\", \"dispatch\": \"lrr\", "
                   "\"kernels\": [");
        for (unsigned i = 0; i < launches; i++) {
            fprintf(f, i ? ", " : "");
            write_launch(f, &launch[i], c);
        }
        fprintf(f,
                "], \"totals\": {\"untimed_instructions\": 0}, \"settings\": {\"gpu.clock_mhz\": "
                "%g, \"energy.mv_3\": 700, \"energy.mv_4\": 800, \"energy.mv_5\": 900, "
                "\"energy.mv_6\": 1000, \"l2.ways\": 8, \"sm.clock\": %u, \"run.max_cycles\": %u}}",
                MHZ, c + 3, c);
        assert_int_equal(fclose(f), 0);
    }
}

void pdvfs_says(const char *words, int status, const char *says)
{
    char all[1000];
    snprintf(all, sizeof all, "pdvfs %s", words);
    heddle_says("model", all, status, says);
}

/* The next field, or `otherwise` if nothing stands there. */
static double field(char **line, double otherwise)
{
    char *text = strsep(line, ","), *end;
    assert_non_null(text);
    if (!*text)
        return otherwise;
    const double value = strtod(text, &end);
    assert_true(!*end);
    return value;
}

struct pdvfs_row pdvfs_row(const char *path, const char *program, double goal, const char *policy)
{
    char start[200], other[200], line[600];
    struct pdvfs_row r = {0};
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    snprintf(start, sizeof start, "%s,L1D,%g,%s,", program, goal, policy);
    snprintf(other, sizeof other, "%s,L2,%g,%s,", program, goal, policy);
    while (fgets(line, sizeof line, f)) {
        char *at = !strncmp(line, start, strlen(start))   ? line + strlen(start)
                   : !strncmp(line, other, strlen(other)) ? line + strlen(other)
                                                          : NULL;
        if (!at)
            continue;
        fclose(f);
        r.seconds = field(&at, 0);
        r.joules = field(&at, 0);
        r.fitted_seconds = field(&at, 0);
        r.fitted_joules = field(&at, 0);
        r.slower = field(&at, 0);
        r.thesis_slower = field(&at, -1);
        r.over = field(&at, 0);
        r.thesis_over = field(&at, -1);
        assert_int_equal(sscanf(at, "%39[.0-9]\r\n", r.sixths), strcmp(policy, "loop") ? 1 : 0);
        return r;
    }
    fclose(f);
    fail_msg("%s has no row %s", path, start);
    return r;
}
