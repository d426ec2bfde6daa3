/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/poise_log.h: the log of the inference engine (poise.rows): what each epoch measured, predicted and found. */
#ifndef HEDDLE_TB_UNITS_POISE_LOG_H
#define HEDDLE_TB_UNITS_POISE_LOG_H

#include "tb/units/log.h"
#include "tb/units/socket.h"

extern const struct log_kind poise_log;

/* The sums over the rows of a kernel: a socket's `count`. */
void poise_log_count(const struct plug *, struct found *);

#endif
