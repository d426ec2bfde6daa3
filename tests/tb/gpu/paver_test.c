/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/paver_test.c: PAVER's units in the machine. Blocks that share data meet on an SM, which then misses less; an SM without
 * blocks steals; an SM gets the blocks of its groups, in order; what cannot be grouped goes in the dispatcher's order; units that lie are
 * caught; a kernel that is given up leaves nothing behind; all backends do the same. */
#include "cmodel/paver_sm/paver_sm.h"
#include "tests/tb/gpu/bench.h"

#include <stdlib.h>

#include "cosim/contract.h"

/* Block b reads part b / 2 of `data`, and then runs `rounds` and b * `extra` rounds. */
static char program[] =
    PTX_HEADER ".visible .entry k(.param .u64 data, .param .u64 rounds, .param .u64 extra)\n"
               "{\n"
               ".reg .u64 %a, %n, %i, %e, %x;\n"
               ".reg .u32 %b, %t, %v;\n"
               ".reg .pred %p;\n"
               "ld.param.u64 %a, [data];\n"
               "ld.param.u64 %n, [rounds];\n"
               "ld.param.u64 %e, [extra];\n"
               "mov.u32 %b, %ctaid.x;\n"
               "cvt.u64.u32 %x, %b;\n"
               "mul.lo.u64 %e, %e, %x;\n"
               "add.u64 %n, %n, %e;\n"
               "shr.u32 %b, %b, 1;\n"
               "mul.wide.u32 %x, %b, 1024;\n"
               "add.u64 %a, %a, %x;\n"
               "mov.u32 %t, %tid.x;\n"
               "mul.wide.u32 %x, %t, 4;\n"
               "add.u64 %a, %a, %x;\n"
               "ld.global.u32 %v, [%a];\n"
               "ld.global.u32 %v, [%a+128];\n"
               "ld.global.u32 %v, [%a+256];\n"
               "ld.global.u32 %v, [%a+384];\n"
               "mov.u64 %i, 0;\n"
               "LOOP:\n"
               "add.u64 %i, %i, 1;\n"
               "setp.lt.u64 %p, %i, %n;\n"
               "@%p bra LOOP;\n"
               "ret;\n"
               "}\n";

static void open_with(struct bench *b, const char *dispatch, const char *backend, int64_t steal)
{
    struct config c = test_config();
    strcpy(c.run_dispatch, dispatch);
    strcpy(c.run_backend, backend);
    c.sm_max_blocks = 2;
    c.paver_steal_steal = steal;
    c.run_observe = 1;
    bench_open(b, &c, program, NULL);
}

static void params(struct bench *b, uint64_t data, uint64_t rounds, uint64_t extra)
{
    bench_param(b, data);
    bench_param(b, rounds);
    bench_param(b, extra);
}

#define BLOCKS (NUM_SMS * 8)

/* Lines that L1Ds have fetched. */
static uint64_t fetched(const char *dispatch)
{
    const int grouped = strcmp(dispatch, "lrr") != 0;
    struct bench b;
    open_with(&b, dispatch, "c", 1);
    params(&b, bench_buffer(&b, BLOCKS * 256), 30, 0);
    bench_time(&b, "k", BLOCKS, 32);
    const struct stats_sums *s = &bench_stats(&b)->sums;
    const uint64_t result = s->l1d.misses - s->l1d.mshr_merged;
    assert_int_equal(s->sm.found.ungrouped, 0);
    /* Each block shares four lines of 32 words with one other. */
    assert_int_equal(s->sharing.pairs, grouped ? BLOCKS : 0);
    assert_int_equal(s->sharing.sharers, grouped ? BLOCKS : 0);
    assert_int_equal(s->sharing.units, grouped ? BLOCKS / 2 * 128 : 0);
    assert_int_equal(s->sharing.shared, s->sharing.units);
    assert_int_equal(s->sharing.common, 0);
    bench_close(&b);
    return result;
}

/* "TBs have the highest locality within a group" (4.2): two blocks read the same four lines; one after the other of consecutive
 * blocks goes to another SM under lrr, and both go to one in groups. */
static void blocks_that_share_meet(void **unused)
{
    (void)unused;
    const uint64_t lrr = fetched("lrr");
    assert_int_equal(lrr, 4 * BLOCKS);
    /* All pairs but a few: METIS's halves need not be equal. */
    assert_in_range(fetched("rb"), lrr / 2, lrr * 6 / 10);
    assert_in_range(fetched("kway"), lrr / 2, lrr * 6 / 10);
    /* The first pair of each SM; all others are handed out one by one. */
    assert_in_range(fetched("mst"), lrr / 2, lrr - NUM_SMS * 4);
}

struct figures {
    uint64_t cycles, thefts, stolen, groups, list_reads;
};

/* Of blocks that run the longer, the higher their number. */
static struct figures uneven(const char *dispatch, const char *backend, int64_t steal)
{
    struct bench b;
    struct figures f;
    open_with(&b, dispatch, backend, steal);
    params(&b, bench_buffer(&b, BLOCKS * 256), 50, 40);
    f.cycles = bench_time(&b, "k", BLOCKS - 3, 32);
    const struct found *found = &bench_stats(&b)->sums.sm.found;
    f.thefts = found->thefts;
    f.stolen = found->stolen;
    f.groups = found->groups;
    f.list_reads = found->list_reads;
    bench_close(&b);
    return f;
}

/* "By tapping into the freed resources, we can make sure that the SMs are utilized as much as possible" (5.2). */
static void who_has_none_steals(void **unused)
{
    (void)unused;
    const struct figures with = uneven("rb", "c", 1), without = uneven("rb", "c", 0);
    assert_int_equal(without.thefts, 0);
    assert_int_equal(without.stolen, 0);
    assert_true(with.thefts > 0);
    assert_true(with.stolen >= with.thefts);
    assert_true(with.cycles < without.cycles);
    /* Of each group its bounds, and of each block its number; of one that is stolen before it is placed perhaps again. */
    assert_int_equal(without.list_reads, without.groups + BLOCKS - 3);
    assert_in_range(with.list_reads, without.list_reads, without.list_reads + with.stolen);
    assert_int_equal(uneven("mst", "c", 1).thefts, 0);
}

static void backends_agree(void **unused)
{
    (void)unused;
    static const char *const policies[] = {"mst", "kway", "rb"};
    for (unsigned i = 0; i < 3; i++) {
        const struct figures c = uneven(policies[i], "c", 1), rtl = uneven(policies[i], "rtl", 1),
                             both = uneven(policies[i], "lockstep", 1);
        assert_memory_equal(&c, &rtl, sizeof c);
        assert_memory_equal(&c, &both, sizeof c);
    }
}

/* What looks on, or lies, as the unit's outputs are computed. */
static void (*between)(struct paver_sm_out *, const struct paver_sm_in *);

static void open_comb(const void *state, const void *in, void *out)
{
    paver_sm_comb(state, in, out);
    between(out, in);
}

static void listen(struct bench *b, void (*what)(struct paver_sm_out *, const struct paver_sm_in *))
{
    static struct unit open_unit;
    struct plug *plug = &b->gpu->dispatcher.rack.plugs[1];
    open_unit = *unit_find("paver_sm");
    open_unit.comb = open_comb;
    between = what;
    unit_close(plug->unit);
    plug->unit = unit_open(&open_unit, BACKEND_C, "gpu");
}

/* Which SM each block went to, and as which of its blocks. */
static uint64_t sm_of[BLOCKS], turn_of[BLOCKS], received[NUM_SMS];

static void note_block(struct paver_sm_out *out, const struct paver_sm_in *in)
{
    if (!in->place_valid)
        return;
    sm_of[out->place_block] = in->place_sm;
    turn_of[out->place_block] = received[in->place_sm]++;
}

/* Without stealing an SM gets its groups and no other blocks, each group from its head to its tail, one group after the other. */
static void groups_go_in_order(void **unused)
{
    (void)unused;
    static const char *const policies[] = {"mst", "kway", "rb"};
    for (unsigned i = 0; i < 3; i++) {
        struct bench b;
        open_with(&b, policies[i], "c", 0);
        listen(&b, note_block);
        memset(sm_of, 0xff, sizeof sm_of);
        memset(received, 0, sizeof received);
        params(&b, bench_buffer(&b, BLOCKS * 256), 50, 300);
        bench_time(&b, "k", BLOCKS, 32);
        const struct block_groups *g = b.gpu->dispatcher.view.kernels[0].groups;
        assert_int_equal(g->first[g->count], BLOCKS);
        for (uint32_t n = 0; n < g->count; n++)
            for (uint32_t at = g->first[n]; at < g->first[n + 1]; at++) {
                assert_in_range(sm_of[g->blocks[at]], 0, NUM_SMS - 1);
                if (n < NUM_SMS) /* the first round of hands */
                    assert_int_equal(sm_of[g->blocks[at]], n);
                if (at == g->first[n])
                    continue;
                assert_int_equal(sm_of[g->blocks[at]], sm_of[g->blocks[at - 1]]);
                assert_int_equal(turn_of[g->blocks[at]], turn_of[g->blocks[at - 1]] + 1);
            }
        bench_close(&b);
    }
}

/* As many blocks as next_tb can name, but for one, are grouped; one more is not, and goes as under lrr. */
static void more_than_next_tb_can_name(void **unused)
{
    (void)unused;
    const uint32_t most = (UINT32_C(1) << (PAVER_TB_BITS < 12 ? PAVER_TB_BITS : 12)) - 1;
    for (uint32_t more = 0; more < 2; more++) {
        struct bench b;
        uint64_t cycles[2];
        for (unsigned i = 0; i < 2; i++) {
            open_with(&b, i ? "rb" : "lrr", "lockstep", 1);
            params(&b, bench_buffer(&b, BLOCKS * 256 + most * 128), 1, 0);
            cycles[i] = bench_time(&b, "k", most + more, 32);
            const struct found *found = &bench_stats(&b)->sums.sm.found;
            if (i && (most + more) >> PAVER_TB_BITS) {
                assert_int_equal(found->ungrouped, 1);
                assert_int_equal(found->groups + found->list_reads, 0);
                assert_int_equal(cycles[1], cycles[0]);
            } else if (i) {
                assert_int_equal(found->ungrouped, 0);
                assert_true(found->groups > 0);
            }
            bench_close(&b);
        }
    }
}

static void block_again(struct paver_sm_out *out, const struct paver_sm_in *in)
{
    (void)in;
    out->place_block = 1;
}

static void group_beyond(struct paver_sm_out *out, const struct paver_sm_in *in)
{
    (void)in;
    out->fetch_at += out->fetch_group ? 200 : 0;
}

static void position_beyond(struct paver_sm_out *out, const struct paver_sm_in *in)
{
    (void)in;
    out->fetch_at += out->fetch_group ? 0 : 200;
}

static void asks_twice(struct paver_sm_out *out, const struct paver_sm_in *in)
{
    (void)in;
    out->fetch_sm = 0;
}

static void lies_are_found(void **unused)
{
    (void)unused;
    static const struct {
        void (*lie)(struct paver_sm_out *, const struct paver_sm_in *);
        const char *says;
    } cases[] = {
        {block_again, "block 1, issued to sm"},
        {group_beyond, "memory is asked for group 200, which does not exist"},
        {position_beyond, "memory is asked for block 200, which does not exist"},
        {asks_twice, "memory is asked for sm 0, which waits for a reply"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct config c = test_config();
        struct bench b;
        char *text = NULL;
        size_t size;
        strcpy(c.run_dispatch, "kway");
        bench_open(&b, &c, program, NULL);
        listen(&b, cases[i].lie);
        params(&b, bench_buffer(&b, 16 * 256), 5, 0);
        assert_int_equal(bench_run(&b, "k", 16, 32), GPU_MISMATCH);
        assert_non_null(strstr(b.result.message, "unit paver_sm was found to be wrong"));
        FILE *to = open_memstream(&text, &size);
        unit_report(b.gpu->mismatch, "test", to);
        fclose(to);
        if (!strstr(text, cases[i].says))
            fail_msg("expected '%s' in:\n%s", cases[i].says, text);
        free(text);
        bench_close(&b);
    }
}

/* Replies that are due when a kernel is given up do not come to the next one. */
static void a_stopped_kernel_leaves_nothing(void **unused)
{
    (void)unused;
    for (unsigned n = 0; n < 300; n += 37) {
        struct config c = test_config();
        struct bench b;
        c.run_max_cycles = 9000 + n;
        c.sm_max_blocks = 2;
        strcpy(c.run_backend, "lockstep");
        strcpy(c.run_dispatch, "rb");
        bench_open(&b, &c, program, NULL);
        const uint64_t data = bench_buffer(&b, BLOCKS * 256);
        params(&b, data, 1, 0);
        bench_time(&b, "k", BLOCKS, 32); /* L2 has the data from now on */
        params(&b, data, 1, 0);
        const uint64_t alone = bench_time(&b, "k", 2 * NUM_SMS, 32);
        params(&b, data, 30, 10000);
        assert_int_equal(bench_run(&b, "k", BLOCKS, 32), GPU_LIMIT);
        params(&b, data, 1, 0);
        assert_int_equal(bench_time(&b, "k", 2 * NUM_SMS, 32), alone);
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_that_share_meet),
        cmocka_unit_test(who_has_none_steals),
        cmocka_unit_test(backends_agree),
        cmocka_unit_test(groups_go_in_order),
        cmocka_unit_test(more_than_next_tb_can_name),
        cmocka_unit_test(lies_are_found),
        cmocka_unit_test(a_stopped_kernel_leaves_nothing),
    };
    return cmocka_run_group_tests_name("tb/gpu/paver", tests, NULL, NULL);
}
