/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/map/points.h: the points of a sweep over two keys, ?1 and ?2, in SQL. */
#ifndef HEDDLE_TB_CLI_MAP_POINTS_H
#define HEDDLE_TB_CLI_MAP_POINTS_H

/* What the points of one map have in common: all but the two keys. */
#define MAP_LABEL                                                                                  \
    "workload || coalesce(' ' || nullif(size, ''), '') || coalesce(' ' || nullif(args, ''), '')"   \
    " || ' config=' || config || coalesce(' ' || (SELECT group_concat(key || '=' || value, ' ')"   \
    " FROM (SELECT key, value FROM settings WHERE point = id AND key NOT IN (?1, ?2)"              \
    " ORDER BY key)), '')"

/* Those that set both keys, with their values n.value and p.value. */
#define POINTS_OF_MAPS                                                                             \
    " FROM points JOIN settings n ON n.point = id AND n.key = ?1"                                  \
    " JOIN settings p ON p.point = id AND p.key = ?2"

#endif
