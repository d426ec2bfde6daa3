/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/texture.h: what instructions on textures and surfaces share: handles and descriptors. */
#ifndef HEDDLE_TB_EXEC_TEXTURE_H
#define HEDDLE_TB_EXEC_TEXTURE_H

#include "tb/exec/exec.h"

/* The handle of a texture, sampler or surface: in the register, the same for all lanes of the mask,
 * or, where `operand` is UOP_NONE, in the kernel's parameter at that offset. Returns 0 after a
 * fault. */
int texture_handle(struct exec_warp *, uint32_t operand, uint32_t param, uint32_t mask,
                   uint64_t *handle);

/* The descriptor at a handle. Returns 0: there is none that makes sense. */
int texture_find(const struct exec_warp *, uint64_t handle, struct ptx_texture *);

/* That of the instruction's texture or surface. Returns 0 after a fault, which says that it is not
 * a bound `what`. */
int texture_read(struct exec_warp *, const struct uop *, uint32_t mask, const char *what,
                 struct ptx_texture *);

/* The number of a sampler: its handle, or what lies there. Returns 0: there is nothing. */
int texture_sampler(const struct exec_warp *, uint64_t handle, uint32_t *sampler);

#endif
