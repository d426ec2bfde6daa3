/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/decode/branch.c: where branches go: to labels, to one of several, over a call. The number of the micro-operation is known
 * when the whole body has been emitted (inline.c). */
#include "tb/ptx/decode/decode.h"

/* The current branch goes to that instruction; `slot`: see struct fixup. */
static void add_fixup(struct decoder *d, uint32_t insn, uint32_t slot)
{
    struct fixup *f = ptx_scratch(d->context, 1, sizeof *f);
    *f = (struct fixup){d->fixups, d->num_uops - 1, insn, slot};
    d->fixups = f;
}

/* The instruction that a label stands before. */
static uint32_t find_label(struct decoder *d, const struct scope *scope, const char *name)
{
    const struct symbol *y = symbols_find(&d->parser->symbols, scope, name);
    if (!y || y->kind != SYMBOL_LABEL)
        ptx_fail(d->context, d->insn->line, "'%.100s' is not a label of this kernel", name);
    return y->target;
}

void branch_to(struct decoder *d, uint32_t insn)
{
    add_fixup(d, insn, UOP_NONE);
}

void branch_over(struct decoder *d, const struct insn *call, uint32_t insn)
{
    struct uop *u = d->uop = decode_append(d, call->text, call->line, call->source);
    d->insn = call;
    u->op = U_BRA;
    u->klass = CLASS_CTRL;
    u->type = u->type2 = T_B32;
    operand_guard(d);
    u->flags ^= UF_GUARD_NOT;
    branch_to(d, insn);
}

void branch_decode(struct decoder *d, const struct operand *o)
{
    if (!o->name)
        operand_fail(d, o, "a label");
    branch_to(d, find_label(d, d->insn->scope, o->name));
}

void branch_table(struct decoder *d, const struct operand *o)
{
    const struct symbol *y =
        o->name ? symbols_find(&d->parser->symbols, d->insn->scope, o->name) : NULL;
    if (!y || y->kind != SYMBOL_BRANCHES)
        operand_fail(d, o, "the label of a .branchtargets");
    ptx_spend(d->context, y->num_labels);
    d->uop->target = d->num_targets;
    d->uop->offset = y->num_labels;
    for (uint32_t i = 0; i < y->num_labels; i++) {
        d->targets = ptx_grow(d->context, d->targets, d->num_targets, sizeof *d->targets);
        add_fixup(d, find_label(d, y->scope, y->labels[i]), d->num_targets++);
    }
}
