/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/vta/vta_test.c: the C reference against its rule, restated as one list of the lines
 * that warps have lost, in the order in which they left L1D. There are no ways, no tags and no order
 * bits: what is asked is counted anew from the list. Nothing is shared with vta.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/vta/vta.h"
#include "cosim/stimulus.h"

void vta_stimulus(struct stimulus *, void *);

#define SLOTS   (NUM_SCHEDULERS * NUM_WARPS)
#define ENTRIES (SLOTS * VTA_SETS * VTA_WAYS)

struct lost {
    uint64_t warp, line;
};

/* The oldest first. */
struct plain {
    struct lost lost[ENTRIES + 1];
    int length;
};

static void take_out(struct plain *p, int at)
{
    p->length--;
    memmove(&p->lost[at], &p->lost[at + 1], (size_t)(p->length - at) * sizeof p->lost[0]);
}

static int same_set(const struct lost *a, uint64_t warp, uint64_t line)
{
    return a->warp == warp && a->line % VTA_SETS == line % VTA_SETS;
}

static int times_lost(const struct plain *p, uint64_t warp, uint64_t line)
{
    int times = 0;
    for (int n = 0; n < p->length; n++)
        times += p->lost[n].warp == warp && p->lost[n].line == line;
    return times;
}

static int set_size(const struct plain *p, uint64_t warp, uint64_t line)
{
    int size = 0;
    for (int n = 0; n < p->length; n++)
        size += same_set(&p->lost[n], warp, line);
    return size;
}

static int is_fresh(const struct vta_in *in, uint64_t slot)
{
    return (int)(in->fresh[slot / 64] >> slot % 64 & 1);
}

static int plain_hit(const struct plain *p, const struct vta_in *in)
{
    return in->miss && !in->start && times_lost(p, in->miss_warp, in->miss_line) > 0;
}

static void lose(struct plain *p, uint64_t warp, uint64_t line)
{
    const int full = set_size(p, warp, line) == VTA_WAYS;
    for (int n = 0; full && n < p->length; n++)
        if (same_set(&p->lost[n], warp, line)) {
            take_out(p, n);
            break;
        }
    p->lost[p->length++] = (struct lost){warp, line};
}

static void plain_edge(struct plain *p, const struct vta_in *in)
{
    for (int n = p->length - 1; n >= 0; n--)
        if (in->miss && p->lost[n].warp == in->miss_warp && p->lost[n].line == in->miss_line)
            take_out(p, n);
    if (in->evict && in->owner < SLOTS)
        lose(p, in->owner, in->evict_line);
    for (int n = p->length - 1; n >= 0; n--)
        if (is_fresh(in, p->lost[n].warp))
            take_out(p, n);
    if (in->start)
        p->length = 0;
}

struct bench {
    struct vta_state s;
    struct plain p;
    struct vta_in in;
    struct vta_out out;
};

static void open_bench(struct bench *b)
{
    memset(b, 0, sizeof *b);
    for (unsigned n = 0; n < ENTRIES; n++) /* SRAM holds anything */
        b->s.tag[n] = UINT64_C(0x5a5a5a5a5a5a5a5a) >> (64 - LINE_BITS + CLOG2(VTA_SETS));
    memset(b->s.order, 0x5a, sizeof b->s.order);
    vta_reset(&b->s);
}

/* Both go one cycle. */
static void step(struct bench *b)
{
    vta_comb(&b->s, &b->in, &b->out);
    assert_int_equal(b->out.hit, plain_hit(&b->p, &b->in));
    vta_tick(&b->s, &b->in, &b->out);
    plain_edge(&b->p, &b->in);
}

/* What would hit is what the list holds, as often, in every set. */
static void check_all(const struct bench *b)
{
    int valid = 0;
    for (unsigned e = 0; e < ENTRIES; e++) {
        if (!(b->s.valid[e / 64] >> e % 64 & 1))
            continue;
        const unsigned set = e / VTA_WAYS, warp = set / VTA_SETS;
        const uint64_t line = b->s.tag[e] * VTA_SETS + set % VTA_SETS;
        assert_true(times_lost(&b->p, warp, line) > 0);
        valid++;
    }
    assert_int_equal(valid, b->p.length);
    for (int n = 0; n < b->p.length; n++) {
        struct vta_in in = {.miss = 1};
        struct vta_out out;
        in.miss_warp = b->p.lost[n].warp;
        in.miss_line = b->p.lost[n].line;
        vta_comb(&b->s, &in, &out);
        assert_int_equal(out.hit, 1);
    }
}

static void random_sequences(void **unused)
{
    (void)unused;
    static struct bench b;
    unsigned hits = 0, misses = 0, replaced = 0, twice = 0, same_cycle = 0, stale = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct stimulus s = stimulus_start(seed);
        open_bench(&b);
        s.state = &b.s;
        for (; s.cycle < 5000; stimulus_next(&s)) {
            vta_stimulus(&s, &b.in);
            const int lost = times_lost(&b.p, b.in.miss_warp, b.in.miss_line);
            const int full = b.in.evict && b.in.owner < SLOTS &&
                             set_size(&b.p, b.in.owner, b.in.evict_line) == VTA_WAYS;
            step(&b);
            if (s.cycle % 64 == 0)
                check_all(&b);
            hits += b.out.hit;
            misses += b.in.miss && !b.out.hit;
            replaced += full && !b.out.hit;
            twice += b.out.hit && lost > 1;
            same_cycle += full && b.out.hit && b.in.owner == b.in.miss_warp;
            stale += b.in.evict && b.in.owner < SLOTS && is_fresh(&b.in, b.in.owner);
        }
    }
    /* The sequences were such that everything occurred. */
    assert_true(hits > 1000 && misses > 1000 && replaced > 1000);
    assert_true(twice > 100 && same_cycle > 10 && stale > 10);
}

/* Line n of a set. */
static uint64_t line_of(unsigned set, unsigned n)
{
    return (uint64_t)n * VTA_SETS + set;
}

static void evict(struct bench *b, unsigned owner, uint64_t line)
{
    b->in.evict = 1;
    b->in.owner = owner;
    b->in.evict_line = line;
    step(b);
    b->in.evict = 0;
}

static int misses(struct bench *b, unsigned warp, uint64_t line)
{
    b->in.miss = 1;
    b->in.miss_warp = warp;
    b->in.miss_line = line;
    step(b);
    b->in.miss = 0;
    return (int)b->out.hit;
}

/* DAWS 3.3: the tags are private to a warp, and only its own misses count. */
static void only_its_own_lines_hit(void **unused)
{
    (void)unused;
    static struct bench b;
    open_bench(&b);
    assert_int_equal(misses(&b, 1, line_of(0, 3)), 0);
    evict(&b, 1, line_of(0, 3));
    assert_int_equal(misses(&b, 0, line_of(0, 3)), 0);
    assert_int_equal(misses(&b, 1, line_of(1, 3)), 0);
    assert_int_equal(misses(&b, 1, line_of(0, 2)), 0);
    assert_int_equal(misses(&b, 1, line_of(0, 3)), 1);
}

static void a_hit_takes_the_entry_out(void **unused)
{
    (void)unused;
    static struct bench b;
    open_bench(&b);
    evict(&b, 1, 4);
    evict(&b, 1, 4);
    assert_int_equal(misses(&b, 1, 4), 1); /* both of them */
    assert_int_equal(misses(&b, 1, 4), 0);
    evict(&b, 1, 4);
    assert_int_equal(misses(&b, 1, 4), 1);
}

static void the_oldest_of_a_full_set_goes(void **unused)
{
    (void)unused;
    static struct bench b;
    open_bench(&b);
    for (unsigned n = 0; n <= VTA_WAYS; n++)
        evict(&b, 0, line_of(1, n));
    evict(&b, 0, line_of(0, 0)); /* another set */
    assert_int_equal(misses(&b, 0, line_of(1, 0)), 0);
    assert_int_equal(misses(&b, 0, line_of(1, 1)), 1); /* makes room */
    evict(&b, 0, line_of(1, 0));
    for (unsigned n = 2; n <= VTA_WAYS; n++)
        assert_int_equal(misses(&b, 0, line_of(1, n)), 1);
    assert_int_equal(misses(&b, 0, line_of(1, 0)), 1);
}

/* What the hit frees is there for the eviction of the same cycle, and nobody else goes. */
static void a_hit_makes_room_at_once(void **unused)
{
    (void)unused;
    static struct bench b;
    open_bench(&b);
    for (unsigned n = 0; n < VTA_WAYS; n++)
        evict(&b, 0, line_of(0, n));
    b.in.evict = 1;
    b.in.owner = 0;
    b.in.evict_line = line_of(0, VTA_WAYS - 1);
    assert_int_equal(misses(&b, 0, line_of(0, VTA_WAYS - 1)), 1);
    b.in.evict = 0;
    for (unsigned n = 0; n < VTA_WAYS; n++)
        assert_int_equal(misses(&b, 0, line_of(0, n)), 1);
}

static void a_new_warp_has_lost_nothing(void **unused)
{
    (void)unused;
    static struct bench b;
    open_bench(&b);
    evict(&b, 0, 6);
    evict(&b, 1, 6);
    bit_set(b.in.fresh, 1, 1);
    evict(&b, 1, 7); /* of the warp that is gone */
    bit_set(b.in.fresh, 1, 0);
    assert_int_equal(misses(&b, 1, 6), 0);
    assert_int_equal(misses(&b, 1, 7), 0);
    assert_int_equal(misses(&b, 0, 6), 1);
    evict(&b, 0, 6);
    b.in.start = 1;
    evict(&b, 0, 7);
    assert_int_equal(misses(&b, 0, 6), 0); /* nothing hits in this cycle either */
    b.in.start = 0;
    assert_int_equal(misses(&b, 0, 6), 0);
    assert_int_equal(misses(&b, 0, 7), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sequences),
        cmocka_unit_test(only_its_own_lines_hit),
        cmocka_unit_test(a_hit_takes_the_entry_out),
        cmocka_unit_test(the_oldest_of_a_full_set_goes),
        cmocka_unit_test(a_hit_makes_room_at_once),
        cmocka_unit_test(a_new_warp_has_lost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
