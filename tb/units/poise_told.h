/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/poise_told.h: what an earlier run's inference engine has found, by its log in the statistics (poise.rows): the pairs that
 * poise.told gives to the engine of this run, so that it need not sample.
 *
 * An epoch whose search was over has the pair found. One that the next epoch or the kernel's end has cut has that of the epoch before
 * it in the launch. Where the kernel was bound by computation, or the SM idle, it has none, and neither has one that was cut before any
 * pair was found. */
#ifndef HEDDLE_TB_UNITS_POISE_TOLD_H
#define HEDDLE_TB_UNITS_POISE_TOLD_H

#include <stddef.h>
#include <stdio.h>

#include "tb/units/view.h"

struct told;

/* Reads a statistics file. NULL with the reason on `err`: it cannot be read, has no such log, or one of a machine with other SMs or
 * warps. told_free takes NULL. */
struct told *told_read(const char *path, FILE *err);
void told_free(struct told *);

/* What is told of a launch, by its number in the run from 0: NUM_SMS lists, which stay until told_free; empty ones where the file has
 * no such launch. NULL with the reason in `message`: in the file the launch is one of another kernel. */
const struct told_pairs *told_of(const struct told *, size_t launch, const char *kernel,
                                 char *message, size_t size);

#endif
