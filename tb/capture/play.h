/* SPDX-License-Identifier: Apache-2.0 */
/* tb/capture/play.h: goes through a capture: its programs are parsed and placed where they lay, memory is made what it was before each
 * launch, and compared after it with what it was then. What runs the launches is the caller's. */
#ifndef HEDDLE_TB_CAPTURE_PLAY_H
#define HEDDLE_TB_CAPTURE_PLAY_H

#include <stdio.h>

#include "tb/capture/capture.h"
#include "tb/capture/snapshot.h"

/* A launch that is over: how, and how when it was captured. */
struct play_ended {
    uint64_t number; /* from 1 */
    const char *kernel;
    enum gpu_status status, captured;
    const char *captured_message;
    struct snapshot_difference
        difference; /* of memory from that of the capture; looked for where both ended well */
};

/* Where a capture is played. */
struct play_host {
    void *context;
    struct gmem *gmem;    /* without allocations; those of the capture's end stay */
    uint64_t most_memory; /* bytes that all allocations may have */
    uint32_t stack;       /* of a thread, for functions that recurse: see ptx_stack */
    /* The host has written memory. NULL: nobody wants to know. */
    void (*written)(void *context, uint64_t address, uint64_t bytes);
    /* For capture_play: runs a launch, or does not, and returns its status; and a launch is over, which may be NULL. */
    enum gpu_status (*launch)(void *context, const struct gpu_launch *,
                              const struct capture_program *);
    void (*ended)(void *context, const struct play_ended *);
};

/* A file that is gone through launch by launch. */
struct play;

/* NULL, with the reason on `err`: no memory, or no such file. `path`, `err` and what `host` points to must stay. */
struct play *play_open(const char *path, const struct play_host *host, FILE *err);
void play_close(struct play *);

/* A launch that memory is ready for; all of it stays until play_end. */
struct play_launch {
    struct gpu_launch launch;
    const struct capture_program *program;
};

/* Goes on to the next launch. Returns 1, 0: there is no other, or -1 with the reason on `err`: the file cannot be read, is no capture,
 * or is damaged. */
int play_next(struct play *, struct play_launch *);

/* The launch has ended, as `status` says: compares memory, and makes it what it was when captured. *ended stays until the next call. Returns
 * 0, or -1 with the reason on `err`. */
int play_end(struct play *, enum gpu_status status, struct play_ended *ended);

/* Plays a file. Each launch finds what it found when it was captured, whatever those before it have left. Returns 0, or -1 with the
 * reason on `err`: it cannot be read, is no capture, or is damaged; launches before that have been run. */
int capture_play(const char *path, const struct play_host *, FILE *err);

#endif
