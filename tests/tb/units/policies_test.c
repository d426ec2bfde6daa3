/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/units/policies_test.c: from names and keys to the units of a machine: every policy has
 * what it names, in its order; keys add, remove and delay units; a name that is none is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cosim/unit.h"
#include "tb/units/policies.h"
#include "tests/tb/test_config.h"

/* The word of the configuration that names the policy of a kind. */
static char *word_of(struct config *c, enum policy_kind kind)
{
    return kind == POLICY_SCHED ? c->run_sched : c->run_dispatch;
}

/* The plans of a configuration that is right. */
static void plan(struct plan plans[NUM_SCOPES], const struct config *c)
{
    assert_int_equal(plan_machine(plans, c, stderr), 0);
}

/* Where a unit stands in the plan of its scope, or -1. */
static int place(const struct plan plans[NUM_SCOPES], const char *stem)
{
    const struct socket *s = socket_find(stem);
    assert_non_null(s);
    for (unsigned i = 0; i < plans[s->scope].count; i++)
        if (plans[s->scope].units[i].socket == s)
            return (int)i;
    return -1;
}

/* The units that a policy names, each with its value, read by other means than the code's. */
struct names {
    char stems[MAX_PLUGS][64], values[MAX_PLUGS][64];
    unsigned count;
};

static struct names names_of(const struct policy *p)
{
    struct names n = {0};
    char text[256], *rest = text;
    snprintf(text, sizeof text, "%s", p->units);
    for (char *unit; (unit = strsep(&rest, " "));) {
        char *value = unit;
        snprintf(n.stems[n.count], sizeof n.stems[0], "%s", strsep(&value, "="));
        snprintf(n.values[n.count++], sizeof n.values[0], "%s", value ? value : "");
    }
    return n;
}

static void policies_have_their_units(void **unused)
{
    (void)unused;
    unsigned policies = 0;
    for (enum policy_kind kind = 0; kind < NUM_POLICY_KINDS; kind++) {
        const struct policy *p;
        for (unsigned i = 0; (p = policy_at(kind, i)); i++, policies++) {
            struct config c = test_config();
            struct plan plans[NUM_SCOPES];
            strcpy(word_of(&c, kind), p->name);
            strcpy(c.daws_table_profile, "given"); /* whoever needs it */
            assert_int_equal(policies_check(&c, stderr), 0);
            plan(plans, &c);
            assert_true(*p->source && *p->meaning);
            const struct names n = names_of(p);
            assert_true(n.count > 0);
            for (unsigned u = 0, before[NUM_SCOPES] = {0}; u < n.count; u++) {
                const struct socket *s = socket_find(n.stems[u]);
                assert_non_null(s);
                assert_true(!s->log || s->scope == SCOPE_SM); /* nobody else is asked for rows */
                const int at = place(plans, n.stems[u]);
                assert_true(at >= (int)before[s->scope]); /* in the order of the list */
                before[s->scope] = (unsigned)at;
                const struct planned *planned = &plans[s->scope].units[at];
                assert_ptr_equal(planned->unit, unit_find(n.stems[u]));
                uint64_t value = 0;
                if (*n.values[u])
                    assert_int_equal(unit_value(planned->unit, "policy", n.values[u], &value), 0);
                assert_int_equal(planned->policy, value);
                assert_int_equal(planned->delay, 0);
            }
        }
        assert_true(policies > 0);
    }
}

/* Names differ within a kind, or one would never be found. */
static void names_differ(void **unused)
{
    (void)unused;
    for (enum policy_kind kind = 0; kind < NUM_POLICY_KINDS; kind++)
        for (unsigned i = 0; policy_at(kind, i); i++)
            for (unsigned j = 0; j < i; j++)
                assert_string_not_equal(policy_at(kind, i)->name, policy_at(kind, j)->name);
}

static void unknown_names_are_refused(void **unused)
{
    (void)unused;
    static const char *const keys[] = {"[run] sched = ", "[run] dispatch = "};
    for (enum policy_kind kind = 0; kind < NUM_POLICY_KINDS; kind++) {
        static const char *const wrong[] = {"lr", "lrrr", "LRR", "wia", " lrr", "lrr "};
        for (unsigned w = 0; w < sizeof wrong / sizeof *wrong; w++)
            for (int planned = 0; planned < 2; planned++) {
                struct config c = test_config();
                struct plan plans[NUM_SCOPES];
                char *said, expected[128];
                size_t size;
                strcpy(word_of(&c, kind), wrong[w]);
                FILE *err = open_memstream(&said, &size);
                assert_int_equal(planned ? plan_machine(plans, &c, err) : policies_check(&c, err),
                                 -1);
                fclose(err);
                snprintf(expected, sizeof expected, "%s%s: unknown policy", keys[kind], wrong[w]);
                assert_ptr_equal(strstr(said, expected), said);
                for (unsigned i = 0; policy_at(kind, i);
                     i++) { /* and the list of those there are */
                    snprintf(expected, sizeof expected, " %s", policy_at(kind, i)->name);
                    const char *at = strstr(strstr(said, "one of:"), expected);
                    assert_non_null(at);
                    assert_true(strchr(" \n", at[strlen(expected)]));
                }
                assert_ptr_equal(strchr(said, '\n'), said + size - 1); /* on one line */
                free(said);
            }
    }
}

/* A policy with a unit that has a PATH key is refused without that file, and no other is. */
static void files_are_needed(void **unused)
{
    (void)unused;
    static const char expected[] =
        "[run] sched = daws-profiled: expected a file: --set daws_table.profile=FILE (";
    const struct policy *p;
    unsigned needing = 0;
    for (enum policy_kind kind = 0; kind < NUM_POLICY_KINDS; kind++)
        for (unsigned i = 0; (p = policy_at(kind, i)); i++) {
            struct config c = test_config();
            struct plan plans[NUM_SCOPES];
            char *said;
            size_t size;
            const int needs = !strcmp(p->name, "daws-profiled");
            strcpy(word_of(&c, kind), p->name);
            FILE *err = open_memstream(&said, &size);
            assert_int_equal(policies_check(&c, err), -needs);
            assert_int_equal(plan_machine(plans, &c, err), -needs);
            fclose(err);
            assert_true(needs ? strstr(said, expected) == said : !*said);
            if (needs)
                assert_string_equal(policy_needs(p), "daws_table.profile");
            else
                assert_null(policy_needs(p));
            needing += (unsigned)needs;
            free(said);
        }
    assert_int_equal(needing, 1);
}

/* Those whose unit takes actions, and no other. */
static void some_act_in_every_cycle(void **unused)
{
    (void)unused;
    const struct policy *p;
    unsigned acting = 0;
    for (enum policy_kind kind = 0; kind < NUM_POLICY_KINDS; kind++)
        for (unsigned i = 0; (p = policy_at(kind, i)); i++) {
            acting += (unsigned)policy_acts(p);
            assert_int_equal(policy_acts(p),
                             !strcmp(p->name, "rlws") || !strcmp(p->name, "rlws-ms"));
        }
    assert_int_equal(acting, 2);
}

static void keys_switch_mask_on(void **unused)
{
    (void)unused;
    static const struct {
        int64_t n, p;
    } cases[] = {{0, 0}, {1, 0}, {0, 1}, {2, 1}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct config c = test_config();
        struct plan plans[NUM_SCOPES];
        c.mask_n = cases[i].n;
        c.mask_p = cases[i].p;
        plan(plans, &c);
        assert_int_equal(place(plans, "mask"), i ? 0 : -1); /* before those that policies name */
        assert_int_equal(place(plans, "wia"), i ? 1 : 0);
        assert_int_equal(plans[SCOPE_SCHEDULER].count, i ? 2 : 1);
        assert_int_equal(plans[SCOPE_SM].count, 0);
        assert_int_equal(plans[SCOPE_GPU].count, 1);
    }
}

/* Who looks on is asked behind all others, those that policies name among them. */
static void who_looks_on_comes_last(void **unused)
{
    (void)unused;
    static const char *const policies[] = {"gto", "gto-taws", "poise"};
    for (unsigned i = 0; i < 3; i++) {
        struct config c = test_config();
        struct plan plans[NUM_SCOPES];
        strcpy(c.run_sched, policies[i]);
        c.mask_n = 1;
        plan(plans, &c);
        assert_int_equal(place(plans, "stall"), -1);
        const int others = (int)plans[SCOPE_SCHEDULER].count;
        c.stall_count = 1;
        plan(plans, &c);
        assert_int_equal(place(plans, "stall"), others);
        assert_int_equal(place(plans, "wia"), others - 1);
    }
}

/* <stem>.delay, as a configuration gives it. */
static void delays_reach_the_plan(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < num_sockets; i++) {
        struct config c = test_config();
        struct plan plans[NUM_SCOPES];
        char assignment[128];
        unsigned late = 0;
        c.mask_n = 1;
        snprintf(assignment, sizeof assignment, "%s.delay=%u", sockets[i]->stem, 3 + i);
        assert_int_equal(config_set(&c, assignment, stderr), 0);
        plan(plans, &c);
        for (enum scope scope = 0; scope < NUM_SCOPES; scope++)
            for (unsigned u = 0; u < plans[scope].count; u++) {
                const struct planned *p = &plans[scope].units[u];
                assert_int_equal(p->delay, p->socket == sockets[i] ? 3 + i : 0);
                late += p->delay > 0;
            }
        assert_true(late == 1 || place(plans, sockets[i]->stem) < 0);
    }
}

/* A unit that cannot work beside another one says so, and why. */
static void units_that_disagree_are_refused(void **unused)
{
    (void)unused;
    for (unsigned i = 0; policy_at(POLICY_SCHED, i); i++) {
        const struct policy *p = policy_at(POLICY_SCHED, i);
        struct config c = test_config();
        struct plan plans[NUM_SCOPES];
        char *said;
        size_t size;
        strcpy(c.run_sched, p->name);
        strcpy(c.daws_table_profile, "given");
        c.mask_n = 1;
        FILE *err = open_memstream(&said, &size);
        const int refused = plan_machine(plans, &c, err);
        fclose(err);
        assert_int_equal(refused, strstr(p->units, "wia=gtls") ? -1 : 0);
        assert_string_equal(said, refused
                                      ? "unit mask goes by age: under gtls wia keeps the order of "
                                        "waiting instead\n"
                                      : "");
        free(said);
    }
}

/* What a unit does in the cycle that its inputs are of cannot come late. */
static void some_cannot_be_late(void **unused)
{
    (void)unused;
    struct config c = test_config();
    struct plan plans[NUM_SCOPES];
    char *said;
    size_t size;
    strcpy(c.run_dispatch, "kmu");
    assert_int_equal(plan_machine(plans, &c, stderr), 0);
    c.kmu_delay = 1;
    FILE *err = open_memstream(&said, &size);
    assert_int_equal(plan_machine(plans, &c, err), -1);
    fclose(err);
    assert_string_equal(
        said,
        "unit kmu places blocks by the room that SMs have in this cycle: it cannot do so later\n");
    free(said);
}

/* What a list of units adds, and why it is refused. */
static void lists_are_read(void **unused)
{
    (void)unused;
    static const struct {
        const char *units, *said; /* "": it is not refused */
        unsigned count, last;     /* units of a scheduler, and the policy of the last one */
    } cases[] = {
        {"", "", 0, 0},
        {"  ", "", 0, 0},
        {"wia=oldest", "", 1, 2},
        {" active  wia=gto ", "", 2, 1},
        {"wia=gto mask", "", 2, 0},
        {"wia=gto wia", "", 2, 0},
        {"wi", "unit wi has no socket\n", 0, 0},
        {"wia=gto wiaa=gto", "unit wiaa has no socket\n", 1, 1},
        {"=gto", "unit  has no socket\n", 0, 0},
        {"mask wia=none", "unit wia does not have the policy that its list names\n", 1, 0},
        {"mask=gto", "unit mask does not have the policy that its list names\n", 0, 0},
        {"wia=", "unit wia does not have the policy that its list names\n", 0, 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct config c = test_config();
        struct plan plans[NUM_SCOPES] = {0};
        const struct plan *plan = &plans[SCOPE_SCHEDULER];
        char *said;
        size_t size;
        FILE *err = open_memstream(&said, &size);
        assert_int_equal(plan_units(plans, cases[i].units, &c, err), *cases[i].said ? -1 : 0);
        fclose(err);
        assert_string_equal(said, cases[i].said);
        assert_int_equal(plan->count, cases[i].count);
        if (plan->count)
            assert_int_equal(plan->units[plan->count - 1].policy, cases[i].last);
        free(said);
    }
}

static void plans_are_full(void **unused)
{
    (void)unused;
    const struct config c = test_config();
    struct plan plans[NUM_SCOPES] = {0};
    char *said;
    size_t size;
    for (unsigned i = 0; i < MAX_PLUGS; i++)
        assert_int_equal(plan_units(plans, "wia", &c, stderr), 0);
    FILE *err = open_memstream(&said, &size);
    assert_int_equal(plan_units(plans, "wia", &c, err), -1);
    assert_int_equal(plan_units(plans, "dispatch", &c, err), 0); /* another scope has room */
    fclose(err);
    assert_string_equal(said, "unit wia cannot be added: there are too many units of its scope\n");
    assert_int_equal(plans[SCOPE_SCHEDULER].count, MAX_PLUGS);
    free(said);
}

/* A socket is found by its file, and plugs in the unit of the same name. */
static void stems_are_those_of_files(void **unused)
{
    (void)unused;
    static const char *const files[] = {
#define SOCKET(stem) #stem,
#include "sockets.def"
#undef SOCKET
    };
    assert_int_equal(num_sockets, sizeof files / sizeof *files);
    assert_true(num_sockets >= 3);
    for (unsigned i = 0; i < num_sockets; i++) {
        const struct socket *s = sockets[i];
        assert_string_equal(s->stem, files[i]);
        assert_ptr_equal(socket_find(s->stem), s);
        assert_non_null(unit_find(s->stem));
        assert_true(s->scope < NUM_SCOPES && s->gather);
        assert_int_equal(s->hears != 0, s->hear != NULL);
        assert_true(i == 0 || strcmp(files[i - 1], files[i]) < 0);
    }
    assert_null(socket_find("wi"));
    assert_null(socket_find(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_have_their_units),
        cmocka_unit_test(names_differ),
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(units_that_disagree_are_refused),
        cmocka_unit_test(files_are_needed),
        cmocka_unit_test(some_act_in_every_cycle),
        cmocka_unit_test(keys_switch_mask_on),
        cmocka_unit_test(who_looks_on_comes_last),
        cmocka_unit_test(delays_reach_the_plan),
        cmocka_unit_test(stems_are_those_of_files),
        cmocka_unit_test(some_cannot_be_late),
        cmocka_unit_test(lists_are_read),
        cmocka_unit_test(plans_are_full),
    };
    return cmocka_run_group_tests_name("tb/units/policies", tests, NULL, NULL);
}
