/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/input.h: bytes as a file, for readers that take a path. */
#ifndef HEDDLE_TESTS_FUZZ_INPUT_H
#define HEDDLE_TESTS_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>

/* A file in memory that holds the bytes, to be closed, and its path. */
int input_open(const void *data, size_t size, char path[64]);

/* Is what is said one line that begins with the path? */
int input_told(const char *said, size_t length, const char *path);

#endif
