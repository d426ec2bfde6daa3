/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/sm/exec_atom_test.c: tests tb/sm/exec_atom.c: 64 threads on 5 words, in global, shared
 * and generic space, against the same operations done one thread after the other. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/sm/exec_support.h"

#define THREADS 64
#define WORDS   5

/* X(name, ".op.type", register, bytes, new value from `old` and the thread's b and c). */
#define LIST(X)                                                                                    \
    X(add_u32, ".add.u32", r, 4, old + b)                                                          \
    X(add_s32, ".add.s32", r, 4, old + b)                                                          \
    X(add_u64, ".add.u64", d, 8, old + b)                                                          \
    X(min_u32, ".min.u32", r, 4, (uint32_t)old < (uint32_t)b ? old : b)                            \
    X(max_u32, ".max.u32", r, 4, (uint32_t)old > (uint32_t)b ? old : b)                            \
    X(min_s32, ".min.s32", r, 4, (int32_t)old < (int32_t)b ? old : b)                              \
    X(max_s32, ".max.s32", r, 4, (int32_t)old > (int32_t)b ? old : b)                              \
    X(min_u64, ".min.u64", d, 8, old < b ? old : b)                                                \
    X(max_u64, ".max.u64", d, 8, old > b ? old : b)                                                \
    X(min_s64, ".min.s64", d, 8, (int64_t)old < (int64_t)b ? old : b)                              \
    X(max_s64, ".max.s64", d, 8, (int64_t)old > (int64_t)b ? old : b)                              \
    X(and_b32, ".and.b32", r, 4, old &b)                                                           \
    X(or_b32, ".or.b32", r, 4, old | b)                                                            \
    X(xor_b32, ".xor.b32", r, 4, old ^ b)                                                          \
    X(and_b64, ".and.b64", d, 8, old &b)                                                           \
    X(or_b64, ".or.b64", d, 8, old | b)                                                            \
    X(xor_b64, ".xor.b64", d, 8, old ^ b)                                                          \
    X(exch_b32, ".exch.b32", r, 4, b)                                                              \
    X(exch_b64, ".exch.b64", d, 8, b)                                                              \
    X(inc_u32, ".inc.u32", r, 4, (uint32_t)old >= (uint32_t)b ? 0 : old + 1)                       \
    X(dec_u32, ".dec.u32", r, 4, (uint32_t)old == 0 || (uint32_t)old > (uint32_t)b ? b : old - 1)  \
    X(add_f32, ".add.f32", f, 4, bits_of_float(float_of(old) + float_of(b)))                       \
    X(add_f64, ".add.f64", g, 8, bits_of_double(double_of(old) + double_of(b)))                    \
    X(cas_b32, ".cas.b32", r, 4, (uint32_t)old == (uint32_t)b ? c : old)                           \
    X(cas_b64, ".cas.b64", d, 8, old == b ? c : old)

#define EXPECT(name, op, r, bytes, value)                                                          \
    static uint64_t expect_##name(uint64_t old, uint64_t b, uint64_t c)                            \
    {                                                                                              \
        (void)old, (void)b, (void)c;                                                               \
        return value;                                                                              \
    }
#define ROW(name, op, r, bytes, value) {op, #r[0], bytes, expect_##name},
LIST(EXPECT)
static const struct row {
    const char *op;
    char kind;
    unsigned bytes;
    uint64_t (*expect)(uint64_t old, uint64_t b, uint64_t c);
} rows[] = {LIST(ROW)};

/* Threads work on word t % WORDS in `space`; words go in and out through a[], old values to out[].
 * `red`: no old value. */
static void atomic_text(char *text, size_t room, const struct row *row, const char *space, int red)
{
    const unsigned n = row->bytes;
    const char kind = row->kind, *type = strrchr(row->op, '.') + 1;
    if (type[0] == 'b')
        type = n == 8 ? "u64" : "u32";
    const int shared = strcmp(space, ".global") != 0;
    char registers[64];
    snprintf(registers, sizeof registers, strstr(row->op, "cas") ? ", %%%c1, %%%c2" : ", %%%c1",
             kind, kind);
    snprintf(
        text, room,
        PTX_HEAD
        ".entry k(.param .u64 a, .param .u64 in, .param .u64 out)\n{\n"
        " .reg .pred %%p<5>; .reg .b32 %%r<20>; .reg .b64 %%d<20>; .reg .f32 %%f<5>; .reg .f64 "
        "%%g<5>;\n"
        " .shared .align 8 .b8 sh[64];\n"
        " mov.u32 %%r10, %%tid.x;\n rem.u32 %%r11, %%r10, %d;\n mul.wide.u32 %%d11, %%r11, %u;\n"
        " mul.wide.u32 %%d12, %%r10, 16;\n mul.wide.u32 %%d13, %%r10, %u;\n ld.param.u64 %%d14, "
        "[a];\n"
        " add.u64 %%d14, %%d14, %%d11;\n ld.param.u64 %%d15, [in];\n add.u64 %%d12, %%d15, %%d12;\n"
        " ld.param.u64 %%d15, [out];\n add.u64 %%d13, %%d15, %%d13;\n mov.u64 %%d16, sh;\n"
        " add.u64 %%d16, %%d16, %%d11;\n"
        " ld.global.%s %%%c3, [%%d14];\n st.shared.%s [%%d16], %%%c3;\n bar.sync 0;\n"
        " ld.global.%s %%%c1, [%%d12];\n ld.global.%s %%%c2, [%%d12+8];\n"
        " mov.u64 %%d17, %s;\n%s"
        " setp.ne.u32 %%p1, %%r10, 17;\n",
        WORDS, n, n, type, kind, type, kind, type, kind, type, kind, shared ? "%d16" : "%d14",
        space[0] ? "" : " cvta.shared.u64 %d17, %d17;\n");
    size_t used = strlen(text);
    if (red)
        snprintf(text + used, room - used, " @%%p1 red%s%s [%%d17]%s;\n", space, row->op,
                 registers);
    else
        snprintf(text + used, room - used,
                 " @%%p1 atom%s%s %%%c0, [%%d17]%s;\n st.global.%s [%%d13], %%%c0;\n", space,
                 row->op, kind, registers, type, kind);
    used = strlen(text);
    snprintf(text + used, room - used, " bar.sync 0;\n%s ret;\n}\n",
             !shared  ? ""
             : n == 8 ? " ld.shared.u64 %d0, [%d16];\n st.global.u64 [%d14], %d0;\n"
                      : " ld.shared.u32 %r0, [%d16];\n st.global.u32 [%d14], %r0;\n");
}

static uint64_t word(const void *memory, unsigned index, unsigned bytes)
{
    uint64_t x = 0;
    memcpy(&x, (const uint8_t *)memory + index * bytes, bytes);
    return x;
}

/* Small integers (so that inc, dec and cas meet), large ones, or halves that add exactly. */
static uint64_t operand(const struct row *row, unsigned n, int set)
{
    if (row->kind == 'f')
        return bits_of_float((float)((int)(n * 37 % 101) - 50) / 2);
    if (row->kind == 'g')
        return bits_of_double(((int)(n * 37 % 101) - 50) * 0x1p-30);
    return set ? n * 0x9e3779b97f4a7c15ull : n * 7 % 5;
}

static void check_row(const struct row *row, const char *space, int set, int red, unsigned build)
{
    char text[8192];
    atomic_text(text, sizeof text, row, space, red);
    struct program p = program_open(text, build);
    uint64_t params[3] = {gmem_alloc(p.gmem, 64, NULL), gmem_alloc(p.gmem, 16 * THREADS, NULL),
                          gmem_alloc(p.gmem, 8 * THREADS, NULL)};
    uint8_t *a = gmem_host(p.gmem, params[0], 64), *out = gmem_host(p.gmem, params[2], 8 * THREADS);
    uint64_t *in = gmem_host(p.gmem, params[1], 16 * THREADS);
    uint64_t model[WORDS], old[THREADS];
    for (unsigned i = 0; i < WORDS; i++) {
        model[i] = operand(row, i + 3, set);
        memcpy(a + i * row->bytes, &model[i], row->bytes);
        model[i] = word(a, i, row->bytes);
    }
    for (unsigned t = 0; t < THREADS; t++) {
        uint64_t values[2] = {operand(row, t, set), operand(row, t * 3 + 1, set)};
        memcpy(&in[2 * t], values, sizeof values);
        old[t] = 0;
        if (t != 17) {
            old[t] = model[t % WORDS];
            model[t % WORDS] = row->expect(model[t % WORDS], values[0], values[1]) &
                               (row->bytes == 8 ? ~0ull : 0xffffffff);
        }
    }
    struct run run = {"k", {1, 1, 1}, {THREADS, 1, 1}, params, 0};
    struct exec_fault fault;
    if (program_run(&p, &run, &fault, NULL) != 0)
        fail_msg("%s", fault.message);
    for (unsigned i = 0; i < WORDS; i++)
        if (word(a, i, row->bytes) != model[i])
            fail_msg("%s%s: word %u is %" PRIx64 ", expected %" PRIx64, space, row->op, i,
                     word(a, i, row->bytes), model[i]);
    for (unsigned t = 0; t < THREADS && !red; t++)
        if (word(out, t, row->bytes) != old[t])
            fail_msg("%s%s: thread %u got %" PRIx64 ", expected %" PRIx64, space, row->op, t,
                     word(out, t, row->bytes), old[t]);
    program_close(&p);
}

static void all_operations(void **state)
{
    static const char *const spaces[] = {".global", ".shared", ""};
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned s = 0; s < 3; s++)
            for (int set = 0; set < 2; set++)
                for (unsigned build = 0; build < exec_builds(); build++) {
                    check_row(&rows[i], spaces[s], set, 0, build);
                    if (!strstr(rows[i].op, "exch") && !strstr(rows[i].op, "cas"))
                        check_row(&rows[i], spaces[s], set, 1, build);
                }
}

/* PTX ISA, atom: .add.f32 flushes subnormals on global memory and keeps them on shared memory. */
static void subnormals(void **state)
{
    static const char text[] = PTX_HEAD ".entry k(.param .u64 a)\n{\n .reg .f32 %f<5>; .reg .b64 "
                                        "%d<5>; .shared .f32 sh;\n ld.param.u64 %d1, [a];\n"
                                        " mov.f32 %f1, 0f00000003;\n st.shared.f32 [sh], %f1;\n "
                                        "atom.shared.add.f32 %f2, [sh], %f1;\n"
                                        " atom.global.add.f32 %f2, [%d1], %f1;\n ld.shared.f32 "
                                        "%f3, [sh];\n st.global.f32 [%d1+4], %f3;\n ret;\n}\n";
    (void)state;
    struct program p = program_open(text, exec_builds() - 1);
    uint64_t a = gmem_alloc(p.gmem, 8, NULL);
    uint32_t *words = gmem_host(p.gmem, a, 8);
    words[0] = 0x80000005;
    struct run run = {"k", {1, 1, 1}, {1, 1, 1}, &a, 0};
    assert_int_equal(program_run(&p, &run, NULL, NULL), 0);
    assert_int_equal(words[0], 0);
    assert_int_equal(words[1], 6);
    program_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_operations),
        cmocka_unit_test(subnormals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
