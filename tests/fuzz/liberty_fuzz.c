/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/liberty_fuzz.c: any bytes as a library of cells. What is accepted must have cells with names and functions that
 * can be computed, what is refused must be told in one line that names file and line. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "synth/liberty/library.h"
#include "tests/fuzz/fuzz.h"

static void check_library(const struct library *l)
{
    const uint64_t zeros[CELL_PINS + CELL_STATES] = {0};
    const struct library_cell *const chosen[] = {library_nand2(l), library_buffer(l),
                                                 library_flip_flop(l)};
    unsigned cells = 0;
    for (const struct library_cell *c = l->cells; c; c = c->next, cells++) {
        assert_true(c->name && c->area >= 0 && c->num_inputs + c->num_outputs <= c->num_pins);
        for (unsigned i = 0; i < c->num_pins; i++)
            if (c->pins[i].function)
                (void)function_value(c->pins[i].function, zeros);
    }
    assert_int_equal(cells, l->num_cells);
    assert_true(l->capacitance > 0 && l->time > 0 && l->leakage > 0);
    for (unsigned i = 0; i < 3; i++)
        assert_true(!chosen[i] || (!chosen[i]->unused && chosen[i]->area > 0));
}

int liberty_fuzz(const uint8_t *data, size_t size)
{
    char path[64], *said;
    size_t length;
    const int file = memfd_create("library", 0);
    assert_true(file >= 0);
    assert_int_equal(write(file, data, size), size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    FILE *err = open_memstream(&said, &length);
    struct library l;
    const int failed = library_read(&l, path, err);
    fclose(err);
    assert_true(!failed == !length);
    assert_true(!length || (!strncmp(said, path, strlen(path)) &&
                            memchr(said, '\n', length) == said + length - 1));
    free(said);
    close(file);
    if (!failed)
        check_library(&l);
    library_free(&l);
    return 0;
}
