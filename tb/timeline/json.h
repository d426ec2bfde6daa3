/* SPDX-License-Identifier: Apache-2.0 */
/* tb/timeline/json.h: events in the text that Perfetto and chrome://tracing read ("Trace Event Format"), one per line, up to a
 * limit. */
#ifndef HEDDLE_TB_TIMELINE_JSON_H
#define HEDDLE_TB_TIMELINE_JSON_H

#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *to;
    uint64_t bytes, most; /* written so far; from `most` on it is full */
    uint64_t events;
};

/* Begins an event, which json_more goes on with. */
__attribute__((format(printf, 2, 3))) void json_event(struct json *, const char *format, ...);
__attribute__((format(printf, 2, 3))) void json_more(struct json *, const char *format, ...);

/* A text as a string of JSON, whatever bytes it has. */
void json_text(struct json *, const char *text);

static inline int json_full(const struct json *o)
{
    return o->bytes >= o->most;
}

#endif
