/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/sm.h: one streaming multiprocessor: executes warps functionally at issue and times them.
 *
 * SMs run on their own for a window of cycles (see tb/mem/memory.h); what they store to global
 * memory becomes visible at its end, SM after SM.
 *
 * A cycle goes through the stages of tb/sm/sm.c: results and replies arrive; each scheduler's
 * arbiter grants a warp, or one for each pipeline, which executes; each scheduler fetches; the
 * load/store unit accesses one line; blocks are settled. */
#ifndef HEDDLE_TB_SM_SM_H
#define HEDDLE_TB_SM_SM_H

#include <stddef.h>
#include <stdint.h>

#include "cosim/unit.h"
#include "fsm/fsm.h"
#include "tb/config.h"
#include "tb/events.h"
#include "tb/exec/exec.h"
#include "tb/mem/l1.h"
#include "tb/mem/memory.h"
#include "tb/sm/cpi.h"
#include "tb/sm/stream.h"
#include "tb/units/rack.h"

/* The life of a warp slot: WARP_FREE and so on. */
#define FSM_PREFIX WARP
#define FSM_DEF    "fsm/warp.def"
#include "fsm/enum.h"
extern const struct fsm warp_fsm;

enum sm_outcome {
#define OUTCOME(name, meaning) OUTCOME_##name,
#include "tb/sm/sm.def"
    NUM_OUTCOMES
};

struct sm_counters {
#define COUNTER(name, meaning) uint64_t name;
#include "tb/sm/sm.def"
    uint64_t outcomes[NUM_OUTCOMES];
    struct found found;
    uint64_t instructions[NUM_ISSUE_CLASSES]; /* warp_instructions by class */
    uint64_t threads[NUM_ISSUE_CLASSES];      /* thread_instructions, which sm_end sums, by class */
    struct cpi_sums cpi;
};

enum sm_status {
    SM_OK,
    SM_FAULT,     /* sm_fault() says why */
    SM_NO_MEMORY, /* for the events that units are to hear */
    SM_MISMATCH,  /* sm_mismatch() is the instance whose lockstep found a difference */
    SM_WRONG      /* its observer has found something (tb/sm/observer.h) */
};

/* How a kernel occupies an SM, the same for every block: see tb/gpu/occupancy.h. */
struct sm_shape {
    uint32_t warps;    /* of a block */
    uint32_t blocks;   /* resident at once where it is alone, at least 1 */
    uint32_t slots;    /* of each scheduler, from the lowest on, that its warps may come into */
    uint32_t contexts; /* the same of thread-block contexts */
    uint32_t space;    /* number of the address space of its global memory, below 128 */
    uint64_t code;     /* address of its first instruction, a multiple of any line */
};

/* Sets `slots` and `contexts` for a kernel beside which no other runs. */
void sm_alone(struct sm_shape *);

/* The racks of an SM: of each scheduler, then its own. */
#define NUM_RACKS (NUM_SCHEDULERS + 1)

struct landmark;

struct sm;

/* The longest window: nothing an SM does is felt by another within it, and what it loads is not
 * used.
 */
uint64_t sm_window(const struct config *);

/* `plans` has NUM_SCOPES members (tb/units/policies.h). `gpu_hears` are the events that sm_events is
 * to have. NULL: no memory, or a unit cannot be made. */
struct sm *sm_new(const struct config *, unsigned index, struct memory *, const struct plan *plans,
                  uint32_t gpu_hears, enum unit_backend);
void sm_free(struct sm *);

/* Has a guest hear the events of the SM, too: one that is no unit and steers nothing. It must stay. */
void sm_listen(struct sm *, struct listener *guest);

/* Does anybody listen to `issue` or `access`, so that it must know the kernel's landmarks? */
int sm_wants_landmarks(const struct sm *);

/* Does one of its units look at the operands of instructions (tb/sm/operands.h)? */
int sm_wants_operands(const struct sm *);

/* What kernels execute from now on is recorded; NULL: it is not. Between kernels only. */
void sm_record(struct sm *, const struct stream *);

/* What a profile says of the loops of the kernel that is launched next; NULL: nothing is known. It must
 * stay until sm_end. */
void sm_classify(struct sm *, const struct loop_classes *);

/* What the inference engine is told of the launch that comes next; NULL: nothing is read. It must stay until sm_end. */
void sm_told(struct sm *, const struct told_pairs *);

/* What units see of the operands of the kernel that is launched next (tb/sm/operands.h); NULL: none looks at them. They must stay
 * until sm_end. */
void sm_show_operands(struct sm *, const struct operand_view *);

/* Prepares the SM for a kernel, the one of this number below NUM_KERNELS, that starts at `cycle`. If
 * no other runs, caches and counters are reset. `launch`, and `landmarks` (tb/sm/landmarks.h) unless
 * it is NULL, must stay until sm_end. Returns 0, or -1: no memory. */
int sm_launch(struct sm *, unsigned kernel, const struct exec_launch *launch,
              const struct sm_shape *, const struct landmark *landmarks, uint64_t cycle);

/* Does no kernel run? */
int sm_idle(const struct sm *);

/* Blocks resident or placed: of all kernels, and of one. */
unsigned sm_resident(const struct sm *);
unsigned sm_resident_of(const struct sm *, unsigned kernel);

/* Places a block of a kernel in `cycle`, which must not be before that of an earlier call; its warps
 * are started one per scheduler and cycle, from this cycle on. There must be room for it. */
void sm_place(struct sm *, unsigned kernel, const uint32_t ctaid[3], uint64_t linear_id,
              uint64_t cycle);

/* The GPU's units steer the SM from `cycle` on, which must not be before that of an earlier call: what
 * its schedulers' `vital` and `polluters` are where no unit of its own chooses, and whether it counts
 * what it issues. */
void sm_steer(struct sm *, uint64_t vital, uint64_t polluters, int counts, uint64_t cycle);

/* Loads and atomics that have come back since the kernel began, and how long they took, all together;
 * and memory instructions under way. */
struct sm_replies {
    uint64_t count, cycles;
};
struct sm_replies sm_replies(const struct sm *);
uint64_t sm_in_flight(const struct sm *);

/* What memory is like for all SMs, as known from `cycle` on: told as gpu_memory if it has changed. Wanted only
 * where something listens. */
struct gpu_memory {
    uint64_t latency, l2_missed, in_flight; /* as in tb/events.def */
};
int sm_wants_memory(const struct sm *);
void sm_tell_memory(struct sm *, const struct gpu_memory *, uint64_t cycle);

/* Instructions issued since it counts or, if it does not, while it did last. */
uint64_t sm_counted(const struct sm *);

/* The most warps of the kernel that a scheduler holds. */
uint64_t sm_warps(const struct sm *);

/* The last block of a kernel, or of all, is handed out in `cycle`, in which the SM has not been stepped yet. */
void sm_tail(struct sm *, unsigned kernel, uint64_t cycle);
void sm_last_block(struct sm *, uint64_t cycle);

/* One cycle. Cycles that are left out between steps are accounted for as if they had been stepped.
 */
enum sm_status sm_step(struct sm *, uint64_t cycle);

/* The next cycle in which the SM has something to do, as far as it is known in this window; with
 * sm_next_own its units left aside, which may move for ever. */
uint64_t sm_next(const struct sm *);
uint64_t sm_next_own(const struct sm *);

/* Steps all cycles before `until` in which there is something to do. */
enum sm_status sm_run(struct sm *, uint64_t until);

/* The events of the window that the GPU is to hear; the caller empties the list. */
struct event_list *sm_events(struct sm *);

/* The window has ended: performs the stores and atomics of global memory. Returns 0, or -1: a
 * fault.
 */
int sm_perform(struct sm *);

/* The cycle after the one in which the kernel's last block ended. */
uint64_t sm_ended(const struct sm *, unsigned kernel);

/* The first cycle that has not been stepped. */
uint64_t sm_stepped(const struct sm *);

/* The kernel, of which nothing is left here, has ended, while another runs. */
void sm_leave(struct sm *, unsigned kernel);

/* All kernels have ended or failed: accounts for all cycles before `cycle` and drops what is left of
 * them, and the launches. */
void sm_end(struct sm *, uint64_t cycle);

/* The last cycle in which a warp issued; 0 before the first. */
uint64_t sm_last_issue(const struct sm *);

/* Counts of what a kernel's warps have done; what is no kernel's (outcomes, found, withheld) is 0 there. And all, of all kernels. */
const struct sm_counters *sm_counters_of(const struct sm *, unsigned kernel);
struct sm_counters sm_counters(const struct sm *);

/* Of these what is asked for after every window: warp instructions issued, and those of the SP and SFU pipelines. */
struct sm_issues {
    uint64_t instructions, arithmetic;
};
struct sm_issues sm_issues(const struct sm *);
const struct l1_counters *sm_l1d_counters(const struct sm *);
const struct space_counters *sm_l1d_spaces(const struct sm *); /* MEMORY_SPACES */
const struct l1_counters *sm_l1c_counters(const struct sm *);
const struct l1_counters *sm_l1i_counters(const struct sm *); /* zeros where every fetch hits */
const uint64_t *sm_warp_edges(const struct sm *); /* how often each was taken: NUM_WARP_EDGES */
const char *sm_fault(const struct sm *);
struct exec_tolerated sm_tolerates(const struct config *); /* what passes; nothing has yet */
const struct exec_tolerated *sm_tolerated(const struct sm *, unsigned kernel); /* and has passed */
struct unit_inst *sm_mismatch(const struct sm *);
/* A waveform is to show the units: they are asked whenever a scheduler is looked at. */
void sm_watch(struct sm *);

/* The kernel has ended: the rack of the first unit that has not counted what the SM has (rack_audit), or NULL: there is none. */
struct rack *sm_audit(struct sm *, uint64_t cycle);

struct rack *sm_rack(struct sm *, unsigned rack); /* of NUM_RACKS */

/* What a waveform or a report shows of one scheduler; read between steps. */
struct sm_context {
    const char *kernels[NUM_KERNELS]; /* their names; NULL: none runs */
    struct {
        uint8_t state; /* of warp_fsm */
        uint32_t pc;   /* of the next instruction */
        uint32_t active;
        uint64_t block;   /* linear id */
        const char *text; /* PTX of the next instruction, or NULL: none */
    } warps[NUM_WARPS];
    uint64_t running;  /* state RUN */
    uint64_t buffered; /* next instruction is in the instruction buffer */
    uint64_t awaited;  /* next fetch waits for its line */
    uint64_t clear;    /* next instruction passes the scoreboard */
    uint64_t ready;    /* could issue in the last cycle */
    uint64_t granted;  /* did */
    uint64_t grant;    /* the first slot of those, or NO_CHOICE */
    int stepped;       /* the SM was stepped in the last cycle: it had something to do */
};

/* `cycle`: the last one. */
void sm_context(const struct sm *, unsigned scheduler, uint64_t cycle, struct sm_context *);

/* Where a warp that has not ended is, and what it waits for. */
struct sm_standing {
    const struct ptx_kernel *kernel;
    unsigned sm, scheduler, slot;
    uint64_t block; /* linear id */
    unsigned warp;  /* in its block */
    const char *state;
    int placed; /* it has a next instruction, at `pc` */
    uint32_t pc;
    char waits_for[96];
};

/* Of one of the NUM_SLOTS warp slots, scheduler after scheduler. Returns 1, or 0: it has none such. */
int sm_standing(const struct sm *, unsigned slot, struct sm_standing *);

#endif
