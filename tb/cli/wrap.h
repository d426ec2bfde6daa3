/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/wrap.h: long lines on a terminal. */
#ifndef HEDDLE_TB_CLI_WRAP_H
#define HEDDLE_TB_CLI_WRAP_H

#include <stdio.h>

/* Characters of a line: COLUMNS, where it is set; at most 100 on a terminal. 0: as many as there are, for who reads lines. */
int wrap_width(void);

/* Prints lines, broken at blanks so that none is longer than `width` if a word is not; 0: as they are. What is broken goes on at
 * `column`. */
void wrap_print(const char *lines, int column, int width, FILE *);

#endif
