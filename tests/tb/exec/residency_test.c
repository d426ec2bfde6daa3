/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/residency_test.c: tests tb/ptx/decode/texture.c: the predicate that says whether a texel is
 * resident. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"

/* The predicate of the lanes that execute the instruction is set, that of the others stays. */
static void texels_are_resident(void **state)
{
    static const struct {
        const char *statement;
        uint32_t before, expected;
    } table[] = {
        {"tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}|%p1, [%d1, {%r1}];", 0, 0xffffffff},
        {"@%p2 tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}|%p1, [%d1, {%r1}];", 0x0000f00f, 0x00ffff0f},
        {"@!%p2 tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}|%p1, [%d1, {%r1}];", 0x0000f00f, 0xff00f0ff},
        {"@%p2 tex.level.1d.v2.f16x2.s32 {%r2, %r3}|%p1, [%d1, {%r1}], 0f00000000;", 1, 0x00ffff01},
        {"@%p2 tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}|_, [%d1, {%r1}];", 0x0000f00f, 0x0000f00f},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        struct stepped s;
        char body[512];
        const uint32_t lanes = 0x00ffff00;
        strcpy(body, "mov.u32 %r1, %laneid; mov.u32 %r2, 5; ld.param.u64 %d1, [a];\n"
                     "setp.ne.u32 %p1, %r1, 99; setp.ne.u32 %p2, %r1, 99;\n");
        strcat(strcat(body, table[i].statement), " ret;");
        step_open(&s, body, WARP_LANES);
        const uint64_t texels = step_row(&s, (struct ptx_texture){.sampler = SAMPLER_BORDER});
        *(uint32_t *)gmem_host(s.program.gmem, texels + 36, 4) = 1234;
        for (int n = 0; n < 5; n++)
            assert_int_equal(step_once(&s), EXEC_NEXT);
        uint32_t *p = (uint32_t *)(s.warp.regs + s.kernel->uops[3].dst[0]);
        *p = table[i].before;
        *(uint32_t *)(s.warp.regs + s.kernel->uops[4].dst[0]) = lanes;
        assert_int_equal(step_once(&s), EXEC_NEXT);
        assert_true(s.access.mask != 0);
        assert_int_equal(*p, table[i].before);
        assert_int_equal(step_once(&s), EXEC_NEXT);
        assert_int_equal(*p, table[i].expected);
        assert_string_equal(s.kernel->text[5], s.kernel->text[6]);
        if (i == 2)
            assert_int_equal(written(&s, 5)[9], 5); /* guarded off */
        if (i == 1)
            assert_int_equal(written(&s, 5)[9], 1234);
        assert_int_equal(step_once(&s), EXEC_DONE);
        step_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(texels_are_resident)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
