/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/gnuplot.h: pictures drawn by gnuplot, as .svg, .png or .pdf. */
#ifndef HEDDLE_TB_CLI_GNUPLOT_H
#define HEDDLE_TB_CLI_GNUPLOT_H

#include <stdio.h>

#include "tb/file.h"

struct picture {
    FILE *script; /* what gnuplot is to do */
    struct file *file;
    const char *path;
};

/* Could the picture be drawn and written? Returns 0, or -1 with the reason on stderr. */
int picture_check(const char *path);

/* Begins a script; the terminal is set. Returns 0, or -1 with the reason on stderr. */
int picture_begin(struct picture *, const char *path, int width, int height);

/* Draws the picture and puts it in its place. Returns 0, or -1 with the reason on stderr. */
int picture_end(struct picture *);

/* Texts may come from anywhere: gnuplot runs commands that stand in a script, between backquotes or
 * on a line of their own. */

/* A text as gnuplot's commands take it. */
__attribute__((format(printf, 2, 3))) void picture_text(FILE *to, const char *format, ...);

/* A text as a column of data. */
void picture_label(FILE *to, const char *text);

#endif
