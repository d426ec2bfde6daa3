/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/trace_line.c: an instruction as a line of a trace: PC, mask, destination, opcode, sources,
 * bytes and addresses of an access, and an immediate, which is always 0.
 *
 * Registers are the scoreboard's: a predicate is one too, so that who waits for a comparison here
 * waits for it there. */
#include "tb/gpu/trace_line.h"

#include <string.h>

#include "tb/gpu/trace.h"
#include "tb/gpu/trace_opcode.h"
#include "tb/ptx/type.h"

#define REGISTERS   255 /* R255 is the register that is always zero */
#define MOST_READS  4   /* of a line */
#define MOST_WRITES 1
#define LIST_STRIDE 1 /* address modes: first address and stride; first address and differences */
#define LIST_DELTAS 2

static void put_text(struct trace_line *l, const char *text)
{
    const size_t length = strlen(text);
    memcpy(l->text + l->length, text, length);
    l->length += (uint32_t)length;
}

/* A number in base 10 or 16, of at least `digits` digits. */
static void put_number(struct trace_line *l, uint64_t value, unsigned base, unsigned digits)
{
    char reversed[20];
    unsigned count = 0;
    for (; value || count < digits; value /= base)
        reversed[count++] = "0123456789abcdef"[value % base];
    while (count)
        l->text[l->length++] = reversed[--count];
}

static void put_signed(struct trace_line *l, int64_t value)
{
    put_text(l, value < 0 ? " -" : " ");
    put_number(l, value < 0 ? -(uint64_t)value : (uint64_t)value, 10, 1);
}

static void put_registers(struct trace_line *l, const uint16_t *registers, uint32_t count,
                          uint32_t most)
{
    const uint32_t given = count < most ? count : most;
    put_text(l, " ");
    put_number(l, given, 10, 1);
    for (uint32_t i = 0; i < given; i++) {
        put_text(l, " R");
        put_number(l, registers[i] % REGISTERS, 10, 1);
    }
}

/* Do the lanes follow each other, and their addresses too? *stride is the distance. */
static int in_steps(const uint64_t *address, uint32_t lanes, int64_t *stride)
{
    const int first = __builtin_ctz(lanes);
    const uint32_t run = lanes >> first;
    if (run == 1 || run & (run + 1))
        return 0;
    *stride = (int64_t)(address[first + 1] - address[first]);
    for (uint32_t rest = lanes & (lanes - 1); rest; rest &= rest - 1) {
        const int i = __builtin_ctz(rest);
        if ((int64_t)(address[i] - address[i - 1]) != *stride)
            return 0;
    }
    return *stride == (int32_t)*stride;
}

static void put_addresses(struct trace_line *l, const uint64_t *address, uint32_t lanes,
                          uint64_t base)
{
    int64_t stride = 0;
    const int steps = !lanes || in_steps(address, lanes, &stride);
    const int first = lanes ? __builtin_ctz(lanes) : 0;
    put_signed(l, steps ? LIST_STRIDE : LIST_DELTAS);
    put_text(l, " 0x");
    put_number(l, lanes ? base + address[first] : 0, 16, 1);
    if (steps) {
        put_signed(l, stride);
        return;
    }
    uint64_t last = address[first];
    for (uint32_t rest = lanes & (lanes - 1); rest; rest &= rest - 1) {
        const uint64_t now = address[__builtin_ctz(rest)];
        put_signed(l, (int64_t)(now - last));
        last = now;
    }
}

/* What a memory instruction touches. Where no lane executes it, nothing has said. */
static struct exec_access access_of(const struct stream_issue *i)
{
    const struct uop *u = i->uop;
    if (i->access->mask)
        return *i->access;
    const int global = u->space == SPACE_GENERIC || u->op == U_TEX;
    return (struct exec_access){.space = global ? SPACE_GLOBAL : u->space,
                                .bytes =
                                    (uint8_t)(u->op == U_TEX ? 4 : type_bytes(u->type) * u->vec)};
}

static void put_access(struct trace_line *l, const struct exec_access *a, uint64_t global)
{
    const uint64_t base = a->space == SPACE_SHARED  ? TRACE_SHARED_BASE
                          : a->space == SPACE_LOCAL ? TRACE_LOCAL_BASE
                                                    : global;
    put_signed(l, a->bytes);
    put_addresses(l, a->address, a->mask, base);
}

void trace_line_of(struct trace_line *l, const struct ptx_kernel *k, const struct stream_issue *i,
                   uint64_t global)
{
    const struct uop *u = i->uop;
    struct exec_access a = {.space = SPACE_NONE};
    if (i->access)
        a = access_of(i);
    l->length = 0;
    put_number(l, (uint64_t)i->pc * INSTRUCTION_BYTES, 16, 4);
    put_text(l, " ");
    put_number(l, i->access ? a.mask : i->lanes, 16, 8);
    put_registers(l, u->writes, u->num_writes, MOST_WRITES);
    put_text(l, " ");
    put_text(l, trace_opcode(k, u, a.space));
    if (i->access) {
        put_text(l, a.bytes < 4 ? ".U" : ".");
        put_number(l, 8u * a.bytes, 10, 1);
    }
    put_registers(l, u->reads, u->num_reads, MOST_READS);
    if (i->access)
        put_access(l, &a, global);
    else
        put_text(l, " 0");
    put_text(l, " 0\n");
}
