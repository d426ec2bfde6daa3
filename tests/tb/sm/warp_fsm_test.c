/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/sm/warp_fsm_test.c: tests tb/sm/warp_fsm.c: exactly the listed edges are legal, all
 * others abort. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/sm/warp_fsm.h"

/* The life of a warp, written out again: rows from, columns to; FREE START RUN BARRIER DONE. */
static const char expected[NUM_WARP_STATES][NUM_WARP_STATES + 1] = {
    "-x---", /* FREE */
    "--x--", /* START */
    "---xx", /* RUN */
    "--x--", /* BARRIER */
    "x----", /* DONE */
};

static void legal_edges(void **state)
{
    (void)state;
    struct warp_fsm fsm = {0};
    unsigned edges = 0;
    for (unsigned from = 0; from < NUM_WARP_STATES; from++)
        for (unsigned to = 0; to < NUM_WARP_STATES; to++) {
            enum warp_edge edge = warp_fsm_edge(from, to);
            uint8_t at = (uint8_t)from;
            assert_int_equal(edge != NUM_WARP_EDGES, expected[from][to] == 'x');
            if (edge == NUM_WARP_EDGES)
                continue;
            warp_fsm_move(&fsm, &at, to);
            assert_int_equal(at, to);
            assert_int_equal(fsm.taken[edge], 1);
            edges++;
        }
    assert_int_equal(edges, NUM_WARP_EDGES);
}

/* The signal that ends a child which makes this move, or 0. */
static int signal_of_move(uint8_t from, enum warp_state to)
{
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct warp_fsm fsm = {0};
        close(STDERR_FILENO);
        warp_fsm_move(&fsm, &from, to);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void illegal_moves_abort(void **state)
{
    (void)state;
    for (unsigned from = 0; from < NUM_WARP_STATES; from++)
        for (unsigned to = 0; to < NUM_WARP_STATES; to++)
            assert_int_equal(signal_of_move((uint8_t)from, to),
                             expected[from][to] == 'x' ? 0 : SIGABRT);
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(warp_state_name(WARP_BARRIER), "BARRIER");
    assert_string_equal(warp_edge_name(warp_fsm_edge(WARP_RUN, WARP_DONE)), "RUN->DONE");
    assert_non_null(strstr(warp_state_meaning(WARP_DONE), "returned"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legal_edges),
        cmocka_unit_test(illegal_moves_abort),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
