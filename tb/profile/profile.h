/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/profile.h: what each load of a program does, kernel by kernel: a file for `heddle
 * profile`. It listens to the events of the SMs and steers nothing. Of kernels that run at once it has
 * what the warps of each do; what L2 misses meanwhile is nobody's. */
#ifndef HEDDLE_TB_PROFILE_PROFILE_H
#define HEDDLE_TB_PROFILE_PROFILE_H

#include <stdio.h>

#include "tb/config.h"
#include "tb/mem/memory.h"
#include "tb/ptx/ptx.h"
#include "tb/sm/sm.h"

struct profile;

/* For a file that profile_write writes. NULL: no memory. `config` must stay. */
struct profile *profile_new(const struct config *config, const char *path);
void profile_free(struct profile *);

/* Has the profile hear the events of an SM. */
void profile_listen(struct profile *, struct sm *, unsigned index);

/* What is to hear of what a bank of L2 serves. */
struct l2_listener profile_l2_listener(struct profile *, unsigned bank);

/* A kernel begins, as the one of this number below NUM_KERNELS; its launches are added up. It must stay until it has
 * ended. Returns 0, or -1: no memory. */
int profile_begin(struct profile *, unsigned number, const struct ptx_kernel *);

/* It has ended or failed; nothing happens if none has begun. Returns 0, or -1: there was no memory to follow all of
 * it. */
int profile_end(struct profile *, unsigned number);

/* Writes the file. Returns 0, or -1 with the reason on `err`. */
int profile_write(const struct profile *, FILE *err);

#endif
