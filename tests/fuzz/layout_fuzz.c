/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/layout_fuzz.c: any bytes as a layout of hand.v. What is read must be checked without harm; in what the check accepts every
 * pin of a net can be reached over its resistors. What is refused must be told in one line that names file and line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "synth/wires/check.h"
#include "synth/wires/spef.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/input.h"

#define HAND(ext) "tests/synth/wires/hand." ext

static void write_wires(const struct design *d, const struct def *l)
{
    char *text;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    assert_int_equal(spef_write(d, l, to, stderr), 0);
    fclose(to);
    free(text);
}

int layout_fuzz(const uint8_t *data, size_t size)
{
    static struct design hand;
    char path[64], *said;
    size_t length;
    if (!hand.site && design_open(&hand, HAND("v"), HAND("lib"), HAND("lef"), stderr))
        abort();
    const int file = input_open(data, size, path);
    FILE *err = open_memstream(&said, &length);
    struct def l;
    uint32_t close_pairs;
    const int failed =
        def_read(&l, path, &hand.lef, err) || check_layout(&hand, &l, &close_pairs, err);
    fclose(err);
    assert_true(!failed == !length);
    assert_true(!length || input_told(said, length, path));
    free(said);
    close(file);
    if (!failed)
        write_wires(&hand, &l);
    def_free(&l);
    return 0;
}
