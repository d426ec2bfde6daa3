/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/wave.h: the machine in a waveform: every scheduler's units beside the warps they decide about. */
#ifndef HEDDLE_TB_GPU_WAVE_H
#define HEDDLE_TB_GPU_WAVE_H

#include <stdint.h>
#include <stdio.h>

#include "tb/sm/sm.h"

struct gpu_wave;

/* Opens "FILE.fst[:FROM-TO]" and declares all signals of the NUM_SMS `sms`. NULL with the reason on `err`. */
struct gpu_wave *gpu_wave_open(const char *spec, struct sm *const *sms, FILE *err);

/* Finishes the files. The save file shows the scheduler of `failed`; NULL: the first one. Returns 0 or -1. */
int gpu_wave_close(struct gpu_wave *, const struct unit_inst *failed);

/* Does the window hold this cycle? Then every SM must be stepped in it, and gpu_wave_cycle called at its end. */
int gpu_wave_wants(const struct gpu_wave *, uint64_t cycle);
void gpu_wave_cycle(struct gpu_wave *, uint64_t cycle);

/* The first cycle of the window that is not before `cycle`, or UINT64_MAX. */
uint64_t gpu_wave_next(const struct gpu_wave *, uint64_t cycle);

#endif
