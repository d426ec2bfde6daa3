/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/expand.c: prints what comes from a contract, or from a list of fsm/, as text:
 *
 *   top UNIT         the Verilog top: the unit with every port by name, every STATE brought out
 *   structs UNIT     struct <unit>_in, _out and _state as C has them in this configuration
 *   header UNIT      heddle/<unit>.h: the reference for programs outside the tree
 *   systemc UNIT     heddle/<unit>_systemc.h: the same as a SystemC module
 *   ports UNIT       the port table of the unit's page, in Markdown
 *   ledger UNIT      the storage ledger: STATE fields with bits, then their sum; MEMORYs apart
 *   registers UNIT   one line per STATE: name, bits, path of the register in the RTL
 *   machines UNIT    one line per state of its state machines: register, machine, name, number
 *   graph MACHINE    fsm/MACHINE.def for graphviz */
#include <stdio.h>
#include <string.h>

#include "cosim/contract.h"
#include "cosim/expand_library.h"
#include "cosim/unit.h"

static const char *const kind_names[NUM_FIELD_KINDS] = {"input", "output", "state"};

static void print_port(const char *direction, const char *prefix, const struct field *f, int last)
{
    char range[32] = "";
    if (field_bits(f) > 1)
        snprintf(range, sizeof range, "[%u:0]", field_bits(f) - 1);
    printf("    %-6s logic %-9s %s%s%s // %s\n", direction, range, prefix, f->name, last ? "" : ",",
           f->meaning);
}

/* Clock, reset, ports, and the STATEs that are ports. */
static void print_pins(const struct unit *u)
{
    const char *separator = "";
    if (unit_is_clocked(u)) {
        printf("        .clk(clk),\n        .rst(rst)");
        separator = ",\n";
    }
    for (unsigned f = 0; f < u->num_fields; f++) {
        const struct field *field = &u->fields[f];
        int is_port = unit_state_is_port(u, field);
        if (field->kind == FIELD_STATE && !is_port)
            continue;
        printf("%s        .%s(%s%s)", separator, field->name, is_port ? "state_" : "", field->name);
        separator = ",\n";
    }
}

static void print_top(const struct unit *u)
{
    char path[128];
    printf("// Made by cosim/expand from the contract of %s.\n`default_nettype none\n\nmodule "
           "%s_top (\n%s",
           u->stem, u->stem,
           unit_is_clocked(u) ? "    input  logic           clk,\n    input  logic           rst,\n"
                              : "");
    for (unsigned f = 0; f < u->num_fields; f++)
        print_port(u->fields[f].kind == FIELD_IN ? "input" : "output",
                   u->fields[f].kind == FIELD_STATE ? "state_" : "", &u->fields[f],
                   f + 1 == u->num_fields);
    printf(");\n    %s #(\n", u->stem);
    for (unsigned p = 0; p < u->num_params; p++)
        printf("        .%s(%u)%s\n", u->params[p].name, u->params[p].value,
               p + 1 < u->num_params ? "," : "");
    printf("    ) dut (\n");
    print_pins(u);
    printf("\n    );\n\n");
    for (unsigned f = 0; f < u->num_fields; f++)
        if (u->fields[f].kind == FIELD_STATE && !unit_state_is_port(u, &u->fields[f])) {
            unit_register(u, &u->fields[f], path, sizeof path);
            printf("    assign state_%s = dut.%s;\n", u->fields[f].name, path);
        }
    /* A word of each MEMORY, so that lint compares the widths; of its name lint says no more. */
    for (unsigned m = 0; m < u->num_memories; m++) {
        const struct field *memory = &u->memories[m];
        printf("    logic [%u:0] unused_%s;\n    assign unused_%s = dut.%s.word_q[%u];\n",
               memory->width - 1, memory->name, memory->name, memory->name, memory->count - 1);
    }
    printf("endmodule\n\n`default_nettype wire\n");
}

static void print_ports(const struct unit *u)
{
    printf("| port | direction | width x count | meaning |\n| --- | --- | --- | --- |\n");
    for (unsigned f = 0; f < u->num_fields; f++) {
        const struct field *field = &u->fields[f];
        const char *separator = " (";
        printf("| `%s` | %s%s | %u x %u | %s", field->name, kind_names[field->kind],
               unit_state_is_port(u, field) ? ", output" : "", field->width, field->count,
               field->meaning);
        for (unsigned n = 0; n < u->num_names; n++)
            if (!strcmp(u->names[n].field, field->name)) {
                printf("%s%llu `%s`", separator, (unsigned long long)u->names[n].value,
                       u->names[n].id);
                separator = ", ";
            }
        const struct fsm *fsm = unit_field_fsm(u, field);
        for (unsigned s = 0; fsm && s < fsm->num_states; s++, separator = ", ")
            printf("%s%u `%s`", separator, s, fsm->states[s].name);
        printf("%s |\n", *separator == ',' ? ")" : "");
    }
    for (unsigned m = 0; m < u->num_memories; m++)
        printf("| `%s` | memory | %u x %u | %s |\n", u->memories[m].name, u->memories[m].width,
               u->memories[m].count, u->memories[m].meaning);
}

static void print_ledger(const struct unit *u)
{
    printf("%-16s %8s %8s %8s  %s\n", "STATE", "width", "count", "bits", "meaning");
    for (unsigned f = 0; f < u->num_fields; f++)
        if (u->fields[f].kind == FIELD_STATE)
            printf("%-16s %8u %8u %8u  %s\n", u->fields[f].name, u->fields[f].width,
                   u->fields[f].count, field_bits(&u->fields[f]), u->fields[f].meaning);
    printf("%-16s %8s %8s %8u  %.2f bytes\n", "total", "", "", unit_state_bits(u),
           unit_state_bits(u) / 8.0);
    if (u->num_memories)
        printf("\n%-16s %8s %8s %8s  %s\n", "MEMORY", "width", "depth", "bits", "meaning");
    for (unsigned m = 0; m < u->num_memories; m++)
        printf("%-16s %8u %8u %8u  %s\n", u->memories[m].name, u->memories[m].width,
               u->memories[m].count, field_bits(&u->memories[m]), u->memories[m].meaning);
}

static void print_registers(const struct unit *u)
{
    char path[128];
    for (unsigned f = 0; f < u->num_fields; f++)
        if (u->fields[f].kind == FIELD_STATE) {
            unit_register(u, &u->fields[f], path, sizeof path);
            printf("%s %u %s\n", u->fields[f].name, field_bits(&u->fields[f]), path);
        }
}

static void print_machines(const struct unit *u)
{
    char path[128];
    for (unsigned n = 0; n < u->num_fsms; n++) {
        const struct fsm *m = u->fsms[n].fsm;
        unit_register(u, unit_field(u, u->fsms[n].state), path, sizeof path);
        for (unsigned s = 0; s < m->num_states; s++)
            printf("%s %s %s %u\n", path, m->name, m->states[s].name, s);
    }
}

static const struct {
    const char *name;
    void (*print)(const struct unit *);
} outputs[] = {{"top", print_top},
               {"structs", print_structs},
               {"ports", print_ports},
               {"header", print_header},
               {"systemc", print_systemc},
               {"ledger", print_ledger},
               {"registers", print_registers},
               {"machines", print_machines}};

int main(int argc, char **argv)
{
    const struct fsm *m = argc == 3 && !strcmp(argv[1], "graph") ? fsm_find(argv[2]) : NULL;
    if (m) {
        fsm_draw(m, stdout);
        return fclose(stdout) ? 2 : 0;
    }
    const struct unit *u = argc == 3 ? unit_find(argv[2]) : NULL;
    for (size_t i = 0; u && i < sizeof outputs / sizeof outputs[0]; i++)
        if (!strcmp(argv[1], outputs[i].name)) {
            outputs[i].print(u);
            return fclose(stdout) ? 2 : 0;
        }
    fprintf(stderr, "usage: expand top|structs|header|systemc|ports|ledger|registers|machines "
                    "UNIT, where UNIT is one of:");
    for (unsigned i = 0; i < num_units; i++)
        fprintf(stderr, " %s", units[i]->stem);
    fprintf(stderr, "; or graph MACHINE, of:");
    for (unsigned i = 0; i < num_fsms; i++)
        fprintf(stderr, " %s", fsms[i]->name);
    fputc('\n', stderr);
    return 2;
}
