/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/trace_witness.c: see trace_witness.h. */
#include "tests/tb/gpu/trace_witness.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tb/sm/sm_state.h"
#include "tests/tb/gpu/bench.h"

#define LINE_BYTES 128 /* of test_config's L1D */
#define PC_BYTES   8

const char *const sight_names[] = {
#define SIGHT(name) #name,
    SIGHTS(SIGHT)
#undef SIGHT
};

/* Listening. */
static struct witness *listening;
static uint32_t heard_before[NUM_SMS];
static void (*hear_in_sm)(void *, const struct event *);

static struct exec_warp *warp_of(const struct witness *w, const struct event *e, uint64_t warp)
{
    return &w->gpu->sms[e->sm]->schedulers[warp / NUM_WARPS].warps[warp % NUM_WARPS];
}

static struct witness_warp *stream_of(struct witness *w, const struct event *e, uint64_t warp)
{
    return &w->blocks[w->warp_block[e->sm][warp]].warps[warp_of(w, e, warp)->warp_in_block];
}

static void take_launch(struct witness *w, const struct exec_launch *l)
{
    if (w->blocks)
        return;
    w->kernel = l->kernel;
    w->num_blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    w->num_warps = (l->block[0] * l->block[1] * l->block[2] + 31) / 32;
    w->blocks = calloc(w->num_blocks, sizeof *w->blocks);
    for (uint64_t i = 0; i < w->num_blocks; i++) {
        w->blocks[i].ctaid[0] = (uint32_t)(i % l->grid[0]);
        w->blocks[i].ctaid[1] = (uint32_t)(i / l->grid[0] % l->grid[1]);
        w->blocks[i].ctaid[2] = (uint32_t)(i / l->grid[0] / l->grid[1]);
        w->blocks[i].warps = calloc(w->num_warps, sizeof *w->blocks[i].warps);
    }
}

static int writes(const struct uop *u, uint32_t operand)
{
    for (unsigned i = 0; i < 4; i++)
        if (u->dst[i] == operand && i < (u->op == U_LD ? u->vec : 2u))
            return 1;
    return 0;
}

/* An operand's 32 lanes before the instruction was executed: as they are now, unless it has written
 * them itself. */
static const void *operand_of(const struct witness *w, const struct event *e, const struct uop *u,
                              uint32_t operand)
{
    const uint64_t warp = e->of.issue.warp;
    if (writes(u, operand))
        return w->registers[e->sm][warp] + operand;
    return warp_of(w, e, warp)->base[operand >> 31] + (operand & 0x7fffffff);
}

static uint32_t lanes_of(const struct witness *w, const struct event *e, const struct uop *u)
{
    uint32_t guard = 0;
    if (u->guard == UOP_NONE)
        return (uint32_t)e->of.issue.active;
    memcpy(&guard, operand_of(w, e, u, u->guard), sizeof guard);
    return (uint32_t)e->of.issue.active & (u->flags & UF_GUARD_NOT ? ~guard : guard);
}

static int is_access(const struct uop *u)
{
    return u->klass == CLASS_GMEM || u->klass == CLASS_STCMEM;
}

/* What a load, store or atomic touches. */
static void take_addresses(const struct witness *w, const struct event *e, const struct uop *u,
                           struct witness_line *line)
{
    const uint32_t *narrow = u->src[0] == UOP_NONE ? NULL : operand_of(w, e, u, u->src[0]);
    const uint64_t *wide = (const void *)narrow;
    line->space = u->space;
    for (unsigned i = 0; i < 32; i++) {
        uint64_t address = (uint64_t)u->offset;
        if (narrow && u->flags & UF_ADDRESS32)
            address = (uint32_t)(address + narrow[i]);
        else if (narrow)
            address += wide[i];
        if (u->space == SPACE_GENERIC && line->lanes >> i & 1) {
            const uint64_t window = address >> 56;
            line->space = window == 1 ? SPACE_SHARED : window == 2 ? SPACE_LOCAL : SPACE_GLOBAL;
            address &= window == 1 || window == 2 ? 0xffffff : ~0ull;
        }
        line->address[i] = address;
    }
}

static void take_issue(struct witness *w, const struct event *e)
{
    const struct uop *u = &w->kernel->uops[e->of.issue.pc];
    struct witness_warp *stream = stream_of(w, e, e->of.issue.warp);
    uint8_t **registers = &w->registers[e->sm][e->of.issue.warp];
    struct witness_line line = {.pc = (uint32_t)e->of.issue.pc, .lanes = lanes_of(w, e, u)};
    line.guarded = (uint32_t)e->of.issue.active & ~line.lanes;
    if (is_access(u) && line.lanes)
        take_addresses(w, e, u, &line);
    stream->lines = realloc(stream->lines, (stream->count + 1) * sizeof line);
    stream->lines[stream->count++] = line;
    w->instructions++;
    *registers = realloc(*registers, w->kernel->reg_bytes);
    memcpy(*registers, warp_of(w, e, e->of.issue.warp)->regs, w->kernel->reg_bytes);
}

/* The coalescer takes a warp's accesses in order. */
static void take_access(struct witness *w, const struct event *e)
{
    struct witness_warp *stream = stream_of(w, e, e->of.access.warp);
    struct witness_line *line = NULL;
    while (!line || (line->space != SPACE_GLOBAL && line->space != SPACE_LOCAL)) {
        assert_true(stream->accesses < stream->count);
        line = &stream->lines[stream->accesses++];
    }
    assert_int_equal(line->pc, e->of.access.pc);
    assert_int_equal(line->lanes, e->of.access.active);
    line->lines = e->of.access.lines;
}

static void hear(void *context, const struct event *e)
{
    struct witness *w = listening;
    if (e->kind == EVENT_kernel_start)
        take_launch(w, w->gpu->sms[e->sm]->kernels[0].launch);
    if (e->kind == EVENT_block_start)
        w->blocks[e->of.block_start.block].cycle = e->cycle;
    if (e->kind == EVENT_warp_start)
        w->warp_block[e->sm][e->of.warp_start.warp] = e->of.warp_start.block;
    if (e->kind == EVENT_issue)
        take_issue(w, e);
    if (e->kind == EVENT_access)
        take_access(w, e);
    if (heard_before[e->sm] >> e->kind & 1)
        hear_in_sm(context, e);
}

static void forget(struct witness *w)
{
    for (uint64_t b = 0; b < w->num_blocks; b++) {
        for (uint32_t i = 0; i < w->num_warps; i++)
            free(w->blocks[b].warps[i].lines);
        free(w->blocks[b].warps);
    }
    free(w->blocks);
    for (unsigned i = 0; i < NUM_SMS * NUM_SLOTS; i++)
        free(w->registers[i / NUM_SLOTS][i % NUM_SLOTS]);
    memset(w, 0, sizeof *w);
}

void witness_listen(struct witness *w, struct gpu *g)
{
    forget(w);
    w->gpu = g;
    listening = w;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        struct listener *l = &g->sms[i]->listener;
        hear_in_sm = l->hear;
        heard_before[i] = l->hears;
        l->hears |= HEARS(kernel_start) | HEARS(block_start) | HEARS(warp_start) | HEARS(issue) |
                    HEARS(access);
        l->hear = hear;
    }
}

void witness_stop(struct witness *w, struct gpu *g)
{
    (void)w;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        g->sms[i]->listener.hear = hear_in_sm;
        g->sms[i]->listener.hears = heard_before[i];
    }
}

/* Comparing. */
__attribute__((format(printf, 2, 3))) static int differs(char reason[READ_REASON],
                                                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, READ_REASON, format, arguments);
    va_end(arguments);
    return -1;
}

static int has_head(const char *opcode, const char *head)
{
    const size_t length = strlen(head);
    return !strncmp(opcode, head, length) && (opcode[length] == '.' || !opcode[length]);
}

static int is_listed(const char *opcode, const char *const *heads)
{
    while (*heads && !has_head(opcode, *heads))
        heads++;
    return *heads != NULL;
}

/* The text of an instruction, without its guard. */
static const char *text_of(const struct witness *w, uint32_t pc)
{
    const char *text = w->kernel->text[pc];
    return *text == '@' ? strchr(text, ' ') + 1 : text;
}

static int begins(const char *text, const char *mnemonic)
{
    return !strncmp(text, mnemonic, strlen(mnemonic));
}

/* The opcode that an access must have, by what is written in PTX and the space that it is in. */
static enum sight access_opcode(const char *text, uint8_t space)
{
    const int shared = space == SPACE_SHARED, local = space == SPACE_LOCAL;
    if (space == SPACE_CONST)
        return SIGHT_LDC;
    if (begins(text, "st."))
        return shared ? SIGHT_STS : local ? SIGHT_STL : SIGHT_STG;
    if (!shared && begins(text, "atom."))
        return SIGHT_ATOM;
    if (!shared && begins(text, "red."))
        return SIGHT_RED;
    return shared ? SIGHT_LDS : local ? SIGHT_LDL : SIGHT_LDG;
}

/* "ld.global.v2.u32" moves 8 bytes. */
static uint32_t access_bytes(const char *text)
{
    char opcode[64], *rest = opcode;
    uint32_t bytes = 0, elements = 1;
    snprintf(opcode, sizeof opcode, "%.*s", (int)strcspn(text, " "), text);
    for (char *part; (part = strsep(&rest, "."));) {
        const uint32_t number = (uint32_t)atoi(part + (*part != 0));
        if (*part == 'v' && number)
            elements = number;
        else if (number)
            bytes = number / 8;
    }
    return bytes * elements;
}

static int opcode_is_right(const struct uop *u, const char *opcode)
{
    static const char *const arithmetic[] = {
        "FFMA", "FADD",  "FMUL", "FMNMX", "FSET", "FSETP", "FCMP", "DFMA", "DADD",
        "DMUL", "DMNMX", "DSET", "DSETP", "IMAD", "IMUL",  "IADD", "ISAD", "IMNMX",
        "BFE",  "BFI",   "SHR",  "SHL",   "SHF",  "LOP",   "FLO",  "ISET", "ISETP",
        "ICMP", "POPC",  "F2F",  "F2I",   "I2F",  "I2I",   "MOV",  "SEL",  "PRMT",
        "SHFL", "S2R",   "VOTE", "NOP",   NULL};
    switch (u->op) {
    case U_BRA: return has_head(opcode, "BRA");
    case U_BRX: return has_head(opcode, "BRX");
    case U_BAR: return has_head(opcode, "BAR");
    case U_RET: return has_head(opcode, "EXIT");
    case U_MEMBAR: return has_head(opcode, "MEMBAR");
    default:
        return u->klass == CLASS_SFU ? has_head(opcode, "MUFU") : is_listed(opcode, arithmetic);
    }
}

/* Lines of L1D, or for local memory of words that lie lane beside lane. */
static uint64_t lines_touched(const struct read_line *l, int local, uint64_t base)
{
    uint64_t lines[32 * 16], count = 0;
    for (unsigned lane = 0; lane < 32; lane++)
        for (uint32_t byte = 0; (l->mask >> lane & 1) && byte < l->bytes; byte++) {
            const uint64_t at = l->address[lane] + byte - (local ? base : 0);
            const uint64_t line = (local ? (at / 4 * 32 + lane) * 4 : at) / LINE_BYTES;
            uint64_t i = 0;
            while (i < count && lines[i] != line)
                i++;
            lines[i] = line;
            count += i == count;
        }
    return count;
}

static int same_registers(int count, const int *read, uint32_t all, const uint16_t *registers,
                          uint32_t most)
{
    int same = (uint32_t)count == (all < most ? all : most);
    for (int i = 0; same && i < count; i++)
        same = read[i] == registers[i] % 255;
    return same;
}

static int compare_access(struct witness *w, const struct read_kernel *k, const struct read_line *r,
                          const struct witness_line *l, char reason[READ_REASON])
{
    const struct uop *u = &w->kernel->uops[l->pc];
    const char *text = text_of(w, l->pc);
    const uint8_t space = l->space ? l->space : u->space == SPACE_GENERIC ? SPACE_GLOBAL : u->space;
    const enum sight opcode = access_opcode(text, space);
    const uint64_t base = space == SPACE_SHARED  ? k->shared_base
                          : space == SPACE_LOCAL ? k->local_base
                                                 : 0;
    if (!has_head(r->opcode, sight_names[opcode]))
        return differs(reason, "opcode %s for '%s'", r->opcode, text);
    if (r->bytes != access_bytes(text))
        return differs(reason, "%u bytes for '%s'", r->bytes, text);
    for (unsigned i = 0; i < 32; i++)
        if (l->lanes >> i & 1 && r->address[i] != l->address[i] + base)
            return differs(reason, "address %" PRIx64 " for '%s'", r->address[i], text);
    if (l->lanes && (space == SPACE_GLOBAL || space == SPACE_LOCAL)) {
        if (lines_touched(r, space == SPACE_LOCAL, base) != l->lines)
            return differs(reason, "lines of '%s'", text);
        w->seen[space == SPACE_LOCAL ? SIGHT_lines_of_local : SIGHT_lines_of_global]++;
    }
    const int lane = r->mask ? __builtin_ctz(r->mask) : 0;
    w->seen[opcode]++;
    w->seen[SIGHT_addresses]++;
    w->seen[SIGHT_accesses_of_no_lane] += !r->mask;
    w->seen[SIGHT_strides] += r->mask && r->mode == 1;
    w->seen[SIGHT_steps_backwards] +=
        r->mask && r->mode == 1 && r->address[lane + 1] < r->address[lane];
    w->seen[SIGHT_differences] += r->mode == 2;
    w->seen[SIGHT_single_lanes] += __builtin_popcount(r->mask) == 1;
    return 0;
}

static int compare_line(struct witness *w, const struct read_kernel *k, const struct read_line *r,
                        const struct witness_line *l, char reason[READ_REASON])
{
    const struct uop *u = &w->kernel->uops[l->pc];
    const char *text = w->kernel->text[l->pc];
    if (r->pc != (uint64_t)l->pc * PC_BYTES)
        return differs(reason, "PC %" PRIx64 " for '%s'", r->pc, text);
    if (r->mask != l->lanes)
        return differs(reason, "lanes %08x for '%s'", r->mask, text);
    if (!same_registers(r->num_dst, &r->dst, u->num_writes, u->writes, 1))
        return differs(reason, "destination of '%s'", text);
    if (!same_registers(r->num_src, r->src, u->num_reads, u->reads, 4))
        return differs(reason, "sources of '%s'", text);
    w->seen[SIGHT_guards] += l->guarded != 0;
    if (is_access(u))
        return compare_access(w, k, r, l, reason);
    return !r->bytes && opcode_is_right(u, r->opcode)
               ? 0
               : differs(reason, "opcode %s for '%s'", r->opcode, text);
}

static int by_cycle(const void *a, const void *b)
{
    const struct witness_block *const *x = a, *const *y = b;
    return (*x)->cycle < (*y)->cycle ? -1 : 1; /* one block is dispatched per cycle */
}

int witness_compare(struct witness *w, const struct read_kernel *k, char reason[READ_REASON])
{
    if (k->num_blocks != w->num_blocks)
        return differs(reason, "%" PRIu64 " blocks, executed %" PRIu64, k->num_blocks,
                       w->num_blocks);
    const struct witness_block *order[w->num_blocks];
    for (uint64_t b = 0; b < w->num_blocks; b++)
        order[b] = &w->blocks[b];
    qsort(order, w->num_blocks, sizeof *order, by_cycle);
    for (uint64_t b = 0; b < w->num_blocks; b++) {
        if (memcmp(k->blocks[b].id, order[b]->ctaid, sizeof order[b]->ctaid))
            return differs(reason, "block %u,%u,%u in the place of %u,%u,%u", k->blocks[b].id[0],
                           k->blocks[b].id[1], k->blocks[b].id[2], order[b]->ctaid[0],
                           order[b]->ctaid[1], order[b]->ctaid[2]);
        for (uint32_t i = 0; i < w->num_warps; i++) {
            const struct read_warp *r = &k->blocks[b].warps[i];
            const struct witness_warp *l = &order[b]->warps[i];
            if (r->count != l->count)
                return differs(reason, "%" PRIu64 " lines of warp %u, executed %" PRIu64, r->count,
                               i, l->count);
            for (uint64_t n = 0; n < r->count; n++)
                if (compare_line(w, k, &r->lines[n], &l->lines[n], reason))
                    return -1;
        }
    }
    return 0;
}
