/* SPDX-License-Identifier: Apache-2.0 */
/* tb/replay/replay.h: what a replay of one capture and one of two share. */
#ifndef HEDDLE_TB_REPLAY_REPLAY_H
#define HEDDLE_TB_REPLAY_REPLAY_H

#include "tb/capture/play.h"
#include "tb/ocl/device.h"

enum { EXIT_DIFFERS = 1, EXIT_USAGE = 2 };

/* Buffers have what the device has; variables of programs come besides. */
#define MOST_MEMORY (2 * DEVICE_GLOBAL_BYTES)

/* What is not as it was when captured: memory; how the launch ended, or that it failed then, too. */
enum { REPLAY_DIFFERS = 1, REPLAY_FAILS = 2 };

/* Says what is not as it was when captured. Returns the sum of the above. */
int replay_compare(const struct play_ended *);

/* Runs two captures beside each other, each in an address space of its own, until both have been gone through once; who is through
 * first begins again, with the memory that it began with (thesis 8.6). `wrong`: which of the above ends the run. Returns the exit
 * status. */
int replay_pair(char *const paths[2], int wrong);

#endif
