/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/flow/constants.c: constants of the launch: numbers, parameters, addresses of variables, and
 * copies of these. An instruction of hardware has them as immediate operands or reads them from
 * constant memory, where PTX moves them to registers first. */
#include "tb/ptx/flow/flow.h"

/* Whether an instruction makes a constant, from nothing or from the constant that it reads. */
static int makes_constant(const struct uop *u, const uint8_t *constant)
{
    const int moves = u->op == U_MOV || u->op == U_CVTA;
    const int param = u->op == U_LD && u->space == SPACE_PARAM && u->src[0] == UOP_NONE;
    if (u->guard != UOP_NONE || !(moves || param))
        return 0;
    return param ||
           (u->num_reads ? constant[u->reads[0]] : (u->src[0] & UOP_CONST) && u->src[0] < UOP_NONE);
}

void flow_constants(struct ptx_context *c, struct ptx_kernel *k)
{
    struct liveness l;
    uint8_t *constant = ptx_scratch(c, k->num_regs, 1);
    liveness_open(&l, c, k);
    for (uint32_t i = 0; i < k->num_uops; i++) {
        const struct uop *u = &k->uops[i];
        for (uint32_t w = 0; w < u->num_writes && makes_constant(u, constant); w++) {
            const uint32_t n = u->writes[w];
            if (!k->registers[n].units || l.writes.first[n + 1] - l.writes.first[n] != 1)
                continue;
            liveness_find(&l, n);
            constant[n] = l.stamp[0] != n; /* never read before it is written */
            k->registers[n].units = constant[n] ? 0 : k->registers[n].units;
        }
    }
}
