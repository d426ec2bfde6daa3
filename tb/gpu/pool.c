/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/pool.c: see pool.h.
 *
 * Pieces are taken from a counter. A round of work is short (tens of microseconds), so a thread
 * that waits for the next one looks for it a while before it sleeps. `ticket` holds the round, how
 * many pieces it has and which is next in one word, so that a thread that wakes late cannot take a
 * piece of the next round under the old round's orders. */
#include "tb/gpu/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define LOOKS      20000 /* before sleeping: about the length of a round */
#define PIECE_BITS 16
#define PIECE_MASK ((1u << PIECE_BITS) - 1)

struct pool {
    pthread_t *threads;
    unsigned num_threads; /* besides the caller's */
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    _Atomic uint64_t ticket; /* round, pieces, next piece */
    _Atomic unsigned left;   /* pieces that are not finished */
    _Atomic unsigned sleepers;
    _Atomic int stop;
    void (*work)(void *, unsigned);
    void *context;
};

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static uint64_t round_of(uint64_t ticket)
{
    return ticket >> 2 * PIECE_BITS;
}

/* Works on pieces of the round until none is left. */
static void take_pieces(struct pool *p, uint64_t round)
{
    uint64_t ticket = atomic_load(&p->ticket);
    while (round_of(ticket) == round) {
        const unsigned piece = ticket & PIECE_MASK;
        if (piece >= (ticket >> PIECE_BITS & PIECE_MASK))
            return;
        if (!atomic_compare_exchange_weak(&p->ticket, &ticket, ticket + 1))
            continue;
        p->work(p->context, piece);
        atomic_fetch_sub(&p->left, 1);
        ticket = atomic_load(&p->ticket);
    }
}

/* Waits until the round differs from `round`. Returns the new one, or `round`: the pool ends. */
static uint64_t next_round(struct pool *p, uint64_t round)
{
    for (unsigned i = 0; i < LOOKS; i++) {
        const uint64_t now = round_of(atomic_load(&p->ticket));
        if (now != round || atomic_load(&p->stop))
            return now;
        relax();
    }
    pthread_mutex_lock(&p->mutex);
    atomic_fetch_add(&p->sleepers, 1);
    while (round_of(atomic_load(&p->ticket)) == round && !atomic_load(&p->stop))
        pthread_cond_wait(&p->wake, &p->mutex);
    atomic_fetch_sub(&p->sleepers, 1);
    pthread_mutex_unlock(&p->mutex);
    return round_of(atomic_load(&p->ticket));
}

static void *serve(void *arg)
{
    struct pool *p = arg;
    uint64_t round = 0;
    for (;;) {
        const uint64_t next = next_round(p, round);
        if (next == round)
            return NULL;
        round = next;
        take_pieces(p, round);
    }
}

struct pool *pool_new(unsigned threads)
{
    struct pool *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->wake, NULL);
    p->threads = calloc(threads, sizeof *p->threads);
    for (unsigned i = 1; p->threads && i < threads; i++) {
        if (pthread_create(&p->threads[p->num_threads], NULL, serve, p)) {
            pool_free(p);
            return NULL;
        }
        p->num_threads++;
    }
    if (!p->threads) {
        pool_free(p);
        return NULL;
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
    for (unsigned i = 0; i < p->num_threads; i++)
        pthread_join(p->threads[i], NULL);
    pthread_mutex_destroy(&p->mutex);
    pthread_cond_destroy(&p->wake);
    free(p->threads);
    free(p);
}

void pool_run(struct pool *p, void (*work)(void *, unsigned), void *context, unsigned count)
{
    if (p->num_threads == 0) {
        for (unsigned i = 0; i < count; i++)
            work(context, i);
        return;
    }
    const uint64_t round = round_of(atomic_load(&p->ticket)) + 1;
    p->work = work;
    p->context = context;
    atomic_store(&p->left, count);
    atomic_store(&p->ticket, round << 2 * PIECE_BITS | (uint64_t)count << PIECE_BITS);
    if (atomic_load(&p->sleepers)) {
        pthread_mutex_lock(&p->mutex);
        pthread_cond_broadcast(&p->wake);
        pthread_mutex_unlock(&p->mutex);
    }
    take_pieces(p, round);
    while (atomic_load(&p->left))
        relax();
}
