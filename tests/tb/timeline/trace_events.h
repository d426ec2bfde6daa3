/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/timeline/trace_events.h: reads a timeline as a viewer does, and fails where it breaks the rules of "Trace Event Format":
 * members that an event must have, slices that nest, time that goes on in each track, tracks that have names. */
#ifndef HEDDLE_TESTS_TB_TIMELINE_TRACE_EVENTS_H
#define HEDDLE_TESTS_TB_TIMELINE_TRACE_EVENTS_H

#include <cjson/cJSON.h>
#include <stdint.h>

#define TRACE_CLASSES 11
#define TRACE_CYCLES  65536 /* the most that is read */
#define TRACE_TRACKS  128
#define TRACE_NONE    255

extern const char *const trace_classes[TRACE_CLASSES]; /* those that the thesis has */

struct trace_events {
    uint64_t cycles[TRACE_CLASSES];              /* sums of the slices of warps */
    uint8_t classes[TRACE_TRACKS][TRACE_CYCLES]; /* of each track in each cycle, or TRACE_NONE */
    uint64_t first, end;                         /* of them */
    uint64_t blocks, launches;                   /* blocks: of each of its warps */
    struct {
        uint64_t start, cycles;
        char name[64];
    } launch[256];
    /* A counter's values, by cycle: in effect from there on. */
    double ipc[TRACE_CYCLES], ready[TRACE_CYCLES], misses[TRACE_CYCLES];
    int incomplete;
};

/* Reads the file of SM `sm`; a fault fails the test. `whole`: from the first cycle on. Then each warp of the kernel `sines`, which
 * has no branch, must issue one instruction after the other. */
void trace_events_read(struct trace_events *, const char *path, unsigned sm, int whole);

#endif
