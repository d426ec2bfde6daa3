/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/profile/dependence_test.c: distances and waits of the warps that are followed, against the whole streams of these warps, kept and
 * traced afterwards (mix_cd3_trace). Warps of two kernels issue instructions in any order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/profile/dependence.h"
#include "tests/tb/mem/random.h"
#include "tests/tb/ptx/ptx_support.h"

#define STREAM 400 /* instructions of a warp, at most */
#define WARPS  6

static const char statements[] = "add.s32 %r1, %r0, %r2;\n"
                                 "ld.global.u32 %r2, [%d0];\n"
                                 "ld.shared.u32 %r3, [%r1];\n"
                                 "sin.approx.f32 %f1, %f0;\n"
                                 "add.f32 %f0, %f1, %f2;\n"
                                 "st.global.u32 [%d0], %r2;\n"
                                 "mul.lo.s32 %r0, %r3, %r1;\n"
                                 "cvt.rn.f32.s32 %f2, %r0;\n"
                                 "ret;\n";

static const struct config config = {.mem_interval = 3, .l1d_interval = 2};

/* What a warp has issued since it began, and what is under way of it. */
struct warp {
    int followed; /* as the test has it */
    size_t issued;
    struct mix_instruction stream[STREAM];
    uint64_t since[16]; /* by instruction: when it was issued, if it has not completed */
};

static struct warp warps[WARPS];
static struct dependence_counts expected[2];
static const struct ptx_kernel *kernel;
static struct dependence followed;
static uint64_t now;

static void hear(const struct event *e)
{
    struct event at = *e;
    at.cycle = now;
    followed.listener.hear(followed.listener.context, &at);
}

static unsigned number_of(unsigned warp)
{
    return warp % 2;
}

static void count_stream(struct warp *w, struct dependence_counts *to)
{
    static size_t last[4096];
    static struct mix_node node[STREAM];
    memset(last, 0, sizeof last);
    memset(node, 0, sizeof node);
    assert_true(kernel->num_regs <= 4096);
    assert_int_equal(mix_cd3_trace(w->stream, w->issued, kernel->num_regs, last, node), MIX_OK);
    mix_cd3_count(w->stream, w->issued, node, &to->distances);
    to->warps++;
}

static int any_followed(unsigned number)
{
    int any = 0;
    for (unsigned w = 0; w < WARPS; w++)
        any |= number_of(w) == number && warps[w].followed;
    return any;
}

static void start(unsigned warp)
{
    const int is = !any_followed(number_of(warp));
    warps[warp] = (struct warp){.followed = is};
    hear(&(struct event){.kind = EVENT_warp_start,
                         .of.warp_start = {.warp = warp, .kernel = number_of(warp)}});
}

static void finish(unsigned warp)
{
    if (warps[warp].followed)
        count_stream(&warps[warp], &expected[number_of(warp)]);
    warps[warp] = (struct warp){0};
    hear(&(struct event){.kind = EVENT_warp_end, .of.warp_end = {.warp = warp}});
}

static void complete(unsigned warp, unsigned pc)
{
    struct warp *w = &warps[warp];
    if (!w->since[pc])
        return;
    if (w->followed && kernel->uops[pc].num_writes) {
        expected[number_of(warp)].waits++;
        expected[number_of(warp)].waited += now - w->since[pc];
    }
    w->since[pc] = 0;
    hear(&(struct event){.kind = EVENT_complete, .of.complete = {.warp = warp, .pc = pc}});
}

static void issue(unsigned warp, unsigned pc)
{
    struct warp *w = &warps[warp];
    const struct uop *u = &kernel->uops[pc];
    const int memory = u->klass == CLASS_GMEM || u->klass == CLASS_STCMEM;
    if (w->issued == STREAM)
        return;
    complete(warp, pc); /* it issues again only then */
    struct mix_instruction *in = &w->stream[w->issued++];
    in->pipe = memory ? MIX_MEM : u->klass == CLASS_SFU ? MIX_SFU : MIX_SP;
    in->num_reads = u->num_reads;
    in->num_writes = u->num_writes;
    for (unsigned i = 0; i < u->num_reads; i++)
        in->reads[i] = u->reads[i];
    for (unsigned i = 0; i < u->num_writes; i++)
        in->writes[i] = u->writes[i];
    const unsigned class = u->klass == CLASS_GMEM     ? ISSUE_GMEM
                           : u->klass == CLASS_STCMEM ? ISSUE_STCMEM
                           : u->klass == CLASS_SFU    ? ISSUE_SFU
                                                      : ISSUE_SP;
    hear(&(struct event){.kind = EVENT_issue,
                         .of.issue = {.warp = warp, .pc = pc, .issue_class = class}});
    if (!memory)
        return;
    w->since[pc] = now;
    const uint64_t lines = u->klass == CLASS_GMEM ? 1 + below(5) : 0;
    if (lines)
        hear(&(struct event){.kind = EVENT_access, .of.access = {.warp = warp, .lines = lines}});
    if (w->followed) {
        expected[number_of(warp)].memory++;
        expected[number_of(warp)].busy += 2 * lines > 3 ? 2 * lines : 3;
    }
}

static void as_traced(void **unused)
{
    (void)unused;
    struct ptx_module *m = body_parse(statements);
    kernel = &m->kernels[0];
    assert_true(kernel->num_uops <= 16);
    dependence_open(&followed, &config);
    for (unsigned k = 0; k < 2; k++)
        assert_int_equal(dependence_begin(&followed, k, kernel), 0);
    for (unsigned w = 0; w < WARPS; w++)
        start(w);
    for (now = 1; now < 30000; now++) {
        const unsigned warp = below(WARPS), pc = below(kernel->num_uops - 1);
        if (below(500) == 0) {
            const unsigned other = (warp + 2) % WARPS; /* of the same kernel */
            finish(warp);
            finish(other);
            start(other);
            start(warp);
        } else if (below(3) == 0)
            complete(warp, pc);
        else
            issue(warp, pc);
    }
    for (unsigned k = 0; k < 2; k++) {
        struct dependence_counts sums = {0}, again = {0};
        for (unsigned w = k; w < WARPS; w += 2)
            if (warps[w].followed)
                count_stream(&warps[w], &expected[k]); /* stopped with the kernel */
        dependence_take(&followed, k, &sums);
        assert_memory_equal(&sums, &expected[k], sizeof sums);
        assert_true(sums.warps > 5 && sums.waits > 300 && sums.memory > sums.waits);
        for (unsigned p = 0; p < NUM_MIX_PIPES; p++)
            assert_true(sums.distances.at[p][0] > 50 && sums.distances.at[p][1] > 50);
        dependence_take(&followed, k, &again);
        assert_memory_equal(&again, &(struct dependence_counts){0}, sizeof again);
    }
    dependence_close(&followed);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_traced)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
