/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fsm/fsm_test.c: the lists of fsm/ and what is made of them: exactly the listed edges are
 * legal, all others abort; each list is sound by itself; the drawing shows all of it. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "fsm/fsm.h"

#define MOST_STATES 8

/* The machines, written out again: rows from, columns to. A machine that is not here fails. */
static const struct {
    const char *name, *edges[MOST_STATES];
} expected[] = {
    {"dispatch", /* IDLE SEARCH SECOND DRAIN */
     {"-x--", "--xx", "-x-x", "x---"}},
    {"dvfs", /* IDLE RUN DIVIDE SEARCH LOOKUP SETTLE CONTROL */
     {"-x-----", "x-x---x", "x--x---", "x---x--", "xx---xx", "xx----x", "xxx----"}},
    {"kmu", /* IDLE SEARCH DRAIN */
     {"-x-", "--x", "x--"}},
    {"paver_steal", /* IDLE SCAN DIVIDE DECIDE */
     {"-x--", "x-x-", "---x", "x---"}},
    {"pcal", /* IDLE DEAL WARM SAMPLE WAIT READ DECIDE HOLD */
     {"-x------", "--x----x", "-x-x----", "-x--x---", "-x---x--", "-x----x-", "-xx--x-x",
      "-x------"}},
    {"poise", /* IDLE WARM SAMPLE DERIVE PREDICT DECIDE HOLD */
     {"-x----x", "--x---x", "-x-x-xx", "-x--x-x", "-x----x", "-x----x", "-x-----"}},
    {"warp", /* FREE START RUN BARRIER DONE */
     {"-x---", "--x--", "---xx", "--x--", "x----"}},
};

/* The signal that ends a child which makes this move, or 0. */
static int signal_of_move(const struct fsm *m, unsigned from, unsigned to)
{
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        uint64_t taken[MOST_STATES * MOST_STATES] = {0};
        uint8_t state = (uint8_t)from;
        close(STDERR_FILENO);
        fsm_move(m, taken, &state, to, "a test");
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void exactly_the_listed_edges_are_legal(void **unused)
{
    (void)unused;
    assert_int_equal(num_fsms, sizeof expected / sizeof expected[0]);
    for (unsigned n = 0; n < num_fsms; n++) {
        const struct fsm *m = fsms[n];
        unsigned edges = 0;
        assert_string_equal(m->name, expected[n].name);
        assert_int_equal(strlen(expected[n].edges[0]), m->num_states);
        for (unsigned from = 0; from < m->num_states; from++)
            for (unsigned to = 0; to < m->num_states; to++) {
                uint64_t taken[MOST_STATES * MOST_STATES] = {0};
                uint8_t state = (uint8_t)from;
                const unsigned edge = fsm_edge(m, from, to);
                const int legal = expected[n].edges[from][to] == 'x';
                assert_int_equal(edge < m->num_edges, legal);
                assert_int_equal(signal_of_move(m, from, to), legal ? 0 : SIGABRT);
                if (!legal)
                    continue;
                fsm_move(m, taken, &state, to, "a test");
                assert_int_equal(state, to);
                assert_int_equal(taken[edge], 1);
                edges++;
            }
        assert_int_equal(edges, m->num_edges);
        assert_int_equal(fsm_edge(m, m->num_states, 0), m->num_edges);
        assert_int_equal(fsm_edge(m, 0, UINT64_MAX), m->num_edges);
    }
}

/* No name twice, no edge twice or back to itself, every state reached from the first one. */
static void lists_are_sound(void **unused)
{
    (void)unused;
    for (unsigned n = 0; n < num_fsms; n++) {
        const struct fsm *m = fsms[n];
        uint64_t reached = 1;
        assert_ptr_equal(fsm_find(m->name), m);
        for (unsigned a = 0; a < m->num_states; a++)
            for (unsigned b = 0; b < a; b++)
                assert_string_not_equal(m->states[a].name, m->states[b].name);
        for (unsigned a = 0; a < m->num_edges; a++) {
            assert_int_not_equal(m->edges[a].from, m->edges[a].to);
            assert_int_equal(fsm_edge(m, m->edges[a].from, m->edges[a].to), a);
            assert_true(strlen(m->edges[a].meaning) > 5);
        }
        for (unsigned round = 0; round < m->num_states; round++)
            for (unsigned a = 0; a < m->num_edges; a++)
                reached |= (reached >> m->edges[a].from & 1) << m->edges[a].to;
        assert_int_equal(reached, (UINT64_C(1) << m->num_states) - 1);
    }
    assert_null(fsm_find("loom"));
}

static void names(void **unused)
{
    (void)unused;
    const struct fsm *warp = fsm_find("warp");
    assert_string_equal(fsm_state_name(warp, 3), "BARRIER");
    assert_string_equal(fsm_state_name(warp, 5), "?");
    assert_string_equal(warp->edges[fsm_edge(warp, 2, 4)].name, "RUN->DONE");
    assert_non_null(strstr(warp->states[4].meaning, "returned"));
}

/* Every state is a box and every edge an arrow; words of the meanings stand on them. */
static void drawings_show_everything(void **unused)
{
    (void)unused;
    for (unsigned n = 0; n < num_fsms; n++) {
        const struct fsm *m = fsms[n];
        char *text = NULL, line[128], word[32];
        size_t size;
        FILE *to = open_memstream(&text, &size);
        fsm_draw(m, to);
        fclose(to);
        for (unsigned s = 0; s < m->num_states; s++) {
            snprintf(line, sizeof line, "\n  %s [label=\"%s (%u)\\n", m->states[s].name,
                     m->states[s].name, s);
            assert_non_null(strstr(text, line));
        }
        for (unsigned e = 0; e < m->num_edges; e++) {
            sscanf(m->edges[e].meaning, "%31s", word);
            snprintf(line, sizeof line, "\n  %s -> %s [label=\"   %s",
                     m->states[m->edges[e].from].name, m->states[m->edges[e].to].name, word);
            assert_non_null(strstr(text, line));
        }
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exactly_the_listed_edges_are_legal),
        cmocka_unit_test(lists_are_sound),
        cmocka_unit_test(names),
        cmocka_unit_test(drawings_show_everything),
    };
    return cmocka_run_group_tests_name("fsm", tests, NULL, NULL);
}
