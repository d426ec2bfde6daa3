/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/reads_test.c: tests tb/gpu/reads.c: that it finds a block which reads something else than
 * was found, and one that does not read all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/gpu/reads.h"
#include "tests/tb/exec/support.h"

/* Each thread reads one element; what is loaded in line 13 says where a second load reads. */
static const char text[] =
    PTX_HEAD ".entry k(.param .u64 a)\n{\n.reg .b32 %r<9>; .reg .b64 %d<9>;\n"
             "ld.param.u64 %d0, [a];\nmov.u32 %r0, %tid.x;\n"
             "mov.u32 %r1, %ctaid.x;\nmad.lo.s32 %r0, %r1, 32, %r0;\n"
             "mul.wide.u32 %d1, %r0, 4;\nadd.s64 %d1, %d0, %d1;\n"
             "ld.global.u32 %r2, [%d1];\nmul.wide.u32 %d2, %r2, 4;\n"
             "add.s64 %d2, %d0, %d2;\nld.global.u32 %r3, [%d2];\nret;\n}\n";

/* What is wrong with the accesses that are passed on: nothing, or of block 1 ... */
enum fault { NONE, TOO_HIGH, TOO_LOW, MISSING, MISSING_FIRST };

struct meddler {
    const struct exec_watch *watch;
    enum fault fault;
};

static void meddle(void *context, const struct exec_block *block, uint32_t insn,
                   const struct exec_access *access)
{
    const struct meddler *m = context;
    struct exec_access changed = *access;
    if (block->ctaid[0] == 1 && insn == 6) {
        changed.address[31] += m->fault == TOO_HIGH ? 4 : 0;
        changed.address[0] -= m->fault == TOO_LOW ? 64 : 0;
        changed.mask &= m->fault == MISSING ? ~(1u << 17) : m->fault == MISSING_FIRST ? ~1u : ~0u;
    }
    m->watch->accessed(m->watch->context, block, insn, &changed);
}

/* The message where blocks are executed with a fault. */
static void message_of(enum fault fault, char message[256])
{
    struct program p = program_open(text, 0);
    struct reads *r = reads_new("/nowhere/r.json", 4, 1);
    uint64_t a = gmem_alloc(p.gmem, 4096, NULL), instructions;
    const struct gpu_launch launch = {.kernel = &p.module->kernels[0],
                                      .params = (const uint8_t *)&a,
                                      .grid = {3, 1, 1},
                                      .block = {32, 1, 1},
                                      .work_dim = 1};
    const struct exec_launch exec = {.kernel = launch.kernel,
                                     .gmem = p.gmem,
                                     .params = launch.params,
                                     .grid = {3, 1, 1},
                                     .block = {32, 1, 1},
                                     .work_dim = 1};
    struct exec_fault failed;
    assert_non_null(r);
    *message = '\0';
    assert_int_equal(reads_begin(r, &launch, message, 256), 0);
    struct meddler m = {.watch = reads_watch(r), .fault = fault};
    const struct exec_watch watch = {.context = &m, .accessed = meddle};
    assert_int_equal(exec_run(&exec, 0, &watch, NULL, NULL, &failed, &instructions), 0);
    assert_int_equal(reads_end(r, message, 256) != 0, fault != NONE);
    reads_free(r);
    program_close(&p);
}

static void other_reads_are_found(void **state)
{
    char message[256];
    (void)state;
    message_of(NONE, message);
    assert_string_equal(message, "");
    message_of(TOO_HIGH, message);
    assert_non_null(strstr(message, "kernel k: block (1, 0, 0) does not read 0x"));
    message_of(TOO_LOW, message);
    assert_non_null(strstr(message, "kernel k: block (1, 0, 0) reads, not found before, 0x"));
    message_of(MISSING, message);
    assert_non_null(strstr(message, "kernel k: block (1, 0, 0) does not read 0x"));
    message_of(MISSING_FIRST, message);
    assert_non_null(strstr(message, "kernel k: block (1, 0, 0) does not read 0x"));
}

/* Who does not check is told nothing. */
static void nobody_watches(void **state)
{
    struct reads *r = reads_new("/nowhere/r.json", 4, 0);
    FILE *err = fopen("/dev/null", "w");
    (void)state;
    assert_null(reads_watch(r));
    assert_int_equal(reads_write(r, err), -1);
    fclose(err);
    reads_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(other_reads_are_found),
                                       cmocka_unit_test(nobody_watches)};
    return cmocka_run_group_tests_name("reads", tests, NULL, NULL);
}
