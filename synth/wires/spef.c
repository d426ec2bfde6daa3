/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/spef.c: see spef.h. Node 3 of net 7 of the netlist is *7:3; names stand in the map at the beginning: of a net *7, of cell 2
 * *(nets + 2), behind these the ports. */
#include "synth/wires/spef.h"

#include <ctype.h>

#include "synth/wires/tree.h"

#define FF 1e15
#define NEAR                                                                                       \
    0.001 /* ohm, between two ends of a net in one place: SPEF has no other way to say so */

static void write_name(const char *name, FILE *to)
{
    for (; *name; name++)
        fprintf(to, isalnum((unsigned char)*name) || *name == '_' ? "%c" : "\\%c", *name);
    fputc('\n', to);
}

static uint32_t cell_number(const struct design *d, uint32_t cell)
{
    return d->netlist.num_nets + cell;
}

static uint32_t port_number(const struct design *d, uint32_t port)
{
    return d->netlist.num_nets + d->netlist.num_cells + port;
}

static void write_head(const struct design *d, FILE *to)
{
    fprintf(to,
            "*SPEF \"IEEE 1481-1998\"\n*DESIGN \"%s\"\n*DATE \"\"\n*VENDOR \"\"\n"
            "*PROGRAM \"Heddle\"\n*VERSION \"1\"\n*DESIGN_FLOW \"\"\n*DIVIDER /\n*DELIMITER :\n"
            "*BUS_DELIMITER [ ]\n*T_UNIT 1 NS\n*C_UNIT 1 FF\n*R_UNIT 1 OHM\n*L_UNIT 1 HENRY\n\n"
            "*NAME_MAP\n",
            d->netlist.module);
    for (uint32_t k = 0; k < d->netlist.num_nets; k++)
        if (design_is_wired(d, k)) {
            fprintf(to, "*%u ", k);
            write_name(d->netlist.net_name[k], to);
        }
    for (uint32_t c = 0; c < d->netlist.num_cells; c++) {
        fprintf(to, "*%u ", cell_number(d, c));
        write_name(d->netlist.cells[c].name, to);
    }
    for (uint32_t p = 0; p < d->num_ports; p++) {
        fprintf(to, "*%u ", port_number(d, p));
        write_name(d->ports[p].name, to);
    }
    fprintf(to, "\n*PORTS\n");
    for (uint32_t p = 0; p < d->num_ports; p++)
        fprintf(to, "*%u %s\n", port_number(d, p), d->ports[p].direction == PIN_IN ? "I" : "O");
}

static void write_end(const struct design *d, const struct design_end *e, FILE *to)
{
    if (e->cell == NO_CELL)
        fprintf(to, "*%u", port_number(d, e->pin));
    else
        fprintf(to, "*%u:%s", cell_number(d, e->cell), d->macro[e->cell]->pins[e->pin].name);
}

/* A node has the name of the first end that is there. */
static void write_node(const struct design *d, uint32_t net, const struct tree *t, uint32_t node,
                       FILE *to)
{
    for (uint32_t e = 0; e < d->nets[net].num_ends; e++)
        if (t->end_node[e] == node) {
            write_end(d, &d->nets[net].ends[e], to);
            return;
        }
    fprintf(to, "*%u:%u", net, node + 1);
}

static void write_connections(const struct design *d, const struct design_net *n, FILE *to)
{
    fprintf(to, "*CONN\n");
    for (uint32_t e = 0; e < n->num_ends; e++) {
        const struct design_end *end = &n->ends[e];
        const int port = end->cell == NO_CELL;
        fprintf(to, port ? "*P " : "*I ");
        write_end(d, end, to);
        fprintf(to, port == (end->drives != 0) ? " I\n" : " O\n");
    }
}

static void write_net(const struct design *d, uint32_t net, const struct tree *t, FILE *to)
{
    const struct design_net *n = &d->nets[net];
    uint32_t number = 0;
    fprintf(to, "\n*D_NET *%u %.9g\n", net, t->total_capacitance * FF);
    write_connections(d, n, to);
    fprintf(to, "*CAP\n");
    for (uint32_t k = 0; k < t->num_nodes; k++)
        if (t->capacitance[k] > 0) {
            fprintf(to, "%u ", ++number);
            write_node(d, net, t, k, to);
            fprintf(to, " %.9g\n", t->capacitance[k] * FF);
        }
    fprintf(to, "*RES\n");
    number = 0;
    for (uint32_t k = 0; k < t->num_edges; k++) {
        fprintf(to, "%u ", ++number);
        write_node(d, net, t, t->edges[k].a, to);
        fputc(' ', to);
        write_node(d, net, t, t->edges[k].b, to);
        fprintf(to, " %.9g\n", t->edges[k].resistance);
    }
    for (uint32_t e = 1; e < n->num_ends; e++) {
        uint32_t first = 0;
        while (t->end_node[first] != t->end_node[e])
            first++;
        if (first == e)
            continue;
        fprintf(to, "%u ", ++number);
        write_end(d, &n->ends[first], to);
        fputc(' ', to);
        write_end(d, &n->ends[e], to);
        fprintf(to, " %g\n", NEAR);
    }
    fprintf(to, "*END\n");
}

int spef_write(const struct design *d, const struct def *l, FILE *to, FILE *err)
{
    int failed = 0;
    write_head(d, to);
    for (uint32_t k = 0; !failed && k < d->netlist.num_nets; k++)
        if (design_is_wired(d, k)) {
            struct tree t;
            failed = tree_build(&t, d, l, k, err);
            if (!failed)
                write_net(d, k, &t, to);
            tree_free(&t);
        }
    return failed;
}
