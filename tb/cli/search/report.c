/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/search/report.c: what a search has found: a table of its generations, its best design as a file of settings, and a picture. */
#include <stdlib.h>

#include "tb/cli/gnuplot.h"
#include "tb/cli/search/search.h"

enum { SHOWN = 10 };

static int write_generations(const struct search *s, int generations)
{
    char *path = text_of("%s/search.csv", s->folder);
    struct file *file = file_create(path, stderr);
    free(path);
    if (!file)
        return -1;
    fprintf(file_stream(file), "generation,best,mean,best_so_far,new_designs\n");
    for (int i = 0; i < generations; i++)
        fprintf(file_stream(file), "%d,%.6f,%.6f,%.6f,%d\n", i, s->history[i].best,
                s->history[i].mean, s->history[i].best_so_far, s->history[i].new_designs);
    return file_commit(file, stderr);
}

static int write_best(const struct search *s)
{
    struct candidate best;
    if (search_best(s, &best, 1) == 0)
        return 0;
    char *path = text_of("%s/best.ini", s->folder);
    struct file *file = file_create(path, stderr);
    free(path);
    if (!file)
        return -1;
    fprintf(file_stream(file),
            "; The best of %d designs by heddle search, seed %llu: %.4f times as fast as %s over "
            "the kernels of\n; %s (%s).\n[%s]\n",
            s->num_known, (unsigned long long)s->seed, best.fitness, s->compared, s->workloads,
            s->size, s->stem);
    design_print(&best.design, "", file_stream(file));
    return file_commit(file, stderr);
}

static int draw(const struct search *s, int generations)
{
    struct picture picture;
    char *path = text_of("%s/fitness.svg", s->folder);
    int failed = picture_begin(&picture, path, 720, 420);
    if (!failed) {
        FILE *to = picture.script;
        fprintf(to, "$generations << EOD\n");
        for (int i = 0; i < generations; i++)
            fprintf(to, "%d %.6f %.6f %.6f\n", i, s->history[i].best, s->history[i].mean,
                    s->history[i].best_so_far);
        fprintf(to, "EOD\nset xrange [-0.5:%g]\nset title ", generations - 0.5);
        picture_text(to, "%s, %s search, seed %llu: speed over %s", s->policy,
                     s->random ? "random" : "genetic", (unsigned long long)s->seed, s->compared);
        fprintf(
            to,
            "\nset xlabel 'generation'\nset grid\nset key bottom right\n"
            "plot $generations using 1:4 title 'best so far' with steps linewidth 2 linecolor rgb "
            "'#1b4f80', $generations using 1:2 title 'best' with points pointtype 7 linecolor "
            "rgb '#1b4f80', $generations using 1:3 title 'mean' with linespoints linecolor rgb "
            "'#95a5a6'\n");
        failed = picture_end(&picture);
    }
    free(path);
    return failed;
}

int report_write(const struct search *s, int generations)
{
    return write_generations(s, generations) || write_best(s) || draw(s, generations) ? -1 : 0;
}

void report_print(const struct search *s)
{
    struct candidate best[SHOWN];
    const int count = search_best(s, best, SHOWN);
    int near = 0;
    for (int i = 0; i < s->num_known; i++)
        near += s->known[i].fitness >= 0.98 * best[0].fitness;
    printf("%d designs, %d of them (%.0f %%) within 2 %% of the best; the best:\n", s->num_known,
           near, 100.0 * near / s->num_known);
    for (int i = 0; i < count; i++) {
        printf("  %.4f  ", best[i].fitness);
        design_tell(&best[i].design, stdout);
        printf("\n");
    }
    printf("generations in %s/search.csv and fitness.svg; the best as settings in %s/best.ini\n",
           s->folder, s->folder);
}
