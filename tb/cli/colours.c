/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/colours.c: the colours of the classes of tb/sm/cpi.def, the same in all pictures and pages. */
#include "tb/cli/report.h"

static const char *const colours[NUM_CPI_CLASSES] = {
    [CPI_issued] = "#2b7a3d",     [CPI_ibuf] = "#c9b458",         [CPI_barrier] = "#7b4fa3",
    [CPI_done] = "#b79ad6",       [CPI_control] = "#e0c9a0",      [CPI_struct_sp] = "#8fc1e3",
    [CPI_struct_sfu] = "#3f8fc4", [CPI_struct_mem] = "#1b4f80",   [CPI_data_mem] = "#c0392b",
    [CPI_data_exe] = "#e59866",   [CPI_not_selected] = "#bdc3c7",
};

const char *report_colour(enum cpi_class class)
{
    return colours[class];
}
