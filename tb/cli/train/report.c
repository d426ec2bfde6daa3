/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/train/report.c: what `heddle train` prints of each kernel. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tb/cli/train/train.h"

static int name_width(const struct kernels *all)
{
    int width = (int)strlen("kernel");
    for (int i = 0; i < all->count; i++)
        width = (int)fmax(width, (double)strlen(all->items[i].name));
    return width;
}

static void print_example(const struct kernel *k, int width)
{
    char gained[16] = "-", predicted[64] = "   -    -"; /* until there are weights */
    if (k->predicted[0])
        snprintf(predicted, sizeof predicted, "%4" PRId64 " %4" PRId64, k->predicted[0],
                 k->predicted[1]);
    if (k->at)
        snprintf(gained, sizeof gained, "%.3f", k->at->speedup);
    printf("  %-*s %4" PRId64 " %8.3f   %4" PRId64 " %4" PRId64 " %8.3f   %s %8s\n", width, k->name,
           k->warps, k->best, k->target->n, k->target->p, k->target->speedup, predicted, gained);
}

void kernels_print(const struct kernels *all, int with_others)
{
    const int width = name_width(all), count = with_others ? all->count : all->used;
    printf("  %-*s %4s %8s   %4s %4s %8s   %4s %4s %8s\n", width, "", "", "", "", "", "target", "",
           "", "model");
    printf("  %-*s %4s %8s   %4s %4s %8s   %4s %4s %8s\n", width, "kernel", "W", "best", "N", "p",
           "speed-up", "N", "p", "speed-up");
    for (int i = 0; i < count; i++) {
        const struct kernel *k = &all->items[i];
        if (!i || strcmp(k->label, all->items[i - 1].label) != 0)
            printf("%s\n", k->label);
        if (k->reason)
            printf("  %-*s %4" PRId64 " %8.3f   left out: %s\n", width, k->name, k->warps, k->best,
                   reason_text(k->reason));
        else
            print_example(k, width);
    }
}
