/* SPDX-License-Identifier: Apache-2.0 */
/* synth/netlist/report.h: what a run of a netlist has cost. */
#ifndef HEDDLE_SYNTH_NETLIST_REPORT_H
#define HEDDLE_SYNTH_NETLIST_REPORT_H

#include "synth/netlist/model.h"

struct report {
    const char *unit, *config, *inputs;
    const struct netlist *netlist;
    const struct measured *measured;
    uint64_t
        decisions; /* cycles in which the unit was not idle, as its contract defines it; without registers:
                         * that show other outputs than the one before */
    double period; /* of the clock, s */
};

/* For people; as key=value; the activity of all nets as SAIF. */
void report_print(const struct report *, FILE *);
void report_print_values(const struct report *, FILE *);
void report_print_saif(const struct report *, FILE *);

#endif
