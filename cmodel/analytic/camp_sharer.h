/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/camp_sharer.h: what camp_share.c and camp_scan.c both ask of sharers. Not for users of camp.h. */
#ifndef HEDDLE_CMODEL_ANALYTIC_CAMP_SHARER_H
#define HEDDLE_CMODEL_ANALYTIC_CAMP_SHARER_H

#include "cmodel/analytic/camp.h"

#define CAMP_NEAR 1e-6 /* ways that make no difference */

/* Programs and sizes. */
enum camp_error camp_sharer_check(const struct camp_sharer *, unsigned num, unsigned ways);

/* Do they fill the cache? If not: because they use no more, or because their tables end? */
enum camp_error camp_sharer_fill(const struct camp_sharer *, unsigned num, unsigned ways);

/* The ways that it holds at most. */
double camp_sharer_reach(const struct camp_sharer *, double ways);

/* Are these all the ways that it ever uses? */
int camp_sharer_has_all(const struct camp_sharer *, double ways);

/* Does its table end at these ways, although it would use more, and the cache has more? */
int camp_sharer_is_cut(const struct camp_sharer *, double ways, double cache);

#endif
