/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/pool.c: see pool.h.
 *
 * Rounds follow each other within microseconds, so a thread that has done the pieces of a round
 * looks for the next one a while before it sleeps. A piece's data stays in the cache of the core
 * that worked on it last: so each thread has a share of its own, every n-th piece, and takes from
 * the shares of others, which may sleep or have lost their core, only when its own is done.
 *
 * A share's `ticket` holds the round, how many pieces it has and which is next in one word, so that
 * a thread that wakes late cannot take a piece of the next round under the old round's orders. */
#include "tb/gpu/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define LOOKS      4000 /* before sleeping: about a millisecond */
#define PAUSES     200  /* of these, before giving the core to others */
#define PIECE_BITS 16
#define PIECE_MASK ((1u << PIECE_BITS) - 1)
#define CACHE_LINE 64

struct share {
    _Alignas(CACHE_LINE) _Atomic uint64_t ticket; /* round, pieces, next piece */
    struct pool *pool;
    unsigned number;
    pthread_t thread;
};

struct pool {
    struct share *shares; /* the first is the caller's */
    unsigned num_shares;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    _Atomic unsigned left; /* pieces that are not finished */
    _Atomic unsigned sleepers;
    _Atomic int stop;
    void (*work)(void *, unsigned);
    void *context;
};

/* Waits a moment, the `look`-th time. Threads that wait for long may be waiting for one that has
 * lost its core. */
static void wait_a_moment(unsigned look)
{
    if (look >= PAUSES) {
        sched_yield();
        return;
    }
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static uint64_t round_of(uint64_t ticket)
{
    return ticket >> 2 * PIECE_BITS;
}

/* Works on a share's pieces of the round until none is left. */
static void take_pieces(struct pool *p, struct share *s, uint64_t round)
{
    uint64_t ticket = atomic_load(&s->ticket);
    while (round_of(ticket) == round) {
        const unsigned taken = ticket & PIECE_MASK;
        if (taken >= (ticket >> PIECE_BITS & PIECE_MASK))
            return;
        if (!atomic_compare_exchange_weak(&s->ticket, &ticket, ticket + 1))
            continue;
        p->work(p->context, s->number + taken * p->num_shares);
        atomic_fetch_sub(&p->left, 1);
        ticket = atomic_load(&s->ticket);
    }
}

/* Works on the thread's own share, then on the others'. */
static void work(struct pool *p, unsigned own, uint64_t round)
{
    for (unsigned i = 0; i < p->num_shares; i++)
        take_pieces(p, &p->shares[(own + i) % p->num_shares], round);
}

/* Waits until the round differs from `round`. Returns the new one, or `round`: the pool ends. */
static uint64_t next_round(struct pool *p, struct share *s, uint64_t round)
{
    for (unsigned i = 0; i < LOOKS; i++) {
        const uint64_t now = round_of(atomic_load(&s->ticket));
        if (now != round || atomic_load(&p->stop))
            return now;
        wait_a_moment(i);
    }
    pthread_mutex_lock(&p->mutex);
    atomic_fetch_add(&p->sleepers, 1);
    while (round_of(atomic_load(&s->ticket)) == round && !atomic_load(&p->stop))
        pthread_cond_wait(&p->wake, &p->mutex);
    atomic_fetch_sub(&p->sleepers, 1);
    pthread_mutex_unlock(&p->mutex);
    return round_of(atomic_load(&s->ticket));
}

static void *serve(void *arg)
{
    struct share *s = arg;
    uint64_t round = 0;
    for (;;) {
        const uint64_t next = next_round(s->pool, s, round);
        if (next == round)
            return NULL;
        round = next;
        work(s->pool, s->number, round);
    }
}

struct pool *pool_new(unsigned threads)
{
    struct pool *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->wake, NULL);
    p->shares = aligned_alloc(CACHE_LINE, threads * sizeof *p->shares);
    if (!p->shares) {
        pool_free(p);
        return NULL;
    }
    for (unsigned i = 0; i < threads; i++)
        p->shares[i] = (struct share){.pool = p, .number = i};
    for (p->num_shares = 1; p->num_shares < threads; p->num_shares++) {
        struct share *s = &p->shares[p->num_shares];
        if (pthread_create(&s->thread, NULL, serve, s)) {
            pool_free(p);
            return NULL;
        }
    }
    return p;
}

void pool_free(struct pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->mutex);
    atomic_store(&p->stop, 1);
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->mutex);
    for (unsigned i = 1; i < p->num_shares; i++)
        pthread_join(p->shares[i].thread, NULL);
    pthread_mutex_destroy(&p->mutex);
    pthread_cond_destroy(&p->wake);
    free(p->shares);
    free(p);
}

void pool_run(struct pool *p, void (*piece)(void *, unsigned), void *context, unsigned count)
{
    if (p->num_shares == 1) {
        for (unsigned i = 0; i < count; i++)
            piece(context, i);
        return;
    }
    const unsigned n = p->num_shares;
    const uint64_t round = round_of(atomic_load(&p->shares[0].ticket)) + 1;
    p->work = piece;
    p->context = context;
    atomic_store(&p->left, count);
    for (unsigned i = 0; i < n; i++) {
        const uint64_t pieces = count > i ? (count - i + n - 1) / n : 0;
        atomic_store(&p->shares[i].ticket, round << 2 * PIECE_BITS | pieces << PIECE_BITS);
    }
    if (atomic_load(&p->sleepers)) {
        pthread_mutex_lock(&p->mutex);
        pthread_cond_broadcast(&p->wake);
        pthread_mutex_unlock(&p->mutex);
    }
    work(p, 0, round);
    for (unsigned i = 0; atomic_load(&p->left); i++)
        wait_a_moment(i);
}
