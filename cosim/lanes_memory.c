/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/lanes_memory.c: see lanes_memory.h. */
#include "cosim/lanes_memory.h"

#include <stdlib.h>
#include <string.h>

typedef int find_fn(const struct lanes *, const char *, unsigned);

/* How many bits a port has. */
static unsigned bits_of(const struct lanes_memory *m, const char *port, find_fn *find)
{
    char name[96];
    unsigned bits = 0;
    snprintf(name, sizeof name, "%s.%s", m->field->name, port);
    while (find(m->lanes, name, bits) >= 0)
        bits++;
    return bits;
}

/* The numbers of a port's bits; NULL: it has not as many, or there is no memory. */
static int *port_of(const struct lanes_memory *m, const char *port, find_fn *find, unsigned bits)
{
    char name[96];
    int *numbers = bits_of(m, port, find) == bits ? calloc(bits + 1u, sizeof *numbers) : NULL;
    snprintf(name, sizeof name, "%s.%s", m->field->name, port);
    for (unsigned i = 0; numbers && i < bits; i++)
        numbers[i] = find(m->lanes, name, i);
    return numbers;
}

int lanes_memory_open(struct lanes_memory *m, struct lanes *lanes, const struct field *f, FILE *err)
{
    char name[96];
    *m = (struct lanes_memory){.lanes = lanes, .field = f, .address_bits = 1};
    while (f->count > 1u << m->address_bits)
        m->address_bits++;
    snprintf(name, sizeof name, "%s.write", f->name);
    m->write = lanes_output(lanes, name, 0);
    m->reads = bits_of(m, "read_data", lanes_input) / f->width;
    m->write_address = port_of(m, "write_address", lanes_output, m->address_bits);
    m->write_data = port_of(m, "write_data", lanes_output, f->width);
    m->read_address = port_of(m, "read_address", lanes_output, m->reads * m->address_bits);
    m->read_data = port_of(m, "read_data", lanes_input, m->reads * f->width);
    m->word = calloc((size_t)f->count * f->width, sizeof *m->word);
    if (m->write >= 0 && m->write_address && m->write_data && m->read_address && m->read_data &&
        m->word)
        return 0;
    fprintf(err, "MEMORY %s: the netlist has not its ports, or there is no host memory\n", f->name);
    return -1;
}

void lanes_memory_close(struct lanes_memory *m)
{
    free(m->write_address);
    free(m->write_data);
    free(m->read_address);
    free(m->read_data);
    free(m->word);
}

void lanes_memory_fill(struct lanes_memory *m, const uint64_t *words)
{
    const struct field *f = m->field;
    for (unsigned w = 0; w < f->count; w++)
        for (unsigned b = 0; b < f->width; b++)
            m->word[(size_t)w * f->width + b] = lanes_spread(words[w] >> b);
}

int lanes_memory_equal(const struct lanes_memory *m, const uint64_t *words)
{
    const struct field *f = m->field;
    int equal = 1;
    for (unsigned w = 0; w < f->count; w++)
        for (unsigned b = 0; b < f->width; b++)
            equal &= (m->word[(size_t)w * f->width + b] & 1) == (words[w] >> b & 1);
    return equal;
}

void lanes_memory_heal(struct lanes_memory *m, unsigned lane)
{
    const uint64_t bit = UINT64_C(1) << lane;
    for (size_t i = 0; i < (size_t)m->field->count * m->field->width; i++)
        m->word[i] = (m->word[i] & ~bit) | (lanes_spread(m->word[i]) & bit);
}

/* An address as each lane drives it: that of a lane, and the lanes that have another one. */
struct asked {
    uint64_t bits[32];
    unsigned count;
};

static struct asked asked_of(const struct lanes_memory *m, const int *address)
{
    struct asked a = {.count = m->address_bits};
    for (unsigned i = 0; i < a.count; i++)
        a.bits[i] = lanes_get(m->lanes, address[i]);
    return a;
}

static uint32_t address_in(const struct asked *a, unsigned lane)
{
    uint32_t address = 0;
    for (unsigned i = 0; i < a->count; i++)
        address |= (uint32_t)(a->bits[i] >> lane & 1) << i;
    return address;
}

/* The lanes whose address is that of this lane. */
static uint64_t alike(const struct asked *a, unsigned lane)
{
    uint64_t differ = 0;
    for (unsigned i = 0; i < a->count; i++)
        differ |= a->bits[i] ^ lanes_spread(a->bits[i] >> lane);
    return ~differ;
}

/* Lanes that ask for the same word are served together. */
static void read_port(struct lanes_memory *m, unsigned port)
{
    const struct field *f = m->field;
    const struct asked asked = asked_of(m, &m->read_address[(size_t)port * m->address_bits]);
    uint64_t data[64] = {0}, left = ~UINT64_C(0);
    while (left) {
        const unsigned lane = (unsigned)__builtin_ctzll(left);
        const uint32_t address = address_in(&asked, lane);
        const uint64_t group = alike(&asked, lane);
        for (unsigned b = 0; b < f->width && address < f->count; b++)
            data[b] |= m->word[(size_t)address * f->width + b] & group;
        left &= ~group;
    }
    for (unsigned b = 0; b < f->width; b++)
        lanes_set(m->lanes, m->read_data[port * f->width + b], data[b]);
}

/* The stage in which a read port is asked. */
static unsigned stage_of(const struct lanes_memory *m, unsigned port)
{
    unsigned latest = 0;
    for (unsigned i = 0; i < m->address_bits; i++) {
        const unsigned stage = lanes_stage(m->lanes, m->read_address[port * m->address_bits + i]);
        latest = stage > latest ? stage : latest;
    }
    return latest;
}

int lanes_memory_delay(struct lanes_memory *m)
{
    int changed = 0;
    for (unsigned port = 0; port < m->reads; port++)
        for (unsigned b = 0; b < m->field->width; b++)
            changed |= lanes_delay(m->lanes, m->read_data[port * m->field->width + b],
                                   stage_of(m, port) + 1);
    return changed;
}

void lanes_memory_read(struct lanes_memory *m, unsigned stage)
{
    for (unsigned port = 0; port < m->reads; port++)
        if (stage_of(m, port) == stage)
            read_port(m, port);
}

/* Which lanes have another word than lane 0. */
static uint64_t differ_at(const struct lanes_memory *m, uint32_t address)
{
    const uint64_t *word = &m->word[(size_t)address * m->field->width];
    uint64_t differ = 0;
    for (unsigned b = 0; b < m->field->width; b++)
        differ |= word[b] ^ lanes_spread(word[b]);
    return differ;
}

uint64_t lanes_memory_write(struct lanes_memory *m)
{
    const struct field *f = m->field;
    const struct asked asked = asked_of(m, m->write_address);
    const uint64_t writes = lanes_get(m->lanes, m->write);
    uint64_t left = writes, differ = 0;
    while (left) {
        const unsigned lane = (unsigned)__builtin_ctzll(left);
        const uint32_t address = address_in(&asked, lane);
        const uint64_t group = alike(&asked, lane) & writes;
        left &= ~group;
        if (address >= f->count)
            continue;
        uint64_t *word = &m->word[(size_t)address * f->width];
        for (unsigned b = 0; b < f->width; b++)
            word[b] = (word[b] & ~group) | (lanes_get(m->lanes, m->write_data[b]) & group);
        differ |= differ_at(m, address);
    }
    return differ;
}
