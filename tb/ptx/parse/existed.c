/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/existed.c: see existed.h. */
#include "tb/ptx/parse/existed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_OPEN_VERSION 9.0
#define FIRST_OPEN_SM      90

int version_existed(double version)
{
    static const int last_minor[] = {-1, 5, 3, 2, 3, 0, 5, 8, 8}; /* of each major version */
    const double tenths = version * 10;
    if (version >= FIRST_OPEN_VERSION)
        return 1;
    if (!(version >= 1) || fabs(tenths - round(tenths)) > 1e-6)
        return 0;
    return (int)round(tenths) % 10 <= last_minor[(int)round(tenths) / 10];
}

int target_existed(const char *name)
{
    static const unsigned char sms[] = {10, 11, 12, 13, 20, 21, 30, 32, 35, 37, 50, 52,
                                        53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 88, 89};
    static const char *const words[] = {"texmode_unified", "texmode_independent", "debug",
                                        "map_f64_to_f32"};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(name, words[i]))
            return 1;
    if (strncmp(name, "sm_", 3) || name[3] < '1' || name[3] > '9')
        return 0;
    char *rest;
    const unsigned long sm = strtoul(name + 3, &rest, 10);
    if (sm >= FIRST_OPEN_SM) /* some have variants: sm_90a, sm_100f */
        return !*rest || (strspn(rest, "af") == 1 && !rest[1]);
    return !*rest && memchr(sms, (int)sm, sizeof sms) != NULL;
}
