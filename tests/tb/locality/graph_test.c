/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/locality/graph_test.c: the graph of what blocks share against sets of units, one byte each;
 * orders and groups of blocks against the rules, followed in the dullest way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/locality/group.h"
#include "tb/locality/prim.h"

#define UNITS      300
#define MAX_BLOCKS 64

static uint64_t random_state;

static uint32_t draw(uint32_t below)
{
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)((random_state >> 33) % below);
}

/* Random parts of a random grid. */
static void make(struct footprint *f)
{
    *f = (struct footprint){.grid = {1 + draw(4), 1 + draw(4), 1 + draw(4)}, .unit = 4};
    for (uint32_t axes = 0; axes < 8; axes++) {
        if (draw(2))
            continue;
        struct part *p = &f->parts[f->num_parts++];
        *p = (struct part){.axes = axes, .count = 1};
        for (int i = 0; i < 3; i++)
            p->count *= axes >> i & 1 ? f->grid[i] : 1;
        p->sets = calloc(p->count, sizeof *p->sets);
        for (uint32_t set = 0; set < p->count; set++) {
            for (uint32_t i = draw(5); i > 0; i--) {
                const uint32_t first = draw(UNITS - 10);
                assert_int_equal(spans_add(&p->sets[set], first, first + 1 + draw(10)), 0);
            }
            spans_sort(&p->sets[set]);
        }
    }
}

/* What each block reads: a row of bytes. */
static void spread(const struct footprint *f, uint8_t rows[MAX_BLOCKS][UNITS])
{
    uint32_t block[3], number = 0;
    memset(rows, 0, (size_t)MAX_BLOCKS * UNITS);
    for (block[2] = 0; block[2] < f->grid[2]; block[2]++)
        for (block[1] = 0; block[1] < f->grid[1]; block[1]++)
            for (block[0] = 0; block[0] < f->grid[0]; block[0]++, number++)
                for (uint32_t p = 0; p < f->num_parts; p++) {
                    const struct spans *s =
                        &f->parts[p].sets[part_set(&f->parts[p], f->grid, block)];
                    for (uint32_t i = 0; i < s->count; i++)
                        memset(&rows[number][s->span[i].first], 1,
                               s->span[i].behind - s->span[i].first);
                }
}

static void spans_are_sets(void **state)
{
    (void)state;
    random_state = 3;
    for (int round = 0; round < 2000; round++) {
        uint8_t expected[UNITS] = {0}, found[UNITS] = {0};
        struct spans s = {0};
        for (uint32_t i = draw(40); i > 0; i--) {
            const uint32_t first = draw(UNITS - 8), behind = first + 1 + draw(8);
            memset(expected + first, 1, behind - first);
            assert_int_equal(spans_add(&s, first, behind), 0);
        }
        spans_sort(&s);
        for (uint32_t i = 0; i < s.count; i++) {
            assert_true(s.span[i].first < s.span[i].behind);
            assert_true(i == 0 || s.span[i].first > s.span[i - 1].behind);
            memset(found + s.span[i].first, 1, s.span[i].behind - s.span[i].first);
        }
        assert_memory_equal(expected, found, UNITS);
        free(s.span);
    }
}

/* The graph, unit by unit. */
static void compare(const struct sharing *s, uint8_t rows[MAX_BLOCKS][UNITS])
{
    uint64_t pairs = 0, units = 0, shared = 0, common = 0;
    uint32_t sharers = 0;
    uint32_t readers[UNITS] = {0};
    for (uint32_t u = 0; u < UNITS; u++) {
        for (uint32_t b = 0; b < s->num_blocks; b++)
            readers[u] += rows[b][u];
        units += readers[u] > 0;
        shared += readers[u] > 1;
        common += s->num_blocks > 2 && readers[u] > s->num_blocks / 2;
    }
    for (uint32_t a = 0; a < s->num_blocks; a++) {
        uint64_t e = s->first[a];
        int is_sharer = 0;
        for (uint32_t b = 0; b < s->num_blocks; b++) {
            uint64_t both = 0, weight = 0;
            for (uint32_t u = 0; u < UNITS && a != b; u++) {
                const int is_common = s->num_blocks > 2 && readers[u] > s->num_blocks / 2;
                both += rows[a][u] && rows[b][u];
                weight += rows[a][u] && rows[b][u] && !is_common;
            }
            pairs += both > 0;
            is_sharer |= both > 0;
            if (!weight)
                continue;
            assert_true(e < s->first[a + 1]);
            assert_int_equal(s->to[e], b);
            assert_int_equal(s->weight[e++], weight);
        }
        assert_int_equal(e, s->first[a + 1]);
        sharers += (uint32_t)is_sharer;
    }
    assert_int_equal(s->counts.pairs, pairs);
    assert_int_equal(s->counts.units, units);
    assert_int_equal(s->counts.shared, shared);
    assert_int_equal(s->counts.common, common);
    assert_int_equal(s->counts.sharers, sharers);
}

static uint64_t weight_of(const struct sharing *s, uint32_t a, uint32_t b)
{
    for (uint64_t e = s->first[a]; e < s->first[a + 1]; e++)
        if (s->to[e] == b)
            return s->weight[e];
    return 0;
}

/* Prim's rule: of those that are left, the one with the heaviest edge to any that is taken. */
static void assert_prim(const struct sharing *s, const uint32_t *blocks, uint32_t count)
{
    for (uint32_t at = 1; at < count; at++) {
        uint64_t heaviest = 0, own = 0;
        uint32_t best = UINT32_MAX;
        for (uint32_t i = at; i < count; i++) {
            uint64_t most = 0;
            for (uint32_t j = 0; j < at; j++) {
                const uint64_t w = weight_of(s, blocks[i], blocks[j]);
                most = w > most ? w : most;
            }
            own = i == at ? most : own;
            if (best == UINT32_MAX || most > heaviest || (most == heaviest && blocks[i] < best)) {
                heaviest = most;
                best = blocks[i];
            }
        }
        assert_int_equal(own, heaviest);
        assert_int_equal(blocks[at], best);
    }
}

/* Every block once, no group empty, as many in each as the rule allows. */
static void assert_groups(const struct sharing *s, const struct grouping *g,
                          enum grouping_kind kind, struct grouping_room room)
{
    const uint32_t most = (s->num_blocks + room.sms - 1) / room.sms, /* an even share */
        size_of = room.fill || most > room.resident ? room.resident : most;
    /* As many as all SMs hold, or fewer: each SM has a part. */
    const int parts = kind == GROUPING_KWAY || (kind == GROUPING_RB && !room.fill &&
                                                s->num_blocks <= room.sms * room.resident);
    uint8_t seen[MAX_BLOCKS] = {0};
    assert_int_equal(g->first[0], 0);
    assert_int_equal(g->first[g->count], s->num_blocks);
    for (uint32_t i = 0; i < s->num_blocks; i++) {
        assert_false(seen[g->blocks[i]]);
        seen[g->blocks[i]] = 1;
    }
    for (uint32_t i = 0; i < g->count; i++) {
        const uint32_t size = g->first[i + 1] - g->first[i];
        assert_true(size > 0);
        assert_true(parts || size <= room.resident);
        if (kind == GROUPING_MST)
            assert_true(i + 1 == g->count || size == (i < room.sms ? size_of : 1));
        if (parts)
            assert_prim(s, g->blocks + g->first[i], size);
    }
    if (kind == GROUPING_MST)
        assert_prim(s, g->blocks, s->num_blocks);
    if (parts)
        assert_true(g->count <= room.sms);
}

static void graphs_and_groups(void **state)
{
    static uint8_t rows[MAX_BLOCKS][UNITS];
    struct ptx_error error;
    (void)state;
    random_state = 1;
    for (int round = 0; round < 400; round++) {
        struct footprint f;
        struct sharing s;
        make(&f);
        spread(&f, rows);
        assert_int_equal(sharing_find(&s, &f, &error), 0);
        compare(&s, rows);
        for (int kind = GROUPING_MST; kind <= GROUPING_RB; kind++) {
            struct grouping g, again;
            const struct grouping_room room = {1 + draw(8), 1 + draw(6), (int)draw(2)};
            assert_int_equal(grouping_make(&g, &s, kind, room), 0);
            assert_int_equal(grouping_make(&again, &s, kind, room), 0);
            assert_groups(&s, &g, kind, room);
            assert_memory_equal(g.blocks, again.blocks, s.num_blocks * sizeof *g.blocks);
            grouping_free(&g);
            grouping_free(&again);
        }
        sharing_free(&s);
        footprint_free(&f);
    }
}

/* A row of blocks, each sharing with its neighbours: groups are pieces of the row. */
static void a_chain_is_cut(void **state)
{
    struct footprint f = {.grid = {32, 1, 1}, .unit = 4, .num_parts = 1};
    struct ptx_error error;
    struct sharing s;
    struct grouping g;
    (void)state;
    f.parts[0] = (struct part){.axes = 1, .count = 32, .sets = calloc(32, sizeof(struct spans))};
    for (uint32_t i = 0; i < 32; i++)
        spans_add(&f.parts[0].sets[i], 10 * i, 10 * i + 12);
    assert_int_equal(sharing_find(&s, &f, &error), 0);
    assert_int_equal(s.counts.pairs, 62);
    assert_int_equal(grouping_make(&g, &s, GROUPING_RB, (struct grouping_room){4, 4, 0}), 0);
    assert_int_equal(g.count, 8);
    for (uint32_t i = 0; i < g.count; i++) { /* four blocks in a row, whichever way round */
        uint32_t least = 32, most = 0;
        for (uint32_t b = g.first[i]; b < g.first[i + 1]; b++) {
            least = g.blocks[b] < least ? g.blocks[b] : least;
            most = g.blocks[b] > most ? g.blocks[b] : most;
        }
        assert_int_equal(most - least, 3);
    }
    grouping_free(&g);
    sharing_free(&s);
    footprint_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spans_are_sets),
                                       cmocka_unit_test(graphs_and_groups),
                                       cmocka_unit_test(a_chain_is_cut)};
    return cmocka_run_group_tests_name("locality graph", tests, NULL, NULL);
}
