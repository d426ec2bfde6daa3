/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/csv.h: comma-separated values (RFC 4180). */
#ifndef HEDDLE_TB_CLI_CSV_H
#define HEDDLE_TB_CLI_CSV_H

#include <stdio.h>

/* Writes a field, in quotes where it must be. */
void csv_field(FILE *to, const char *text);

#endif
