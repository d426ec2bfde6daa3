/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/claims/claims_support.h: a small ledger, and `heddle claims` of it. */
#ifndef HEDDLE_TESTS_TB_CLI_CLAIMS_SUPPORT_H
#define HEDDLE_TESTS_TB_CLI_CLAIMS_SUPPORT_H

#include <stdio.h>
#include <string.h>

#include "hw.h"
#include "tests/tb/cli/sweep/sweep_support.h"
#include "tests/tb/shell.h"

#define PAPER "[paper]\nname = A\ntitle = A paper\n"
/* Two programs under two policies: without timing a run is short, and its instructions are known. */
#define RUNS                                                                                       \
    "[runs all]\nconfig = " CONFIG_NAME "\nworkload = vecadd, spmv\nsize = small\n"                \
    "run.sched = lrr, gto\n"
#define TEXTS "where = table 1\nquantity = a thing\ncheck = SM\nreason = it is so\n"

/* One claim on those runs. */
static inline void ledger(const char *lines)
{
    char text[4096];
    snprintf(text, sizeof text, PAPER RUNS "[A-P1]\n" TEXTS "%s", lines);
    write_file("a.ini", text);
}

static inline void expect(const char *words, int status, const char *says)
{
    heddle_says("claims --out=o", words, status, says);
}

static inline void lacks(const char *text)
{
    if (strstr(said, text))
        fail_msg("did not expect '%s' in:\n%s", text, said);
}

#endif
