/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/gnuplot.h: pictures drawn by gnuplot, as .svg or .png. */
#ifndef HEDDLE_TB_CLI_GNUPLOT_H
#define HEDDLE_TB_CLI_GNUPLOT_H

#include <stdio.h>

struct picture {
    FILE *script; /* what gnuplot is to do */
    const char *path;
    char *beside;
};

/* Starts gnuplot, with terminal and output set. Returns 0, or -1 with the reason on stderr. */
int picture_begin(struct picture *, const char *path, int width, int height);

/* Waits for the picture and puts it in its place. Returns 0, or -1 with the reason on stderr. */
int picture_end(struct picture *);

/* A text between double quotes for gnuplot: its marks of markup are taken for themselves. */
void picture_text(FILE *to, const char *text);

#endif
