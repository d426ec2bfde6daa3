/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/locality.h: which global memory each block of a launch will read, found before it
 * runs, from the PTX, the arguments, and the sizes of grid and block. What depends on data that only
 * the kernel loads is not guessed: such loads are named, with the line at fault.
 * Source: PAVER 3.3. */
#ifndef HEDDLE_TB_LOCALITY_LOCALITY_H
#define HEDDLE_TB_LOCALITY_LOCALITY_H

#include "tb/arena.h"
#include "tb/ptx/ptx.h"

struct locality_launch {
    const struct ptx_kernel *kernel;                 /* of a module that ptx_place has placed */
    const uint8_t *params;                           /* kernel->param_bytes */
    uint32_t grid[3], block[3], offset[3], work_dim; /* as struct gpu_launch has them */
};

struct value;
struct condition;
struct doubt;
struct counted;

/* A load of global memory, as one way through the code reaches it. */
struct locality_load {
    uint32_t line, bytes;         /* in the PTX text; of one thread's access */
    const struct value *address;  /* of its first byte */
    const struct condition *when; /* it is executed */
    const struct counted *around; /* in how many trips of the loops around it */
    const struct doubt *doubt;    /* NULL, or why one of these is not known */
};

struct locality {
    struct arena arena; /* all that is pointed to */
    struct locality_load *loads;
    uint32_t num_loads;
};

/* Finds the loads of a launch. Returns it, or NULL with *error filled: the kernel is too large to be
 * analysed, or there is no memory. */
struct locality *locality_find(const struct locality_launch *, struct ptx_error *error);
void locality_free(struct locality *);

#endif
