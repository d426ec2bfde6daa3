/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/rule.h: when a figure of ours bears out the paper's.
 *
 *   exact                  the same number
 *   rounded                the same number to as many decimals as the paper prints
 *   true                   the paper's yes or no
 *   within X               at most X away
 *   within X %             at most X % of the paper's figure away
 *   factor X               between the X-th part of the paper's figure and X times it
 *   gain within X %        gains in percent of the same sign, 1 + gain / 100 within X %
 *   same sign              gains where the paper gains, loses where it loses
 *   at least, at most      the paper's figure is a bound */
#ifndef HEDDLE_TB_CLI_CLAIMS_RULE_H
#define HEDDLE_TB_CLI_CLAIMS_RULE_H

enum rule_kind {
    RULE_NONE,
    RULE_EXACT,
    RULE_ROUNDED,
    RULE_TRUE,
    RULE_WITHIN,
    RULE_PERCENT,
    RULE_FACTOR,
    RULE_GAIN,
    RULE_SIGN,
    RULE_LEAST,
    RULE_MOST
};

struct rule {
    enum rule_kind kind;
    double by;
};

/* What a paper prints: 46.6, -3.5, yes, no. */
struct figure {
    double value; /* of yes 1, of no 0; NaN: it is only drawn */
    int decimals;
    int yes_no;
};

/* Return 0, or -1: it is none. */
int rule_read(struct rule *, const char *text);
int figure_read(struct figure *, const char *text);

int rule_holds(const struct rule *, const struct figure *paper, double ours);

/* The sign of a gain, or the truth of a statement. */
int rule_sign(const struct figure *paper, double ours);

/* Ours with the paper's decimals, and one more if that tells something; small figures with three
 * digits. */
const char *figure_print(const struct figure *paper, double ours, char room[48]);

#endif
