/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/sm/exec_bits_test.c: tests tb/sm/exec_bits.c. Expectations go bit by bit, as the PTX
 * ISA's own pseudo-code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/sm/exec_support.h"

static int bit(uint64_t x, uint64_t n)
{
    return x >> n & 1;
}

/* One place at a time; what comes in is `fill`. */
static uint64_t shifted(uint64_t x, unsigned bits, uint32_t amount, int left, int fill)
{
    for (uint32_t n = 0; n < amount && n < 100; n++) {
        uint64_t y = 0;
        for (unsigned i = 0; i < bits; i++) {
            int from = left ? (int)i - 1 : (int)i + 1;
            y |= (uint64_t)(from < 0 || from >= (int)bits ? fill : bit(x, (unsigned)from)) << i;
        }
        x = y;
    }
    return x;
}

static uint64_t extracted(uint64_t a, uint64_t b, uint64_t c, unsigned bits, int is_signed)
{
    unsigned position = b & 0xff, length = c & 0xff, msb = bits - 1;
    unsigned top = position + length - 1 < msb ? position + length - 1 : msb;
    int sign = is_signed && length ? bit(a, top) : 0;
    uint64_t d = 0;
    for (unsigned i = 0; i < bits; i++)
        d |= (uint64_t)(i < length && position + i <= msb ? bit(a, position + i) : sign) << i;
    return d;
}

static uint64_t inserted(uint64_t a, uint64_t b, uint64_t c, uint64_t e, unsigned bits)
{
    unsigned position = c & 0xff, length = e & 0xff;
    for (unsigned i = 0; i < length && position + i < bits; i++)
        b = (b & ~(1ull << (position + i))) | (uint64_t)bit(a, i) << (position + i);
    return b;
}

static uint64_t zeros(uint64_t a, unsigned bits)
{
    unsigned n = 0;
    while (n < bits && !bit(a, bits - 1 - n))
        n++;
    return n;
}

static uint64_t ones(uint64_t a, unsigned bits)
{
    unsigned n = 0;
    for (unsigned i = 0; i < bits; i++)
        n += (unsigned)bit(a, i);
    return n;
}

static uint64_t found(uint64_t a, unsigned bits, int is_signed, int shiftamt)
{
    int skipped = is_signed ? bit(a, bits - 1) : 0;
    for (unsigned i = bits; i-- > 0;)
        if (bit(a, i) != skipped)
            return shiftamt ? bits - 1 - i : i;
    return 0xffffffff;
}

static uint64_t mirrored(uint64_t a, unsigned bits)
{
    uint64_t d = 0;
    for (unsigned i = 0; i < bits; i++)
        d |= (uint64_t)bit(a, i) << (bits - 1 - i);
    return d;
}

static uint64_t permuted(uint64_t a, uint64_t b, uint64_t c)
{
    uint8_t bytes[8], d[4];
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(a >> 8 * i);
        bytes[4 + i] = (uint8_t)(b >> 8 * i);
    }
    for (int i = 0; i < 4; i++) {
        unsigned nibble = c >> 4 * i & 15;
        d[i] = nibble & 8 ? (bytes[nibble & 7] & 0x80 ? 0xff : 0) : bytes[nibble];
    }
    return d[0] | d[1] << 8 | d[2] << 16 | (uint64_t)d[3] << 24;
}

/* The 64 bits b:a, shifted by c; right: the low word, left: the high word. */
static uint64_t funnelled(uint64_t a, uint64_t b, uint64_t c, int right, int clamp)
{
    uint32_t n = clamp ? ((uint32_t)c > 32 ? 32 : (uint32_t)c) : (uint32_t)c % 32;
    uint64_t both = (b & 0xffffffff) << 32 | (a & 0xffffffff);
    return right ? shifted(both, 64, n, 0, 0) & 0xffffffff : shifted(both, 64, n, 1, 0) >> 32;
}

#define LOGIC(X, bits, t, V)                                                                       \
    ROW2(X, and##bits, "and.b" #bits, t, V, a &b)                                                  \
    ROW2(X, or ##bits, "or.b" #bits, t, V, a | b)                                                  \
    ROW2(X, xor##bits, "xor.b" #bits, t, V, a ^ b)                                                 \
    ROW1(X, not ##bits, "not.b" #bits, t, V, ~a)                                                   \
    X(shl##bits, "shl.b" #bits " %" #t "0, %" #t "1, %r2", t, V, SHIFTS, ONE, ONE,                 \
      shifted(a, bits, b, 1, 0))                                                                   \
    X(shr_b##bits, "shr.b" #bits " %" #t "0, %" #t "1, %r2", t, V, SHIFTS, ONE, ONE,               \
      shifted(a, bits, b, 0, 0))                                                                   \
    X(shr_u##bits, "shr.u" #bits " %" #t "0, %" #t "1, %r2", t, V, SHIFTS, ONE, ONE,               \
      shifted(a, bits, b, 0, 0))                                                                   \
    X(shr_s##bits, "shr.s" #bits " %" #t "0, %" #t "1, %r2", t, V, SHIFTS, ONE, ONE,               \
      shifted(a, bits, b, 0, bit(a, bits - 1)))                                                    \
    ROW1(X, mov_b##bits, "mov.b" #bits, t, V, a)                                                   \
    ROW1(X, mov_u##bits, "mov.u" #bits, t, V, a)                                                   \
    ROW1(X, mov_s##bits, "mov.s" #bits, t, V, a)                                                   \
    X(selp_b##bits, "selp.b" #bits " %" #t "0, %" #t "1, %" #t "2, %p3", t, V, V, BITS, ONE,       \
      c ? a : b)                                                                                   \
    X(selp_s##bits, "selp.s" #bits " %" #t "0, %" #t "1, %" #t "2, %p3", t, V, V, BITS, ONE,       \
      c ? a : b)

#define FIELDS(X, bits, t, V)                                                                      \
    X(bfe_u##bits, "bfe.u" #bits " %" #t "0, %" #t "1, %r2, %r3", t, V, SHIFTS, SHIFTS, ONE,       \
      extracted(a, b, c, bits, 0))                                                                 \
    X(bfe_s##bits, "bfe.s" #bits " %" #t "0, %" #t "1, %r2, %r3", t, V, SHIFTS, SHIFTS, ONE,       \
      extracted(a, b, c, bits, 1))                                                                 \
    X(bfi##bits, "bfi.b" #bits " %" #t "0, %" #t "1, %" #t "2, %r3, %r4", t, V, V, SHIFTS, SHIFTS, \
      inserted(a, b, c, e, bits))                                                                  \
    X(clz##bits, "clz.b" #bits " %r0, %" #t "1", r, V, ONE, ONE, ONE, zeros(a, bits))              \
    X(popc##bits, "popc.b" #bits " %r0, %" #t "1", r, V, ONE, ONE, ONE, ones(a, bits))             \
    ROW1(X, brev##bits, "brev.b" #bits, t, V, mirrored(a, bits))                                   \
    X(bfind_u##bits, "bfind.u" #bits " %r0, %" #t "1", r, V, ONE, ONE, ONE, found(a, bits, 0, 0))  \
    X(bfind_s##bits, "bfind.s" #bits " %r0, %" #t "1", r, V, ONE, ONE, ONE, found(a, bits, 1, 0))  \
    X(bfind_shiftamt_u##bits, "bfind.shiftamt.u" #bits " %r0, %" #t "1", r, V, ONE, ONE, ONE,      \
      found(a, bits, 0, 1))                                                                        \
    X(bfind_shiftamt_s##bits, "bfind.shiftamt.s" #bits " %r0, %" #t "1", r, V, ONE, ONE, ONE,      \
      found(a, bits, 1, 1))

#define WIDTH16(X) LOGIC(X, 16, h, I16)
#define WIDTH32(X) LOGIC(X, 32, r, I32) FIELDS(X, 32, r, I32)
#define WIDTH64(X) LOGIC(X, 64, d, I64) FIELDS(X, 64, d, I64)

#define OTHERS(X)                                                                                  \
    ROW3(X, prmt, "prmt.b32", r, I32, permuted(a, b, c))                                           \
    X(prmt_mixed, "prmt.b32 %r0, %r1, %r2, 0x5c1f", r, I32, I32, ONE, ONE, permuted(a, b, 0x5c1f)) \
    X(shf_l_wrap, "shf.l.wrap.b32 %r0, %r1, %r2, %r3", r, I32, I32, SHIFTS, ONE,                   \
      funnelled(a, b, c, 0, 0))                                                                    \
    X(shf_r_wrap, "shf.r.wrap.b32 %r0, %r1, %r2, %r3", r, I32, I32, SHIFTS, ONE,                   \
      funnelled(a, b, c, 1, 0))                                                                    \
    X(shf_l_clamp, "shf.l.clamp.b32 %r0, %r1, %r2, %r3", r, I32, I32, SHIFTS, ONE,                 \
      funnelled(a, b, c, 0, 1))                                                                    \
    X(shf_r_clamp, "shf.r.clamp.b32 %r0, %r1, %r2, %r3", r, I32, I32, SHIFTS, ONE,                 \
      funnelled(a, b, c, 1, 1))                                                                    \
    ROW1(X, mov_f32, "mov.f32", f, F32, a)                                                         \
    ROW1(X, mov_f64, "mov.f64", g, F64, a)                                                         \
    X(mov_b32_f32, "mov.b32 %r0, %f1", r, F32, ONE, ONE, ONE, a)                                   \
    X(mov_constant, "mov.f32 %f0, 0f3FC00000", f, ONE, ONE, ONE, ONE, 0x3fc00000)                  \
    X(selp_f32, "selp.f32 %f0, %f1, %f2, %p3", f, F32, F32, BITS, ONE, c ? a : b)                  \
    X(selp_f64, "selp.f64 %g0, %g1, %g2, %p3", g, F64, F64, BITS, ONE, c ? a : b)                  \
    ROW2(X, copysign_f32, "copysign.f32", f, F32, (a & 0x80000000) + b % 0x80000000)               \
    ROW2(X, copysign_f64, "copysign.f64", g, F64, (a & 1ull << 63) + b % (1ull << 63))             \
    X(pack_64, "mov.b64 %d0, {%r1, %r2}", d, I32, I32, ONE, ONE, (b << 32) + (a & 0xffffffff))     \
    X(pack_64_4, "mov.b64 %d0, {%h1, %h2, %h3, %h4}", d, I16, I16, I16, BITS,                      \
      (a & 0xffff) + ((b & 0xffff) << 16) + ((c & 0xffff) << 32) + (e << 48))                      \
    X(pack_32, "mov.b32 %r0, {%h1, %h2}", r, I16, I16, ONE, ONE, (a & 0xffff) + (b << 16))         \
    X(unpack_low, "mov.b64 {%r0, %r8}, %d1", r, I64, ONE, ONE, ONE, a)                             \
    X(unpack_high, "mov.b64 {%r8, %r0}, %d1", r, I64, ONE, ONE, ONE, a >> 32)                      \
    X(unpack_quarter, "mov.b64 {%h5, %h6, %h0, %h7}, %d1", h, I64, ONE, ONE, ONE, a >> 32)         \
    X(unpack_half, "mov.b32 {%h5, %h0}, %r1", h, I32, ONE, ONE, ONE, a >> 16)                      \
    X(unpack_onto, "mov.b32 {%h0, %h5}, %r1", h, I32, ONE, ONE, ONE, a)                            \
    ROW1(X, cvta_shared, "cvta.shared.u64", d, I32, a + GENERIC_SHARED_BASE)                       \
    ROW1(X, cvta_local, "cvta.local.u64", d, I32, a + GENERIC_LOCAL_BASE)                          \
    ROW1(X, cvta_global, "cvta.global.u64", d, I32, a)                                             \
    ROW1(X, cvta_to_global, "cvta.to.global.u64", d, I32, a)                                       \
    ROW1(X, cvta_to_shared, "cvta.to.shared.u64", d, I64, a - GENERIC_SHARED_BASE)                 \
    ROW1(X, cvta_to_local, "cvta.to.local.u64", d, I64, a - GENERIC_LOCAL_BASE)

#define PREDICATES(X)                                                                              \
    X(mov_pred, "mov.pred %p0, %p1", p, BITS, ONE, ONE, ONE, a)                                    \
    X(mov_true, "mov.pred %p0, 1", p, BITS, ONE, ONE, ONE, 1)                                      \
    X(mov_false, "mov.pred %p0, 0", p, BITS, ONE, ONE, ONE, 0)                                     \
    X(not_pred, "not.pred %p0, %p1", p, BITS, ONE, ONE, ONE, !a)                                   \
    X(and_pred, "and.pred %p0, %p1, %p2", p, BITS, BITS, ONE, ONE, a &&b)                          \
    X(or_pred, "or.pred %p0, %p1, %p2", p, BITS, BITS, ONE, ONE, a || b)                           \
    X(xor_pred, "xor.pred %p0, %p1, %p2", p, BITS, BITS, ONE, ONE, a != b)

CHECK_TABLE(WIDTH16)
CHECK_TABLE(WIDTH32)
CHECK_TABLE(WIDTH64)
CHECK_TABLE(OTHERS)
CHECK_TABLE(PREDICATES)

/* uop.h: the rest of a slot that holds a narrow value is zero, whatever wrote it. */
static void narrow_slots_are_clean(void **state)
{
    static const char *const statements[] = {
        "add.s16 %h1, %h0, -1;",
        "sub.u16 %h1, %h0, 1;",
        "not.b16 %h1, %h0;",
        "neg.s16 %h1, 1;",
        "mul.lo.s16 %h1, -1, 255;",
        "mad.lo.s16 %h1, -1, 255, %h0;",
        "shl.b16 %h1, 0x7fff, 3;",
        "shr.s16 %h1, 0x8000, 3;",
        "min.s16 %h1, %h0, -5;",
        "div.s16 %h1, -7, 2;",
        "div.u16 %h1, 1, %h0;",
        "cvt.s16.s32 %h1, -4;",
        "cvt.s16.s8 %h1, 0xff;",
        "cvt.rzi.s16.f32 %h1, 0fC0A00000;",
        "mov.b32 {%h1, %h2}, 0xfffeffff;",
        "sad.s16 %h1, -9, 9, -100;",
        "mul.hi.s16 %h1, -1, 1;",
        "ld.param.s8 %h1, [p];",
    };
    (void)state;
    for (unsigned i = 0; i < sizeof statements / sizeof *statements; i++)
        for (unsigned build = 0; build < exec_builds(); build++) {
            char text[512] =
                PTX_HEAD ".entry k(.param .u32 p)\n{\n.reg .b16 %h<3>;\n.reg .b32 %r<2>;\n";
            strcat(strcat(text, statements[i]), "\nret;\n}\n");
            struct program p = program_open(text, build);
            const struct ptx_kernel *kernel = ptx_kernel(p.module, "k");
            static const uint32_t param = 0x80;
            struct exec_launch launch = {
                kernel, p.gmem, (const uint8_t *)&param, {1, 1, 1}, {32, 1, 1}, {0}, 1, 0};
            struct exec_block block = {.launch = &launch};
            struct exec_fault fault = {0};
            struct exec_access access;
            struct exec_warp w = {.regs = aligned_alloc(64, exec_warp_bytes(kernel))};
            assert_non_null(w.regs);
            exec_warp_start(&w, &block, 0, &fault);
            assert_int_equal(exec_step(&w, &access), EXEC_NEXT);
            const uint32_t *lanes = (const uint32_t *)(w.regs + kernel->uops[0].dst[0]);
            for (int lane = 0; lane < WARP_LANES; lane++)
                if (lanes[lane] == 0 || lanes[lane] > 0xffff)
                    fail_msg("%s: lane %d holds %08x", statements[i], lane, lanes[lane]);
            free(w.regs);
            program_close(&p);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WIDTH16_test),    cmocka_unit_test(WIDTH32_test),
        cmocka_unit_test(WIDTH64_test),    cmocka_unit_test(OTHERS_test),
        cmocka_unit_test(PREDICATES_test), cmocka_unit_test(narrow_slots_are_clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
