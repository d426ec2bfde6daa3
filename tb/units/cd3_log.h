/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/cd3_log.h: what the unit that measures distances of dependent instructions has counted in a kernel (cd3.rows). */
#ifndef HEDDLE_TB_UNITS_CD3_LOG_H
#define HEDDLE_TB_UNITS_CD3_LOG_H

#include "tb/units/log.h"

extern const struct log_kind cd3_log;

#endif
