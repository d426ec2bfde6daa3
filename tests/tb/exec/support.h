/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/support.h: what the tests of the executor share: PTX texts made ready to run,
 * launches with buffers, single steps. */
#ifndef HEDDLE_TESTS_TB_EXEC_SUPPORT_H
#define HEDDLE_TESTS_TB_EXEC_SUPPORT_H

#include <stdint.h>

#include "tb/exec/bind.h"
#include "tb/exec/exec.h"

/* A parsed, placed and bound module with a memory of its own. */
struct program {
    struct ptx_module *module;
    struct gmem *gmem;
    struct exec_tolerated *tolerated; /* NULL: all outside the buffers is a fault */
    uint32_t registers;               /* limit of a thread, or 0 */
};

/* Fails the test where the text cannot be made ready. `build`: see bind.h. */
struct program program_open(const char *text, unsigned build);
void program_close(struct program *);

/* The same of statements: the body of kernel k(.u64 a, .u32 n), in which predicates %p0 to %p3 and registers %r0 to %r19, of 32 bits, and
 * %d0 to %d19, of 64, are declared. */
struct program program_with_body(const char *body);

/* The kernel within so many registers of a thread, as exec_limit makes it. Fails the test where it cannot be. */
const struct ptx_kernel *program_limited(const struct ptx_kernel *, uint32_t registers);

/* Runs kernel `name` with blocks of block_x threads in a row of grid_x. `params` are param_bytes of
 * the kernel. Returns exec_run's value; *fault and *instructions may be NULL. */
struct run {
    const char *kernel;
    uint32_t grid[3], block[3];
    const void *params;
    uint32_t dynamic_shared;
};
int program_run(const struct program *, const struct run *, struct exec_fault *fault,
                uint64_t *instructions);

/* Runs kernel k(out) of a text, one block of so many threads, with `stack` as in ptx_stack. Returns out[thread],
 * which were 0x5a5a5a5a; the message is the fault's, or "". */
#define PROGRAM_WORDS 64
const uint32_t *program_words(const char *text, uint32_t stack, char message[EXEC_MESSAGE]);

/* A PTX text of the tree, malloc'ed. */
char *program_text(const char *path);

/* Kernels of a text that compute what C functions do, out[i] = function(in[i]), run by many threads
 * against them, one value at a time. `stack`: see ptx_stack; `registers`: as in struct program. */
struct like_c {
    const char *name;
    unsigned (*function)(unsigned);
};
void program_like_c(const char *path, uint32_t stack, uint32_t registers,
                    const struct like_c *functions, unsigned count);

/* The head of every text: version, target, address size. */
#define PTX_HEAD ".version 6.0\n.target sm_70\n.address_size 64\n"

/* One warp that the test steps by itself: the only one of a kernel `k` with parameters a and b
 * (.u64), which are params[], registers %p (.pred), %r (.b32) and %d (.b64), and this body. */
struct stepped {
    struct program program;
    const struct ptx_kernel *kernel;
    struct exec_launch launch;
    struct exec_block block;
    struct exec_fault fault;
    struct exec_access access;
    struct exec_warp warp;
    uint64_t params[4];
};
void step_open(struct stepped *, const char *body, uint32_t threads);
void step_close(struct stepped *);
enum exec_status step_once(struct stepped *);

/* Makes params[0] a texture or surface like `t`: a row of 10 texels of one 32-bit unsigned component. Returns where they lie. */
uint64_t step_row(struct stepped *, struct ptx_texture t);

/* Steps until the status is not EXEC_NEXT or EXEC_BRANCH; returns the deepest stack seen. */
uint32_t step_to_end(struct stepped *, enum exec_status *status);

/* The low words of the register that instruction `index` writes. */
const uint32_t *written(const struct stepped *, uint32_t index);

#endif
