/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/occupancy_test.c: tests tb/gpu/occupancy.c: each resource in turn is the one that
 * limits, and too small. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tb/exec/exec.h"
#include "tb/gpu/occupancy.h"
#include "tests/tb/test_config.h"

static struct uop instruction;
static char message[512];

/* A machine with room for everything, and a kernel of one warp per block that needs next to
 * nothing. */
struct scene {
    struct config c;
    struct ptx_kernel kernel;
    struct gpu_launch launch;
};

static struct scene scene(void)
{
    struct scene s = {
        .c = test_config(),
        .kernel = {.name = "k", .uops = &instruction, .num_uops = 1, .regs_per_thread = 1},
        .launch = {.grid = {10, 1, 1}, .block = {32, 1, 1}, .work_dim = 1},
    };
    s.c.sm_max_blocks = 64, s.c.sm_max_threads = 8192, s.c.sm_registers = 1048576,
    s.c.sm_shared_bytes = 1048576;
    return s;
}

static int fits(struct scene *s, struct occupancy *o)
{
    message[0] = '\0';
    s->launch.kernel = &s->kernel;
    return occupancy_of(&s->c, &s->launch, o, message, sizeof message) == 0;
}

/* Expects the launch to be refused with a message that contains all of these. */
static void refused(struct scene *s, const char *a, const char *b, const char *c)
{
    struct occupancy o;
    assert_false(fits(s, &o));
    assert_non_null(strstr(message, a));
    assert_non_null(strstr(message, b));
    assert_non_null(strstr(message, c));
}

static void each_resource_limits(void **state)
{
    (void)state;
    struct occupancy o;
    struct scene s = scene();
    s.c.sm_max_blocks = 1;
    assert_true(fits(&s, &o));
    assert_int_equal(o.blocks, 1);

    s = scene();
    s.c.sm_max_threads = 100; /* three warps */
    assert_true(fits(&s, &o));
    assert_int_equal(o.blocks, 3);
    s.launch.block[0] = 33; /* counts as two warps */
    assert_true(fits(&s, &o));
    assert_int_equal(o.warps, 2);
    assert_int_equal(o.blocks, 1);

    s = scene(); /* one warp per block: all start at scheduler 0 */
    assert_true(fits(&s, &o));
    assert_int_equal(o.blocks, NUM_WARPS < 64 ? NUM_WARPS : 64);
    s.launch.block[0] = 32 * NUM_SCHEDULERS * 2; /* two warps on each scheduler */
    assert_true(fits(&s, &o));
    assert_int_equal(o.blocks, NUM_WARPS / 2);

    s = scene();
    s.kernel.regs_per_thread = 21; /* 672 per warp, rounded to 704 */
    s.c.sm_registers = 2 * 704;
    assert_true(fits(&s, &o));
    assert_int_equal(o.blocks, 2);
    s.c.sm_registers--;
    assert_true(fits(&s, &o));
    assert_int_equal(o.blocks, 1);

    s = scene();
    s.kernel.shared_bytes = 100; /* dynamic memory begins at 112 */
    s.launch.dynamic_shared = 88;
    s.c.sm_shared_bytes = 399;
    assert_true(fits(&s, &o));
    assert_int_equal(o.shared_bytes, 200);
    assert_int_equal(o.blocks, 1);
    s.c.sm_shared_bytes = 400;
    assert_true(fits(&s, &o));
    assert_int_equal(o.blocks, 2);
}

static void no_room_names_the_resource(void **state)
{
    (void)state;
    struct scene s = scene();
    s.c.sm_max_threads = 32;
    s.launch.block[1] = 2;
    refused(&s, "threads", "needs 64", "available are 32");

    s = scene();
    s.launch.block[0] = 32 * (NUM_SCHEDULERS * NUM_WARPS + 1);
    s.c.sm_max_threads = 1 << 20;
    refused(&s, "warp slots", "needs", "available");

    s = scene();
    s.c.sm_shared_bytes = 48;
    s.launch.dynamic_shared = 49;
    refused(&s, "shared memory", "needs 49", "available are 48");
}

static void impossible_launches(void **state)
{
    (void)state;
    struct scene s = scene();
    s.launch.grid[2] = 0;
    refused(&s, "kernel k", "(10, 1, 0)", "expected");

    s = scene();
    s.launch.grid[0] = s.launch.grid[1] = s.launch.grid[2] = UINT32_MAX;
    refused(&s, "kernel k", "4294967295", "2^64");

    s = scene();
    s.launch.block[0] = s.launch.block[1] = UINT32_MAX;
    refused(&s, "kernel k", "needs", "available");

    s = scene();
    s.kernel.reqntid[0] = 64, s.kernel.reqntid[1] = s.kernel.reqntid[2] = 1;
    refused(&s, "(32, 1, 1)", "(64, 1, 1)", ".reqntid");

    s = scene();
    s.kernel.maxntid[0] = 16, s.kernel.maxntid[1] = s.kernel.maxntid[2] = 1;
    refused(&s, "32 threads", "at most 16", ".maxntid");

    s = scene();
    s.kernel.num_uops = 0;
    refused(&s, "kernel k", "no", "instructions");
}

/* 40 values that live at once, and an instruction that needs 6 registers of its own. */
static const char pressing[] =
    ".version 6.0\n.target sm_70\n.address_size 64\n.entry k(.param .u64 p)%s\n{\n.reg .b32 "
    "%%r<40>; .reg .b64 %%d;\nld.param.u64 %%d, [p]; ld.global.u64 %%d, "
    "[%%d];\n%s%sst.global.v4.u32 [%%d], {%%r0, %%r1, "
    "%%r2, "
    "%%r3};\nret;\n}\n";

static struct ptx_module *press(struct scene *s, const char *directives)
{
    static char loads[4096], stores[4096], text[16384];
    size_t used = 0, stored = 0;
    for (int i = 0; i < 40; i++) {
        used += (size_t)snprintf(loads + used, sizeof loads - used,
                                 "ld.global.u32 %%r%d, [%%d+%d];\n", i, 4 * i);
        stored += (size_t)snprintf(stores + stored, sizeof stores - stored,
                                   "st.global.u32 [%%d+%d], %%r%d;\n", 4 * i, 39 - i);
    }
    const int length = snprintf(text, sizeof text, pressing, directives, loads, stores);
    struct ptx_error error;
    struct ptx_module *m = ptx_parse("t.ptx", text, (size_t)length, &error);
    if (!m || exec_bind(m, &error))
        fail_msg("%s", error.message);
    s->kernel = m->kernels[0];
    return m;
}

/* A thread has what the architecture, the kernel and its share of the SM allow, and the rest lies
 * in local memory. */
static void registers_of_a_thread(void **state)
{
    (void)state;
    struct occupancy o;
    struct scene s = scene();
    struct ptx_module *m = press(&s, "");
    s.c.sm_thread_registers = 42;
    assert_true(fits(&s, &o));
    assert_int_equal(o.kernel->num_uops, s.kernel.num_uops);
    assert_int_equal(o.registers, 42);
    assert_int_equal(o.spills.values, 0);
    assert_int_equal(o.needed[RESOURCE_registers], 42 * 32);

    s.c.sm_thread_registers = 41;
    assert_true(fits(&s, &o));
    assert_true(o.kernel->num_uops > s.kernel.num_uops);
    assert_int_equal(o.registers, 41);
    assert_int_equal(o.spills.values, 1);
    assert_int_equal(o.needed[RESOURCE_registers], 42 * 32); /* rounded */

    s.c.sm_thread_registers = 63; /* a warp's share of 1216 registers is 38 for each thread */
    s.c.sm_registers = 1216;
    assert_true(fits(&s, &o));
    assert_int_equal(o.registers, 38);
    assert_int_equal(o.blocks, 1);
    assert_int_equal(o.limit[RESOURCE_registers], 1);
    s.c.sm_registers = 1215; /* given out in units of 64 */
    assert_true(fits(&s, &o));
    assert_int_equal(o.registers, 36);
    s.launch.block[0] = 64; /* two warps share 1215 */
    assert_true(fits(&s, &o));
    assert_int_equal(o.registers, 18);
    assert_int_equal(o.limit[RESOURCE_registers], 1);

    s.launch.block[0] = 32;
    s.c.sm_registers = 5 * 32;
    refused(&s, "kernel k does not fit an SM", "one thread may have 4 registers",
            "alone needs 6 registers of a thread; expected at most 4");
    assert_non_null(strstr(message, "t.ptx:88: 'st.global.v4"));
    s.launch.block[0] = 32 * 6; /* no register is left for a thread */
    refused(&s, "registers", "needs 8064", "available are 160");
    ptx_free(m);

    s = scene();
    m = press(&s, " .maxnreg 20");
    assert_true(fits(&s, &o));
    assert_int_equal(o.registers, 20);
    ptx_free(m);
}

/* Two loops, one in the other: what lies in them, and is a load through L1D. */
static void loops_are_counted(void **state)
{
    (void)state;
    struct occupancy o;
    struct scene s = scene();
    struct ptx_loop loops[] = {{1, 6, 1, 0}, {3, 5, 2, 1}};
    uint32_t loop_of[] = {0, 1, 1, 2, 2, 2, 1, 0};
    struct uop uops[8] = {0};
    uops[0].klass = uops[1].klass = uops[4].klass = uops[6].klass = CLASS_GMEM;
    uops[0].op = uops[1].op = uops[4].op = U_LD; /* the first lies before the loops */
    uops[6].op = U_ST;
    uops[5].klass = CLASS_STCMEM;
    uops[5].op = U_LD; /* from shared memory */
    s.kernel.uops = uops;
    s.kernel.num_uops = 8;
    assert_true(fits(&s, &o));
    assert_int_equal(o.loops + o.loop_depth + o.loop_loads, 0);
    s.kernel.loops = loops;
    s.kernel.num_loops = 2;
    s.kernel.loop_of = loop_of;
    assert_true(fits(&s, &o));
    assert_int_equal(o.loops, 2);
    assert_int_equal(o.loop_depth, 2);
    assert_int_equal(o.loop_loads, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_resource_limits),       cmocka_unit_test(registers_of_a_thread),
        cmocka_unit_test(no_room_names_the_resource), cmocka_unit_test(impossible_launches),
        cmocka_unit_test(loops_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
