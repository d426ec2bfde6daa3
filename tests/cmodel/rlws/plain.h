/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/rlws/plain.h: the rule of RLWS in double precision (IV-C to IV-F), restated: a table of weights for each variable and
 * action, features 2^-v, SARSA. Nothing is shared with rlws.c. */
#ifndef HEDDLE_TESTS_CMODEL_RLWS_PLAIN_H
#define HEDDLE_TESTS_CMODEL_RLWS_PLAIN_H

#include <math.h>
#include <string.h>

#include "cmodel/rlws/rlws.h"

enum { SCHEDULERS = NUM_SCHEDULERS, VARIABLES = 8, ACTIONS = 5, MOST_LATE = 8 };

static const double ALPHA = 0.09, GAMMA = 0.95; /* table V */

struct plain {
    double theta[VARIABLES][ACTIONS];
    double coming[MOST_LATE + 1][VARIABLES]
                 [ACTIONS]; /* changes of this cycle, of the next, and so on */
    int keeps_q;            /* that of an action is kept for the next one, and not computed anew */
    int late;               /* cycles by which weights move late */
    int cycle;              /* of the interval */
    struct {
        int seen, taken;      /* a state; an action in it */
        int state[VARIABLES]; /* in which the next action is taken */
        double q[ACTIONS];    /* of that state, by the weights as they were when it was seen */
        int last_state[VARIABLES], last_action;
        double last_reward, last_q;
    } agent[SCHEDULERS];
};

static inline double plain_q(const struct plain *p, const int *state, int action)
{
    double sum = 0;
    for (int i = 0; i < VARIABLES; i++)
        sum += p->theta[i][action] * pow(2, -state[i]);
    return sum;
}

static inline void plain_cycle(struct plain *p, const struct rlws_in *in)
{
    const struct plain before = *p;
    const int every = (int)in->interval + 1;
    int any = 0;
    for (int k = 0; k < SCHEDULERS; k++) {
        const int action = (int)in->action[k];
        if (!bit_get(in->acts, (unsigned)k) || action >= ACTIONS)
            continue;
        any = 1;
        const double q = plain_q(&before, p->agent[k].state, action);
        if (p->cycle == 0 && p->agent[k].taken) {
            const int last = p->agent[k].last_action;
            const double last_q =
                p->keeps_q ? p->agent[k].last_q : plain_q(&before, p->agent[k].last_state, last);
            for (int i = 0; i < VARIABLES; i++)
                p->coming[p->late][i][last] += ALPHA *
                                               (p->agent[k].last_reward + GAMMA * q - last_q) *
                                               pow(2, -p->agent[k].last_state[i]);
        }
        if (p->cycle == 0 && p->agent[k].seen) {
            memcpy(p->agent[k].last_state, p->agent[k].state, sizeof p->agent[k].state);
            p->agent[k].last_action = action;
            p->agent[k].last_reward = 0;
            p->agent[k].last_q = q;
            p->agent[k].taken = 1;
        }
        if (bit_get(in->issued, (unsigned)k))
            p->agent[k].last_reward += 1.0 / every;
        if (p->cycle + 1 < every)
            continue;
        p->agent[k].seen = 1;
        for (int i = 0; i < VARIABLES; i++)
            p->agent[k].state[i] = (int)in->value[k * VARIABLES + i];
        for (int a = 0; a < ACTIONS; a++)
            p->agent[k].q[a] = plain_q(&before, p->agent[k].state, a);
    }
    for (int i = 0; i < VARIABLES; i++)
        for (int a = 0; a < ACTIONS; a++)
            p->theta[i][a] += p->coming[0][i][a];
    memmove(p->coming[0], p->coming[1], MOST_LATE * sizeof p->coming[0]);
    memset(p->coming[MOST_LATE], 0, sizeof p->coming[0]);
    if (any)
        p->cycle = p->cycle + 1 < every ? p->cycle + 1 : 0;
}

#endif
