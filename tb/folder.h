/* SPDX-License-Identifier: Apache-2.0 */
/* tb/folder.h: folders that are made where they are wanted. */
#ifndef HEDDLE_TB_FOLDER_H
#define HEDDLE_TB_FOLDER_H

/* Makes a folder, and those above it, unless they are there. Returns 0, or -1 with errno set. */
int folder_make(const char *path);

#endif
