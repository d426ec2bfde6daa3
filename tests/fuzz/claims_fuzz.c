/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/claims_fuzz.c: any bytes as a ledger of claims. What is accepted must be whole claims,
 * whose expressions have a value or a reason for having none; what is refused must be told in one
 * message. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/cli/claims/ledger.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/input.h"

static void check_value(const struct claim_value *v)
{
    const struct expr_source no_runs = {0};
    struct expr_error e = {0};
    double value;
    assert_true(*v->label && v->paper_words.text && (v->drawn || isfinite(v->paper.value)));
    if (!v->ours)
        return;
    assert_true(v->drawn || v->rule.kind != RULE_NONE);
    if (expr_value(v->ours, &no_runs, &value, &e)) {
        assert_true(*e.what && e.at >= 0 && (size_t)e.at <= strlen(v->ours_words.text));
        return;
    }
    if (v->drawn)
        return;
    char room[48];
    assert_true(isfinite(value) && *figure_print(&v->paper, value, room));
    rule_holds(&v->rule, &v->paper, value);
}

static void check_claim(const struct claim *c)
{
    int computed = 0, end, at = 0;
    assert_true(*c->id && c->where.text && c->quantity.text && c->check.text && c->reason.text);
    assert_true(c->num_values || c->paper.text);
    for (int i = 0; i < c->num_values; i++) {
        check_value(&c->values[i]);
        computed += c->values[i].ours != NULL;
    }
    assert_true(computed || c->open.text || c->not_comparable.text);
    while ((at = reason_next(c->reason.text, at, &end)) >= 0) {
        assert_true(end >= at && c->reason.text[end] == ')');
        at = end;
    }
}

int claims_fuzz(const uint8_t *data, size_t size)
{
    char path[64], *said;
    size_t length;
    struct ledger l;
    const int file = input_open(data, size, path);
    FILE *err = open_memstream(&said, &length);
    assert_non_null(err);
    const int status = ledger_read(&l, path, err);
    fclose(err);
    close(file);
    if (status) {
        assert_true(length > 10 && said[length - 1] == '\n');
        assert_null(memchr(said, '\n', length - 1));
    } else {
        assert_int_equal(length, 0);
        for (int i = 0; i < l.count; i++)
            check_claim(&l.claims[i]);
    }
    free(said);
    ledger_free(&l);
    return 0;
}
