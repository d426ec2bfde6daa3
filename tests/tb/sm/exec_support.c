/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/sm/exec_support.c: see the header. */
#include "tests/tb/sm/exec_support.h"

#include <fenv.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t place(void *gmem, const struct ptx_var *var)
{
    uint64_t address = gmem_alloc(gmem, var->size, NULL);
    memcpy(gmem_host(gmem, address, var->size), var->init, var->size);
    return address;
}

struct program program_open(const char *text, unsigned build)
{
    struct ptx_error error;
    struct program p = {ptx_parse("test.ptx", text, strlen(text), &error), gmem_new()};
    if (!p.module)
        fail_msg("%s", error.message);
    assert_non_null(p.gmem);
    assert_int_equal(ptx_place(p.module, place, p.gmem), 0);
    if (exec_bind_build(p.module, build, &error) != 0)
        fail_msg("%s", error.message);
    return p;
}

void program_close(struct program *p)
{
    gmem_free_all(p->gmem);
    ptx_free(p->module);
}

int program_run(const struct program *p, const struct run *run, struct exec_fault *fault,
                uint64_t *instructions)
{
    struct exec_fault own_fault;
    uint64_t own_count;
    const struct ptx_kernel *kernel = ptx_kernel(p->module, run->kernel);
    assert_non_null(kernel);
    struct exec_launch launch = {
        .kernel = kernel, .gmem = p->gmem, .params = run->params, .work_dim = 3};
    memcpy(launch.grid, run->grid, sizeof launch.grid);
    memcpy(launch.block, run->block, sizeof launch.block);
    launch.shared_bytes = ((kernel->shared_bytes + 15) & ~15u) + run->dynamic_shared;
    return exec_run(&launch, fault ? fault : &own_fault, instructions ? instructions : &own_count);
}

void step_open(struct stepped *s, const char *body, uint32_t threads)
{
    char text[8192];
    snprintf(text, sizeof text,
             PTX_HEAD ".entry k(.param .u64 a, .param .u64 b)\n{\n .reg .pred %%p<10>; .reg .b32 "
                      "%%r<20>; .reg .b64 %%d<10>;\n"
                      "%s\n}\n",
             body);
    memset(s, 0, sizeof *s);
    s->program = program_open(text, exec_builds() - 1);
    s->kernel = ptx_kernel(s->program.module, "k");
    s->launch = (struct exec_launch){
        s->kernel, s->program.gmem, (const uint8_t *)s->params, {1, 1, 1}, {threads, 1, 1}, {0}, 1,
        0};
    s->block.launch = &s->launch;
    s->warp.regs = aligned_alloc(64, exec_warp_bytes(s->kernel));
    assert_non_null(s->warp.regs);
    exec_warp_start(&s->warp, &s->block, 0, &s->fault);
}

void step_close(struct stepped *s)
{
    free(s->warp.regs);
    program_close(&s->program);
}

enum exec_status step_once(struct stepped *s)
{
    return exec_step(&s->warp, &s->access);
}

uint32_t step_to_end(struct stepped *s, enum exec_status *status)
{
    uint32_t deepest = 0;
    do {
        *status = step_once(s);
        deepest = s->warp.depth > deepest ? s->warp.depth : deepest;
    } while (*status == EXEC_NEXT || *status == EXEC_BRANCH);
    return deepest;
}

const uint32_t *written(const struct stepped *s, uint32_t index)
{
    return (const uint32_t *)(s->warp.regs + s->kernel->uops[index].dst[0]);
}

#define VALUES(name, ...)                                                                          \
    static const uint64_t name##_bits[] = {__VA_ARGS__};                                           \
    const struct values name = {name##_bits, sizeof name##_bits / sizeof *name##_bits};
VALUES(ONE, 0)
VALUES(BITS, 0, 1)
VALUES(I16, 0, 1, 2, 3, 7, 0x7f, 0x80, 0xff, 0x100, 0x5555, 0x7fff, 0x8000, 0x8001, 0xaaaa, 0xfffe,
       0xffff, 0xabcd1234)
VALUES(I32, 0, 1, 2, 3, 7, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffff, 0x800000, 0xffffff,
       0x55555555, 0x7fffffff, 0x80000000, 0x80000001, 0xdeadbeef, 0xff800000, 0xfffffffe,
       0xffffffff, 0x1234567876543210)
VALUES(I64, 0, 1, 2, 3, 7, 0xffffffff, 0x80000000, 0x7fffffff, 0x100000000, 0x5555555555555555,
       0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001, 0xdeadbeefcafebabe,
       0xffffffff00000000, 0xfffffffffffffffe, 0xffffffffffffffff, 0x20000000000001,
       0x7fffffbfffffffff)
VALUES(SHIFTS, 0, 1, 5, 8, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 255, 256, 0xffffffff)
/* Zeros, subnormals, the least and greatest normal, halves and integers, infinities, quiet and
 * signalling NaNs. */
VALUES(F32, 0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000,
       0x80800000, 0x33800000, 0x3dcccccd, 0x3eaaaaab, 0x3f000000, 0xbf000000, 0x3f7fffff,
       0x3f800000, 0xbf800000, 0x3f800001, 0x3fc00000, 0x40200000, 0xc0200000, 0x40490fdb,
       0x42fe0000, 0x437f8000, 0xc3008000, 0x477fe000, 0x477ff000, 0x4b000001, 0x4effffff,
       0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000, 0x5f000000, 0xdf000000,
       0x5f7fffff, 0x5f800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
       0xffc00001, 0x7f800001)
VALUES(F64, 0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x800fffffffffffff,
       0x0010000000000000, 0x3690000000000000, 0x369fffffffffffff, 0x380fffffe0000000,
       0x3810000000000000, 0x3fb999999999999a, 0x3fd5555555555555, 0x3fe0000000000000,
       0xbfe0000000000000, 0x3fefffffffffffff, 0x3ff0000000000000, 0xbff0000000000000,
       0x3ff0000000000001, 0x3ff0000010000000, 0x3ff0000030000000, 0x3ff8000000000000,
       0x4004000000000000, 0x400921fb54442d18, 0x40effdffffffffff, 0x41dfffffffc00000,
       0x41dfffffffe00000, 0x41e0000000000000, 0xc1e0000000000000, 0xc1e0000000200000,
       0x41efffffffffffff, 0x43dfffffffffffff, 0x43e0000000000000, 0xc3e0000000000000,
       0x43efffffffffffff, 0x43f0000000000000, 0x47efffffe0000000, 0x47efffffefffffff,
       0x47effffff0000000, 0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000,
       0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000001, 0x7ff0000000000001)

uint64_t bits_of_float(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

uint64_t bits_of_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

float float_of(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float x;
    memcpy(&x, &low, sizeof x);
    return x;
}

double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Two kernels, `all` and `some`, around one instruction: thread t takes its operands from in[4 t],
 * puts its result into out[t], which held OLD before, and in `some` executes the instruction only
 * where the lane's bit in `mask` is set. */
#define BLOCK 96

static const char kernel_format[] =
    ".entry %s(.param .u64 in, .param .u64 out, .param .u32 mask)\n{\n"
    " .reg .pred %%p<10>; .reg .b16 %%h<10>; .reg .b32 %%r<10>; .reg .b64 %%d<10>; .reg .f32 "
    "%%f<10>; .reg .f64 %%g<10>;\n"
    " mov.u32 %%r5, %%ctaid.x;\n mov.u32 %%r6, %%ntid.x;\n mov.u32 %%r7, %%tid.x;\n mad.lo.u32 "
    "%%r5, %%r5, %%r6, %%r7;\n"
    " ld.param.u64 %%d5, [in];\n ld.param.u64 %%d6, [out];\n"
    " mad.wide.u32 %%d5, %%r5, 32, %%d5;\n mad.wide.u32 %%d6, %%r5, 8, %%d6;\n"
    "%s"
    " ld.global.u16 %%h0, [%%d6];\n ld.global.u32 %%r0, [%%d6];\n ld.global.u64 %%d0, [%%d6];\n"
    " ld.global.f32 %%f0, [%%d6];\n ld.global.f64 %%g0, [%%d6];\n and.b32 %%r8, %%r0, 1;\n "
    "setp.ne.u32 %%p0, %%r8, 0;\n"
    " ld.param.u32 %%r8, [mask];\n mov.u32 %%r9, %%laneid;\n shr.u32 %%r8, %%r8, %%r9;\n and.b32 "
    "%%r8, %%r8, 1;\n"
    " setp.ne.u32 %%p9, %%r8, 0;\n"
    " %s%s\n"
    " %s\n ret;\n}\n";

static void append_operands(char *text, size_t room)
{
    for (int n = 1; n <= 4; n++) {
        size_t used = strlen(text);
        snprintf(text + used, room - used,
                 " ld.global.u16 %%h%d, [%%d5+%d];\n ld.global.u32 %%r%d, [%%d5+%d];\n "
                 "ld.global.u64 %%d%d, [%%d5+%d];\n"
                 " ld.global.f32 %%f%d, [%%d5+%d];\n ld.global.f64 %%g%d, [%%d5+%d];\n"
                 " and.b32 %%r8, %%r%d, 1;\n setp.ne.u32 %%p%d, %%r8, 0;\n",
                 n, 8 * n - 8, n, 8 * n - 8, n, 8 * n - 8, n, 8 * n - 8, n, 8 * n - 8, n, n);
    }
}

static const char *store(char result)
{
    switch (result) {
    case 'h': return "st.global.u16 [%d6], %h0;";
    case 'r': return "st.global.u32 [%d6], %r0;";
    case 'f': return "st.global.f32 [%d6], %f0;";
    case 'g': return "st.global.f64 [%d6], %g0;";
    case 'p': return "selp.u64 %d0, 1, 0, %p0;\n st.global.u64 [%d6], %d0;";
    case 'm': return "";
    default: return "st.global.u64 [%d6], %d0;";
    }
}

static uint64_t result_bits(char result)
{
    return result == 'h' ? 0xffff : result == 'r' || result == 'f' ? 0xffffffff : ~0ull;
}

struct stimulus {
    uint64_t in, out; /* addresses */
    uint32_t mask;
};

static void check_results(const struct instruction *n, const struct program *p, const char *kernel,
                          const struct stimulus *s, uint32_t threads, unsigned build)
{
    const uint64_t(*in)[4] = gmem_host(p->gmem, s->in, (uint64_t)threads * 32);
    uint64_t *out = gmem_host(p->gmem, s->out, (uint64_t)threads * 8);
    for (uint32_t t = 0; t < threads; t++)
        out[t] = OLD;
    struct exec_fault fault;
    struct run run = {kernel, {threads / BLOCK, 1, 1}, {BLOCK, 1, 1}, s, 0};
    if (program_run(p, &run, &fault, NULL) != 0)
        fail_msg("%s: %s", n->text, fault.message);
    assert_int_equal(fegetround(), FE_TONEAREST);
    const uint64_t kept = result_bits(n->result);
    for (uint32_t t = 0; t < threads; t++) {
        const int active = kernel[0] == 'a' || (s->mask >> t % BLOCK % 32 & 1);
        const uint64_t old = n->result == 'p' ? (OLD & 1) : OLD;
        const uint64_t expected = active ? n->expect(in[t][0], in[t][1], in[t][2], in[t][3]) : old;
        if ((out[t] ^ expected) & kept)
            fail_msg("%s a=%" PRIx64 " b=%" PRIx64 " c=%" PRIx64 " e=%" PRIx64
                     " mask %08x lane %u build %s: %" PRIx64 ", expected %" PRIx64,
                     n->text, in[t][0], in[t][1], in[t][2], in[t][3], s->mask, t % BLOCK % 32,
                     exec_build_name(build), out[t] & kept, expected & kept);
    }
}

void check_instruction(const struct instruction *n)
{
    static const uint32_t masks[] = {0, 1, 0x80000000, 0x55555555, 0xfffffffe, 0x00ff00f0};
    char operands[4096] = "", text[16384] = PTX_HEAD;
    append_operands(operands, sizeof operands);
    for (int some = 0; some < 2; some++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, kernel_format, some ? "some" : "all", operands,
                 some ? "@%p9 " : "", n->text, store(n->result));
    }
    const uint32_t cases = n->a->count * n->b->count * n->c->count * n->e->count;
    const uint32_t threads = (cases + BLOCK - 1) / BLOCK * BLOCK;
    for (unsigned build = 0; build < exec_builds(); build++) {
        struct program p = program_open(text, build);
        struct stimulus s = {gmem_alloc(p.gmem, (uint64_t)threads * 32, NULL),
                             gmem_alloc(p.gmem, (uint64_t)threads * 8, NULL), ~0u};
        uint64_t(*in)[4] = gmem_host(p.gmem, s.in, (uint64_t)threads * 32);
        for (uint32_t t = 0; t < threads; t++) {
            uint32_t rest = t;
            const struct values *const sets[] = {n->a, n->b, n->c, n->e};
            for (int k = 0; k < 4; k++) {
                in[t][k] = sets[k]->bits[rest % sets[k]->count];
                rest /= sets[k]->count;
            }
        }
        check_results(n, &p, "all", &s, threads, build);
        for (unsigned i = 0; i < sizeof masks / sizeof *masks; i++) {
            s.mask = masks[i];
            check_results(n, &p, "some", &s, threads, build);
        }
        program_close(&p);
    }
}
