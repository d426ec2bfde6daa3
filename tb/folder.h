/* SPDX-License-Identifier: Apache-2.0 */
/* tb/folder.h: folders that are made where they are wanted. */
#ifndef HEDDLE_TB_FOLDER_H
#define HEDDLE_TB_FOLDER_H

#include <stdio.h>

/* Makes a folder, and those above it, unless they are there. Returns 0, or -1 with errno set. */
int folder_make(const char *path);

/* Opens a file to be written in a folder, which is made; *path is its name, malloc'ed. NULL: it cannot be, with errno set; *path NULL: no memory. */
FILE *folder_file(const char *folder, const char *name, char **path);

#endif
