/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/plain_pick.h: the choice among five actions in the words of RLWS IV-F: "either the
 * action with the highest Q value (exploitation) or a randomly chosen action (exploration)". Q are
 * numbers here, and the possible actions a list. Nothing is shared with cmodel/rlws_pick.h. */
#ifndef HEDDLE_TESTS_CMODEL_PLAIN_PICK_H
#define HEDDLE_TESTS_CMODEL_PLAIN_PICK_H

#include <math.h>
#include <stdint.h>

enum { ACTIONS = 5, PAIRS = 10, DRAWS = 256 };

struct choice {
    double q[ACTIONS];
    int possible[ACTIONS];
    int drawn, draw;
};

static inline int plain_list(const struct choice *c, int *list)
{
    int length = 0;
    for (int a = 0; a < ACTIONS; a++)
        if (c->possible[a])
            list[length++] = a;
    return length;
}

/* The first of those with the highest Q, or the one that stands at `draw`/256 of the list. */
static inline int plain_pick(const struct choice *c)
{
    int list[ACTIONS], length = plain_list(c, list), best = list[0];
    if (c->drawn)
        return list[(int)floor(c->draw / 256.0 * length)];
    for (int n = 1; n < length; n++)
        if (c->q[list[n]] > c->q[best])
            best = list[n];
    return best;
}

/* What the learner tells the unit of them. */
static inline uint64_t plain_beats(const struct choice *c)
{
    static const int first[PAIRS] = {0, 0, 0, 0, 1, 1, 1, 2, 2, 3},
                     second[PAIRS] = {1, 2, 3, 4, 2, 3, 4, 3, 4, 4};
    uint64_t beats = 0;
    for (int n = 0; n < PAIRS; n++)
        if (!(c->q[second[n]] > c->q[first[n]]))
            beats |= UINT64_C(1) << n;
    return beats;
}

/* Of any pairs, also such that are in no order: the action that wins against every other possible
 * one, -1 if there is none. */
static inline int plain_winner(const struct choice *c, uint64_t beats)
{
    int wins[ACTIONS][ACTIONS], list[ACTIONS], length = plain_list(c, list);
    for (int i = 0; i < ACTIONS; i++)
        for (int j = i + 1; j < ACTIONS; j++) {
            wins[i][j] = (int)(beats % 2);
            wins[j][i] = !wins[i][j];
            beats /= 2;
        }
    for (int n = 0; n < length; n++) {
        int won = 1;
        for (int other = 0; other < length; other++)
            won += list[other] != list[n] && wins[list[n]][list[other]];
        if (won == length)
            return list[n];
    }
    return -1;
}

#endif
