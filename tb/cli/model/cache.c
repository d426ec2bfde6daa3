/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/cache.c: see cache.h. */
#include "tb/cli/model/cache.h"

#include <stddef.h>
#include <string.h>

const struct model_cache model_l2 = {.name = "l2",
                                     .title = "L2",
                                     .ways = "l2.ways",
                                     .sets = "l2.sets",
                                     .each = "l2.banks",
                                     .spaces = "l2_spaces",
                                     .run_but = "l2.ways run.",
                                     .machine_but = "l2.ways kmu. run.",
                                     .apart = 1};

const struct model_cache model_l1d = {.name = "l1d",
                                      .title = "L1D",
                                      .ways = "l1d.ways",
                                      .sets = "l1d.sets",
                                      .each = "hw.num_sms",
                                      .spaces = "l1d_spaces",
                                      .run_but = "l1d.ways run.",
                                      .machine_but = "l1d.ways sm.max_blocks kmu. run."};

const struct model_cache *model_cache_named(const char *name)
{
    static const struct model_cache *const all[] = {&model_l2, &model_l1d};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i]->name, name))
            return all[i];
    return NULL;
}
