/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/units/blame_test.c: which unit of a rack is wrong: in lockstep, after a kernel's last edge,
 * or because it is accused; and what sockets read of a unit by each backend. */
#include "tests/tb/units/parts.h"

static void *model_open(void)
{
    return calloc(1, sizeof(struct part_state) + sizeof(struct part_in));
}

static void model_sample(void *model, const void *in, void *out, void *state)
{
    struct part_state *s = model;
    memcpy(s + 1, in, sizeof(struct part_in));
    meter_comb(s, in, out);
    *(struct part_state *)state = *s;
}

static void model_outputs(void *model, const void *in, void *out)
{
    struct part_state state;
    model_sample(model, in, out, &state);
}

static void model_state(void *model, void *state)
{
    *(struct part_state *)state = *(struct part_state *)model;
}

static void model_edge(void *model)
{
    struct part_state *s = model;
    meter_tick(s, s + 1, NULL);
}

static void model_contents(void *model, uint64_t *words)
{
    (void)model, (void)words;
}

/* One that goes wrong when it has counted to `lies_at`. */
static uint64_t lies_at;

static void liar_sample(void *model, const void *in, void *out, void *state)
{
    model_sample(model, in, out, state);
    if (((struct part_state *)model)->value == lies_at)
        ((struct part_out *)out)->word ^= 1;
}

static const struct unit_model meter_model = {.open = model_open,
                                              .close = free,
                                              .sample = model_sample,
                                              .outputs = model_outputs,
                                              .state = model_state,
                                              .edge = model_edge,
                                              .contents = model_contents};
static const struct unit_model liar = {.open = model_open,
                                       .close = free,
                                       .sample = liar_sample,
                                       .outputs = model_outputs,
                                       .state = model_state,
                                       .edge = model_edge,
                                       .contents = model_contents};

/* A unit that is not asked steers as it did, by its registers as they are after the edge. */
static void by_register(const struct plug *p, void *controls)
{
    ((struct controls *)controls)->policy = ((const struct part_state *)plug_state(p))->value;
}

static void registers_after_the_edge(void **unused)
{
    (void)unused;
    static const struct socket s = {.stem = "meter",
                                    .memory = sizeof(struct part_memory),
                                    .gather = part_gather,
                                    .apply = by_register};
    struct unit modelled = meter;
    const struct plan plan = {.units = {part_planned(&s, &modelled, 0, 0)}, .count = 1};
    modelled.model = &meter_model;
    for (enum unit_backend b = 0; b < NUM_BACKENDS; b++) {
        struct part_view v = {0};
        struct controls c[NUM_SCHEDULERS];
        struct rack r;
        part_open(&r, &plan, &v, SCOPE_SM, b);
        for (unsigned cycle = 1; cycle < 9; cycle++) {
            *part_word(&v) = cycle >= 3 && cycle < 6;
            memset(c, EVERY_CONTROL, sizeof c);
            assert_int_equal(rack_step(&r, cycle, c), 0);
            assert_int_equal(c[0].policy, cycle < 3 ? 0 : cycle < 6 ? cycle - 2 : 3);
        }
        rack_close(&r);
    }
}

/* A unit that lockstep finds wrong ends the step, and those behind it are not asked. */
static void a_lie_is_returned(void **unused)
{
    (void)unused;
    static const struct socket s = PART_SOCKET("meter", );
    struct unit lying = meter;
    const struct plan plan = {.units = {part_planned(&s, &meter, 0, 0),
                                        part_planned(&s, &lying, 0, 0),
                                        part_planned(&s, &meter, 0, 0)},
                              .count = 3};
    struct part_view v = {0};
    struct controls c[NUM_SCHEDULERS];
    struct rack r;
    struct unit honest = meter;
    struct plan all = plan;
    lying.model = &liar;
    honest.model = &meter_model;
    all.units[0].unit = all.units[2].unit = &honest;
    lies_at = UINT64_MAX;
    part_open(&r, &all, &v, SCOPE_SM, BACKEND_LOCKSTEP);
    *part_word(&v) = 1;
    for (unsigned cycle = 1; cycle < 4; cycle++)
        assert_int_equal(rack_step(&r, cycle, memset(c, EVERY_CONTROL, sizeof c)), 0);
    assert_null(r.wrong);
    *part_word(&v) = 0; /* of the others nothing moves now */
    assert_int_equal(rack_step(&r, 4, memset(c, EVERY_CONTROL, sizeof c)), 0);
    r.plugs[1].socket->hear(&r.plugs[1], &(struct event){.kind = EVENT_issue});
    lies_at = 3;
    assert_int_equal(rack_step(&r, 9, memset(c, EVERY_CONTROL, sizeof c)), 1);
    assert_ptr_equal(r.wrong, rack_unit(&r, 1));
    assert_int_equal(unit_failed_cycle(r.wrong), 9);
    assert_int_equal(unit_mismatches(rack_unit(&r, 0)) + unit_mismatches(rack_unit(&r, 2)), 0);
    assert_null(rack_unit(&r, 3));
    rack_close(&r);
}

/* What the last edge of a kernel has made of a unit is compared, too. */
static void a_wrong_last_edge_is_returned(void **unused)
{
    (void)unused;
    static const struct socket s = PART_SOCKET("meter", );
    struct unit lying = meter, honest = meter;
    struct part_view v = {0};
    lying.model = &liar;
    honest.model = &meter_model;
    for (unsigned wrong = 0; wrong <= 3; wrong++) { /* 3: none */
        struct plan plan = {.count = 3};
        struct rack r;
        for (unsigned i = 0; i < 3; i++)
            plan.units[i] = part_planned(&s, i == wrong ? &lying : &honest, 0, 0);
        part_open(&r, &plan, &v, SCOPE_SM, BACKEND_LOCKSTEP);
        *part_word(&v) = 1;
        lies_at = 3;
        for (unsigned cycle = 1; cycle <= 3; cycle++) {
            struct controls c[NUM_SCHEDULERS];
            assert_int_equal(rack_step(&r, cycle, memset(c, EVERY_CONTROL, sizeof c)), 0);
        }
        assert_int_equal(rack_settle(&r, 4), wrong < 3);
        assert_ptr_equal(r.wrong, rack_unit(&r, wrong));
        if (wrong < 3)
            assert_int_equal(unit_failed_cycle(r.wrong), 4);
        rack_close(&r);
    }
}

static void an_accusation_is_reported(void **unused)
{
    (void)unused;
    static const struct socket s = PART_SOCKET("meter", );
    const struct plan plan = {
        .units = {part_planned(&s, &meter, 0, 0), part_planned(&s, &timer, 0, 0)}, .count = 2};
    struct part_view v = {0};
    struct controls c[NUM_SCHEDULERS];
    struct rack r;
    char *text = NULL;
    size_t size;
    part_open(&r, &plan, &v, SCOPE_SM, BACKEND_C);
    assert_int_equal(rack_step(&r, 7, memset(c, EVERY_CONTROL, sizeof c)), 0);
    rack_accuse(&r, 7, "it has run away");
    assert_ptr_equal(r.wrong, rack_unit(&r, 1)); /* the last one decides */
    assert_int_equal(unit_failed_cycle(r.wrong), 7);
    FILE *to = open_memstream(&text, &size);
    unit_report(r.wrong, "some", to);
    fclose(to);
    assert_non_null(strstr(text, "timer  test  config some  cycle 7"));
    assert_non_null(strstr(text, "it has run away"));
    free(text);
    rack_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_after_the_edge),
        cmocka_unit_test(a_lie_is_returned),
        cmocka_unit_test(a_wrong_last_edge_is_returned),
        cmocka_unit_test(an_accusation_is_reported),
    };
    return cmocka_run_group_tests_name("tb/units/blame", tests, NULL, NULL);
}
