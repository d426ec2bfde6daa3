/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/signals.h: a process that a signal is about to end gets the chance to close its waveform and to say where its warps are.
 *
 * Only signals whose action is the system's are caught: what a program handles or ignores stays its own. In the end the process dies of
 * the signal, as it would have. */
#ifndef HEDDLE_TB_OCL_SIGNALS_H
#define HEDDLE_TB_OCL_SIGNALS_H

struct signals {
    /* SIGINT, SIGTERM or SIGHUP has come. In a signal handler, of any thread. */
    void (*asked)(void);
    /* The same, later, on a thread of its own that holds no lock. It ends with signals_die, or returns: then the process dies. */
    void (*leave)(int signal);
    /* The process has crashed, or was aborted. In a copy of it that has no other thread, with what its memory is: it may
     * crash or hang, and is killed then. */
    void (*crashed)(int signal);
};

/* From now on. Returns 0, or -1: no memory for a thread; then nothing is caught. */
int signals_catch(const struct signals *);

/* Ends the process by this signal. */
__attribute__((noreturn)) void signals_die(int signal);

/* The signal that has come and asks the process to end, or 0. */
int signals_asked(void);

/* Has `crashed` called in a copy of this process, and waits for that. */
void signals_close_in_copy(int signal);

#endif
