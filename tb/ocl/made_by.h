/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/made_by.h: who makes the statistics. */
#ifndef HEDDLE_TB_OCL_MADE_BY_H
#define HEDDLE_TB_OCL_MADE_BY_H

#include "tb/notes.h"

/* Adds what the build says of itself (tb/notes.h), and the command: that of heddle, which HEDDLE_COMMAND holds, or else the program's
 * own words. */
void made_by_read(struct notes *);

/* The version of Heddle; "unknown": the build does not say. */
const char *made_by_version(void);

#endif
