/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/mutants.c: how many small changes of a unit lockstep notices. All mutants are in one
 * Verilated netlist, chosen by its input `mutsel` (tests/mutate/run.sh makes it). Each runs against
 * the reference under the unit's constrained-random inputs, seed after seed, until a difference.
 * Usage: mutants CYCLES SEEDS, the mutants' numbers on standard input. Prints a line for each:
 *   NUMBER killed CYCLES FIELD    CYCLES in all until the first difference, on FIELD
 *   NUMBER survived CYCLES -
 * Mutant 0 is the unchanged unit, which is run first: a difference there is an error (status 2). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/check.h"
#include "cosim/inst.h"

extern unsigned model_mutant;

/* Runs one seed. Returns the cycles until a difference, whose first field is *field, or
 * `cycles`. */
static uint64_t run(const struct unit *u, uint64_t seed, uint64_t cycles, const char **field)
{
    struct unit_inst *i = unit_open(u, BACKEND_LOCKSTEP, "mutant");
    uint8_t *memory = calloc(1, u->size[FIELD_IN] + u->size[FIELD_OUT]);
    if (!i || !memory) {
        fprintf(stderr, "mutants: out of memory\n");
        exit(2);
    }
    struct stimulus s = stimulus_start(seed);
    int differs = 0;
    unit_preset(i, seed);
    s.state = i->state;
    for (; s.cycle < cycles && !differs; stimulus_next(&s)) {
        checked_stimulus(&s, memory);
        unit_set_clock(u, memory, s.clock);
        differs = unit_step(i, s.cycle, memory, memory + u->size[FIELD_IN]);
    }
    unit_settle(i, s.cycle);
    *field = inst_difference(i);
    free(memory);
    unit_close(i);
    return s.cycle;
}

/* Seed after seed until a difference. Returns the cycles in all; *field is NULL where it
 * survived. */
static uint64_t try_mutant(const struct unit *u, uint64_t cycles, uint64_t seeds,
                           const char **field)
{
    uint64_t done = 0;
    *field = NULL;
    for (uint64_t seed = 1; seed <= seeds && !*field; seed++)
        done += run(u, seed, cycles, field);
    return done;
}

int main(int argc, char **argv)
{
    const struct unit *u = checked_unit;
    const char *field;
    if (argc != 3) {
        fprintf(stderr, "usage: mutants CYCLES SEEDS <NUMBERS\n");
        return 2;
    }
    const uint64_t cycles = strtoull(argv[1], NULL, 10), seeds = strtoull(argv[2], NULL, 10);
    try_mutant(u, cycles, seeds, &field);
    if (field) {
        fprintf(stderr, "mutants: the unchanged netlist differs from the reference on %s\n", field);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (scanf("%u", &model_mutant) == 1) {
        const uint64_t done = try_mutant(u, cycles, seeds, &field);
        printf("%u %s %" PRIu64 " %s\n", model_mutant, field ? "killed" : "survived", done,
               field ? field : "-");
    }
    return fclose(stdout) ? 2 : 0;
}
