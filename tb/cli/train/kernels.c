/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/train/kernels.c: the list of kernels. */
#include <stdlib.h>

#include "tb/cli/train/train.h"

const char *reason_text(enum reason reason)
{
    static const char *const texts[] = {
#define REASON(name, meaning) meaning,
        TRAIN_REASONS
#undef REASON
    };
    return texts[reason];
}

void kernels_free(struct kernels *all)
{
    for (int i = 0; i < all->count; i++) {
        struct kernel *k = &all->items[i];
        free(k->workload);
        free(k->label);
        free(k->name);
        free(k->places);
    }
    free(all->items);
}
