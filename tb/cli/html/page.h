/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/html/page.h: a run as one page. Its parts are in files of this folder: each writes what the statistics have of it, and is
 * left out where they have nothing. */
#ifndef HEDDLE_TB_CLI_HTML_PAGE_H
#define HEDDLE_TB_CLI_HTML_PAGE_H

#include <stdio.h>

#include "tb/cli/rows.h"

struct cJSON;

/* Pictures that a page is to hold, as they are written into it. {0}: none. */
struct pictures {
    struct page_picture *pictures;
    int count;
};

/* Reads a .svg or .png file. Returns 0, or -1 with the reason on stderr. */
int pictures_add(struct pictures *, const char *path);
void pictures_free(struct pictures *);

struct page {
    FILE *to;
    const struct statistics *statistics;
    struct report_rows rows;
    struct report_row whole;
    const struct pictures *pictures;
    const char *build; /* the folder of this build: configurations, reports of synthesis */
};

/* Writes the page of a run. Returns 0, or -1 with the reason on stderr: the file is not that of a run. */
int page_write(FILE *to, const struct statistics *, const struct pictures *, const char *build);

/* `heddle report --html`: reads the statistics and writes the page, whole or not at all. Returns 0, or -1 with the reason on stderr. */
int page_report(const char *page, const char *statistics, const char *const *pictures, int count,
                const char *build);

/* A word or a number of the file, finite; NULL, or 0 where there is none. */
const char *page_word(const struct page *, const char *path);
int page_number(const struct page *, const char *path, double *value);

/* All figures of a group, as a list, unless the row lacks one of these parts, or the machine. */
void page_figures(FILE *, enum figure_group, unsigned parts, const struct report_row *);

/* A part: whether there is anything to write, and what. */
struct page_part {
    const char *id, *title;
    int (*has)(const struct page *);
    void (*write)(const struct page *);
};
extern const struct page_part part_kernels, part_cycles, part_issue, part_memory, part_energy,
    part_units, part_found, part_cost, part_pictures, part_settings;

/* head.c: what stands above all parts: who made it, what is wrong with it, the figures that one asks for first. */
void page_head(const struct page *);

/* stacks.c: the stacked bars of a row, and a table of what their parts are. */
void stack_cpi(FILE *, const struct report_row *);
void stack_issue(FILE *, const struct report_row *);
void stack_cpi_table(FILE *, const struct report_row *, int meanings);
void stack_issue_table(FILE *, const struct report_row *);

#endif
