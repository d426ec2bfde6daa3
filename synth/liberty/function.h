/* SPDX-License-Identifier: Apache-2.0 */
/* synth/liberty/function.h: the Boolean functions of Liberty files, such as "!((A B) + C)".
 *
 * !x, x'   not                  tightest
 * x ^ y    exclusive or
 * x y, x & y, x * y   and
 * x + y, x | y        or        loosest
 */
#ifndef HEDDLE_SYNTH_FUNCTION_H
#define HEDDLE_SYNTH_FUNCTION_H

#include <stddef.h>
#include <stdint.h>

#define FUNCTION_OPS   256 /* operators, names and constants of one */
#define FUNCTION_DEPTH 64  /* values at once */

enum function_op {
    FUNCTION_INPUT,
    FUNCTION_0,
    FUNCTION_1,
    FUNCTION_NOT,
    FUNCTION_AND,
    FUNCTION_OR,
    FUNCTION_XOR
};

/* Operands before operators. */
struct function {
    struct function_step {
        uint8_t op; /* enum function_op */
        uint8_t input;
    } steps[FUNCTION_OPS];
    unsigned count;
};

/* The number of the input of this name, below 256, or -1: there is none. */
typedef int function_resolve(const void *user, const char *name, size_t length);

/* Returns 0, or -1 with the reason in `why`. */
int function_parse(struct function *, const char *text, function_resolve *, const void *user,
                   char *why, size_t size);

/* The function for 64 sets of inputs at once: bit i of the result is that of bits i of the inputs. */
uint64_t function_value(const struct function *, const uint64_t *inputs);

#endif
