/* SPDX-License-Identifier: Apache-2.0 */
/* tb/timeline/json.c: see json.h. */
#include "tb/timeline/json.h"

#include <stdarg.h>

static void print(struct json *o, const char *format, va_list arguments)
{
    const int printed = vfprintf(o->to, format, arguments);
    o->bytes += printed > 0 ? (uint64_t)printed : 0;
}

void json_more(struct json *o, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(o, format, arguments);
    va_end(arguments);
}

void json_event(struct json *o, const char *format, ...)
{
    va_list arguments;
    json_more(o, "%s", o->events++ ? ",\n" : "\n");
    va_start(arguments, format);
    print(o, format, arguments);
    va_end(arguments);
}

void json_text(struct json *o, const char *text)
{
    json_more(o, "\"");
    for (const unsigned char *at = (const unsigned char *)text; *at; at++)
        if (*at == '"' || *at == '\\')
            json_more(o, "\\%c", *at);
        else if (*at < ' ' || *at >= 0x7f)
            json_more(o, "\\u%04x", *at);
        else
            json_more(o, "%c", *at);
    json_more(o, "\"");
}
