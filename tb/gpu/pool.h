/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/pool.h: host threads that share out numbered pieces of work. */
#ifndef HEDDLE_TB_GPU_POOL_H
#define HEDDLE_TB_GPU_POOL_H

struct pool;

/* `threads` counts the caller's. NULL: no memory, or the system gives no thread. */
struct pool *pool_new(unsigned threads);
void pool_free(struct pool *);

/* Calls work(context, i) once for each i below `count` (less than 65536), on any thread, in any
 * order, and waits for all of them. */
void pool_run(struct pool *, void (*work)(void *context, unsigned i), void *context,
              unsigned count);

#endif
