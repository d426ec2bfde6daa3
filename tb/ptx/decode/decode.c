/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/decode/decode.c: every instruction becomes one micro-operation: the opcode by table, its
 * operands by the form's shape. What a kernel cannot have refuses this kernel, not its module. */
#include "tb/ptx/decode/decode.h"

#include <string.h>

#include "tb/ptx/flow/flow.h"
#include "tb/ptx/opcode.h"
#include "tb/ptx/spill/spill.h"
#include "tb/ptx/type.h"

/* p or p|q, d or d|p: one destination or two. */
static void decode_pair(struct decoder *d, const struct operand *o, enum ptx_type type)
{
    if (o->kind != OPERAND_PAIR) {
        d->uop->dst[0] = operand_destination(d, o, type);
        return;
    }
    d->uop->dst[0] = operand_destination(d, &o->elements[0], type);
    d->uop->dst[1] = operand_destination(d, &o->elements[1], T_PRED);
}

/* A predicate that may be negated, which the flag then says. */
static uint32_t decode_negatable(struct decoder *d, const struct operand *o, uint16_t flag)
{
    struct operand plain = *o;
    if (o->negated && o->kind == OPERAND_REGISTER) {
        plain.negated = 0;
        d->uop->flags |= flag;
    }
    return operand_source(d, &plain, T_PRED);
}

/* selp a, b, !p is selp b, a, p. */
static uint32_t decode_choice(struct decoder *d, const struct operand *o)
{
    struct uop *u = d->uop;
    const uint32_t chosen = decode_negatable(d, o, UF_SRC_NOT);
    if (u->flags & UF_SRC_NOT) {
        const uint32_t first = u->src[0];
        u->src[0] = u->src[1];
        u->src[1] = first;
        u->flags &= (uint16_t)~UF_SRC_NOT;
    }
    return chosen;
}

/* A constant that is part of the opcode. */
static void decode_table(struct decoder *d, const struct operand *o)
{
    if (o->kind != OPERAND_INT || o->value > 0xff)
        operand_fail(d, o, "a constant from 0 to 255");
    d->uop->mod = (uint8_t)o->value;
}

/* The carry that the instruction reads, or writes. */
static void decode_carry(struct decoder *d, int writes)
{
    if (!d->carry.number)
        d->carry.number = d->kernel->num_regs++;
    if (writes) {
        operand_writes(d, &d->carry);
        d->uop->dst[1] = d->carry.offset;
    } else {
        operand_reads(d, &d->carry);
        d->uop->src[3] = d->carry.offset;
    }
}

static void decode_operands(struct decoder *d, const char *shape)
{
    struct uop *u = d->uop;
    enum ptx_type type = u->type, type2 = u->type2, held;
    uint32_t *src = u->src;
    for (const struct operand *o = d->insn->operands; *shape; shape++) {
        switch (*shape) {
        case 'd': u->dst[0] = operand_destination(d, o, type); break;
        case 'D': u->dst[0] = operand_destination(d, o, type_double(type)); break;
        case 'x': u->dst[0] = operand_destination(d, o, T_U32); break;
        case 'k': u->dst[0] = operand_destination(d, o, T_PRED); break;
        case 'P': decode_pair(d, o, T_PRED); break;
        case 'e': decode_pair(d, o, type); break;
        case 'X': decode_pair(d, o, T_U32); break;
        case 'c':
            u->dst[0] = operand_wide_destination(d, o, type, &held);
            u->mod = (uint8_t)held;
            break;
        case 'a': *src++ = operand_source(d, o, type); break;
        case 'w': *src++ = operand_source(d, o, type_double(type)); break;
        case 'o':
        case 'u': *src++ = operand_source(d, o, T_U32); break;
        case 'p': *src++ = operand_source(d, o, T_PRED); break;
        case 'b': *src++ = operand_source(d, o, type2); break;
        case 'A': *src++ = operand_source(d, o, T_U64); break;
        case 'i': decode_table(d, o); break;
        case 'n':
        case 'q': *src++ = decode_negatable(d, o, UF_SRC_NOT); break;
        case 'j': *src++ = decode_negatable(d, o, UF_SECOND_NOT); break;
        case 'Q': *src++ = decode_choice(d, o); break;
        case 'E': vector_targets(d, o); break;
        case 'F': vector_sources(d, o); break;
        case '-': src++; continue;
        case 'y':
        case 'z': decode_carry(d, *shape == 'z'); continue;
        case 'G': alloca_alignment(d, o); break;
        case 'K': alloca_move(d); continue;
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
        case 'T': texture_texel(d, o); break;
        case 't': texture_decode(d, o); break;
        case 'L': operand_source(d, o, T_F32); break; /* there is one level */
        case 'I': operand_source(d, o, T_U32); break;
        case 'g': texture_gradient(d, o); break;
        case 'O': texture_offsets(d, o); break;
        case 'V': video_destination(d, o); break;
        case 'S':
            *src = video_source(d, o, src != u->src);
            src++;
            break;
        case 'W': *src++ = video_addend(d, o); break;
        case 'f': surface_decode(d, o); break;
        case 'r': u->vsrc[0] = operand_source(d, o, type); break;
        case 'h': texture_query(d, o); break;
        case 'H': texture_bare(d, o); break;
        case 'l': branch_decode(d, o); break;
        case 'B': branch_table(d, o); break;
        }
        o++;
    }
}

/* Takes out of the shape what is left out: `-` holds the place of an operand. */
static void count_operands(struct decoder *d, char *shape)
{
    const struct insn *n = d->insn;
    uint32_t expected = (uint32_t)strcspn(shape, "yzK");
    char *left_out = NULL;
    if (strchr(shape, 'q') && d->uop->mod2 == BOOL_NONE)
        left_out = strchr(shape, 'q');
    else if (strpbrk(shape, "oOG") && n->num_operands == expected - 1)
        left_out = strpbrk(shape, "oOG");
    if (left_out) {
        *left_out = '-';
        expected--;
    }
    if (n->num_operands != expected)
        ptx_fail(d->context, n->line, "'%.60s' has %u operand%s; expected %u%s", n->opcode,
                 n->num_operands, n->num_operands == 1 ? "" : "s", expected,
                 d->uop->op == U_TEX && n->num_operands == expected + 1
                     ? ": there are no depth textures"
                     : "");
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

struct uop *decode_append(struct decoder *d, char *text, uint32_t line,
                          const struct ptx_source *source)
{
    if (d->num_uops == MAX_INSTRUCTIONS)
        ptx_fail(d->context, line,
                 "kernel '%.100s' has more than %u instructions with what it calls", d->body->name,
                 MAX_INSTRUCTIONS);
    d->uops = ptx_grow(d->context, d->uops, d->num_uops, sizeof *d->uops);
    d->text = ptx_grow(d->context, d->text, d->num_uops, sizeof *d->text);
    d->sources = ptx_grow(d->context, d->sources, d->num_uops, sizeof *d->sources);
    d->text[d->num_uops] = text;
    d->sources[d->num_uops] = source;
    struct uop *u = &d->uops[d->num_uops++];
    *u = empty;
    u->line = line;
    return u;
}

struct symbol *decode_temporary(struct decoder *d, const char *name, enum ptx_type type)
{
    struct ptx_kernel *k = d->kernel;
    struct symbol *y = ptx_scratch(d->context, 1, sizeof *y);
    if (k->num_regs == MAX_REGISTERS)
        ptx_fail(d->context, d->body->end, "kernel '%.100s' uses more than %u registers", k->name,
                 MAX_REGISTERS);
    *y = (struct symbol){.name = name, .kind = SYMBOL_REGISTER, .type = type};
    y->number = k->num_regs++;
    y->offset = k->reg_bytes;
    k->reg_bytes += type_bytes(type) == 8 ? 8 * WARP_LANES : 4 * WARP_LANES;
    d->registers = ptx_grow(d->context, d->registers, d->num_registers, sizeof(struct symbol *));
    d->registers[d->num_registers++] = y;
    return y;
}

void decode_help(struct decoder *d, const struct insn *on_behalf, const char *opcode,
                 const struct operand *operands, uint32_t num_operands, char *text)
{
    const char *modifiers[MAX_HELP_MODIFIERS];
    struct insn *n = ptx_scratch(d->context, 1, sizeof *n); /* a message may name it later */
    *n = (struct insn){.line = on_behalf->line,
                       .scope = on_behalf->scope,
                       .opcode = on_behalf->opcode,
                       .modifiers = modifiers,
                       .operands = operands,
                       .num_operands = num_operands,
                       .text = text,
                       .source = on_behalf->source};
    char *word = memcpy(ptx_scratch(d->context, strlen(opcode) + 1, 1), opcode, strlen(opcode));
    n->mnemonic = word;
    while ((word = strchr(word, '.'))) {
        char *modifier = ptx_scratch(d->context, strcspn(word + 1, ".") + 2, 1);
        modifiers[n->num_modifiers++] = memcpy(modifier, word, strcspn(word + 1, ".") + 1);
        *word++ = '\0';
    }
    decode_instruction(d, n);
    d->parser->insn = on_behalf;
}

/* An operand may be the address of a variable in a frame, which is known at run time alone. */
static const struct insn *find_addresses(struct decoder *d, const struct insn *n)
{
    struct insn *own = NULL;
    struct operand *operands = NULL;
    for (uint32_t i = 0; i < n->num_operands; i++) {
        const struct operand *o = &n->operands[i];
        if (o->kind != OPERAND_SYMBOL || !o->symbol->on_stack)
            continue;
        if (own)
            ptx_fail(d->context, n->line, "'%.60s' names two variables of a function", n->opcode);
        own = ptx_scratch(d->context, 1, sizeof *own);
        *own = *n;
        own->operands = operands = ptx_scratch(d->context, n->num_operands, sizeof *operands);
        memcpy(operands, n->operands, n->num_operands * sizeof *operands);
        operands[i] = frame_address(d, n, o);
    }
    return own ? own : n;
}

struct uop *decode_instruction(struct decoder *d, const struct insn *n)
{
    d->parser->insn = n;
    struct uop *last = wide_decode(d, &n);
    if (last)
        return last;
    n = d->insn = find_addresses(d, n);
    struct uop *u = d->uop = decode_append(d, n->text, n->line, n->source);
    char shape[MAX_OPERANDS + 4] = "";
    struct insn complete;
    const char *modifiers[MAX_MODIFIERS + 1];
    const int other = (d->parser->version < 1.4 && opcode_complete(n, &complete, modifiers)) ||
                      opcode_halve(n, &complete, modifiers);
    strcpy(shape, opcode_decode(d->context, other ? &complete : n, u));
    count_operands(d, shape);
    operand_guard(d);
    if (u->op == U_ATOM)
        u->dst[0] = d->sink; /* of red */
    decode_operands(d, shape);
    if (u->op >= U_VADD && u->op <= U_VSET4)
        video_check(d);
    if (u->op == U_CVTA && u->space == SPACE_PARAM && d->depth)
        u->space = SPACE_LOCAL; /* where inline.c puts the parameters of functions */
    if (d->resident)
        texture_resident(d, n);
    return d->uop;
}

/* A kernel or routine that runs off its end, or branches there, returns. */
static void decode_end(struct decoder *d, const struct routine *r)
{
    int open = d->num_uops == r->first || !flow_ends(&d->uops[d->num_uops - 1]);
    for (uint32_t i = r->first; i < d->num_uops; i++)
        open |= d->uops[i].op == U_BRA && d->uops[i].target == d->num_uops;
    for (uint32_t i = 0; i < d->num_targets; i++)
        open |= d->targets[i] == d->num_uops;
    if (!open)
        return;
    struct uop *u = decode_append(d, ptx_keep_text(d->context, "ret", 3), r->body->end, NULL);
    u->op = r->body->kernel ? U_RET : U_RETURN;
    u->klass = CLASS_CTRL;
}

/* What the parser has found wrong in the kernel, or in what it calls. */
static void check_bodies(struct decoder *d)
{
    for (uint32_t i = 0; i < d->num_bodies; i++)
        if (d->bodies[i]->failed) {
            *d->context->error = *d->bodies[i]->failed;
            longjmp(*d->context->failed, 1);
        }
}

static void decode_routine(struct decoder *d, uint32_t number)
{
    struct routine *r = &d->routines[number];
    d->routine = number;
    d->depth = number != 0;
    r->first = d->num_uops;
    inline_body(d, r->body);
    d->parser->insn = NULL;
    decode_end(d, r);
    r->end = d->num_uops;
}

static void decode(struct parser *p, struct body *body)
{
    struct decoder *d = ptx_scratch(p->context, 1, sizeof *d);
    struct ptx_kernel *k = body->kernel;
    d->context = p->context;
    d->parser = p;
    d->body = body;
    d->kernel = k;
    p->context->kernel_line = body->end;
    constants_open(&d->constants, p->constant_buckets);
    reach_find(d);
    check_bodies(d);
    layout_kernel(d);
    if (d->has_calls || d->allocates)
        d->stack = decode_temporary(d, "%sp", T_B32);
    if (d->allocates)
        d->allocated = decode_temporary(d, "%allocated", T_B32);
    for (uint32_t i = 0; i < d->num_routines; i++)
        decode_routine(d, i);
    if (d->has_calls)
        frame_finish(d);
    k->num_uops = d->num_uops;
    k->uops = ptx_keep(p->context, d->num_uops, sizeof *k->uops);
    memcpy(k->uops, d->uops, d->num_uops * sizeof *k->uops);
    k->text = ptx_keep(p->context, d->num_uops, sizeof *k->text);
    memcpy(k->text, d->text, d->num_uops * sizeof *k->text);
    k->num_targets = d->num_targets;
    k->targets = ptx_keep(p->context, d->num_targets, sizeof *k->targets);
    for (uint32_t i = 0; i < d->num_targets; i++)
        k->targets[i] = d->targets[i];
    if (d->parser->locs) {
        k->sources = ptx_keep(p->context, d->num_uops, sizeof *k->sources);
        memcpy(k->sources, d->sources, d->num_uops * sizeof *k->sources);
    }
    constants_emit(p->context, &d->constants, k, &p->kernel_relocs);
    layout_list(d);
    k->zero_bytes = k->reg_bytes;
    k->specials = (1u << NUM_SPECIALS) - 1;
    spill_open(p->context, k);
    if (d->stack)
        routine_list(d);
    flow_analyse(p->context, k);
}

/* What is left of a kernel that cannot run: its name, its parameters, and a trap that says why. */
void decode_refused(struct ptx_context *c, struct ptx_kernel *k, const char *why, uint32_t line,
                    char *text)
{
    *k = (struct ptx_kernel){.name = k->name,
                             .params = k->params,
                             .num_params = k->num_params,
                             .param_bytes = k->param_bytes,
                             .num_uops = 1,
                             .num_regs = NUM_SPECIALS,
                             .reg_bytes = SPECIAL_BYTES,
                             .zero_bytes = SPECIAL_BYTES,
                             .regs_per_thread = 1};
    k->refused = ptx_keep_text(c, why, strlen(why));
    k->uops = ptx_keep(c, 1, sizeof *k->uops);
    k->uops[0] = empty;
    k->uops[0].op = U_TRAP;
    k->uops[0].klass = CLASS_CTRL;
    k->uops[0].line = line;
    k->text = ptx_keep(c, 1, sizeof *k->text);
    k->text[0] = text;
    k->constants = ptx_keep(c, 1, 1);
}

/* A failure in here ends the decoding of this kernel only. */
void decode_kernel(struct parser *p, struct body *body)
{
    struct ptx_context *c = p->context;
    jmp_buf *const outer = c->failed, here;
    p->insn = NULL;
    c->failed = &here;
    const int failed = setjmp(here);
    if (!failed)
        decode(p, body);
    c->failed = outer;
    if (!failed)
        return;
    const struct ptx_error *error = c->error;
    decode_refused(c, body->kernel, error->message, error->line ? error->line : body->end,
                   p->insn ? p->insn->text : ptx_keep_text(c, "trap", 4));
}
