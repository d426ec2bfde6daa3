/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/format.h: OpenCL's printf formats (OpenCL 1.2, section 6.12.13). */
#ifndef HEDDLE_TB_OCL_FORMAT_H
#define HEDDLE_TB_OCL_FORMAT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum value_kind { VALUE_POINTER, VALUE_SIGNED, VALUE_UNSIGNED, VALUE_FLOAT };

/* One argument: its elements, widened to 8 bytes; floats as doubles. */
struct value {
    enum value_kind kind;
    unsigned bytes, count; /* of an element, as the kernel had it; elements */
    const uint64_t *elements;
};

/* A text that may lack its final 0. bytes NULL: there is none. */
struct text {
    const char *bytes;
    size_t room;
};

/* Prints. `text_at` finds the text of a %s. A conversion that is wrong, or has no argument left, is
 * printed as it is written; a number of another kind is converted. */
void format_print(FILE *, struct text format, const struct value *, size_t num_values,
                  struct text (*text_at)(const void *context, uint64_t address),
                  const void *context);

#endif
