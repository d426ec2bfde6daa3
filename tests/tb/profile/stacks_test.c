/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/profile/stacks_test.c: how many accesses find their line at or above a place is how many hit a cache of as many ways, played
 * beside; and of kernels on the machine how many hit its caches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tb/profile/stacks.h"
#include "tests/tb/mem/random.h"
#include "tests/tb/shell.h"

#define SETS     3
#define ACCESSES 20000

/* A cache of so many ways per set and address space, which replaces what it has not used for the longest time. */
struct cache {
    unsigned ways;
    struct {
        uint64_t line, used; /* used: 0: the way is empty */
    } all[MEMORY_SPACES][SETS][STACK_DEPTH];
    uint64_t hits[MEMORY_SPACES];
};

static void cache_access(struct cache *c, unsigned space, unsigned set, uint64_t line, uint64_t now,
                         int is_write)
{
    unsigned oldest = 0;
    for (unsigned i = 0; i < c->ways; i++) {
        if (c->all[space][set][i].used && c->all[space][set][i].line == line) {
            c->hits[space] += !is_write;
            c->all[space][set][i].used = is_write ? 0 : now;
            return;
        }
        if (c->all[space][set][i].used < c->all[space][set][oldest].used)
            oldest = i;
    }
    if (is_write)
        return;
    c->all[space][set][oldest].line = line;
    c->all[space][set][oldest].used = now;
}

static uint64_t hits_with(const struct stacks *s, unsigned space, unsigned ways)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < ways; i++)
        sum += s->counts.at[space][i];
    return sum;
}

/* `writes`: of 16 accesses so many write. */
static void hits_are_those_of_caches(unsigned lines, unsigned writes)
{
    static struct cache caches[STACK_DEPTH];
    struct stacks s;
    uint64_t accesses[MEMORY_SPACES] = {0};
    memset(caches, 0, sizeof caches);
    assert_int_equal(stacks_open(&s, SETS), 0);
    for (uint64_t now = 1; now <= ACCESSES; now++) {
        const unsigned space = below(3) != 0, set = below(SETS), is_write = below(16) < writes;
        const uint64_t line = 1000 + (below(4) ? below(lines) : below(lines) * below(lines));
        accesses[space] += !is_write;
        (is_write ? stacks_remove : stacks_touch)(&s, space, set, line);
        for (unsigned i = 0; i < STACK_DEPTH; i++) {
            caches[i].ways = i + 1;
            cache_access(&caches[i], space, set, line, now, (int)is_write);
        }
    }
    for (unsigned space = 0; space < MEMORY_SPACES; space++) {
        for (unsigned ways = 1; ways <= STACK_DEPTH; ways++)
            assert_int_equal(hits_with(&s, space, ways), caches[ways - 1].hits[space]);
        assert_int_equal(hits_with(&s, space, STACK_DEPTH + 1), accesses[space]);
    }
    assert_true(hits_with(&s, 1, 1) < hits_with(&s, 1, 2));
    stacks_close(&s);
}

static void caches_of_any_ways(void **unused)
{
    (void)unused;
    static const unsigned lines[] = {2, 5, 17, 64, 100};
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++)
        for (unsigned writes = 0; writes < 8; writes += 3)
            hits_are_those_of_caches(lines[i], writes);
}

/* The text's reuse distance of the most recently used line is 0, its bin the first (thesis 3.3.1). */
static void by_hand(void **unused)
{
    (void)unused;
    static const char order[] =
        "abbacbda"; /* a and b are new, then b 1st, a 2nd, c new, b 3rd, d new, a 4th */
    struct stacks s;
    assert_int_equal(stacks_open(&s, 1), 0);
    for (const char *c = order; *c; c++)
        stacks_touch(&s, 0, 0, (uint64_t)*c);
    for (unsigned i = 0; i < STACK_DEPTH; i++)
        assert_int_equal(s.counts.at[0][i], i < 4);
    assert_int_equal(s.counts.at[0][STACK_DEPTH], 4);
    stacks_forget(&s);
    stacks_touch(&s, 0, 0, 'a');
    assert_int_equal(s.counts.at[0][STACK_DEPTH], 5);
    stacks_close(&s);
}

/* On the machine, where lines take time to come: all accesses are there, and those that the stacks say hit are, within 1 %, those that did, or found
 * their line on its way. Two captures have a stack each. */
static void of_the_machine(void **unused)
{
    (void)unused;
    char said[MAX_OUTPUT];
#define STACK(space) "json_extract(readfile('p.json'), '$.stacks.' || cache || '[" space "]')"
#define OVER(column)                                                                               \
    "(SELECT sum(value) FROM json_each(" column ", '$.at') WHERE key < ways) AS near, "            \
    "(SELECT sum(value) FROM json_each(" column ", '$.at')) + json_extract(" column                \
    ", '$.further') AS accesses"
    const char *const ask =
        "d=$(mktemp -d) && cd $d && $H/heddle run --capture=v --stats=s.json --profile=p.json "
        "-- "
        "$H/workloads/spmv --size=small >/dev/null && cat >ask <<'EOF'\n"
        "WITH c(cache) AS (VALUES ('l1d'), ('l2')), "
        "t AS (SELECT cache, json_extract(readfile('s.json'), '$.totals.' || cache) AS totals, "
        "json_extract(readfile('s.json'), '$.settings.\"' || cache || '.ways\"') AS "
        "ways, " STACK("0") " AS stack, " STACK(
            "1") " AS other FROM c), "
                 "r AS (SELECT *, json_extract(totals, '$.hits') + json_extract(totals, "
                 "'$.mshr_merged') AS "
                 "hits, " OVER(
                     "stack") " FROM t) "
                              "SELECT cache, accesses = json_extract(totals, '$.accesses'), "
                              "near > 0 AND abs(near - hits) < 0.01 * accesses, "
                              "json_array_length(other, '$.at'), "
                              "json_extract(other, '$.further') FROM r;\n"
                              "EOF\n"
                              "sqlite3 :memory: <ask && $H/heddle replay --differ "
                              "--dispatch=kmu --profile=p.json "
                              "--stats=s.json v v >/dev/null && sqlite3 :memory: \"SELECT "
                              "count(*) FROM (SELECT "
                              "json_extract(value, '$.accesses') AS a, (SELECT sum(value) FROM "
                              "json_each(readfile("
                              "'p.json'), '$.stacks.l2[' || s.key || '].at')) + "
                              "json_extract(readfile('p.json'), "
                              "'$.stacks.l2[' || s.key || '].further') AS b FROM "
                              "json_each(readfile('s.json'), "
                              "'$.together[0].l2_spaces') s) WHERE a = b AND a > 0\"; rm -rf "
                              "$d";
    assert_int_equal(shell(ask, said), 0);
    assert_string_equal(said, "l1d|1|1|0|0\nl2|1|1|0|0\n2\n");
#undef STACK
#undef OVER
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caches_of_any_ways),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(of_the_machine),
    };
    return cmocka_run_group_tests_name("tb/profile/stacks", tests, NULL, NULL);
}
