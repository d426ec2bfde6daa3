/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/capture/snapshot_test.c: a copy that follows memory: what it tells is enough to make the copy from scratch, and no more than pieces
 * that differ. The restatement keeps each byte in a table by address. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/capture/snapshot.h"

#define SPACE  (1u << 20) /* addresses that the table has room for */
#define ROUNDS 300

static uint64_t random_state;

static uint64_t below(uint64_t n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (random_state >> 33) % n;
}

/* What has been told: -1 is no memory. */
static int16_t told[SPACE];
static unsigned releases, allocations, changes;
static uint64_t changed_bytes;

static void released(void *context, uint64_t base)
{
    (void)context;
    assert_true(told[base] >= 0 && (base == 0 || told[base - 1] < 0));
    for (uint64_t i = base; told[i] >= 0; i++)
        told[i] = -1;
    releases++;
}

static void allocated(void *context, uint64_t base, uint64_t size)
{
    (void)context;
    for (uint64_t i = base; i < base + size; i++) {
        assert_int_equal(told[i], -1);
        told[i] = 0;
    }
    allocations++;
}

static void changed(void *context, uint64_t address, const uint8_t *bytes, uint64_t size)
{
    (void)context;
    for (uint64_t i = 0; i < size; i++) {
        assert_true(told[address + i] >= 0);
        told[address + i] = bytes[i];
    }
    changes++;
    changed_bytes += size;
}

static const struct snapshot_watch watch = {NULL, released, allocated, changed};

/* Memory is what was told, byte by byte, and so is the copy. */
static void check(const struct gmem *g, const struct snapshot *copy)
{
    uint64_t there = 0, known = 0;
    for (size_t i = 0; gmem_range(g, i); i++) {
        const struct gmem_range *r = gmem_range(g, i);
        const uint8_t *bytes = snapshot_bytes(copy, r->base, r->size);
        assert_non_null(bytes);
        assert_int_equal(memcmp(bytes, r->host, r->size), 0);
        for (uint64_t k = 0; k < r->size; k++)
            assert_int_equal(told[r->base + k], r->host[k]);
        there += r->size;
    }
    for (uint64_t i = 0; i < SPACE; i++)
        known += told[i] >= 0;
    assert_int_equal(there, known);
    assert_int_equal(snapshot_compare(copy, g).bytes, 0);
}

static uint64_t any_base(const struct gmem *g, uint64_t *size)
{
    size_t count = 0;
    while (gmem_range(g, count))
        count++;
    if (!count)
        return 0;
    const struct gmem_range *r = gmem_range(g, below(count));
    *size = r->size;
    return r->base;
}

static void follows(void **unused)
{
    (void)unused;
    for (unsigned seed = 1; seed <= 3; seed++) {
        struct gmem *g = gmem_new();
        struct snapshot *copy = snapshot_new();
        random_state = seed;
        memset(told, 0xff, sizeof told);
        releases = allocations = changes = 0;
        uint64_t size, base, top = 0;
        for (unsigned round = 0; round < ROUNDS; round++) {
            for (uint64_t n = below(4); n; n--) {
                const uint64_t bytes = 1 + below(below(4) ? 300 : 20000);
                if (top + bytes + 1024 < SPACE - (1u << 17))
                    top = gmem_alloc(g, bytes, NULL) + bytes;
            }
            if (below(3) == 0 && (base = any_base(g, &size)))
                gmem_free(g, base);
            for (uint64_t n = below(5); n; n--)
                if ((base = any_base(g, &size)))
                    *(uint8_t *)gmem_host(g, base + below(size), 1) ^= (uint8_t)(1 + below(255));
            assert_int_equal(snapshot_follow(copy, g, &watch), 0);
            check(g, copy);
        }
        assert_true(releases > 50 && allocations > 50 && changes > 100);
        snapshot_free(copy);
        gmem_free_all(g);
    }
}

/* Of a large allocation only the piece that has changed is told, and two that are neighbours together. */
static void tells_pieces(void **unused)
{
    (void)unused;
    struct gmem *g = gmem_new();
    struct snapshot *copy = snapshot_new();
    const uint64_t base = gmem_alloc(g, 10 * SNAPSHOT_PIECE + 100, NULL);
    uint8_t *bytes = gmem_host(g, base, 10 * SNAPSHOT_PIECE + 100);
    memset(told, 0xff, sizeof told);
    changes = 0, changed_bytes = 0;
    snapshot_follow(copy, g, &watch);
    assert_int_equal(changes, 0); /* zeros are not told */
    bytes[3 * SNAPSHOT_PIECE] = bytes[5 * SNAPSHOT_PIECE - 1] = bytes[10 * SNAPSHOT_PIECE + 99] = 1;
    snapshot_follow(copy, g, &watch);
    assert_int_equal(changes, 2);
    assert_int_equal(changed_bytes, 2 * SNAPSHOT_PIECE + 100);
    check(g, copy);
    snapshot_free(copy);
    gmem_free_all(g);
}

static void compares(void **unused)
{
    (void)unused;
    struct gmem *g = gmem_new();
    struct snapshot *copy = snapshot_new();
    gmem_alloc(g, 10, NULL);
    const uint64_t base = gmem_alloc(g, 5000, NULL);
    snapshot_follow(copy, g, NULL);
    uint8_t *bytes = gmem_host(g, base, 5000);
    bytes[4500] = 7;
    bytes[4999] = 8;
    const struct snapshot_difference d = snapshot_compare(copy, g);
    assert_int_equal(d.bytes, 2);
    assert_int_equal(d.address, base + 4500);
    assert_int_equal(d.base, base);
    assert_int_equal(d.size, 5000);
    assert_int_equal(d.copied, 0);
    assert_int_equal(d.there, 7);
    snapshot_restore(copy, g);
    assert_int_equal(bytes[4500] + bytes[4999], 0);
    assert_int_equal(snapshot_compare(copy, g).bytes, 0);
    assert_null(snapshot_bytes(copy, base + 4999, 2));
    assert_int_equal(snapshot_release(copy, base + 1), -1);
    assert_int_equal(snapshot_allocate(copy, base, 1), -1); /* the address has been given out */
    snapshot_free(copy);
    gmem_free_all(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows),
        cmocka_unit_test(tells_pieces),
        cmocka_unit_test(compares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
