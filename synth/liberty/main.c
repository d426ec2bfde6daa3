/* SPDX-License-Identifier: Apache-2.0 */
/* synth/liberty/main.c: `liberty info|cells FILE`, for people and for the scripts of synth/. */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "synth/liberty/library.h"

static const char doc[] =
    "Reads a library of standard cells in Liberty format.\v"
    "info   what the scripts of synth/ want to know, as key=value: units, the cells that stand "
    "for\n"
    "       all (the smallest buffer, NAND2 and flip-flop), the load of an output\n"
    "cells  a row for each cell: name, kind, area, inputs, outputs, area over that of the NAND2\n\n"
    "Exit status: 0; 1 the file is missing or wrong; 2 a usage error.";

struct arguments {
    const char *command, *file;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;
    if (key == ARGP_KEY_ARG && state->arg_num < 2) {
        *(state->arg_num ? &a->file : &a->command) = arg;
        return 0;
    }
    if (key == ARGP_KEY_ARG)
        argp_error(state, "unexpected argument '%s'", arg);
    if (key != ARGP_KEY_END)
        return ARGP_ERR_UNKNOWN;
    if (!a->command || (strcmp(a->command, "info") != 0 && strcmp(a->command, "cells") != 0))
        argp_error(state, "expected info or cells%s%s%s", a->command ? ", not '" : "",
                   a->command ? a->command : "", a->command ? "'" : "");
    if (!a->file)
        argp_error(state, "%s: which FILE?", a->command);
    return 0;
}

static const struct argp argp = {.parser = parse, .args_doc = "info|cells FILE", .doc = doc};

/* NAME=value and NAME_um2=area. Returns 0, or -1: the library has no such cell. */
static int print_cell(const char *path, const char *name, const char *what,
                      const struct library_cell *c)
{
    if (!c) {
        fprintf(stderr, "%s: error: the library has no %s\n", path, what);
        return -1;
    }
    printf("%s=%s\n%s_um2=%g\n", name, c->name, name, c->area);
    return 0;
}

/* The names of pins at which flip-flops show their state as it is, each once. */
static void print_flop_outputs(const struct library *l)
{
    const char *shown[CELL_PINS];
    unsigned count = 0;
    for (const struct library_cell *c = l->cells; c; c = c->next)
        for (unsigned i = 0; c->kind == CELL_FLIP_FLOP && i < c->num_pins; i++) {
            unsigned known = 0;
            while (known < count && strcmp(shown[known], c->pins[i].name) != 0)
                known++;
            if (!library_is_state(c, &c->pins[i]) || known < count || count == CELL_PINS)
                continue;
            shown[count++] = c->pins[i].name;
            printf("flop_output=%s\n", c->pins[i].name);
        }
}

static int print_info(const struct library *l, const char *path)
{
    printf("library=%s\ncells=%u\n", l->name, l->num_cells);
    printf("time_unit_s=%g\ncapacitance_unit_f=%g\nleakage_unit_w=%g\nvoltage=%g\n", l->time,
           l->capacitance, l->leakage, l->voltage);
    if (print_cell(path, "driver", "buffer", library_buffer(l)) ||
        print_cell(path, "nand2", "NAND of two inputs", library_nand2(l)) ||
        print_cell(path, "flip_flop",
                   "flip-flop that takes an input at the rising edge and does nothing else",
                   library_flip_flop(l)))
        return -1;
    const double load = library_load(l);
    printf("load=%g\nload_ff=%g\n", load / l->capacitance, load * 1e15);
    for (const struct library_cell *c = l->cells; c; c = c->next)
        if (c->kind == CELL_FLIP_FLOP)
            printf("flop=%s %g\n", c->name, c->area);
    print_flop_outputs(l);
    return 0;
}

static void print_cells(const struct library *l)
{
    static const char *const kinds[] = {"logic", "flip-flop", "latch", "other"};
    const struct library_cell *const nand2 = library_nand2(l);
    printf("%-24s %-10s %12s %7s %8s %7s\n", "cell", "kind", "area", "inputs", "outputs", "NAND2");
    for (const struct library_cell *c = l->cells; c; c = c->next) {
        printf("%-24s %-10s %12g %7u %8u", c->name, kinds[c->kind], c->area, c->num_inputs,
               c->num_outputs);
        if (nand2)
            printf(" %7.2f", c->area / nand2->area);
        putchar('\n');
    }
}

int main(int argc, char **argv)
{
    struct arguments a = {0};
    struct library l;
    argp_err_exit_status = 2;
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    int failed = library_read(&l, a.file, stderr);
    if (!failed && !strcmp(a.command, "info"))
        failed = print_info(&l, a.file);
    else if (!failed)
        print_cells(&l);
    library_free(&l);
    if (fflush(stdout) || ferror(stdout)) {
        perror("liberty");
        failed = -1;
    }
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
