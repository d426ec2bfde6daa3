/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/roots.c: see roots.h. */
#include "cmodel/analytic/roots.h"

#define HALVINGS 100 /* more than a double has bits */

static double bisect(roots_of *f, const void *context, double low, double high, int rises)
{
    for (unsigned i = 0; i < HALVINGS; i++) {
        const double middle = low + (high - low) / 2;
        if ((f(context, middle) < 0) == rises)
            low = middle;
        else
            high = middle;
    }
    return low + (high - low) / 2;
}

static int changes_sign(double before, double after)
{
    return (before < 0 && after > 0) || (before > 0 && after < 0);
}

unsigned roots_scan(roots_of *f, const void *context, double low, double high, unsigned steps,
                    double *roots, unsigned most)
{
    unsigned num = 0;
    double x = low, y = f(context, low);
    if (y == 0 && most)
        roots[num++] = low;
    for (unsigned i = 1; i <= steps && num < most; i++) {
        const double next = i == steps ? high : low + (high - low) * i / steps,
                     value = f(context, next);
        if (value == 0 && y != 0)
            roots[num++] = next;
        else if (changes_sign(y, value))
            roots[num++] = bisect(f, context, x, next, y < 0);
        x = next;
        y = value;
    }
    return num;
}
