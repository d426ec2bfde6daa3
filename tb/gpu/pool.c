/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/pool.c: see pool.h.
 *
 * Piece i belongs to thread i modulo their number, round after round, so that what it works on
 * stays in that thread's processor; who is done with its own pieces takes those of others. A round
 * is short (tens of microseconds), so a thread that waits for the next one looks for it a while
 * before it sleeps. Each thread's `ticket` holds the round and how many of its pieces are taken in
 * one word: who comes late cannot take a piece of the next round under the old round's orders. */
#include "tb/gpu/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define LOOKS      2000 /* before sleeping: a few rounds long */
#define CACHE_LINE 64
#define COUNT_BITS 16 /* pieces of a round */

struct share {
    _Alignas(CACHE_LINE) _Atomic uint64_t
        ticket; /* from the top: round, own pieces taken, count of all */
};

struct pool {
    struct share *shares;
    pthread_t *handles;
    unsigned num_threads, started; /* with the caller's; without */
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    void (*work)(void *, unsigned);
    void *context;
    _Alignas(CACHE_LINE) _Atomic uint64_t round;
    _Atomic unsigned sleepers;
    _Atomic int stop;
    _Alignas(CACHE_LINE) _Atomic unsigned left; /* pieces that are not finished */
};

struct start {
    struct pool *pool;
    unsigned number;
};

static uint64_t make_ticket(uint64_t round, uint64_t taken, uint64_t count)
{
    return (round << COUNT_BITS | taken) << COUNT_BITS | count;
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Works on the round's pieces of a share until none is left. Returns how many it did. */
static unsigned empty_share(struct pool *p, unsigned share, uint64_t round)
{
    unsigned done = 0;
    uint64_t ticket = atomic_load(&p->shares[share].ticket);
    while (ticket >> 2 * COUNT_BITS == (uint32_t)round) {
        const uint64_t taken = (uint16_t)(ticket >> COUNT_BITS), count = (uint16_t)ticket;
        const uint64_t piece = taken * p->num_threads + share;
        if (piece >= count)
            break;
        if (!atomic_compare_exchange_weak(&p->shares[share].ticket, &ticket,
                                          make_ticket(round, taken + 1, count)))
            continue;
        p->work(p->context, (unsigned)piece);
        done++;
        ticket = atomic_load(&p->shares[share].ticket);
    }
    return done;
}

static void take_pieces(struct pool *p, unsigned number, uint64_t round)
{
    for (unsigned i = 0; i < p->num_threads; i++) {
        const unsigned done = empty_share(p, (number + i) % p->num_threads, round);
        if (done)
            atomic_fetch_sub(&p->left, done);
    }
}

/* Waits until the round differs from `round`. Returns the new one, or `round`: the pool ends. */
static uint64_t next_round(struct pool *p, uint64_t round)
{
    for (unsigned i = 0; i < LOOKS; i++) {
        const uint64_t now = atomic_load(&p->round);
        if (now != round || atomic_load(&p->stop))
            return now;
        relax();
    }
    pthread_mutex_lock(&p->mutex);
    atomic_fetch_add(&p->sleepers, 1);
    while (atomic_load(&p->round) == round && !atomic_load(&p->stop))
        pthread_cond_wait(&p->wake, &p->mutex);
    atomic_fetch_sub(&p->sleepers, 1);
    pthread_mutex_unlock(&p->mutex);
    return atomic_load(&p->round);
}

static void *serve(void *arg)
{
    const struct start start = *(struct start *)arg;
    uint64_t round = 0, next;
    free(arg);
    while ((next = next_round(start.pool, round)) != round)
        take_pieces(start.pool, start.number, round = next);
    return NULL;
}

/* Returns 0, or -1: no memory, or the system gives no thread. */
static int start_thread(struct pool *p)
{
    struct start *start = malloc(sizeof *start);
    if (!start)
        return -1;
    *start = (struct start){p, p->started + 1};
    if (pthread_create(&p->handles[p->started], NULL, serve, start)) {
        free(start);
        return -1;
    }
    p->started++;
    return 0;
}

struct pool *pool_new(unsigned threads)
{
    struct pool *p = aligned_alloc(CACHE_LINE, sizeof *p);
    if (!p)
        return NULL;
    *p = (struct pool){.num_threads = threads};
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->wake, NULL);
    p->shares = aligned_alloc(CACHE_LINE, threads * sizeof *p->shares);
    p->handles = calloc(threads, sizeof *p->handles);
    int failed = !p->shares || !p->handles;
    for (unsigned i = 0; i < threads && !failed; i++)
        atomic_init(&p->shares[i].ticket, 0);
    for (unsigned i = 1; i < threads && !failed; i++)
        failed = start_thread(p);
    if (!failed)
        return p;
    pool_free(p);
    return NULL;
}

void pool_free(struct pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->mutex);
    atomic_store(&p->stop, 1);
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->mutex);
    for (unsigned i = 0; i < p->started; i++)
        pthread_join(p->handles[i], NULL);
    pthread_mutex_destroy(&p->mutex);
    pthread_cond_destroy(&p->wake);
    free(p->handles);
    free(p->shares);
    free(p);
}

void pool_run(struct pool *p, void (*work)(void *, unsigned), void *context, unsigned count)
{
    if (p->num_threads == 1) {
        for (unsigned i = 0; i < count; i++)
            work(context, i);
        return;
    }
    /* All pieces of the last round are finished, and its tickets let nobody take another. */
    const uint64_t round = atomic_load(&p->round) + 1;
    p->work = work;
    p->context = context;
    atomic_store(&p->left, count);
    for (unsigned i = 0; i < p->num_threads; i++)
        atomic_store(&p->shares[i].ticket, make_ticket(round, 0, count));
    atomic_store(&p->round, round);
    if (atomic_load(&p->sleepers)) {
        pthread_mutex_lock(&p->mutex);
        pthread_cond_broadcast(&p->wake);
        pthread_mutex_unlock(&p->mutex);
    }
    take_pieces(p, 0, round);
    for (unsigned i = 1; atomic_load(&p->left); i++)
        if (i % LOOKS)
            relax();
        else
            sched_yield(); /* another thread's processor may be away */
}
