/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/liveness_test.c: register pressure, by hand and on random programs, against a plain
 * restatement: a register is live before an instruction if some way leads from there to a read,
 * without a write before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/tb/ptx/ptx_support.h"

#define MAX_UOPS 64

static int lists(const uint16_t *list, uint32_t count, uint32_t number)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == number)
            return 1;
    return 0;
}

/* Searches forwards, every instruction once. */
static int is_live(const struct ptx_kernel *k, uint32_t number, uint32_t at, uint8_t *seen)
{
    if (at == k->num_uops || seen[at])
        return 0;
    seen[at] = 1;
    const struct uop *u = &k->uops[at];
    if (lists(u->reads, u->num_reads, number))
        return 1;
    if (lists(u->writes, u->num_writes, number) && u->guard == UOP_NONE)
        return 0;
    uint32_t to[MOST_FOLLOWERS], count = program_followers(k, at, to);
    for (uint32_t i = 0; i < count; i++)
        if (is_live(k, number, to[i], seen))
            return 1;
    return 0;
}

/* units[number] is how many 32-bit registers it takes. */
static uint32_t plain_pressure(const struct ptx_kernel *k, const uint8_t *units)
{
    uint32_t most = 1;
    for (uint32_t at = 0; at < k->num_uops; at++) {
        const struct uop *u = &k->uops[at];
        uint32_t before = 0, after = 0;
        for (uint32_t number = NUM_SPECIALS; number < k->num_regs; number++) {
            uint8_t seen[MAX_UOPS] = {0}, seen_next[MAX_UOPS] = {0};
            before += is_live(k, number, at, seen) ? units[number] : 0;
            if (u->num_writes &&
                (lists(u->writes, u->num_writes, number) || is_live(k, number, at + 1, seen_next)))
                after += units[number];
        }
        most = before > most ? before : most;
        most = after > most ? after : most;
    }
    return most;
}

/* The width of each register, from the instructions that use it: a 64-bit place is followed by
 * nothing for 256 bytes. */
static void find_units(const struct ptx_kernel *k, uint8_t *units, const uint32_t *offsets)
{
    for (uint32_t a = NUM_SPECIALS; a < k->num_regs; a++) {
        uint32_t next = k->reg_bytes;
        for (uint32_t b = NUM_SPECIALS; b < k->num_regs; b++)
            if (offsets[b] > offsets[a] && offsets[b] < next)
                next = offsets[b];
        uint32_t bytes = next - offsets[a];
        units[a] = bytes >= 256 ? 2 : bytes >= 128 ? 1 : 0;
    }
}

static uint32_t pressure_of(const char *statements)
{
    struct ptx_module *m = body_parse(statements);
    uint32_t pressure = m->kernels[0].regs_per_thread;
    ptx_free(m);
    return pressure;
}

static void pressure_by_hand(void **unused)
{
    (void)unused;
    assert_int_equal(pressure_of("ret;"), 1);
    assert_int_equal(
        pressure_of("mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.x; add.s32 %r3, %r1, %r2;"), 2);
    assert_int_equal(
        pressure_of("ld.global.u64 %d1, [64]; mov.u32 %r2, %tid.x; st.global.u32 [%d1], %r2;"), 3);
    assert_int_equal(pressure_of("ld.global.u16 %h1, [64]; ld.global.u16 %h2, [64]; ld.global.u16 "
                                 "%h3, [64]; mad.lo.u16 %h4, %h1, %h2, %h3;"),
                     3);
    /* predicates are free */
    assert_int_equal(
        pressure_of(
            "setp.eq.u32 %p1, %tid.x, 1; setp.eq.u32 %p2, %tid.x, 2; and.pred %p1, %p1, %p2;"),
        1);
    /* results that nobody reads still need a place */
    assert_int_equal(
        pressure_of(
            "mov.u32 %r1, %tid.x; ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [64]; mov.u32 %r6, %r1;"),
        5);
    /* a guarded write keeps the old value alive, a plain one does not */
    assert_int_equal(
        pressure_of(
            "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.x; @%p1 mov.u32 %r1, %r2; mov.u32 %r3, %r1;"),
        2);
    assert_int_equal(
        pressure_of(
            "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.x; mov.u32 %r1, %r2; mov.u32 %r3, %r1;"),
        1);
    assert_int_equal(pressure_of("mov.u32 %r2, %tid.x; @%p1 mov.u32 %r1, %r2; mov.u32 %r3, %r1;"),
                     2);
    assert_int_equal(pressure_of("mov.u32 %r2, %tid.x; mov.u32 %r1, %r2; mov.u32 %r3, %r1;"), 1);
    /* alive round the loop */
    assert_int_equal(pressure_of("ld.global.u64 %d1, [64]; mov.u32 %r1, %tid.x; L: mov.u32 %r2, "
                                 "%tid.x; st.global.u32 [%d1], %r2;"
                                 "setp.eq.u32 %p1, %r1, 3; @%p1 bra L;"),
                     4);
}

/* Numbers, parameters, addresses and copies of these take no register, where they are made once, and
 * always. */
static void constants_of_the_launch_are_free(void **unused)
{
    (void)unused;
    assert_int_equal(
        pressure_of("mov.u32 %r1, 1; add.u32 %r2, %r1, %tid.x; add.u32 %r3, %r1, %r2;"), 1);
    assert_int_equal(
        pressure_of("ld.param.u64 %d1, [a]; cvta.to.global.u64 %d2, %d1; mov.u64 %d3, %d2;"
                    "mov.u64 %d4, g; ld.global.u32 %r1, [%d3]; st.global.u32 [%d4], %r1;"
                    "ld.param.v2.u32 {%r2, %r3}, [s]; st.global.u32 [%d3], %r2;"
                    "st.global.u32 [%d3], %r3;"),
        1);
    /* not: made twice, or not in all lanes, or read before */
    assert_int_equal(pressure_of("mov.u32 %r1, 1; mov.u32 %r1, 2; mov.u32 %r2, %r1;"), 1);
    assert_int_equal(pressure_of("mov.u32 %r1, 1; mov.u32 %r2, %tid.x; mov.u32 %r1, 2; "
                                 "add.u32 %r2, %r2, %r1;"),
                     2);
    assert_int_equal(
        pressure_of("mov.u32 %r2, %tid.x; @%p1 mov.u32 %r1, 1; add.u32 %r2, %r2, %r1;"), 2);
    assert_int_equal(pressure_of("bra M; L: mov.u32 %r1, 1; M: mov.u32 %r2, %tid.x; "
                                 "add.u32 %r2, %r2, %r1; setp.eq.u32 %p1, %r2, 3; @%p1 bra L;"),
                     2);
    /* nor what an address in a register reads, nor arithmetic */
    assert_int_equal(pressure_of("mov.u64 %d1, a; ld.param.u32 %r1, [%d1]; mov.u32 %r2, %tid.x;"
                                 "add.u32 %r2, %r2, %r1;"),
                     2);
}

static void random_programs_agree_with_the_restatement(void **unused)
{
    (void)unused;
    uint32_t state = 20240607;
    for (int round = 0; round < 2000; round++) {
        char *text = program_random(&state);
        struct ptx_module *m = body_parse(text);
        const struct ptx_kernel *k = &m->kernels[0];
        uint8_t units[32];
        uint32_t offsets[32] = {0};
        for (uint32_t i = 0; i < 6; i++) {
            offsets[NUM_SPECIALS + i] = k->uops[i].dst[0];
            assert_int_equal(k->uops[i].writes[0], NUM_SPECIALS + i);
        }
        for (uint32_t i = 6; i < k->num_uops; i++)
            if (k->uops[i].guard != UOP_NONE)
                offsets[NUM_SPECIALS + 6] = k->uops[i].guard;
        find_units(k, units, offsets);
        units[NUM_SPECIALS + 6] = 0;       /* %p1 */
        for (uint32_t i = 0; i < 6; i++) { /* what keeps its first value is a constant */
            uint32_t writes = 0;
            uint8_t seen[MAX_UOPS] = {0};
            for (uint32_t at = 0; at < k->num_uops; at++)
                writes +=
                    (uint32_t)lists(k->uops[at].writes, k->uops[at].num_writes, NUM_SPECIALS + i);
            if (writes == 1 && !is_live(k, NUM_SPECIALS + i, 0, seen))
                units[NUM_SPECIALS + i] = 0;
        }
        assert_int_equal(k->regs_per_thread, plain_pressure(k, units));
        ptx_free(m);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pressure_by_hand),
        cmocka_unit_test(constants_of_the_launch_are_free),
        cmocka_unit_test(random_programs_agree_with_the_restatement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
