/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/report.h: where the cycles went, kernel by kernel, from statistics files. */
#ifndef HEDDLE_TB_CLI_REPORT_H
#define HEDDLE_TB_CLI_REPORT_H

#include "tb/sm/cpi.h"

/* A kernel's launches in one file, summed. */
struct report_row {
    char label[96]; /* the kernel; with several files also the file or policy */
    double launches, cycles, instructions, sms;
    double untimed; /* instructions that took no time */
    double warp_cycles[NUM_CPI_CLASSES];
    double issue[8];
    double l1d[7];
    double memory[11];
    double energy[5]; /* nanojoules: total, then by part */
    double clock_mhz;
    double occupancy[7]; /* of the first launch */
    char limits[64];     /* what limits the blocks on an SM, words with commas */
};

/* Draws the rows' cycles per instruction as stacked bars into a .png or .svg file. Returns 0, or -1
 * with the reason on stderr. */
int report_picture(const struct report_row *rows, int count, const char *path);

#endif
