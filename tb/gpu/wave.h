/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/wave.h: the machine in a waveform: every scheduler's units beside the warps they decide
 * about. */
#ifndef HEDDLE_TB_GPU_WAVE_H
#define HEDDLE_TB_GPU_WAVE_H

#include <stdint.h>
#include <stdio.h>

#include "tb/gpu/dispatcher.h"
#include "tb/gpu/regulator.h"

struct gpu_wave;

/* Opens "FILE.fst[:FROM-TO]" and declares all signals of the NUM_SMS `sms`. NULL with the reason on
 * `err`. */
struct gpu_wave *gpu_wave_open(const char *spec, struct sm *const *sms, struct dispatcher *,
                               struct regulator *, FILE *err);

/* Finishes the files. The save file shows the scheduler of `failed`; NULL: the first one. Returns 0
 * or -1. */
int gpu_wave_close(struct gpu_wave *, const struct unit_inst *failed);

/* The window: first and last cycle. */
void gpu_wave_window(const struct gpu_wave *, uint64_t *first, uint64_t *last);

/* Writes a cycle of the window, after every SM has been stepped in it. */
void gpu_wave_cycle(struct gpu_wave *, uint64_t cycle);

#endif
