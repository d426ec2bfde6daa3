/* SPDX-License-Identifier: Apache-2.0 */
/* tb/replay/replay.c: a program that runs the launches of a capture (tb/capture) on the machine, as a host program would, which it needs
 * no more; or those of two captures beside each other (pair.c). `heddle replay` starts it as `heddle run` starts any program: the environment says what machine (tb/ocl/machine.c).
 *
 * Exit status: 0 if each launch ended well and left the memory that it left when captured, which --differ does not ask for; 1 if one did not; 2 if the capture cannot be
 * used; 3 if lockstep found a difference. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tb/ocl/machine.h"
#include "tb/replay/replay.h"

struct replay {
    uint64_t launches, unlike; /* not as they were when captured */
    int found;                 /* the sum of what is not */
};

static enum gpu_status launch(void *context, const struct gpu_launch *l,
                              const struct capture_program *program)
{
    (void)context;
    return machine_launch(l, program);
}

static void written(void *context, uint64_t address, uint64_t bytes)
{
    (void)context;
    machine_copied(address, bytes);
}

int replay_compare(const struct play_ended *e)
{
    const struct snapshot_difference *d = &e->difference;
    if (e->status != e->captured)
        printf("launch %" PRIu64 ", kernel %s, %s\n", e->number, e->kernel,
               e->status == GPU_OK ? "ends well; it failed when it was captured:"
                                   : "fails; it did not, or in another way, when it was captured");
    if (e->status == GPU_OK && e->captured != GPU_OK)
        printf("    %s\n", e->captured_message);
    if (e->status == e->captured && e->status != GPU_OK)
        printf("launch %" PRIu64 ", kernel %s, fails as it did when it was captured\n", e->number,
               e->kernel);
    if (d->bytes)
        printf("launch %" PRIu64 ", kernel %s, leaves %" PRIu64
               " bytes that differ from the capture's: the first at 0x%" PRIx64 ", byte %" PRIu64
               " of the %" PRIu64 " allocated at 0x%" PRIx64 ", is 0x%02x, not 0x%02x\n",
               e->number, e->kernel, d->bytes, d->address, d->address - d->base, d->size, d->base,
               d->there, d->copied);
    return (e->status != GPU_OK || e->captured != GPU_OK ? REPLAY_FAILS : 0) +
           (d->bytes ? REPLAY_DIFFERS : 0);
}

static void ended(void *context, const struct play_ended *e)
{
    struct replay *r = context;
    r->launches++;
    const int found = replay_compare(e);
    r->unlike += found != 0;
    r->found |= found;
}

static int run(const char *path, int wrong)
{
    struct replay r = {0};
    const struct play_host host = {.context = &r,
                                   .gmem = gpu_memory(machine()),
                                   .most_memory = MOST_MEMORY,
                                   .stack = (uint32_t)machine_config()->gpu_stack,
                                   .written = written,
                                   .launch = launch,
                                   .ended = ended};
    if (capture_play(path, &host, stderr))
        return EXIT_USAGE;
    if (r.unlike)
        printf("%" PRIu64 " of %" PRIu64 " launches are not as they were when captured\n", r.unlike,
               r.launches);
    else
        printf("verified: %" PRIu64 " launches leave the memory that they left when captured\n",
               r.launches);
    return r.found & wrong ? EXIT_DIFFERS : EXIT_SUCCESS;
}

static enum gpu_status list_launch(void *context, const struct gpu_launch *l,
                                   const struct capture_program *program)
{
    struct replay *r = context;
    printf("launch %" PRIu64 ": kernel %s of %s, %" PRIu32 " x %" PRIu32 " x %" PRIu32
           " blocks of %" PRIu32 " x %" PRIu32 " x %" PRIu32 " threads, parameters",
           ++r->launches, l->kernel->name, program->name, l->grid[0], l->grid[1], l->grid[2],
           l->block[0], l->block[1], l->block[2]);
    for (uint32_t i = 0; i < l->kernel->param_bytes; i++)
        printf(i % 4 ? "%02x" : " %02x", l->params[i]);
    return GPU_OK;
}

static void list_ended(void *context, const struct play_ended *e)
{
    (void)context;
    printf("; %s%s\n", e->captured == GPU_OK ? "ended well" : "failed: ", e->captured_message);
}

static int list(const char *path)
{
    struct replay r = {0};
    struct gmem *memory = gmem_new();
    if (!memory) {
        fprintf(stderr, "heddle: no memory\n");
        return EXIT_USAGE;
    }
    const struct play_host host = {&r,   memory,      MOST_MEMORY, PTX_STACK_BYTES,
                                   NULL, list_launch, list_ended};
    const int failed = capture_play(path, &host, stderr);
    gmem_free_all(memory);
    return failed ? EXIT_USAGE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    const int lists = argc == 3 && !strcmp(argv[1], "--list"),
              differ = argc > 2 && !strcmp(argv[1], "--differ"),
              wrong = differ ? REPLAY_FAILS : REPLAY_FAILS | REPLAY_DIFFERS;
    char **files = argv + 1 + (lists || differ);
    const int count = argc - 1 - (lists || differ);
    if (count < 1 || count > 2) {
        fprintf(stderr, "usage: replay [--list] FILE\n       replay [--differ] FILE [FILE]\n");
        return EXIT_USAGE;
    }
    if (count == 2)
        return replay_pair(files, wrong);
    return lists ? list(files[0]) : run(files[0], wrong);
}
