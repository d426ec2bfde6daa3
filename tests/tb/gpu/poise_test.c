/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/poise_test.c: the policies swl and poise in the machine. A kernel whose warps walk along arrays
 * of their own, with epochs that are short: Poise starts at (W, W), visits (1, 1), predicts, searches,
 * and begins again; `mask` has what it says in the cycle after. On a small machine in lockstep, and
 * observed. swl is mask.n on gto. */
#include "cmodel/mask/mask.h"
#include "cmodel/poise/poise.h"
#include "tb/sm/sm_state.h"
#include "tests/tb/gpu/walk.h"

/* What is seen of SM 0. */
static struct watch {
    struct gpu *gpu;
    unsigned seen[NUM_WARPS + 1][NUM_WARPS + 1]; /* cycles at a pair (N, p) */
    unsigned shown;                              /* cycles in which mask was asked with it */
    uint64_t most;                               /* W */
} watch;

static void look(void *context, uint64_t cycle)
{
    const struct sm *sm = watch.gpu->sms[0];
    const struct controls *c = &sm->controls[0];
    (void)context;
    (void)cycle;
    if (c->vital == NO_CHOICE) /* before its first cycle */
        return;
    assert_true(c->vital >= 1 && c->vital <= NUM_WARPS);
    assert_true(c->polluters >= 1 && c->polluters <= c->vital);
    watch.seen[c->vital][c->polluters]++;
    watch.most = sm->view.warps;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        assert_true(sm->controls[i].vital == c->vital && sm->controls[i].polluters == c->polluters);
        const struct plug *mask = plug_find(sm->schedulers[i].rack.plugs, "mask");
        const struct mask_in *in = mask->in;
        watch.shown += in->n == c->vital && in->p == c->polluters;
    }
}

static uint64_t walk(struct config *c, int looks)
{
    watch = (struct watch){0};
    return walk_time(c, looks ? look : NULL, &watch.gpu);
}

static void pairs_are_sampled_predicted_and_searched(void **unused)
{
    (void)unused;
    struct config c = test_config();
    strcpy(c.run_sched, "poise");
    c.poise_period = 6000;
    c.poise_warmup = 20;
    c.poise_feature = 500;
    c.poise_search = 100;
    c.poise_stride_n = c.poise_stride_p = 1;
    const uint64_t cycles = walk(&c, 1);
    unsigned pairs = 0, all = 0;
    for (unsigned n = 1; n <= NUM_WARPS; n++)
        for (unsigned p = 1; p <= n; p++) {
            pairs += watch.seen[n][p] > 0;
            all += watch.seen[n][p];
        }
    print_message("%u cycles looked at, %u pairs\n", all, pairs);
    assert_true(cycles > 2500);
    assert_true(watch.seen[watch.most][watch.most] > 0 && watch.seen[1][1] > 0);
    assert_true(pairs >= 3 && watch.shown > all);
}

static void without_loads_all_warps_stay(void **unused)
{
    (void)unused;
    struct config c = test_config();
    strcpy(c.run_sched, "poise");
    c.poise_warmup = 20;
    c.poise_feature = 300;
    c.poise_cutoff = 0; /* every kernel has more instructions than loads */
    const uint64_t throttled = walk(&c, 1);
    for (unsigned n = 1; n <= NUM_WARPS; n++)
        for (unsigned p = 1; p <= n; p++)
            assert_true(!watch.seen[n][p] || (n == watch.most && p == n));
    struct config gto = test_config();
    strcpy(gto.run_sched, "gto");
    assert_int_equal(walk(&gto, 0), throttled);
}

static void swl_is_mask_on_gto(void **unused)
{
    (void)unused;
    struct config swl = test_config(), gto = test_config();
    strcpy(swl.run_sched, "swl");
    strcpy(gto.run_sched, "gto");
    const uint64_t all = walk(&swl, 0);
    assert_int_equal(walk(&gto, 0), all);
    swl.mask_n = gto.mask_n = 1;
    const uint64_t one = walk(&swl, 0);
    assert_int_equal(walk(&gto, 0), one);
    assert_true(one != all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_sampled_predicted_and_searched),
        cmocka_unit_test(without_loads_all_warps_stay),
        cmocka_unit_test(swl_is_mask_on_gto),
    };
    return cmocka_run_group_tests_name("tb/gpu/poise", tests, NULL, NULL);
}
