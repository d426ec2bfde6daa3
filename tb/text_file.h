/* SPDX-License-Identifier: Apache-2.0 */
/* tb/text_file.h: reads a file whole. */
#ifndef HEDDLE_TB_TEXT_FILE_H
#define HEDDLE_TB_TEXT_FILE_H

#include <stddef.h>
#include <stdio.h>

/* A file's text, to be freed, with a NUL behind it; `size`, which may be NULL: its bytes. NULL with the reason on `err`:
 * it cannot be read, is empty, or has `most` bytes or more. */
char *text_file_read(const char *path, size_t most, size_t *size, FILE *err);

#endif
