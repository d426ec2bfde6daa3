/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/icmt/icmt_test.c: the C reference against the thesis's rules, restated as plainly as
 * they are written: ages are birth dates, and who goes before whom is a comparison of two warps.
 * Nothing is shared with icmt.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/icmt/icmt.h"
#include "cosim/stimulus.h"

void icmt_stimulus(struct stimulus *, void *);

#define NOBODY (-1)

/* The rules' own memory. */
struct plain {
    long born[NUM_WARPS]; /* date of assignment; at reset warp i was born before warp i + 1 */
    long date;
    int greedy_on[2]; /* whom GTO would go on with in each kernel, or NOBODY */
    int had[2];       /* the same, tenants forgotten; 0 at first */
    int priority;     /* the kernel that has it */
    int slighted;     /* the class passed over last */
};

/* What is to come of a cycle. */
struct plain_grants {
    int warp[3]; /* by class, or NOBODY */
    int leader, lead;
    int passed; /* class, or NOBODY */
};

static void plain_reset(struct plain *p)
{
    *p = (struct plain){.date = NUM_WARPS, .greedy_on = {NOBODY, NOBODY}};
    for (int w = 0; w < NUM_WARPS; w++)
        p->born[w] = w;
}

static int has(uint64_t set, int warp)
{
    return (int)(set >> warp & 1);
}

/* May this warp issue to this class? */
static int eligible(const struct icmt_in *in, int w, int class)
{
    if (!has(in->allow, w))
        return 0;
    if (class == 0)
        return has(in->ready_sp, w) && has(in->allow_class, 0);
    if (class == 1)
        return has(in->ready_sfu, w) && has(in->allow_class, 1);
    const int throttled = has(in->load, w) && !has(in->allow_load, w);
    return (has(in->ready_gmem, w) && has(in->allow_class, 2) && !throttled) ||
           (has(in->ready_stcmem, w) && has(in->allow_class, 3));
}

/* Does warp a go before warp b? */
static int before(const struct plain *p, const struct icmt_in *in, int a, int b)
{
    const int of_a = has(in->kernel_1, a), of_b = has(in->kernel_1, b);
    if (of_a != of_b)
        return of_a == p->priority;
    if ((a == p->greedy_on[of_a]) != (b == p->greedy_on[of_b]))
        return a == p->greedy_on[of_a];
    return p->born[a] < p->born[b];
}

/* Who goes before all others of those that may issue to a class, from `from` to `to`. */
static int foremost(const struct plain *p, const struct icmt_in *in, int from, int to)
{
    int best = NOBODY;
    for (int class = from; class <= to; class ++)
        for (int w = 0; w < NUM_WARPS; w++)
            if (eligible(in, w, class) && (best == NOBODY || before(p, in, w, best)))
                best = w;
    return best;
}

static struct plain_grants plain_grants(const struct plain *p, const struct icmt_in *in)
{
    struct plain_grants g = {{NOBODY, NOBODY, NOBODY}, NOBODY, NOBODY, NOBODY};
    int left = (int)in->issue;
    g.leader = foremost(p, in, 0, 2);
    if (g.leader == NOBODY)
        return g;
    for (g.lead = 0; !eligible(in, g.leader, g.lead);)
        g.lead++;
    /* The leader's class, then the one that was passed over last and those behind it. */
    int turns[4] = {g.lead, p->slighted, (p->slighted + 1) % 3, (p->slighted + 2) % 3};
    for (int i = 0; i < 4; i++) {
        const int class = turns[i], best = foremost(p, in, class, class);
        if (best == NOBODY || g.warp[class] != NOBODY)
            continue;
        if (left-- > 0)
            g.warp[class] = best;
        else if (in->issue == 2)
            g.passed = class;
    }
    return g;
}

static void plain_tick(struct plain *p, const struct icmt_in *in, const struct plain_grants *g)
{
    int any = 0;
    for (int kernel = 0; kernel < 2; kernel++) {
        int first = NOBODY, goes_on = 0, leads = 0;
        for (int class = 2; class >= 0; class --)
            if (g->warp[class] != NOBODY && has(in->kernel_1, g->warp[class]) == kernel) {
                first = g->warp[class];
                goes_on |= first == p->greedy_on[kernel];
                leads |= class == g->lead;
            }
        any |= first != NOBODY;
        if (first != NOBODY && !goes_on)
            p->had[kernel] = p->greedy_on[kernel] = leads ? g->leader : first;
    }
    p->priority = any ? 1 - p->priority : p->priority;
    p->slighted = g->passed == NOBODY ? p->slighted : g->passed;
    if (!in->alloc)
        return;
    for (int kernel = 0; kernel < 2; kernel++)
        if (p->greedy_on[kernel] == (int)in->alloc_warp)
            p->greedy_on[kernel] = NOBODY;
    if (in->alloc_warp < NUM_WARPS)
        p->born[in->alloc_warp] = p->date++;
}

/* The bits that other units go by: for each pair, one row after the other, is the first warp the older
 * one? Returns how many are wrong. */
static unsigned wrong_pairs(const struct icmt_state *s, const struct plain *p)
{
    unsigned wrong = 0, place = 0;
    for (int i = 0; i < NUM_WARPS; i++)
        for (int j = i + 1; j < NUM_WARPS; j++)
            wrong += bit_get(s->order, place++) != (p->born[i] < p->born[j]);
    return wrong;
}

/* Steps both and compares. */
static struct plain_grants step(struct icmt_state *s, struct plain *p, const struct icmt_in *in)
{
    struct icmt_out out;
    memset(&out, 0xff, sizeof out);
    icmt_comb(s, in, &out);
    const struct plain_grants expected = plain_grants(p, in);
    for (int class = 0; class < 3; class ++) {
        const int warp = expected.warp[class];
        assert_int_equal(out.grant_valid >> class & 1, warp != NOBODY);
        assert_int_equal(out.grant[class], warp == NOBODY ? 0 : warp);
    }
    assert_int_equal(out.grant_valid >> 3, 0);
    icmt_tick(s, in, &out);
    plain_tick(p, in, &expected);
    for (int kernel = 0; kernel < 2; kernel++) {
        assert_int_equal(s->last_valid >> kernel & 1, p->greedy_on[kernel] != NOBODY);
        assert_int_equal(s->last[kernel], p->had[kernel]);
    }
    assert_int_equal(s->turn, p->priority);
    assert_int_equal(s->first, p->slighted);
    assert_int_equal(wrong_pairs(s, p), 0);
    return expected;
}

static void random_inputs(void **unused)
{
    (void)unused;
    long grants[4][4] = {{0}}, by_class[3] = {0}, passed[3] = {0}, kernels[2] = {0}, mixed = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct icmt_state s;
        struct plain p;
        struct stimulus stimulus = {.random = seed * 77777, .state = &s};
        icmt_reset(&s);
        plain_reset(&p);
        for (stimulus.cycle = 0; stimulus.cycle < 20000; stimulus.cycle++) {
            struct icmt_in in = {0};
            icmt_stimulus(&stimulus, &in);
            const struct plain_grants g = step(&s, &p, &in);
            int count = 0, of[2] = {0};
            for (int class = 0; class < 3; class ++) {
                const int is = g.warp[class] != NOBODY;
                count += is;
                by_class[class] += is;
                if (is)
                    of[has(in.kernel_1, g.warp[class])]++;
            }
            grants[in.issue][count]++;
            passed[0] += g.passed == 0;
            passed[1] += g.passed == 1;
            passed[2] += g.passed == 2;
            kernels[0] += of[0];
            kernels[1] += of[1];
            mixed += of[0] && of[1];
        }
    }
    /* The comparison saw every number of grants, every class, and both kernels in one cycle. */
    for (int issue = 0; issue < 4; issue++)
        for (int count = 0; count < 4; count++)
            assert_true(count > issue ? grants[issue][count] == 0 : grants[issue][count] > 1000);
    for (int class = 0; class < 3; class ++)
        assert_true(by_class[class] > 10000 && passed[class] > 1000);
    assert_true(kernels[0] > 10000 && kernels[1] > 10000 && mixed > 10000);
}

/* Directed cases: each line is one cycle. */
struct bench {
    struct icmt_state s;
    struct plain p;
    struct icmt_in in;
};

static void open_bench(struct bench *b, unsigned issue, uint64_t kernel_1)
{
    memset(b, 0, sizeof *b);
    icmt_reset(&b->s);
    plain_reset(&b->p);
    b->in.issue = issue;
    b->in.kernel_1 = kernel_1;
    b->in.allow = b->in.allow_load = ~UINT64_C(0) >> (64 - NUM_WARPS);
    b->in.allow_class = 15;
}

/* Who issues: SP, SFU and MEM as the digits of a number, the lowest last; 9: nobody. */
static int classes(struct bench *b, uint64_t sp, uint64_t sfu, uint64_t mem)
{
    b->in.ready_sp = sp;
    b->in.ready_sfu = sfu;
    b->in.ready_gmem = mem;
    const struct plain_grants g = step(&b->s, &b->p, &b->in);
    int number = 0;
    for (int class = 0; class < 3; class ++)
        number = 10 * number + (g.warp[class] == NOBODY ? 9 : g.warp[class]);
    return number;
}

static int ready(struct bench *b, uint64_t warps)
{
    return classes(b, warps, 0, 0) / 100;
}

static void alloc(struct bench *b, unsigned warp)
{
    b->in.alloc = 1;
    b->in.alloc_warp = warp;
    ready(b, 0);
    b->in.alloc = 0;
}

static void alone_it_is_gto(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, 1, 0);
    assert_int_equal(ready(&b, 0xc), 2); /* the older of 2 and 3 */
    assert_int_equal(ready(&b, 0xd), 2); /* greedy: 0 is older, but 2 can go on */
    assert_int_equal(ready(&b, 0xb), 0); /* 2 stalls: the oldest */
    assert_int_equal(ready(&b, 0x0), 9);
    assert_int_equal(ready(&b, 0xf), 0); /* greed survives a cycle without a grant */
    alloc(&b, 0); /* 0 gets a new tenant: no greed for it, and it is the youngest */
    assert_int_equal(ready(&b, 0xf), 1);
    assert_int_equal(ready(&b, 0x9), 3);
    assert_int_equal(ready(&b, 0x1), 0);
}

static void kernels_take_turns(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, 1, 0xa);              /* warps 1 and 3 are of kernel 1 */
    assert_int_equal(ready(&b, 0xf), 0); /* kernel 0 has priority after a reset */
    assert_int_equal(ready(&b, 0xf), 1);
    assert_int_equal(ready(&b, 0xe), 2); /* 0 stalls; kernel 1's greedy warp is not asked */
    assert_int_equal(ready(&b, 0xf), 1); /* each kernel has its own */
    assert_int_equal(ready(&b, 0xf), 2);
    assert_int_equal(ready(&b, 0x0), 9); /* nobody used the priority: it stays */
    assert_int_equal(ready(&b, 0xf), 1);
    assert_int_equal(ready(&b, 0xa), 1); /* kernel 0 has none: the other one's, and it swaps */
    assert_int_equal(ready(&b, 0xf), 1);
}

static void age_is_within_a_kernel(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, 1, 0x3);              /* kernel 1 has the older warps */
    assert_int_equal(ready(&b, 0xf), 2); /* of kernel 0, although 0 and 1 are older */
    assert_int_equal(ready(&b, 0xf), 0);
    alloc(&b, 2);
    assert_int_equal(ready(&b, 0xf), 3); /* a new tenant: neither greedy nor older */
    b.in.kernel_1 = 0xb;                 /* slot 3 changes hands */
    alloc(&b, 3);
    assert_int_equal(ready(&b, 0xe), 1);
    assert_int_equal(ready(&b, 0xf), 2);
    assert_int_equal(ready(&b, 0x8), 3);
}

static void one_of_each_class(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, 3, 0);
    assert_int_equal(classes(&b, 0x3, 0x4, 0x8), 23);  /* 0, 2 and 3 */
    assert_int_equal(classes(&b, 0x3, 0x0, 0xc), 92);  /* 0 and 2 */
    assert_int_equal(classes(&b, 0x0, 0x0, 0xf), 990); /* 0 is greedy */
    b.in.issue = 1;
    assert_int_equal(classes(&b, 0x2, 0x4, 0x8), 199);
    assert_int_equal(classes(&b, 0x1, 0x2, 0x4), 919); /* 1 is greedy now */
    b.in.issue = 0;
    assert_int_equal(classes(&b, 0x1, 0x2, 0x4), 999);
}

static void the_other_kernel_fills_classes(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, 3, 0xc);
    assert_int_equal(classes(&b, 0x5, 0x0, 0x8), 93); /* kernel 0 issues to SP, kernel 1 to MEM */
    /* Kernel 1's greedy warp is 3, from MEM. */
    assert_int_equal(classes(&b, 0x2, 0x0, 0xc), 193);
}

static void who_was_passed_over_goes_first(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, 2, 0);
    assert_int_equal(classes(&b, 0x1, 0x2, 0x4), 19); /* SP leads, then SFU; MEM is passed over */
    assert_int_equal(classes(&b, 0x1, 0x2, 0x4), 92);
    assert_int_equal(classes(&b, 0x1, 0x2, 0x4), 19);
    assert_int_equal(classes(&b, 0x2, 0x1, 0x4), 902); /* MEM's turn, whoever leads */
}

static void loads_are_throttled(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, 3, 0);
    b.in.load = 0x1;
    b.in.allow_load = 0xe;
    assert_int_equal(classes(&b, 0x0, 0x0, 0x3), 991);
    b.in.allow = 0x1;
    assert_int_equal(classes(&b, 0x0, 0x0, 0x3), 999);
    assert_int_equal(classes(&b, 0x1, 0x0, 0x2), 99);
}

static void silence_moves_nothing(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, 2, 0xc);
    ready(&b, 0xf);
    struct icmt_state kept = b.s;
    assert_int_equal(ready(&b, 0), 9);
    assert_memory_equal(&kept, &b.s, sizeof kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_inputs),
        cmocka_unit_test(alone_it_is_gto),
        cmocka_unit_test(kernels_take_turns),
        cmocka_unit_test(age_is_within_a_kernel),
        cmocka_unit_test(one_of_each_class),
        cmocka_unit_test(the_other_kernel_fills_classes),
        cmocka_unit_test(who_was_passed_over_goes_first),
        cmocka_unit_test(loads_are_throttled),
        cmocka_unit_test(silence_moves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
