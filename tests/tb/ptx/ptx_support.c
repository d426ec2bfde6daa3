/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/ptx_support.c: samples, one-kernel modules, and the check that a module is safe to
 * execute. */
#include "tests/tb/ptx/ptx_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

char *sample_read(const char *name, size_t *length)
{
    char path[256];
    snprintf(path, sizeof path, "tests/tb/ptx/%s", name);
    FILE *f = fopen(path, "rb");
    if (!f)
        fail_msg("%s cannot be opened; tests run in the top folder", path);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    *length = fread(text, 1, (1 << 20) - 1, f);
    fclose(f);
    assert_true(*length > 0);
    return text;
}

static struct ptx_module *parse_or_fail(const char *name, const char *text, size_t length)
{
    struct ptx_error error;
    struct ptx_module *m = ptx_parse(name, text, length, &error);
    if (!m)
        fail_msg("%s", error.message);
    check_bounds(m);
    return m;
}

struct ptx_module *sample_parse(const char *name)
{
    size_t length;
    char *text = sample_read(name, &length);
    struct ptx_module *m = parse_or_fail(name, text, length);
    free(text);
    return m;
}

char *body_text(const char *statements)
{
    static const char head[] = ".version 6.0\n.target sm_70\n.address_size 64\n"
                               ".global .u32 g;\n.const .u32 c = 1;\n.shared .u32 sh[4];\n"
                               ".entry k(.param .u64 a, .param .u32 n, .param .align 8 .b8 s[16],\n"
                               "  .param .f32 v)\n{\n"
                               "  .reg .pred %p<10>;\n  .reg .b16 %h<10>;\n  .reg .b32 %r<10>;\n"
                               "  .reg .f32 %f<10>;\n  .reg .b64 %d<10>;\n  .reg .f64 %e<10>;\n";
    static const char tail[] = "\n}\n";
    char *text = calloc(1, sizeof head + strlen(statements) + sizeof tail);
    assert_non_null(text);
    strcat(strcat(strcpy(text, head), statements), tail);
    return text;
}

struct ptx_module *body_parse(const char *statements)
{
    char *text = body_text(statements);
    struct ptx_module *m = parse_or_fail("body", text, strlen(text));
    free(text);
    return m;
}

static unsigned lane_bytes(unsigned type)
{
    switch (type) {
    case T_PRED: return 0;
    case T_B64:
    case T_U64:
    case T_S64:
    case T_F64: return 8;
    default: return 4;
    }
}

static void check_operand(const struct ptx_kernel *k, const struct uop *u, uint32_t operand,
                          unsigned type)
{
    if (operand == UOP_NONE)
        return;
    uint64_t bytes = type == T_PRED ? 4 : (uint64_t)WARP_LANES * lane_bytes(type);
    uint64_t offset = operand & ~UOP_CONST;
    uint64_t room = operand & UOP_CONST ? k->const_bytes : k->reg_bytes;
    if (offset + bytes > room || offset % (type == T_PRED ? 4 : 64))
        fail_msg("line %u: operand %08x of %u bytes in %u", u->line, operand, (unsigned)bytes,
                 (unsigned)room);
}

static unsigned widened(unsigned type)
{
    return type == T_U16 || type == T_S16 ? T_B32 : T_B64;
}

/* The types that uop.h gives to dst and src, restated. */
static void check_types(const struct ptx_kernel *k, const struct uop *u)
{
    unsigned dst[4] = {u->type, u->type, u->type, u->type},
             src[4] = {u->type, u->type, u->type, u->type};
    int wide = (u->op == U_MUL || u->op == U_MAD) && u->mod == HALF_WIDE;
    if (wide)
        dst[0] = src[2] = widened(u->type);
    if (u->op == U_SHL || u->op == U_SHR)
        src[1] = T_U32;
    if (u->op == U_BFE)
        src[1] = src[2] = T_U32;
    if (u->op == U_BFI)
        src[2] = src[3] = T_U32;
    if (u->op == U_LOP3)
        dst[1] = src[3] = T_PRED;
    if (u->op == U_PACK_SAT)
        dst[0] = src[0] = src[1] = src[2] = T_B32;
    if (u->op == U_CLZ || u->op == U_POPC || u->op == U_BFIND)
        dst[0] = T_U32;
    if (u->op == U_SETP)
        dst[0] = dst[1] = src[2] = T_PRED;
    if (u->op == U_SELP)
        src[2] = T_PRED;
    if (u->op == U_CVT) {
        dst[0] = u->mod;
        src[0] = u->mod2;
    }
    if (u->op == U_ADDC || u->op == U_SUBC || u->op == U_MADC || u->op == U_SHFL ||
        u->op == U_MATCH)
        dst[1] = T_PRED;
    if (u->op == U_ADDC || u->op == U_SUBC || u->op == U_MADC)
        src[3] = T_PRED;
    if (u->op == U_SHFL)
        src[1] = src[2] = src[3] = T_U32;
    if (u->op == U_SET) {
        src[0] = src[1] = u->type2;
        src[2] = T_PRED;
    }
    if (u->op == U_SLCT)
        src[2] = u->type2;
    if (u->op == U_TESTP || u->op == U_ISSPACEP)
        dst[0] = T_PRED;
    if (u->op == U_ISTYPEP)
        dst[0] = T_PRED;
    if (u->op == U_ISSPACEP || u->op == U_ISTYPEP)
        src[0] = T_U64;
    if (u->op == U_VOTE || u->op == U_MATCH || u->op == U_REDUX)
        src[1] = T_U32;
    if (u->op == U_VOTE)
        src[0] = T_PRED;
    if (u->op == U_MATCH)
        dst[0] = T_U32;
    if (u->op == U_SYNCWARP || u->op == U_CALL)
        src[0] = T_U32;
    if (u->op == U_BAR) {
        src[0] = src[1] = T_U32;
        src[2] = T_PRED;
    }
    if (u->op == U_NOP && u->space == SPACE_NONE)
        src[0] = T_U32;
    if (u->op == U_LD || u->op == U_ST || u->op == U_ATOM || (u->op == U_NOP && u->space))
        src[0] = u->flags & UF_ADDRESS32 ? T_B32 : T_B64;
    if (u->op == U_TEX) {
        src[0] = src[1] = T_U64;
        src[2] = src[3] = T_S32;
    }
    if (u->op == U_ALLOCA)
        dst[1] = src[1] = src[2] = T_B32;
    if (u->op == U_STACKRESTORE)
        dst[0] = src[2] = T_B32;
    if (u->op == U_TRAP)
        src[0] = src[1] = src[3] = T_U64;
    if (u->op == U_SULD || u->op == U_SUST || u->op == U_SURED || u->op == U_TXQ) {
        src[0] = T_U64;
        src[1] = src[2] = src[3] = T_U32;
    }
    for (int i = 0; i < 4; i++) {
        if (u->op == U_LD || u->op == U_UNPACK || u->op == U_SULD)
            dst[i] = u->type2;
        if (u->op == U_PACK)
            src[i] = u->type2;
        check_operand(k, u, u->dst[i], dst[i]);
        check_operand(k, u, u->src[i], src[i]);
        check_operand(k, u, u->vsrc[i], u->type2);
    }
    check_operand(k, u, u->guard, T_PRED);
}

static void check_kernel(const struct ptx_kernel *k)
{
    assert_true(k->num_uops >= 1 && k->regs_per_thread >= 1 && k->num_regs >= NUM_SPECIALS);
    for (uint32_t i = 0; i < k->num_uops; i++) {
        const struct uop *u = &k->uops[i];
        assert_null(u->run);
        assert_non_null(k->text[i]);
        assert_true(u->op < NUM_UOPS && u->klass < NUM_CLASSES &&
                    (u->vec == 1 || u->vec == 2 || u->vec == 4));
        assert_true(u->num_reads <= 16 && u->num_writes <= 4);
        for (int r = 0; r < u->num_reads; r++)
            assert_true(u->reads[r] >= NUM_SPECIALS && u->reads[r] < k->num_regs);
        for (int w = 0; w < u->num_writes; w++)
            assert_true(u->writes[w] >= NUM_SPECIALS && u->writes[w] < k->num_regs);
        uint32_t count;
        const uint32_t *targets = ptx_targets(k, u, &count);
        for (uint32_t t = 0; t < count; t++)
            assert_true(targets[t] < k->num_uops && u->reconverge <= k->num_uops);
        if (u->op == U_BRX)
            assert_true(count > 0 && u->target + count <= k->num_targets);
        if (u->op == U_CALL && u->src[1] == UOP_NONE)
            assert_true((uint64_t)u->offset < k->num_routines);
        if (u->op == U_LD && u->space == SPACE_PARAM && u->src[0] == UOP_NONE)
            assert_true(u->offset >= 0 && u->offset < k->param_bytes);
        check_types(k, u);
    }
    const struct uop *last = &k->uops[k->num_uops - 1];
    assert_true(last->guard == UOP_NONE &&
                (last->op == U_RET || last->op == U_BRA || last->op == U_BRX ||
                 last->op == U_TRAP || last->op == U_RETURN));
    for (uint32_t r = 0; r < k->num_routines; r++)
        assert_true(k->routines[r].entry > (r ? k->routines[r - 1].entry : 0) &&
                    k->routines[r].entry < k->num_uops && k->routines[r].name);
    assert_true(k->stack_bytes <= k->local_bytes && (k->stack_pointer || !k->stack_bytes));
}

void check_bounds(const struct ptx_module *m)
{
    for (uint32_t i = 0; i < m->num_kernels; i++)
        check_kernel(&m->kernels[i]);
}

struct ptx_module *kernels_parse(const char *text)
{
    struct ptx_error error;
    struct ptx_module *m = ptx_parse("k.ptx", text, strlen(text), &error);
    if (!m)
        fail_msg("%s", error.message);
    check_bounds(m);
    return m;
}

void kernel_expect(const struct ptx_kernel *k, const char *expected)
{
    char got[4096] = "";
    for (uint32_t i = 0; i < k->num_uops; i++) {
        const struct uop *u = &k->uops[i];
        char target[16] = "";
        if (u->op == U_BRA)
            snprintf(target, sizeof target, " -> %u", u->target);
        size_t used = strlen(got);
        snprintf(got + used, sizeof got - used, "%u %s: %s%s\n", u->line, ptx_op_name(u->op),
                 k->text[i], target);
    }
    assert_string_equal(got, expected);
}

uint32_t find_text(const struct ptx_kernel *k, const char *text, uint32_t from)
{
    for (uint32_t i = from; i < k->num_uops; i++)
        if (!strcmp(k->text[i], text))
            return i;
    fail_msg("kernel %s has no instruction '%s'", k->name, text);
    return 0;
}

uint64_t place_upwards(void *ctx, const struct ptx_var *var)
{
    uint64_t *next = ctx;
    uint64_t at = (*next + var->align - 1) / var->align * var->align;
    *next = at + var->size;
    return at;
}

int ptx_try(const char *text, size_t length)
{
    struct ptx_error error;
    struct ptx_module *m = ptx_parse("x", text, length, &error);
    if (m) {
        uint64_t next = 4096;
        check_bounds(m);
        assert_int_equal(ptx_place(m, place_upwards, &next), 0);
        ptx_free(m);
        return 1;
    }
    uint32_t lines = 1;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    assert_true(error.line <= lines);
    assert_memory_equal(error.message, "x:", 2);
    assert_non_null(memchr(error.message, '\0', PTX_MESSAGE_SIZE));
    return 0;
}

uint32_t random_next(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* The instructions that can follow `at`; num_uops is the kernel's end. */
uint32_t program_followers(const struct ptx_kernel *k, uint32_t at, uint32_t to[MOST_FOLLOWERS])
{
    const struct uop *u = &k->uops[at];
    int always = u->guard == UOP_NONE;
    if (u->op == U_BRA) {
        to[0] = u->target;
        to[1] = at + 1;
        return always ? 1 : 2;
    }
    if (u->op == U_BRX) {
        assert_true(u->offset < MOST_FOLLOWERS);
        for (uint32_t i = 0; i < u->offset; i++)
            to[i] = k->targets[u->target + i];
        to[u->offset] = at + 1;
        return (uint32_t)u->offset + !always;
    }
    to[0] =
        always && (u->op == U_RET || u->op == U_TRAP || u->op == U_RETURN) ? k->num_uops : at + 1;
    return 1;
}

/* A random program: moves, stores, guarded writes, branches, also indirect ones, and exits to random places. */
char *program_random(uint32_t *state)
{
    enum { LENGTH = 24 };
    char *text = calloc(1, LENGTH * 96 + 256);
    /* a first use of everything fixes the numbers: %r0..3 are 19..22, %d0..1 are 23 and 24 */
    strcpy(text, "mov.u32 %r0, 1; mov.u32 %r1, 2; mov.u32 %r2, 3; mov.u32 %r3, 4; mov.u64 %d0, 5; "
                 "mov.u64 %d1, 6;\n");
    for (int i = 0; i < LENGTH; i++) {
        char line[96];
        uint32_t a = random_next(state) % 4, b = random_next(state) % 4,
                 to = random_next(state) % (LENGTH + 1);
        const char *guard = random_next(state) % 3 ? "" : "@%p1 ";
        switch (random_next(state) % 11) {
        case 0:
        case 1:
        case 2: snprintf(line, sizeof line, "L%d: @%%p1 bra L%u;\n", i, to); break;
        case 3: snprintf(line, sizeof line, "L%d: %sbra L%u;\n", i, guard, to); break;
        case 4:
            snprintf(line, sizeof line, "L%d: %s%s;\n", i, guard, to % 3 ? "ret" : "trap");
            break;
        case 5:
            snprintf(line, sizeof line, "L%d: %sst.global.u32 [%%d%u], %%r%u;\n", i, guard, a % 2,
                     b);
            break;
        case 6:
            snprintf(line, sizeof line, "L%d: %sld.global.u64 %%d%u, [%%d%u];\n", i, guard, a % 2,
                     b % 2);
            break;
        case 7:
            snprintf(line, sizeof line,
                     "L%d: %sbrx.idx %%r%u, T%d; T%d: .branchtargets L%u, L%u, L%u;\n", i, guard, a,
                     i, i, to, (to + 7) % (LENGTH + 1), (to * b) % (LENGTH + 1));
            break;
        default: snprintf(line, sizeof line, "L%d: %sadd.s32 %%r%u, %%r%u, 1;\n", i, guard, a, b);
        }
        strcat(text, line);
    }
    return strcat(text, "L24:");
}
