/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/verdict.c: see verdict.h. */
#include "tb/observe/verdict.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int wrong(struct verdict *v, uint64_t cycle, const char *format, ...)
{
    va_list arguments;
    char place[40] = "gpu";
    int length = 0;
    if (v->sm >= 0)
        length = snprintf(place, sizeof place, "sm %d", v->sm);
    if (v->sm >= 0 && v->scheduler >= 0)
        snprintf(place + length, sizeof place - (size_t)length, " scheduler %d", v->scheduler);
    length = snprintf(v->text, sizeof v->text, "cycle %" PRIu64 ", %s: ", cycle, place);
    va_start(arguments, format);
    vsnprintf(v->text + length, sizeof v->text - (size_t)length, format, arguments);
    va_end(arguments);
    return 1;
}

/* Adds the names of the fields behind `first` that differ, too. */
static void add_others(struct verdict *v, const struct unit *u, enum field_kind kind,
                       const struct field *first, const void *expected, const void *found)
{
    const char *between = "; others that differ: ";
    for (const struct field *f = first + 1; f < u->fields + u->num_fields; f++) {
        const size_t length = strlen(v->text);
        if (f->kind != kind || f == u->clock || field_equal(f, expected, found))
            continue;
        snprintf(v->text + length, sizeof v->text - length, "%s%s", between, f->name);
        between = ", ";
    }
}

int fields_differ(struct verdict *v, uint64_t cycle, const struct unit *u, enum field_kind kind,
                  const void *expected, const void *found)
{
    static const char *const kinds[] = {"input", "output", "register"};
    if (!memcmp(expected, found, u->size[kind]))
        return 0;
    for (const struct field *f = u->fields; f < u->fields + u->num_fields; f++) {
        if (f->kind != kind || f == u->clock || field_equal(f, expected, found))
            continue;
        unsigned i = 0;
        while (field_get(f, expected, i) == field_get(f, found, i))
            i++;
        char index[16] = "";
        if (f->count > 1)
            snprintf(index, sizeof index, "[%u]", i);
        wrong(v, cycle,
              "%s %s.%s%s is %#" PRIx64 "; by the machine's registers it should be %#" PRIx64,
              kinds[kind], u->stem, f->name, index, field_get(f, found, i),
              field_get(f, expected, i));
        add_others(v, u, kind, f, expected, found);
        return 1;
    }
    for (const struct field *f = u->fields; f < u->fields + u->num_fields; f++)
        if (f->kind == kind && !field_fits(f, found))
            return wrong(v, cycle, "%s %s.%s has bits beyond its %u x %u", kinds[kind], u->stem,
                         f->name, f->count, f->width);
    return 0;
}
