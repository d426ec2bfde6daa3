/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/queue.h: the list of all command queues. To be called with the API's mutex held. */
#ifndef HEDDLE_TB_OCL_QUEUE_H
#define HEDDLE_TB_OCL_QUEUE_H

#include "tb/ocl/calls.h"

/* The oldest queue; the others follow by `next`. NULL: there is none. */
cl_command_queue queue_first(void);

#endif
