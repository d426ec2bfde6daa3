/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/html/html.h: pieces of a page. Whatever comes from a file is written by html_text or html_format, which escape it. */
#ifndef HEDDLE_TB_CLI_HTML_HTML_H
#define HEDDLE_TB_CLI_HTML_HTML_H

#include <stddef.h>
#include <stdio.h>

/* A text as it is read, in a page's text and in values of attributes. Bytes that are no UTF-8, or are control characters, become
 * U+FFFD. */
void html_text(FILE *, const char *text);

/* The same of a formatted text, up to 4095 bytes. */
__attribute__((format(printf, 2, 3))) void html_format(FILE *, const char *format, ...);

/* "1,234.50"; from 10^15 on "1.2345e+15". */
void html_number(FILE *, double value, int digits);

/* A number as a file has it: whole ones without a point. */
void html_value(FILE *, double value);

/* A table that scrolls within itself. Columns of numbers have their heads in capitals of no kind but a '#' in front: "#cycles". */
void html_table(FILE *, const char *label, const char *const *heads, size_t count);
void html_table_end(FILE *);

/* Cells of a table. */
void html_cell(FILE *, const char *text);
void html_number_cell(FILE *, double value, int digits);
void html_share_cell(FILE *, double share); /* of 1, in per cent, with a bar */

/* A term with what it is worth, in a list of figures: "<dl class=figures>". `meaning` may be NULL. */
void html_figure(FILE *, const char *term, const char *meaning, double value, int digits);

/* A part of a stacked bar. */
struct html_part {
    const char *name, *colour;
    double value; /* below 0: none */
};

/* A stacked bar, as SVG: nothing where all parts are 0. Each part is named where the pointer rests on it. */
void html_stack(FILE *, const char *label, const struct html_part *parts, size_t count);

/* A square of the part's colour. */
void html_swatch(FILE *, const char *colour);

/* The style of a page. */
extern const char html_style[];

#endif
