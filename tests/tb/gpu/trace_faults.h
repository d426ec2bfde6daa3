/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/trace_faults.h: faults that are planted into the trace of kernel `everything`
 * (trace_test.ptx), and which reader or comparison must find. */
#ifndef HEDDLE_TESTS_TB_GPU_TRACE_FAULTS_H
#define HEDDLE_TESTS_TB_GPU_TRACE_FAULTS_H

struct trace_fault {
    const char *name;
    void (*plant)(char *text); /* which has room for as much again */
    const char *found;         /* in the reason */
};

extern const struct trace_fault trace_faults[];
extern const unsigned num_trace_faults;

#endif
