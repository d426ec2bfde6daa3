/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/wave_check.h: is a waveform whole? The writer of FST files does not look whether the disk took what it wrote. */
#ifndef HEDDLE_COSIM_WAVE_CHECK_H
#define HEDDLE_COSIM_WAVE_CHECK_H

/* Walks the blocks of a closed FST file: they must fill it, and be as many as its header counts. Returns NULL, or what is wrong. */
const char *wave_check(const char *path);

#endif
