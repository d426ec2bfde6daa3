/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/fault.h: what a warp says when it cannot go on. The first fault is kept. */
#ifndef HEDDLE_TB_EXEC_FAULT_H
#define HEDDLE_TB_EXEC_FAULT_H

#include "tb/exec/exec.h"

/* Writes which kernel, where in it and which thread: what a message about the instruction at w->pc, executed by `lane`,
 * begins with. Returns its length, which is less than `room`. */
size_t exec_fault_place(const struct exec_warp *, int lane, char *text, size_t room);

/* Raises w->fault about the instruction at w->pc, executed by `lane`. */
void exec_fault(struct exec_warp *w, int lane, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same about a trap `u`: what refuses the kernel, or what was asserted, or nothing more. */
void exec_fault_trap(struct exec_warp *w, const struct uop *u, int lane);

/* The same about `bytes` bytes at `address`, which are misaligned; and about the lane's access, which is outside what its
 * space has. */
void exec_fault_misaligned(struct exec_warp *w, int lane, uint64_t address, uint32_t bytes);
void exec_fault_outside(struct exec_warp *w, int lane, const struct exec_access *);

#endif
