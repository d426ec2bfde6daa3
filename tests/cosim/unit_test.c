/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/unit_test.c: lockstep must notice. The Verilated model of wia is wrapped so that one
 * chosen bit of one chosen field is wrong in one chosen cycle; the report must name that field,
 * that cycle and both values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/wia/wia.h"
#include "cosim/inst.h"
#include "cosim/stimulus.h"
#include "tests/cosim/report_text.h"

void wia_stimulus(struct stimulus *, void *);

static const struct unit_model *honest;
static const struct field *lie_field;
static unsigned lie_element;
static uint64_t lie_cycle, model_cycle;

static void *open_model(void)
{
    model_cycle = 0;
    return honest->open();
}

static void lying_sample(void *model, const void *in, void *out, void *state)
{
    honest->sample(model, in, out, state);
    void *fields = lie_field->kind == FIELD_OUT ? out : state;
    if (model_cycle == lie_cycle)
        field_set(lie_field, fields, lie_element, field_get(lie_field, fields, lie_element) ^ 1);
}

static void count_edge(void *model)
{
    model_cycle++;
    honest->edge(model);
}

/* Runs until a difference or `cycles`; returns the instance. */
static struct unit_inst *run(const struct unit *u, uint64_t cycles, int *differed)
{
    struct unit_inst *i = unit_open(u, BACKEND_LOCKSTEP, "sm 3 scheduler 1");
    assert_non_null(i);
    struct stimulus s = {.random = 12345, .state = i->state};
    struct wia_in in = {0};
    struct wia_out out = {0};
    *differed = 0;
    for (s.cycle = 0; s.cycle < cycles && !*differed; s.cycle++) {
        wia_stimulus(&s, &in);
        *differed = unit_step(i, 1000 + s.cycle, &in, &out);
    }
    return i;
}

static void every_field_is_watched(void **unused)
{
    (void)unused;
    const struct unit *wia = unit_find("wia");
    struct unit lying = *wia;
    honest = wia->model;
    struct unit_model model = *honest;
    model.open = open_model;
    model.sample = lying_sample;
    model.edge = count_edge;
    lying.model = &model;
    for (unsigned f = 0; f < wia->num_fields; f++) {
        lie_field = &wia->fields[f];
        if (lie_field->kind == FIELD_IN)
            continue;
        for (lie_element = 0; lie_element < lie_field->count;
             lie_element += 1 + lie_field->count / 3) {
            char name[64], line[64];
            int differed;
            lie_cycle = 150 + lie_element;
            struct unit_inst *i = run(&lying, 1000, &differed);
            assert_true(differed);
            assert_int_equal(unit_failed_cycle(i), 1000 + lie_cycle);
            assert_int_equal(unit_cycles(i), lie_cycle + 1);
            char *text = report_text(i, "gtx480");
            snprintf(line, sizeof line, "config gtx480  cycle %llu\n", 1000ull + lie_cycle);
            assert_non_null(strstr(text, "MISMATCH  wia  sm 3 scheduler 1"));
            assert_non_null(strstr(text, line));
            int whole = lie_field->count == 1 || (lie_field->width == 1 && lie_field->count <= 64);
            snprintf(name, sizeof name, whole ? "\n  %s " : "\n  %s[%u] ", lie_field->name,
                     lie_element);
            assert_non_null(strstr(text, name));
            assert_non_null(strstr(text, lie_field->meaning));
            assert_non_null(strstr(text, "<--"));
            for (unsigned g = 0; g < wia->num_fields; g++) { /* and no other field is blamed */
                snprintf(name, sizeof name, "\n  %s%s ", wia->fields[g].name,
                         wia->fields[g].count > 1 ? "[" : "");
                if (g != f)
                    assert_null(strstr(text, name));
            }
            free(text);
            unit_close(i);
        }
    }
}

static void no_reset(void *model)
{
    (void)model;
}

/* Both sides are as new after a reset in the middle of a run; a model that misses it is found out. */
static void resets_inside_runs(void **unused)
{
    (void)unused;
    const struct unit *wia = unit_find("wia");
    struct unit deaf = *wia;
    struct unit_model model = *wia->model;
    model.reset = no_reset;
    deaf.model = &model;
    for (int hears = 0; hears < 2; hears++) {
        int differed;
        struct unit_inst *i = run(hears ? wia : &deaf, 1000, &differed);
        struct wia_state fresh;
        struct wia_in in = {0};
        struct wia_out out;
        assert_false(differed);
        wia_reset(&fresh);
        assert_memory_not_equal(unit_state(i), &fresh, sizeof fresh);
        unit_reset(i, 1);
        assert_memory_equal(unit_state(i), &fresh, sizeof fresh);
        assert_int_equal(unit_step(i, 2000, &in, &out), !hears);
        unit_close(i);
    }
}

static void backends_agree_cycle_by_cycle(void **unused)
{
    (void)unused;
    const struct unit *wia = unit_find("wia");
    struct unit_inst *i[NUM_BACKENDS];
    for (int b = 0; b < NUM_BACKENDS; b++)
        assert_non_null(i[b] = unit_open(wia, (enum unit_backend)b, "test"));
    struct stimulus s = {.random = 99, .state = i[BACKEND_C]->state};
    for (s.cycle = 0; s.cycle < 20000; s.cycle++) {
        struct wia_in in = {0};
        struct wia_out out[NUM_BACKENDS] = {0};
        wia_stimulus(&s, &in);
        for (int b = 0; b < NUM_BACKENDS; b++)
            assert_int_equal(unit_step(i[b], s.cycle, &in, &out[b]), 0);
        assert_memory_equal(&out[BACKEND_C], &out[BACKEND_RTL], sizeof out[0]);
        assert_memory_equal(&out[BACKEND_C], &out[BACKEND_LOCKSTEP], sizeof out[0]);
        /* Between cycles each shows its registers as they are after the edge. */
        const struct wia_state *reference = unit_state(i[BACKEND_C]);
        assert_memory_equal(reference, unit_state(i[BACKEND_RTL]), sizeof *reference);
        assert_memory_equal(reference, unit_state(i[BACKEND_LOCKSTEP]), sizeof *reference);
    }
    assert_int_equal(unit_cycles(i[BACKEND_LOCKSTEP]), 20000);
    assert_int_equal(unit_cycles(i[BACKEND_C]),
                     0); /* compared cycles: a lone side compares nothing */
    for (int b = 0; b < NUM_BACKENDS; b++)
        unit_close(i[b]);
}

/* Its reference called directly does what unit_step does; an instance that is to be compared or watched must not be called so. */
static void the_reference_is_called_directly(void **unused)
{
    (void)unused;
    const struct unit *wia = unit_find("wia");
    struct unit_direct direct;
    struct unit_inst *stepped = unit_open(wia, BACKEND_C, "test"),
                     *called = unit_open(wia, BACKEND_C, "test");
    assert_int_equal(unit_direct(called, &direct), 0);
    struct stimulus s = {.random = 7, .state = stepped->state};
    for (s.cycle = 0; s.cycle < 5000; s.cycle++) {
        struct wia_in in = {0};
        struct wia_out out[2] = {0};
        wia_stimulus(&s, &in);
        assert_int_equal(unit_step(stepped, s.cycle, &in, &out[0]), 0);
        direct.comb(direct.state, &in, &out[1]);
        direct.tick(direct.state, &in, &out[1]);
        assert_memory_equal(&out[0], &out[1], sizeof out[0]);
        assert_memory_equal(unit_state(stepped), unit_state(called), sizeof(struct wia_state));
    }
    unit_close(stepped);
    unit_close(called);
    for (int b = BACKEND_C; b < NUM_BACKENDS; b++) {
        struct unit_inst *watched = unit_open(unit_find("poise"), (enum unit_backend)b, "test");
        assert_true(watched->unit->num_fsms > 0);
        assert_int_equal(unit_direct(watched, &direct), -1);
        unit_close(watched);
        struct unit_inst *i = unit_open(wia, (enum unit_backend)b, "test");
        assert_int_equal(unit_direct(i, &direct), b == BACKEND_C ? 0 : -1);
        unit_close(i);
    }
}

static void idle_condition_holds(void **unused)
{
    (void)unused;
    const struct unit *wia = unit_find("wia");
    struct wia_state s, before;
    struct stimulus stimulus = {.random = 5, .state = &s};
    int idle = 0;
    wia_reset(&s);
    for (stimulus.cycle = 0; stimulus.cycle < 100000; stimulus.cycle++) {
        struct wia_in in = {0};
        struct wia_out out = {0};
        wia_stimulus(&stimulus, &in);
        before = s;
        wia_comb(&s, &in, &out);
        wia_tick(&s, &in, &out);
        if (wia->idle(&in, &out)) {
            idle++;
            assert_memory_equal(&before, &s, sizeof s);
        }
    }
    assert_true(idle > 1000);
}

static void names_are_found(void **unused)
{
    (void)unused;
    uint64_t value;
    enum unit_backend backend;
    assert_null(unit_find("wib"));
    assert_int_equal(unit_value(unit_find("wia"), "policy", "tl", &value), 0);
    assert_int_equal(value, wia_policy_tl);
    assert_int_equal(unit_value(unit_find("wia"), "policy", "nope", &value), -1);
    assert_int_equal(unit_backend("lockstep", &backend), 0);
    assert_int_equal(backend, BACKEND_LOCKSTEP);
    assert_int_equal(unit_backend("verilog", &backend), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_is_watched),
        cmocka_unit_test(resets_inside_runs),
        cmocka_unit_test(backends_agree_cycle_by_cycle),
        cmocka_unit_test(the_reference_is_called_directly),
        cmocka_unit_test(idle_condition_holds),
        cmocka_unit_test(names_are_found),
    };
    return cmocka_run_group_tests_name("cosim/unit", tests, NULL, NULL);
}
