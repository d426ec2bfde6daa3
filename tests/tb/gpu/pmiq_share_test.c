/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/pmiq_share_test.c: shares of memory accesses in the machine (thesis 9.6): of two kernels whose loads touch many lines that
 * L1D has, the one with the larger share is the faster one. */
#include "tb/sm/sm_state.h"
#include "tests/tb/gpu/pair.h"

/* In each turn a lane loads from a line of its own, which all warps share. */
static const char text[] =
    PTX_HEADER ".visible .entry scatters(.param .u64 out, .param .u64 turns)\n{\n"
               ".reg .b32 %r<12>;\n.reg .b64 %rd<8>;\n.reg .pred %p<2>;\n"
               "ld.param.u64 %rd0, [out];\nld.param.u64 %rd1, [turns];\n"
               "mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ntid.x;\nmov.u32 %r2, %tid.x;\n"
               "mad.lo.s32 %r3, %r0, %r1, %r2;\nmov.u32 %r4, 0;\ncvt.u32.u64 %r5, %rd1;\n"
               "mul.wide.u32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd0, %rd2;\n"
               "mov.u32 %r6, %nctaid.x;\nmul.lo.u32 %r6, %r6, %r1;\nmul.wide.u32 %rd4, %r6, 4;\n"
               "add.s64 %rd4, %rd0, %rd4;\n"
               "and.b32 %r7, %r2, 31;\nmul.wide.u32 %rd5, %r7, 128;\nadd.s64 %rd4, %rd4, %rd5;\n"
               "AGAIN:\nld.global.u32 %r9, [%rd4];\nadd.s32 %r4, %r4, %r9;\n"
               "add.s32 %r4, %r4, %r5;\nadd.s32 %r5, %r5, -1;\n"
               "setp.ne.s32 %p0, %r5, 0;\n@%p0 bra AGAIN;\nst.global.u32 [%rd3], %r4;\nret;\n}\n";

#define MOST 100
static const struct one scatters = {
    .kernel = "scatters", .blocks = 2 * NUM_SMS, .turns = 40, .more = 32 * 128};

static struct config with_shares(unsigned share_0, unsigned share_1)
{
    struct config c = pair_config("kmu");
    c.pmiq_block = 1;
    c.pmiq_share_0 = share_0;
    c.pmiq_share_1 = share_1;
    c.kmu_blocks_0 = c.kmu_blocks_1 = 2;
    c.l1d_sets = 64;
    return c;
}

/* Loads of each kernel that began on SM 0 until one of both had begun most of its own. */
static struct {
    uint64_t kernel_of[NUM_SLOTS], loads[NUM_KERNELS];
} watch;

static void hear(void *context, const struct event *e)
{
    (void)context;
    if (e->kind == EVENT_enqueue)
        watch.kernel_of[e->of.enqueue.warp] = e->of.enqueue.kernel;
    else if (watch.loads[0] < MOST && watch.loads[1] < MOST)
        watch.loads[watch.kernel_of[e->of.access.warp]]++;
}

static void run(const struct config *c, struct one *first, struct one *second)
{
    struct bench b;
    struct listener guest = {.hears = HEARS(enqueue) | HEARS(access), .hear = hear};
    *first = *second = scatters;
    memset(&watch, 0, sizeof watch);
    pair_open(&b, c, text, first, second);
    sm_listen(b.gpu->sms[0], &guest);
    pair_run(&b, first, second);
    pair_check(&b, first);
    pair_check(&b, second);
    bench_close(&b);
}

static uint64_t took(const struct one *o)
{
    return o->result.end_cycle - o->result.start_cycle;
}

/* Its part of the loads is near its share, and the larger it is the sooner the kernel is through. */
static void the_larger_share_is_faster(void **unused)
{
    (void)unused;
    static const unsigned shares[][2] = {{9, 1}, {3, 1}, {1, 1}, {1, 3}, {1, 9}};
    uint64_t part = 0, cycles = UINT64_MAX;
    for (unsigned i = 0; i < 5; i++) {
        const struct config c = with_shares(shares[i][0], shares[i][1]);
        struct one first, second;
        run(&c, &first, &second);
        const uint64_t is = 1000 * watch.loads[1] / (watch.loads[0] + watch.loads[1]);
        const uint64_t share = 1000 * shares[i][1] / (shares[i][0] + shares[i][1]);
        assert_in_range(is, share - 100, share + 100); /* now and then only one can go */
        assert_true(is > part);
        assert_true(took(&second) < cycles);
        part = is;
        cycles = took(&second);
    }
}

/* Equal shares are none; and whoever computes, and whether it is observed, the cycles are the same. */
static void the_same_whoever_computes(void **unused)
{
    (void)unused;
    static const char *const backends[] = {"c", "rtl", "lockstep"};
    for (unsigned unequal = 0; unequal < 2; unequal++) {
        uint64_t cycles = 0;
        for (unsigned i = 0; i < 6; i++) {
            struct config c =
                unequal ? with_shares(2, 5) : with_shares(1 + 7 * (i / 3), 1 + 7 * (i / 3));
            struct one first, second;
            snprintf(c.run_backend, sizeof c.run_backend, "%s", backends[i % 3]);
            c.run_observe = i / 3;
            run(&c, &first, &second);
            cycles = i ? cycles : took(&second);
            assert_int_equal(took(&second), cycles);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_larger_share_is_faster),
        cmocka_unit_test(the_same_whoever_computes),
    };
    return cmocka_run_group_tests_name("tb/gpu/pmiq_share", tests, NULL, NULL);
}
