/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/verify.c: comparison of results. */
#include "tb/workloads/common/verify.h"

#include <math.h>
#include <string.h>

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static int same(float expected, float got, double tolerance)
{
    double difference = fabs((double)got - (double)expected), size = fabs((double)expected);
    if (bits_of(expected) == bits_of(got))
        return 1;
    return tolerance > 0 && isfinite(expected) && difference <= tolerance * (size > 1 ? size : 1);
}

size_t verify_floats(const char *name, size_t width, const float *expected, const float *got,
                     size_t count, double tolerance, FILE *out)
{
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < count; i++)
        if (!same(expected[i], got[i], tolerance) && wrong++ == 0)
            first = i;
    if (wrong == 0 || out == NULL)
        return wrong;
    fprintf(out, "wrong: %s", name);
    if (width > 0)
        fprintf(out, "[%zu][%zu]", first / width, first % width);
    else
        fprintf(out, "[%zu]", first);
    fprintf(out, ": expected %.9g (0x%08x), got %.9g (0x%08x); %zu of %zu elements are wrong\n",
            (double)expected[first], bits_of(expected[first]), (double)got[first],
            bits_of(got[first]), wrong, count);
    return wrong;
}

size_t verify_integers(const char *name, const int32_t *expected, const int32_t *got, size_t count,
                       FILE *out)
{
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < count; i++)
        if (expected[i] != got[i] && wrong++ == 0)
            first = i;
    if (wrong > 0 && out != NULL)
        fprintf(out, "wrong: %s[%zu]: expected %d, got %d; %zu of %zu elements are wrong\n", name,
                first, expected[first], got[first], wrong, count);
    return wrong;
}
