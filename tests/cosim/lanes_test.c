/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/lanes_test.c: a netlist in lanes does what its gates say, in each lane by itself; what is no netlist is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cosim/lanes_memory.h"

/* A store of three words of a bit. `word` is what it says of `address` (and `data`, as the address' upper bit), inverted by
 * `mutant`; `last` is `word` of the cycle before; `through` is what the store says of `word`, in a second port. */
#define HEADER  "aag 10 6 1 11 3\n"
#define SIGNALS "2\n4\n6\n8\n10\n12\n14 21\n21\n12\n14\n2\n4\n0\n6\n4\n6\n21\n0\n"
#define GATES   "16 8 11\n18 9 10\n20 17 19\n" /* 21: read_data and mutant differ */
#define WIRES   "g_a[0].of_a.wire[0] g_a[0].wire[0] g_a[1].of_a.wire[0] g_a[1].wire[0] "
#define MANY    WIRES WIRES WIRES WIRES
#define INPUTS                                                                                     \
    "i0 write\ni1 address\ni2 data\ni3 store.read_data[0]\ni4 mutant\ni5 store.read_data[1]\n"     \
    "l0 last " MANY " the_register\n"
#define OUTPUTS                                                                                    \
    "o0 word\no1 through\no2 last\no3 store.write\no4 store.write_address[0]\n"                    \
    "o5 store.write_address[1]\no6 store.write_data\no7 store.read_address[0]\n"                   \
    "o8 store.read_address[1]\no9 store.read_address[2]\no10 store.read_address[3]\n"
#define ALL         (~UINT64_C(0))
#define LANE(which) (UINT64_C(1) << (which))

static const struct field store = {.name = "store", .width = 1, .count = 3};

static struct lanes *lanes;
static struct lanes_memory memory;
static int write_in, address, data, mutant, word, through, last;

static struct lanes *open_text(const char *text, FILE *err)
{
    char path[] = "/tmp/lanes-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    struct lanes *l = lanes_open(path, err);
    unlink(path);
    return l;
}

static int open_store(void **state)
{
    static const uint64_t words[] = {0, 1, 0};
    (void)state;
    lanes = open_text(HEADER SIGNALS GATES INPUTS OUTPUTS, stderr);
    if (!lanes || lanes_memory_open(&memory, lanes, &store, stderr))
        return -1;
    write_in = lanes_input(lanes, "write", 0);
    address = lanes_input(lanes, "address", 0);
    data = lanes_input(lanes, "data", 0);
    mutant = lanes_input(lanes, "mutant", 0);
    word = lanes_output(lanes, "word", 0);
    through = lanes_output(lanes, "through", 0);
    last = lanes_output(lanes, "last", 0);
    assert_true(
        lanes_memory_delay(&memory)); /* the second port after the first, whose word it asks for */
    assert_false(lanes_memory_delay(&memory));
    lanes_memory_fill(&memory, words);
    return 0;
}

static int close_store(void **state)
{
    (void)state;
    lanes_memory_close(&memory);
    lanes_close(lanes);
    return 0;
}

static void settle(void)
{
    for (unsigned stage = 0; stage < 3; stage++) {
        lanes_eval(lanes, stage);
        lanes_memory_read(&memory, stage);
    }
}

static void names_are_found(void **state)
{
    (void)state;
    assert_int_equal(lanes_input(lanes, "store.read_data", 1), 5);
    assert_int_equal(lanes_output(lanes, "store.read_address", 3), 10);
    assert_int_equal(lanes_input(lanes, "store.read_data", 2), -1);
    assert_int_equal(lanes_input(lanes, "word", 0), -1);
    assert_int_equal(lanes_output(lanes, "word", 1), -1);
    assert_int_equal(lanes_stage(lanes, word), 1);
    assert_int_equal(lanes_stage(lanes, through), 2);
    assert_int_equal(lanes_stage(lanes, last), 0);
}

static void each_lane_asks_for_its_word(void **state)
{
    (void)state;
    lanes_set(lanes, address, LANE(3) | LANE(60));
    lanes_set(lanes, mutant, LANE(5) | LANE(60));
    lanes_set(lanes, data, LANE(9));
    settle();
    /* Word 1 is 1: lane 3 reads it, lane 60 inverts it, lane 5 inverts word 0; lane 9 reads word 2. */
    assert_int_equal(lanes_get(lanes, word), LANE(3) | LANE(5));
    assert_int_equal(lanes_get(lanes, through), LANE(3) | LANE(5));
}

static void past_the_end_reads_0(void **state)
{
    (void)state;
    lanes_set(lanes, address, ALL);
    lanes_set(lanes, data, LANE(8));
    settle();
    assert_int_equal(lanes_get(lanes, word), ~LANE(8));
}

static void registers_take_what_was_made_of_them(void **state)
{
    (void)state;
    lanes_set(lanes, mutant, LANE(7));
    settle();
    assert_int_equal(lanes_get(lanes, last), 0);
    lanes_edge(lanes);
    assert_int_equal(lanes_get(lanes, last), LANE(7));
    lanes_heal(lanes, 7);
    assert_int_equal(lanes_get(lanes, last), 0);
    lanes_scramble(lanes, 1);
    const uint64_t noise = lanes_get(lanes, last);
    assert_true(noise != 0 && noise != ALL);
    lanes_scramble(lanes, 2);
    assert_int_not_equal(lanes_get(lanes, last), noise);
}

static void lanes_that_write_something_else_are_named(void **state)
{
    static const uint64_t before[] = {0, 1, 0}, after[] = {1, 1, 0};
    (void)state;
    assert_true(lanes_memory_equal(&memory, before));
    lanes_set(lanes, write_in, ALL ^ LANE(2)); /* does not write */
    lanes_set(lanes, data, ALL ^ LANE(4));     /* another word */
    lanes_set(lanes, address, LANE(6));        /* elsewhere, and not here */
    settle();
    assert_int_equal(lanes_memory_write(&memory), LANE(2) | LANE(4) | LANE(6));
    assert_true(lanes_memory_equal(&memory, after));
    assert_false(lanes_memory_equal(&memory, before));
    lanes_set(lanes, data, 0);
    lanes_set(lanes, address, 0);
    settle();
    assert_int_equal(lanes_get(lanes, word), ALL ^ LANE(2) ^ LANE(4) ^ LANE(6));
    for (unsigned lane = 0; lane < LANES; lane++)
        lanes_memory_heal(&memory, lane);
    settle();
    assert_int_equal(lanes_get(lanes, word), ALL);
}

/* What is said of a text that is no netlist. */
static void refused(const char *text, const char *because)
{
    char *said = NULL;
    size_t size;
    FILE *err = open_memstream(&said, &size);
    assert_null(open_text(text, err));
    fclose(err);
    if (!strstr(said, because))
        fail_msg("said '%s', not '%s'", said, because);
    free(said);
}

static void what_is_no_netlist_is_refused(void **state)
{
    (void)state;
    refused("", "not of AIGER's text format");
    refused("aig 10 6 1 11 3\n", "not of AIGER's text format");
    refused("aag 11 6 1 11 3\n" SIGNALS GATES INPUTS OUTPUTS, "not of AIGER's text format");
    refused("aag 4000000000 4000000000 0 0 0\n", "not of AIGER's text format");
    refused(HEADER "2\n4\n4\n", "an input out of order");
    refused(HEADER "2\n4\n6\n8\n10\n12\n14 22\n", "a register out of order");
    refused(HEADER "2\n4\n6\n8\n10\n12\n14 21\n22\n", "an output of nothing");
    refused(HEADER SIGNALS "16 8 11\n18 9 20\n20 17 19\n" INPUTS OUTPUTS, "a gate out of order");
    refused(HEADER SIGNALS "16 8 11\n", "a gate out of order");
    refused(HEADER SIGNALS GATES INPUTS, "an input or output without a name");
    assert_null(lanes_open("/nonexistent.aag", stderr));
}

static void a_memory_without_its_ports_is_refused(void **state)
{
    static const struct field wider = {.name = "store", .width = 2, .count = 3},
                              other = {.name = "shop", .width = 1, .count = 3};
    struct lanes_memory m;
    FILE *none = fopen("/dev/null", "w");
    (void)state;
    assert_int_equal(lanes_memory_open(&m, lanes, &wider, none), -1);
    lanes_memory_close(&m);
    assert_int_equal(lanes_memory_open(&m, lanes, &other, none), -1);
    lanes_memory_close(&m);
    fclose(none);
}

#define STORE(test) cmocka_unit_test_setup_teardown(test, open_store, close_store)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STORE(names_are_found),
        STORE(each_lane_asks_for_its_word),
        STORE(past_the_end_reads_0),
        STORE(registers_take_what_was_made_of_them),
        STORE(lanes_that_write_something_else_are_named),
        STORE(a_memory_without_its_ports_is_refused),
        cmocka_unit_test(what_is_no_netlist_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
