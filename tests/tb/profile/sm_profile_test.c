/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/profile/sm_profile_test.c: what is counted of the loads of an SM, against the dumb restatement
 * of plain_loads.h. Random warps go through two loops, one in the other; what L1D says of their lines is
 * random, too. They are of one kernel, or of two at once, whose loads wait in one queue or apart. Events
 * that are told wrongly must make a difference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/profile/sm_profile.h"
#include "tb/units/view.h"
#include "tests/tb/mem/random.h"
#include "tests/tb/profile/plain_loads.h"
#include "tests/tb/test_config.h"

#define LINES 24
#define PCS   24

/* The kernel: loop 1 from 4 to 19, and in it loop 2, which lies so that its branch back comes before
 * its first instruction: 10 goes to 13, 15 to 11, 12 back to 13. Loads at four places, two of
 * which are the loops' first instructions. */
enum { OUTER_HEAD = 4, OUTER_BACK = 19, INNER_HEAD = 13, INNER_BACK = 12, NUM_LOADS = 4 };
static uint32_t loop_of[PCS], load_at[PCS];
static struct ptx_loop loops[2] = {{OUTER_HEAD, OUTER_BACK, 1, 0}, {INNER_HEAD, INNER_BACK, 2, 1}};
static const uint32_t load_pcs[NUM_LOADS] = {2, OUTER_HEAD, INNER_HEAD, 18};
static const struct ptx_kernel kernel = {
    .num_uops = PCS, .loops = loops, .num_loops = 2, .loop_of = loop_of};

static uint64_t next_pc(uint64_t pc)
{
    switch (pc) {
    case 10: return INNER_HEAD;
    case 15: return below(3) ? 11 : 16;
    case INNER_BACK: return INNER_HEAD;
    case OUTER_BACK: return below(3) ? OUTER_HEAD : 20;
    default: return pc + 1;
    }
}

struct issued {
    unsigned slot, load;
    uint64_t cycle;
    struct trip trips[2];
};

struct warp {
    unsigned kernel;
    uint64_t life, block, pc; /* life 0: no warp; pc: next */
    uint64_t came_from;
    unsigned in_flight;
    struct trip trips[2];
};

static struct load_profile plain[NUM_KERNELS][NUM_LOADS];

/* A load whose lines are accessed. */
struct head {
    struct issued load;
    unsigned lines, first, next; /* next: 0 to lines - 1; lines: it is done */
    int reusing;
};

static struct {
    struct warp warps[4];
    uint64_t lives, cycle, launches;
    unsigned num_kernels, num_queues;
    struct issued queue[NUM_KERNELS][8];
    unsigned queued[NUM_KERNELS];
    struct head heads[NUM_KERNELS];
    enum { ABSENT, COMING, THERE } lines[LINES];
} world;

static uint64_t address_of(unsigned line)
{
    return UINT64_C(0x10000) + line * UINT64_C(128);
}

/* What is told wrongly on its way to the profile. */
enum fault {
    NO_FAULT,
    OWNER_OFF_BY_ONE, /* a miss is told of the neighbour */
    COUNTED_AT_FILL,  /* a miss is told when its line comes */
    MERGED_FORGOTTEN,
    BYPASS_FORGOTTEN,
    WRITES_LOST,
    LOOPS_LOST,
    ENDLESS_WARPS, /* a slot's next tenant is taken for the same warp */
    ONE_KERNEL,    /* all warps are the first kernel's */
    NUM_FAULTS
};
static enum fault fault;
static struct listener *listener;
static struct event late[64];
static unsigned num_late;

static void say(struct event e)
{
    e.cycle = world.cycle;
    if (fault == OWNER_OFF_BY_ONE && e.kind == EVENT_l1d_miss)
        e.of.l1d_miss.warp ^= 1;
    if (fault == MERGED_FORGOTTEN && e.kind == EVENT_l1d_miss)
        e.of.l1d_miss.merged = 0;
    if (fault == BYPASS_FORGOTTEN && e.kind == EVENT_l1d_miss)
        e.of.l1d_miss.bypass = 0;
    if (fault == LOOPS_LOST && e.kind == EVENT_issue)
        e.of.issue.loop_begin = 0;
    if (fault == ONE_KERNEL && e.kind == EVENT_warp_start)
        e.of.warp_start.kernel = 0;
    if ((fault == WRITES_LOST && e.kind == EVENT_l1d_write) ||
        (fault == ENDLESS_WARPS && e.kind == EVENT_warp_start && world.lives > 4))
        return;
    if (fault == COUNTED_AT_FILL && e.kind == EVENT_l1d_miss && !e.of.l1d_miss.bypass) {
        late[num_late++ % 64] = e;
        return;
    }
    if (listener->hears >> e.kind & 1)
        listener->hear(listener->context, &e);
}

static void fill(unsigned line)
{
    for (unsigned i = 0; i < num_late; i++)
        if (late[i % 64].of.l1d_miss.line == address_of(line)) {
            listener->hear(listener->context, &late[i % 64]);
            late[i % 64].of.l1d_miss.line = 0;
        }
    world.lines[line] = THERE;
}

/* One line of a load, by what L1D says: anything that can be. */
static void touch(const struct issued *q, unsigned line)
{
    const struct warp *w = &world.warps[q->slot];
    const uint64_t address = address_of(line), pc = load_pcs[q->load];
    struct happened *now = &happened[num_happened++];
    struct load_profile *l = &plain[w->kernel][q->load];
    const int hit = world.lines[line] == THERE, merged = world.lines[line] == COMING;
    const int bypass = !hit && !merged && !below(6);
    *now = (struct happened){.what = LOAD,
                             .line = address,
                             .life = w->life,
                             .block = w->block,
                             .hit = hit,
                             .merged = merged,
                             .bypass = bypass};
    memcpy(now->trips, q->trips, sizeof now->trips);
    if (hit)
        say((struct event){EVENT_l1d_hit,
                           .of.l1d_hit = {.line = address, .warp = q->slot, .pc = pc}});
    else
        say((struct event){EVENT_l1d_miss, .of.l1d_miss = {.line = address,
                                                           .warp = q->slot,
                                                           .pc = pc,
                                                           .merged = (uint64_t)merged,
                                                           .bypass = (uint64_t)bypass}});
    plain_touch(l, now, loop_of[pc]);
    if (!hit && !merged && !bypass)
        world.lines[line] = COMING;
}

/* The load/store unit takes the oldest load of a queue. */
static void open_head(unsigned queue)
{
    struct head *h = &world.heads[queue];
    const struct issued q = world.queue[queue][0];
    const unsigned lines = 1 + below(4), lanes = lines + below(33 - lines);
    struct load_profile *l = &plain[world.warps[q.slot].kernel][q.load];
    memmove(&world.queue[queue][0], &world.queue[queue][1],
            --world.queued[queue] * sizeof world.queue[queue][0]);
    world.warps[q.slot].in_flight--;
    if (!below(8))
        return; /* no lane executes it */
    const unsigned all = below(4) ? lanes : lines;
    say((struct event){EVENT_access, .of.access = {.warp = q.slot,
                                                   .pc = load_pcs[q.load],
                                                   .issued = q.cycle,
                                                   .lines = lines,
                                                   .active = ~UINT64_C(0) >> (64 - all)}});
    l->executions++;
    l->lanes += all;
    l->converged += lines == 1 || lines == 2;
    l->diverged += lines == all && lines > 2;
    l->shapes[all][lines]++;
    *h = (struct head){.load = q, .lines = lines, .first = below(LINES)};
}

static int is_open(unsigned queue)
{
    return world.heads[queue].next < world.heads[queue].lines;
}

static void access_line(unsigned queue)
{
    struct head *h = &world.heads[queue];
    const struct warp *w = &world.warps[h->load.slot];
    const unsigned line = (h->first + h->next++ * 5) % LINES;
    touch(&h->load, line);
    h->reusing |= last_touch(address_of(line), w->life) != NULL;
    if (!is_open(queue))
        plain[w->kernel][h->load.load].executions_reusing += (uint64_t)h->reusing;
}

/* Heads of two queues take turns at L1D, one of which may have begun before the other. */
static void access_some(unsigned places)
{
    for (unsigned q = 0; q < world.num_queues; q++) {
        while (q && is_open(0) && below(2))
            access_line(0);
        if (world.queued[q] == places || (world.queued[q] && !below(3)))
            open_head(q);
    }
    while (is_open(0) || is_open(1))
        access_line(is_open(0) && is_open(1) ? below(2) : !is_open(0));
}

static void issue(unsigned slot)
{
    struct warp *w = &world.warps[slot];
    const uint64_t pc = w->pc;
    for (unsigned i = 0; i < 2; i++)
        if (pc == loops[i].head) {
            const int again = i ? w->came_from == INNER_BACK : w->came_from == OUTER_BACK;
            w->trips[i].trip = again ? w->trips[i].trip + 1 : 0;
            w->trips[i].entry += !again;
        }
    const uint64_t loop = pc == OUTER_HEAD ? 1 : pc == INNER_HEAD ? 2 : 0;
    say((struct event){EVENT_issue, .of.issue = {.warp = slot, .pc = pc, .loop_begin = loop}});
    if (load_at[pc] != NO_LOAD_NUMBER) {
        const unsigned queue = world.num_queues == 1 ? 0 : w->kernel;
        struct issued *q = &world.queue[queue][world.queued[queue]++];
        *q = (struct issued){.slot = slot, .load = load_at[pc], .cycle = world.cycle};
        memcpy(q->trips, w->trips, sizeof q->trips);
        w->in_flight++;
    }
    w->came_from = pc;
    w->pc = next_pc(pc);
}

static void step(unsigned slot, unsigned queue)
{
    struct warp *w = &world.warps[slot];
    const unsigned line = below(LINES);
    world.cycle += 1 + below(3);
    access_some(queue);
    if (!w->life || (w->pc == PCS - 1 && !w->in_flight)) {
        const unsigned number = world.num_kernels == 1 ? 0 : below(world.num_kernels);
        const uint64_t block = world.lives / 6; /* a kernel's blocks are none of the other's */
        *w = (struct warp){.kernel = number,
                           .life = ++world.lives,
                           .block = block * 100 + (number ? 1 + world.launches : 0)};
        say((struct event){EVENT_warp_start,
                           .of.warp_start = {.warp = slot, .block = block, .kernel = number}});
    } else if (w->pc < PCS - 1)
        issue(slot);
    if (world.lines[line] == COMING)
        fill(line);
    else if (!below(10))
        world.lines[line] = ABSENT; /* evicted */
    else if (!below(12)) {
        world.lines[line] = ABSENT;
        happened[num_happened++] = (struct happened){.what = WRITE, .line = address_of(line)};
        say((struct event){EVENT_l1d_write, .of.l1d_write.line = address_of(line)});
    }
}

/* The second kernel ends, and another launch begins beside the first. Returns whether all was followed. */
static int launch_again(struct sm_profile *p, const struct kernel_loads *k,
                        struct load_profile found[NUM_LOADS])
{
    const unsigned queue = world.num_queues - 1;
    unsigned kept = 0;
    for (unsigned i = 0; i < world.queued[queue]; i++)
        if (world.warps[world.queue[queue][i].slot].kernel == 0)
            world.queue[queue][kept++] = world.queue[queue][i];
    world.queued[queue] = kept;
    for (unsigned slot = 0; slot < 4; slot++)
        if (world.warps[slot].kernel == 1)
            world.warps[slot] = (struct warp){0};
    world.launches++;
    return !sm_profile_end(p, 1, found) && !sm_profile_begin(p, 1, k);
}

/* Runs a world of its own; whether profile and restatement agree on it. `sum` gets what was
 * counted of the last kernel. */
static int agree(unsigned steps, unsigned kernels, unsigned queues, struct load_profile *sum)
{
    struct config c = test_config();
    struct load_profile found[NUM_KERNELS][NUM_LOADS] = {0};
    int all = 1;
    struct kernel_loads k = {&kernel, NUM_LOADS, load_at};
    c.l1d_sets = 2;
    c.l1d_ways = CAPACITY / 2;
    c.mem_queue = 5;
    struct sm_profile *p = sm_profile_new(&c);
    assert_non_null(p);
    listener = sm_profile_listener(p);
    memset(&world, 0, sizeof world);
    memset(plain, 0, sizeof plain);
    num_happened = 0;
    world.num_kernels = kernels;
    world.num_queues = queues;
    num_late = 0;
    for (unsigned pc = 0; pc < PCS; pc++) {
        loop_of[pc] = pc >= 11 && pc <= 15 ? 2 : pc >= OUTER_HEAD && pc <= OUTER_BACK ? 1 : 0;
        load_at[pc] = NO_LOAD_NUMBER;
    }
    for (unsigned i = 0; i < NUM_LOADS; i++)
        load_at[load_pcs[i]] = i;
    for (unsigned i = 0; i < kernels; i++)
        assert_int_equal(sm_profile_begin(p, i, &k), 0);
    for (unsigned i = 0; i < steps; i++) {
        step(below(4), 5);
        if (kernels == 2 && i == steps / 2)
            all = launch_again(p, &k, found[1]);
    }
    for (unsigned i = 0; i < kernels; i++)
        all = !sm_profile_end(p, i, found[i]) && all;
    for (unsigned i = 0; sum && i < NUM_LOADS; i++)
        ADD_COUNTS(*sum, found[kernels - 1][i]);
    sm_profile_free(p);
    return all && !memcmp(found, plain, sizeof found);
}

static void counts_are_those_of_the_restatement(void **unused)
{
    (void)unused;
    static const unsigned kernels[] = {1, 2, 2}, queues[] = {1, 1, 2};
    fault = NO_FAULT;
    for (unsigned n = 0; n < sizeof kernels / sizeof *kernels; n++) {
        struct load_profile sum = {0};
        for (unsigned i = 0; i < 16; i++)
            assert_true(agree(i < 4 ? 200 : 1500, kernels[n], queues[n], &sum));
#define COUNTER(name, meaning)                                                                     \
    if (sum.name < 20)                                                                             \
        fail_msg("%s reached only %llu", #name, (unsigned long long)sum.name);
#include "tb/profile/profile.def"
    }
}

static void what_is_told_wrongly_makes_a_difference(void **unused)
{
    (void)unused;
    for (fault = NO_FAULT + 1; fault < NUM_FAULTS; fault++)
        if (agree(1000, 2, 2, NULL))
            fail_msg("fault %d makes no difference", fault);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_restatement),
        cmocka_unit_test(what_is_told_wrongly_makes_a_difference),
    };
    return cmocka_run_group_tests_name("tb/profile/sm_profile", tests, NULL, NULL);
}
