/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/op/values.c: operands: the edges of each type, and a few numbers without a pattern.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/tb/exec/op/exact.h"
#include "tests/tb/exec/op/op.h"

#define VALUES(name, ...)                                                                          \
    static const uint64_t name##_bits[] = {__VA_ARGS__};                                           \
    static const struct op_values name = {name##_bits, sizeof name##_bits / sizeof *name##_bits};

VALUES(predicates, 0, 1)
VALUES(addresses, 0, 1, 0x10000, 0x00ffffffffffffff, GENERIC_SHARED_BASE - 1, GENERIC_SHARED_BASE,
       GENERIC_SHARED_BASE + GENERIC_WINDOW - 1, GENERIC_SHARED_BASE + GENERIC_WINDOW,
       GENERIC_LOCAL_BASE - 1, GENERIC_LOCAL_BASE, GENERIC_LOCAL_BASE + GENERIC_WINDOW - 1,
       GENERIC_LOCAL_BASE + GENERIC_WINDOW, GENERIC_PARAM_BASE - 1, GENERIC_PARAM_BASE,
       GENERIC_PARAM_BASE + GENERIC_WINDOW - 1, GENERIC_PARAM_BASE + GENERIC_WINDOW, ~0ull)
VALUES(amounts, 0, 1, 5, 8, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 127, 128, 255, 256, 0x101,
       0x80000000, 0xffffffff)
/* Bits of a word, and how many of them are counted in which direction. */
VALUES(indices, 0, 1, 2, 3, 5, 15, 16, 17, 30, 31, 32, 33, 0x7fffffff, 0x80000000, 0xffffffff,
       0xfffffffe, 0xfffffffd, 0xfffffff0, 0xffffffe1, 0xffffffe0, 0xffffffdf, 0x80000001)
/* For 8 bits too; what lies above the type's bits must not matter. */
VALUES(integers16, 0, 1, 2, 3, 7, 0x7f, 0x80, 0x81, 0xff, 0x100, 0x5555, 0x7f80, 0x7fff, 0x8000,
       0x8001, 0xaaaa, 0xc0de, 0xff7f, 0xff80, 0xfffe, 0xffff, 0xabcd1234)
VALUES(integers32, 0, 1, 2, 3, 7, 0x80, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffff, 0x800000,
       0xffffff, 0x1000000, 0x1000001, 0x55555555, 0x7fffff80, 0x7fffffff, 0x80000000, 0x80000001,
       0x9e3779b9, 0xdeadbeef, 0xff7fffff, 0xff800000, 0xffffff7f, 0xfffffffe, 0xffffffff,
       0x1234567876543210)
VALUES(integers64, 0, 1, 2, 3, 7, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
       0x5555555555555555, 0x1fffffffffffff, 0x20000000000001, 0x20000000000003, 0x7fffff4000000000,
       0x7fffffbfffffffff, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001,
       0x8000008000000000, 0x9e3779b97f4a7c15, 0xdeadbeefcafebabe, 0xffffff8000000000,
       0xffffffff00000000, 0xffffffff7fffffff, 0xfffffffffffffbff, 0xfffffffffffffffe,
       0xffffffffffffffff)
/* Zeros, subnormals, the least and greatest normal, halves and integers, borders of the integer
 * types, infinities, quiet and signalling NaNs. */
VALUES(floats16, 0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x3555, 0x3800,
       0xb800, 0x3bff, 0x3c00, 0xbc00, 0x3c01, 0x3e00, 0xbe00, 0x4100, 0xc100, 0x57f0, 0x57f8,
       0x5800, 0xd800, 0x5bf8, 0x5bfc, 0x5c00, 0xd808, 0x6248, 0x77ff, 0x7800, 0x7bff, 0xfbff,
       0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x7c01, 0xffff)
VALUES(floats32, 0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x00000003, 0x00400000, 0x007fffff,
       0x807fffff, 0x00800000, 0x80800000, 0x00800001, 0x01000000, 0x33000000, 0x33800000,
       0x3dcccccd, 0x3eaaaaab, 0x3f000000, 0xbf000000, 0x3f7fffff, 0x3f800000, 0xbf800000,
       0x3f800001, 0x3fc00000, 0xbfc00000, 0x40200000, 0xc0200000, 0x40490fdb, 0x42fe0000,
       0x42ff0000, 0x437f0000, 0x437f8000, 0xc3008000, 0x477fe000, 0x477ff000, 0x477fff00,
       0xc7000080, 0x4b000001, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff,
       0x4f800000, 0x5effffff, 0x5f000000, 0xdf000000, 0xdf000001, 0x5f7fffff, 0x5f800000,
       0x7e7fffff, 0x7e800000, 0x7e800001, 0xfe800001, 0x7f000000, 0x7f7fffff, 0xff7fffff,
       0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0x9e3779b9, 0x5bd1e995)
VALUES(few32, 0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x80800001, 0x0b800000,
       0x33800000, 0xb4000001, 0x3eaaaaab, 0x3f7fffff, 0x3f800000, 0xbf800000, 0x3f800001,
       0x4b000001, 0xcb800000, 0x7e800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
       0x7fc00000, 0x7f800001, 0x5bd1e995)
VALUES(floats64, 0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x800fffffffffffff,
       0x000fffffffffffff, 0x0010000000000000, 0x0010000000000001, 0x3690000000000000,
       0x369fffffffffffff, 0x36a0000000000001, 0x380fffffe0000000, 0x380ffffff0000000,
       0x3810000000000000, 0x3ca0000000000000, 0x3fb999999999999a, 0x3fd5555555555555,
       0x3fe0000000000000, 0xbfe0000000000000, 0x3fefffffffffffff, 0x3ff0000000000000,
       0xbff0000000000000, 0x3ff0000000000001, 0x3ff0000010000000, 0x3ff0000030000000,
       0x3ff0020000000000, 0x3ff8000000000000, 0xbff8000000000000, 0x4004000000000000,
       0x400921fb54442d18, 0x405fe00000000000, 0x40effdffffffffff, 0x40effe0000000000,
       0xc0e0001000000000, 0x41dfffffffc00000, 0x41dfffffffe00000, 0x41e0000000000000,
       0xc1e0000000000000, 0xc1e0000000200000, 0x41efffffffe00000, 0x41efffffffffffff,
       0x41f0000000000000, 0x43dfffffffffffff, 0x43e0000000000000, 0xc3e0000000000000,
       0xc3e0000000000001, 0x43efffffffffffff, 0x43f0000000000000, 0x47efffffe0000000,
       0x47efffffefffffff, 0x47effffff0000000, 0x7fd0000000000001, 0x7fe0000000000000,
       0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
       0x7ff8000000000000, 0xfff8000000000001, 0x7ff0000000000001, 0xfff4000012345678,
       0x9e3779b97f4a7c15, 0x5bd1e9955bd1e995)
VALUES(few64, 0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x800fffffffffffff,
       0x0010000000000000, 0x8010000000000001, 0x01d0000000000000, 0x3ca0000000000000,
       0xbcb0000000000001, 0x3fd5555555555555, 0x3fefffffffffffff, 0x3ff0000000000000,
       0xbff0000000000000, 0x3ff0000000000001, 0x4330000000000001, 0xc340000000000000,
       0x7fd0000000000000, 0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000,
       0xfff0000000000000, 0x7ff8000000000000, 0xfff4000012345678, 0x5bd1e9955bd1e995)

VALUES(words, 0, 1, 0x80, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff, 0x80ff7f01,
       0x12fe8081, 0x0001ffff, 0xdeadbeef)

/* Two .f16, the lower one and another. */
static struct op_values pairs_of_halves(void)
{
    enum { PAIRS = 40 };
    static uint64_t bits[PAIRS];
    for (unsigned i = 0; i < PAIRS; i++)
        bits[i] = floats16_bits[i % floats16.count] | floats16_bits[i * 7 % floats16.count] << 16;
    return (struct op_values){bits, PAIRS};
}

static struct op_values random_bits(void)
{
    enum { RANDOM = 256 };
    static uint64_t bits[RANDOM];
    uint64_t x = 88172645463325252;
    for (unsigned i = 0; i < RANDOM; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        bits[i] = x;
    }
    return (struct op_values){bits, RANDOM};
}

static struct op_values all_halves(void)
{
    static uint64_t bits[65536];
    for (unsigned i = 1; !bits[65535] && i < 65536; i++)
        bits[i] = i;
    return (struct op_values){bits, 65536};
}

/* For each half and the next one, .f32 of both signs: the middle and its two neighbours. */
static struct op_values between_halves(void)
{
    enum { HALVES = 0x7c00 };
    static uint64_t bits[6 * HALVES];
    for (unsigned i = 0; !bits[6 * HALVES - 1] && i < HALVES; i++) {
        struct exact low = exact_of_float(16, i), high = exact_of_float(16, i + 1);
        if (high.kind == INFINITE)
            high = exact_of_integer(65536);
        struct exact middle = exact_add(low, high, 'n');
        middle.e--;
        uint64_t at = exact_to_float(middle, 32, 'n');
        for (unsigned k = 0; k < 6; k++)
            bits[6 * i + k] = (at + k % 3 - 1) | (k < 3 ? 0 : 0x80000000);
    }
    return (struct op_values){bits, 6 * HALVES};
}

static struct op_values of_type(struct op_type type, int few)
{
    if (type.kind == 'p')
        return predicates;
    if (type.kind == 'x')
        return pairs_of_halves();
    if (type.kind == 'f')
        return type.bits == 16   ? floats16
               : type.bits == 32 ? (few ? few32 : floats32)
                                 : (few ? few64 : floats64);
    return type.bits <= 16 ? integers16 : type.bits == 32 ? integers32 : integers64;
}

struct op_values op_values(const struct op *op, char letter)
{
    switch (letter) {
    case 't': return of_type(op->type, 0);
    case 's': return of_type(op->from, 0);
    case 'z': return of_type(op->from, 1);
    case 'g': return addresses;
    case 'y': return predicates;
    case 'c': return of_type(op->type, 1);
    case 'w': return of_type((struct op_type){op->type.kind, 2 * op->type.bits}, 0);
    case 'n': return amounts;
    case 'i': return indices;
    case 'p': return predicates;
    case 'v': return words;
    case 'R': return random_bits();
    case 'H': return all_halves();
    case 'M': return between_halves();
    default: fail_msg("%s: no values '%c'", op->text, letter);
    }
    return predicates;
}
