/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/input.c: see input.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include "tests/fuzz/input.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

int input_open(const void *data, size_t size, char path[64])
{
    const int file = memfd_create("input", 0);
    assert_true(file >= 0);
    assert_int_equal(write(file, data, size), size);
    snprintf(path, 64, "/proc/self/fd/%d", file);
    return file;
}

int input_told(const char *said, size_t length, const char *path)
{
    return length && !strncmp(said, path, strlen(path)) &&
           memchr(said, '\n', length) == said + length - 1;
}
