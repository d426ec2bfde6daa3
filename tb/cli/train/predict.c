/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/train/predict.c: what the engine would make of weights (Poise V-D, VI-A), in double
 * precision, and how far that is from the targets. */
#include <math.h>
#include <stdlib.h>

#include "tb/cli/train/train.h"

#define MOST_SUM 8 /* the engine takes e to -8 to 8: beyond is beyond all */

static int64_t clamped(double value, int64_t most)
{
    return value < 1 ? 1 : value > (double)most ? most : (int64_t)value;
}

/* e to the sum, scaled back to the kernel's warps and rounded to the nearest. */
static int64_t output_of(const struct kernel *k, const double weights[NUM_FEATURES], int64_t most)
{
    double sum = 0;
    for (int i = 0; i < NUM_FEATURES; i++)
        sum += weights[i] * k->features[i];
    const double scaled = exp(fmax(-MOST_SUM, fmin(sum, MOST_SUM)));
    return clamped(floor(scaled * (double)k->warps / TRAIN_WARPS + 0.5), most);
}

void kernels_predict(struct kernels *all, const double weights[2][NUM_FEATURES])
{
    for (int i = 0; i < all->used; i++) {
        struct kernel *k = &all->items[i];
        k->predicted[0] = output_of(k, weights[0], k->warps);
        k->predicted[1] = output_of(k, weights[1], k->predicted[0]);
        k->at = NULL;
        for (int p = 0; p < k->count; p++)
            if (k->places[p].n == k->predicted[0] && k->places[p].p == k->predicted[1])
                k->at = &k->places[p];
    }
}

double kernels_error(const struct kernels *all, int axis)
{
    double sum = 0;
    for (int i = 0; i < all->used; i++) {
        const struct kernel *k = &all->items[i];
        const int64_t target = axis ? k->target->p : k->target->n;
        sum += fabs((double)(k->predicted[axis] - target)) / (double)target;
    }
    return all->used ? sum / all->used : 0;
}
