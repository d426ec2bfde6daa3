/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/spill/pack.c: registers that never live at once lie in the same place of a warp's register
 * block. The parser gives each one a place of its own, and a kernel of some hundred instructions has
 * hundreds; what the host's caches hold of them decides how fast a machine of many warps runs. Numbers stay,
 * so the scoreboard sees no difference.
 *
 * A register takes a place from the first instruction that it is live before or that writes it to the last one, in the
 * order of the text (Poletto and Sarkar, TOPLAS 1999), and the place is free again behind that one: so no
 * two registers of one instruction share one, and an instruction never writes over what it still reads. Three kinds have
 * a place that nobody else gets: predicates, which are small; those that are read before they are
 * written, which begin as 0; and what is written by other instructions than those of the SP and the SFU, which
 * may be written later than it is issued, when the register is no longer live. */
#include <string.h>

#include "tb/ptx/spill/spill.h"

enum kind { KIND_NONE, KIND_PREDICATE, KIND_ZERO, KIND_LATE, KIND_SHARED };

struct packed {
    uint32_t first, last;           /* instructions */
    uint32_t next_first, next_last; /* registers that begin there, that end there; 0: no more */
    uint32_t place;                 /* of those of its width and kind */
    uint8_t kind;                   /* enum kind */
};

struct pack {
    struct ptx_context *context;
    struct ptx_kernel *kernel;
    struct liveness live;
    struct packed *registers;
    uint32_t *begin, *end; /* by instruction: the first register of the list, or 0 */
    uint32_t *free[3];     /* by units: places that are free, the last one taken first */
    uint32_t num_free[3], places[3];
    uint32_t specials; /* that the kernel reads */
    uint32_t sink;     /* where what is dropped is written */
};

uint32_t ptx_register_of(const struct ptx_kernel *k, const struct uop *u, uint32_t operand)
{
    if (operand < ptx_special_offset(k, NUM_SPECIALS)) {
        uint32_t special = 0;
        while (ptx_special_offset(k, special + 1) <= operand)
            special++;
        return special;
    }
    for (uint32_t i = 0; i < (uint32_t)u->num_reads + u->num_writes; i++) {
        const uint32_t n = i < u->num_reads ? u->reads[i] : u->writes[i - u->num_reads];
        if (n >= NUM_SPECIALS && k->registers[n].offset == operand)
            return n;
    }
    return UOP_NONE;
}

static int is_late(const struct uop *u)
{
    return u->klass != CLASS_SP && u->klass != CLASS_SFU;
}

/* From where to where a register needs its place, and of which kind that is. */
static void look(struct pack *p, uint32_t number)
{
    const struct ptx_kernel *k = p->kernel;
    struct packed *r = &p->registers[number];
    *r = (struct packed){.first = UINT32_MAX};
    liveness_find(&p->live, number);
    for (uint32_t i = 0; i < p->live.num_points; i++) {
        const uint32_t at = p->live.points[i];
        r->first = at < r->first ? at : r->first;
        r->last = at > r->last ? at : r->last;
    }
    int late = 0;
    for (uint32_t e = p->live.writes.first[number]; e < p->live.writes.first[number + 1]; e++) {
        const uint32_t at = p->live.writes.to[e];
        r->first = at < r->first ? at : r->first;
        r->last = at > r->last ? at : r->last;
        late |= is_late(&k->uops[at]);
    }
    const int zero = p->live.num_points && p->live.stamp[0] == number;
    r->kind = r->first == UINT32_MAX                        ? KIND_NONE
              : k->registers[number].bytes < 4 * WARP_LANES ? KIND_PREDICATE
              : zero                                        ? KIND_ZERO
              : late                                        ? KIND_LATE
                                                            : KIND_SHARED;
}

static void list(struct pack *p)
{
    for (uint32_t n = NUM_SPECIALS; n < p->kernel->num_regs; n++) {
        struct packed *r = &p->registers[n];
        look(p, n);
        if (r->kind != KIND_SHARED)
            continue;
        r->next_first = p->begin[r->first];
        p->begin[r->first] = n;
        r->next_last = p->end[r->last];
        p->end[r->last] = n;
    }
}

static uint32_t units_of(const struct pack *p, uint32_t number)
{
    return p->kernel->registers[number].bytes / (4 * WARP_LANES);
}

/* Gives those that share their places, instruction after instruction. */
static void share(struct pack *p)
{
    for (uint32_t i = 0; i < p->kernel->num_uops; i++) {
        for (uint32_t n = p->begin[i]; n; n = p->registers[n].next_first) {
            const uint32_t units = units_of(p, n);
            p->registers[n].place =
                p->num_free[units] ? p->free[units][--p->num_free[units]] : p->places[units]++;
        }
        for (uint32_t n = p->end[i]; n; n = p->registers[n].next_last) {
            const uint32_t units = units_of(p, n);
            p->free[units][p->num_free[units]++] = p->registers[n].place;
        }
    }
}

static uint32_t aligned(uint32_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* An operand of an instruction, of those that it can have. */
#define MOST_OPERANDS 13
static uint32_t *operand_of(struct uop *u, int i)
{
    return i < 4 ? &u->dst[i] : i < 8 ? &u->src[i - 4] : i < 12 ? &u->vsrc[i - 8] : &u->guard;
}

static void find_specials(struct pack *p)
{
    const struct ptx_kernel *k = p->kernel;
    const uint32_t end = ptx_special_offset(k, NUM_SPECIALS);
    for (uint32_t n = 0; n < k->num_uops; n++)
        for (int i = 0; i < MOST_OPERANDS; i++) {
            const uint32_t operand = *operand_of(&k->uops[n], i);
            if (operand < end)
                p->specials |= 1u << ptx_register_of(k, &k->uops[n], operand);
        }
}

/* Where each register lies: the specials that are read, predicates, those that begin as 0, the others. */
static void lay_out(struct pack *p, uint32_t *offsets)
{
    const struct ptx_kernel *k = p->kernel;
    uint32_t end = 0;
    for (uint32_t n = 0; n < NUM_SPECIALS; n++) {
        offsets[n] = end;
        end += p->specials >> n & 1 ? 4 * WARP_LANES : 0;
    }
    for (int kind = KIND_PREDICATE; kind < KIND_SHARED; kind++) {
        for (uint32_t n = NUM_SPECIALS; n < k->num_regs; n++)
            if (p->registers[n].kind == kind) {
                offsets[n] = end;
                end += k->registers[n].bytes;
            }
        end = aligned(end);
        if (kind == KIND_ZERO)
            p->kernel->zero_bytes = end;
    }
    const uint32_t base[3] = {0, end, end + p->places[1] * 4 * WARP_LANES};
    for (uint32_t n = NUM_SPECIALS; n < k->num_regs; n++)
        if (p->registers[n].kind == KIND_SHARED)
            offsets[n] = base[units_of(p, n)] + p->registers[n].place * k->registers[n].bytes;
    p->sink = base[2] + p->places[2] * 8 * WARP_LANES;
    p->kernel->reg_bytes = p->sink + 8 * WARP_LANES;
    for (uint32_t n = NUM_SPECIALS; n < k->num_regs; n++)
        if (p->registers[n].kind == KIND_NONE)
            offsets[n] = p->sink;
}

static void move(const struct pack *p, const struct uop *u, uint32_t *operand,
                 const uint32_t *offsets)
{
    if (*operand == UOP_NONE || *operand & UOP_CONST)
        return;
    const uint32_t number = ptx_register_of(p->kernel, u, *operand);
    *operand = number == UOP_NONE ? p->sink : offsets[number];
}

static void move_operands(const struct pack *p, const uint32_t *offsets)
{
    struct ptx_kernel *k = p->kernel;
    for (uint32_t n = 0; n < k->num_uops; n++) {
        const struct uop before = k->uops[n];
        for (int i = 0; i < MOST_OPERANDS; i++)
            move(p, &before, operand_of(&k->uops[n], i), offsets);
    }
    for (uint32_t n = NUM_SPECIALS; n < k->num_regs; n++)
        k->registers[n].offset = offsets[n];
    k->specials = p->specials;
}

void pack_registers(struct ptx_context *c, struct ptx_kernel *k)
{
    struct pack p = {.context = c, .kernel = k};
    const size_t instructions = (size_t)k->num_uops + 1, registers = (size_t)k->num_regs + 1;
    liveness_open(&p.live, c, k);
    p.registers = ptx_scratch(c, registers, sizeof *p.registers);
    p.begin = ptx_scratch(c, instructions, sizeof *p.begin);
    p.end = ptx_scratch(c, instructions, sizeof *p.end);
    for (int units = 1; units < 3; units++)
        p.free[units] = ptx_scratch(c, registers, sizeof *p.free[units]);
    uint32_t *offsets = ptx_scratch(c, registers, sizeof *offsets);
    find_specials(&p);
    list(&p);
    share(&p);
    lay_out(&p, offsets);
    move_operands(&p, offsets);
}
