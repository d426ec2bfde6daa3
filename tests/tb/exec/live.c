/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/live.c: see live.h. Every set is a byte per register, every place is looked at byte by byte. */
#include "tests/tb/exec/live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int lists(const uint16_t *numbers, uint32_t count, uint32_t number)
{
    int found = 0;
    for (uint32_t i = 0; i < count; i++)
        found |= numbers[i] == number;
    return found;
}

/* By rounds over the whole text until no set grows. */
uint8_t *live_sets(const struct ptx_kernel *k)
{
    uint8_t *live = calloc(k->num_uops + 1, k->num_regs);
    assert_non_null(live);
    for (int grown = 1; grown;) {
        grown = 0;
        for (uint32_t i = k->num_uops; i-- > 0;) {
            const struct uop *u = &k->uops[i];
            const int always = u->guard == UOP_NONE;
            for (uint32_t n = 0; n < k->num_regs; n++) {
                int is_live = 0;
                if (!(always && (u->op == U_RET || u->op == U_TRAP || u->op == U_BRA ||
                                 u->op == U_BRX || u->op == U_RETURN)))
                    is_live |= live[(size_t)(i + 1) * k->num_regs + n];
                uint32_t count;
                const uint32_t *targets = ptx_targets(k, u, &count);
                for (uint32_t t = 0; t < count; t++)
                    is_live |= live[(size_t)targets[t] * k->num_regs + n];
                is_live &= !(always && lists(u->writes, u->num_writes, n));
                is_live |= lists(u->reads, u->num_reads, n);
                grown |= live[(size_t)i * k->num_regs + n] != is_live;
                live[(size_t)i * k->num_regs + n] = (uint8_t)is_live;
            }
        }
    }
    return live;
}

uint32_t live_pressure(const struct ptx_kernel *k)
{
    uint8_t *live = live_sets(k);
    uint32_t most = 1;
    for (uint32_t i = 0; i < k->num_uops; i++) {
        const struct uop *u = &k->uops[i];
        uint32_t before = 0, after = 0;
        for (uint32_t n = NUM_SPECIALS; n < k->num_regs; n++) {
            before += live[(size_t)i * k->num_regs + n] ? k->registers[n].units : 0;
            after += u->num_writes && (lists(u->writes, u->num_writes, n) ||
                                       live[(size_t)(i + 1) * k->num_regs + n])
                         ? k->registers[n].units
                         : 0;
        }
        most = before > most ? before : most;
        most = after > most ? after : most;
    }
    free(live);
    return most;
}

static char reason[160];

/* Takes a register's bytes. Returns 0, or 1: another has one of them. */
static int take(const struct ptx_kernel *k, uint16_t *taken, uint32_t number, uint32_t insn)
{
    const struct ptx_register *r = &k->registers[number];
    for (uint32_t b = r->offset; b < r->offset + r->bytes; b++) {
        if (taken[b] && taken[b] != number) {
            snprintf(reason, sizeof reason, "instruction %u: registers %u and %u share byte %u",
                     insn, taken[b], number, b);
            return 1;
        }
        taken[b] = (uint16_t)number;
    }
    return 0;
}

static int instruction_wrong(const struct ptx_kernel *k, const uint8_t *live, uint32_t insn,
                             uint16_t *taken)
{
    const struct uop *u = &k->uops[insn];
    memset(taken, 0, k->reg_bytes * sizeof *taken);
    for (uint32_t n = NUM_SPECIALS; n < k->num_regs; n++)
        if ((live[(size_t)insn * k->num_regs + n] || lists(u->reads, u->num_reads, n) ||
             lists(u->writes, u->num_writes, n)) &&
            take(k, taken, n, insn))
            return 1;
    /* What it writes and nobody reads must not lie where something lives on. */
    memset(taken, 0, k->reg_bytes * sizeof *taken);
    for (uint32_t n = NUM_SPECIALS; n < k->num_regs; n++)
        if (((u->num_writes && live[(size_t)(insn + 1) * k->num_regs + n]) ||
             lists(u->writes, u->num_writes, n)) &&
            take(k, taken, n, insn))
            return 1;
    return 0;
}

static int is_named(const struct ptx_kernel *k, uint32_t number)
{
    int named = 0;
    for (uint32_t i = 0; i < k->num_uops; i++)
        named |= lists(k->uops[i].reads, k->uops[i].num_reads, number) ||
                 lists(k->uops[i].writes, k->uops[i].num_writes, number);
    return named;
}

/* Whether a register must have a place of its own: it begins as 0, or is written by what may be late, or is a predicate. */
static int is_own(const struct ptx_kernel *k, const uint8_t *live, uint32_t number)
{
    int own = k->registers[number].bytes == 4 || live[number];
    for (uint32_t i = 0; i < k->num_uops; i++)
        own |= lists(k->uops[i].writes, k->uops[i].num_writes, number) &&
               (k->uops[i].klass == CLASS_GMEM || k->uops[i].klass == CLASS_STCMEM ||
                k->uops[i].klass == CLASS_CTRL);
    return own;
}

static int own_wrong(const struct ptx_kernel *k, const uint8_t *live, uint32_t number)
{
    const struct ptx_register *r = &k->registers[number];
    if (live[number] && r->offset + r->bytes > k->zero_bytes) {
        snprintf(reason, sizeof reason, "register %u is read first, and begins as anything",
                 number);
        return 1;
    }
    for (uint32_t n = NUM_SPECIALS; n < k->num_regs; n++)
        if (n != number && r->offset < k->registers[n].offset + k->registers[n].bytes &&
            k->registers[n].offset < r->offset + r->bytes && is_named(k, n)) {
            snprintf(reason, sizeof reason, "register %u shares the own place of %u", n, number);
            return 1;
        }
    return 0;
}

/* Bytes of the special registers that a kernel reads. */
static uint32_t special_bytes(const struct ptx_kernel *k)
{
    uint32_t bytes = 0;
    for (uint32_t n = 0; n < NUM_SPECIALS; n++)
        bytes += k->specials >> n & 1 ? 128 : 0;
    return bytes;
}

const char *live_places_wrong(const struct ptx_kernel *k)
{
    uint8_t *live = live_sets(k);
    uint16_t *taken = calloc(k->reg_bytes, sizeof *taken);
    int wrong = 0;
    assert_non_null(taken);
    for (uint32_t n = NUM_SPECIALS; n < k->num_regs && !wrong; n++) {
        const struct ptx_register *r = &k->registers[n];
        if (!is_named(k, n))
            continue;
        wrong = r->offset < special_bytes(k) || r->offset + r->bytes > k->reg_bytes ||
                r->offset % (r->bytes == 4 ? 4 : 64);
        if (wrong)
            snprintf(reason, sizeof reason, "register %u lies at %u", n, r->offset);
        else if (is_own(k, live, n))
            wrong = own_wrong(k, live, n);
    }
    for (uint32_t i = 0; i < k->num_uops && !wrong; i++)
        wrong = instruction_wrong(k, live, i, taken);
    free(taken);
    free(live);
    return wrong ? reason : NULL;
}

static int names(const struct ptx_kernel *k, uint32_t operand)
{
    int found = 0;
    for (uint32_t i = 0; i < k->num_uops; i++)
        for (int j = 0; j < 4; j++)
            found |= k->uops[i].src[j] == operand || k->uops[i].vsrc[j] == operand;
    return found;
}

/* Where an operand lies that lies at `written` in the kernel as it was written, where each special register has a place. */
static uint32_t place_of(const struct ptx_kernel *run, const struct ptx_kernel *written,
                         uint32_t operand)
{
    if (operand == UOP_NONE || operand & UOP_CONST)
        return operand;
    if (operand < SPECIAL_BYTES) {
        uint32_t place = 0;
        for (uint32_t before = 0; before < operand; before += 128)
            place += names(written, before) ? 128 : 0;
        return place;
    }
    for (uint32_t n = NUM_SPECIALS; n < written->num_regs; n++)
        if (written->registers[n].offset == operand)
            return run->registers[n].offset;
    return run->reg_bytes - 8 * WARP_LANES; /* what is dropped */
}

static int same_operands(const struct ptx_kernel *run, const struct ptx_kernel *written, uint32_t i)
{
    const struct uop *a = &run->uops[i], *b = &written->uops[i];
    int same = a->guard == place_of(run, written, b->guard);
    for (int j = 0; j < 4; j++)
        same &= a->dst[j] == place_of(run, written, b->dst[j]) &&
                a->src[j] == place_of(run, written, b->src[j]) &&
                a->vsrc[j] == place_of(run, written, b->vsrc[j]);
    return same;
}

const char *live_operands_wrong(const struct ptx_kernel *run, const struct ptx_kernel *written)
{
    if (run->num_uops != written->num_uops || run->num_regs != written->num_regs)
        return "instructions or registers were added";
    for (uint32_t n = 0; n < NUM_SPECIALS; n++)
        if ((int)(run->specials >> n & 1) != names(written, n * 128)) {
            snprintf(reason, sizeof reason, "special register %u: read, or not set", n);
            return reason;
        }
    for (uint32_t i = 0; i < run->num_uops; i++)
        if (!same_operands(run, written, i)) {
            snprintf(reason, sizeof reason, "instruction %u: '%s' names others", i, run->text[i]);
            return reason;
        }
    return NULL;
}
