/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/gpu.h: the whole machine: memory, SMs, block dispatcher, statistics. What the OpenCL
 * driver talks to. */
#ifndef HEDDLE_TB_GPU_GPU_H
#define HEDDLE_TB_GPU_GPU_H

#include <stdint.h>
#include <stdio.h>

#include "tb/config.h"
#include "tb/mem/gmem.h"
#include "tb/ptx/ptx.h"

struct gpu;
struct notes;

/* Opens a machine. `c` must have passed config_check. `wave` is NULL or "FILE.fst[:FROM-TO]",
 * `stats` NULL or a file that gpu_close writes (and every fault). Returns NULL with the reason on
 * `err`. */
struct gpu *gpu_open(const struct config *c, const char *wave, const char *stats, FILE *err);

/* Records what later launches execute in `folder`, which is made or empty: tb/gpu/trace.h. The machine
 * must be one with timing. Returns 0, or -1 with the reason on `err`. */
int gpu_trace(struct gpu *, const char *folder, FILE *err);

/* Keeps the statistics of kernels that have ended in a file too, whose name is `path`, for who is to write them if this process
 * does not come to it (tb/gpu/kept.h). What goes wrong is said on `err`. */
void gpu_keep(struct gpu *, const char *path, FILE *err);

/* Who makes the statistics, for their member `host`. The notes stay the caller's until the machine is closed. */
void gpu_made_by(struct gpu *, const struct notes *);

/* Has kernels tell how far they are as often as on a terminal, although standard error is none (tb/gpu/progress.h). */
void gpu_progress(struct gpu *);

/* The host has written global memory: a trace says so. */
void gpu_copied(struct gpu *, uint64_t address, uint64_t bytes);

/* Has what one SM does over time written (tb/timeline), to a file that gpu_close completes. Call it after gpu_open. Returns 0, or -1
 * with the reason on `err`. */
struct timeline_choice;
int gpu_timeline(struct gpu *, const struct timeline_choice *, FILE *err);

/* Has the loads of all kernels profiled (tb/profile), for a file that gpu_close writes (and every
 * fault). To be called before the first kernel. Returns 0, or -1: no memory. */
int gpu_profile(struct gpu *, const char *path);

#define READS_UNIT     4 /* bytes of one reference to data, as in PAVER's table 2 */
#define READS_MAX_UNIT 4096

/* Has all launches analysed (tb/locality), in units of so many bytes (a power of
 * two), for a file that gpu_close writes,
 * too. `check`: blocks that are executed without time must read what was found; a launch of which one
 * does not is a fault. Returns 0, or -1: no memory. */
int gpu_reads(struct gpu *, const char *path, uint32_t unit, int check);

/* Writes the statistics (beside, then renamed), a profile, what is left of a trace, and frees the
 * machine. Returns 0, or -1: a file could not be written. */
int gpu_close(struct gpu *);

struct gmem *gpu_memory(struct gpu *);

struct gpu_launch {
    const struct ptx_kernel *kernel; /* bound by exec_bind */
    const uint8_t *params;           /* kernel->param_bytes */
    uint32_t grid[3], block[3];      /* blocks; threads of a block; all at least 1 */
    uint32_t offset[3], work_dim;    /* global offset, 1..3 */
    uint32_t
        dynamic_shared; /* bytes behind the static shared memory (from the next multiple of 16) */
    struct gmem *gmem;  /* its global memory; NULL: the machine's */
    uint32_t space; /* number of that, below 128: caches keep addresses of different ones apart */
};

#define GPU_MESSAGE_SIZE 8192
struct gpu_result {
    uint64_t start_cycle, end_cycle; /* of the SMs' clock, which runs on from kernel to kernel */
    char message[GPU_MESSAGE_SIZE];  /* why it failed */
};

enum gpu_status {
    GPU_OK,
    GPU_NO_FIT, /* the kernel does not fit an SM: message says which resource, needed and available
                 */
    GPU_FAULT,  /* out-of-bounds access and the like: kernel, PC, line, lane, address */
    GPU_DEADLOCK,   /* no progress: message holds the warp states */
    GPU_LIMIT,      /* run.max_cycles reached */
    GPU_MISMATCH,   /* lockstep found a difference: the report has been printed */
    GPU_STOPPED,    /* given up by gpu_stop */
    GPU_INTERRUPTED /* by gpu_interrupt: message holds the warp states */
};

/* Runs one kernel to its end. */
enum gpu_status gpu_launch(struct gpu *, const struct gpu_launch *, struct gpu_result *);

#define GPU_KERNELS 2 /* that can run at once */

/* How many kernels can run at once: GPU_KERNELS under a dispatching policy for several (kmu), else 1. */
unsigned gpu_kernels(const struct gpu *);

/* Begins a kernel, as the one of this number below GPU_KERNELS; none of this number must run. Others may, if the dispatching policy
 * is one for several kernels (kmu). What the launch points to, and the result, must stay until it has ended. Returns GPU_OK: it runs;
 * or why not. */
enum gpu_status gpu_begin(struct gpu *, unsigned number, const struct gpu_launch *,
                          struct gpu_result *);

/* Lets those that run go on until one has ended; *number is which. At least one must run. Returns how it ended. If that is not GPU_OK
 * all others have ended with it, with the same message. */
enum gpu_status gpu_advance(struct gpu *, unsigned *number);

/* Gives up all kernels that run. */
void gpu_stop(struct gpu *);

/* Has the kernels that run, or begin later, end with GPU_INTERRUPTED, soon. A signal handler may call it. */
void gpu_interrupt(struct gpu *);

/* After GPU_DEADLOCK, GPU_LIMIT, GPU_INTERRUPTED and GPU_MISMATCH of a kernel with timing: a line for each warp that had not ended, where it was and what it
 * waited for. Else NULL. The machine's, until its next kernel begins. */
const char *gpu_warps(const struct gpu *);

/* The kernel that runs, the first of two, and where its warps are, malloc'ed text of some lines; NULL: none runs. */
char *gpu_where(const struct gpu *);

/* Closes the waveform and the timeline, if there are any, before the machine is. Returns 0, or -1: one could not be written. */
int gpu_close_views(struct gpu *);

/* Cycles since the machine was opened: of the SMs' clock, and of the fixed one (tb/clocks.h), which is that of time. */
uint64_t gpu_cycle(const struct gpu *);
uint64_t gpu_fixed_cycle(const struct gpu *);

/* After GPU_MISMATCH: writes `directory`/<unit>.txt (report, history and the warps at its place), or observed.txt where an
 * observer has stopped the machine (tb/observe), and `directory`/mismatch ("unit cycle"). What cannot be written is reported on stderr. */
void gpu_save_mismatch(const struct gpu *, const char *directory);

/* True after any launch returned other than GPU_OK. */
int gpu_failed(const struct gpu *);

#endif
