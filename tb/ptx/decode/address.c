/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/decode/address.c: [%rd1+8], [buffer+4], [kernel_param_0], [16]; and symbols as values. */
#include "tb/ptx/decode/decode.h"
#include "tb/ptx/type.h"

static enum ptx_space space_of(const struct symbol *y)
{
    return y->kind == SYMBOL_PARAM ? SPACE_PARAM : y->space;
}

static const char *space_name(enum ptx_space space)
{
    static const char *const names[] = {
        [SPACE_NONE] = "no",           [SPACE_PARAM] = ".param", [SPACE_GLOBAL] = ".global",
        [SPACE_SHARED] = ".shared",    [SPACE_CONST] = ".const", [SPACE_LOCAL] = ".local",
        [SPACE_GENERIC] = "a generic",
    };
    return names[space];
}

/* Where it lies in its parameter block, shared memory or local memory. */
static uint64_t fixed_address(const struct decoder *d, const struct symbol *y)
{
    return y->kind == SYMBOL_PARAM ? d->kernel->params[y->param].offset : y->address;
}

static int is_module_var(const struct symbol *y)
{
    return y->kind == SYMBOL_VARIABLE && (y->space == SPACE_GLOBAL || y->space == SPACE_CONST);
}

static void check_defined(struct decoder *d, const struct symbol *y)
{
    if (y->undefined)
        ptx_fail(d->context, d->insn->line,
                 "'%.60s' is .extern; expected its definition: modules are not linked", y->name);
}

uint32_t address_of(struct decoder *d, const struct operand *o, enum ptx_type type)
{
    const struct symbol *y = o->symbol;
    uint32_t line = d->insn->line;
    check_defined(d, y);
    int far = is_module_var(y);
    if (type_is_float(type) || (type_bytes(type) != 8 && (far || type_bytes(type) != 4)))
        operand_fail(d, o,
                     far ? "a register of 64 bits for an address"
                         : "a register of 32 or 64 bits for an address");
    uint64_t bits = (uint64_t)o->offset + (far ? 0 : fixed_address(d, y));
    if (type_bytes(type) == 4)
        bits = (uint32_t)bits;
    return constants_add(d->context, &d->constants, bits, type_bytes(type),
                         far ? y->index : CONSTANT_NO_VAR, line);
}

/* PTX ISA: a narrower register is extended by zeros. In a text that does not say .address_size 64 it
 * comes from a compiler for 32-bit hosts, whose parameters and structures have other sizes. */
static void check_narrow(struct decoder *d, const struct operand *base)
{
    const enum ptx_space space = d->uop->space;
    if (!d->parser->address_size && space != SPACE_SHARED && space != SPACE_LOCAL)
        ptx_fail(d->context, d->insn->line,
                 "'%.60s' has an address of 32 bits in '%.60s', and the text no .address_size: it "
                 "is of a 32-bit host; expected 64 bits",
                 d->insn->opcode, base->name);
    d->uop->flags |= UF_ADDRESS32;
}

uint32_t address_of_function(struct decoder *d, const struct operand *o, enum ptx_type type)
{
    const struct symbol *y = o->symbol;
    if (type_is_float(type) || type_bytes(type) != 8)
        operand_fail(d, o, "a register of 64 bits for an address");
    return constants_add(d->context, &d->constants, ptx_function_address(y->taken), 8,
                         CONSTANT_NO_VAR, d->insn->line);
}

/* Parameters are accessed where they are and nowhere else. */
static void check_param(struct decoder *d, const char *name, int64_t at, uint64_t size)
{
    int64_t bytes = d->uop->vec * (int64_t)type_bytes(d->uop->type);
    if (at < 0 || at > (int64_t)size || bytes > (int64_t)size - at)
        ptx_fail(d->context, d->insn->line,
                 "'%.60s' %s %d bytes at offset %lld of %s%.100s%s (%u bytes)", d->insn->opcode,
                 d->uop->op == U_ST ? "writes" : "reads", (int)bytes, (long long)at,
                 name ? "parameter '" : "the parameters", name ? name : "", name ? "'" : "",
                 (unsigned)size);
}

/* The parameters of the kernel are the launch's; those of functions and calls lie in the thread's
 * local memory (inline.c). */
static void decode_param_space(struct decoder *d, int of_kernel)
{
    if (!of_kernel)
        d->uop->space = SPACE_LOCAL;
    else if (d->uop->op == U_ST)
        ptx_fail(d->context, d->insn->line, "'%.60s' writes a parameter of the kernel",
                 d->insn->opcode);
}

static void decode_symbol(struct decoder *d, const struct operand *base, int64_t offset)
{
    struct uop *u = d->uop;
    const struct symbol *y = base->symbol;
    check_defined(d, y);
    if (space_of(y) != u->space &&
        !(u->space == SPACE_GENERIC && y->space == SPACE_GLOBAL && is_module_var(y)))
        ptx_fail(d->context, d->insn->line,
                 "'%.60s' accesses '%.100s', which lies in %s memory; expected %s address",
                 d->insn->opcode, y->name, space_name(space_of(y)), space_name(u->space));
    uint64_t total = (uint64_t)offset + (uint64_t)base->offset;
    if (is_module_var(y)) {
        u->src[0] = constants_add(d->context, &d->constants, 0, 8, y->index, d->insn->line);
    } else {
        if (y->kind == SYMBOL_PARAM)
            check_param(d, y->name, (int64_t)total, d->kernel->params[y->param].size);
        else if (y->space == SPACE_PARAM && !y->open)
            check_param(d, y->name, (int64_t)total, y->size);
        if (u->space == SPACE_PARAM)
            decode_param_space(d, y->kind == SYMBOL_PARAM);
        total += fixed_address(d, y);
        if (y->on_stack)
            frame_access(d, y);
    }
    u->offset = (int64_t)total;
}

void address_decode(struct decoder *d, const struct operand *o)
{
    struct uop *u = d->uop;
    if (o->kind != OPERAND_ADDRESS)
        operand_fail(d, o, "an address [...]");
    u->offset = o->offset;
    if (o->count > 1)
        operand_fail(d, o, "one address");
    if (!o->count) {
        if (u->space == SPACE_PARAM) {
            check_param(d, NULL, o->offset, d->kernel->param_bytes);
            decode_param_space(d, 1);
        }
        return;
    }
    const struct operand *base = o->elements;
    if (base->kind == OPERAND_SYMBOL) {
        decode_symbol(d, base, o->offset);
        return;
    }
    if (base->kind != OPERAND_REGISTER ||
        (type_bytes(base->symbol->type) != 8 && type_bytes(base->symbol->type) != 4))
        operand_fail(d, base, "an address register of 32 or 64 bits, a variable or a parameter");
    if (type_bytes(base->symbol->type) == 4)
        check_narrow(d, base);
    if (u->space == SPACE_PARAM) /* a pointer to a parameter: of the code that it stands in */
        decode_param_space(d, d->depth == 0 && u->op == U_LD);
    operand_reads(d, base->symbol);
    u->src[0] = base->symbol->offset;
}
