/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/machine.h: the process's one machine: opened when the program first asks for the device,
 * closed when the process exits. To be called with the API's mutex held. */
#ifndef HEDDLE_TB_OCL_MACHINE_H
#define HEDDLE_TB_OCL_MACHINE_H

#include "tb/capture/capture.h"
#include "tb/gpu/gpu.h"

/* The machine. A configuration that cannot be used ends the process with status 2. NULL: the
 * process is exiting and the machine is closed. */
struct gpu *machine(void);

/* As machine(), but never opens it: what is released after the end of the machine needs no machine.
 */
struct gpu *machine_if_open(void);

/* The configuration; stays readable after the machine is closed. */
const struct config *machine_config(void);

/* Simulated time: the machine's cycles, and what has passed beside them. */
uint64_t machine_nanoseconds(void);

/* The cycles alone. */
uint64_t machine_kernel_nanoseconds(void);

/* Lets time pass in which no kernel goes on. */
void machine_pass(uint64_t nanoseconds);

/* How many kernels may run at once, numbered from 0: as many as the dispatching policy takes (gpu_kernels); one, where launches are
 * captured, each with the memory that it finds and leaves. */
unsigned machine_kernels(void);

/* Begins a kernel of a program, as the one of this number, and lets those that run go on until one has ended (gpu_begin, gpu_advance). Why
 * a kernel has failed is said on standard error, and its PTX kept in the folder that HEDDLE_FAIL names, if any. A lockstep difference
 * ends the process with status 3. What the launch and the program point to must stay until it has ended. A launch in a memory of its own is
 * not captured. */
enum gpu_status machine_begin(unsigned number, const struct gpu_launch *,
                              const struct capture_program *);
enum gpu_status machine_advance(unsigned *number);

/* Gives up all kernels that run. */
void machine_stop(void);

/* Runs a kernel from its beginning to its end, where no other runs. */
enum gpu_status machine_launch(const struct gpu_launch *, const struct capture_program *);

/* Why the last kernel of this number has failed. */
const char *machine_message(unsigned number);

/* Gives up the kernels that run. */
void machine_stop(void);

/* A program's module is about to be freed. */
void machine_forget(const struct ptx_module *);

/* The program has written global memory: what records must know. */
void machine_copied(uint64_t address, uint64_t bytes);

/* Path of `file` in the directory of libheddle.so; malloc'ed, NULL: no memory. */
char *machine_file(const char *file);

#endif
