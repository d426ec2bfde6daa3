/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/observer.h: what a unit of a scheduler is to be shown, and what it is to steer, restated.
 * tb/observe/<stem>.c defines `const struct observer <stem>_observer`; it is found by being there. It
 * shares nothing with the unit's socket (tb/units/<stem>.c): both follow the unit's page, each in
 * its own way, and what the one gets wrong the other shows. */
#ifndef HEDDLE_TB_OBSERVE_OBSERVER_H
#define HEDDLE_TB_OBSERVE_OBSERVER_H

#include "tb/config.h"
#include "tb/observe/registers.h"
#include "tb/units/controls.h"

struct observer {
    const char *stem;
    /* Fills every field of `in`, a struct <stem>_in, but CLOCK's. `so_far`: what the units before it
     * steer in this cycle. */
    void (*expect)(const struct config *, const struct registers *, const struct controls *so_far,
                   void *in);
    /* Steers by `out`, a struct <stem>_out. */
    void (*steer)(const void *out, struct controls *);
};

/* By its stem, or NULL: there is none. */
const struct observer *observer_find(const char *stem);

#endif
