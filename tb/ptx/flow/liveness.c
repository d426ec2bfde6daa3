/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/flow/liveness.c: register pressure. A register is live before an instruction from which a
 * way leads to a read of it without a write in between; each register's live range is walked
 * backwards from its reads. A guarded write leaves the old value in some lanes and so ends no
 * range. */
#include "tb/ptx/flow/flow.h"
#include "tb/ptx/type.h"

struct liveness {
    struct ptx_context *context;
    const struct ptx_kernel *kernel;
    struct digraph before;        /* of each instruction: branches that lead to it */
    struct digraph reads, writes; /* of each register: the instructions */
    uint32_t *live;               /* by instruction: 32-bit registers live before it */
    uint32_t *dead;               /* by instruction: those it writes although nobody reads them */
    uint32_t *stamp;              /* by instruction: the last register found live before it */
    uint32_t *stack;
};

static uint32_t weight(const struct symbol *y)
{
    return y->type == T_PRED ? 0 : type_bytes(y->type) == 8 ? 2 : 1;
}

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
    g.to = ptx_scratch(c, k->num_uops, sizeof *g.to);
    for (uint32_t i = 0; i < k->num_uops; i++) {
        g.first[i] = edges;
        if (k->uops[i].op == U_BRA)
            g.to[edges++] = k->uops[i].target;
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

static void walk(struct liveness *l, uint32_t number, uint32_t units)
{
    uint32_t depth = 0;
    for (uint32_t e = l->reads.first[number]; e < l->reads.first[number + 1]; e++) {
        uint32_t i = l->reads.to[e];
        if (l->stamp[i] != number)
            l->stack[depth++] = i;
        l->stamp[i] = number;
        while (depth) {
            uint32_t at = l->stack[--depth];
            ptx_spend(l->context, 1 + l->before.first[at + 1] - l->before.first[at]);
            l->live[at] += units;
            if (at > 0 && !flow_ends(&l->kernel->uops[at - 1]))
                depth = step_back(l, number, at - 1, depth);
            for (uint32_t b = l->before.first[at]; b < l->before.first[at + 1]; b++)
                depth = step_back(l, number, l->before.to[b], depth);
        }
    }
    for (uint32_t e = l->writes.first[number]; e < l->writes.first[number + 1]; e++) {
        uint32_t i = l->writes.to[e];
        if (l->stamp[i + 1] != number) /* what writes never ends the kernel: there is an i + 1 */
            l->dead[i] += units;
    }
}

uint32_t flow_pressure(struct ptx_context *c, const struct ptx_kernel *k,
                       struct symbol *const *registers, uint32_t num_registers)
{
    struct liveness l = {.context = c, .kernel = k};
    index_registers(c, k, 0, &l.reads);
    index_registers(c, k, 1, &l.writes);
    index_branches(c, k, &l.before);
    l.live = ptx_scratch(c, (size_t)k->num_uops + 1, sizeof *l.live);
    l.dead = ptx_scratch(c, k->num_uops, sizeof *l.dead);
    l.stamp = ptx_scratch(c, (size_t)k->num_uops + 1, sizeof *l.stamp);
    l.stack = ptx_scratch(c, k->num_uops, sizeof *l.stack);
    for (uint32_t i = 0; i < num_registers; i++)
        if (weight(registers[i]))
            walk(&l, registers[i]->number, weight(registers[i]));
    uint32_t most = 1;
    for (uint32_t i = 0; i < k->num_uops; i++) {
        uint32_t after = l.live[i + 1] + l.dead[i];
        most = l.live[i] > most ? l.live[i] : most;
        most = l.dead[i] && after > most ? after : most;
    }
    return most;
}
