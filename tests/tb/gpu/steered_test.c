/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/steered_test.c: what units of an SM may steer, and none of the library's does: the
 * arbiter's policy, the classes that may issue, the warps that may load. Here all change at random,
 * in lockstep and observed, while blocks of different lengths come and go, so that slot numbers say
 * nothing about age. */
#include <stdlib.h>

#include "cmodel/wia/wia.h"
#include "tb/sm/sm_state.h"
#include "tests/tb/gpu/bench.h"

#define THREADS 96
#define BLOCKS  (12 * NUM_SMS)
#define ROUNDS  3 /* and 4 more in every third block */

/* Each round: an atomic add of memory, which returns; a product; a word of shared memory that
 * another thread has written before a barrier; a division, for the SFU. */
static const char kernel[] = PTX_HEADER
    ".entry mixed(.param .u64 base)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<12>; .reg .b64 %d<4>; .shared .b32 sh[96];\n"
    "mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;\n"
    "mad.lo.u32 %r3, %r0, %r1, %r2; ld.param.u64 %d0, [base]; mul.wide.u32 %d1, %r3, 4;\n"
    "add.u64 %d0, %d0, %d1; rem.u32 %r4, %r0, 3; shl.b32 %r4, %r4, 1; add.u32 %r4, %r4, 3;\n"
    "mov.u32 %r5, sh; shl.b32 %r6, %r2, 2; add.u32 %r6, %r6, %r5;\n"
    "xor.b32 %r7, %r2, 32; min.u32 %r7, %r7, 95; shl.b32 %r7, %r7, 2; add.u32 %r7, %r7, %r5;\n"
    "mov.u32 %r8, 0;\n"
    "AGAIN: atom.global.add.u32 %r9, [%d0], 3; add.u32 %r9, %r9, %r2;\n"
    "bar.sync 0; st.shared.u32 [%r6], %r9; bar.sync 0; ld.shared.u32 %r10, [%r7];\n"
    "div.u32 %r10, %r10, 3; add.u32 %r8, %r8, %r10;\n"
    "sub.u32 %r4, %r4, 1; setp.gt.u32 %p0, %r4, 0; @%p0 bra AGAIN;\n"
    "st.global.u32 [%d0], %r8;\nret;\n}\n";

static uint32_t expected(uint32_t block, uint32_t thread)
{
    const uint32_t other = (thread ^ 32) < THREADS - 1 ? thread ^ 32 : THREADS - 1;
    uint32_t sum = 0;
    for (uint32_t round = 0; round < 3 + 2 * (block % 3); round++)
        sum += (3 * round + other) / 3;
    return sum;
}

static struct gpu *steered;
static struct {
    uint64_t policies[5], grants; /* grants under each */
    uint64_t classes, loads;      /* cycles in which a ready warp was withheld, by what */
    uint64_t out_of_order;        /* grants while slot numbers were not ages */
} seen;

static uint64_t noise(unsigned bits)
{
    return bits == 64 ? noise(32) << 32 | noise(32) : (uint64_t)random() & ~(~UINT64_C(0) << bits);
}

static struct controls choose(void)
{
    struct controls c;
    memset(&c, 0xff, sizeof c);
    c.policy = noise(3) < 5 ? noise(10) % 5 : NO_CHOICE;
    c.allow_class = noise(1) ? noise(4) : 15;
    c.allow_load = noise(1) ? noise(64) : UINT64_MAX;
    return c;
}

static void note(const struct scheduler *sc)
{
    const struct wia_in *in = sc->rack.plugs[0].in;
    const struct wia_out *out = sc->rack.plugs[0].out;
    const struct wia_state *state = plug_state(&sc->rack.plugs[0]);
    const uint64_t withheld[] = {in->ready_sp, in->ready_sfu, in->ready_gmem, in->ready_stcmem};
    for (unsigned i = 0; i < 4; i++)
        seen.classes += withheld[i] && !(in->allow_class >> i & 1);
    seen.loads += (in->ready_gmem & in->load & ~in->allow_load) != 0;
    if (!out->grant_valid)
        return;
    seen.grants++;
    seen.policies[in->policy]++;
    for (unsigned pair = 0; pair < NUM_WARPS * (NUM_WARPS - 1) / 2; pair++)
        if (!bit_get(state->order, pair)) {
            seen.out_of_order++;
            break;
        }
}

/* At the end of each cycle: looks at what the schedulers of all SMs did, and steers the next one,
 * as a unit of the SM would. */
static void steer(void *context, uint64_t cycle)
{
    (void)context, (void)cycle;
    for (unsigned i = 0; i < NUM_SMS * NUM_SCHEDULERS; i++) {
        struct sm *sm = steered->sms[i / NUM_SCHEDULERS];
        struct scheduler *sc = &sm->schedulers[i % NUM_SCHEDULERS];
        note(sc);
        issue_touch(sm, sc, 0);
        sm->controls[i % NUM_SCHEDULERS] = choose();
    }
}

static void units_and_machine_agree_whatever_is_steered(void **state)
{
    struct config c = test_config();
    struct bench b;
    (void)state;
    strcpy(c.run_backend, "lockstep");
    strcpy(c.run_sched, "tl"); /* never QUIET: any other policy may be chosen (socket.h) */
    c.run_observe = 1;
    c.sm_max_blocks = SM_BLOCKS;
    bench_open(&b, &c, kernel, NULL);
    const uint64_t base = bench_buffer(&b, BLOCKS * THREADS);
    memset(bench_words(&b, base), 0, BLOCKS * THREADS * 4);
    steered = b.gpu;
    b.gpu->probe = steer;
    srandom(1);
    bench_param(&b, base);
    bench_time(&b, "mixed", BLOCKS, THREADS);
    for (uint32_t i = 0; i < BLOCKS * THREADS; i++)
        assert_int_equal(bench_words(&b, base)[i], expected(i / THREADS, i % THREADS));
    bench_close(&b);
    for (unsigned p = 0; p < 5; p++)
        assert_true(seen.policies[p] > seen.grants / 20);
    assert_true(seen.classes > 100 && seen.loads > 100);
    assert_true(seen.out_of_order > seen.grants / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_and_machine_agree_whatever_is_steered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
