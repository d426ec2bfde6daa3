/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/decode/layout.c: where a kernel's registers and variables lie, and those of the functions
 * that it calls. Specials come first (uop.h), then 32-bit registers, then 64-bit ones, then
 * predicates, in order of first use; every register has its own place until the kernel is run (spill/pack.c). */
#include "tb/ptx/decode/decode.h"
#include "tb/ptx/type.h"

static uint32_t register_bytes(enum ptx_type type)
{
    return type == T_PRED ? 4 : type_bytes(type) == 8 ? 8 * WARP_LANES : 4 * WARP_LANES;
}

static void number_register(struct decoder *d, struct symbol *y)
{
    if (NUM_SPECIALS + d->num_registers == MAX_REGISTERS)
        ptx_fail(d->context, y->line, "the kernel uses more than %u registers",
                 MAX_REGISTERS - NUM_SPECIALS);
    d->registers = ptx_grow(d->context, d->registers, d->num_registers, sizeof(struct symbol *));
    y->number = NUM_SPECIALS + d->num_registers;
    d->registers[d->num_registers++] = y;
}

static void number_registers(struct decoder *d)
{
    for (uint32_t i = 0; i < d->num_bodies; i++)
        for (struct symbol *y = d->bodies[i]->registers; y; y = y->next_register)
            if (!y->shared_with)
                number_register(d, y);
    for (uint32_t i = 0; i < d->num_signatures; i++)
        if (!d->signatures[i]->routine) /* a prototype that no function has */
            for (struct symbol *y = d->signatures[i]->registers; y; y = y->next_register)
                number_register(d, y);
    for (struct symbol *y = d->parser->registers; y; y = y->next_register) {
        ptx_spend(d->context, 1);
        if (y->used_by == d->body->number)
            number_register(d, y);
    }
}

static void layout_registers(struct decoder *d)
{
    static const uint32_t order[] = {4 * WARP_LANES, 8 * WARP_LANES, 4};
    uint32_t offset = SPECIAL_BYTES;
    for (int pass = 0; pass < 3; pass++)
        for (uint32_t i = 0; i < d->num_registers; i++)
            if (register_bytes(d->registers[i]->type) == order[pass]) {
                d->registers[i]->offset = offset;
                offset += order[pass];
            }
    d->carry = (struct symbol){.name = "CC.CF", .kind = SYMBOL_REGISTER, .type = T_PRED};
    d->carry.offset = offset;
    d->sink = (offset + 4 + 63) / 64 * 64;
    d->kernel->reg_bytes = d->sink + 8 * WARP_LANES;
    d->kernel->num_regs = NUM_SPECIALS + d->num_registers;
}

void layout_place(struct decoder *d, struct symbol *y, uint32_t *end, const char *what)
{
    uint64_t at = ((uint64_t)*end + y->align - 1) / y->align * y->align;
    if (at + y->size > MAX_WINDOW_BYTES)
        ptx_fail(d->context, y->line, "%s memory of kernel '%.100s' exceeds %u bytes", what,
                 d->kernel->name, MAX_WINDOW_BYTES);
    y->address = at;
    y->on_stack = y->outgoing = 0;
    *end = (uint32_t)(at + y->size);
}

void layout_param(struct decoder *d, struct symbol *y)
{
    layout_place(d, y, &d->kernel->local_bytes, "local");
}

/* Notes what of the module any of the kernel's bodies names. */
static void find_used(struct decoder *d)
{
    for (uint32_t i = 0; i < d->num_bodies; i++)
        for (uint32_t n = 0; n < d->bodies[i]->num_outer; n++)
            d->bodies[i]->outer[n]->used_by = d->body->number;
}

/* Whether the kernel has dynamic memory, which comes last, is noted. */
static void place_module(struct decoder *d)
{
    struct ptx_kernel *k = d->kernel;
    for (struct symbol *y = d->parser->kernel_vars; y; y = y->next_var) {
        ptx_spend(d->context, 1);
        if (y->used_by != d->body->number)
            continue;
        if (y->dynamic)
            k->uses_dynamic_shared = 1;
        else if (y->space == SPACE_SHARED)
            layout_place(d, y, &k->shared_bytes, "shared");
        else
            layout_place(d, y, &k->local_bytes, "local");
    }
}

static void place_own(struct decoder *d, const struct body *b)
{
    for (struct symbol *y = b->vars; y; y = y->next_var) {
        ptx_spend(d->context, 1);
        if (y->outgoing)
            continue;
        if (y->named_by && y->space == SPACE_SHARED)
            layout_place(d, y, &d->kernel->shared_bytes, "shared");
        else if (y->named_by)
            layout_place(d, y,
                         b->routine ? &d->routines[b->routine].frame : &d->kernel->local_bytes,
                         b->routine ? "stack" : "local");
        y->on_stack = b->routine && y->space != SPACE_SHARED;
    }
}

/* All .extern .shared arrays begin where static memory ends. */
static void place_dynamic(struct decoder *d)
{
    struct ptx_kernel *k = d->kernel;
    uint32_t align = 16;
    if (!k->uses_dynamic_shared)
        return;
    for (const struct symbol *y = d->parser->kernel_vars; y; y = y->next_var)
        if (y->dynamic && y->used_by == d->body->number && y->align > align)
            align = y->align;
    k->shared_bytes = (k->shared_bytes + align - 1) / align * align;
    for (struct symbol *y = d->parser->kernel_vars; y; y = y->next_var)
        if (y->dynamic)
            y->address = k->shared_bytes;
}

void layout_kernel(struct decoder *d)
{
    find_used(d);
    call_size_open(d);
    routine_share(d);
    number_registers(d);
    layout_registers(d);
    routine_place_shared(d);
    place_module(d);
    routine_layout(d);
    for (uint32_t i = 0; i < d->num_bodies; i++)
        place_own(d, d->bodies[i]);
    place_dynamic(d);
}

void layout_list(struct decoder *d)
{
    struct ptx_kernel *k = d->kernel;
    k->registers = ptx_keep(d->context, k->num_regs, sizeof *k->registers);
    for (uint32_t i = 0; i < d->num_registers; i++) {
        const struct symbol *y = d->registers[i];
        /* A register of the module may live in several routines at once, as may where what alloca
         * gives begins; liveness does not see that: they count none, so that they are never spilled. */
        const int is_shared =
            (d->has_calls && y->scope == d->parser->module_scope) || y == d->allocated;
        const int none = y->type == T_PRED || y == d->stack || is_shared;
        k->registers[y->number] =
            (struct ptx_register){y->offset, register_bytes(y->type),
                                  none ? 0 : register_bytes(y->type) / (4 * WARP_LANES)};
    }
    if (d->carry.number)
        k->registers[d->carry.number] =
            (struct ptx_register){d->carry.offset, register_bytes(d->carry.type), 0};
}
