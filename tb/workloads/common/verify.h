/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/verify.h: compares a device's results with the host's and names the first
 * wrong element. */
#ifndef HEDDLE_TB_WORKLOADS_COMMON_VERIFY_H
#define HEDDLE_TB_WORKLOADS_COMMON_VERIFY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Compares `count` floats. tolerance 0: bit by bit. Else an element may differ from the expected
 * one e by at most tolerance * max(1, |e|); a NaN where a number is expected is wrong. Elements
 * print as name[i], or for width > 0 as name[i / width][i % width]. Reports on `out` (NULL: silent)
 * and returns how many elements are wrong. */
size_t verify_floats(const char *name, size_t width, const float *expected, const float *got,
                     size_t count, double tolerance, FILE *out);

/* Compares `count` integers, likewise. */
size_t verify_integers(const char *name, const int32_t *expected, const int32_t *got, size_t count,
                       FILE *out);

#endif
