/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/open_test.c: ptx_open and ptx_read: a kernel that is read by itself, in whatever order, is the one that ptx_parse
 * makes; only what it reaches is read; texts in which bodies change what others see are not to be opened. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/ptx/ptx_support.h"

static struct ptx_module *parsed(const char *text)
{
    struct ptx_error error;
    struct ptx_module *m = ptx_parse("k.ptx", text, strlen(text), &error);
    if (!m)
        fail_msg("%s", error.message);
    return m;
}

static struct ptx_module *opened(const char *text)
{
    struct ptx_error error;
    struct ptx_module *m = ptx_open("k.ptx", text, strlen(text), &error);
    if (!m)
        fail_msg("%s", error.message);
    assert_int_equal(m->bodies_read, 0);
    assert_false(m->can_open);
    return m;
}

static void place(struct ptx_module *m)
{
    uint64_t next = 0x1000;
    ptx_stack(m, 4096);
    assert_int_equal(ptx_place(m, place_upwards, &next), 0);
}

#define SAME(member) assert_int_equal(a->member, b->member)
#define SAME_BYTES(member, count)                                                                  \
    assert_memory_equal(a->member, b->member, (count) * sizeof *a->member)

static void same_code(const struct ptx_kernel *a, const struct ptx_kernel *b)
{
    char source[2][PTX_SOURCE_SIZE];
    SAME(num_uops);
    SAME_BYTES(uops, a->num_uops);
    for (uint32_t i = 0; i < a->num_uops; i++) {
        assert_string_equal(a->text[i], b->text[i]);
        assert_string_equal(ptx_source_text(a, i, source[0]), ptx_source_text(b, i, source[1]));
    }
    SAME(const_bytes);
    SAME_BYTES(constants, a->const_bytes);
    SAME(num_regs);
    SAME_BYTES(registers, a->num_regs);
    SAME(num_loops);
    SAME_BYTES(loops, a->num_loops);
    SAME_BYTES(loop_of, a->num_uops);
    SAME(num_routines);
    for (uint32_t i = 0; i < a->num_routines; i++) {
        assert_string_equal(a->routines[i].name, b->routines[i].name);
        SAME(routines[i].entry);
        SAME(routines[i].frame_bytes);
        SAME(routines[i].signature);
        SAME(routines[i].address);
    }
}

static void same(const struct ptx_kernel *a, const struct ptx_kernel *b)
{
    assert_null(a->refused);
    assert_null(b->refused);
    assert_string_equal(a->name, b->name);
    SAME(num_params);
    for (uint32_t i = 0; i < a->num_params; i++) {
        assert_string_equal(a->params[i].name, b->params[i].name);
        SAME(params[i].kind);
        SAME(params[i].offset);
        SAME(params[i].size);
        SAME(params[i].align);
    }
    SAME(param_bytes);
    same_code(a, b);
    SAME(reg_bytes);
    SAME(shared_bytes);
    SAME(local_bytes);
    SAME(stack_pointer);
    SAME(allocated);
    SAME(stack_bytes);
    SAME(stack_varies);
    SAME(regs_per_thread);
    SAME_BYTES(reqntid, 3);
    SAME_BYTES(maxntid, 3);
    SAME(maxnreg);
    SAME(uses_dynamic_shared);
}

/* All kernels, read from the last one to the first, or the other way. */
static void check(const char *text)
{
    for (int backwards = 0; backwards < 2; backwards++) {
        struct ptx_module *a = parsed(text), *b = opened(text);
        assert_true(a->can_open);
        place(a);
        place(b);
        assert_int_equal(a->num_kernels, b->num_kernels);
        assert_int_equal(a->num_vars, b->num_vars);
        for (uint32_t i = 0; i < a->num_vars; i++) {
            assert_string_equal(a->vars[i].name, b->vars[i].name);
            SAME(vars[i].address);
            SAME_BYTES(vars[i].init, a->vars[i].size);
        }
        for (uint32_t i = 0; i < a->num_kernels; i++) {
            const uint32_t n = backwards ? a->num_kernels - 1 - i : i;
            assert_null(b->kernels[n].uops);
            assert_int_equal(ptx_read(b, &b->kernels[n]), 0);
            assert_ptr_equal(b->kernels[n].module, b);
            same(&a->kernels[n], &b->kernels[n]);
            const struct uop *uops = b->kernels[n].uops;
            assert_int_equal(ptx_read(b, &b->kernels[n]), 0); /* which it is */
            assert_ptr_equal(b->kernels[n].uops, uops);
        }
        check_bounds(b);
        assert_in_range(b->bodies_read, 1, a->bodies_read);
        assert_int_equal(ptx_read(a, &a->kernels[0]), 0); /* nothing is left to be read */
        ptx_free(a);
        ptx_free(b);
    }
}

/* What compilers write. */
static void samples(void **unused)
{
    static const char *const names[] = {"arithmetic.ptx", "flow.ptx", "memory.ptx",
                                        "../exec/calls_cl.ptx", "../exec/divergence.ptx"};
    (void)unused;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length;
        char *text = sample_read(names[i], &length);
        check(text);
        free(text);
    }
}

#define FUNCTIONS                                                                                  \
    ".func (.reg .b32 %r) leaf(.reg .b32 %a)\n{\n .loc 1 3 1\n add.u32 %r, %a, 7;\n ret;\n}\n"     \
    ".func (.reg .b32 %r) twice(.reg .b32 %a)\n{\n call (%r), leaf, (%a);\n"                       \
    " call (%r), leaf, (%r);\n ret;\n}\n"                                                          \
    ".func alone(.param .b32 a)\n{\n .reg .b32 %a;\n ld.param.u32 %a, [a];\n ret;\n}\n"
#define KERNEL(name, statements)                                                                   \
    ".entry " name "(.param .u64 a)\n{\n .reg .b32 %r<9>;\n .reg .b64 %d<9>;\n" statements         \
    " ret;\n}\n"

/* Variables of the module and of bodies, constants with addresses, a stack, lines of the source. */
static void by_hand(void **unused)
{
    (void)unused;
    check(HEADER ".file 1 \"a.cl\"\n.global .u32 g[2] = {1, 2};\n.const .u64 p = g;\n"
                 ".shared .b32 s[8];\n.extern .shared .b8 dynamic[];\n" FUNCTIONS      //
                     KERNEL("k1", " .loc 1 7 2\n mov.u64 %d1, g;\n mov.u32 %r1, 5;\n") //
          KERNEL("k2", " .shared .b32 own[4];\n mov.u64 %d1, s;\n mov.u64 %d2, own;\n"
                       " mov.u64 %d3, dynamic;\n call (%r1), twice, (%r1);\n") //
          KERNEL("k3", " mov.u64 %d1, p;\n ld.const.u64 %d2, [%d1];\n"
                       "L: add.u32 %r1, %r1, 1;\n bra L;\n"));
    check(HEADER ".func (.reg .b32 %r) f(.reg .b32 %a);\n" //
          KERNEL("k1", " call (%r1), f, (%r2);\n")         //
          ".func (.reg .b32 %r) f(.reg .b32 %a)\n{\n call (%r), f, (%a);\n ret;\n}\n");
    /* its address is taken by the module, not by a body */
    check(HEADER FUNCTIONS ".global .u64 t[1] = {alone};\n" //
          KERNEL("k1", " mov.u64 %d1, t;\n ld.global.u64 %d2, [%d1];\n"
                       " P: .callprototype _ (.param .b32 _);\n call %d2, (5), P;\n"));
}

/* A name that stands below a body does not count in it. */
static void names_below(void **unused)
{
    (void)unused;
    check(HEADER KERNEL("k1", " bra done;\ndone: bra g;\ng: mov.u32 %r1, 1;\n") //
          ".func done()\n{\n ret;\n}\n.global .u32 g;\n"                        //
          KERNEL("k2", " mov.u64 %d1, g;\n call done;\n"));
}

/* Only what the kernel reaches, once. */
static void bodies_that_are_read(void **unused)
{
    static const char text[] = HEADER FUNCTIONS //
        KERNEL("k1", " call (%r1), leaf, (%r1);\n") KERNEL("k2", " call (%r1), twice, (%r1);\n")
            KERNEL("k3", " mov.u32 %r1, 1;\n");
    static const struct {
        const char *name;
        uint32_t bodies;
    } order[] = {{"k3", 1}, {"k1", 3}, {"k2", 5}, {"k2", 5}};
    (void)unused;
    struct ptx_module *m = parsed(text);
    assert_int_equal(m->bodies_read, 6);
    ptx_free(m);
    m = opened(text);
    place(m);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        assert_int_equal(ptx_read(m, ptx_kernel(m, order[i].name)), 0);
        assert_int_equal(m->bodies_read, order[i].bodies);
    }
    ptx_free(m);
}

/* A body counts for others: by functions whose addresses it takes, variables of the module, the module's registers, names of
 * files, what it does in old texts, a function of the driver that it needs. */
static void entangled(void **unused)
{
    static const char *const texts[] = {
        HEADER FUNCTIONS KERNEL("k", " mov.u64 %d1, alone;\n"),
        HEADER FUNCTIONS KERNEL("k", " T: .calltargets alone;\n call %d1, (5), T;\n"),
        HEADER KERNEL("k", " .global .u32 g;\n"),
        HEADER ".reg .b32 %x;\n" KERNEL("k", " mov.u32 %r1, %x;\n"),
        HEADER KERNEL("k", " .file 1 \"b.cl\"\n"),
        HEADER ".func bad()\n{\n .global .u32 g;\n .what;\n}\n" KERNEL("k", ""),
        ".version 1.3\n.target sm_10\n.entry k\n{\n .param .u32 n;\n .reg .u32 %r;\n"
        " ld.param.u32 %r, [n];\n exit;\n}\n",
        HEADER ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n" //
        KERNEL(
            "k",
            " { .param .b64 x; .param .b64 y; .param .b32 z;\n call (z), vprintf, (x, y);\n }\n"),
    };
    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ptx_module *m = parsed(texts[i]);
        if (m->can_open)
            fail_msg("%s", texts[i]);
        ptx_free(m);
    }
}

/* Texts that are not to be opened: an error, or a kernel that is refused with the reason. */
static void texts_that_are_wrong(void **unused)
{
    static const char open_end[] = HEADER ".entry k()\n{\n { ret;\n}\n",
                      outside[] = HEADER ".entry k()\n{ ret; }\nwhat\n",
                      inside[] = HEADER KERNEL("j", "") KERNEL("k", " what;\n");
    struct ptx_error error;
    (void)unused;
    assert_null(ptx_open("k.ptx", open_end, strlen(open_end), &error));
    assert_string_equal(error.message, "k.ptx:8: the text ends here; expected an instruction, a "
                                       "label, a directive or '}'");
    assert_null(ptx_open("k.ptx", outside, strlen(outside), &error));
    assert_int_equal(error.line, 6);
    struct ptx_module *m = opened(inside);
    place(m);
    assert_int_equal(ptx_read(m, ptx_kernel(m, "k")), 0);
    assert_string_equal(ptx_kernel(m, "k")->refused, "k.ptx:14: opcode 'what' is not supported");
    assert_int_equal(ptx_read(m, ptx_kernel(m, "j")), 0);
    assert_null(ptx_kernel(m, "j")->refused);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples),     cmocka_unit_test(by_hand),
        cmocka_unit_test(names_below), cmocka_unit_test(bodies_that_are_read),
        cmocka_unit_test(entangled),   cmocka_unit_test(texts_that_are_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
