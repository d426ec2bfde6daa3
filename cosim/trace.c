/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/trace.c: a unit instance in a waveform. Its scopes hold the contract's fields by their own
 * names: in.*, ref.*, rtl.*, and differ.* with one bit per field. The save file shows reference and
 * RTL side by side, outputs, registers, memories and inputs in groups that can be folded. */
#include <stdlib.h>
#include <string.h>

#include "cosim/inst.h"
#include "cosim/wave.h"

/* Where a field's handle stands in unit_inst.signals: one row of columns per field. */
enum column { COLUMN_IN, COLUMN_REF, COLUMN_RTL, COLUMN_DIFFER, NUM_COLUMNS };
static const char *const column_scopes[NUM_COLUMNS] = {"in", "ref", "rtl", "differ"};

/* Of a MEMORY the wave shows the word that changes at the edge of a cycle, not the contents. */
struct memory_signals {
    unsigned write[NUM_SIDES], address[NUM_SIDES], data[NUM_SIDES], differ;
};

static int has_column(const struct unit_inst *i, const struct field *f, enum column column)
{
    switch (column) {
    case COLUMN_IN: return f->kind == FIELD_IN;
    case COLUMN_REF: return f->kind != FIELD_IN && inst_has(i, SIDE_REF);
    case COLUMN_RTL: return f->kind != FIELD_IN && inst_has(i, SIDE_RTL);
    default: return f->kind != FIELD_IN && i->backend == BACKEND_LOCKSTEP;
    }
}

static unsigned declare_field(const struct unit *u, const struct field *f, enum column column,
                              struct wave *w)
{
    const struct fsm *fsm = unit_field_fsm(u, f);
    struct wave_name names[u->num_names + (fsm ? fsm->num_states : 0) + 1];
    unsigned num_names = 0;
    if (column == COLUMN_DIFFER)
        return wave_signal(w, f->name, 1, NULL, 0);
    for (unsigned n = 0; n < u->num_names; n++)
        if (f->count == 1 && !strcmp(u->names[n].field, f->name))
            names[num_names++] = (struct wave_name){u->names[n].value, u->names[n].id};
    for (unsigned n = 0; fsm && n < fsm->num_states; n++)
        names[num_names++] = (struct wave_name){n, fsm->states[n].name};
    if (field_is_set(f))
        return wave_array(w, f->name, field_bits(f), 1);
    return f->count > 1 ? wave_array(w, f->name, f->count, f->width)
                        : wave_signal(w, f->name, f->width, names, num_names);
}

/* Small numbers in decimal, as a report prints them. */
static enum viewers_form view(const struct field *f, enum column column)
{
    if (column == COLUMN_DIFFER)
        return VIEW_ALARM;
    return f->width > 6 ? VIEW_HEX : VIEW_DECIMAL;
}

static void show_memory(const struct unit_inst *i, unsigned n, struct wave *w)
{
    const struct memory_signals *s = &i->memory_signals[n];
    for (enum unit_side side = 0; side < NUM_SIDES; side++)
        if (inst_has(i, side)) {
            wave_show(w, s->write[side], VIEW_DECIMAL);
            wave_show(w, s->address[side], VIEW_DECIMAL);
            wave_show(w, s->data[side], VIEW_HEX);
        }
    if (i->backend == BACKEND_LOCKSTEP)
        wave_show(w, s->differ, VIEW_ALARM);
}

static void show_fields(const struct unit_inst *i, enum field_kind kind, const char *name,
                        struct wave *w)
{
    unsigned any = 0;
    for (unsigned f = 0; f < i->unit->num_fields; f++) {
        const struct field *field = &i->unit->fields[f];
        if (field->kind != kind)
            continue;
        if (!any++)
            wave_group(w, name, 0);
        for (enum column c = 0; c < NUM_COLUMNS; c++)
            if (has_column(i, field, c))
                wave_show(w, i->signals[f * NUM_COLUMNS + c], view(field, c));
    }
    if (any)
        wave_group_end(w, name, 0);
}

void unit_trace_show(const struct unit_inst *i, struct wave *w)
{
    char title[128];
    snprintf(title, sizeof title, "%s, %s", i->unit->stem, i->place);
    wave_group(w, title, 0);
    show_fields(i, FIELD_OUT, "outputs", w);
    show_fields(i, FIELD_STATE, "registers", w);
    if (i->unit->num_memories) {
        wave_group(w, "memories: the word written at the end of the cycle", 0);
        for (unsigned n = 0; n < i->unit->num_memories; n++)
            show_memory(i, n, w);
        wave_group_end(w, "memories: the word written at the end of the cycle", 0);
    }
    show_fields(i, FIELD_IN, "inputs", w);
    wave_group_end(w, title, 0);
}

static void declare_memory(struct unit_inst *i, unsigned n, enum column column, struct wave *w)
{
    static const char *const parts[] = {"write", "address", "data"};
    const struct field *m = &i->unit->memories[n];
    struct memory_signals *s = &i->memory_signals[n];
    const enum unit_side side = column == COLUMN_RTL ? SIDE_RTL : SIDE_REF;
    unsigned *const signals[] = {&s->write[side], &s->address[side], &s->data[side]};
    unsigned address_bits = 1;
    while (address_bits < 32 && (m->count - 1) >> address_bits)
        address_bits++;
    const unsigned bits[] = {1, address_bits, m->width};
    if (column == COLUMN_DIFFER && i->backend == BACKEND_LOCKSTEP)
        s->differ = wave_signal(w, m->name, 1, NULL, 0);
    if ((column != COLUMN_REF && column != COLUMN_RTL) || !inst_has(i, side))
        return;
    for (unsigned p = 0; p < 3; p++) {
        char name[96];
        snprintf(name, sizeof name, "%s_%s", m->name, parts[p]);
        *signals[p] = wave_signal(w, name, bits[p], NULL, 0);
    }
}

int unit_trace_declare(struct unit_inst *i, struct wave *w)
{
    const struct unit *u = i->unit;
    i->signals = calloc((size_t)u->num_fields * NUM_COLUMNS, sizeof *i->signals);
    i->memory_signals = calloc(u->num_memories + 1u, sizeof *i->memory_signals);
    if (!i->signals || !i->memory_signals)
        return -1;
    inst_memories_read(i);
    wave_scope(w, u->stem);
    for (enum column c = 0; c < NUM_COLUMNS; c++) {
        wave_scope(w, column_scopes[c]);
        for (unsigned f = 0; f < u->num_fields; f++)
            if (has_column(i, &u->fields[f], c))
                i->signals[f * NUM_COLUMNS + c] = declare_field(u, &u->fields[f], c, w);
        for (unsigned m = 0; m < u->num_memories; m++)
            declare_memory(i, m, c, w);
        wave_up(w);
    }
    wave_up(w);
    return 0;
}

static void trace_memory(struct unit_inst *i, const struct unit_cycle *c, unsigned n,
                         struct wave *w)
{
    const struct memory_signals *s = &i->memory_signals[n];
    for (enum unit_side side = 0; side < NUM_SIDES; side++)
        if (inst_has(i, side)) {
            const struct memory_write *write = &c->writes[side][n];
            wave_set(w, s->write[side], &write->write);
            wave_set(w, s->address[side], &write->address);
            wave_set(w, s->data[side], &write->data);
        }
    if (i->backend == BACKEND_LOCKSTEP) {
        const struct memory_write *ref = &c->writes[SIDE_REF][n], *rtl = &c->writes[SIDE_RTL][n];
        const uint64_t differs =
            ref->write != rtl->write || ref->address != rtl->address || ref->data != rtl->data;
        wave_set(w, s->differ, &differs);
    }
}

void unit_trace(struct unit_inst *i, struct wave *w, uint64_t cycle, const void *in)
{
    const struct unit *u = i->unit;
    if (!i->signals)
        return;
    if (!i->remembered || i->history[(i->remembered - 1) % UNIT_HISTORY].cycle != cycle)
        inst_peek(i, cycle, in);
    const struct unit_cycle *c = &i->history[(i->remembered - 1) % UNIT_HISTORY];
    for (unsigned n = 0; n < u->num_fields; n++) {
        const struct field *f = &u->fields[n];
        const unsigned *signal = &i->signals[n * NUM_COLUMNS];
        uint64_t words[(field_bits(f) + 63) / 64];
        for (enum column column = COLUMN_IN; column <= COLUMN_RTL; column++)
            if (has_column(i, f, column)) {
                field_pack(f, cycle_fields(c, f, column == COLUMN_RTL ? SIDE_RTL : SIDE_REF),
                           words);
                wave_set(w, signal[column], words);
            }
        if (has_column(i, f, COLUMN_DIFFER)) {
            uint64_t differs =
                !field_equal(f, cycle_fields(c, f, SIDE_REF), cycle_fields(c, f, SIDE_RTL));
            wave_set(w, signal[COLUMN_DIFFER], &differs);
        }
    }
    for (unsigned n = 0; n < u->num_memories; n++)
        trace_memory(i, c, n, w);
}
