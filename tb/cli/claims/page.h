/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/page.h: judged claims for people, as Markdown, as comma-separated values, and as a
 * picture for each figure of a paper. */
#ifndef HEDDLE_TB_CLI_CLAIMS_PAGE_H
#define HEDDLE_TB_CLI_CLAIMS_PAGE_H

#include "tb/cli/claims/judge.h"
#include "tb/cli/claims/keep.h"

struct page {
    const struct judged *judged;
    int count;
    const char *shown; /* a flag for each claim that is meant; NULL: all are */
    const char *size;  /* of all programs; NULL: their own */
    const struct variants *variants;
    int robust;              /* the variants were run */
    const struct kept *kept; /* NULL: there are none */
};

/* Columns of the table: with --robust there is one for signs. */
int page_columns(int robust);

void page_text(const struct page *, FILE *);
void page_markdown(const struct page *, FILE *);
void page_csv(const struct page *, FILE *);

/* Draws FOLDER/PAPER-FIGURE.svg for each. Returns 0, or -1 with the reason on stderr. */
int page_pictures(const struct page *, const char *folder);

#endif
