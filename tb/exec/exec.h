/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/exec.h: what an instruction does: 32 lanes, active mask, reconvergence stack. No timing
 * here. Divergence follows the immediate post-dominator stack (Fung et al., as all five papers
 * assume). */
#ifndef HEDDLE_TB_EXEC_EXEC_H
#define HEDDLE_TB_EXEC_EXEC_H

#include <stdint.h>

#include "tb/clocks.h"
#include "tb/mem/gmem.h"
#include "tb/ptx/ptx.h"

#define EXEC_STACK_DEPTH 16384 /* at most */
#define EXEC_STACK_OWN   32    /* without memory of its own */

#define EXEC_MESSAGE 768

/* Why a warp cannot go on; the message names kernel, PC, PTX line and text, lane and address. */
struct exec_fault {
    int raised;
    char message[EXEC_MESSAGE];
};

/* How often something was wrong, and has passed. */
struct exec_tolerated_counts {
#define COUNT(name, meaning) uint64_t name;
#include "tb/exec/tolerate.def"
};

/* What is wrong in a kernel and no fault, of the blocks that share this: which accesses outside the buffers pass, how
 * often what has passed, and where it was first. See tolerate.c. */
struct exec_tolerated {
    uint8_t overrun; /* reads that end in the padding behind a buffer pass: mem.overrun = warn */
    uint8_t any;     /* all accesses outside pass: gpu.outside = zero */
    struct exec_tolerated_counts counts;
    char access[EXEC_MESSAGE], barrier[EXEC_MESSAGE]; /* the first of each; "": there was none */
};

/* One launch: the same for all its blocks. */
struct exec_launch {
    const struct ptx_kernel *kernel;
    struct gmem *gmem;
    const uint8_t *params; /* kernel->param_bytes */
    uint32_t grid[3], block[3], offset[3], work_dim;
    uint32_t shared_bytes; /* static and dynamic, of one block */
    uint64_t number;       /* among all launches */
};

/* Where there is only one clock. */
extern const struct clocks exec_one_clock;

/* The SM that a block is on: which of how many, and its clock. */
struct exec_sm {
    const uint64_t *clock; /* cycle, or instructions where there is no time */
    const struct clocks *clocks;
    uint32_t number, count, mhz; /* of the fixed clock */
};

/* Accesses of global memory that are put off. SMs run ahead of each other (tb/mem/memory.h), so
 * what one stores must not be seen by the others before all have come as far: stores and atomics
 * are kept here with their operands, and so are loads that may read what this SM has stored
 * meanwhile. The registers that they write stay pending for longer than that, so nobody reads them
 * too early.
 */
struct exec_later {
    struct exec_postponed *entries; /* in order */
    uint32_t count, places;
    uint64_t lines; /* stored to: bit (line address / 128) modulo 64 */
    const struct exec_postponed *performing;
};

#define EXEC_BARRIERS 16

/* One of a block's barriers. */
struct exec_barrier {
    uint32_t phase;       /* how often it has opened */
    uint32_t arrived;     /* warps, in this phase */
    uint32_t expected;    /* warps that it opens for; 0: all that have not ended */
    uint32_t voters, yes; /* bar.red: threads, and those with a true predicate */
};

/* One resident thread block. `shared` holds launch->shared_bytes. `later`: where its accesses of
 * global memory are put off, or NULL: they happen at once. `tolerated`: or NULL, each access outside the buffers is a fault. `sm`: or NULL, then
 * there is one, and its clock stands. */
struct exec_block {
    struct exec_later *later;
    struct exec_tolerated *tolerated;
    const struct exec_sm *sm;
    const struct exec_launch *launch;
    uint32_t ctaid[3];
    uint8_t *shared;
    struct exec_barrier barriers[EXEC_BARRIERS]; /* zeros when the block starts */
};

/* A path: of the code that `calls` calls lead to, which have not returned. */
struct exec_stack_entry {
    uint32_t pc, reconverge, mask, calls;
};

/* One resident warp. Memory at `regs` and `local` is the owner's (exec_warp_bytes,
 * exec_local_bytes), 64-byte aligned. */
struct exec_warp {
    /* What every instruction needs: two of the host's lines, if the stack is not deep. */
    _Alignas(64) const uint8_t *base[2]; /* [0] = regs, [1] = kernel constants: see uop.h */
    uint8_t *regs;
    const struct ptx_kernel *kernel;
    uint32_t pc;      /* of the next instruction: kernel->num_uops when finished */
    uint32_t active;  /* lanes that execute it; 0 when finished */
    uint32_t exited;  /* lanes that have returned */
    uint32_t stepped; /* lanes that the last instruction was executed in: active, not guarded off */
    uint32_t depth;   /* entries on the stack */
    uint32_t room;    /* for so many */
    struct exec_stack_entry *stack; /* `own`, or where that became too small: exec_warp_free */
    struct exec_fault *fault;
    struct exec_block *block;
    struct exec_stack_entry own[EXEC_STACK_OWN];
    struct gmem_range range; /* last global range hit; valid while range_epoch is the memory's */
    uint64_t range_epoch;
    uint8_t *local; /* 32 * kernel->local_bytes, lane after lane; NULL if none */
    uint32_t warp_in_block;
    uint32_t barrier, phase, waiting; /* where it waits, since when, and its lanes */
    const struct uop *waits;          /* bar.red whose result is due, or NULL */
};

/* What a memory instruction touched, for the timing model. Filled for CLASS_GMEM and CLASS_STCMEM
 * only. Generic accesses come with the space they resolved to (of the first lane; lanes that differ
 * are a fault). */
struct exec_access {
    uint8_t space; /* enum ptx_space, never GENERIC */
    uint8_t is_store, is_atomic;
    uint8_t bytes; /* of one lane: element size * vec */
    uint32_t mask; /* lanes that access */
    uint64_t address[WARP_LANES];
};

enum exec_status {
    EXEC_NEXT,    /* went on */
    EXEC_BRANCH,  /* a branch (taken or not), or reconvergence that changed the PC: the next PC was
                     not sequential-known */
    EXEC_BARRIER, /* the warp waits until exec_barrier_passed; pc already points past the bar */
    EXEC_DONE,    /* all lanes have returned */
    EXEC_FAULT    /* see warp->fault */
};

uint64_t exec_warp_bytes(const struct ptx_kernel *);  /* of warp->regs */
uint64_t exec_local_bytes(const struct ptx_kernel *); /* of warp->local, may be 0 */

/* Binds uop.run of every instruction. A kernel with a form that cannot be executed becomes a
 * refused one (ptx_kernel.refused). Returns 0, or -1 where that leaves no kernel, with *error
 * naming the form. Call once after ptx_parse, before any launch. */
int exec_bind(const struct ptx_module *, struct ptx_error *error);

/* ptx_read, of a module that is bound; so is the kernel. */
int exec_read(struct ptx_module *, struct ptx_kernel *);

/* ptx_limit, of a kernel that is bound; so is the result. */
const struct ptx_kernel *exec_limit(const struct ptx_kernel *, uint32_t registers,
                                    struct ptx_error *error);

/* Makes *w the `warp_in_block`-th warp of `block` (threads are numbered x first), with registers
 * zeroed and special registers set; lanes past the block's last thread are inactive. w->regs and
 * w->local must be set. *w must be a warp that was started before, or all zeros. */
void exec_warp_start(struct exec_warp *w, struct exec_block *block, uint32_t warp_in_block,
                     struct exec_fault *fault);

/* Frees what a warp has taken for a deep stack. */
void exec_warp_free(struct exec_warp *w);

/* Executes the instruction at w->pc for its active lanes and moves w->pc. *access is filled for
 * memory instructions (mask 0: guarded off). */
enum exec_status exec_step(struct exec_warp *w, struct exec_access *access);

/* Makes room for `places` accesses. Returns 0, or -1: no memory. */
int exec_later_init(struct exec_later *, uint32_t places);
void exec_later_free(struct exec_later *);

/* Performs what was put off. A fault is raised at its warp. */
void exec_later_perform(struct exec_later *);

/* Opens the block's barriers that all their warps have reached; `unfinished` warps have not ended.
 * To be called when a warp has come to a barrier (EXEC_BARRIER) or has ended. */
void exec_barrier_settle(struct exec_block *, uint32_t unfinished);

/* Whether the barrier that the warp came to has opened, or is one that it does not wait for
 * (bar.arrive). Then the warp may be stepped again. */
int exec_barrier_passed(struct exec_warp *);

/* Who looks on: told of each instruction that accesses global, local or generic memory, when it has
 * been executed. */
struct exec_watch {
    void *context;
    void (*accessed)(void *context, const struct exec_block *, uint32_t insn,
                     const struct exec_access *);
};

/* Who is told how far it is, often: blocks that have ended, those before the first one included, and instructions so far. */
struct exec_meter {
    void *context;
    int (*told)(void *context, uint64_t ended, uint64_t instructions); /* not 0: it is stopped */
    uint64_t most; /* instructions, after which it is stopped; 0: however many there are */
};

enum exec_end { EXEC_FAULTED = -1, EXEC_ENDED, EXEC_STOPPED };

/* Executes the blocks of a launch from number `first` (x fastest) to the last, one after the other,
 * without time; barriers are honoured. Returns how it ended; EXEC_FAULTED with the reason in *fault. *instructions
 * counts warp instructions. `watch`, `meter` and `tolerated` may be NULL. */
enum exec_end exec_run(const struct exec_launch *launch, uint64_t first,
                       const struct exec_watch *watch, const struct exec_meter *meter,
                       struct exec_tolerated *tolerated, struct exec_fault *fault,
                       uint64_t *instructions);

#endif
