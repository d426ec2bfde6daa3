/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/mem/dram_test.c: tests tb/mem/dram.c: latency, rate, order across ports, backpressure,
 * announced events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tb/mem/memory.h"
#include "tests/tb/test_config.h"

static void send(struct memory *m, unsigned port, uint64_t cycle, enum memory_kind kind,
                 uint32_t bytes, uint32_t tag)
{
    assert_true(memory_room(m, port, cycle));
    memory_send(m, port, cycle, &(struct memory_request){kind, 0x1000, bytes, tag});
}

/* The cycle in which the port's next reply comes, stepping through every cycle from `from`. */
static uint64_t reply_after(struct memory *m, unsigned port, uint64_t from, uint32_t *tag)
{
    while (!memory_receive(m, port, from, tag))
        from++;
    return from;
}

static void unloaded_read_takes_the_latency(void **state)
{
    (void)state;
    struct config c = test_config();
    struct memory *m = memory_new(&c, 2);
    uint32_t tag;
    send(m, 1, 1000, MEMORY_READ, 128, 7);
    assert_int_equal(memory_next(m, 0), NEVER);
    assert_int_equal(memory_next(m, 1), 1400);
    assert_int_equal(reply_after(m, 1, 1000, &tag), 1400);
    assert_int_equal(tag, 7);
    assert_int_equal(memory_next(m, 1), NEVER);
    memory_free(m);
}

/* 100 bytes a cycle and lines of 128: request i begins at byte 128 i, that is in cycle ceil(1.28
 * i). */
static void rate_needs_no_divisor(void **state)
{
    (void)state;
    struct config c = test_config();
    c.dram_bytes_per_cycle = 100;
    c.l1d_miss_queue = 1000;
    struct memory *m = memory_new(&c, 1);
    uint32_t tag;
    for (uint32_t i = 0; i < 50; i++)
        send(m, 0, 0, MEMORY_READ, 128, i);
    for (uint64_t i = 0; i < 50; i++) {
        assert_int_equal(reply_after(m, 0, 0, &tag), 400 + (128 * i + 99) / 100);
        assert_int_equal(tag, i);
    }
    memory_free(m);
}

/* All ports share one bus, in the order of the calls; writes take their share and are not answered.
 */
static void first_come_first_served(void **state)
{
    (void)state;
    struct config c = test_config();
    c.dram_bytes_per_cycle = 32;
    struct memory *m = memory_new(&c, 3);
    uint32_t tag;
    send(m, 2, 5, MEMORY_READ, 128, 1);  /* begins at 5 */
    send(m, 0, 5, MEMORY_WRITE, 64, 0);  /* 9 */
    send(m, 1, 6, MEMORY_ATOMIC, 32, 3); /* 11 */
    send(m, 0, 6, MEMORY_READ, 128, 4);  /* 12 */
    assert_int_equal(reply_after(m, 2, 0, &tag), 405);
    assert_int_equal(reply_after(m, 1, 0, &tag), 411);
    assert_int_equal(tag, 3);
    assert_int_equal(reply_after(m, 0, 0, &tag), 412);
    assert_int_equal(tag, 4);
    const struct memory_counters *n = memory_counters(m);
    assert_int_equal(n->reads, 2);
    assert_int_equal(n->writes, 1);
    assert_int_equal(n->atomics, 1);
    assert_int_equal(n->bytes, 128 + 64 + 32 + 128);
    memory_free(m);
}

static void full_queue_has_room_when_service_begins(void **state)
{
    (void)state;
    struct config c = test_config();
    c.dram_bytes_per_cycle = 32;
    c.l1d_miss_queue = 2;
    struct memory *m = memory_new(&c, 2);
    uint32_t tag;
    send(m, 0, 0, MEMORY_READ, 128,
         0); /* begins at once, so that it leaves the queue in the same cycle */
    send(m, 0, 0, MEMORY_READ, 128, 1); /* waits until 4 */
    send(m, 0, 0, MEMORY_READ, 128, 2); /* waits until 8 */
    assert_false(memory_room(m, 0, 0));
    assert_true(memory_room(m, 1, 0));
    assert_int_equal(memory_next(m, 0), 4);
    assert_false(memory_room(m, 0, 3));
    assert_true(memory_room(m, 0, 4));
    assert_int_equal(memory_next(m, 0), 400);
    memory_reset(m);
    assert_int_equal(memory_next(m, 0), NEVER);
    assert_false(memory_receive(m, 0, 100000, &tag));
    memory_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unloaded_read_takes_the_latency),
        cmocka_unit_test(rate_needs_no_divisor),
        cmocka_unit_test(first_come_first_served),
        cmocka_unit_test(full_queue_has_room_when_service_begins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
