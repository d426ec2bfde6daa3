/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/sm_state.h: the inside of an SM, shared by the stages of tb/sm and by nobody else, but for
 * tb/observe and tb/timeline, which only look.
 *
 * The hot loop asks "which warps can issue?" and must not look at each warp to know: every
 * condition is a mask with one bit per warp, kept up to date by the event that changes it (an
 * issue, a writeback, a fetch, a barrier). */
#ifndef HEDDLE_TB_SM_SM_STATE_H
#define HEDDLE_TB_SM_SM_STATE_H

#include "tb/mem/coalescer.h"
#include "tb/sm/cpi.h"
#include "tb/sm/delay_line.h"
#include "tb/sm/landmarks.h"
#include "tb/sm/observer.h"
#include "tb/sm/sm.h"
#include "tb/units/rack.h"

#define MAX_BLOCKS 64 /* sm.max_blocks in tb/config.def */

_Static_assert(COALESCE_LANES == WARP_LANES, "the coalescer takes a whole warp");

/* A resident thread block. `holds` are the reasons that keep it: unfinished warps and instructions
 * in flight. */
struct block {
    struct exec_block exec;
    struct sm_kernel *kernel; /* whose block it is */
    uint64_t linear_id, since;
    uint64_t warps[NUM_SCHEDULERS]; /* slots, per scheduler */
    uint32_t unfinished, holds;
    void *record; /* for sm.stream; NULL: it is not recorded */
};

/* Members stand below the stage that writes them, what is read in every cycle first. */
struct scheduler {
    uint32_t index;
    /* Something that its units see has changed, by whatever stage (issue_touch). Until then, and
     * until `wake`, the scheduler is not looked at; its cycles from `counted` on are counted then. */
    int changed;
    int always; /* rack.always, where it is read in every cycle */
    int turned_down; /* its units have turned down who is ready, and may not once anything has changed that they see */

    /* issue.c */
    uint64_t wake;       /* unless changed: the next cycle in which a warp may issue */
    uint64_t units_wake; /* rack.wake, where it is read in every cycle */
    uint64_t counted;
    uint64_t moved;   /* slots whose class of cpi.def may have changed since */
    uint64_t turn;    /* the cycle after its last turn */
    uint64_t sp_free; /* the SP pipeline takes an instruction from this cycle on */

    /* lsu.c, queues.c */
    uint64_t
        crowded; /* slots whose memory instructions have no room to wait in; ALL_WARPS: nobody's have */

    /* ibuffer.c: instruction fetch. */
    uint64_t wants_fetch; /* PC known, room in the buffer */
    uint64_t started;     /* slot started in this cycle: fetches from the next one on */
    uint64_t awaited;     /* the line of the next fetch is on its way */
    uint64_t came;        /* it has come: the fetch goes on without another access */

    /* What units see. block.c moves warps between occupied, running, at_barrier, done; issue.c sets
     * load, next_class, next_load, split, and, when it asks, ready, alloc and action; scoreboard.c clear and
     * blocked_by_load; ibuffer.c buffered and jumping; units.c, and issue.c when it asks, takes. */
    struct scheduler_view view;

    /* block.c: the warps' life. */
    uint32_t first_start, num_starts;
    uint8_t starts[NUM_WARPS];           /* ring of slots that wait for their start */
    uint8_t state[NUM_WARPS];            /* of warp_fsm */
    uint8_t block[NUM_WARPS];            /* index in sm.blocks */
    struct sm_kernel *kernel[NUM_WARPS]; /* whose block it is */
    struct exec_warp *warps;             /* executed by issue.c */
    uint8_t
        *pending[NUM_WARPS]; /* scoreboard.c: its kernel's `pending`, from its first register on */

    /* ibuffer.c */
    struct delay_line fetch, branch;
    uint32_t last_fetched;
    uint8_t in_buffer[NUM_WARPS],
        fetched[NUM_WARPS]; /* instructions there; those, and others on their way */
    /* Instructions fetched before the last flush are dropped when they arrive. */
    uint32_t flushes[NUM_WARPS];

    /* issue.c */
    struct delay_line sp;
    struct rack rack;
    struct controls
        controls; /* of the last cycle in which it was looked at; grant: of the last one */
    const struct uop *next[NUM_WARPS];
    struct cpi_counters cpi;
};

/* An instruction in the load/store unit. */
struct lsu_entry {
    uint64_t issued; /* cycle */
    uint32_t uop;
    uint16_t warp;   /* number in the SM */
    uint8_t pollute; /* if it is a load that misses, it reserves lines of L1D */
    struct exec_access access;
};

/* A load or atomic that waits for `lines` lines, or a free entry. */
struct lsu_load {
    uint32_t warp, uop, lines, next_free;
    int constant;   /* from the constant cache */
    uint64_t since; /* the cycle in which it came to the queue's head */
};

/* Instructions that are served in their order. The first is the head. */
struct lsu_queue {
    struct lsu_entry *entries; /* ring, of one place more than it holds */
    uint32_t first, count;
    int open;           /* the head has begun */
    struct l1 *stalled; /* the cache where the head's last access failed, by `cause`; or NULL */
    int retry;          /* something has come since, so that it may succeed now */
    enum l1_failure cause;
    uint64_t failed;          /* in this cycle */
    uint32_t next_line, load; /* load: the head's entry in loads */
    int found;                /* the head's lines are in `lines`; it accesses next_line next */
    struct line_list lines;
};

struct lsu {
    struct lsu_queue
        queues[NUM_KERNELS]; /* of each kernel, if they are apart; else all is in the first */
    uint64_t apart;          /* all ones if so (struct socket, queue); else 0 */
    uint32_t count, places;  /* instructions in all queues; room in each */
    uint64_t free;           /* it works from this cycle on: passes of the accesses before */
    struct delay_line shared, constant, hit;
    struct lsu_load *loads;
    uint32_t num_loads, first_free_load;
    uint32_t first_l1c_tag, num_l1c_tags; /* all others are L1D's, but L1I's */
    uint32_t first_l1i_tag, num_l1i_tags;
    uint64_t interval; /* of lines to L1D */
};

/* A block that comes in this cycle. */
struct placement {
    uint64_t cycle, linear_id;
    uint32_t ctaid[3];
    uint32_t kernel; /* whose block it is */
    void *record;    /* as in struct block */
};

/* What the GPU's units steer from this cycle on. */
struct steering {
    uint64_t cycle, vital, polluters;
    int counts;
};

/* Memory that is kept from kernel to kernel and only grows. */
struct region {
    uint8_t *bytes;
    uint64_t size;
};

#define ALIGNMENT 64 /* of register, local and shared memory blocks: exec.h */
static inline uint64_t aligned(uint64_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}
/* One of its aligned pieces of so many bytes. */
static inline uint8_t *region_piece(const struct region *r, uint64_t number, uint64_t bytes)
{
    return r->bytes + number * aligned(bytes);
}

/* A kernel that runs here, or none. */
struct sm_kernel {
    const struct exec_launch *launch; /* NULL: none */
    const struct landmark *landmarks; /* by instruction, or NULL */
    struct sm_shape shape;
    uint32_t resident;           /* blocks that have come and not ended */
    uint64_t ended;              /* the cycle after the one in which its last block ended */
    uint64_t tail;               /* the cycle in which its last block was handed out, or NEVER */
    struct sm_counters counters; /* of what its warps do */
    uint8_t
        *pending; /* scoreboard: PENDING and PENDING_LOAD of each register of each warp number */
    struct region pending_memory;
    struct region registers, local, shared; /* of all slots and contexts, one after the other */
    struct exec_tolerated tolerated;
};

/* What every step and every window reads comes first. */
struct sm {
    uint64_t wake;     /* the next cycle in which there is work, as far as it is known */
    uint64_t own_wake; /* the same, its units left aside */
    /* Unless a scheduler is stirred: the next cycle in which their stages, or their units, have something to do. */
    uint64_t stages_next, units_next;
    uint64_t stepped;     /* cycles before this one are accounted for */
    uint64_t coming;      /* the next cycle in which a block comes, or the GPU's units steer */
    uint64_t telling;     /* the earlier of last_block and told_memory */
    uint64_t last_issue;  /* the last cycle in which a warp issued */
    uint64_t last_block;  /* the cycle of the event of that name; NEVER: told or still to come */
    uint64_t told_memory; /* the same of gpu_memory */
    struct listener listener;
    const struct listener *guests; /* that hear too and steer nothing (sm_listen) */
    uint32_t first_placement, num_placements;
    uint32_t first_steering, num_steerings;
    struct placement *placements; /* ring of blocks to place, in order of their cycles */
    struct memory *memory;
    const uint64_t *reply_next;  /* memory_next of its port */
    struct l1 *l1d, *l1c, *l1i;  /* l1i: NULL: every fetch hits */
    uint64_t sfu_free, mem_free; /* as sp_free */
    uint64_t in_flight;          /* memory instructions issued and not completed */
    uint64_t touched;            /* mask over blocks: to be settled in this cycle */
    unsigned index;
    unsigned first_scheduler; /* evaluated first, and so wins SFU and MEM */
    struct delay_line sfu;
    struct rack rack; /* of the SM itself */
    struct lsu lsu;
    const struct loop_classes *classes; /* of its loops, or NULL */
    const struct told_pairs *told;      /* of the launch, or NULL */
    const struct stream *stream;        /* what records, or NULL */
    struct sm_view view;
    struct controls own[NUM_SCHEDULERS];      /* what the rack steers, from the next cycle on */
    struct controls controls[NUM_SCHEDULERS]; /* the same, with what the GPU's units steer */
    struct steering steered;                  /* by those, now */
    struct steering *steerings;               /* ring: later, in order of their cycles */
    uint32_t most_steerings;
    uint64_t counted; /* instructions before it began to count or, if it does not, while it did */
    struct scheduler schedulers[NUM_SCHEDULERS];
    const struct sm_observer *observer; /* what looks on, or NULL */
    struct event_list events;           /* of this window, for the GPU's units */
    uint32_t gpu_hears;                 /* which those are to hear */
    struct exec_sm exec; /* what a warp sees of it: last_issue is the cycle in which it issues */
    struct exec_later later;
    struct sm_kernel kernels[NUM_KERNELS];
    struct block blocks[MAX_BLOCKS];
    struct sm_replies replies;
    struct gpu_memory gpu_memory; /* as it is to be told next, or was last */
    struct sm_counters
        counters; /* of what is no kernel's (outcomes, found, withheld), and of kernels that have left */
    uint64_t edges[NUM_WARP_EDGES]; /* of warp_fsm */
    struct exec_fault fault;
    struct unit_inst *mismatch;
    int cpi_active;                  /* cpi.overlap = active */
    struct exec_tolerated tolerated; /* as a kernel begins */
    int alternate;                   /* sched.alternate */
    struct exec_access no_access;    /* what instructions that go to no memory leave */
    uint32_t buffer_entries, line_bytes, const_line_bytes, code_line_bytes, shared_banks;
    uint64_t sp_interval, sfu_interval, mem_interval;
};

/* The mask with the slot's bit as `on` says, which is 0 or 1. Without a branch: nothing foretells what warps do. */
static inline uint64_t with_slot(uint64_t mask, unsigned slot, int on)
{
    return (mask & ~(UINT64_C(1) << slot)) | (uint64_t)on << slot;
}

/* The kernel of the warp in a slot. */
static inline struct sm_kernel *kernel_of(const struct scheduler *sc, unsigned slot)
{
    return sc->kernel[slot];
}
/* The same, by the warp's number. */
static inline struct sm_kernel *kernel_of_warp(const struct sm *sm, unsigned warp)
{
    return kernel_of(&sm->schedulers[warp / NUM_WARPS], warp % NUM_WARPS);
}

/* scoreboard.c */
#define PENDING      1 /* a result is on its way */
#define PENDING_LOAD 2 /* from global or local memory */
void scoreboard_issue(const struct scheduler *, unsigned slot, const struct uop *, int from_memory);
void scoreboard_release(struct sm *, struct scheduler *, unsigned slot, const struct uop *);
/* Sets the masks that depend on the next instruction: clear, blocked_by_load. */
void scoreboard_check(struct scheduler *, unsigned slot);

/* ibuffer.c */
void ibuffer_arrive(struct sm *, struct scheduler *, uint64_t cycle);
void ibuffer_fetch(struct sm *, struct scheduler *, uint64_t cycle);
/* The reply to a fetch, with this tag, has come. */
void ibuffer_fill(struct sm *, uint32_t tag, uint64_t cycle);
void ibuffer_start(struct scheduler *, unsigned slot);
/* The warp issued: one instruction leaves; after a jump everything behind it goes and the PC is
 * known branch_latency later. */
void ibuffer_issue(struct sm *, struct scheduler *, unsigned slot, int jumped, uint64_t cycle);
void ibuffer_stop(struct scheduler *, unsigned slot);

/* account.c: the class of slots that have moved, from the cycle `counted` on. */
void account_moved(const struct sm *, struct scheduler *);

/* issue.c */
enum sm_status issue_step(struct sm *, struct scheduler *, uint64_t cycle);
/* Counts the cycles from `counted` to `until` - 1, in which nothing was granted or changed. */
void issue_count(struct sm *, struct scheduler *, uint64_t until);
static inline void issue_count_idle(struct sm *sm, struct scheduler *sc, uint64_t until)
{
    if (sc->counted < until)
        issue_count(sm, sc, until);
}
/* A bit for each class whose pipeline takes an instruction in this cycle. */
uint64_t issue_takes(const struct sm *, const struct scheduler *, uint64_t cycle);
/* The first cycle in which the scheduler has not had its turn. */
static inline uint64_t issue_turn(const struct sm *sm, const struct scheduler *sc)
{
    return sc->turn < sm->stepped ? sm->stepped - 1 : sc->turn;
}
/* Slots are about to change; they may be of another class of cpi.def then. Their scheduler is looked at only if one of them can issue
 * after it (issue_stir), if its units see every cycle, or if they have turned down who is ready. */
static inline void issue_move(struct sm *sm, struct scheduler *sc, uint64_t slots)
{
    issue_count_idle(sm, sc, issue_turn(sm, sc));
    sc->changed |= sc->always | sc->turned_down;
    sc->moved |= slots;
}
/* The warps that nothing holds back but a pipeline. */
static inline uint64_t issuable(const struct scheduler *sc)
{
    return sc->view.running & sc->view.buffered & sc->view.clear;
}
/* These slots have changed. */
static inline void issue_stir(struct scheduler *sc, uint64_t slots)
{
    sc->changed |= (issuable(sc) & slots) != 0;
}
/* Something is about to change for which the scheduler is to be looked at in any case. */
static inline void issue_touch(struct sm *sm, struct scheduler *sc, uint64_t slots)
{
    issue_move(sm, sc, slots);
    sc->changed = 1;
}
static inline void issue_touch_all(struct sm *sm, uint64_t slots)
{
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        issue_touch(sm, &sm->schedulers[i], slots);
}
/* First cycle after `cycle` in which a warp that could issue finds its pipeline free. `turned_down`:
 * but not where one is ready now, and not in the next cycle if nothing else is ready then. */
uint64_t issue_next(const struct sm *, const struct scheduler *, uint64_t cycle, int turned_down);

/* lsu.c */
int lsu_init(struct sm *, const struct config *);
void lsu_free(struct lsu *);
void lsu_reset(struct lsu *);
/* The next cycle in which an access has its results, without a reply; and in which anything arrives. */
static inline uint64_t lsu_results(const struct lsu *l)
{
    uint64_t next = l->hit.next;
    next = l->shared.next < next ? l->shared.next : next;
    return l->constant.next < next ? l->constant.next : next;
}
static inline uint64_t lsu_due(const struct sm *sm)
{
    const uint64_t reply = *sm->reply_next, results = lsu_results(&sm->lsu);
    return reply < results ? reply : results;
}
void lsu_arrive(struct sm *, uint64_t cycle);
void lsu_step(struct sm *, uint64_t cycle);
uint64_t lsu_next(const struct sm *, uint64_t cycle);
/* The kernels have ended: accounts for all cycles before this one. */
void lsu_account(struct sm *, uint64_t cycle);
/* Where a kernel's instructions wait. */
static inline struct lsu_queue *lsu_queue(struct lsu *l, const struct sm *sm,
                                          const struct sm_kernel *k)
{
    return &l->queues[(uint64_t)(k - sm->kernels) & l->apart];
}
/* Where the next instruction is executed; lsu_push makes it part of the queue. One place more
 * than the queue holds, so that there always is one. */
static inline struct lsu_entry *lsu_place(const struct lsu *l, const struct lsu_queue *q)
{
    const uint32_t place = q->first + q->count;
    return &q->entries[place > l->places ? place - l->places - 1 : place];
}
void lsu_push(struct sm *, struct lsu_queue *, uint64_t cycle);
/* Of a head: finds its lines, if it goes to a cache. Where it goes: enum memory_path. */
void lsu_find_lines(const struct sm *, struct lsu_queue *);
enum memory_path lsu_path(const struct exec_access *);

/* queues.c: where memory instructions of kernels wait apart. */
/* What units see of the heads at the end of a cycle. */
void queues_see(struct sm *, uint64_t cycle);
/* Whose memory instructions have no room: what units say, or a block of a scheduler, has changed. */
void queues_crowd(struct sm *, struct scheduler *);
/* The queue that is served in this cycle, or NULL: none. */
struct lsu_queue *queues_served(struct sm *, uint64_t cycle);
/* The next cycle in which the load/store unit has something to do, or what units see of it changes. */
uint64_t queues_next(const struct sm *, uint64_t cycle);
/* A queue holds more than there is room for. */
void queues_overflow(struct sm *, const struct lsu_queue *, uint64_t cycle);

/* units.c */
/* Plugs the units in. Returns 0, or -1: no memory. */
int units_open(struct sm *, const struct config *, const struct plan *, enum unit_backend);
/* The end of a cycle: asks the SM's own units. What they steer changes for the schedulers, each of
 * which must know before it does. */
enum sm_status units_step(struct sm *, uint64_t cycle);
/* The GPU's units steer anew in this cycle; the kernel has ended, and they do not any more. */
void units_steered(struct sm *, uint64_t cycle);
void units_end(struct sm *);

/* block.c */
/* Places a block; its warps are started one per scheduler and cycle, from this cycle on. */
void block_place(struct sm *, const struct placement *, uint64_t cycle);
void block_start_warp(struct sm *, struct scheduler *, unsigned slot, uint64_t cycle);
void block_warp_waits(struct sm *, struct scheduler *, unsigned slot, uint64_t cycle);
void block_warp_ends(struct sm *, struct scheduler *, unsigned slot, uint64_t cycle);
/* Opens full barriers and frees ended blocks among the touched ones. */
void block_settle(struct sm *, uint64_t cycle);

/* An instruction has written its results or left the load/store unit. */
void sm_complete(struct sm *, unsigned warp, uint32_t uop, uint64_t cycle);

#endif
