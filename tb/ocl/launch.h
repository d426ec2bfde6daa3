/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/launch.h: the kernels that run. To be called with the API's mutex held. */
#ifndef HEDDLE_TB_OCL_LAUNCH_H
#define HEDDLE_TB_OCL_LAUNCH_H

/* Lets time pass until one of the kernels that run has ended, and ends its command. If it has failed, those of all others end with
 * it. Returns 0 if none runs. */
int launches_run(void);

#endif
