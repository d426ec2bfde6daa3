/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/report.h: pictures of where the cycles went. */
#ifndef HEDDLE_TB_CLI_REPORT_H
#define HEDDLE_TB_CLI_REPORT_H

#include "tb/cli/rows.h"

/* Draws the rows' cycles per instruction as stacked bars into a .png or .svg file. Returns 0, or -1
 * with the reason on stderr. */
int report_picture(const struct report_row *rows, int count, const char *path);

/* The colour of a class, in every picture: "#c0392b". */
const char *report_colour(enum cpi_class);

#endif
