/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/decode/frame.c: variables on the stack; and what goes around a call of a routine once all is
 * emitted: registers that live across it are saved by the caller, whatever the routine writes, so that
 * nothing lives across a call but the stack pointer and constants of the launch, and the registers of
 * a thread are those of its hungriest body. A routine saves to its frame, the kernel to places of its
 * own. Then the pointer moves behind the caller's frame, and back. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tb/ptx/decode/decode.h"
#include "tb/ptx/flow/flow.h"
#include "tb/ptx/type.h"

void frame_access(struct decoder *d, const struct symbol *y)
{
    struct uop *u = d->uop;
    operand_reads(d, d->stack);
    u->src[0] = d->stack->offset;
    u->flags |= UF_ADDRESS32;
    if (y->outgoing)
        frame_from_end(d);
}

void frame_from_end(struct decoder *d)
{
    d->outgoing = ptx_grow(d->context, d->outgoing, d->num_outgoing, sizeof *d->outgoing);
    d->outgoing[d->num_outgoing++] = d->num_uops - 1;
}

static struct operand a_register(struct symbol *y)
{
    return (struct operand){.kind = OPERAND_REGISTER, .name = y->name, .symbol = y};
}

static struct operand a_number(uint64_t value)
{
    return (struct operand){.kind = OPERAND_INT, .value = value};
}

__attribute__((format(printf, 5, 6))) static void help(struct decoder *d, const struct insn *n,
                                                       const char *opcode,
                                                       const struct operand operands[3],
                                                       const char *format, ...)
{
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const uint32_t count = operands[2].name || operands[2].kind == OPERAND_INT ? 3 : 2;
    decode_help(d, n, opcode, operands, count,
                ptx_keep_text(d->context, text,
                              (size_t)length < sizeof text ? (size_t)length : sizeof text - 1));
}

struct operand frame_address(struct decoder *d, const struct insn *n, const struct operand *o)
{
    const size_t length = strlen(n->opcode);
    const int wide = length > 2 && !strcmp(n->opcode + length - 2, "64");
    if (o->symbol->outgoing)
        ptx_fail(d->context, n->line,
                 "'%.60s' takes the address of '%.100s', which is passed to a function", n->opcode,
                 o->name);
    if (!d->address[wide])
        d->address[wide] = decode_temporary(d, "%address", wide ? T_B64 : T_B32);
    const struct operand to = a_register(d->address[wide]), pointer = a_register(d->stack),
                         distance = a_number(o->symbol->address + (uint64_t)o->offset);
    const unsigned bits = wide ? 64 : 32;
    if (wide)
        help(d, n, "cvt.u64.u32", (struct operand[3]){to, pointer}, "cvt.u64.u32 %%address, %%sp");
    help(d, n, wide ? "add.u64" : "add.u32", (struct operand[3]){to, wide ? to : pointer, distance},
         "add.u%u %%address, %s, %llu", bits, wide ? "%address" : "%sp",
         (unsigned long long)distance.value);
    return to;
}

/* A register that lives across a call, and its place in the caller's frame. */
struct saved {
    struct saved *next;
    struct symbol *symbol;
    uint32_t at;
};

struct finisher {
    struct decoder *d;
    struct liveness live;
    struct saved **saved;   /* by call */
    uint32_t *at, *routine; /* by register: where it was saved last, and the routine, plus 1 */
};

/* Whether the moves of the call's results write it. */
static int is_result(const struct decoder *d, const struct call_site *site, uint32_t number)
{
    int found = 0;
    for (uint32_t i = site->call; i < site->last; i++)
        for (uint32_t w = 0; w < d->uops[i].num_writes; w++)
            found |= d->uops[i].writes[w] == number;
    return found;
}

static unsigned saved_bytes(const struct symbol *y)
{
    return y->type == T_PRED ? 4 : type_bytes(y->type);
}

/* The place of a register in the frame of a routine: the same for all of its calls. */
static uint32_t place_of(struct finisher *f, uint32_t routine, const struct symbol *y)
{
    struct decoder *d = f->d;
    if (f->routine[y->number] == routine + 1)
        return f->at[y->number];
    struct symbol place = {.size = saved_bytes(y), .align = saved_bytes(y), .line = d->body->end};
    layout_place(d, &place, routine ? &d->routines[routine].frame : &d->kernel->local_bytes,
                 routine ? "stack" : "local");
    f->routine[y->number] = routine + 1;
    return f->at[y->number] = (uint32_t)place.address;
}

static void save(struct finisher *f, struct symbol *y)
{
    struct decoder *d = f->d;
    if (y->scope == d->parser->module_scope)
        return; /* it is the callee's as well */
    if (y == d->stack || y == d->allocated ||
        (y->type != T_PRED && !d->kernel->registers[y->number].units))
        return;
    liveness_find(&f->live, y->number);
    for (uint32_t i = 0; f->live.num_points && i < d->num_sites; i++) {
        const struct call_site *site = &d->sites[i];
        ptx_spend(d->context, 1);
        if (f->live.stamp[site->last] != y->number || is_result(d, site, y->number))
            continue;
        struct saved *s = ptx_scratch(d->context, 1, sizeof *s);
        *s = (struct saved){f->saved[i], y, place_of(f, site->routine, y)};
        f->saved[i] = s;
    }
}

static void find_saved(struct finisher *f)
{
    struct decoder *d = f->d;
    struct ptx_kernel *k = d->kernel;
    k->uops = d->uops;
    k->num_uops = d->num_uops;
    k->targets = d->targets;
    k->num_targets = d->num_targets;
    layout_list(d);
    flow_constants(d->context, k);
    liveness_open(&f->live, d->context, k);
    f->saved = ptx_scratch(d->context, d->num_sites, sizeof(struct saved *));
    f->at = ptx_scratch(d->context, k->num_regs, sizeof *f->at);
    f->routine = ptx_scratch(d->context, k->num_regs, sizeof *f->routine);
    for (uint32_t i = 0; i < d->num_registers; i++)
        save(f, d->registers[i]);
    for (uint32_t i = 1; i < d->num_routines; i++) {
        uint32_t *frame = &d->routines[i].frame;
        *frame = frame_aligned(*frame);
    }
}

/* A register and its place; a predicate goes by way of a register of 32 bits. */
static void move_saved(struct decoder *d, const struct insn *n, const struct call_site *site,
                       const struct saved *s, int back)
{
    struct operand pointer = a_register(d->stack), value = a_register(s->symbol);
    const struct operand place = {.kind = OPERAND_ADDRESS,
                                  .count = site->routine != 0,
                                  .elements = &pointer,
                                  .offset = s->at};
    const struct operand flag = value, one = a_number(1), zero = a_number(0);
    const int predicate = s->symbol->type == T_PRED;
    const char *base = site->routine ? "%sp+" : "", *name = s->symbol->name;
    char opcode[32];
    if (predicate && !d->flag)
        d->flag = decode_temporary(d, "%flag", T_B32);
    if (predicate)
        value = a_register(d->flag);
    if (predicate && !back)
        decode_help(d, n, "selp.u32", (const struct operand[]){value, one, zero, flag}, 4, n->text);
    snprintf(opcode, sizeof opcode, "%s.local.b%u", back ? "ld" : "st", 8 * saved_bytes(s->symbol));
    if (back)
        help(d, n, opcode, (struct operand[3]){value, place}, "%s %.64s, [%s%u]", opcode, name,
             base, s->at);
    else
        help(d, n, opcode, (struct operand[3]){place, value}, "%s [%s%u], %.64s", opcode, base,
             s->at, name);
    if (predicate && back)
        help(d, n, "setp.ne.u32", (struct operand[3]){flag, value, zero},
             "setp.ne.u32 %.64s, %%flag, 0", name);
}

static void move_all_saved(struct finisher *f, const struct insn *n, uint32_t site, int back)
{
    for (const struct saved *s = f->saved[site]; s; s = s->next)
        move_saved(f->d, n, &f->d->sites[site], s, back);
}

static void move_pointer(struct decoder *d, const struct insn *n, uint32_t routine,
                         const char *opcode)
{
    const uint32_t frame = d->routines[routine].frame;
    const struct operand pointer = a_register(d->stack);
    if (frame)
        help(d, n, opcode, (struct operand[3]){pointer, pointer, a_number(frame)},
             "%s %%sp, %%sp, %u", opcode, frame);
}

/* What is passed lies behind the caller's frame, and what alloca gives may begin there; it has its size now. */
static void move_outgoing(struct decoder *d)
{
    uint32_t routine = 0;
    for (uint32_t i = 0; i < d->num_outgoing; i++) {
        while (d->outgoing[i] >= d->routines[routine].end)
            routine++;
        d->uops[d->outgoing[i]].offset += d->routines[routine].frame;
    }
}

/* Emits everything again, with what is to be added. */
static void rewrite(struct finisher *f)
{
    struct decoder *d = f->d;
    const struct uop *old = d->uops;
    char **text = d->text;
    const struct ptx_source **sources = d->sources;
    const uint32_t count = d->num_uops;
    uint32_t *place = ptx_scratch(d->context, (size_t)count + 1, sizeof *place), site = 0;
    d->uops = NULL;
    d->text = NULL;
    d->sources = NULL;
    d->num_uops = 0;
    for (uint32_t i = 0; i <= count; i++) {
        struct insn n = {.opcode = "call"};
        for (; site < d->num_sites && d->sites[site].last == i; site++) {
            n.line = old[i - 1].line;
            n.text = text[i - 1];
            n.source = sources[i - 1];
            move_all_saved(f, &n, site, 1);
        }
        place[i] = d->num_uops;
        if (i == count)
            break;
        const struct call_site *s = site < d->num_sites ? &d->sites[site] : NULL;
        n.line = old[i].line;
        n.text = text[i];
        n.source = sources[i];
        if (s && s->first == i)
            move_all_saved(f, &n, site, 0);
        if (s && s->call == i)
            move_pointer(d, &n, s->routine, "add.u32");
        *decode_append(d, text[i], old[i].line, sources[i]) = old[i];
        if (s && s->call == i)
            move_pointer(d, &n, s->routine, "sub.u32");
    }
    for (uint32_t i = 0; i < d->num_uops; i++)
        if (d->uops[i].op == U_BRA)
            d->uops[i].target = place[d->uops[i].target];
    for (uint32_t i = 0; i < d->num_targets; i++)
        d->targets[i] = place[d->targets[i]];
    for (uint32_t i = 0; i < d->num_routines; i++) {
        d->routines[i].first = place[d->routines[i].first];
        d->routines[i].end = place[d->routines[i].end];
    }
}

void frame_finish(struct decoder *d)
{
    struct finisher f = {.d = d};
    find_saved(&f);
    move_outgoing(d);
    rewrite(&f);
}
