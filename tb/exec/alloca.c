/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/alloca.c: memory of run-time size on a thread's stack: from its end downward, as far as the frame
 * of the function that the thread is in (tb/ptx/decode/alloca.c). */
#include <inttypes.h>

#include "tb/exec/fault.h"
#include "tb/exec/op.h"

/* Where a frame ends, in the lane's local memory. */
static uint64_t frame_end(const struct exec_warp *w, const struct uop *u, int lane)
{
    return ((const lane32 *)exec_source(w, u->src[2]))[lane] + (uint64_t)u->offset;
}

/* Takes `bytes` from the memory before *allocated. Returns 0: there are not so many. */
static int take(struct exec_warp *w, const struct uop *u, int lane, uint64_t bytes,
                lane32 *allocated)
{
    const uint64_t least = frame_end(w, u, lane), most = *allocated;
    const uint64_t left = most > least ? most - least : 0;
    const uint64_t at = (most - bytes) >> u->mod << u->mod;
    if (bytes > left || at < least) {
        exec_fault(w, lane,
                   "the call stack of a thread is full: alloca needs %" PRIu64
                   " bytes at a multiple of %u; %" PRIu64 " of %u are left (gpu.stack gives more)",
                   bytes, 1u << u->mod, left, w->kernel->stack_bytes);
        return 0;
    }
    *allocated = (uint32_t)at;
    return 1;
}

#define ALLOCA(T)                                                                                  \
    static void ALLOCA_##T(OP_ARGUMENTS)                                                           \
    {                                                                                              \
        const slot_##T *const bytes = exec_source(w, u->src[0]);                                   \
        slot_##T *const d = exec_target(w, u->dst[0]);                                             \
        lane32 *const allocated = exec_target(w, u->dst[1]);                                       \
        FOR_ACTIVE(mask, i)                                                                        \
        {                                                                                          \
            if (!take(w, u, i, bytes[i], &allocated[i])) {                                         \
                return;                                                                            \
            }                                                                                      \
            d[i] = allocated[i];                                                                   \
        }                                                                                          \
    }
ALLOCA(B32)
ALLOCA(B64)

#define RESTORE(T)                                                                                 \
    static void RESTORE_##T(OP_ARGUMENTS)                                                          \
    {                                                                                              \
        const uint32_t end = w->kernel->local_bytes;                                               \
        const slot_##T *const saved = exec_source(w, u->src[0]);                                   \
        lane32 *const allocated = exec_target(w, u->dst[0]);                                       \
        FOR_ACTIVE(mask, i)                                                                        \
        {                                                                                          \
            const uint64_t least = frame_end(w, u, i);                                             \
            if (saved[i] < least || saved[i] > end) {                                              \
                exec_fault(w, i,                                                                   \
                           "0x%" PRIx64 " is outside the thread's stack [0x%" PRIx64               \
                           ", 0x%" PRIx32 "]; expected what stacksave has given",                  \
                           (uint64_t)saved[i], least, end);                                        \
                return;                                                                            \
            }                                                                                      \
            allocated[i] = (uint32_t)saved[i];                                                     \
        }                                                                                          \
    }
RESTORE(B32)
RESTORE(B64)

static const struct exec_form alloca_forms[] = {{U_ALLOCA, T_B32, ANY, ANY, 0, ALLOCA_B32},
                                                {U_ALLOCA, T_B64, ANY, ANY, 0, ALLOCA_B64},
                                                {U_STACKRESTORE, T_B32, ANY, ANY, 0, RESTORE_B32},
                                                {U_STACKRESTORE, T_B64, ANY, ANY, 0, RESTORE_B64}};
EXPORT_FORMS(exec_alloca, alloca_forms)
