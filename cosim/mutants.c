/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/mutants.c: how many small changes of a unit lockstep notices. All mutants are in one
 * Verilated netlist, chosen by its input `mutsel` (tests/mutate/run.sh makes it). Each runs against
 * the reference under the unit's constrained-random inputs, seed after seed, until a difference.
 * Usage: mutants UNIT COUNT CYCLES SEEDS; prints one line per mutant, NUMBER killed CYCLES FIELD
 * CYCLES in all until the first difference, on FIELD NUMBER survived CYCLES - Mutant 0 is the
 * unchanged unit: a difference there is an error (status 2). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/inst.h"
#include "cosim/stimulus.h"

extern unsigned model_mutant;
extern stimulus_fn UNIT_STIMULUS;

/* Runs one seed. Returns the cycles until a difference, whose first field is *field, or `cycles`.
 */
static uint64_t run(const struct unit *u, uint64_t seed, uint64_t cycles, const char **field)
{
    struct unit_inst *i = unit_open(u, BACKEND_LOCKSTEP, "mutant");
    uint8_t *memory = calloc(1, u->size[FIELD_IN] + u->size[FIELD_OUT]);
    if (!i || !memory) {
        fprintf(stderr, "mutants: out of memory\n");
        exit(2);
    }
    struct stimulus s = {.random = seed * UINT64_C(0x9e3779b97f4a7c15) | 1, .state = i->state};
    int differs = 0;
    for (s.cycle = 0; s.cycle < cycles && !differs; s.cycle++) {
        UNIT_STIMULUS(&s, memory);
        differs = unit_step(i, s.cycle, memory, memory + u->size[FIELD_IN]);
    }
    const struct unit_cycle *c = &i->history[(i->remembered - 1) % UNIT_HISTORY];
    for (unsigned f = 0; f < u->num_fields && differs && !*field; f++)
        if (u->fields[f].kind != FIELD_IN &&
            !field_equal(&u->fields[f], cycle_fields(c, &u->fields[f], SIDE_REF),
                         cycle_fields(c, &u->fields[f], SIDE_RTL)))
            *field = u->fields[f].name;
    free(memory);
    unit_close(i);
    return s.cycle;
}

int main(int argc, char **argv)
{
    const struct unit *u = argc == 5 ? unit_find(argv[1]) : NULL;
    if (!u) {
        fprintf(stderr, "usage: mutants UNIT COUNT CYCLES SEEDS\n");
        return 2;
    }
    unsigned count = (unsigned)strtoul(argv[2], NULL, 10);
    uint64_t cycles = strtoull(argv[3], NULL, 10), seeds = strtoull(argv[4], NULL, 10);
    for (model_mutant = 0; model_mutant <= count; model_mutant++) {
        const char *field = NULL;
        uint64_t done = 0;
        for (uint64_t seed = 1; seed <= seeds && !field; seed++)
            done += run(u, seed, cycles, &field);
        if (model_mutant)
            printf("%u %s %" PRIu64 " %s\n", model_mutant, field ? "killed" : "survived", done,
                   field ? field : "-");
        else if (field) {
            fprintf(stderr, "mutants: the unchanged netlist differs from the reference on %s\n",
                    field);
            return 2;
        }
    }
    return fclose(stdout) ? 2 : 0;
}
