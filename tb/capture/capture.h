/* SPDX-License-Identifier: Apache-2.0 */
/* tb/capture/capture.h: keeps a program's launches in a file, with all that they need: PTX, arguments, global memory before and after.
 * They can then be run again without the program (tb/replay). */
#ifndef HEDDLE_TB_CAPTURE_CAPTURE_H
#define HEDDLE_TB_CAPTURE_CAPTURE_H

#include <stdio.h>

#include "tb/gpu/gpu.h"

struct capture;

/* A module of PTX that has been placed in memory. */
struct capture_program {
    const char *name; /* for messages: "program1.ptx" */
    const char *ptx;
    size_t ptx_bytes;
    const struct ptx_module *module;
};

/* Begins a capture. NULL with the reason on `err`. */
struct capture *capture_open(const char *path, FILE *err);

/* A launch is about to begin, of a kernel of the program; it has ended. */
void capture_begins(struct capture *, const struct gmem *, const struct capture_program *,
                    const struct gpu_launch *);
void capture_ended(struct capture *, const struct gmem *, enum gpu_status, const char *message);

/* The module is about to be freed: another one may come to lie where it lay. */
void capture_forget(struct capture *, const struct ptx_module *);

/* Writes the file, and frees. Returns 0, or -1 with the reason on `err`: then there is none. NULL is
 * allowed. */
int capture_close(struct capture *, FILE *err);

#endif
