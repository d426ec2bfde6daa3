/* SPDX-License-Identifier: Apache-2.0 */
/* synth/netlist/switching.c: see switching.h. */
#include "synth/netlist/switching.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int switching_open(struct switching *a, const struct simulator *s)
{
    const size_t nets = s->netlist->num_nets;
    *a = (struct switching){.simulator = s};
    a->edges = calloc(3 * nets, sizeof *a->edges);
    a->value = calloc(nets, 1);
    if (!a->edges || !a->value)
        return -1;
    a->high = a->edges + nets;
    a->since = a->high + nets;
    switching_start(a);
    return 0;
}

void switching_start(struct switching *a)
{
    const size_t nets = a->simulator->netlist->num_nets;
    memset(a->edges, 0, 3 * nets * sizeof *a->edges);
    memcpy(a->value, a->simulator->value, nets);
    a->cycles = 0;
}

void switching_close(struct switching *a)
{
    free(a->edges);
    free(a->value);
}

void switching_cycle(struct switching *a)
{
    const struct simulator *s = a->simulator;
    for (uint32_t i = 0; i < s->num_moved; i++) {
        const uint32_t net = s->moved[i];
        a->edges[net]++;
        if (a->value[net])
            a->high[net] += a->cycles - a->since[net];
        a->since[net] = a->cycles;
        a->value[net] ^= 1;
    }
    a->cycles++;
}

uint64_t switching_high(const struct switching *a, uint32_t net)
{
    return a->high[net] + (a->value[net] ? a->cycles - a->since[net] : 0);
}

static void print_net(const struct switching *a, const struct netlist_signal *s, unsigned bit,
                      uint64_t period, FILE *out)
{
    const uint32_t net = s->net[bit];
    const int clock = net == a->simulator->clock;
    const uint64_t time = a->cycles * period,
                   high = clock ? time / 2 : switching_high(a, net) * period,
                   edges = clock ? 2 * a->cycles : a->edges[net];
    fputs("    (", out);
    for (const char *c = s->name; *c; c++)
        fprintf(out, strchr("[].", *c) ? "\\%c" : "%c", *c);
    if (s->bits > 1)
        fprintf(out, "\\[%d\\]", s->low + (int)bit);
    fprintf(out, " (T0 %" PRIu64 ") (T1 %" PRIu64 ") (TX 0) (TC %" PRIu64 ") (IG 0))\n",
            time - high, high, edges);
}

void switching_print(const struct switching *a, uint64_t period, FILE *out)
{
    const struct netlist *n = a->simulator->netlist;
    fprintf(out,
            "(SAIFILE\n(SAIFVERSION \"2.0\")\n(DIRECTION \"backward\")\n(DESIGN \"%s\")\n"
            "(PROGRAM_NAME \"Heddle\")\n(DIVIDER / )\n(TIMESCALE 1 ps)\n(DURATION %" PRIu64 ")\n"
            "(INSTANCE %s\n  (NET\n",
            n->module, a->cycles * period, n->module);
    for (uint32_t s = 0; s < n->num_signals; s++)
        for (unsigned b = 0; b < n->signals[s].bits; b++)
            print_net(a, &n->signals[s], b, period, out);
    fputs("  )\n)\n)\n", out);
}
