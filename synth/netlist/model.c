/* SPDX-License-Identifier: Apache-2.0 */
/* synth/netlist/model.c: see model.h. */
#include "synth/netlist/model.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/bits.h"

/* A field of the contract, or a pin of a MEMORY, and its nets. */
struct port {
    const uint32_t *net;
    unsigned bits;
};

struct memory {
    const struct field *field;
    struct port write, write_address, write_data, read_address, read_data;
    uint64_t *words;
};

struct model {
    struct simulator *simulator;
    struct measured measured;
    uint64_t *packed; /* room for the widest field */
    int is_first;     /* no cycle since the reset */
    uint64_t *words;  /* of all memories */
    struct memory memory[];
};

/* What instances are of. */
static struct {
    const struct netlist *netlist;
    const struct unit *unit;
    struct port *ports;      /* of each field */
    struct memory *memories; /* without words */
    struct port reset;
    FILE *err;
} used;

/* The nets of a signal. */
static int find_port(const char *name, unsigned bits, struct port *p)
{
    const struct netlist_signal *s = netlist_signal(used.netlist, name);
    if (!s)
        return netlist_error(used.netlist, used.err, 1, "no '%s', which the contract of %s has",
                             name, used.unit->stem);
    if (bits && s->bits != bits)
        return netlist_error(used.netlist, used.err, 1,
                             "'%s' has %u bits; the contract of %s says %u", name, s->bits,
                             used.unit->stem, bits);
    *p = (struct port){s->net, s->bits};
    return 0;
}

static int find_memory(const struct field *f, struct memory *m)
{
    static const char *const pins[] = {"write", "write_address", "write_data", "read_address",
                                       "read_data"};
    struct port *const ports[] = {&m->write, &m->write_address, &m->write_data, &m->read_address,
                                  &m->read_data};
    char name[200];
    *m = (struct memory){.field = f};
    for (unsigned i = 0; i < sizeof pins / sizeof pins[0]; i++) {
        snprintf(name, sizeof name, "%s.%s", f->name, pins[i]);
        if (find_port(name, 0, ports[i]))
            return -1;
    }
    if (m->write_data.bits != f->width || m->read_data.bits % f->width ||
        m->read_address.bits != m->read_data.bits / f->width * m->write_address.bits)
        return netlist_error(used.netlist, used.err, 1,
                             "the memory '%s' has other widths than in %s", f->name,
                             used.unit->stem);
    return 0;
}

int netlist_model_use(const struct netlist *n, const struct unit *u, FILE *err)
{
    char name[200];
    free(used.ports);
    free(used.memories);
    used.netlist = n;
    used.unit = u;
    used.err = err;
    used.ports = calloc(u->num_fields + 1u, sizeof *used.ports);
    used.memories = calloc(u->num_memories + 1u, sizeof *used.memories);
    if (!used.ports || !used.memories)
        return netlist_error(n, err, 1, "no memory");
    for (unsigned f = 0; f < u->num_fields; f++) {
        const struct field *field = &u->fields[f];
        snprintf(name, sizeof name, "%s", field->name);
        if (field->kind == FIELD_STATE)
            unit_register(u, field, name, sizeof name);
        if (find_port(name, field_bits(field), &used.ports[f]))
            return -1;
    }
    for (unsigned m = 0; m < u->num_memories; m++)
        if (find_memory(&u->memories[m], &used.memories[m]))
            return -1;
    return unit_is_clocked(u) ? find_port("rst", 1, &used.reset) : 0;
}

static uint64_t get(const struct model *m, const struct port *p, unsigned from, unsigned bits)
{
    uint64_t value = 0;
    for (unsigned b = 0; b < bits; b++)
        value |= (uint64_t)m->simulator->value[p->net[from + b]] << b;
    return value;
}

static void set(const struct model *m, const struct port *p, unsigned from, unsigned bits,
                uint64_t value)
{
    for (unsigned b = 0; b < bits; b++)
        simulator_set(m->simulator, p->net[from + b], value >> b & 1);
}

/* All memories show the words that are asked for. Returns whether one of them shows another than before. */
static int read_memories(struct model *m)
{
    int changed = 0;
    for (unsigned n = 0; n < used.unit->num_memories; n++) {
        const struct memory *y = &m->memory[n];
        const unsigned width = y->field->width, address = y->write_address.bits;
        for (unsigned r = 0; r < y->read_data.bits / width; r++) {
            const uint64_t at = get(m, &y->read_address, r * address, address),
                           word = at < y->field->count ? y->words[at] : 0;
            changed |= get(m, &y->read_data, r * width, width) != word;
            set(m, &y->read_data, r * width, width, word);
        }
    }
    return changed;
}

/* What is read may be where to read. */
static void settle(struct model *m)
{
    simulator_settle(m->simulator);
    while (read_memories(m))
        simulator_settle(m->simulator);
}

static void get_fields(struct model *m, enum field_kind kind, void *to)
{
    for (unsigned f = 0; f < used.unit->num_fields; f++) {
        const struct field *field = &used.unit->fields[f];
        const struct port *p = &used.ports[f];
        if (field->kind != kind)
            continue;
        for (unsigned b = 0; b < p->bits; b += 64)
            m->packed[b / 64] = get(m, p, b, p->bits - b < 64 ? p->bits - b : 64);
        bits_unpack((uint64_t *)((char *)to + field->offset), m->packed, field->per_word, p->bits);
    }
}

static void set_fields(struct model *m, const void *in)
{
    for (unsigned f = 0; f < used.unit->num_fields; f++) {
        const struct port *p = &used.ports[f];
        if (used.unit->fields[f].kind != FIELD_IN)
            continue;
        field_pack(&used.unit->fields[f], in, m->packed);
        for (unsigned b = 0; b < p->bits; b += 64)
            set(m, p, b, p->bits - b < 64 ? p->bits - b : 64, m->packed[b / 64]);
    }
}

static void outputs(void *model, const void *in, void *out)
{
    struct model *m = model;
    set_fields(m, in);
    settle(m);
    get_fields(m, FIELD_OUT, out);
}

static void state(void *model, void *to)
{
    get_fields(model, FIELD_STATE, to);
}

static void sample(void *model, const void *in, void *out, void *to)
{
    outputs(model, in, out);
    state(model, to);
}

static void writes(void *model, struct memory_write *w)
{
    const struct model *m = model;
    for (unsigned n = 0; n < used.unit->num_memories; n++) {
        const struct memory *y = &m->memory[n];
        w[n] = (struct memory_write){get(m, &y->write, 0, 1),
                                     get(m, &y->write_address, 0, y->write_address.bits),
                                     get(m, &y->write_data, 0, y->write_data.bits)};
    }
}

static void clock_edge(struct model *m)
{
    for (unsigned n = 0; n < used.unit->num_memories; n++) {
        const struct memory *y = &m->memory[n];
        const uint64_t at = get(m, &y->write_address, 0, y->write_address.bits);
        if (get(m, &y->write, 0, 1) && at < y->field->count)
            y->words[at] = get(m, &y->write_data, 0, y->write_data.bits);
    }
    simulator_edge(m->simulator);
}

static void edge(void *model)
{
    struct model *m = model;
    if (m->is_first) {
        energy_start(m->measured.energy);
        switching_start(&m->measured.switching);
    } else {
        simulator_compare(m->simulator);
        energy_cycle(m->measured.energy);
        switching_cycle(&m->measured.switching);
    }
    m->is_first = 0;
    clock_edge(m);
}

static void reset(void *model)
{
    struct model *m = model;
    if (used.reset.bits) {
        set(m, &used.reset, 0, 1, 1);
        settle(m);
        clock_edge(m);
        set(m, &used.reset, 0, 1, 0);
    }
    m->is_first = 1;
}

static void contents(void *model, uint64_t *words)
{
    const struct model *m = model;
    for (unsigned n = 0; n < used.unit->num_memories; n++) {
        memcpy(words, m->memory[n].words, m->memory[n].field->count * sizeof *words);
        words += m->memory[n].field->count;
    }
}

static void preset(void *model, const uint64_t *words)
{
    struct model *m = model;
    for (unsigned n = 0; n < used.unit->num_memories; n++) {
        memcpy(m->memory[n].words, words, m->memory[n].field->count * sizeof *words);
        words += m->memory[n].field->count;
    }
}

static void close_model(void *model)
{
    struct model *m = model;
    if (!m)
        return;
    energy_close(m->measured.energy);
    switching_close(&m->measured.switching);
    simulator_close(m->simulator);
    free(m->packed);
    free(m->words);
    free(m);
}

/* The words of all memories, one behind the other. */
static int take_words(struct model *m)
{
    size_t count = 1;
    for (unsigned n = 0; n < used.unit->num_memories; n++)
        count += used.memories[n].field->count;
    uint64_t *word = m->words = calloc(count, sizeof *word);
    for (unsigned n = 0; n < used.unit->num_memories && word; n++) {
        m->memory[n] = used.memories[n];
        m->memory[n].words = word;
        word += m->memory[n].field->count;
    }
    return word ? 0 : -1;
}

static void *open_model(void)
{
    const struct unit *u = used.unit;
    struct model *m = calloc(1, sizeof *m + u->num_memories * sizeof *m->memory);
    unsigned widest = 0;
    if (!m)
        return NULL;
    for (unsigned f = 0; f < u->num_fields; f++)
        if (used.ports[f].bits > widest)
            widest = used.ports[f].bits;
    m->packed = calloc(widest / 64 + 1, sizeof *m->packed);
    if (!m->packed || take_words(m) || !(m->simulator = simulator_open(used.netlist, used.err)) ||
        !(m->measured.energy = energy_open(m->simulator, used.err)) ||
        switching_open(&m->measured.switching, m->simulator)) {
        close_model(m);
        return NULL;
    }
    reset(m);
    return m;
}

const struct measured *netlist_model_measured(const void *model)
{
    return &((const struct model *)model)->measured;
}

const struct unit_model netlist_model = {open_model, close_model, sample, outputs,  state,
                                         edge,       reset,       writes, contents, preset};
