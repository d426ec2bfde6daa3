/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/classes_fuzz.c: any bytes as the profile that classifies a kernel's loops (daws_table.profile). What is
 * accepted must give each loop counts of no more than the kernel's loads, what is refused must be told
 * in one line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/profile/classes.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/input.h"

/* The kernel of tests/fuzz/corpus/classes/fits. */
static const char text[] =
    ".version 6.0\n.target sm_70\n.address_size 64\n.entry k(.param .u64 a)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %d<2>;\nld.param.u64 %d0, [a];\nmov.u32 %r0, 0;\n"
    "L: ld.global.u32 %r1, [%d0];\nld.global.u32 %r2, [%d0+4];\nadd.u32 %r0, %r0, 1;\n"
    "setp.lt.u32 %p0, %r0, 9;\n@%p0 bra L;\nret;\n}\n";
#define LOADS 2

static void check_said(FILE *err, char **said, size_t *size, int refused)
{
    fclose(err);
    assert_true(!refused == !*size);
    assert_true(!*size || memchr(*said, '\n', *size) == *said + *size - 1);
    free(*said);
}

static void try_kernel(struct classes *c)
{
    struct ptx_error error;
    struct ptx_module *m = ptx_parse("fuzz.ptx", text, strlen(text), &error);
    char *said, message[2048];
    size_t size;
    FILE *err = open_memstream(&said, &size);
    assert_non_null(m);
    const struct loop_classes *is = classes_of(c, ptx_kernel(m, "k"), err, message, sizeof message);
    if (is) {
        assert_int_equal(is->count, 1);
        assert_true(is->loops[0].diverged + is->loops[0].converged <= LOADS);
    } else {
        assert_true(strlen(message) > 10);
    }
    fclose(err);
    free(said);
    ptx_free(m);
}

int classes_fuzz(const uint8_t *data, size_t size)
{
    static const struct config config = {.l1d_line = 128};
    char path[64], *said;
    size_t length;
    const int file = input_open(data, size, path);
    FILE *err = open_memstream(&said, &length);
    struct classes *c = classes_read(path, &config, err);
    check_said(err, &said, &length, !c);
    close(file);
    if (c)
        try_kernel(c);
    classes_free(c);
    return 0;
}
