/* SPDX-License-Identifier: Apache-2.0 */
/* tb/file.h: files that appear whole or not at all. What is written stands beside the file, under
 * a name that nobody else has, and takes its place when it is complete.
 *
 * - A file that is replaced keeps its permissions, and its owner where that may be kept; one that
 *   may not be written is not replaced.
 * - A symbolic link stays; the file that it leads to is replaced. One that leads nowhere is
 *   refused.
 * - A device or a pipe is not replaced: it is written as it is, at once.
 * - A folder is refused. */
#ifndef HEDDLE_TB_FILE_H
#define HEDDLE_TB_FILE_H

#include <stdio.h>

struct file;

/* Begins to write a file. NULL with the reason on `err`. */
struct file *file_create(const char *path, FILE *err);

/* Where to write. */
FILE *file_stream(struct file *);

/* Puts the file in its place, and frees. Returns 0, or -1 with the reason on `err`: then what was
 * there is still there, and nothing else. */
int file_commit(struct file *, FILE *err);

/* Gives up what was written, and frees. NULL is allowed. */
void file_discard(struct file *);

/* Could the file be written? Returns 0, or -1 with the reason on `err`. For what takes long to
 * compute, so that it is not computed in vain. */
int file_check(const char *path, FILE *err);

#endif
