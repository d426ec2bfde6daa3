/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/rule.c: see rule.h. */
#include "tb/cli/claims/rule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *words;
    enum rule_kind kind;
    int by; /* followed by a number */
    const char *end;
} rules[] = {
    {"exact", RULE_EXACT, 0, ""},         {"rounded", RULE_ROUNDED, 0, ""},
    {"true", RULE_TRUE, 0, ""},           {"same sign", RULE_SIGN, 0, ""},
    {"at least", RULE_LEAST, 0, ""},      {"at most", RULE_MOST, 0, ""},
    {"within ", RULE_WITHIN, 1, ""},      {"within ", RULE_PERCENT, 1, " %"},
    {"gain within ", RULE_GAIN, 1, " %"}, {"factor ", RULE_FACTOR, 1, ""},
};

int rule_read(struct rule *rule, const char *text)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const size_t length = strlen(rules[i].words);
        if (strncmp(text, rules[i].words, length) != 0)
            continue;
        char *end = (char *)text + length;
        *rule = (struct rule){rules[i].kind, 0};
        if (rules[i].by && strspn(end, "0123456789"))
            rule->by = strtod(end, &end);
        else if (rules[i].by)
            continue;
        if (!strcmp(end, rules[i].end))
            return 0;
    }
    return -1;
}

int figure_read(struct figure *f, const char *text)
{
    const char *digits = text + (*text == '-' || *text == '+');
    const size_t whole = strspn(digits, "0123456789"), point = digits[whole] == '.',
                 part = point ? strspn(digits + whole + 1, "0123456789") : 0;
    *f = (struct figure){0};
    f->yes_no = !strcmp(text, "yes") || !strcmp(text, "no");
    f->value = f->yes_no ? *text == 'y' : strtod(text, NULL);
    f->decimals = (int)part;
    return f->yes_no ||
                   (whole && whole + part < 20 && part >= point && !digits[whole + point + part])
               ? 0
               : -1;
}

int rule_sign(const struct figure *paper, double ours)
{
    return paper->yes_no ? ours != 0 : (ours > 0) - (ours < 0);
}

int rule_holds(const struct rule *rule, const struct figure *paper, double ours)
{
    const double p = paper->value, apart = fabs(ours - p),
                 little = 1e-9 * fmax(1, fabs(p)); /* binary fractions of decimal numbers */
    switch (rule->kind) {
    case RULE_EXACT: return apart <= little;
    case RULE_ROUNDED: return apart <= 0.5 * pow(10, -paper->decimals) + little;
    case RULE_TRUE:
    case RULE_SIGN: return rule_sign(paper, ours) == rule_sign(paper, p);
    case RULE_WITHIN: return apart <= rule->by + little;
    case RULE_PERCENT: return apart <= rule->by / 100 * fabs(p) + little;
    case RULE_FACTOR: return ours >= p / rule->by - little && ours <= p * rule->by + little;
    case RULE_GAIN:
        return rule_sign(paper, ours) == rule_sign(paper, p) &&
               apart <= rule->by / 100 * fabs(100 + p) + little;
    case RULE_LEAST: return ours >= p - little;
    case RULE_MOST: return ours <= p + little;
    default: return 0;
    }
}

const char *figure_print(const struct figure *paper, double ours, char room[48])
{
    int decimals = paper->decimals;
    if (paper->yes_no)
        return ours != 0 ? "yes" : "no";
    const int most = paper->decimals + 1;
    while ((decimals < most || (decimals < 4 && fabs(ours) * pow(10, decimals) < 100)) &&
           fabs(ours * pow(10, decimals) - round(ours * pow(10, decimals))) > 1e-9)
        decimals++;
    snprintf(room, 48, fabs(ours) < 1e15 ? "%.*f" : "%.*g", decimals, ours);
    return room;
}
