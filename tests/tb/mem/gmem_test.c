/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/mem/gmem_test.c: tests tb/mem/gmem.c, random allocations against a plain list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tb/mem/gmem.h"

static void addresses_are_deterministic_and_apart(void **state)
{
    (void)state;
    for (int run = 0; run < 2; run++) {
        struct gmem *g = gmem_new();
        assert_int_equal(gmem_alloc(g, 1, NULL), 0x10000);
        assert_int_equal(gmem_alloc(g, 256, NULL), 0x10200);
        assert_int_equal(gmem_alloc(g, 257, NULL), 0x10400);
        assert_int_equal(gmem_alloc(g, 4, NULL), 0x10700);
        gmem_free_all(g);
    }
}

/* The addresses of one memory in another one: any of them, but never one below what was given out. */
static void placed_where_another_lay(void **state)
{
    (void)state;
    struct gmem *g = gmem_new(), *again = gmem_new();
    uint64_t bases[20];
    for (uint64_t i = 0; i < 20; i++)
        bases[i] = gmem_alloc(g, 1 + i * 77, NULL);
    for (uint64_t i = 0; i < 20; i += 3) {
        assert_int_equal(gmem_place(again, bases[i], 1 + i * 77), 0);
        assert_int_equal(gmem_range(again, i / 3)->base, bases[i]);
        assert_int_equal(gmem_range(again, i / 3)->size, 1 + i * 77);
        assert_int_equal(*(uint8_t *)gmem_host(again, bases[i], 1), 0);
        assert_int_equal(gmem_place(again, bases[i], 1), -1);
        assert_int_equal(gmem_place(again, bases[0], 1), -1);
    }
    assert_null(gmem_range(again, 7));
    assert_int_equal(gmem_place(again, bases[19] + 128, 1), -1); /* no multiple of 256 */
    assert_int_equal(gmem_place(again, bases[19] + 0x1000, 0), -1);
    assert_int_equal(gmem_place(again, UINT64_MAX - 255, 256), -1);
    assert_int_equal(gmem_alloc(again, 1, NULL), bases[18] + 0x700); /* and on from there */
    gmem_free_all(g);
    gmem_free_all(again);
}

static void memory_is_zeroed_or_the_callers(void **state)
{
    (void)state;
    uint8_t own[100];
    memset(own, 7, sizeof own);
    struct gmem *g = gmem_new();
    uint64_t a = gmem_alloc(g, 1000, NULL), b = gmem_alloc(g, sizeof own, own);
    uint8_t *bytes = gmem_host(g, a, 1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(bytes[i], 0);
    assert_ptr_equal(gmem_host(g, b, sizeof own), own);
    assert_ptr_equal(gmem_host(g, b + 40, 60), own + 40);
    assert_int_equal(gmem_free(g, b), 0);
    assert_int_equal(own[99], 7);
    gmem_free_all(g);
}

/* The padding is the 256 bytes behind an allocation, however far the next one is. */
static void overruns(void **state)
{
    (void)state;
    struct gmem *g = gmem_new();
    assert_null(gmem_overrun(g, 0x10000, 4));
    const uint64_t a = gmem_alloc(g, 100, NULL), b = gmem_alloc(g, 4, NULL); /* a gap of 412 */
    assert_int_equal(b - a, 512);
    assert_null(gmem_overrun(g, a - 1, 1));
    assert_int_equal(gmem_overrun(g, a + 100, 1)->base, a);
    assert_int_equal(gmem_overrun(g, a + 96, 16)->base, a); /* begins inside */
    assert_int_equal(gmem_overrun(g, a + 352, 4)->base, a);
    assert_null(gmem_overrun(g, a + 353, 4));
    assert_null(gmem_overrun(g, a + 356, 1));
    assert_null(gmem_overrun(g, b - 4, 4));
    assert_int_equal(gmem_overrun(g, b + 4, 256)->base, b);
    assert_null(gmem_overrun(g, b + 4, 257));
    assert_null(gmem_overrun(g, b, 261));
    assert_null(gmem_overrun(g, UINT64_MAX, 1));
    assert_null(gmem_overrun(g, UINT64_MAX - 7, 16));
    gmem_free_all(g);
}

static void bounds(void **state)
{
    (void)state;
    struct gmem *g = gmem_new();
    assert_null(gmem_find(g, 0x10000));
    assert_null(gmem_nearest(g, 0x10000));
    uint64_t a = gmem_alloc(g, 100, NULL), b = gmem_alloc(g, 100, NULL);
    assert_null(gmem_find(g, 0));
    assert_null(gmem_find(g, a - 1));
    assert_int_equal(gmem_find(g, a)->base, a);
    assert_int_equal(gmem_find(g, a + 99)->base, a);
    assert_null(gmem_find(g, a + 100));
    assert_null(gmem_find(g, b - 1));
    assert_int_equal(gmem_find(g, b)->base, b);
    assert_null(gmem_find(g, UINT64_MAX));
    assert_non_null(gmem_host(g, a, 100));
    assert_null(gmem_host(g, a, 101));
    assert_null(gmem_host(g, a + 1, 100));
    assert_null(gmem_host(g, a, UINT64_MAX));
    assert_null(gmem_host(g, a - 1, 1));
    /* The nearest one: by distance from its first or last byte. */
    assert_int_equal(gmem_nearest(g, 0)->base, a);
    assert_int_equal(gmem_nearest(g, a + 50)->base, a);
    assert_int_equal(gmem_nearest(g, a + 101)->base, a);
    assert_int_equal(gmem_nearest(g, b - 1)->base, b);
    assert_int_equal(gmem_nearest(g, UINT64_MAX)->base, b);
    gmem_free_all(g);
}

static void freed_is_gone(void **state)
{
    (void)state;
    struct gmem *g = gmem_new();
    uint64_t a = gmem_alloc(g, 100, NULL), b = gmem_alloc(g, 100, NULL), epoch = gmem_epoch(g);
    assert_int_equal(gmem_free(g, a + 1), -1);
    assert_int_equal(gmem_free(g, 0), -1);
    assert_int_equal(gmem_epoch(g), epoch);
    assert_int_equal(gmem_free(g, a), 0);
    assert_true(gmem_epoch(g) > epoch);
    assert_null(gmem_find(g, a));
    assert_int_equal(gmem_free(g, a), -1);
    assert_int_equal(gmem_find(g, b)->base, b);
    epoch = gmem_epoch(g);
    assert_true(gmem_alloc(g, 1, NULL) > b); /* an address never comes back */
    assert_true(gmem_epoch(g) > epoch);
    gmem_free_all(g);
    gmem_free_all(NULL);
}

static void impossible_sizes(void **state)
{
    (void)state;
    struct gmem *g = gmem_new();
    uint64_t epoch = gmem_epoch(g);
    char byte;
    assert_int_equal(gmem_alloc(g, 0, NULL), 0);
    assert_int_equal(gmem_alloc(g, UINT64_MAX, NULL), 0);
    assert_int_equal(gmem_alloc(g, UINT64_MAX, &byte), 0);
    assert_int_equal(gmem_alloc(g, 1ull << 56, &byte), 0);
    assert_int_equal(gmem_epoch(g), epoch);
    /* The whole address space, once: the bytes are not touched. */
    assert_int_not_equal(gmem_alloc(g, (1ull << 56) - 0x20000, &byte), 0);
    assert_int_equal(gmem_alloc(g, 1ull << 20, &byte), 0);
    while (gmem_alloc(g, 1, &byte))
        assert_true(gmem_epoch(g) < 1000);
    gmem_free_all(g);
}

static void like_a_list(void **state)
{
    enum { MOST = 300 };
    static struct {
        uint64_t base, size;
    } list[MOST];
    unsigned count = 0;
    uint32_t random = 1;
    (void)state;
    struct gmem *g = gmem_new();
    for (int round = 0; round < 5000; round++) {
        random = random * 1664525 + 1013904223;
        unsigned pick = random >> 16;
        if (count < MOST && (pick & 3)) {
            list[count].size = pick % 3000 + 1;
            list[count].base = gmem_alloc(g, list[count].size, NULL);
            assert_int_equal(list[count].base % 256, 0);
            count++;
        } else if (count) {
            assert_int_equal(gmem_free(g, list[pick % count].base), 0);
            list[pick % count] = list[count - 1];
            count--;
        }
        uint64_t address = 0x10000 + (uint64_t)(random % 4000000), expected = 0;
        for (unsigned i = 0; i < count; i++)
            if (address >= list[i].base && address < list[i].base + list[i].size)
                expected = list[i].base;
        const struct gmem_range *found = gmem_find(g, address);
        assert_int_equal(found ? found->base : 0, expected);
        if (count) {
            unsigned i = pick % count;
            assert_int_equal(gmem_find(g, list[i].base + list[i].size - 1)->base, list[i].base);
            assert_null(gmem_find(g, list[i].base + list[i].size + 255));
        }
    }
    gmem_free_all(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_deterministic_and_apart),
        cmocka_unit_test(placed_where_another_lay),
        cmocka_unit_test(memory_is_zeroed_or_the_callers),
        cmocka_unit_test(overruns),
        cmocka_unit_test(bounds),
        cmocka_unit_test(freed_is_gone),
        cmocka_unit_test(impossible_sizes),
        cmocka_unit_test(like_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
