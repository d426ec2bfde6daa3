/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/trace_line_test.c: lines of a trace, written and read again: random addresses and
 * lanes; and an opcode for every form of every PTX instruction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tb/gpu/trace.h"
#include "tb/gpu/trace_line.h"
#include "tb/gpu/trace_opcode.h"
#include "tb/ptx/type.h"
#include "tests/tb/gpu/trace_reader.h"
#include "tests/tb/ptx/ptx_support.h"

static uint32_t state = 1;
static const struct ptx_kernel kernel = {.specials = 1u << SR_TID_X | 1u << SR_CTAID_X};

static uint64_t random64(void)
{
    const uint64_t high = random_next(&state);
    return high << 32 | random_next(&state);
}

static void line_of(const struct uop *u, uint32_t lanes, const struct exec_access *a,
                    struct read_line *read, char text[TRACE_LINE_MOST])
{
    const struct stream_issue i = {.uop = u, .pc = 70000, .lanes = lanes, .access = a};
    struct trace_line line;
    char reason[READ_REASON];
    trace_line_of(&line, &kernel, &i, 0);
    assert_true(line.length < TRACE_LINE_MOST && line.text[line.length - 1] == '\n');
    memcpy(text, line.text, line.length);
    text[line.length - 1] = 0;
    if (trace_read_line(text, read, reason))
        fail_msg("%s", reason);
    assert_int_equal(read->pc, 70000 * 8);
}

static void addresses_are_read_as_they_were(void **unused)
{
    (void)unused;
    const struct uop load = {.op = U_LD,
                             .type = T_U32,
                             .vec = 1,
                             .klass = CLASS_GMEM,
                             .space = SPACE_GLOBAL,
                             .guard = UOP_NONE,
                             .num_reads = 1,
                             .reads = {300},
                             .num_writes = 1,
                             .writes = {254}};
    unsigned strides = 0, backwards = 0, differences = 0;
    for (unsigned n = 0; n < 100000; n++) {
        struct exec_access a = {.space = SPACE_GLOBAL, .bytes = 4};
        struct read_line read;
        char text[TRACE_LINE_MOST];
        /* Runs of lanes, lanes here and there, single ones, none. */
        const uint32_t some = random_next(&state);
        a.mask = n % 4 == 0   ? some & random_next(&state)
                 : n % 4 == 1 ? ~0u >> some % 32 << random_next(&state) % 32
                 : n % 4 == 2 ? 1u << some % 32
                              : ~0u;
        /* Steps of all sizes, some of which are off. */
        const uint64_t base = random64() >> random_next(&state) % 64;
        const int64_t step = (int64_t)random64() >> random_next(&state) % 64;
        const unsigned odd = random_next(&state) % 64;
        for (unsigned i = 0; i < 32; i++)
            a.address[i] = base + i * (uint64_t)step + (i == odd);
        line_of(&load, ~0u, &a, &read, text);
        assert_int_equal(read.mask, a.mask);
        assert_string_equal(read.opcode, "LDG.E.32");
        assert_int_equal(read.bytes, 4);
        assert_int_equal(read.dst, 254);
        assert_int_equal(read.src[0], 300 - 255);
        for (unsigned i = 0; i < 32; i++)
            assert_int_equal(read.address[i], a.mask >> i & 1 ? a.address[i] : 0);
        strides += read.mode == 1 && a.mask;
        backwards += read.mode == 1 && a.mask && step < 0;
        differences += read.mode == 2;
        const uint32_t run = a.mask ? a.mask >> __builtin_ctz(a.mask) : 0;
        const int in_row = run > 1 && !(run & (run + 1));
        const int even = odd >= 32 || !(a.mask >> odd & 1);
        if (in_row && even && step == (int32_t)step) /* as short as can be */
            assert_int_equal(read.mode, 1);
        else if (a.mask)
            assert_true(read.mode == 2 || __builtin_popcount(a.mask) == 2);
    }
    assert_true(strides > 10000 && backwards > 1000 && differences > 10000);
}

struct expected {
    struct uop uop;
    struct exec_access access;
    uint32_t lanes;
    const char *text; /* from the mask on */
};

/* What the machine's test has no instruction for, and what a reader does not see. */
static void lines_to_the_letter(void **unused)
{
    (void)unused;
    static const struct expected all[] = {
        {{.op = U_TEX,
          .klass = CLASS_GMEM,
          .type = T_F32,
          .num_writes = 4,
          .writes = {7, 8, 9, 10}},
         {.space = SPACE_GLOBAL, .bytes = 16, .mask = 5, .address = {4096, 0, 8192}},
         15,
         "00000005 1 R7 LDG.E.128 0 16 2 0x1000 4096 0"},
        {{.op = U_TEX, .klass = CLASS_GMEM, .type = T_F32},
         {.bytes = 99},
         0,
         "00000000 0 LDG.E.32 0 4 1 0x0 0 0"},
        {{.op = U_LD, .klass = CLASS_GMEM, .type = T_U16, .vec = 2, .space = SPACE_GENERIC},
         {.space = SPACE_SHARED, .bytes = 99},
         0,
         "00000000 0 LDG.E.32 0 4 1 0x0 0 0"},
        {{.op = U_LD, .klass = CLASS_GMEM, .type = T_U16, .vec = 1, .space = SPACE_GENERIC},
         {.space = SPACE_LOCAL, .bytes = 2, .mask = 1, .address = {2}},
         1,
         "00000001 0 LDL.U16 0 2 2 0x20000000002 0"},
        {{.op = U_LD, .klass = CLASS_GMEM, .type = T_U32, .vec = 1, .space = SPACE_GENERIC},
         {.space = SPACE_PARAM, .bytes = 4, .mask = 3, .address = {8, 8}},
         3,
         "00000003 0 LDC.32 0 4 1 0x8 0 0"},
        {{.op = U_ST,
          .klass = CLASS_STCMEM,
          .type = T_B8,
          .vec = 1,
          .space = SPACE_SHARED,
          .num_reads = 6,
          .reads = {1, 2, 3, 4, 5, 6}},
         {.space = SPACE_SHARED, .bytes = 1, .mask = 6, .address = {0, 3, 2}},
         6,
         "00000006 0 STS.U8 4 R1 R2 R3 R4 1 1 0x10000000003 -1 0"},
        {{.op = U_LD, .klass = CLASS_SP, .type = T_U32, .space = SPACE_PARAM, .num_writes = 1},
         {0},
         1,
         "00000001 1 R0 MOV 0 0 0"},
        {{.op = U_ATOM, .klass = CLASS_GMEM, .type = T_U64, .vec = 1, .space = SPACE_GLOBAL},
         {.space = SPACE_GLOBAL, .bytes = 8, .mask = 3, .address = {64, 64}},
         3,
         "00000003 0 RED.E.64 0 8 1 0x40 0 0"},
    };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        const struct expected *e = &all[i];
        struct read_line read;
        char text[TRACE_LINE_MOST];
        line_of(&e->uop, e->lanes, e->uop.klass == CLASS_SP ? NULL : &e->access, &read, text);
        assert_string_equal(strchr(text, ' ') + 1, e->text);
    }
}

/* The opcodes of binary version 35 that a receiver knows, each with the pipeline that it takes
 * there: arithmetic, special functions, memory, control. */
static const char sp[] =
    " FFMA FADD FMUL FMNMX FSET FSETP FCMP DFMA DADD DMUL DMNMX DSET DSETP IMAD IMUL IADD ISUB "
    "ISAD IMNMX BFE BFI SHR SHL SHF LOP FLO ISET ISETP ICMP POPC F2F F2I I2F I2I MOV SEL PRMT SHFL "
    "PSETP S2R VOTE NOP ";
static const char sfu[] = " MUFU ";
static const char memory[] = " LDG LDL LDS LDC STG STL STS ATOM RED ";
static const char control[] = " BRA BRX BAR EXIT MEMBAR NOP BPT ";

static unsigned opcodes_checked;

static void check_opcode(const struct uop *u, enum ptx_space space, const char *mnemonic)
{
    const char *const lists[] = {[CLASS_SP] = sp,
                                 [CLASS_SFU] = sfu,
                                 [CLASS_GMEM] = memory,
                                 [CLASS_STCMEM] = memory,
                                 [CLASS_CTRL] = control};
    const char *opcode = trace_opcode(&kernel, u, space);
    char head[32];
    if (!opcode)
        fail_msg("%s%s%s has no opcode", mnemonic, type_name(u->type), type_name(u->type2));
    snprintf(head, sizeof head, " %.*s ", (int)strcspn(opcode, "."), opcode);
    if (!strstr(lists[u->klass], head))
        fail_msg("%s%s: %s", mnemonic, type_name(u->type), opcode);
    opcodes_checked++;
}

static void check_form(const char *mnemonic, enum uop_op op, enum uop_class klass, uint32_t types,
                       uint32_t types2)
{
    struct uop u = {.op = op, .klass = klass, .src = {UOP_NONE}, .num_writes = 1};
    for (unsigned t = 0; t < NUM_TYPES * NUM_TYPES; t++) {
        u.type = (uint8_t)(t / NUM_TYPES);
        u.type2 = (uint8_t)(t % NUM_TYPES);
        if ((types ? !(types >> u.type & 1) : u.type) ||
            (types2 ? !(types2 >> u.type2 & 1) : u.type2))
            continue;
        if (op != U_LD && op != U_ST && op != U_ATOM) {
            check_opcode(&u, klass == CLASS_GMEM ? SPACE_GLOBAL : SPACE_NONE, mnemonic);
            continue;
        }
        u.klass = CLASS_GMEM;
        u.num_writes = !strcmp(mnemonic, "red") ? 0 : 1;
        check_opcode(&u, SPACE_GLOBAL, mnemonic);
        check_opcode(&u, SPACE_SHARED, mnemonic);
        if (op != U_ATOM) /* an atomic of local memory is a fault */
            check_opcode(&u, SPACE_LOCAL, mnemonic);
        if (op != U_LD)
            continue;
        check_opcode(&u, SPACE_CONST, mnemonic);
        check_opcode(&u, SPACE_PARAM, mnemonic);
        u.klass = CLASS_SP; /* a parameter by its name is no access */
        check_opcode(&u, SPACE_NONE, mnemonic);
    }
}

static void every_form_has_an_opcode(void **unused)
{
    (void)unused;
#define G(group) 0
#define OPCODE3(mnemonic, op, klass, types, types2, types3, required, optional, shape)             \
    check_form(#mnemonic, op, CLASS_##klass, types, types2);
#define OPCODE2(mnemonic, op, klass, types, types2, required, optional, shape)                     \
    check_form(#mnemonic, op, CLASS_##klass, types, types2);
#define OPCODE(mnemonic, op, klass, types, required, optional, shape)                              \
    check_form(#mnemonic, op, CLASS_##klass, types, 0);
#include "tb/ptx/opcode.def"
    assert_true(opcodes_checked > 500);
    /* What the front end makes of a mov with a vector. */
    check_form("pack", U_PACK, CLASS_SP, TYPES_B, 0);
    check_form("unpack", U_UNPACK, CLASS_SP, TYPES_B, 0);
    const struct uop special = {.op = U_MOV, .type = T_U32, .src = {128}},
                     other = {.op = U_MOV, .type = T_U32, .src = {256}};
    assert_string_equal(trace_opcode(&kernel, &special, SPACE_NONE), "S2R");
    assert_string_equal(trace_opcode(&kernel, &other, SPACE_NONE), "MOV");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_read_as_they_were),
        cmocka_unit_test(lines_to_the_letter),
        cmocka_unit_test(every_form_has_an_opcode),
    };
    return cmocka_run_group_tests_name("tb/gpu/trace_line", tests, NULL, NULL);
}
