/* SPDX-License-Identifier: Apache-2.0 */
/* tb/text_file.h: reads a file whole, and says what is wrong in one. */
#ifndef HEDDLE_TB_TEXT_FILE_H
#define HEDDLE_TB_TEXT_FILE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* A file's text, to be freed, with a NUL behind it; `size`, which may be NULL: its bytes. NULL with the reason on `err`:
 * it cannot be read, is empty, or has `most` bytes or more. */
char *text_file_read(const char *path, size_t most, size_t *size, FILE *err);

/* Says `path:line: error: ...` in one line, whatever bytes of the file are among what it says. */
void text_file_error(FILE *err, const char *path, unsigned line, const char *format, va_list);

#endif
