/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/main.c: the steps of place and route that are Heddle's own, as one command. */
#include <stdlib.h>
#include <string.h>

#include "synth/wires/check.h"
#include "synth/wires/draw.h"
#include "synth/wires/layout.h"
#include "synth/wires/measure.h"
#include "synth/wires/spef.h"
#include "tb/file.h"

struct job {
    struct design design;
    char **more; /* arguments behind the three files */
};

static int commit(struct file *f, int failed)
{
    if (failed) {
        file_discard(f);
        return 1;
    }
    return file_commit(f, stderr) != 0;
}

/* NULL: not a density, stderr has been told. */
static const uint32_t *white_of(struct job *j)
{
    char *end;
    const double density = strtod(j->more[0], &end);
    if (end == j->more[0] || *end || !(density >= 0.05 && density <= 1)) {
        fprintf(stderr, "wires: error: the density '%s'; expected a number from 0.05 to 1\n",
                j->more[0]);
        return NULL;
    }
    return place_white(&j->design, density, stderr);
}

static int ask(struct job *j)
{
    const uint32_t *white = white_of(j);
    struct file *parameters = white ? file_create(j->more[1], stderr) : NULL;
    struct file *cells = parameters ? file_create(j->more[2], stderr) : NULL;
    if (!cells) {
        file_discard(parameters);
        return 1;
    }
    place_write_parameters(&j->design, file_stream(parameters));
    place_write_cells(&j->design, white, file_stream(cells));
    return commit(parameters, 0) + commit(cells, 0) != 0;
}

static int layout(struct job *j)
{
    struct places places;
    const uint32_t *white = white_of(j);
    if (!white || place_read(&j->design, j->more[1], &places, stderr))
        return 1;
    struct file *f = file_create(j->more[2], stderr);
    return !f || commit(f, layout_write(&j->design, &places, white, file_stream(f), stderr));
}

static int with_layout(struct job *j, int (*take)(struct job *, const struct def *))
{
    struct def l;
    const int failed = def_read(&l, j->more[0], &j->design.lef, stderr) || take(j, &l);
    def_free(&l);
    return failed;
}

static int check_it(struct job *j, const struct def *l)
{
    uint32_t close;
    if (check_layout(&j->design, l, &close, stderr))
        return 1;
    printf("close=%u\n", close);
    printf("%s: %u cells and %u nets are as the netlist has them\n", l->path,
           j->design.netlist.num_cells, l->num_nets);
    return 0;
}

static int write_spef(struct job *j, const struct def *l)
{
    struct file *f = file_create(j->more[1], stderr);
    return !f || commit(f, spef_write(&j->design, l, file_stream(f), stderr));
}

static int measure_it(struct job *j, const struct def *l)
{
    return measure_write(&j->design, l, stdout, stderr) || fflush(stdout);
}

static int draw_it(struct job *j, const struct def *l)
{
    return draw_layout(&j->design, l, j->more[1]);
}

static int check(struct job *j)
{
    return with_layout(j, check_it);
}

static int spef(struct job *j)
{
    return with_layout(j, write_spef);
}

static int measure(struct job *j)
{
    return with_layout(j, measure_it);
}

static int draw(struct job *j)
{
    return with_layout(j, draw_it);
}

/* What each layer of wires takes: where a report says so. */
static int rules(struct job *j)
{
    const struct lef *lef = &j->design.lef;
    for (uint32_t k = 0; k < lef->num_layers; k++) {
        const struct lef_layer *l = &lef->layers[k];
        if (l->kind != LAYER_ROUTING)
            continue;
        const double width = l->width / lef->units;
        if (!l->has_resistance || !l->has_capacitance) {
            fprintf(stderr, "%s: error: the layer %s has no %s; expected one\n", lef->path, l->name,
                    l->has_resistance ? "CAPACITANCE" : "RESISTANCE");
            return 1;
        }
        printf("layer %s %g %g %g\n", l->name, width, l->per_square / width,
               (l->per_area * width + 2 * l->per_edge) * 1e15);
    }
    for (uint32_t k = 0; k < lef->num_vias; k++)
        printf("via %s %g\n", lef->vias[k].name, lef->vias[k].resistance);
    return 0;
}

/* The name of the first pin that is for it; "": there is none. */
static const char *pin_for(const struct lef *lef, enum pin_use use)
{
    for (uint32_t m = 0; m < lef->num_macros; m++)
        for (uint32_t p = 0; p < lef->macros[m].num_pins; p++)
            if (lef->macros[m].pins[p].use == use)
                return lef->macros[m].pins[p].name;
    return "";
}

static int supply(struct job *j)
{
    printf("vdd %s\ngnd %s\n", pin_for(&j->design.lef, PIN_POWER),
           pin_for(&j->design.lef, PIN_GROUND));
    return 0;
}

static const struct command {
    const char *name;
    int (*run)(struct job *);
    int arguments; /* behind the three files */
    const char *text;
} commands[] = {
    {"ask", ask, 3, "DENSITY OUT.par OUT.cel: what graywolf is asked"},
    {"layout", layout, 3,
     "DENSITY IN.pl1 OUT.def: its answer, with rows, fillers and ports, for qrouter"},
    {"check", check, 1, "IN.def: whether the routed layout is the netlist"},
    {"spef", spef, 2, "IN.def OUT.spef: resistors and capacitors of its wires"},
    {"measure", measure, 1, "IN.def: areas, lengths and numbers, as KEY=value"},
    {"draw", draw, 2, "IN.def OUT.png: a picture"},
    {"supply", supply, 0, "`vdd PIN` and `gnd PIN` of the cells, as qrouter is told"},
    {"rules", rules, 0,
     "`layer NAME um ohm/um fF/um` of each layer, for its own width; `via NAME ohm`"},
};

static int usage(void)
{
    fprintf(stderr, "usage: wires COMMAND NETLIST LIBERTY LEF ...\n");
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
        fprintf(stderr, "  %-8s %s\n", commands[k].name, commands[k].text);
    return 2;
}

int main(int argc, char **argv)
{
    for (size_t k = 0; argc >= 5 && k < sizeof commands / sizeof *commands; k++) {
        struct job j;
        if (strcmp(argv[1], commands[k].name) != 0 || argc != 5 + commands[k].arguments)
            continue;
        j.more = argv + 5;
        const int status =
            design_open(&j.design, argv[2], argv[3], argv[4], stderr) || commands[k].run(&j);
        design_close(&j.design);
        return status;
    }
    return usage();
}
