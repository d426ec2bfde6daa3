/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/layout.c: where a kernel's registers and variables lie. Specials come first (uop.h), then
 * 32-bit registers, then 64-bit ones, then predicates, in order of first use; every register has
 * its own place. */
#include "tb/ptx/decode.h"
#include "tb/ptx/type.h"

static uint32_t register_bytes(enum ptx_type type)
{
    return type == T_PRED ? 4 : type_bytes(type) == 8 ? 8 * WARP_LANES : 4 * WARP_LANES;
}

static void layout_registers(struct decoder *d)
{
    static const uint32_t order[] = {4 * WARP_LANES, 8 * WARP_LANES, 4};
    uint32_t offset = NUM_SPECIALS * 4 * WARP_LANES;
    for (int pass = 0; pass < 3; pass++) {
        for (struct symbol *y = d->body->registers; y; y = y->next_register)
            if (register_bytes(y->type) == order[pass]) {
                y->offset = offset;
                offset += order[pass];
            }
    }
    d->sink = (offset + 63) / 64 * 64;
    d->kernel->reg_bytes = d->sink + 8 * WARP_LANES;
    d->kernel->num_regs = NUM_SPECIALS + d->body->num_registers;
}

/* Gives `y` the next aligned place behind *end. */
static void place(struct decoder *d, struct symbol *y, uint32_t *end, const char *what)
{
    uint64_t at = ((uint64_t)*end + y->align - 1) / y->align * y->align;
    if (at + y->size > MAX_WINDOW_BYTES)
        ptx_fail(d->context, y->line, "%s memory of kernel '%.100s' exceeds %u bytes", what,
                 d->kernel->name, MAX_WINDOW_BYTES);
    y->address = at;
    *end = (uint32_t)(at + y->size);
}

/* Calls place() for the static variables of one space in a list. */
static void place_all(struct decoder *d, struct symbol *list, enum ptx_space space, uint32_t *end)
{
    for (struct symbol *y = list; y; y = y->next_var) {
        ptx_spend(d->context, 1);
        if (y->space == space && !y->dynamic && y->used_by == d->body->number)
            place(d, y, end, space == SPACE_SHARED ? "shared" : "local");
    }
}

/* All .extern .shared arrays begin where static memory ends. */
static void place_dynamic(struct decoder *d)
{
    struct ptx_kernel *k = d->kernel;
    uint32_t align = 16;
    for (const struct symbol *y = d->parser->shared_vars; y; y = y->next_var)
        if (y->dynamic && y->used_by == d->body->number) {
            k->uses_dynamic_shared = 1;
            align = y->align > align ? y->align : align;
        }
    if (!k->uses_dynamic_shared)
        return;
    k->shared_bytes = (k->shared_bytes + align - 1) / align * align;
    for (struct symbol *y = d->parser->shared_vars; y; y = y->next_var)
        if (y->dynamic)
            y->address = k->shared_bytes;
}

void layout_kernel(struct decoder *d)
{
    layout_registers(d);
    place_all(d, d->parser->shared_vars, SPACE_SHARED, &d->kernel->shared_bytes);
    place_all(d, d->body->vars, SPACE_SHARED, &d->kernel->shared_bytes);
    place_all(d, d->body->vars, SPACE_LOCAL, &d->kernel->local_bytes);
    place_dynamic(d);
}
