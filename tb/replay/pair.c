/* SPDX-License-Identifier: Apache-2.0 */
/* tb/replay/pair.c: two captures at once. See replay.h. */
#include <inttypes.h>
#include <stdlib.h>

#include "tb/ocl/machine.h"
#include "tb/replay/replay.h"

struct player {
    const char *path;
    struct gmem *memory; /* of its own */
    struct play *play;
    struct play_launch launch;
    int runs;                  /* the launch, on the machine */
    uint64_t times;            /* that it has been gone through */
    uint64_t launches, unlike; /* not as they were when captured */
    int found;                 /* the sum of what is not */
};

/* Begins from the capture's beginning. Returns 0, or -1. */
static int rewind_player(struct player *p)
{
    if (p->play)
        play_close(p->play);
    if (p->memory)
        gmem_free_all(p->memory);
    p->play = NULL;
    p->memory = gmem_new();
    if (!p->memory) {
        fprintf(stderr, "heddle: no memory\n");
        return -1;
    }
    const struct play_host host = {.gmem = p->memory,
                                   .most_memory = MOST_MEMORY,
                                   .stack = (uint32_t)machine_config()->gpu_stack};
    p->play = play_open(p->path, &host, stderr);
    return p->play ? 0 : -1;
}

/* The launch of a player has ended. Returns 0, or -1: its capture is damaged. */
static int end(struct player *p, enum gpu_status status)
{
    struct play_ended ended;
    p->runs = 0;
    p->launches++;
    if (play_end(p->play, status, &ended))
        return -1;
    const int found = replay_compare(&ended);
    p->unlike += found != 0;
    p->found |= found;
    return 0;
}

/* Brings the player's next launch onto the machine, which may fail. Returns 0, or -1: its capture cannot be used. */
static int begin(struct player *p, unsigned number)
{
    int found = play_next(p->play, &p->launch);
    if (found == 0) {
        p->times++;
        if (rewind_player(p))
            return -1;
        found = play_next(p->play, &p->launch);
        if (found == 0)
            fprintf(stderr, "%s: has no launches\n", p->path);
    }
    if (found <= 0)
        return -1;
    p->launch.launch.gmem = p->memory;
    p->launch.launch.space = number;
    const enum gpu_status status = machine_begin(number, &p->launch.launch, p->launch.program);
    p->runs = status == GPU_OK;
    return p->runs ? 0 : end(p, status);
}

static int any_wrong(const struct player players[GPU_KERNELS], int wrong)
{
    return (players[0].found | players[1].found) & wrong;
}

/* Until both are through, or a launch is wrong. Returns 0, or -1: a capture cannot be used. */
static int run(struct player players[GPU_KERNELS], int wrong)
{
    for (;;) {
        unsigned number;
        for (unsigned i = 0; i < GPU_KERNELS; i++)
            if (!players[i].runs && begin(&players[i], i))
                return -1;
        if ((players[0].times && players[1].times) || any_wrong(players, wrong))
            return 0;
        const enum gpu_status status = machine_advance(&number);
        for (unsigned i = 0; i < GPU_KERNELS; i++)
            if (players[i].runs && (i == number || status != GPU_OK) && end(&players[i], status))
                return -1;
        if (status != GPU_OK)
            return 0;
    }
}

static void print(const struct player *p)
{
    printf("%s: gone through %" PRIu64 " times, %" PRIu64 " launches, %" PRIu64
           " not as they were when captured\n",
           p->path, p->times, p->launches, p->unlike);
}

int replay_pair(char *const paths[2], int wrong)
{
    struct player players[GPU_KERNELS] = {{.path = paths[0]}, {.path = paths[1]}};
    machine(); /* a configuration that cannot be used is told first */
    int failed = rewind_player(&players[0]) || rewind_player(&players[1]) || run(players, wrong);
    machine_stop();
    for (unsigned i = 0; i < GPU_KERNELS; i++) {
        if (!failed)
            print(&players[i]);
        if (players[i].play)
            play_close(players[i].play);
        if (players[i].memory)
            gmem_free_all(players[i].memory);
    }
    if (failed)
        return EXIT_USAGE;
    if (any_wrong(players, wrong))
        return EXIT_DIFFERS;
    printf("%s; beside each other for %" PRIu64 " cycles\n",
           any_wrong(players, REPLAY_DIFFERS)
               ? "all launches of both ended well"
               : "verified: all launches of both leave the memory that they left when captured",
           gpu_cycle(machine()));
    return EXIT_SUCCESS;
}
