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

/* Simulated time. */
uint64_t machine_nanoseconds(void);

/* Runs a kernel of a program. Says why it failed on standard error, and keeps its PTX in the folder that
 * HEDDLE_FAIL names, if any. A lockstep difference ends the process with status 3. */
enum gpu_status machine_launch(const struct gpu_launch *, const struct capture_program *,
                               char message[GPU_MESSAGE_SIZE]);

/* Two kernels at once, for replays: begins the one of this number, and lets them go on until one has ended (gpu_begin, gpu_advance). They
 * are not captured. A failure is said and kept as by machine_launch. What the launch points to must stay until it has ended. */
enum gpu_status machine_begin(unsigned number, const struct gpu_launch *,
                              const struct capture_program *);
enum gpu_status machine_advance(unsigned *number);

/* A program's module is about to be freed. */
void machine_forget(const struct ptx_module *);

/* The program has written global memory: what records must know. */
void machine_copied(uint64_t address, uint64_t bytes);

/* Path of `file` in the directory of libheddle.so; malloc'ed, NULL: no memory. */
char *machine_file(const char *file);

#endif
