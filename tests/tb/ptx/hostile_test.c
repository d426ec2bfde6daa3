/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/hostile_test.c: cut and damaged text. Whatever comes in, the parser returns a module
 * that is safe to execute or an error that names a line; the sanitizers see to the rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/ptx/ptx_support.h"

/* Of exactly this size, so that reading beyond it is caught. */
static int try_copy(const char *text, size_t length)
{
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    int accepted = ptx_try(copy, length);
    free(copy);
    return accepted;
}

/* A text that is cut inside a kernel is never accepted. */
static void every_truncation(void **unused)
{
    (void)unused;
    static const char *const names[] = {"nvcc.ptx", "memory.ptx"};
    for (int i = 0; i < 2; i++) {
        size_t length;
        char *text = sample_read(names[i], &length);
        int depth = 0, accepted = 0;
        for (size_t cut = 0; cut <= length; cut++) {
            int whole = try_copy(text, cut);
            if (whole && depth)
                fail_msg("%s is accepted when cut after %zu bytes, inside { }", names[i], cut);
            accepted += whole;
            depth += cut < length && text[cut] == '{';
            depth -= cut < length && text[cut] == '}';
        }
        assert_true(accepted > 0 && accepted < (int)length / 2);
        free(text);
    }
}

/* What damage looks like: other bytes, and pieces of PTX in wrong places. */
static const char *const pieces[] = {"{",
                                     "}",
                                     ";",
                                     "[",
                                     "]",
                                     "(",
                                     ",",
                                     "|",
                                     "!",
                                     "@%p1 ",
                                     "-",
                                     "+",
                                     "%r1",
                                     "%rd1",
                                     "%p1",
                                     "_",
                                     "0xffffffffffffffff",
                                     ".u64",
                                     ".v4",
                                     ".pred",
                                     ".b8",
                                     "$L__BB0_2",
                                     "LBB1_1:",
                                     "\"",
                                     "/*",
                                     "9999999999",
                                     "<",
                                     ".reg .b64 %r<3>;",
                                     "ret;",
                                     "bra LBB1_1;",
                                     ".param",
                                     "{%r1,%r2}",
                                     "1.5",
                                     "0f3F800000",
                                     "\xff"};

static size_t damage(char *text, size_t length, size_t room, uint32_t *state)
{
    size_t at = random_next(state) % length, size = random_next(state) % 12;
    const char *piece = pieces[random_next(state) % (sizeof pieces / sizeof *pieces)];
    size_t piece_size = strlen(piece);
    switch (random_next(state) % 8) {
    case 0: /* another byte */ text[at] = (char)random_next(state); return length;
    case 1: /* another printable one */
        text[at] = (char)(' ' + random_next(state) % 95);
        return length;
    case 2: /* some bytes less */
        size = size < length - at ? size : length - at;
        memmove(text + at, text + at + size, length - at - size);
        return length - size;
    case 3: /* bytes from elsewhere */
        if (at + size <= length) {
            size_t from = random_next(state) % (length - size + 1);
            memmove(text + at, text + from, size);
        }
        return length;
    case 4: /* another digit: other registers, widths, numbers */
    case 5:
    case 6:
        while (at < length && (text[at] < '0' || text[at] > '9'))
            at++;
        if (at < length)
            text[at] = (char)('0' + random_next(state) % 10);
        return length;
    default: /* a piece more */
        if (length + piece_size > room)
            return length;
        memmove(text + at + piece_size, text + at, length - at);
        memcpy(text + at, piece, piece_size);
        return length + piece_size;
    }
}

static void random_damage(void **unused)
{
    (void)unused;
    static const char *const names[] = {"nvcc.ptx", "memory.ptx", "flow.ptx", "arithmetic.ptx"};
    uint32_t state = 0x1badcafe, accepted = 0, rounds = 0;
    for (int i = 0; i < 4; i++) {
        size_t length;
        char *text = sample_read(names[i], &length);
        size_t room = length + 256;
        char *damaged = malloc(room);
        assert_non_null(damaged);
        for (int round = 0; round < 1500; round++, rounds++) {
            memcpy(damaged, text, length);
            size_t size = length;
            for (uint32_t n = 1 + random_next(&state) % 3; n && size > 1; n--)
                size = damage(damaged, size, room, &state);
            accepted += (uint32_t)try_copy(damaged, size);
        }
        free(damaged);
        free(text);
    }
    /* both outcomes are common: the damage is neither fatal nor harmless */
    print_message("%u of %u damaged texts are still PTX\n", accepted, rounds);
    assert_true(accepted > rounds / 20 && accepted < rounds - rounds / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_truncation),
        cmocka_unit_test(random_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
