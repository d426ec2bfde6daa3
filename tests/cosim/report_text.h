/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/report_text.h: what is said of an instance that has failed: report and history. */
#ifndef HEDDLE_TESTS_COSIM_REPORT_TEXT_H
#define HEDDLE_TESTS_COSIM_REPORT_TEXT_H

#include <stdio.h>

#include "cosim/unit.h"

/* For free(). */
static inline char *report_text(const struct unit_inst *inst, const char *config)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    unit_report(inst, config, to);
    unit_history(inst, to);
    fclose(to);
    return text;
}

#endif
