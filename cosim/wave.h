/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/wave.h: waveforms: FST through the writer that ships with Verilator, and a view beside it
 * (cosim/viewers.h), so that viewers open it arranged. Signals are declared first, scope by scope; then
 * cycles follow. */
#ifndef HEDDLE_COSIM_WAVE_H
#define HEDDLE_COSIM_WAVE_H

#include <stdint.h>
#include <stdio.h>

#include "cosim/viewers.h"

struct wave;

/* A value of a signal that has a name. */
struct wave_name {
    uint64_t value;
    const char *name;
};

/* Opens "FILE.fst[:FROM-TO]": cycles FROM to TO, both included, are kept; without them all are.
 * NULL with the reason on `err` where the text is malformed or the file cannot be written. */
struct wave *wave_open(const char *spec, FILE *err);

/* Asks `each` about each file that it writes, until one is not 0. Returns 0, or -1: one was not, or the text is malformed, for the reason
 * that is on `err`. */
int wave_files(const char *spec, int (*each)(const char *path, FILE *err), FILE *err);

/* Finishes the files. Returns 0, or -1: something could not be written, as stderr says; then there is none. Nor is
 * there where no cycle falls into the window, which is said, and no error. */
int wave_close(struct wave *);

/* For who has started a process that writes one, when that has ended. Returns 0, or -1: it did not come to close the waveform, as `err` is
 * told; what it has left is removed. */
int wave_settle(const char *spec, FILE *err);

/* The window: first and last cycle. */
void wave_window(const struct wave *, uint64_t *first, uint64_t *last);

void wave_scope(struct wave *, const char *name);
void wave_up(struct wave *);

/* Declares a signal of `bits` bits in the current scope. `names` (num_names of them, NULL for none)
 * become an enum table. Returns its handle. */
unsigned wave_signal(struct wave *, const char *name, unsigned bits, const struct wave_name *names,
                     unsigned num_names);

/* Declares an array, of `count` elements of `width` bits, with its elements in text beside it, <name>_list (cosim/elements.h): that is what
 * the view shows. */
unsigned wave_array(struct wave *, const char *name, unsigned count, unsigned width);

/* Declares a signal whose values are text. */
unsigned wave_text_signal(struct wave *, const char *name);

/* The view opens on this cycle, with the cursor and marker A there. */
void wave_mark(struct wave *, uint64_t cycle);

/* The view shows a signal, a comment line or a group; in the order of the calls. Text, and values with names, have forms of their own. */
void wave_show(struct wave *, unsigned signal, enum viewers_form);
void wave_comment(struct wave *, const char *text);

/* What is shown between these can be folded; `closed`: it is at first. */
void wave_group(struct wave *, const char *name, int closed);
void wave_group_end(struct wave *, const char *name, int closed);

/* Begins a cycle. Returns 1 if it lies in the window: then values may be set. */
int wave_cycle(struct wave *, uint64_t cycle);

/* Sets a signal; `words` holds its bits, lowest first. Only changes are written. */
void wave_set(struct wave *, unsigned signal, const uint64_t *words);
void wave_set_text(struct wave *, unsigned signal, const char *text);

#endif
