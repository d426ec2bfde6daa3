/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/edges_test.c: moves of a state machine that its list does not have are found, in
 * whichever side decides, though Verilog and C agree; the others are counted, alike in all
 * backends. The unit is dispatch, under lists of the test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/dispatch/dispatch.h"
#include "cosim/inst.h"
#include "tests/cosim/report_text.h"

extern const struct fsm dispatch_fsm;

/* A kernel of one block: started in cycle 10, placed in cycle 11, ends in cycle 15. Returns the
 * cycle in which the instance stopped, or 0. */
static uint64_t run(struct unit_inst *i)
{
    for (uint64_t cycle = 10; cycle < 20; cycle++) {
        struct dispatch_in in = {.start = cycle == 10, .blocks = 1, .limit = 2};
        struct dispatch_out out = {0};
        in.allow[0] = 1;
        in.ended[0] = cycle == 15;
        if (unit_step(i, cycle, &in, &out))
            return cycle;
    }
    return 0;
}

static void edges_are_counted(void **unused)
{
    (void)unused;
    for (int backend = 0; backend < NUM_BACKENDS; backend++) {
        struct unit_inst *i = unit_open(unit_find("dispatch"), (enum unit_backend)backend, "gpu");
        assert_non_null(i);
        assert_int_equal(run(i), 0);
        assert_ptr_equal(unit_fsm(unit_find("dispatch"), 0), &dispatch_fsm);
        assert_null(unit_fsm(unit_find("dispatch"), 1));
        assert_null(unit_fsm(unit_find("wia"), 0));
        for (unsigned e = 0; e < dispatch_fsm.num_edges; e++) {
            const char *name = dispatch_fsm.edges[e].name;
            assert_int_equal(unit_edges(i, 0)[e], !strcmp(name, "IDLE->SEARCH") ||
                                                      !strcmp(name, "SEARCH->DRAIN") ||
                                                      !strcmp(name, "DRAIN->IDLE"));
        }
        unit_close(i);
    }
}

/* Without each of the three edges in the list, the run stops in the cycle after the move. */
static void unlisted_moves_stop_the_unit(void **unused)
{
    (void)unused;
    static const struct {
        const char *edge, *says;
        uint64_t cycle;
    } cases[] = {
        {"IDLE->SEARCH", "from IDLE (0) to SEARCH (1)", 11},
        {"SEARCH->DRAIN", "from SEARCH (1) to DRAIN (3)", 12},
        {"DRAIN->IDLE", "from DRAIN (3) to IDLE (0)", 16},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++)
        for (int backend = 0; backend < NUM_BACKENDS; backend++) {
            struct fsm_edge edges[NUM_DISPATCH_EDGES];
            struct fsm fsm = dispatch_fsm;
            struct unit unit = *unit_find("dispatch");
            const struct state_fsm fsms[] = {{"state", &fsm}};
            char line[128];
            fsm.edges = edges;
            fsm.num_edges = 0;
            for (unsigned e = 0; e < dispatch_fsm.num_edges; e++)
                if (strcmp(dispatch_fsm.edges[e].name, cases[n].edge))
                    edges[fsm.num_edges++] = dispatch_fsm.edges[e];
            assert_int_equal(fsm.num_edges, dispatch_fsm.num_edges - 1);
            unit.fsms = fsms;
            struct unit_inst *i = unit_open(&unit, (enum unit_backend)backend, "gpu");
            assert_int_equal(run(i), cases[n].cycle);
            assert_int_equal(unit_mismatches(i), 1);
            assert_int_equal(unit_failed_cycle(i), cases[n].cycle);
            char *text = report_text(i, "test");
            snprintf(line, sizeof line, "WRONG     dispatch  gpu  config test  cycle %d\n  the %s ",
                     (int)cases[n].cycle, backend == BACKEND_RTL ? "RTL" : "reference");
            assert_non_null(strstr(text, line));
            assert_non_null(strstr(text, cases[n].says));
            assert_non_null(strstr(text, "fsm/dispatch.def has no such edge"));
            if (backend == BACKEND_LOCKSTEP)
                assert_non_null(strstr(text, "<--"));
            free(text);
            unit_close(i);
        }
}

/* The bench's own complaint stops an instance like a difference. */
static void complaints_are_reported(void **unused)
{
    (void)unused;
    struct unit_inst *i = unit_open(unit_find("dispatch"), BACKEND_LOCKSTEP, "gpu");
    run(i);
    assert_int_equal(unit_mismatches(i), 0);
    unit_accuse(i, 17, "block 3 is issued to the moon");
    assert_int_equal(unit_mismatches(i), 1);
    assert_int_equal(unit_failed_cycle(i), 17);
    char *text = report_text(i, "test");
    assert_non_null(strstr(text, "WRONG     dispatch  gpu  config test  cycle 17\n"
                                 "  block 3 is issued to the moon\n"));
    free(text);
    unit_close(i);
}

/* Reports and histories name states by their words. */
static void states_have_names(void **unused)
{
    (void)unused;
    const struct unit *u = unit_find("dispatch");
    assert_string_equal(field_value_name(u, unit_field(u, "state"), DISPATCH_SECOND), "SECOND");
    assert_null(field_value_name(u, unit_field(u, "left"), DISPATCH_SECOND));
    assert_null(field_value_name(u, unit_field(u, "state"), NUM_DISPATCH_STATES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_are_counted),
        cmocka_unit_test(unlisted_moves_stop_the_unit),
        cmocka_unit_test(complaints_are_reported),
        cmocka_unit_test(states_have_names),
    };
    return cmocka_run_group_tests_name("cosim/edges", tests, NULL, NULL);
}
