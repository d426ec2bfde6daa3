/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/occupancy_test.c: tests tb/gpu/occupancy.c: each resource in turn is the one that
 * limits, and too small. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

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
    s.c.sm_registers = 1024;
    s.kernel.regs_per_thread = 33;
    refused(&s, "registers", "needs 1088", "available are 1024");

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_resource_limits),
        cmocka_unit_test(no_room_names_the_resource),
        cmocka_unit_test(impossible_launches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
