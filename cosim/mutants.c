/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/mutants.c: how many small changes of a unit lockstep notices. All mutants are in one netlist, where an
 * input for each, mutant1 and so on, switches it on (tests/mutate/run.sh makes it). 63 of them run at once against the reference
 * (lanes.h), under the unit's constrained-random inputs, seed after seed, until a difference; lane 0 is the unchanged unit, in which
 * there must be none.
 * Usage: mutants NETLIST.aag CYCLES SEEDS, the mutants' numbers on standard input. Prints a line for each:
 *   NUMBER killed CYCLES FIELD    CYCLES in all until the first difference, on FIELD
 *   NUMBER survived CYCLES -
 * Exit status: 2 if the unchanged unit differs, or if the netlist is not the unit's. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cosim/check.h"
#include "cosim/lanes_memory.h"
#include "cosim/unit.h"

struct mutant {
    unsigned number;
    int input; /* that switches it on */
    uint64_t cycles;
    const char *field; /* NULL: no difference so far */
};

/* A field's bits in the netlist. */
struct port {
    const struct field *field;
    int *bit;
    unsigned bits;
    uint64_t *packed; /* what the reference has */
};

struct bench {
    const struct unit *unit;
    struct lanes *lanes;
    struct port *ports; /* one for each field */
    struct lanes_memory *memories;
    unsigned stages; /* of a cycle */
    int rst;
    struct mutant *in_lane[LANES]; /* that runs there; NULL: the unchanged unit */
    uint64_t active;               /* lanes that have a mutant */
};

__attribute__((noreturn)) static void stop(const char *what, const char *which)
{
    fprintf(stderr, "mutants: %s%s\n", what, which);
    exit(2);
}

static void *zeros(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory)
        stop("out of memory", "");
    return memory;
}

/* What one memory says may decide on what another one is asked. */
static void find_stages(struct bench *b)
{
    for (int changed = 1; changed; b->stages++) {
        if (b->stages == LANES_STAGES)
            stop("what memories are asked depends on what they say, without an end", "");
        changed = 0;
        for (unsigned i = 0; i < b->unit->num_memories; i++)
            changed |= lanes_memory_delay(&b->memories[i]);
    }
}

static void open_port(struct bench *b, struct port *p, const struct field *f)
{
    char name[96];
    const int is_input = f->kind == FIELD_IN;
    if (f->kind == FIELD_STATE)
        unit_register(b->unit, f, name, sizeof name);
    else
        snprintf(name, sizeof name, "%s", f->name);
    *p = (struct port){.field = f, .bits = field_bits(f)};
    p->bit = zeros(p->bits, sizeof *p->bit);
    p->packed = zeros(p->bits / 64 + 1, sizeof *p->packed);
    for (unsigned i = 0; i < p->bits; i++) {
        p->bit[i] = is_input ? lanes_input(b->lanes, name, i) : lanes_output(b->lanes, name, i);
        if (p->bit[i] < 0)
            stop("the netlist has not all bits of ", name);
    }
}

static void open_all(struct bench *b, const char *path)
{
    const struct unit *u = b->unit;
    if (!(b->lanes = lanes_open(path, stderr)))
        exit(2);
    b->ports = zeros(u->num_fields, sizeof *b->ports);
    for (unsigned i = 0; i < u->num_fields; i++)
        open_port(b, &b->ports[i], &u->fields[i]);
    b->memories = zeros(u->num_memories, sizeof *b->memories);
    for (unsigned i = 0; i < u->num_memories; i++)
        if (lanes_memory_open(&b->memories[i], b->lanes, &u->memories[i], stderr))
            exit(2);
    find_stages(b);
    b->rst = lanes_input(b->lanes, "rst", 0);
    if (unit_is_clocked(u) && b->rst < 0)
        stop("the netlist has no reset", "");
}

static void close_all(struct bench *b)
{
    for (unsigned i = 0; i < b->unit->num_fields; i++) {
        free(b->ports[i].bit);
        free(b->ports[i].packed);
    }
    for (unsigned i = 0; i < b->unit->num_memories; i++)
        lanes_memory_close(&b->memories[i]);
    free(b->ports);
    free(b->memories);
    lanes_close(b->lanes);
}

/* The lanes that differ are those of killed mutants; from now on the unchanged unit runs there. */
static void kill(struct bench *b, uint64_t lanes, const struct field *f, uint64_t cycles)
{
    if (lanes & 1)
        stop("the unchanged netlist differs from the reference on ", f->name);
    lanes &= b->active;
    b->active &= ~lanes;
    for (; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(lanes);
        b->in_lane[lane]->cycles += cycles;
        b->in_lane[lane]->field = f->name;
        lanes_set(b->lanes, b->in_lane[lane]->input, 0);
        b->in_lane[lane] = NULL;
    }
}

/* Once outputs have been compared with the registers, killed lanes can take those of lane 0. */
static void heal(struct bench *b, uint64_t lanes)
{
    for (; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(lanes);
        lanes_heal(b->lanes, lane);
        for (unsigned i = 0; i < b->unit->num_memories; i++)
            lanes_memory_heal(&b->memories[i], lane);
    }
}

static void drive(struct bench *b, const void *in)
{
    for (unsigned i = 0; i < b->unit->num_fields; i++) {
        struct port *p = &b->ports[i];
        if (p->field->kind != FIELD_IN)
            continue;
        field_pack(p->field, in, p->packed);
        for (unsigned bit = 0; bit < p->bits; bit++)
            lanes_set(b->lanes, p->bit[bit], lanes_spread(p->packed[bit / 64] >> bit % 64));
    }
}

static void settle(struct bench *b)
{
    for (unsigned stage = 0; stage < b->stages; stage++) {
        lanes_eval(b->lanes, stage);
        for (unsigned i = 0; i < b->unit->num_memories; i++)
            lanes_memory_read(&b->memories[i], stage);
    }
}

/* Packs what the reference has of one kind of fields. */
static void take(struct bench *b, enum field_kind kind, const void *fields)
{
    for (unsigned i = 0; i < b->unit->num_fields; i++)
        if (b->ports[i].field->kind == kind)
            field_pack(b->ports[i].field, fields, b->ports[i].packed);
}

static void compare(struct bench *b, enum field_kind kind, uint64_t cycles)
{
    for (unsigned i = 0; i < b->unit->num_fields; i++) {
        const struct port *p = &b->ports[i];
        uint64_t differ = 0;
        if (p->field->kind != kind)
            continue;
        for (unsigned bit = 0; bit < p->bits; bit++)
            differ |=
                lanes_get(b->lanes, p->bit[bit]) ^ lanes_spread(p->packed[bit / 64] >> bit % 64);
        if (differ)
            kill(b, differ, p->field, cycles);
    }
}

static void edge(struct bench *b, uint64_t cycles)
{
    for (unsigned i = 0; i < b->unit->num_memories; i++) {
        const uint64_t differ = lanes_memory_write(&b->memories[i]);
        if (differ & b->active)
            kill(b, differ & b->active, b->memories[i].field, cycles);
    }
    lanes_edge(b->lanes);
}

static void reset(struct bench *b, uint64_t seed)
{
    if (!unit_is_clocked(b->unit))
        return;
    lanes_scramble(b->lanes, seed);
    lanes_set(b->lanes, b->rst, ~UINT64_C(0));
    settle(b);
    lanes_edge(b->lanes);
    lanes_set(b->lanes, b->rst, 0);
}

/* The words of a MEMORY of the reference. */
static const uint64_t *words_of(const struct lanes_memory *m, struct unit_inst *i)
{
    return (const uint64_t *)((const char *)unit_state(i) + m->field->offset);
}

/* One seed with the mutants that stand in the lanes. */
static void run(struct bench *b, uint64_t seed, uint64_t cycles)
{
    const struct unit *u = b->unit;
    struct unit_inst *reference = unit_open(u, BACKEND_C, "mutant");
    uint8_t *in = zeros(u->size[FIELD_IN] + u->size[FIELD_OUT], 1), *out = in + u->size[FIELD_IN];
    if (!reference)
        stop("out of memory", "");
    struct stimulus s = stimulus_start(seed), during_reset = s;
    unit_preset(reference, seed);
    during_reset.state = unit_state(reference);
    /* Zeros, or the start of a kernel, which often comes first, would clear what the reset has missed. */
    for (; during_reset.cycle < 16; stimulus_next(&during_reset))
        checked_stimulus(&during_reset, in);
    drive(b, in);
    reset(b, seed);
    for (unsigned i = 0; i < u->num_memories; i++)
        lanes_memory_fill(&b->memories[i], words_of(&b->memories[i], reference));
    while (s.cycle < cycles && b->active) {
        const uint64_t before = b->active;
        s.state = unit_state(reference);
        take(b, FIELD_STATE, s.state);
        checked_stimulus(&s, in);
        unit_set_clock(u, in, s.clock);
        unit_step(reference, s.cycle, in, out);
        take(b, FIELD_OUT, out);
        drive(b, in);
        settle(b);
        stimulus_next(&s);
        compare(b, FIELD_OUT, s.cycle);
        compare(b, FIELD_STATE, s.cycle);
        edge(b, s.cycle);
        heal(b, before & ~b->active);
    }
    take(b, FIELD_STATE, unit_state(reference));
    settle(b);
    compare(b, FIELD_STATE, s.cycle);
    for (unsigned i = 0; i < u->num_memories; i++)
        if (!lanes_memory_equal(&b->memories[i], words_of(&b->memories[i], reference)))
            kill(b, 1, b->memories[i].field, s.cycle);
    free(in);
    unit_close(reference);
}

/* One seed with all mutants that have survived so far. Returns how many are left. */
static size_t run_all(struct bench *b, struct mutant *mutants, size_t count, uint64_t seed,
                      uint64_t cycles)
{
    size_t next = 0, left = 0;
    while (next < count) {
        unsigned lane = 1;
        for (memset(b->in_lane, 0, sizeof b->in_lane); next < count && lane < LANES; next++)
            if (!mutants[next].field) {
                b->in_lane[lane] = &mutants[next];
                lanes_set(b->lanes, mutants[next].input, UINT64_C(1) << lane++);
            }
        b->active = (lane < LANES ? UINT64_C(1) << lane : 0) - 2;
        if (lane > 1)
            run(b, seed, cycles);
        for (lane = 1; lane < LANES; lane++)
            if (b->in_lane[lane]) {
                b->in_lane[lane]->cycles += cycles;
                lanes_set(b->lanes, b->in_lane[lane]->input, 0);
                left++;
            }
    }
    return left;
}

int main(int argc, char **argv)
{
    struct bench b = {.unit = checked_unit};
    struct mutant *mutants = zeros(1, sizeof *mutants);
    size_t count = 0, left;
    time_t told = time(NULL);
    if (argc != 4) {
        fprintf(stderr, "usage: mutants NETLIST.aag CYCLES SEEDS <NUMBERS\n");
        return 2;
    }
    const uint64_t cycles = strtoull(argv[2], NULL, 10), seeds = strtoull(argv[3], NULL, 10);
    open_all(&b, argv[1]);
    while (scanf("%u", &mutants[count].number) == 1) {
        char name[32];
        snprintf(name, sizeof name, "mutant%u", mutants[count].number);
        if ((mutants[count].input = lanes_input(b.lanes, name, 0)) < 0)
            stop("the netlist has no ", name);
        mutants = realloc(mutants, (++count + 1) * sizeof *mutants);
        if (!mutants)
            stop("out of memory", "");
        mutants[count] = (struct mutant){0};
    }
    left = count;
    for (uint64_t seed = 1; seed <= seeds && left; seed++) {
        left = run_all(&b, mutants, count, seed, cycles);
        if (time(NULL) >= told + 15) {
            fprintf(stderr, "           %zu of %zu left after %" PRIu64 " of %" PRIu64 " seeds\n",
                    left, count, seed, seeds);
            told = time(NULL);
        }
    }
    for (size_t i = 0; i < count; i++)
        printf("%u %s %" PRIu64 " %s\n", mutants[i].number,
               mutants[i].field ? "killed" : "survived", mutants[i].cycles,
               mutants[i].field ? mutants[i].field : "-");
    free(mutants);
    close_all(&b);
    return fclose(stdout) ? 2 : 0;
}
