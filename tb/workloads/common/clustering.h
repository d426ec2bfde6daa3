/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/clustering.h: the host program of the k-means workloads: the device assigns
 * the points to the nearest centres, the host moves the centres to the middle of their points, until
 * no point changes or --iterations are done. After each launch every assignment is compared with the
 * host's. */
#ifndef HEDDLE_TB_WORKLOADS_COMMON_CLUSTERING_H
#define HEDDLE_TB_WORKLOADS_COMMON_CLUSTERING_H

#include <stdint.h>

#include "tb/workloads/common/options.h"

struct clustering_workload {
    const char *name;
    const char *meaning; /* opens --help */
    const char *source;  /* where a feature stands: place_of(), which clustering.cl declares */
    const char
        *lay_out; /* a kernel that rearranges the points first: lay_out(rows, points, number of
                            points, of features); NULL: they stand row by row */
    int64_t iterations[NUM_SIZES]; /* at most, unless --iterations says otherwise */
};

/* The whole program: returns its exit status. */
int clustering_main(const struct clustering_workload *workload, int argc, char **argv);

#endif
