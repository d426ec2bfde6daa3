/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/csv.c: see csv.h. */
#include "tb/cli/csv.h"

#include <string.h>

void csv_field(FILE *to, const char *text)
{
    if (!text[strcspn(text, ",\"\r\n")]) {
        fputs(text, to);
        return;
    }
    fputc('"', to);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', to);
        fputc(*text, to);
    }
    fputc('"', to);
}
