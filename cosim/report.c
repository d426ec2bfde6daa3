/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/report.c: what a person reads after a mismatch. See unit.h. */
#include <inttypes.h>
#include <string.h>

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

/* A whole field: an array of single bits is one hexadecimal number, if there is room for it. */
static void print_field(char *text, size_t size, const struct unit *u, const struct field *f,
                        const void *fields)
{
    uint64_t words[(field_bits(f) + 63) / 64];
    field_pack(f, fields, words);
    if (f->count == 1) {
        print_element(text, size, u, f, field_get(f, fields, 0));
    } else if (f->width == 1 && f->count / 4 + 4 < size) {
        unsigned word = (f->count - 1) / 64;
        int length =
            snprintf(text, size, "0x%0*" PRIx64, (int)(f->count - 64 * word + 3) / 4, words[word]);
        while (word--)
            length += snprintf(text + length, size - (size_t)length, "%016" PRIx64, words[word]);
    } else {
        snprintf(text, size, "(%u x %u bits)", f->count, f->width);
    }
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
    char name[64], ref[VALUE_SIZE], rtl[VALUE_SIZE];
    if (f->scalar || (f->width == 1 && f->count <= 64)) {
        print_field(ref, sizeof ref, i->unit, f, ref_fields);
        print_field(rtl, sizeof rtl, i->unit, f, rtl_fields);
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

const char *inst_difference(const struct unit_inst *i)
{
    const struct unit_cycle *c = &i->history[(i->remembered - 1) % UNIT_HISTORY];
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
    const struct unit_cycle *c = &i->history[(i->remembered - 1) % UNIT_HISTORY];
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

/* The writes of a cycle; the RTL's behind a slash where it differs. */
static void history_memory(const struct unit_inst *i, const struct unit_cycle *c, unsigned n,
                           FILE *to)
{
    const struct field *m = &i->unit->memories[n];
    char ref[VALUE_SIZE], rtl[VALUE_SIZE];
    print_write(ref, sizeof ref, i->unit, m,
                &c->writes[inst_has(i, SIDE_REF) ? SIDE_REF : SIDE_RTL][n]);
    print_write(rtl, sizeof rtl, i->unit, m,
                &c->writes[inst_has(i, SIDE_RTL) ? SIDE_RTL : SIDE_REF][n]);
    if (strcmp(ref, rtl))
        fprintf(to, "  %s%s/%s", m->name, ref, rtl);
    else if (strcmp(ref, "-"))
        fprintf(to, "  %s%s", m->name, ref);
}

void unit_history(const struct unit_inst *i, FILE *to)
{
    const struct unit *u = i->unit;
    uint64_t first = i->remembered > UNIT_HISTORY ? i->remembered - UNIT_HISTORY : 0;
    char text[VALUE_SIZE], other[VALUE_SIZE];
    fprintf(to,
            "The last %" PRIu64
            " cycles of %s, %s. Where the RTL differs its value stands behind a slash.\n",
            i->remembered - first, u->stem, i->place);
    for (uint64_t n = first; n < i->remembered; n++) {
        const struct unit_cycle *c = &i->history[n % UNIT_HISTORY];
        fprintf(to, "cycle %" PRIu64 "%s\n", c->cycle,
                n + 1 == i->remembered && i->mismatches ? "  <--" : "");
        for (unsigned f = 0; f < u->num_fields; f++) {
            const struct field *field = &u->fields[f];
            const void *ref = cycle_fields(c, field, inst_has(i, SIDE_REF) ? SIDE_REF : SIDE_RTL),
                       *rtl = cycle_fields(c, field, inst_has(i, SIDE_RTL) ? SIDE_RTL : SIDE_REF);
            print_field(text, sizeof text, u, field, ref);
            fprintf(to, "  %s=%s", field->name, text);
            if (field->kind != FIELD_IN && !field_equal(field, ref, rtl)) {
                print_field(other, sizeof other, u, field, rtl);
                fprintf(to, "/%s", other);
            }
        }
        for (unsigned m = 0; m < u->num_memories; m++)
            history_memory(i, c, m, to);
        fputc('\n', to);
    }
}
