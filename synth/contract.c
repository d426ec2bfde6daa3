/* SPDX-License-Identifier: Apache-2.0 */
/* synth/contract.c: prints the contract of a unit (cmodel/contract.h) as lines that shell scripts
 * and awk read, every width and count evaluated for one configuration:
 *
 *   param <name> <value>
 *   in|out|state <name> <width> <count> <register> <meaning>
 *   memory <name> <width> <depth> <name>.word_q <meaning>
 *   quiet|idle|wakes <the C expression as it is written>
 *   clock <name of the IN>
 *
 * <register> is where a STATE sits in the flattened unit: `<name>_q`, or the port of a PORT line,
 * which has the name of the STATE; "-" for ports. Compiled with
 * -DCONTRACT_DEF='"cmodel/<unit>/<unit>.def"' and the directory of hw.h on the include path. */
#include <stdio.h>
#include <string.h>

#include "cmodel/contract.h"

static const char *const state_ports[] = {
#define PORT(state) #state,
#include "cmodel/contract_lines.h"
    NULL,
};

static void print(const char *kind, const char *name, unsigned width, unsigned count,
                  const char *meaning)
{
    const char *const *port = state_ports;
    while (*port && strcmp(*port, name) != 0)
        port++;
    printf("%s %s %u %u ", kind, name, width, count);
    if (strcmp(kind, "state") != 0)
        printf("-");
    else
        printf(*port ? "%s" : "%s_q", name);
    printf(" %s\n", meaning);
}

int main(void)
{
#define PARAM(name)                        printf("param %s %u\n", #name, (unsigned)(name));
#define IN(name, width, count, meaning)    print("in", #name, (width), (count), meaning);
#define OUT(name, width, count, meaning)   print("out", #name, (width), (count), meaning);
#define STATE(name, width, count, meaning) print("state", #name, (width), (count), meaning);
#define MEMORY(name, width, depth, meaning)                                                        \
    printf("memory %s %u %u %s.word_q %s\n", #name, (unsigned)(width), (unsigned)(depth), #name,   \
           meaning);
#define QUIET(condition)       puts("quiet " #condition);
#define IDLE_STABLE(condition) puts("idle " #condition);
#define WAKES(expression)      puts("wakes " #expression);
#define CLOCK(input)           puts("clock " #input);
#include "cmodel/contract_lines.h"
    return 0;
}
