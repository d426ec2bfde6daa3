/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/op/run.c: executes the instructions of a row. Operands are written into the
 * register block, one instruction is stepped, and the whole block is compared: results in the lanes
 * that executed, and no other change. So it is with memory. */
#include <fenv.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/op/bench.h"

/* 32 lanes: operands and results, and where in its region each one accesses memory. */
struct lanes {
    uint64_t in[WARP_LANES][4], out[WARP_LANES][4];
    unsigned at[WARP_LANES];
};

/* One instruction, executed once. */
struct step {
    struct bench *bench;
    struct machine *machine;
    const struct op *op;
    const struct uop *uop;
    op_expect *expect;
    struct lanes *lanes;
    uint32_t active, guard;
};

/* Memory -------------------------------------------------------------------------------------- */

static unsigned access_bytes(const struct op *op)
{
    return op->vec * op->type.bits / 8;
}

static int is_op(const struct op *op, const char *mnemonic)
{
    const size_t length = strlen(mnemonic);
    return !strncmp(op->opcode, mnemonic, length) && op->opcode[length] == '.';
}

static int is_atomic(const struct op *op)
{
    return is_op(op, "atom") || is_op(op, "red");
}

/* The lane's bytes in the space that the instruction accesses. */
static uint8_t *bytes_of(struct arena *arena, const struct op *op, unsigned lane, unsigned at)
{
    switch (op->space->space) {
    case SPACE_PARAM: return arena->param + op->offset;
    case SPACE_SHARED: return arena->shared + at + op->offset;
    case SPACE_LOCAL: return arena->local[lane] + at + op->offset;
    case SPACE_CONST: return arena->constant + at + op->offset;
    default: return arena->global + at + op->offset;
    }
}

/* Where lanes access: spread out, one after the other, or in each other's way. */
static void place_lanes(const struct op *op, struct lanes *l, uint64_t round)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        l->at[lane] = round % 3 == 0   ? lane * SPREAD
                      : round % 3 == 1 ? lane * access_bytes(op)
                                       : lane * 7 % 5 * SPREAD;
}

/* Memory holds anything, but for what atomics find. */
static void fill_memory(struct bench *b, const struct op *op, const struct lanes *l)
{
    for (unsigned lane = 0; is_atomic(op) && lane < WARP_LANES; lane++)
        memcpy(bytes_of(b->memory, op, lane, l->at[lane]), l->in[lane], access_bytes(op));
}

static int is_load(const struct op *op)
{
    return is_op(op, "ld") || is_op(op, "ldu");
}

/* Every address register points into its space; see expand.c. */
static void set_addresses(const struct step *s)
{
    const uint64_t bases[] = {s->machine->global,  0, GENERIC_SHARED_BASE, 0, GENERIC_LOCAL_BASE,
                              s->machine->constant};
    struct bench *b = s->bench;
    for (unsigned i = 0; i < sizeof bases / sizeof *bases; i++)
        for (unsigned k = KIND_ADDRESS; k <= KIND_ADDRESS32; k++)
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                bench_set(b->before, &bench_kinds[k], b->where[k][i], lane,
                          bases[i] + s->lanes->at[lane]);
}

/* Results of the lanes, one after the other, and what memory holds then. */
static void expect_accesses(const struct step *s)
{
    const struct op *op = s->op;
    const unsigned bytes = access_bytes(op);
    struct arena *arena = s->bench->memory;
    if (!is_load(op)) {
        arena = s->bench->expected;
        *arena = *s->machine->arena = *s->bench->memory;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint8_t *at = bytes_of(arena, op, lane, s->lanes->at[lane]);
        uint64_t in[4], *out = s->lanes->out[lane];
        memcpy(in, s->lanes->in[lane], sizeof in);
        if (!is_op(op, "st"))
            memcpy(in, at, bytes);
        s->expect(op, in, out);
        const int executed = s->active & s->guard & 1u << lane ? 1 : 0;
        if (executed && is_atomic(op))
            memcpy(at, &out[1], bytes);
        else if (executed && is_op(op, "st"))
            memcpy(at, out, bytes);
    }
}

/* What the timing model is told. */
static void check_access(const struct step *s, const struct exec_access *access)
{
    const struct op *op = s->op;
    const enum ptx_space space = op->space->space;
    const uint64_t base = space == SPACE_GLOBAL  ? s->machine->global
                          : space == SPACE_CONST ? s->machine->constant
                                                 : 0;
    assert_int_equal(access->mask, s->active & s->guard);
    if (!access->mask)
        return;
    assert_int_equal(access->space, space);
    assert_int_equal(access->is_store, is_op(op, "st"));
    assert_int_equal(access->is_atomic, is_atomic(op));
    assert_int_equal(access->bytes, access_bytes(op));
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (access->mask >> lane & 1)
            assert_int_equal(access->address[lane],
                             base + op->offset + (space == SPACE_PARAM ? 0 : s->lanes->at[lane]));
}

/* Executing ----------------------------------------------------------------------------------- */

static _Noreturn void fail_step(const struct step *s, unsigned lane, const char *what,
                                uint64_t result, uint64_t expected)
{
    const uint64_t *in = s->lanes->in[lane];
    fail_msg("%s: a=%" PRIx64 " b=%" PRIx64 " c=%" PRIx64 " e=%" PRIx64
             " active %08x guard %08x lane %u build %s: %s %" PRIx64 ", expected %" PRIx64,
             s->op->text, in[0], in[1], in[2], in[3], s->active, s->guard, lane,
             exec_build_name(s->machine->build), what, result, expected);
    abort();
}

/* Compares the destinations and puts back what was there; then nothing may differ. */
static void check_registers(const struct step *s)
{
    const struct bench *b = s->bench;
    uint8_t *regs = s->machine->warp.regs;
    for (unsigned n = 0; n < 4 && s->uop->dst[n] != UOP_NONE; n++) {
        const uint32_t where = s->uop->dst[n];
        const struct kind *kind = bench_kind(b, where);
        for (unsigned lane = 0; kind && lane < WARP_LANES; lane++) {
            const int executed = s->active & s->guard & 1u << lane ? 1 : 0;
            const uint64_t old = bench_get(b->before, kind, where, lane);
            const uint64_t result = bench_get(regs, kind, where, lane);
            const uint64_t expected = executed ? s->lanes->out[lane][n] & kind->bits : old;
            if (result != expected)
                fail_step(s, lane, "gives", result, expected);
            bench_set(regs, kind, where, lane, old);
        }
    }
    for (size_t i = 0; memcmp(regs, b->before, b->reg_bytes); i++)
        if (regs[i] != b->before[i])
            fail_step(s, 0, "changed a byte of another register to", regs[i], b->before[i]);
}

static void check_memory(const struct step *s)
{
    const struct bench *b = s->bench;
    const uint8_t *memory = (const uint8_t *)s->machine->arena;
    const uint8_t *expected = (const uint8_t *)(is_load(s->op) ? b->memory : b->expected);
    for (size_t i = 0; memcmp(memory, expected, sizeof(struct arena)); i++)
        if (memory[i] != expected[i])
            fail_step(s, 0, "changed a byte of memory to", memory[i], expected[i]);
}

static void run_step(const struct step *s)
{
    struct bench *b = s->bench;
    struct exec_warp *w = &s->machine->warp;
    struct exec_access access;
    memcpy(b->before + b->where[KIND_GUARD][0], &s->guard, sizeof s->guard);
    if (s->op->space) {
        expect_accesses(s);
        set_addresses(s);
    }
    memcpy(w->regs, b->before, b->reg_bytes);
    const uint32_t pc = w->pc = (uint32_t)(s->uop - b->kernel->uops);
    w->active = w->stack[0].mask = s->active;
    const enum exec_status status = exec_step(w, &access);
    if (s->machine->fault.raised)
        fail_msg("%s", s->machine->fault.message);
    assert_int_equal(status, EXEC_NEXT);
    assert_int_equal(w->pc, pc + 1);
    assert_int_equal(w->active, s->active);
    assert_int_equal(fegetround(), FE_TONEAREST);
    check_registers(s);
    if (s->op->space) {
        check_memory(s);
        check_access(s, &access);
    }
}

/* Operands of 32 combinations from number `first` on, as the values of all registers 1 to 4. */
static void fill_operands(struct bench *b, const struct op *op, const char *letters, uint64_t first,
                          struct lanes *l)
{
    uint64_t rest[WARP_LANES], taken[WARP_LANES] = {0};
    struct op_values values = {0};
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        rest[lane] = first + lane;
    for (unsigned n = 0; letters[n]; n++) {
        const int follows = letters[n] == '=';
        if (!follows)
            values = op_values(op, letters[n]);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            taken[lane] = (follows ? taken[lane] + 7 : rest[lane]) % values.count;
            rest[lane] /= follows ? 1 : values.count;
            const uint64_t x = l->in[lane][n] = values.bits[taken[lane]];
            if (letters[n] == 'y')
                bench_set(b->before, &bench_carry, b->carry, lane, x);
            for (unsigned k = 0; k < KIND_ADDRESS; k++)
                bench_set(b->before, &bench_kinds[k], b->where[k][n + 1], lane, x);
        }
    }
}

static uint64_t count_cases(const struct op *op, const char *letters)
{
    uint64_t cases = 1;
    for (unsigned n = 0; letters[n]; n++)
        cases *= letters[n] == '=' ? 1 : op_values(op, letters[n]).count;
    return cases;
}

/* All combinations of operands, 32 at a time, each time in all lanes and under one of the masks. */
static void run_instruction(struct bench *b, unsigned index, const struct row *row)
{
    static const uint32_t masks[][2] = {
        /* active lanes, guard */
        {~0u, 0x55555555}, {0x00ff00f0, ~0u}, {0xfffffffe, 0x80000001},
        {~0u, 0},          {1, ~0u},          {0x7fffffff, 0xffff0003}};
    const unsigned num_masks = sizeof masks / sizeof *masks;
    const struct op *op = &b->ops[index];
    const uint64_t chunks = (count_cases(op, row->operands) + WARP_LANES - 1) / WARP_LANES;
    struct lanes l = {0};
    for (uint64_t n = 0; n < chunks || n < num_masks; n++) {
        fill_operands(b, op, row->operands, n % chunks * WARP_LANES, &l);
        place_lanes(op, &l, n);
        if (op->space)
            fill_memory(b, op, &l);
        for (unsigned lane = 0; !op->space && lane < WARP_LANES; lane++)
            row->expect(op, l.in[lane], l.out[lane]);
        for (unsigned some = 0; some < 2; some++)
            for (unsigned i = 0; i < b->num_machines; i++)
                run_step(&(struct step){b, &b->machines[i], op, &b->uops[index], row->expect, &l,
                                        some ? masks[n % num_masks][0] : ~0u,
                                        some ? masks[n % num_masks][1] : ~0u});
    }
}

unsigned op_run(const struct op_table *table)
{
    unsigned count = 0;
    for (unsigned i = 0; i < table->count; i++) {
        struct bench b;
        bench_open(&b, table->rows[i].text);
        for (unsigned n = 0; n < b.num_ops; n++)
            run_instruction(&b, n, &table->rows[i]);
        count += b.num_ops;
        bench_close(&b);
    }
    return count;
}
