/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/gc/gc.c: marks the objects of a random heap that its roots lead to (GC of DAWS), one
 * launch a level. Every object's level and every word of the heap are compared with those of a
 * trace with a queue. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/check.h"
#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/reference.h" /* UNREACHED */
#include "tb/workloads/common/verify.h"
#include "tb/workloads/gc/heap.h"

extern const char gc_cl[];

enum { OBJECTS, ROOTS, FIELDS, BLOCK, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [OBJECTS] = NUMBER_OPTION("objects", 1, 1 << 22, 4500, 150000, 1000000, "objects of the heap"),
    [ROOTS] = NUMBER_OPTION("roots", 1, 1 << 22, 200, 1000, 1000, "roots, at most what is in use"),
    [FIELDS] = CHOICE_OPTION("fields", 1, 64, "objects differ",
                             "fields of every object, the same ones of them references, so that "
                             "lanes stay together"),
    [BLOCK] = NUMBER_OPTION("block", 1, 1024, 64, 256, 256, "work-items of a work-group"),
};

/* The heap before and after, and what the device made of it. */
struct collection {
    struct heap heap; /* marked by the host */
    uint32_t *unmarked;
    int32_t *expected, *got; /* levels */
    int32_t depth;
    uint32_t reached;
};

struct collector {
    struct opencl cl;
    cl_kernel trace;
    cl_mem heap, queue, tail;
};

/* Sets the levels of the queue's objects from `begin` on. What is no object's offset, or was there
 * before, counts as wrong. */
static size_t set_levels(struct collection *c, const uint32_t *queue, uint32_t begin, uint32_t end,
                         int32_t level)
{
    size_t wrong = 0;
    for (uint32_t i = begin; i < end; i++)
        if (queue[i] >= c->heap.words || c->got[queue[i]] != UNREACHED) {
            if (wrong++ == 0)
                printf("wrong: the queue's entry %u, %u, is outside the heap or a repetition\n", i,
                       queue[i]);
        } else {
            c->got[queue[i]] = level;
        }
    return wrong;
}

/* Launches one level after the other. Returns how many of the queue's entries are wrong; a search
 * that goes on where the host's ends is given up. */
static size_t trace(struct collector *g, struct collection *c, const size_t block)
{
    size_t wrong = 0;
    uint32_t *queue = allocate(c->heap.objects, sizeof *queue);
    cl_uint begin = 0, end = c->heap.roots;
    memset(c->got, UNREACHED, c->heap.words * sizeof *c->got);
    for (int32_t level = 0; begin < end && level <= c->depth; level++) {
        const size_t work = end - begin;
        OPENCL_ARGUMENT(g->trace, 3, begin);
        OPENCL_ARGUMENT(g->trace, 4, end);
        opencl_launch(&g->cl, g->trace, 1, &work, &block);
        opencl_read(&g->cl, g->queue, end * sizeof *queue, queue);
        wrong += set_levels(c, queue, begin, end, level);
        begin = end;
        opencl_read(&g->cl, g->tail, sizeof end, &end);
        if (end > c->heap.objects) {
            printf("wrong: %u objects are marked, of %u\n", end, c->heap.objects);
            wrong++;
            end = begin;
        }
    }
    free(queue);
    return wrong;
}

/* Marks the roots, which the host does for a collector, and fills the queue with them. */
static void reset(struct collector *g, const struct collection *c)
{
    const struct heap *heap = &c->heap;
    const size_t bytes = heap->words * sizeof *heap->word;
    uint32_t *word = allocate(heap->words, sizeof *word);
    memcpy(word, c->unmarked, bytes);
    for (uint32_t i = 0; i < heap->roots; i++)
        word[heap->root[i]] |= MARK;
    opencl_write(&g->cl, g->heap, bytes, word);
    opencl_poison(&g->cl, g->queue, heap->objects * sizeof *heap->root);
    opencl_write(&g->cl, g->queue, heap->roots * sizeof *heap->root, heap->root);
    opencl_write(&g->cl, g->tail, sizeof heap->roots, &heap->roots);
    free(word);
}

static size_t verify(struct collector *g, const struct collection *c)
{
    const struct heap *heap = &c->heap;
    return verify_integers("level", c->expected, c->got, heap->words, stdout) +
           check_integers(&g->cl, g->heap, "heap", (const int32_t *)heap->word, heap->words);
}

static size_t run(struct collection *c, const struct options *options)
{
    struct collector g;
    size_t wrong = 0;
    opencl_open(&g.cl, options->device_type.text, gc_cl);
    g.trace = opencl_kernel(&g.cl, "trace");
    g.heap = opencl_buffer(&g.cl, CL_MEM_READ_WRITE, c->heap.words * sizeof *c->heap.word, NULL);
    g.queue = opencl_buffer(&g.cl, CL_MEM_READ_WRITE, c->heap.objects * sizeof *c->heap.root, NULL);
    g.tail = opencl_buffer(&g.cl, CL_MEM_READ_WRITE, sizeof c->heap.roots, NULL);
    const cl_mem buffers[] = {g.heap, g.queue, g.tail};
    opencl_arguments(g.trace, buffers, COUNT_OF(buffers));
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        reset(&g, c);
        wrong = trace(&g, c, (size_t)options->own[BLOCK].number);
        opencl_report(&g.cl, i, options->repeat.number);
        wrong += verify(&g, c);
    }
    opencl_release(buffers, COUNT_OF(buffers));
    CL(clReleaseKernel(g.trace));
    opencl_close(&g.cl);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    struct collection c = {0};
    parse_command_line(&options, argc, argv,
                       "Marks a heap's objects in use, level by level, on an OpenCL device.", table,
                       NUM_OPTIONS);
    c.heap = heap_make((uint32_t)options.own[OBJECTS].number, (uint32_t)options.own[ROOTS].number,
                       (uint32_t)options.own[FIELDS].number, (uint64_t)options.seed.number);
    c.unmarked = allocate(c.heap.words, sizeof *c.unmarked);
    memcpy(c.unmarked, c.heap.word, c.heap.words * sizeof *c.unmarked);
    c.expected = allocate(c.heap.words, sizeof *c.expected);
    c.got = allocate(c.heap.words, sizeof *c.got);
    c.reached = heap_trace(&c.heap, c.expected, &c.depth);
    printf("gc: %u objects, %u words, %u roots; %u objects in use, down to level %d, seed %lld\n",
           c.heap.objects, c.heap.words, c.heap.roots, c.reached, c.depth,
           (long long)options.seed.number);
    size_t wrong = run(&c, &options);
    if (wrong == 0)
        printf("verified: the levels of %u objects and the marks equal the host's\n", c.reached);
    free(c.unmarked);
    free(c.expected);
    free(c.got);
    heap_free(&c.heap);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}
