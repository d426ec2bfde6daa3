/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/lanes.c: see lanes.h. Gates stand in the file so that each comes after what it reads: one pass is enough. */
#include "cosim/lanes.h"

#include <stdlib.h>
#include <string.h>

/* A signal, times two, and one more where it is inverted: AIGER's literals. */
typedef uint32_t literal;

struct gate {
    literal a, b;
    uint32_t to; /* its signal */
};

struct symbol {
    char *name; /* "waiting[3]", or "give" */
    int number;
};

struct lanes {
    uint64_t *value; /* of each signal: the constant 0, inputs, registers, gates */
    uint32_t num_inputs, num_registers, num_outputs, num_gates;
    literal *next, *output;           /* of each register, of each output */
    struct gate *gates, *staged;      /* as they stand in the file; by stage */
    uint8_t *stage;                   /* of each signal */
    uint32_t first[LANES_STAGES + 1]; /* of each stage's gates in `staged` */
    int is_staged;
    uint64_t *after; /* of each register, at the edge */
    struct symbol *inputs, *outputs;
};

static uint64_t get(const struct lanes *l, literal of)
{
    return l->value[of >> 1] ^ -(uint64_t)(of & 1);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct symbol *)a)->name, ((const struct symbol *)b)->name);
}

static int find(const struct symbol *symbols, uint32_t count, const char *name, unsigned bit)
{
    char text[160];
    struct symbol key = {.name = text}, *found;
    snprintf(text, sizeof text, "%s[%u]", name, bit);
    found = bsearch(&key, symbols, count, sizeof key, by_name);
    if (!found && bit == 0) {
        snprintf(text, sizeof text, "%s", name);
        found = bsearch(&key, symbols, count, sizeof key, by_name);
    }
    return found ? found->number : -1;
}

int lanes_input(const struct lanes *l, const char *name, unsigned bit)
{
    return find(l->inputs, l->num_inputs, name, bit);
}

int lanes_output(const struct lanes *l, const char *name, unsigned bit)
{
    return find(l->outputs, l->num_outputs, name, bit);
}

void lanes_set(struct lanes *l, int input, uint64_t value)
{
    l->value[1 + input] = value;
}

uint64_t lanes_get(const struct lanes *l, int output)
{
    return get(l, l->output[output]);
}

static void find_stages(struct lanes *l)
{
    for (uint32_t i = 0; i < l->num_gates; i++) {
        const struct gate *g = &l->gates[i];
        const uint8_t a = l->stage[g->a >> 1], b = l->stage[g->b >> 1];
        l->stage[g->to] = a > b ? a : b;
    }
}

int lanes_delay(struct lanes *l, int input, unsigned stage)
{
    uint8_t *of = &l->stage[1 + input];
    if (*of >= stage)
        return 0;
    *of = (uint8_t)stage;
    find_stages(l);
    return 1;
}

unsigned lanes_stage(const struct lanes *l, int output)
{
    return l->stage[l->output[output] >> 1];
}

/* Puts the gates in order; within a stage each still comes after what it reads. */
static void sort_gates(struct lanes *l)
{
    uint32_t count = 0;
    for (unsigned stage = 0; stage < LANES_STAGES; stage++) {
        l->first[stage] = count;
        for (uint32_t i = 0; i < l->num_gates; i++)
            if (l->stage[l->gates[i].to] == stage)
                l->staged[count++] = l->gates[i];
    }
    l->first[LANES_STAGES] = count;
    l->is_staged = 1;
}

void lanes_eval(struct lanes *l, unsigned stage)
{
    if (!l->is_staged)
        sort_gates(l);
    for (uint32_t i = l->first[stage]; i < l->first[stage + 1]; i++) {
        const struct gate *g = &l->staged[i];
        l->value[g->to] = get(l, g->a) & get(l, g->b);
    }
}

void lanes_edge(struct lanes *l)
{
    for (uint32_t i = 0; i < l->num_registers; i++)
        l->after[i] = get(l, l->next[i]);
    memcpy(&l->value[1 + l->num_inputs], l->after, l->num_registers * sizeof *l->after);
}

void lanes_scramble(struct lanes *l, uint64_t seed)
{
    uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    for (uint32_t i = 0; i < l->num_registers; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        l->value[1 + l->num_inputs + i] = random;
    }
}

void lanes_heal(struct lanes *l, unsigned lane)
{
    const uint64_t bit = UINT64_C(1) << lane;
    uint64_t *value = &l->value[1 + l->num_inputs];
    for (uint32_t i = 0; i < l->num_registers; i++)
        value[i] = (value[i] & ~bit) | (lanes_spread(value[i]) & bit);
}

/* Numbers of a line. Returns 0, or -1. */
static int read_numbers(FILE *f, uint32_t *numbers, int count)
{
    for (int i = 0; i < count; i++)
        if (fscanf(f, "%u", &numbers[i]) != 1)
            return -1;
    return 0;
}

/* The rest of a line, such as how a register starts, which is not of interest here. */
static void skip_line(FILE *f)
{
    int ch;
    do
        ch = fgetc(f);
    while (ch != '\n' && ch != EOF);
}

/* The lines up to the names: signals are numbered in the order in which they stand there. Returns NULL, or what is wrong. */
static const char *read_gates(struct lanes *l, FILE *f)
{
    const uint32_t first_gate = 1 + l->num_inputs + l->num_registers,
                   end = first_gate + l->num_gates;
    uint32_t n[3];
    for (uint32_t i = 0; i < l->num_inputs; i++)
        if (read_numbers(f, n, 1) || n[0] != 2 * (1 + i))
            return "an input out of order";
    for (uint32_t i = 0; i < l->num_registers; i++) {
        if (read_numbers(f, n, 2) || n[0] != 2 * (1 + l->num_inputs + i) || n[1] >= 2 * end)
            return "a register out of order";
        l->next[i] = n[1];
        skip_line(f);
    }
    for (uint32_t i = 0; i < l->num_outputs; i++) {
        if (read_numbers(f, n, 1) || n[0] >= 2 * end)
            return "an output of nothing";
        l->output[i] = n[0];
    }
    for (uint32_t i = 0; i < l->num_gates; i++) {
        const uint32_t self = 2 * (first_gate + i);
        if (read_numbers(f, n, 3) || n[0] != self || n[1] >= self || n[2] >= self)
            return "a gate out of order";
        l->gates[i] = (struct gate){n[1], n[2], self / 2};
    }
    return NULL;
}

/* Up to a line that is no name. Registers have names too, as many as they have wires, all in one line. */
static const char *read_names(struct lanes *l, FILE *f)
{
    uint32_t inputs = 0, outputs = 0, number;
    char kind, *line = NULL;
    int skip, failed = 0;
    size_t room = 0;
    skip_line(f); /* its end is all that is left of the last gate's */
    while (!failed && getline(&line, &room, f) > 0 &&
           sscanf(line, "%c%u %n", &kind, &number, &skip) == 2) {
        line[strcspn(line, "\n")] = '\0';
        struct symbol *s = kind == 'i' && number < l->num_inputs && inputs < l->num_inputs
                               ? &l->inputs[inputs++]
                           : kind == 'o' && number < l->num_outputs && outputs < l->num_outputs
                               ? &l->outputs[outputs++]
                               : NULL;
        if (!s)
            continue;
        *s = (struct symbol){strdup(line + skip), (int)number};
        failed = !s->name;
    }
    free(line);
    if (failed)
        return "no memory";
    if (inputs < l->num_inputs || outputs < l->num_outputs)
        return "an input or output without a name";
    qsort(l->inputs, inputs, sizeof *l->inputs, by_name);
    qsort(l->outputs, outputs, sizeof *l->outputs, by_name);
    return NULL;
}

static const char *read_all(struct lanes *l, FILE *f)
{
    uint32_t signals;
    if (fscanf(f, "aag %u %u %u %u %u", &signals, &l->num_inputs, &l->num_registers,
               &l->num_outputs, &l->num_gates) != 5 ||
        signals >= 1u << 30 || signals != (uint64_t)l->num_inputs + l->num_registers + l->num_gates)
        return "not of AIGER's text format";
    l->value = calloc(1u + signals, sizeof *l->value);
    l->next = calloc(l->num_registers + 1u, sizeof *l->next);
    l->after = calloc(l->num_registers + 1u, sizeof *l->after);
    l->output = calloc(l->num_outputs + 1u, sizeof *l->output);
    l->gates = calloc(l->num_gates + 1u, sizeof *l->gates);
    l->staged = calloc(l->num_gates + 1u, sizeof *l->staged);
    l->stage = calloc(1u + signals, sizeof *l->stage);
    l->inputs = calloc(l->num_inputs + 1u, sizeof *l->inputs);
    l->outputs = calloc(l->num_outputs + 1u, sizeof *l->outputs);
    if (!l->value || !l->next || !l->after || !l->output || !l->gates || !l->staged || !l->stage ||
        !l->inputs || !l->outputs)
        return "no memory";
    const char *wrong = read_gates(l, f);
    return wrong ? wrong : read_names(l, f);
}

struct lanes *lanes_open(const char *path, FILE *err)
{
    FILE *f = fopen(path, "r");
    struct lanes *l = calloc(1, sizeof *l);
    const char *wrong = !f ? "cannot be read" : !l ? "no memory" : read_all(l, f);
    if (f)
        fclose(f);
    if (!wrong)
        return l;
    fprintf(err, "%s: %s\n", path, wrong);
    lanes_close(l);
    return NULL;
}

void lanes_close(struct lanes *l)
{
    if (!l)
        return;
    for (uint32_t i = 0; l->inputs && i < l->num_inputs; i++)
        free(l->inputs[i].name);
    for (uint32_t i = 0; l->outputs && i < l->num_outputs; i++)
        free(l->outputs[i].name);
    free(l->value);
    free(l->next);
    free(l->after);
    free(l->output);
    free(l->gates);
    free(l->staged);
    free(l->stage);
    free(l->inputs);
    free(l->outputs);
    free(l);
}
