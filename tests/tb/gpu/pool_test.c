/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/pool_test.c: tests tb/gpu/pool.c: every piece of every round once, whatever the
 * number of threads; what pieces write is there after the round; threads really share the work. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/gpu/pool.h"
#include "tests/tb/mem/random.h"

#define MAX_PIECES 400

/* Plain words: a piece that is run twice at once, or after the round, is a data race too. */
struct round {
    uint64_t number, done[MAX_PIECES];
};

static void work(void *context, unsigned piece)
{
    struct round *r = context;
    uint64_t x = r->number + piece;
    for (unsigned i = piece * 7 % 50; i > 0; i--) /* of unequal length */
        x = x * 6364136223846793005u + 1;
    r->done[piece] += 1 + (x == 12345);
}

static void each_piece_once(void **state)
{
    (void)state;
    static struct round rounds[2]; /* in turns, as a late thread would spoil the other one */
    for (unsigned threads = 1; threads <= 8; threads++) {
        struct pool *p = pool_new(threads);
        assert_non_null(p);
        for (unsigned number = 0; number < 3000; number++) {
            struct round *r = &rounds[number % 2];
            const unsigned count = below(4) ? below(30) : below(MAX_PIECES + 1);
            memset(r->done, 0, sizeof r->done);
            r->number = number;
            pool_run(p, work, r, count);
            for (unsigned i = 0; i < MAX_PIECES; i++)
                if (r->done[i] != (i < count))
                    fail_msg("%u threads, round %u: piece %u of %u done %u times", threads, number,
                             i, count, (unsigned)r->done[i]);
        }
        pool_free(p);
    }
}

/* Rounds so far apart that threads have gone to sleep. */
static void sleepers_wake(void **state)
{
    (void)state;
    static struct round r;
    struct pool *p = pool_new(3);
    for (unsigned number = 0; number < 20; number++) {
        usleep(5000);
        memset(r.done, 0, sizeof r.done);
        pool_run(p, work, &r, 10);
        for (unsigned i = 0; i < 10; i++)
            assert_int_equal(r.done[i], 1);
    }
    pool_free(p);
}

static _Atomic unsigned present;
static void meet(void *context, unsigned piece)
{
    (void)piece;
    atomic_fetch_add(&present, 1);
    while (atomic_load(&present) < *(unsigned *)context)
        usleep(100);
}

/* As many pieces as threads, each of which waits for all others: it ends only if each has a thread
 * of its own. */
static void all_threads_work(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 8; threads++) {
        struct pool *p = pool_new(threads);
        atomic_store(&present, 0);
        pool_run(p, meet, &threads, threads);
        assert_int_equal(present, threads);
        pool_free(p);
    }
}

static void unused_pools_end(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 50; i++)
        pool_free(pool_new(1 + i % 8));
    pool_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_piece_once),
        cmocka_unit_test(sleepers_wake),
        cmocka_unit_test(all_threads_work),
        cmocka_unit_test(unused_pools_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
