/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/kmeans_columns/kmeans_columns.c: k-means clustering, points column by column: two
 * kernels, as Rodinia has them (RLWS table IV); seven iterations make the eight launches of Poise
 * (table IIIa). */
#include "tb/workloads/common/clustering.h"

extern const char kmeans_columns_cl[];

static const struct clustering_workload workload = {
    .name = "kmeans_columns",
    .meaning = "Clusters points by k-means on an OpenCL device, points column by column.",
    .source = kmeans_columns_cl,
    .lay_out = "invert",
    .iterations = {2, 7, 7},
};

int main(int argc, char **argv)
{
    return clustering_main(&workload, argc, argv);
}
