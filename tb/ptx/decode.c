/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/decode.c: every instruction becomes one micro-operation: the opcode by table, its operands
 * by the form's shape. */
#include "tb/ptx/decode.h"

#include <string.h>

#include "tb/ptx/flow.h"
#include "tb/ptx/opcode.h"
#include "tb/ptx/type.h"

/* setp's destination: p, or p|q. */
static void decode_predicates(struct decoder *d, const struct operand *o)
{
    if (o->kind != OPERAND_PAIR) {
        d->uop->dst[0] = operand_destination(d, o, T_PRED);
        return;
    }
    for (int i = 0; i < 2; i++)
        d->uop->dst[i] = operand_destination(d, &o->elements[i], T_PRED);
}

/* The predicate that setp combines with. */
static uint32_t decode_combined(struct decoder *d, const struct operand *o)
{
    struct operand plain = *o;
    if (o->negated && o->kind == OPERAND_REGISTER) {
        plain.negated = 0;
        d->uop->flags |= UF_SRC_NOT;
    }
    return operand_source(d, &plain, T_PRED);
}

static void decode_label(struct decoder *d, const struct operand *o)
{
    const struct symbol *y =
        o->name ? symbols_find(&d->parser->symbols, d->insn->scope, o->name) : NULL;
    if (!o->name)
        operand_fail(d, o, "a label");
    if (!y || y->kind != SYMBOL_LABEL)
        ptx_fail(d->context, d->insn->line, "'%.100s' is not a label of this kernel", o->name);
    d->uop->target = y->target;
}

static void decode_operands(struct decoder *d, opcode_shape shape)
{
    struct uop *u = d->uop;
    enum ptx_type type = u->type, held;
    uint32_t *src = u->src;
    for (uint32_t i = 0; i < d->insn->num_operands; i++) {
        const struct operand *o = &d->insn->operands[i];
        switch (shape[i]) {
        case 'd': u->dst[0] = operand_destination(d, o, type); break;
        case 'D': u->dst[0] = operand_destination(d, o, type_double(type)); break;
        case 'x': u->dst[0] = operand_destination(d, o, T_U32); break;
        case 'P': decode_predicates(d, o); break;
        case 'c':
            u->dst[0] = operand_wide_destination(d, o, type, &held);
            u->mod = (uint8_t)held;
            break;
        case 'a': *src++ = operand_source(d, o, type); break;
        case 'w': *src++ = operand_source(d, o, type_double(type)); break;
        case 'u': *src++ = operand_source(d, o, T_U32); break;
        case 'p': *src++ = operand_source(d, o, T_PRED); break;
        case 'q': *src++ = decode_combined(d, o); break;
        case 'C':
            *src++ = operand_wide_source(d, o, u->type2, &held);
            u->mod2 = (uint8_t)held;
            break;
        case 'm':
            address_decode(d, o);
            src++;
            break;
        case 'v': vector_load(d, o); break;
        case 's': vector_store(d, o); break;
        case 'M': vector_mov(d, o, o + 1); break;
        case 'l': decode_label(d, o); break;
        case '0':
            if (o->kind != OPERAND_INT || o->value)
                ptx_fail(d->context, d->insn->line,
                         "'%.60s' of a barrier other than 0 is not supported", d->insn->opcode);
            break;
        }
    }
}

static void count_operands(struct decoder *d, opcode_shape shape)
{
    const struct insn *n = d->insn;
    uint32_t expected = (uint32_t)strlen(shape);
    if (strchr(shape, 'q') && d->uop->mod2 == BOOL_NONE)
        expected--;
    if (n->num_operands != expected)
        ptx_fail(d->context, n->line, "'%.60s' has %u operand%s; expected %u", n->opcode,
                 n->num_operands, n->num_operands == 1 ? "" : "s", expected);
}

static const struct uop empty = {
    .guard = UOP_NONE,
    .dst = {UOP_NONE, UOP_NONE, UOP_NONE, UOP_NONE},
    .src = {UOP_NONE, UOP_NONE, UOP_NONE, UOP_NONE},
    .vsrc = {UOP_NONE, UOP_NONE, UOP_NONE, UOP_NONE},
    .vec = 1,
    .target = UOP_NONE,
    .reconverge = UOP_NONE,
};

static void decode_instruction(struct decoder *d, const struct insn *n, struct uop *u)
{
    d->insn = n;
    d->uop = u;
    *u = empty;
    u->line = n->line;
    opcode_shape shape = opcode_decode(d->context, n, u);
    count_operands(d, shape);
    operand_guard(d);
    if (u->op == U_ATOM)
        u->dst[0] = d->sink; /* of red */
    decode_operands(d, shape);
}

/* A kernel that runs off its end, or branches there, returns. */
static void decode_end(struct decoder *d, uint32_t line)
{
    struct ptx_kernel *k = d->kernel;
    int open = !k->num_uops || !flow_ends(&k->uops[k->num_uops - 1]);
    for (uint32_t i = 0; i < k->num_uops; i++)
        open |= k->uops[i].op == U_BRA && k->uops[i].target == k->num_uops;
    if (!open)
        return;
    struct uop *u = &k->uops[k->num_uops];
    *u = empty;
    u->op = U_RET;
    u->klass = CLASS_CTRL;
    u->line = line;
    k->text[k->num_uops++] = ptx_keep_text(d->context, "ret", 3);
}

void decode_kernel(struct parser *p, struct body *body, uint32_t line)
{
    struct decoder *d = ptx_scratch(p->context, 1, sizeof *d);
    struct ptx_kernel *k = body->kernel;
    d->context = p->context;
    d->parser = p;
    d->body = body;
    d->kernel = k;
    p->context->kernel_line = line;
    constants_open(&d->constants, p->constant_buckets);
    layout_kernel(d);
    k->uops = ptx_keep(p->context, (size_t)body->num_insns + 1, sizeof *k->uops);
    k->text = ptx_keep(p->context, (size_t)body->num_insns + 1, sizeof *k->text);
    for (const struct insn *n = body->insns; n; n = n->next) {
        k->text[k->num_uops] = n->text;
        decode_instruction(d, n, &k->uops[k->num_uops++]);
    }
    decode_end(d, line);
    constants_emit(p->context, &d->constants, k, &p->kernel_relocs);
    flow_analyse(p->context, body);
}
