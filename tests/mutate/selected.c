/* SPDX-License-Identifier: Apache-2.0 */
/* tests/mutate/selected.c: which mutant a netlist that holds them all shall be: the environment
 * variable MUTANT; 0 is the original. */
#include <stdio.h>
#include <stdlib.h>

unsigned mutant_selected(void);

unsigned mutant_selected(void)
{
    const char *text = getenv("MUTANT");
    char *end;
    unsigned long number = text ? strtoul(text, &end, 10) : 0;
    if (!text || !*text || *end) {
        fprintf(stderr, "MUTANT=%s; expected the number of a mutant\n", text ? text : "");
        exit(2);
    }
    return (unsigned)number;
}
