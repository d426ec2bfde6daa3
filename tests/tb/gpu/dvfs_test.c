/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/dvfs_test.c: the frequency controller in the machine, in lockstep, on a kernel that computes and waits for memory by
 * turns: its software keeps the bound; nothing depends on who computes the unit, who looks on, or on threads; time is made up of what passed at
 * each clock. (What it saves takes longer to see: rtl/dvfs/README.md.) */
#include <stdlib.h>
#include <unistd.h>

#include "tests/tb/gpu/statistics.h"

static char directory[] = "/tmp/heddle-dvfs-XXXXXX";
static char path[64], wave[64];

enum { OFF, P_DVFS, F_DVFS };

#define BLOCKS (NUM_SMS * 4)
#define BLOCK  128
#define WORDS  (1 << 20)
#define ROUNDS 16

/* Rounds of additions that wait for each other, and of reads with a stride of a line. */
static const char phases[] = PTX_HEADER
    ".visible .entry phases(.param .u64 p, .param .u64 rounds, .param .u64 adds, .param .u64 "
    "reads)\n{\n"
    ".reg .b32 %r<19>;\n.reg .b64 %rd<9>;\n.reg .pred %p<4>;\n"
    "ld.param.u64 %rd1, [p];\nld.param.u32 %r10, [rounds];\nld.param.u32 %r11, [adds];\n"
    "ld.param.u32 %r12, [reads];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\n"
    "mov.u32 %r3, %tid.x;\nmad.lo.u32 %r4, %r1, %r2, %r3;\nmov.u32 %r5, 0;\n"
    "shl.b32 %r6, %r4, 5;\n"
    "ROUND:\nmov.u32 %r7, %r11;\n"
    "ADD:\nadd.u32 %r5, %r5, %r7;\nadd.u32 %r7, %r7, -1;\nsetp.ne.u32 %p1, %r7, 0;\n@%p1 bra ADD;\n"
    "mov.u32 %r8, %r12;\n"
    "READ:\nadd.u32 %r6, %r6, 87136;\nand.b32 %r6, %r6, 4194300;\ncvt.u64.u32 %rd2, %r6;\n"
    "add.u64 %rd3, %rd1, %rd2;\nld.global.u32 %r9, [%rd3];\nadd.u32 %r5, %r5, %r9;\n"
    "add.u32 %r8, %r8, -1;\nsetp.ne.u32 %p2, %r8, 0;\n@%p2 bra READ;\n"
    "add.u32 %r10, %r10, -1;\nsetp.ne.u32 %p3, %r10, 0;\n@%p3 bra ROUND;\n"
    "mul.wide.u32 %rd4, %r4, 4;\nadd.u64 %rd5, %rd1, %rd4;\nst.global.u32 [%rd5], %r5;\nret;\n}\n";

/* Short periods, and a power model that follows from [energy]: leakage, and what DRAM takes for a miss. */
static struct config config(unsigned software)
{
    struct config c = test_config();
    c.dvfs_software = software;
    c.dvfs_scaling = 500;
    c.dvfs_control = 33;
    c.dvfs_settle = 4;
    c.dvfs_window = 67;
    c.dvfs_highest = 1000;
    c.dvfs_goal = 20;
    c.dvfs_instructions = 20000;
    c.dvfs_b3 = c.energy_dram_read;
    c.dvfs_b4 = 32 * (c.energy_registers + c.energy_sp) + c.energy_instruction;
    c.dvfs_b6 = c.energy_sm_cycle * NUM_SMS * c.gpu_clock_mhz / 1000; /* fJ * MHz = nW */
    return c;
}

static struct stats_sums run(const struct config *c, unsigned rounds, const char *window)
{
    struct stats_sums sums;
    struct bench b;
    char spec[128];
    snprintf(spec, sizeof spec, "%s:%s", wave, window ? window : "");
    bench_open_wave(&b, c, phases, window ? spec : NULL, path);
    bench_param(&b, bench_buffer(&b, WORDS));
    bench_param(&b, rounds);
    bench_param(&b, 80);
    bench_param(&b, 3);
    bench_time(&b, "phases", BLOCKS, BLOCK);
    sums = bench_stats(&b)->sums;
    bench_close(&b);
    return sums;
}

static uint64_t at_all_clocks(const struct stats_sums *s)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < NUM_SM_CLOCKS; i++)
        sum += s->at_clock[i];
    return sum;
}

static void the_bound_is_kept(void **state)
{
    (void)state;
    struct stats_sums of[3];
    for (unsigned software = OFF; software <= F_DVFS; software++) {
        struct config c = config(software);
        strcpy(c.run_backend, "lockstep");
        of[software] = run(&c, ROUNDS, NULL);
        assert_int_equal(at_all_clocks(&of[software]), of[software].cycles);
    }
    assert_int_equal(of[OFF].sm_cycles, of[OFF].cycles);
    assert_int_equal(of[OFF].sm.warp_instructions, of[P_DVFS].sm.warp_instructions);
    for (unsigned software = P_DVFS; software <= F_DVFS; software++) {
        assert_true(of[software].sm_cycles < of[software].cycles); /* it has been slower */
        assert_true((double)of[software].cycles <= 1.2 * (double)of[OFF].cycles);
    }
}

static void nothing_depends_on_who_computes_or_looks_on(void **state)
{
    (void)state;
    static const struct variant {
        const char *backend;
        unsigned threads;
        int observed;
        const char *window; /* of a waveform */
    } variants[] = {{"rtl", 1, 0, NULL},
                    {"c", 3, 0, NULL},
                    {"c", 1, 1, NULL},
                    {"c", 1, 0, "3000-3200"},
                    {"lockstep", 2, 1, NULL}};
    for (unsigned software = P_DVFS; software <= F_DVFS; software++)
        for (unsigned misses = 0; misses < 2; misses++) {
            struct config c = config(software);
            c.dvfs_misses = misses;
            c.dvfs_settle = 45; /* longer than a window */
            c.dvfs_control = 4;
            c.dvfs_b4 = 0; /* for the observer */
            run(&c, 4, NULL);
            char *first = comparable(path);
            for (unsigned i = 0; i < sizeof variants / sizeof variants[0]; i++) {
                const struct variant *v = &variants[i];
                strcpy(c.run_backend, v->backend);
                c.run_threads = v->threads;
                c.run_observe = v->observed;
                run(&c, 4, v->window);
                char *other = comparable(path);
                if (strcmp(first, other))
                    fail_msg("software %u, misses %u: statistics of variant %u differ", software,
                             misses, i);
                free(other);
            }
            free(first);
        }
}

/* Each change costs its time: with longer ones as many instructions take longer, at the same clocks. */
static void a_change_takes_time(void **state)
{
    (void)state;
    struct config c = config(F_DVFS);
    c.dvfs_settle = 1;
    const struct stats_sums fast = run(&c, ROUNDS, NULL);
    c.dvfs_settle = 300;
    const struct stats_sums slow = run(&c, ROUNDS, NULL);
    assert_true(slow.cycles > fast.cycles + 300);
    assert_int_equal(slow.sm.warp_instructions, fast.sm.warp_instructions);
}

int main(void)
{
    if (!mkdtemp(directory))
        return perror(directory), 1;
    snprintf(path, sizeof path, "%s/stats.json", directory);
    snprintf(wave, sizeof wave, "%s/wave.fst", directory);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_is_kept),
        cmocka_unit_test(nothing_depends_on_who_computes_or_looks_on),
        cmocka_unit_test(a_change_takes_time),
    };
    const int result = cmocka_run_group_tests_name("tb/gpu/dvfs", tests, NULL, NULL);
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command) ? 1 : result;
}
