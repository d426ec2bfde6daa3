/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/spill/rewrite.c: the instructions, with what moves spilled values. What is added stands at
 * the PTX line of the instruction that it serves. */
#include <stdio.h>
#include <string.h>

#include "tb/ptx/spill/spill.h"

#define MAX_MOVED 20 /* registers that one instruction names */

struct rewriter {
    struct spill *spill;
    struct ptx_kernel *out;
    struct uop *uops;
    char **text;
    const struct ptx_source **sources,
        *source; /* of those emitted; of the instruction that is rewritten */
    uint32_t num_uops, num_regs;
    struct ptx_register *registers;
    uint32_t temporary[3][MAX_MOVED]; /* by width and place in the instruction; 0: none yet */
};

static void emit(struct rewriter *r, const struct uop *u, char *text)
{
    struct ptx_context *c = r->spill->context;
    if (r->num_uops == MAX_INSTRUCTIONS)
        ptx_fail(c, u->line, "kernel '%.100s' has more than %u instructions with its spills",
                 r->out->name, MAX_INSTRUCTIONS);
    r->uops = ptx_grow(c, r->uops, r->num_uops, sizeof *r->uops);
    r->text = ptx_grow(c, r->text, r->num_uops, sizeof *r->text);
    r->sources = ptx_grow(c, r->sources, r->num_uops, sizeof *r->sources);
    r->text[r->num_uops] = text;
    r->sources[r->num_uops] = r->source;
    r->uops[r->num_uops++] = *u;
}

/* The register that stands for the `nth` spilled one of this width in an instruction. */
static uint32_t temporary(struct rewriter *r, uint32_t units, uint32_t nth)
{
    uint32_t *number = &r->temporary[units][nth];
    if (*number)
        return *number;
    if (r->num_regs == MAX_REGISTERS)
        ptx_fail(r->spill->context, 0, "kernel '%.100s' uses more than %u registers", r->out->name,
                 MAX_REGISTERS);
    r->registers = ptx_grow(r->spill->context, r->registers, r->num_regs, sizeof *r->registers);
    r->registers[r->num_regs] =
        (struct ptx_register){r->out->reg_bytes, units * 4 * WARP_LANES, units};
    r->out->reg_bytes += units * 4 * WARP_LANES;
    return *number = r->num_regs++;
}

static void rename_operands(const struct rewriter *r, struct uop *u, uint32_t from, uint32_t to)
{
    const uint32_t old = r->registers[from].offset, new = r->registers[to].offset;
    for (int i = 0; i < 4; i++) {
        u->dst[i] = u->dst[i] == old ? new : u->dst[i];
        u->src[i] = u->src[i] == old ? new : u->src[i];
        u->vsrc[i] = u->vsrc[i] == old ? new : u->vsrc[i];
    }
    for (uint32_t i = 0; i < u->num_reads; i++)
        u->reads[i] = u->reads[i] == from ? (uint16_t)to : u->reads[i];
    for (uint32_t i = 0; i < u->num_writes; i++)
        u->writes[i] = u->writes[i] == from ? (uint16_t)to : u->writes[i];
}

/* ld.local or st.local between a register and the place of a value. */
static void emit_move(struct rewriter *r, enum uop_op op, const struct spill_value *v,
                      uint32_t number, uint32_t line)
{
    const struct ptx_register *y = &r->registers[number];
    const uint8_t type = y->units == 2 ? T_B64 : T_B32;
    char text[64];
    struct uop u = {.op = (uint8_t)op,
                    .type = type,
                    .type2 = type,
                    .space = SPACE_LOCAL,
                    .vec = 1,
                    .klass = CLASS_GMEM,
                    .guard = UOP_NONE,
                    .offset = v->address,
                    .target = UOP_NONE,
                    .reconverge = UOP_NONE,
                    .line = line};
    memset(u.dst, 0xff, sizeof u.dst);
    memset(u.src, 0xff, sizeof u.src);
    memset(u.vsrc, 0xff, sizeof u.vsrc);
    *(op == U_LD ? &u.dst[0] : &u.vsrc[0]) = y->offset;
    *(op == U_LD ? &u.writes[0] : &u.reads[0]) = (uint16_t)number;
    u.num_writes = op == U_LD;
    u.num_reads = op == U_ST;
    const uint32_t bits = 32 * y->units;
    const int length =
        op == U_LD ? snprintf(text, sizeof text, "ld.local.b%u %%spill, [%u]", bits, v->address)
                   : snprintf(text, sizeof text, "st.local.b%u [%u], %%spill", bits, v->address);
    emit(r, &u, ptx_keep_text(r->spill->context, text, (size_t)length));
    r->out->spills.loads += op == U_LD;
    r->out->spills.stores += op == U_ST;
}

/* The spilled registers that an instruction names, each once. */
static uint32_t list_moved(const struct rewriter *r, const struct uop *u, uint32_t moved[MAX_MOVED])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < (uint32_t)u->num_reads + u->num_writes; i++) {
        const uint32_t n = i < u->num_reads ? u->reads[i] : u->writes[i - u->num_reads];
        uint32_t at = 0;
        while (at < count && moved[at] != n)
            at++;
        if (r->spill->values[n].spilled && at == count)
            moved[count++] = n;
    }
    return count;
}

static void rewrite_one(struct rewriter *r, uint32_t i)
{
    const struct ptx_kernel *k = r->spill->kernel;
    const struct spill_value *values = r->spill->values;
    struct uop u = k->uops[i];
    uint32_t moved[MAX_MOVED], to[MAX_MOVED], used[3] = {0};
    const uint32_t count = list_moved(r, &u, moved);
    r->source = k->sources ? k->sources[i] : NULL;
    u.flags &= (uint16_t)~UF_LOOP_HEAD;
    for (uint32_t m = 0; m < count; m++) {
        const uint32_t units = k->registers[moved[m]].units;
        to[m] = temporary(r, units, used[units]++);
        if (spill_needs(&k->uops[i], moved[m]))
            emit_move(r, U_LD, &values[moved[m]], to[m], u.line);
        rename_operands(r, &u, moved[m], to[m]);
    }
    emit(r, &u, k->text[i]);
    for (uint32_t m = 0; m < count; m++)
        for (uint32_t w = 0; w < u.num_writes; w++)
            if (u.writes[w] == to[m])
                emit_move(r, U_ST, &values[moved[m]], to[m], u.line);
}

static void *keep(struct ptx_context *c, const void *from, size_t count, size_t size)
{
    void *copy = ptx_keep(c, count, size);
    return count ? memcpy(copy, from, count * size) : copy;
}

void spill_rewrite(struct spill *s, struct ptx_kernel *out)
{
    const struct ptx_kernel *k = s->kernel;
    struct ptx_context *c = s->context;
    struct rewriter r = {.spill = s, .out = out, .num_regs = 0};
    uint32_t *place = ptx_scratch(c, k->num_uops, sizeof *place);
    *out = *k;
    out->local_bytes = s->local_bytes;
    if (k->stack_pointer)
        out->local_bytes = frame_aligned(s->local_bytes) + k->stack_bytes;
    for (; r.num_regs < k->num_regs; r.num_regs++) {
        r.registers = ptx_grow(c, r.registers, r.num_regs, sizeof *r.registers);
        r.registers[r.num_regs] = k->registers[r.num_regs];
        out->spills.values += (uint32_t)s->values[r.num_regs].spilled;
    }
    for (uint32_t i = 0; i < k->num_uops; i++) {
        place[i] = r.num_uops;
        rewrite_one(&r, i);
    }
    for (uint32_t i = 0; i < r.num_uops; i++)
        if (r.uops[i].op == U_BRA)
            r.uops[i].target = place[r.uops[i].target];
    out->targets = keep(c, k->targets, k->num_targets, sizeof *k->targets);
    for (uint32_t i = 0; i < k->num_targets; i++)
        out->targets[i] = place[k->targets[i]];
    out->routines = keep(c, k->routines, k->num_routines, sizeof *k->routines);
    for (uint32_t i = 0; i < k->num_routines; i++)
        out->routines[i].entry = place[k->routines[i].entry];
    out->num_uops = r.num_uops;
    out->num_regs = r.num_regs;
    out->uops = keep(c, r.uops, r.num_uops, sizeof *r.uops);
    out->text = keep(c, r.text, r.num_uops, sizeof *r.text);
    out->sources = k->sources ? keep(c, r.sources, r.num_uops, sizeof *r.sources) : NULL;
    out->registers = keep(c, r.registers, r.num_regs, sizeof *r.registers);
    out->loops = NULL;
    out->num_loops = 0;
    flow_analyse(c, out);
}
