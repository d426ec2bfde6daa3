/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/context.h: what every stage of the front end shares: memory, the name for messages, and
 * the way out. */
#ifndef HEDDLE_TB_PTX_CONTEXT_H
#define HEDDLE_TB_PTX_CONTEXT_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "tb/arena.h"
#include "tb/ptx/ptx.h"

/* Bounds on hostile text. */
#define MAX_TEXT_BYTES     (64u << 20)
#define MAX_PARSE_BYTES    (512u << 20) /* all that it becomes */
#define MAX_STEPS          (1u << 26)   /* of analyses */
#define MAX_WORD_BYTES     4096
#define MAX_INSTRUCTIONS   1000000u
#define MAX_REGISTERS      65535u
#define MAX_RANGE          1000000000u /* registers that one declaration names; unused ones take no memory */
#define MAX_SYMBOLS        1000000u
#define MAX_SCOPE_DEPTH    64
#define MAX_PARAM_BYTES    65536u
#define MAX_WINDOW_BYTES   (16u << 20)  /* shared memory of a block, local memory of a thread */
#define MAX_VARIABLE_BYTES (256u << 20) /* all .global and .const variables together */
#define FRAME_ALIGN        16           /* of frames on a thread's stack */
#define MAX_CONSTANT_BYTES (64u << 20)  /* broadcast constants of one kernel */

/* Bytes, up to whole pieces of the stack. */
static inline uint32_t frame_aligned(uint32_t bytes)
{
    return (bytes + FRAME_ALIGN - 1) / FRAME_ALIGN * FRAME_ALIGN;
}

struct ptx_context {
    const char *name;
    size_t bytes;                /* taken from both arenas */
    uint32_t steps, kernel_line; /* see ptx_spend */
    struct ptx_error *error;
    jmp_buf *failed;      /* where ptx_fail goes */
    struct arena keep;    /* what the module owns */
    struct arena scratch; /* what only parsing needs */
};

/* Writes "NAME:LINE: message" to the caller's error and leaves ptx_parse. `line` 0: "NAME:
 * message". */
_Noreturn void ptx_fail(struct ptx_context *, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Zeroed memory that lives as long as the module, or until ptx_parse returns. They leave through
 * ptx_fail when there is none. `count * size` may not overflow silently: it is checked. */
void *ptx_keep(struct ptx_context *, size_t count, size_t size);
void *ptx_scratch(struct ptx_context *, size_t count, size_t size);

/* A copy of length bytes, NUL-terminated, that lives as long as the module. */
char *ptx_keep_text(struct ptx_context *, const char *text, size_t length);

/* Counts work that can grow faster than the text; too much of it is an error of the kernel that
 * ends at kernel_line. */
void ptx_spend(struct ptx_context *, uint32_t steps);

/* Room for one more element behind the first `count`: the array itself, or a copy of twice its
 * size. It must have been made by this function (or be NULL) and lives until ptx_parse returns. */
void *ptx_grow(struct ptx_context *, void *array, size_t count, size_t size);

#endif
