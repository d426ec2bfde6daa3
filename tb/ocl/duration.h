/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/duration.h: how long transfers take, in nanoseconds of simulated time: a latency, and their bytes over the bandwidth of
 * the link between host and device ([link]) or of DRAM ([dram]: channels, bytes_per_cycle, clock_mhz). At least one. To be called
 * with the API's mutex held. */
#ifndef HEDDLE_TB_OCL_DURATION_H
#define HEDDLE_TB_OCL_DURATION_H

#include <stdint.h>

/* From the host or to it. */
uint64_t duration_of_transfer(uint64_t bytes);

/* Within the device, which reads and writes each byte. */
uint64_t duration_of_copy(uint64_t bytes);

/* Within the device, which only writes. */
uint64_t duration_of_fill(uint64_t bytes);

#endif
