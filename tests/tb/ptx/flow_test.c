/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/flow_test.c: reconvergence and loops, on samples and on random
 * programs, against plain restatements that work on single instructions and know no blocks, trees
 * or worklists: an instruction post-dominates another one if, without it, no way leads from the
 * other one to the kernel's end; an edge closes a loop if, without its target, no way leads from
 * the start to its source; a register is live before an instruction if some way leads from there to
 * a read, without a write before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/ptx/ptx_support.h"

#define MAX_UOPS 512

/* Marks what can be reached from `from` on ways that do not enter `without`. */
static void reach(const struct ptx_kernel *k, uint32_t from, uint32_t without, uint8_t *reached)
{
    memset(reached, 0, k->num_uops + 1);
    if (from == without)
        return;
    reached[from] = 1;
    for (int grown = 1; grown;) {
        grown = 0;
        for (uint32_t at = 0; at < k->num_uops; at++) {
            uint32_t to[MOST_FOLLOWERS], count = reached[at] ? program_followers(k, at, to) : 0;
            for (uint32_t i = 0; i < count; i++)
                if (to[i] != without && !reached[to[i]])
                    grown = reached[to[i]] = 1;
        }
    }
}

static int leads_to_end(const struct ptx_kernel *k, uint32_t from, uint32_t without)
{
    uint8_t reached[MAX_UOPS];
    reach(k, from, without, reached);
    return reached[k->num_uops];
}

/* The first strict post-dominator on the way to the end: the one that all the others post-dominate.
 */
static uint32_t plain_reconvergence(const struct ptx_kernel *k, uint32_t branch)
{
    uint32_t best = k->num_uops;
    if (!leads_to_end(k, branch, UOP_NONE))
        return k->num_uops;
    for (uint32_t at = 0; at < k->num_uops; at++) {
        if (at == branch || leads_to_end(k, branch, at))
            continue;
        /* `at` post-dominates the branch; it is nearer than `best` if best post-dominates it. */
        if (best == k->num_uops || !leads_to_end(k, at, best))
            best = at;
    }
    return best;
}

static void check_reconvergence(const struct ptx_kernel *k)
{
    assert_true(k->num_uops < MAX_UOPS);
    for (uint32_t i = 0; i < k->num_uops; i++)
        if (k->uops[i].op == U_BRA || k->uops[i].op == U_BRX) {
            uint32_t expected = plain_reconvergence(k, i);
            if (k->uops[i].reconverge != expected)
                fail_msg("%s: instruction %u (line %u) '%s' reconverges at %u; expected %u",
                         k->name, i, k->uops[i].line, k->text[i], k->uops[i].reconverge, expected);
        } else {
            assert_int_equal(k->uops[i].reconverge, UOP_NONE);
        }
}

static int is_reachable(const struct ptx_kernel *k, uint32_t at, uint32_t without)
{
    uint8_t reached[MAX_UOPS];
    reach(k, 0, without, reached);
    return reached[at];
}

/* The last source of an edge that closes a loop at `head`, or UOP_NONE. An edge to the instruction
 * itself counts. */
static uint32_t plain_back_edge(const struct ptx_kernel *k, uint32_t head)
{
    uint32_t back = UOP_NONE;
    for (uint32_t at = 0; at < k->num_uops; at++) {
        uint32_t to[MOST_FOLLOWERS], count = program_followers(k, at, to);
        for (uint32_t i = 0; i < count; i++)
            if (to[i] == head && is_reachable(k, at, UOP_NONE) &&
                (at == head || !is_reachable(k, at, head)))
                back = at;
    }
    return back;
}

/* True if `at` lies in the loop of `head`: it reaches one of its back edges without passing the
 * head again. */
static int in_loop(const struct ptx_kernel *k, uint32_t head, uint32_t at)
{
    if (at == head)
        return 1;
    if (!is_reachable(k, at, UOP_NONE) || is_reachable(k, at, head))
        return 0; /* the head does not dominate it */
    uint8_t reached[MAX_UOPS];
    reach(k, at, head, reached);
    for (uint32_t from = 0; from < k->num_uops; from++) {
        uint32_t to[MOST_FOLLOWERS], count = reached[from] ? program_followers(k, from, to) : 0;
        for (uint32_t i = 0; i < count; i++)
            if (to[i] == head && !is_reachable(k, from, head))
                return 1;
    }
    return 0;
}

/* The innermost loop around an instruction, other than `but`: of those that contain it the one that
 * contains fewest. The loop's number from 1, or 0. */
static uint32_t plain_innermost(const struct ptx_kernel *k, uint32_t at, uint32_t but)
{
    uint32_t found = 0, fewest = UINT32_MAX;
    for (uint32_t n = 1; n <= k->num_loops; n++) {
        uint32_t size = 0;
        if (n == but || !in_loop(k, k->loops[n - 1].head, at))
            continue;
        for (uint32_t i = 0; i < k->num_uops; i++)
            size += (uint32_t)in_loop(k, k->loops[n - 1].head, i);
        if (size < fewest) {
            fewest = size;
            found = n;
        }
    }
    return found;
}

static void check_innermost(const struct ptx_kernel *k)
{
    for (uint32_t at = 0; at < k->num_uops; at++)
        if (is_reachable(k, at, UOP_NONE))
            assert_int_equal(k->loop_of[at], plain_innermost(k, at, 0));
    for (uint32_t n = 1; n <= k->num_loops; n++)
        assert_int_equal(k->loops[n - 1].outer, plain_innermost(k, k->loops[n - 1].head, n));
}

static void check_loops(const struct ptx_kernel *k)
{
    uint32_t back[MAX_UOPS], n = 0;
    for (uint32_t head = 0; head < k->num_uops; head++) {
        back[head] = plain_back_edge(k, head);
        assert_int_equal(!!(k->uops[head].flags & UF_LOOP_HEAD), back[head] != UOP_NONE);
    }
    for (uint32_t head = 0; head < k->num_uops; head++) {
        uint32_t depth = 0;
        if (back[head] == UOP_NONE)
            continue;
        for (uint32_t other = 0; other < k->num_uops; other++)
            depth += back[other] != UOP_NONE && in_loop(k, other, head);
        assert_true(n < k->num_loops);
        assert_int_equal(k->loops[n].head, head);
        assert_int_equal(k->loops[n].back, back[head]);
        assert_int_equal(k->loops[n++].depth, depth);
    }
    assert_int_equal(n, k->num_loops);
    check_innermost(k);
}

static void samples_agree_with_the_restatements(void **unused)
{
    (void)unused;
    static const char *const names[] = {"flow.ptx", "memory.ptx", "arithmetic.ptx", "nvcc.ptx"};
    for (int i = 0; i < 4; i++) {
        struct ptx_module *m = sample_parse(names[i]);
        for (uint32_t n = 0; n < m->num_kernels; n++) {
            check_reconvergence(&m->kernels[n]);
            check_loops(&m->kernels[n]);
        }
        ptx_free(m);
    }
}

/* Where the samples must reconverge, read off their texts. */
static void known_points_of_the_samples(void **unused)
{
    (void)unused;
    struct ptx_module *m = sample_parse("nvcc.ptx");
    const struct ptx_kernel *k = ptx_kernel(m, "_Z5saxpyPfS_fi");
    uint32_t ret = k->num_uops - 1;
    assert_int_equal(k->uops[find_text(k, "@%p1 bra $L__BB0_2", 0)].target, ret);
    assert_int_equal(k->uops[find_text(k, "@%p1 bra $L__BB0_2", 0)].reconverge, ret);
    assert_int_equal(k->num_loops, 0);

    k = ptx_kernel(m, "reduce"); /* @%p3 ret is no branch: what follows still meets at @%q exit */
    uint32_t exit = find_text(k, "@%q exit", 0), bar = find_text(k, "bar.sync 0", 0);
    assert_int_equal(k->uops[find_text(k, "@%p2 bra.uni $L__BB1_3", 0)].reconverge, exit);
    assert_int_equal(k->uops[find_text(k, "@%q bra $L__BB1_2", 0)].reconverge, exit);
    assert_int_equal(k->num_loops, 1);
    assert_int_equal(k->loops[0].head, bar);
    assert_int_equal(k->loops[0].back, exit - 1);
    ptx_free(m);

    m = sample_parse("flow.ptx");
    k = ptx_kernel(m, "nested_loops");
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < k->num_loops; i++)
        deepest = k->loops[i].depth > deepest ? k->loops[i].depth : deepest;
    assert_int_equal(k->num_loops, 3);
    assert_int_equal(deepest, 3);
    k = ptx_kernel(m, "while_inside_do");
    assert_int_equal(k->num_loops, 2);
    k = ptx_kernel(m, "endless");
    assert_int_equal(k->num_loops, 1);
    for (uint32_t i = 0; i < k->num_uops; i++)
        if (k->uops[i].op == U_BRA)
            assert_int_equal(k->uops[i].reconverge, k->num_uops);
    ptx_free(m);
}

/* The clang samples mark every loop's first instruction by the pragma above it; there are as many
 * loops as pragmas. */
static void every_marked_loop_is_found(void **unused)
{
    (void)unused;
    static const char *const names[] = {"flow.ptx", "memory.ptx"};
    for (int i = 0; i < 2; i++) {
        size_t length;
        char *text = sample_read(names[i], &length);
        uint32_t marked = 0, found = 0;
        for (const char *p = text; (p = strstr(p, ".pragma \"nounroll\"")); p++)
            marked++;
        struct ptx_module *m = sample_parse(names[i]);
        for (uint32_t n = 0; n < m->num_kernels; n++)
            found += m->kernels[n].num_loops;
        assert_true(marked > 0);
        assert_int_equal(found, marked);
        ptx_free(m);
        free(text);
    }
}

static void random_programs_agree_with_the_restatements(void **unused)
{
    (void)unused;
    uint32_t state = 20240607, loops = 0, meetings = 0, indirect = 0;
    for (int round = 0; round < 2000; round++) {
        char *text = program_random(&state);
        struct ptx_module *m = body_parse(text);
        const struct ptx_kernel *k = &m->kernels[0];
        check_reconvergence(k);
        check_loops(k);
        loops += k->num_loops;
        for (uint32_t i = 0; i < k->num_uops; i++)
            if (k->uops[i].reconverge < k->num_uops)
                (k->uops[i].op == U_BRX ? &indirect : &meetings)[0]++;
        ptx_free(m);
        free(text);
    }
    assert_true(loops > 1000 && meetings > 2500 &&
                indirect > 500); /* the programs are not trivial */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_agree_with_the_restatements),
        cmocka_unit_test(known_points_of_the_samples),
        cmocka_unit_test(every_marked_loop_is_found),
        cmocka_unit_test(random_programs_agree_with_the_restatements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
