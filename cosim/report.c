/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/report.c: what a person reads after a mismatch. See unit.h. */
#include <inttypes.h>
#include <string.h>

#include "cosim/elements.h"
#include "cosim/inst.h"

#define VALUE_SIZE 160

/* One element: by name if it has one, flags as a number, else hexadecimal at the field's own
 * width. */
static void print_element(char *text, size_t size, const struct unit *u, const struct field *f,
                          uint64_t value)
{
    const char *name = field_value_name(u, f, value);
    if (name)
        snprintf(text, size, "%s", name);
    else if (f->width <= 6)
        snprintf(text, size, "%" PRIu64, value);
    else
        snprintf(text, size, "0x%0*" PRIx64, (int)(f->width + 3) / 4, value);
}

/* A whole field, arrays as lists. */
static void print_field(char text[ELEMENTS_SIZE], const struct unit *u, const struct field *f,
                        const void *fields)
{
    uint64_t words[(field_bits(f) + 63) / 64];
    if (f->count == 1 && !field_is_set(f)) {
        print_element(text, ELEMENTS_SIZE, u, f, field_get(f, fields, 0));
        return;
    }
    field_pack(f, fields, words);
    if (field_is_set(f))
        elements_print(text, words, field_bits(f), 1);
    else
        elements_print(text, words, f->count, f->width);
}

static void report_row(FILE *to, const char *field, const char *ref, const char *rtl,
                       const char *meaning)
{
    fprintf(to, "  %-16s %-12s %-12s %s\n", field, ref, rtl, meaning);
}

/* Long arrays are reported element by element, short ones and flags whole. */
static void report_field(const struct unit_inst *i, const struct field *f, const void *ref_fields,
                         const void *rtl_fields, FILE *to)
{
    char name[64], ref[ELEMENTS_SIZE], rtl[ELEMENTS_SIZE];
    if (f->scalar || (f->width == 1 && f->count <= ELEMENTS_LISTED)) {
        print_field(ref, i->unit, f, ref_fields);
        print_field(rtl, i->unit, f, rtl_fields);
        report_row(to, f->name, ref, rtl, f->meaning);
        return;
    }
    unsigned shown = 0, more = 0;
    for (unsigned e = 0; e < f->count; e++) {
        uint64_t a = field_get(f, ref_fields, e), b = field_get(f, rtl_fields, e);
        if (a == b)
            continue;
        if (shown++ >= 8) {
            more++;
            continue;
        }
        snprintf(name, sizeof name, "%s[%u]", f->name, e);
        print_element(ref, sizeof ref, i->unit, f, a);
        print_element(rtl, sizeof rtl, i->unit, f, b);
        report_row(to, name, ref, rtl, f->meaning);
    }
    if (more)
        fprintf(to, "  %s: %u more elements differ\n", f->name, more);
}

const struct unit_cycle *inst_failed(const struct unit_inst *i)
{
    for (uint64_t back = 1; back <= UNIT_HISTORY && back <= i->remembered; back++) {
        const struct unit_cycle *c = &i->history[(i->remembered - back) % UNIT_HISTORY];
        if (c->cycle == i->failed)
            return c;
    }
    return &i->history[(i->remembered - 1) % UNIT_HISTORY];
}

const char *inst_difference(const struct unit_inst *i)
{
    const struct unit_cycle *c = inst_failed(i);
    for (unsigned n = 0; n < i->unit->num_fields && i->mismatches; n++) {
        const struct field *f = &i->unit->fields[n];
        if (f->kind != FIELD_IN &&
            !field_equal(f, cycle_fields(c, f, SIDE_REF), cycle_fields(c, f, SIDE_RTL)))
            return f->name;
    }
    for (unsigned n = 0; n < i->unit->num_memories && i->mismatches; n++)
        if (!field_equal(&i->unit->memories[n], i->stopped, i->shadow))
            return i->unit->memories[n].name;
    return NULL;
}

void unit_report(const struct unit_inst *i, const char *config, FILE *to)
{
    const struct unit_cycle *c = inst_failed(i);
    const struct unit *u = i->unit;
    fprintf(to, "%-8s  %s  %s  config %s  cycle %" PRIu64 "\n",
            *i->complaint ? "WRONG" : "MISMATCH", u->stem, i->place, config, i->failed);
    if (*i->complaint) {
        fprintf(to, "  %s\n", i->complaint);
        return;
    }
    report_row(to, "field", "ref", "rtl", "meaning");
    for (unsigned f = 0; f < u->num_fields; f++) {
        const struct field *field = &u->fields[f];
        if (field->kind != FIELD_IN &&
            !field_equal(field, cycle_fields(c, field, SIDE_REF), cycle_fields(c, field, SIDE_RTL)))
            report_field(i, field, cycle_fields(c, field, SIDE_REF),
                         cycle_fields(c, field, SIDE_RTL), to);
    }
    for (unsigned n = 0; n < u->num_memories; n++)
        if (!field_equal(&u->memories[n], i->stopped, i->shadow))
            report_field(i, &u->memories[n], i->stopped, i->shadow, to);
}

/* "[17]<=0x0005", or "-" where nothing is written. */
static void print_write(char *text, size_t size, const struct unit *u, const struct field *m,
                        const struct memory_write *w)
{
    char value[64];
    print_element(value, sizeof value, u, m, w->data);
    if (w->write)
        snprintf(text, size, "[%" PRIu64 "]<=%s", w->address, value);
    else
        snprintf(text, size, "-");
}

/* One line: the RTL's value behind a slash where it differs. */
static void history_line(const char *name, const char *ref, const char *rtl, FILE *to)
{
    if (strcmp(ref, rtl))
        fprintf(to, "    %-16s %s/%s\n", name, ref, rtl);
    else
        fprintf(to, "    %-16s %s\n", name, ref);
}

/* The writes of a cycle. */
static void history_memory(const struct unit_inst *i, const struct unit_cycle *c, unsigned n,
                           FILE *to)
{
    const struct field *m = &i->unit->memories[n];
    char ref[VALUE_SIZE], rtl[VALUE_SIZE];
    print_write(ref, sizeof ref, i->unit, m,
                &c->writes[inst_has(i, SIDE_REF) ? SIDE_REF : SIDE_RTL][n]);
    print_write(rtl, sizeof rtl, i->unit, m,
                &c->writes[inst_has(i, SIDE_RTL) ? SIDE_RTL : SIDE_REF][n]);
    if (strcmp(ref, rtl) || strcmp(ref, "-"))
        history_line(m->name, ref, rtl, to);
}

/* A field in a cycle, if it is not as it was in the one before (NULL: there is none). */
static void history_field(const struct unit_inst *i, const struct unit_cycle *c,
                          const struct unit_cycle *before, const struct field *f, FILE *to)
{
    const enum unit_side ref_side = inst_has(i, SIDE_REF) ? SIDE_REF : SIDE_RTL,
                         rtl_side = inst_has(i, SIDE_RTL) ? SIDE_RTL : SIDE_REF;
    char ref[ELEMENTS_SIZE], rtl[ELEMENTS_SIZE];
    if (before && field_equal(f, cycle_fields(before, f, ref_side), cycle_fields(c, f, ref_side)) &&
        field_equal(f, cycle_fields(before, f, rtl_side), cycle_fields(c, f, rtl_side)))
        return;
    print_field(ref, i->unit, f, cycle_fields(c, f, ref_side));
    print_field(rtl, i->unit, f, cycle_fields(c, f, rtl_side));
    history_line(f->name, ref, rtl, to);
}

void unit_history(const struct unit_inst *i, FILE *to)
{
    const struct unit *u = i->unit;
    const struct unit_cycle *before = NULL;
    uint64_t first = i->remembered > UNIT_HISTORY ? i->remembered - UNIT_HISTORY : 0;
    fprintf(to,
            "The last %" PRIu64 " cycles of %s, %s: what has changed since the one before. Where "
            "the RTL differs its value stands behind a slash.\n",
            i->remembered - first, u->stem, i->place);
    for (uint64_t n = first; n < i->remembered; n++) {
        const struct unit_cycle *c = &i->history[n % UNIT_HISTORY];
        fprintf(to, "cycle %" PRIu64 "%s\n", c->cycle,
                i->mismatches && c == inst_failed(i) ? "  <--" : "");
        for (unsigned f = 0; f < u->num_fields; f++)
            history_field(i, c, before, &u->fields[f], to);
        for (unsigned m = 0; m < u->num_memories; m++)
            history_memory(i, c, m, to);
        before = c;
    }
}
