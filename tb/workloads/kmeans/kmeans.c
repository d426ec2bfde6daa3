/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/kmeans/kmeans.c: k-means clustering, points row by row (KMN of DAWS). */
#include "tb/workloads/common/clustering.h"

extern const char kmeans_cl[];

static const struct clustering_workload workload = {
    .name = "kmeans",
    .meaning = "Clusters points by k-means on an OpenCL device, points row by row.",
    .source = kmeans_cl,
    .iterations = {2, 2, 6},
};

int main(int argc, char **argv)
{
    return clustering_main(&workload, argc, argv);
}
