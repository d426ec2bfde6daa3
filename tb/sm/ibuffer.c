/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/ibuffer.c: instruction fetch and the instruction buffers (thesis 6.3: two entries per warp).
 *
 * Each scheduler begins one fetch per cycle, for the next warp, in round-robin order of slots, that
 * has room and a known PC; the instruction is in the buffer sm.fetch_latency cycles later. Fetch is
 * sequential; when a warp issues a branch, what it has buffered and on its way is dropped, and the
 * PC is known again sm.branch_latency cycles later. The instruction cache always hits. Instructions
 * execute at issue, so buffers need no contents: they are counts. */
#include "tb/sm/sm_state.h"

static void want(const struct sm *sm, struct scheduler *sc, unsigned slot)
{
    if ((uint32_t)sc->in_buffer[slot] + sc->in_flight[slot] < sm->buffer_entries)
        sc->wants_fetch |= UINT64_C(1) << slot;
    else
        sc->wants_fetch &= ~(UINT64_C(1) << slot);
}

void ibuffer_arrive(struct sm *sm, struct scheduler *sc, uint64_t cycle)
{
    struct delay_entry e;
    while (delay_pop(&sc->branch, cycle, &e)) {
        issue_touch(sm, sc);
        sc->jumping &= ~(UINT64_C(1) << e.what);
        want(sm, sc, e.what);
    }
    while (delay_pop(&sc->fetch, cycle, &e))
        if (e.detail == sc->flushes[e.what]) {
            issue_touch(sm, sc);
            sc->in_flight[e.what]--;
            sc->in_buffer[e.what]++;
            sc->buffered |= UINT64_C(1) << e.what;
        }
}

void ibuffer_fetch(struct sm *sm, struct scheduler *sc, uint64_t cycle)
{
    if (sc->wants_fetch) {
        uint64_t after = sc->wants_fetch & ~((UINT64_C(2) << sc->last_fetched) - 1);
        unsigned slot = (unsigned)__builtin_ctzll(after ? after : sc->wants_fetch);
        sc->last_fetched = slot;
        sc->in_flight[slot]++;
        delay_push(&sc->fetch, cycle, slot, sc->flushes[slot]);
        want(sm, sc, slot);
    }
    sc->wants_fetch |= sc->started;
    sc->started = 0;
}

static void flush(struct scheduler *sc, unsigned slot)
{
    sc->flushes[slot]++;
    sc->in_buffer[slot] = sc->in_flight[slot] = 0;
    sc->buffered &= ~(UINT64_C(1) << slot);
    sc->wants_fetch &= ~(UINT64_C(1) << slot);
}

void ibuffer_start(struct scheduler *sc, unsigned slot)
{
    flush(sc, slot);
    sc->started |= UINT64_C(1) << slot;
}

void ibuffer_stop(struct scheduler *sc, unsigned slot)
{
    flush(sc, slot);
}

void ibuffer_issue(struct sm *sm, struct scheduler *sc, unsigned slot, int jumped, uint64_t cycle)
{
    if (jumped) {
        flush(sc, slot);
        sc->jumping |= UINT64_C(1) << slot;
        delay_push(&sc->branch, cycle, slot, 0);
        return;
    }
    if (--sc->in_buffer[slot] == 0)
        sc->buffered &= ~(UINT64_C(1) << slot);
    want(sm, sc, slot);
}
