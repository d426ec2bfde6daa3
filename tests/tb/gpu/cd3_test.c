/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/cd3_test.c: what the unit that measures distances of dependent instructions finds in a machine (thesis 9.4.1) is what the
 * whole streams of the warps that it watches give, traced afterwards (mix_cd3_trace); whoever computes it; it moves nothing. */
#include <stdlib.h>

#include "cmodel/analytic/mix_cd3.h"
#include "cmodel/cd3/cd3.h"
#include "tests/tb/gpu/bench.h"

/* A loop of additions, a load that is needed late, one of shared memory, SFU; a predicate is written by one instruction and read by another. Eight
 * registers and two predicates: an instruction names three registers at most. */
static const char text[] = PTX_HEADER
    ".entry loop(.param .u64 data)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<4>; .reg .f32 %f<2>; .reg .b64 %d<2>; .shared .b32 s[32];\n"
    "ld.param.u64 %d0, [data]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4;\n"
    "add.u64 %d0, %d0, %d1; and.b32 %r1, %r0, 31; add.u32 %r3, %r1, 5;\n"
    "AGAIN: ld.global.u32 %r2, [%d0]; sub.u32 %r3, %r3, 1; setp.ne.u32 %p0, %r3, 0;\n"
    "cvt.rn.f32.u32 %f0, %r3; sin.approx.f32 %f1, %f0; add.f32 %f1, %f1, %f0;\n"
    "setp.gt.f32 %p1, %f1, 0f00000000; @%p1 add.u32 %r1, %r1, 1; add.u32 %r1, %r1, %r2;\n"
    "st.shared.u32 [s], %r1; ld.shared.u32 %r2, [s]; add.u32 %r1, %r1, %r2;\n"
    "@%p0 bra AGAIN;\nst.global.u32 [%d0], %r1;\nret;\n}\n";
#define BLOCKS  (24 * NUM_SMS)
#define THREADS 96
#define STREAM  4096 /* instructions of a warp */

/* An SM's warps as they issue, and the counts of those that the unit is to watch. */
struct watched {
    struct listener guest;
    const struct ptx_kernel *kernel;
    uint64_t cycle; /* of the last event; what happens in one cycle is taken together */
    uint64_t warp, begins;
    int ends;
    struct mix_instruction stream[STREAM];
    size_t length;
    uint64_t warps;
    struct mix_counts counts;
};

static struct watched all[NUM_SMS];
static int several; /* instructions that write more than one register */

static const enum mix_pipe pipes[] = {MIX_SP, MIX_SFU, MIX_MEM, MIX_MEM};

static void trace(struct watched *w)
{
    static struct mix_node node[STREAM];
    static size_t last[1 << 16];
    assert_int_equal(mix_cd3_trace(w->stream, w->length, w->kernel->num_regs, last, node), MIX_OK);
    mix_cd3_count(w->stream, w->length, node, &w->counts);
    w->warps += w->length > 0;
    w->length = 0;
}

/* The cycle is over. */
static void pass(struct watched *w)
{
    if (w->ends) {
        trace(w);
        w->warp = UINT64_MAX;
    }
    if (w->warp == UINT64_MAX)
        w->warp = w->begins;
    w->begins = UINT64_MAX;
    w->ends = 0;
}

static void issue(struct watched *w, const struct event *e)
{
    const struct uop *u = &w->kernel->uops[e->of.issue.pc];
    struct mix_instruction *i = &w->stream[w->length++];
    assert_true(w->length < STREAM);
    *i = (struct mix_instruction){.pipe = pipes[e->of.issue.issue_class],
                                  .num_reads = u->num_reads,
                                  .num_writes = u->num_writes};
    memcpy(i->reads, u->reads, u->num_reads * sizeof *i->reads);
    memcpy(i->writes, u->writes, u->num_writes * sizeof *i->writes);
    several += u->num_writes > 1 || u->num_reads > CD3_READS;
}

static void hear(void *context, const struct event *e)
{
    struct watched *w = context;
    if (e->cycle != w->cycle)
        pass(w);
    w->cycle = e->cycle;
    switch (e->kind) {
    case EVENT_warp_start:
        if (e->of.warp_start.warp < w->begins)
            w->begins = e->of.warp_start.warp;
        break;
    case EVENT_warp_end: w->ends |= e->of.warp_end.warp == w->warp; break;
    default:
        if (e->of.issue.warp == w->warp)
            issue(w, e);
    }
}

static void open_machine(struct bench *b, const char *sched, const char *backend, int counts)
{
    struct config c = test_config();
    strcpy(c.run_sched, sched);
    strcpy(c.run_backend, backend);
    c.cd3_count = counts;
    bench_open(b, &c, text, NULL);
    for (unsigned i = 0; i < NUM_SMS; i++) {
        struct watched *w = &all[i];
        w->guest = (struct listener){.hears = HEARS(warp_start) | HEARS(warp_end) | HEARS(issue),
                                     .hear = hear,
                                     .context = w};
        sm_listen(b->gpu->sms[i], &w->guest);
    }
}

static uint64_t launch(struct bench *b)
{
    for (unsigned i = 0; i < NUM_SMS; i++) {
        const struct listener guest = all[i].guest;
        memset(&all[i], 0, sizeof all[i]);
        all[i].guest = guest;
        all[i].kernel = ptx_kernel(b->module, "loop");
        all[i].warp = all[i].begins = UINT64_MAX;
    }
    bench_param(b, bench_buffer(b, THREADS));
    const uint64_t cycles = bench_time(b, "loop", BLOCKS, THREADS);
    for (unsigned i = 0; i < NUM_SMS; i++)
        pass(&all[i]);
    return cycles;
}

/* What the unit has counted, as the machine's log of the last kernel has it: by SM, pipe and distance. */
static void logged(const struct bench *b, uint64_t counts[NUM_SMS][3][CD3_BINS])
{
    const struct logs *logs = &bench_stats(b)->logs;
    memset(counts, 0, sizeof(uint64_t[NUM_SMS][3][CD3_BINS]));
    assert_int_equal(logs->num_units, 1);
    assert_string_equal(logs->units[0].stem, "cd3");
    assert_int_equal(logs->units[0].left_out, 0);
    assert_int_equal(logs->units[0].kind->num_columns, 3);
    for (size_t i = 0; i < logs->units[0].count; i++) {
        const uint64_t *row = &logs->units[0].rows[4 * i];
        assert_true(row[0] < NUM_SMS && row[1] < 3 && row[2] < CD3_BINS && row[3] > 0);
        counts[row[0]][row[1]][row[2]] += row[3];
    }
}

static void agree(const struct bench *b)
{
    static uint64_t counts[NUM_SMS][3][CD3_BINS];
    uint64_t warps = 0, of_pipe[3] = {0};
    logged(b, counts);
    for (unsigned i = 0; i < NUM_SMS; i++) {
        warps += all[i].warps;
        for (unsigned p = 0; p < 3; p++) {
            uint64_t expected[CD3_BINS] = {0};
            for (unsigned d = 0; d <= MIX_BEYOND; d++)
                expected[d < CD3_BINS ? d : CD3_BINS - 1] += all[i].counts.at[p][d];
            for (unsigned d = 0; d < CD3_BINS; d++) {
                if (counts[i][p][d] != expected[d])
                    fail_msg("sm %u, pipe %u, distance %u: %lu instructions, by the streams %lu", i,
                             p, d, (unsigned long)counts[i][p][d], (unsigned long)expected[d]);
                of_pipe[p] += d ? expected[d] : 0;
            }
        }
    }
    assert_true(warps > NUM_SMS); /* one after the other */
    for (unsigned p = 0; p < 3; p++)
        assert_true(of_pipe[p] > 100);
}

/* The kernel's registers are few enough for the table of any configuration but the smallest. */
static int has_room(const struct bench *b)
{
    return ptx_kernel(b->module, "loop")->num_regs <= NUM_SPECIALS + CD3_REGISTERS;
}

static void counts_are_those_of_the_streams(void **unused)
{
    static const char *const policies[] = {"gto", "lrr", "gto-taws"}, *const backends[] = {
                                                                          "c", "lockstep"};
    (void)unused;
    for (unsigned i = 0; i < 6; i++) {
        struct bench b;
        open_machine(&b, policies[i % 3], backends[i / 3], 1);
        if (!has_room(&b)) {
            bench_close(&b);
            skip();
        }
        launch(&b);
        agree(&b);
        launch(&b); /* each kernel has its own */
        agree(&b);
        assert_int_equal(several, 0);
        bench_close(&b);
    }
}

/* Who looks on moves nothing. */
static void nothing_moves(void **unused)
{
    (void)unused;
    struct bench b;
    open_machine(&b, "gto", "c", 1);
    const uint64_t with = launch(&b);
    bench_close(&b);
    open_machine(&b, "gto", "c", 0);
    assert_int_equal(launch(&b), with);
    assert_int_equal(bench_stats(&b)->logs.num_units, 0);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_streams),
        cmocka_unit_test(nothing_moves),
    };
    return cmocka_run_group_tests_name("tb/gpu/cd3", tests, NULL, NULL);
}
