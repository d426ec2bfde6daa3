/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/viewers.h: in which arrangement viewers open a waveform, in a file for each of them beside it: FILE.gtkw for GTKWave, FILE.sucl for
 * Surfer. */
#ifndef HEDDLE_COSIM_VIEWERS_H
#define HEDDLE_COSIM_VIEWERS_H

#include <stdint.h>
#include <stdio.h>

#define NUM_VIEWERS 2
extern const char *const viewers_endings[NUM_VIEWERS];

/* Both files. */
struct viewers {
    FILE *files[NUM_VIEWERS];
};

/* Writes to paths[] from now on; the waveform is beside them, at `wave`. Returns 0, or -1 with the reason on `err`: then there is no file. */
int viewers_open(struct viewers *, char *const paths[NUM_VIEWERS], const char *wave, FILE *err);

/* What is shown, from above: a signal, a line of text, a group. */
enum viewers_form {
    VIEW_HEX,
    VIEW_DECIMAL,
    VIEW_ALARM,
    VIEW_NAMED,
    VIEW_TEXT
}; /* VIEW_ALARM: decimal, in red; VIEW_NAMED: by an enum table */
void viewers_signal(struct viewers *, const char *path,
                    enum viewers_form); /* "top.sm0.grant[4:0]" */
void viewers_comment(struct viewers *, const char *text);
void viewers_group(struct viewers *, const char *name, int closed);
void viewers_group_end(struct viewers *, const char *name, int closed);

/* Cycles `from` to `to` are opened, with the cursor and a marker at `marker`, or UINT64_MAX for none. Returns 0, or -1: something could not be
 * written. */
int viewers_close(struct viewers *, uint64_t from, uint64_t to, uint64_t marker);

#endif
