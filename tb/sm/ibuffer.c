/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/ibuffer.c: instruction fetch and the instruction buffers (thesis 6.3: two entries per warp).
 *
 * Each scheduler begins one fetch per cycle, or as many as its units say, for the next warp, in
 * round-robin order of slots, that has room and a known PC; the instruction is in the buffer sm.fetch_latency cycles later. Fetch is
 * sequential; when a warp issues a branch, what it has buffered and on its way is dropped, and the
 * PC is known again sm.branch_latency cycles later. Instructions execute at issue, so buffers need no
 * contents: they are counts.
 *
 * With an instruction cache (l1i.sets) each fetch begins with an access to it. A warp whose line is
 * not there waits for the reply, then goes on in its turn; other warps fetch meanwhile. Where the
 * cache can reserve nothing the warp asks again. A warp that jumps waits no longer, but its line comes
 * into the cache all the same. */
#include "tb/sm/sm_state.h"

static void want(const struct sm *sm, struct scheduler *sc, unsigned slot)
{
    const int room = sc->fetched[slot] < sm->buffer_entries;
    sc->wants_fetch = with_slot(sc->wants_fetch, slot, room) & ~sc->awaited;
}

void ibuffer_arrive(struct sm *sm, struct scheduler *sc, uint64_t cycle)
{
    struct delay_entry e;
    while (delay_pop(&sc->branch, cycle, &e)) {
        const uint64_t bit = UINT64_C(1) << e.what;
        issue_move(sm, sc, bit);
        sc->view.jumping &= ~bit;
        want(sm, sc, e.what);
    }
    while (delay_pop(&sc->fetch, cycle, &e)) {
        /* Nobody sees more than that there is one. */
        if (e.detail != sc->flushes[e.what] || sc->in_buffer[e.what]++)
            continue;
        const uint64_t bit = UINT64_C(1) << e.what;
        issue_move(sm, sc, bit);
        sc->view.buffered |= bit;
        issue_stir(sc, bit);
    }
}

/* What L1I gives back with the line: the warp, and how often it has dropped its instructions, modulo
 * more than it can while a line is on its way. */
static uint32_t waiter(const struct scheduler *sc, unsigned slot)
{
    _Static_assert(NUM_SLOTS <= 256, "a warp's number has 8 bits");
    return sc->flushes[slot] << 8 | (sc->index * NUM_WARPS + slot);
}

/* Asks for the line of the warp's next instruction; behind the kernel's last one there is nothing, and
 * it is asked for instead. Returns whether the fetch goes on in this cycle. */
static int access_line(struct sm *sm, struct scheduler *sc, unsigned slot, uint64_t cycle)
{
    const uint64_t bit = UINT64_C(1) << slot;
    if (sc->came & bit) {
        sc->came &= ~bit;
        return 1;
    }
    const struct sm_kernel *k = kernel_of(sc, slot);
    const uint32_t next = sc->warps[slot].pc + sc->fetched[slot],
                   last = k->launch->kernel->num_uops - 1, pc = next < last ? next : last;
    const uint64_t address = k->shape.code + (uint64_t)pc * INSTRUCTION_BYTES,
                   line = address & ~(uint64_t)(sm->code_line_bytes - 1);
    const struct l1_user user = {sc->index * NUM_WARPS + slot, pc, waiter(sc, slot)};
    enum l1_failure cause;
    const uint8_t sectors = 0; /* a miss brings the whole line */
    switch (l1_load(sm->l1i, cycle, line, sectors, &user, 1, &cause)) {
    case L1_HIT: tell(&sm->listener, cycle, fetch, .warp = user.warp, .hit = 1); return 1;
    case L1_FAILED: return 0;
    default:
        tell(&sm->listener, cycle, fetch, .warp = user.warp, .hit = 0);
        sc->awaited |= bit;
        sc->wants_fetch &= ~bit;
        return 0;
    }
}

void ibuffer_fill(struct sm *sm, uint32_t tag, uint64_t cycle)
{
    const uint64_t *waiters;
    const uint32_t count = l1_fill(sm->l1i, cycle, tag, &waiters);
    for (uint32_t i = 0; i < count; i++) {
        const unsigned warp = waiters[i] & 0xff, slot = warp % NUM_WARPS;
        struct scheduler *sc = &sm->schedulers[warp / NUM_WARPS];
        if (waiters[i] != waiter(sc, slot))
            continue;
        sc->awaited &= ~(UINT64_C(1) << slot);
        sc->came |= UINT64_C(1) << slot;
        want(sm, sc, slot);
    }
}

/* Of the warps that want it the next one begins a fetch. */
static inline void fetch_next(struct sm *sm, struct scheduler *sc, uint64_t cycle)
{
    uint64_t after = sc->wants_fetch & ~((UINT64_C(2) << sc->last_fetched) - 1);
    unsigned slot = (unsigned)__builtin_ctzll(after ? after : sc->wants_fetch);
    sc->last_fetched = slot;
    if (!sm->l1i || access_line(sm, sc, slot, cycle)) {
        sc->fetched[slot]++;
        delay_push(&sc->fetch, cycle, slot, sc->flushes[slot]);
        want(sm, sc, slot);
    }
}

/* What a wider front end fetches behind the first. */
__attribute__((noinline)) static void fetch_more(struct sm *sm, struct scheduler *sc,
                                                 uint64_t cycle)
{
    for (uint64_t left = sc->controls.fetches; --left && sc->wants_fetch;)
        fetch_next(sm, sc, cycle);
}

void ibuffer_fetch(struct sm *sm, struct scheduler *sc, uint64_t cycle)
{
    if (sc->wants_fetch) {
        fetch_next(sm, sc, cycle);
        if (sc->controls.fetches != NO_CHOICE)
            fetch_more(sm, sc, cycle);
    }
    sc->wants_fetch |= sc->started;
    sc->started = 0;
}

static void flush(struct scheduler *sc, unsigned slot)
{
    sc->flushes[slot]++;
    sc->in_buffer[slot] = sc->fetched[slot] = 0;
    sc->view.buffered &= ~(UINT64_C(1) << slot);
    sc->wants_fetch &= ~(UINT64_C(1) << slot);
    sc->awaited &= ~(UINT64_C(1) << slot);
    sc->came &= ~(UINT64_C(1) << slot);
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
        sc->view.jumping |= UINT64_C(1) << slot;
        delay_push(&sc->branch, cycle, slot, 0);
        return;
    }
    sc->fetched[slot]--;
    if (--sc->in_buffer[slot] == 0)
        sc->view.buffered &= ~(UINT64_C(1) << slot);
    want(sm, sc, slot);
}
