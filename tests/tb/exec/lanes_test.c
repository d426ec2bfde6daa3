/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/lanes_test.c: tests tb/exec/lanes.c: shuffles, votes, matches and reductions
 * against the PTX ISA's pseudo-code, on random operands and under many masks; and who is waited
 * for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"
#include "tests/tb/ptx/ptx_support.h"

/* The operands of 32 lanes, and the results. `p` and `q` are predicates, one bit for each lane. */
struct lanes {
    uint64_t a[32];
    uint32_t b[32], c[32], p, active;
    uint32_t d[32], q;
};

typedef void expect_fn(struct lanes *);

static int is_active(const struct lanes *l, int lane)
{
    return l->active >> lane & 1;
}

/* PTX ISA, "shfl", with its names. */
static void shuffle(struct lanes *l, char mode)
{
    l->q = 0;
    for (int lane = 0; lane < 32; lane++) {
        const int bval = l->b[lane] & 0x1f, cval = l->c[lane] & 0x1f;
        const int mask = l->c[lane] >> 8 & 0x1f;
        const int max_lane = (lane & mask) | (cval & ~mask), min_lane = lane & mask;
        int j = 0, pval = 0;
        switch (mode) {
        case 'u':
            j = lane - bval;
            pval = j >= max_lane;
            break;
        case 'd':
            j = lane + bval;
            pval = j <= max_lane;
            break;
        case 'b':
            j = lane ^ bval;
            pval = j <= max_lane;
            break;
        case 'i':
            j = min_lane | (bval & ~mask);
            pval = j <= max_lane;
            break;
        }
        l->d[lane] = (uint32_t)l->a[pval ? j : lane];
        l->q |= (uint32_t)pval << lane;
    }
}

static void up(struct lanes *l)
{
    shuffle(l, 'u');
}
static void down(struct lanes *l)
{
    shuffle(l, 'd');
}
static void butterfly(struct lanes *l)
{
    shuffle(l, 'b');
}
static void indexed(struct lanes *l)
{
    shuffle(l, 'i');
}

/* How many active lanes say yes, and no. */
static void count(const struct lanes *l, int *yes, int *no)
{
    *yes = *no = 0;
    for (int lane = 0; lane < 32; lane++) {
        *yes += is_active(l, lane) && (l->p >> lane & 1);
        *no += is_active(l, lane) && !(l->p >> lane & 1);
    }
}

static void all(struct lanes *l)
{
    int yes, no;
    count(l, &yes, &no);
    l->q = no == 0 ? ~0u : 0;
}
static void any(struct lanes *l)
{
    int yes, no;
    count(l, &yes, &no);
    l->q = yes > 0 ? ~0u : 0;
}
static void none(struct lanes *l) /* vote.any with !p */
{
    int yes, no;
    count(l, &yes, &no);
    l->q = no > 0 ? ~0u : 0;
}
static void uniform(struct lanes *l)
{
    int yes, no;
    count(l, &yes, &no);
    l->q = yes == 0 || no == 0 ? ~0u : 0;
}
static void give(struct lanes *l, uint32_t value)
{
    for (int lane = 0; lane < 32; lane++)
        l->d[lane] = value;
}
static void ballot(struct lanes *l)
{
    uint32_t result = 0;
    for (int lane = 0; lane < 32; lane++)
        if (is_active(l, lane) && l->p >> lane & 1)
            result += 1u << lane;
    give(l, result);
}
static void ballot_of_true(struct lanes *l)
{
    give(l, l->active);
}
static void active(struct lanes *l)
{
    give(l, l->active);
}

/* The lanes that have the value of `lane`. */
static uint32_t like(const struct lanes *l, int lane, uint64_t bits)
{
    uint32_t result = 0;
    for (int k = 0; k < 32; k++)
        if (is_active(l, k) && ((l->a[k] ^ l->a[lane]) & bits) == 0)
            result += 1u << k;
    return result;
}
static void match_any(struct lanes *l)
{
    for (int lane = 0; lane < 32; lane++)
        l->d[lane] = like(l, lane, 0xffffffff);
}
static void match_any_64(struct lanes *l)
{
    for (int lane = 0; lane < 32; lane++)
        l->d[lane] = like(l, lane, ~0ull);
}
static void match_every(struct lanes *l, uint64_t bits)
{
    l->q = ~0u;
    for (int lane = 0; lane < 32; lane++)
        if (is_active(l, lane) && like(l, lane, bits) != l->active)
            l->q = 0;
    give(l, l->q ? l->active : 0);
}
static void match_all(struct lanes *l)
{
    match_every(l, 0xffffffff);
}
static void match_all_64(struct lanes *l)
{
    match_every(l, ~0ull);
}

#define REDUCTION(name, type, first, expression)                                                   \
    static void name(struct lanes *l)                                                              \
    {                                                                                              \
        type sum = first;                                                                          \
        for (int lane = 31; lane >= 0; lane--) {                                                   \
            const type x = (type)l->a[lane];                                                       \
            if (is_active(l, lane))                                                                \
                sum = (type)(expression);                                                          \
        }                                                                                          \
        give(l, (uint32_t)sum);                                                                    \
    }
REDUCTION(sum_all, uint32_t, 0, sum + x)
REDUCTION(and_all, uint32_t, ~0u, sum &x)
REDUCTION(or_all, uint32_t, 0, sum | x)
REDUCTION(xor_all, uint32_t, 0, sum ^ x)
REDUCTION(least, uint32_t, ~0u, x < sum ? x : sum)
REDUCTION(most, uint32_t, 0, x > sum ? x : sum)
REDUCTION(least_signed, int32_t, 0x7fffffff, x < sum ? x : sum)
REDUCTION(most_signed, int32_t, -0x7fffffff - 1, x > sum ? x : sum)

/* d is in %r0, q in %p0; a in %r1 or %d1, b %r2, c %r3, the members %r4, p %p1. Results that the
 * row does not have keep their old values. */
static const struct {
    const char *text;
    expect_fn *expect;
    const char *results; /* of d and q */
} rows[] = {
    {"shfl.up.b32 %r0|%p0, %r1, %r2, %r3", up, "dq"},
    {"shfl.down.b32 %r0|%p0, %r1, %r2, %r3", down, "dq"},
    {"shfl.bfly.b32 %r0|%p0, %r1, %r2, %r3", butterfly, "dq"},
    {"shfl.idx.b32 %r0|%p0, %r1, %r2, %r3", indexed, "dq"},
    {"shfl.sync.up.b32 %r0|%p0, %r1, %r2, %r3, %r4", up, "dq"},
    {"shfl.sync.down.b32 %r0, %r1, %r2, %r3, %r4", down, "d"},
    {"shfl.sync.bfly.b32 %r0, %r1, %r2, %r3, -1", butterfly, "d"},
    {"shfl.sync.idx.b32 %r0|%p0, %r1, %r2, %r3, %r4", indexed, "dq"},
    {"vote.all.pred %p0, %p1", all, "q"},
    {"vote.any.pred %p0, %p1", any, "q"},
    {"vote.uni.pred %p0, %p1", uniform, "q"},
    {"vote.ballot.b32 %r0, %p1", ballot, "d"},
    {"vote.sync.all.pred %p0, %p1, %r4", all, "q"},
    {"vote.sync.any.pred %p0, !%p1, %r4", none, "q"},
    {"vote.sync.uni.pred %p0, %p1, %r4", uniform, "q"},
    {"vote.sync.ballot.b32 %r0, %p1, %r4", ballot, "d"},
    {"vote.sync.ballot.b32 %r0, 1, %r4", ballot_of_true, "d"},
    {"activemask.b32 %r0", active, "d"},
    {"match.any.sync.b32 %r0, %r1, %r4", match_any, "d"},
    {"match.any.sync.b64 %r0, %d1, %r4", match_any_64, "d"},
    {"match.all.sync.b32 %r0, %r1, %r4", match_all, "d"},
    {"match.all.sync.b32 %r0|%p0, %r1, %r4", match_all, "dq"},
    {"match.all.sync.b64 %r0|%p0, %d1, %r4", match_all_64, "dq"},
    {"redux.sync.add.u32 %r0, %r1, %r4", sum_all, "d"},
    {"redux.sync.add.s32 %r0, %r1, %r4", sum_all, "d"},
    {"redux.sync.and.b32 %r0, %r1, %r4", and_all, "d"},
    {"redux.sync.or.b32 %r0, %r1, %r4", or_all, "d"},
    {"redux.sync.xor.b32 %r0, %r1, %r4", xor_all, "d"},
    {"redux.sync.min.u32 %r0, %r1, %r4", least, "d"},
    {"redux.sync.max.u32 %r0, %r1, %r4", most, "d"},
    {"redux.sync.min.s32 %r0, %r1, %r4", least_signed, "d"},
    {"redux.sync.max.s32 %r0, %r1, %r4", most_signed, "d"},
    {"bar.warp.sync %r4", active, ""},
    /* What is written is also read. */
    {"shfl.sync.up.b32 %r1, %r1, %r2, %r3, %r4", up, "a"},
    {"shfl.bfly.b32 %r2, %r1, %r2, %r3", butterfly, "b"},
    {"shfl.idx.b32 %r3|%p1, %r1, %r2, %r3", indexed, "cp"},
    {"vote.sync.all.pred %p1, %p1, %r4", all, "p"},
    {"match.any.sync.b32 %r1, %r1, %r4", match_any, "a"},
    {"redux.sync.add.u32 %r1, %r1, %r4", sum_all, "a"},
};

/* Instructions that show where registers lie: %r0 to %r4, %d1, %p0, %p1. */
static const char shown[] = "mov.b32 %r0, 0; mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0;\n"
                            "mov.b32 %r4, 0; mov.b64 %d1, 0; mov.pred %p0, 0; mov.pred %p1, 0;\n";
enum { R0, R1, R2, R3, R4, D1, P0, P1, TESTED };

static uint32_t *place(const struct stepped *s, int index)
{
    return (uint32_t *)(s->warp.regs + s->kernel->uops[index].dst[0]);
}

static void fill(const struct stepped *s, struct lanes *l, uint32_t *random, uint32_t members)
{
    uint64_t wide[32];
    const uint32_t few = random_next(random) % 3 == 0 ? 1 : random_next(random) % 2 ? 3 : ~0u;
    for (int lane = 0; lane < 32; lane++) {
        l->a[lane] = random_next(random) & few;
        l->a[lane] |= (uint64_t)(random_next(random) & few & 1) << 32;
        l->b[lane] = random_next(random) >> random_next(random) % 32;
        l->c[lane] = random_next(random) & (random_next(random) % 2 ? 0x1f1f : ~0u);
        l->d[lane] = random_next(random);
        wide[lane] = l->a[lane];
        place(s, R0)[lane] = l->d[lane];
        place(s, R1)[lane] = (uint32_t)l->a[lane];
        place(s, R2)[lane] = l->b[lane];
        place(s, R3)[lane] = l->c[lane];
        place(s, R4)[lane] = members;
    }
    memcpy(place(s, D1), wide, sizeof wide);
    l->p = random_next(random) % 4 == 0 ? ~0u : random_next(random) % 4 == 0 ? 0 : *random;
    l->q = random_next(random);
    *place(s, P1) = l->p;
    *place(s, P0) = l->q;
}

/* The value of a 32-bit register or a predicate that must be there after the step. */
static void check(const char *text, const char *what, const uint32_t *got, const uint32_t *old,
                  const uint32_t *result, uint32_t active, int is_predicate)
{
    for (int lane = 0; lane < 32; lane++) {
        const int in = is_predicate ? 0 : lane, shift = is_predicate ? lane : 0;
        const uint32_t bits = is_predicate ? 1 : ~0u;
        const uint32_t expected = (active >> lane & 1 ? result[in] : old[in]) >> shift & bits;
        if ((got[in] >> shift & bits) != expected)
            fail_msg("%s: active %08x lane %d: %s %x, expected %x", text, active, lane, what,
                     got[in] >> shift & bits, expected);
    }
}

static void try(struct stepped *s, unsigned row, uint32_t active, uint32_t *random)
{
    struct lanes l = {.active = active};
    const char *text = rows[row].text, *results = rows[row].results;
    fill(s, &l, random, random_next(random) % 2 ? active : ~0u);
    const struct lanes old = l;
    uint32_t old_a[32];
    for (int lane = 0; lane < 32; lane++)
        old_a[lane] = (uint32_t)l.a[lane];
    rows[row].expect(&l);
    s->warp.pc = TESTED;
    s->warp.active = s->warp.stack[0].mask = active;
    s->warp.exited = ~active;
    if (step_once(s) != EXEC_NEXT)
        fail_msg("%s: %s", text, s->fault.message);
    check(text, "d", place(s, R0), old.d, strchr(results, 'd') ? l.d : old.d, active, 0);
    check(text, "q", place(s, P0), &old.q, strchr(results, 'q') ? &l.q : &old.q, active, 1);
    check(text, "a", place(s, R1), old_a, strchr(results, 'a') ? l.d : old_a, active, 0);
    check(text, "b", place(s, R2), old.b, strchr(results, 'b') ? l.d : old.b, active, 0);
    check(text, "c", place(s, R3), old.c, strchr(results, 'c') ? l.d : old.c, active, 0);
    check(text, "p", place(s, P1), &old.p, strchr(results, 'p') ? &l.q : &old.p, active, 1);
}

static void rows_give_what_the_isa_says(void **state)
{
    static const uint32_t masks[] = {~0u,        1,          0x80000000, 0x55555555,
                                     0xfffffffe, 0x00ff00f0, 0xffff};
    uint32_t random = 0x2545f491;
    (void)state;
    for (unsigned row = 0; row < sizeof rows / sizeof *rows; row++) {
        char body[1024];
        struct stepped s;
        snprintf(body, sizeof body, "%s%s; ret;", shown, rows[row].text);
        step_open(&s, body, 32);
        for (int round = 0; round < 400; round++)
            try(&s, row, round < 100 ? masks[round % 7] : random_next(&random) | 1u << round % 32,
                &random);
        step_close(&s);
    }
}

/* Who must be at the instruction: exited lanes need not, diverged ones are a fault. */
static void lanes_that_are_elsewhere(void **state)
{
    static const struct {
        uint32_t members, active, exited;
        const char *message; /* the end of it; NULL: goes on */
    } cases[] = {
        {~0u, ~0u, 0, NULL},
        {~0u, 0xffff, 0xffff0000, NULL},
        {0xf0f, 0xf0f, 0, NULL},
        {~0u, 0xffff, 0,
         "lanes 0xffff0000 of the mask 0xffffffff are elsewhere and cannot be waited for"},
        {0x30001, 1, 0x10000,
         "lanes 0x20000 of the mask 0x30001 are elsewhere and cannot be waited for"},
        {0x1, 0x3, ~3u,
         "lane 1 block (0,0,0) thread (1,0,0): the lane mask 0x1 is without this "
         "lane"},
    };
    static const char *const texts[] = {"shfl.sync.idx.b32 %r0, %r1, 0, 31, %r4",
                                        "vote.sync.any.pred %p0, %p1, %r4",
                                        "vote.sync.ballot.b32 %r0, %p1, %r4",
                                        "match.any.sync.b32 %r0, %r1, %r4",
                                        "match.all.sync.b64 %r0, %d1, %r4",
                                        "redux.sync.or.b32 %r0, %r1, %r4",
                                        "bar.warp.sync %r4"};
    (void)state;
    for (unsigned t = 0; t < sizeof texts / sizeof *texts; t++)
        for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
            char body[1024];
            struct stepped s;
            snprintf(body, sizeof body, "%s%s; ret;", shown, texts[t]);
            step_open(&s, body, 32);
            for (int lane = 0; lane < 32; lane++)
                place(&s, R4)[lane] = cases[i].members;
            s.warp.pc = TESTED;
            s.warp.active = s.warp.stack[0].mask = cases[i].active;
            s.warp.exited = cases[i].exited;
            const enum exec_status status = step_once(&s);
            assert_int_equal(status, cases[i].message ? EXEC_FAULT : EXEC_NEXT);
            if (cases[i].message) {
                const size_t skip = strlen(s.fault.message) - strlen(cases[i].message);
                assert_string_equal(s.fault.message + skip, cases[i].message);
            }
            step_close(&s);
        }
}

/* Lanes of one meeting must name the same lanes. */
static void masks_that_differ(void **state)
{
    struct stepped s;
    (void)state;
    step_open(&s, "mov.u32 %r1, %laneid; shfl.sync.idx.b32 %r0, %r1, 0, 31, %r1; ret;", 32);
    assert_int_equal(step_once(&s), EXEC_NEXT);
    assert_int_equal(step_once(&s), EXEC_FAULT);
    assert_non_null(strstr(s.fault.message, "the lane mask is 0x1; lane 0 has 0x0"));
    step_close(&s);
}

/* The masks that compare with the own lane, as operands of any instruction. */
static void lanemasks(void **state)
{
    static const struct {
        const char *name;
        uint32_t at[3]; /* lanes 0, 5, 31 */
    } table[] = {
        {"eq", {1, 0x20, 0x80000000}},       {"le", {1, 0x3f, 0xffffffff}},
        {"lt", {0, 0x1f, 0x7fffffff}},       {"ge", {0xffffffff, 0xffffffe0, 0x80000000}},
        {"gt", {0xfffffffe, 0xffffffc0, 0}},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        char body[256];
        struct stepped s;
        snprintf(body, sizeof body,
                 "mov.u32 %%r1, %%lanemask_%s; and.b32 %%r2, %%lanemask_%s, 0xffffffff;"
                 "cvt.u64.u32 %%d1, %%lanemask_%s; ret;",
                 table[i].name, table[i].name, table[i].name);
        step_open(&s, body, 32);
        for (int n = 0; n < 3; n++)
            assert_int_equal(step_once(&s), EXEC_NEXT);
        static const int lanes[] = {0, 5, 31};
        for (int k = 0; k < 3; k++) {
            assert_int_equal(written(&s, 0)[lanes[k]], table[i].at[k]);
            assert_int_equal(written(&s, 1)[lanes[k]], table[i].at[k]);
            assert_int_equal(written(&s, 2)[2 * lanes[k]], table[i].at[k]);
        }
        step_close(&s);
    }
}

/* The sum of a warp by halves, and what each lane must add to find its place: as compilers write
 * them. */
static void warp_programs(void **state)
{
    static const char body[] =
        "mov.u32 %r1, %laneid; mul.lo.u32 %r1, %r1, %r1; mov.b32 %r2, %r1;\n"
        "shfl.sync.down.b32 %r3, %r2, 16, 31, -1; add.u32 %r2, %r2, %r3;\n"
        "shfl.sync.down.b32 %r3, %r2, 8, 31, -1; add.u32 %r2, %r2, %r3;\n"
        "shfl.sync.down.b32 %r3, %r2, 4, 31, -1; add.u32 %r2, %r2, %r3;\n"
        "shfl.sync.down.b32 %r3, %r2, 2, 31, -1; add.u32 %r2, %r2, %r3;\n"
        "shfl.sync.down.b32 %r3, %r2, 1, 31, -1; add.u32 %r2, %r2, %r3;\n"
        "rem.u32 %r4, %r1, 3; setp.eq.u32 %p1, %r4, 0;\n"
        "vote.sync.ballot.b32 %r5, %p1, -1; and.b32 %r5, %r5, %lanemask_lt; popc.b32 %r6, %r5;\n"
        "ret;";
    struct stepped s;
    enum exec_status status;
    (void)state;
    step_open(&s, body, 32);
    step_to_end(&s, &status);
    assert_int_equal(status, EXEC_DONE);
    assert_int_equal(written(&s, 2)[0], 31 * 32 * 63 / 6);
    for (uint32_t lane = 0, before = 0; lane < 32; lane++) {
        assert_int_equal(written(&s, 17)[lane], before);
        before += lane * lane % 3 == 0;
    }
    step_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_give_what_the_isa_says),
        cmocka_unit_test(lanes_that_are_elsewhere),
        cmocka_unit_test(masks_that_differ),
        cmocka_unit_test(lanemasks),
        cmocka_unit_test(warp_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
