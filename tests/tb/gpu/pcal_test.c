/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/pcal_test.c: the policy pcal in the machine. A kernel whose warps walk along arrays of their own, with samples that are
 * short: all SMs begin at (N_swl, N_swl), then each has its p, then all the same, and `mask` of every scheduler has what the unit says in
 * the same cycle. The counts that the unit is shown are the instructions that the SMs have issued while it said so. On a small machine
 * in lockstep, and observed. */
#include "cmodel/mask/mask.h"
#include "cmodel/pcal/pcal.h"
#include "tb/sm/sm_state.h"
#include "tests/tb/gpu/walk.h"

static struct watch {
    struct gpu *gpu;
    uint64_t issued[NUM_SMS]; /* in cycles in which the unit has the SMs count, since that began */
    uint64_t before[NUM_SMS]; /* issued by each, up to the cycle before */
    int counts;
    unsigned samples, read, differ, same, held; /* cycles but for the first */
    uint64_t first_n, last_n, last_p;
} watch;

/* The instructions of the cycle belong to the sample if the unit says so in it. */
static void count(const struct pcal_out *out)
{
    watch.samples += out->count && !watch.counts;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        const uint64_t now = sm_counters(watch.gpu->sms[i]).warp_instructions;
        if (out->count)
            watch.issued[i] = (watch.counts ? watch.issued[i] : 0) + now - watch.before[i];
        watch.before[i] = now;
    }
    watch.counts = (int)out->count;
}

static void look(void *context, uint64_t cycle)
{
    const struct rack *rack = &watch.gpu->dispatcher.rack;
    const struct plug *pcal = plug_find(&rack->plugs[0], "pcal");
    const struct pcal_out *out = pcal->out;
    const struct pcal_state *state = plug_state(pcal);
    int differ = 0;
    (void)context;
    count(out);
    for (unsigned i = 0; i < NUM_SMS && cycle > 0; i++) {
        const struct sm *sm = watch.gpu->sms[i];
        differ |= out->polluters[i] != out->polluters[0];
        for (unsigned j = 0; j < NUM_SCHEDULERS; j++) {
            assert_int_equal(sm->controls[j].vital, out->vital);
            assert_int_equal(sm->controls[j].polluters, out->polluters[i]);
        }
    }
    const struct pcal_in *in = pcal->in;
    if (state->state == PCAL_READ && in->issued[0] + in->issued[1])
        for (unsigned i = 0; i < NUM_SMS; i++, watch.read++)
            assert_int_equal(in->issued[i], watch.issued[i]);
    if (!watch.first_n && cycle > 0)
        watch.first_n = out->vital;
    watch.differ += (unsigned)differ;
    watch.same += !differ;
    watch.held += state->state == PCAL_HOLD;
    watch.last_n = out->vital;
    watch.last_p = out->polluters[0];
}

static uint64_t walk(struct config *c, int looks)
{
    watch = (struct watch){0};
    return walk_time(c, looks ? look : NULL, &watch.gpu);
}

static struct config searching(void)
{
    struct config c = test_config();
    strcpy(c.run_sched, "pcal");
    c.pcal_warmup = 20;
    c.pcal_sample = 100;
    return c;
}

static void p_is_spread_and_n_climbs(void **unused)
{
    (void)unused;
    struct config c = searching();
    c.pcal_n = 2;
    walk(&c, 1);
    print_message("%u samples, %u counts read, %u cycles with different p, %u with the same, %u "
                  "held at (%u, %u)\n",
                  watch.samples, watch.read, watch.differ, watch.same, watch.held,
                  (unsigned)watch.last_n, (unsigned)watch.last_p);
    assert_int_equal(watch.first_n, 2);
    assert_true(watch.samples >= 2 && watch.read >= 2 * NUM_SMS && watch.differ > 100);
    assert_true(watch.held > 100 && watch.last_p <= 2);
}

/* With N_swl = W = 1 there is nothing to vary: it is swl. */
static void where_nothing_varies_it_is_swl(void **unused)
{
    (void)unused;
    struct config pcal = searching(), swl = test_config();
    strcpy(swl.run_sched, "swl");
    swl.mask_n = pcal.pcal_n = 1;
    pcal.pcal_stride = 0;
    const uint64_t cycles = walk(&pcal, 0);
    assert_int_equal(walk(&swl, 0), cycles);
}

static void a_late_unit_reads_whole_samples(void **unused)
{
    (void)unused;
    struct config c = searching();
    c.pcal_delay = 5;
    const uint64_t late = walk(&c, 0);
    assert_true(late > 0);
}

/* Whatever the number of the host's threads. */
static void threads_change_nothing(void **unused)
{
    (void)unused;
    struct config one = searching(), two = searching();
    two.run_threads = 2;
    const uint64_t cycles = walk(&one, 0);
    assert_int_equal(walk(&two, 0), cycles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(p_is_spread_and_n_climbs),
        cmocka_unit_test(where_nothing_varies_it_is_swl),
        cmocka_unit_test(a_late_unit_reads_whole_samples),
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests_name("tb/gpu/pcal", tests, NULL, NULL);
}
