/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/flow/liveness.c: where registers are live, and how many at once. Each register's live
 * range is walked backwards from its reads. */
#include "tb/ptx/flow/flow.h"

/* The instructions that name each register: a graph from instructions to registers, turned round.
 */
static void index_registers(struct ptx_context *c, const struct ptx_kernel *k, int written,
                            struct digraph *by_register)
{
    uint32_t nodes = k->num_uops > k->num_regs ? k->num_uops : k->num_regs, edges = 0;
    struct digraph g = {.num_nodes = nodes};
    g.first = ptx_scratch(c, (size_t)nodes + 1, sizeof *g.first);
    for (uint32_t i = 0; i < k->num_uops; i++)
        edges += written ? k->uops[i].num_writes : k->uops[i].num_reads;
    g.to = ptx_scratch(c, edges, sizeof *g.to);
    edges = 0;
    for (uint32_t i = 0; i < nodes; i++) {
        g.first[i] = edges;
        uint32_t count = i >= k->num_uops ? 0
                         : written        ? k->uops[i].num_writes
                                          : k->uops[i].num_reads;
        for (uint32_t n = 0; n < count; n++)
            g.to[edges++] = written ? k->uops[i].writes[n] : k->uops[i].reads[n];
    }
    g.first[nodes] = edges;
    digraph_reverse(c, &g, by_register);
}

static void index_branches(struct ptx_context *c, const struct ptx_kernel *k,
                           struct digraph *before)
{
    struct digraph g = {.num_nodes = k->num_uops};
    uint32_t edges = 0;
    g.first = ptx_scratch(c, (size_t)k->num_uops + 1, sizeof *g.first);
    g.to = ptx_scratch(c, (size_t)k->num_uops + k->num_targets, sizeof *g.to);
    for (uint32_t i = 0; i < k->num_uops; i++) {
        uint32_t count;
        const uint32_t *targets = ptx_targets(k, &k->uops[i], &count);
        g.first[i] = edges;
        for (uint32_t t = 0; t < count; t++)
            g.to[edges++] = targets[t];
    }
    g.first[k->num_uops] = edges;
    digraph_reverse(c, &g, before);
}

/* `from` is executed before an instruction where the register is live. */
static uint32_t step_back(struct liveness *l, uint32_t number, uint32_t from, uint32_t depth)
{
    const struct uop *u = &l->kernel->uops[from];
    if (l->stamp[from] == number)
        return depth;
    for (uint32_t i = 0; u->guard == UOP_NONE && i < u->num_writes; i++)
        if (u->writes[i] == number)
            return depth;
    l->stamp[from] = number;
    l->stack[depth++] = from;
    return depth;
}

void liveness_open(struct liveness *l, struct ptx_context *c, const struct ptx_kernel *k)
{
    *l = (struct liveness){.context = c, .kernel = k};
    index_registers(c, k, 0, &l->reads);
    index_registers(c, k, 1, &l->writes);
    index_branches(c, k, &l->before);
    l->stamp = ptx_scratch(c, (size_t)k->num_uops + 1, sizeof *l->stamp);
    l->points = ptx_scratch(c, k->num_uops, sizeof *l->points);
    l->stack = ptx_scratch(c, k->num_uops, sizeof *l->stack);
}

void liveness_find(struct liveness *l, uint32_t number)
{
    uint32_t depth = 0;
    l->num_points = 0;
    for (uint32_t e = l->reads.first[number]; e < l->reads.first[number + 1]; e++) {
        uint32_t i = l->reads.to[e];
        if (l->stamp[i] != number)
            l->stack[depth++] = i;
        l->stamp[i] = number;
        while (depth) {
            uint32_t at = l->stack[--depth];
            ptx_spend(l->context, 1 + l->before.first[at + 1] - l->before.first[at]);
            l->points[l->num_points++] = at;
            if (at > 0 && !flow_ends(&l->kernel->uops[at - 1]))
                depth = step_back(l, number, at - 1, depth);
            for (uint32_t b = l->before.first[at]; b < l->before.first[at + 1]; b++)
                depth = step_back(l, number, l->before.to[b], depth);
        }
    }
}

uint32_t flow_pressure(struct ptx_context *c, const struct ptx_kernel *k)
{
    struct liveness l;
    liveness_open(&l, c, k);
    /* By instruction: registers live before it, and those it writes although nobody reads them. */
    uint32_t *live = ptx_scratch(c, (size_t)k->num_uops + 1, sizeof *live);
    uint32_t *dead = ptx_scratch(c, k->num_uops, sizeof *dead);
    for (uint32_t number = 0; number < k->num_regs; number++) {
        const uint32_t units = k->registers[number].units;
        if (!units)
            continue;
        liveness_find(&l, number);
        for (uint32_t i = 0; i < l.num_points; i++)
            live[l.points[i]] += units;
        for (uint32_t e = l.writes.first[number]; e < l.writes.first[number + 1]; e++) {
            const uint32_t i = l.writes.to[e];
            if (l.stamp[i + 1] != number) /* what writes never ends the kernel: there is an i + 1 */
                dead[i] += units;
        }
    }
    uint32_t most = 1;
    for (uint32_t i = 0; i < k->num_uops; i++) {
        uint32_t after = live[i + 1] + dead[i];
        most = live[i] > most ? live[i] : most;
        most = dead[i] && after > most ? after : most;
    }
    return most;
}
