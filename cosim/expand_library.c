/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/expand_library.c: see expand_library.h. */
#include "cosim/expand_library.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cosim/unit.h"
#include "hw.h"

static const char *const parts[NUM_FIELD_KINDS] = {"in", "out", "state"};

static void print_struct_field(const struct field *f)
{
    char name[64], array[32] = "", elements[32] = "";
    if (!f->scalar)
        snprintf(array, sizeof array, "[%u]", (field_bits(f) + f->per_word - 1) / f->per_word);
    if (f->count > 1)
        snprintf(elements, sizeof elements, "%u x ", f->count);
    snprintf(name, sizeof name, "%s%s;", f->name, array);
    printf("    uint64_t %-20s /* %s%u bit%s: %s */\n", name, elements, f->width,
           f->width > 1 ? "s" : "", f->meaning);
}

void print_structs(const struct unit *u)
{
    for (int kind = 0; kind < NUM_FIELD_KINDS; kind++) {
        unsigned members = 0;
        printf("struct %s_%s {\n", u->stem, parts[kind]);
        for (unsigned f = 0; f < u->num_fields; f++)
            if (u->fields[f].kind == (enum field_kind)kind) {
                print_struct_field(&u->fields[f]);
                members++;
            }
        for (unsigned m = 0; m < u->num_memories && kind == FIELD_STATE; m++, members++)
            print_struct_field(&u->memories[m]);
        if (!members) /* an empty struct is no standard C */
            printf("    char none;                    /* the unit has no registers */\n");
        printf("};\n%s", kind + 1 < NUM_FIELD_KINDS ? "\n" : "");
    }
}

/* The stem in capitals, as macros begin. */
static void print_capitals(const struct unit *u)
{
    for (const char *at = u->stem; *at; at++)
        putchar(toupper((unsigned char)*at));
}

static void print_guard(const struct unit *u, const char *what)
{
    printf("#ifndef HEDDLE_");
    print_capitals(u);
    printf("%s\n#define HEDDLE_", what);
    print_capitals(u);
    printf("%s\n\n", what);
}

/* Values that have names: those of the contract, and states of state machines. */
static void print_names(const struct unit *u)
{
    if (!u->num_names && !u->num_fsms)
        return;
    printf("\nenum %s_names {\n", u->stem);
    for (unsigned n = 0; n < u->num_names; n++)
        printf("    %s_%s_%s = %" PRIu64 ", /* %s */\n", u->stem, u->names[n].field, u->names[n].id,
               u->names[n].value, u->names[n].meaning);
    for (unsigned n = 0; n < u->num_fsms; n++) {
        const struct fsm *m = u->fsms[n].fsm;
        for (unsigned s = 0; s < m->num_states; s++)
            printf("    %s_%s_%s = %u, /* %s */\n", u->stem, u->fsms[n].state, m->states[s].name, s,
                   m->states[s].meaning);
    }
    printf("};\n");
}

void print_header(const struct unit *u)
{
    printf(
        "/* SPDX-License-Identifier: Apache-2.0 */\n"
        "/* heddle/%s.h: the C reference of %s for the sizes of configuration %s. Made from the "
        "unit's contract.\n"
        " * Bits of a word above those of its field are 0. Elements of one bit are packed, 64 in "
        "a word, lowest first. */\n",
        u->stem, u->stem, CONFIG_NAME);
    print_guard(u, "_H");
    printf("#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
           "/* The sizes: parameters of the Verilog. */\n");
    for (unsigned p = 0; p < u->num_params; p++) {
        printf("#define ");
        print_capitals(u);
        printf("_%s %u\n", u->params[p].name, u->params[p].value);
    }
    putchar('\n');
    print_structs(u);
    print_names(u);
    printf("\n/* The registers after reset; of a memory no word has been written. */\n"
           "void %s_reset(struct %s_state *);\n\n"
           "/* The outputs of this cycle, from its state and inputs. */\n"
           "void %s_comb(const struct %s_state *, const struct %s_in *, struct %s_out *);\n\n"
           "/* The clock edge: the state after a cycle, from its inputs and outputs (%s_comb). */\n"
           "void %s_tick(struct %s_state *, const struct %s_in *, const struct %s_out *);\n\n"
           "#ifdef __cplusplus\n}\n#endif\n\n#endif\n",
           u->stem, u->stem, u->stem, u->stem, u->stem, u->stem, u->stem, u->stem, u->stem, u->stem,
           u->stem);
}

static const char *prefix(const struct field *f)
{
    return f->kind == FIELD_STATE ? "state_" : "";
}

static void print_ports(const struct unit *u)
{
    if (unit_is_clocked(u))
        printf("    sc_core::sc_in<bool> clk{\"clk\"}, rst{\"rst\"};\n");
    for (unsigned f = 0; f < u->num_fields; f++) {
        const struct field *field = &u->fields[f];
        printf("    sc_core::sc_%s<port_type<%u>> %s%s{\"%s%s\"}; // %s\n",
               field->kind == FIELD_IN ? "in" : "out", field_bits(field), prefix(field),
               field->name, prefix(field), field->name, field->meaning);
    }
    for (unsigned m = 0; m < u->num_memories; m++)
        printf("\n    // %s; no port shows these words\n    uint64_t *%s_words()\n    {\n"
               "        return state.%s;\n    }\n",
               u->memories[m].meaning, u->memories[m].name, u->memories[m].name);
}

static void print_processes(const struct unit *u)
{
    printf("\n    SC_HAS_PROCESS(%s);\n"
           "    explicit %s(sc_core::sc_module_name name) : sc_core::sc_module(name)\n    {\n"
           "        ::%s_reset(&state);\n        SC_METHOD(comb);\n        sensitive << moved;\n",
           u->stem, u->stem, u->stem);
    for (unsigned f = 0; f < u->num_fields; f++)
        if (u->fields[f].kind == FIELD_IN)
            printf("        sensitive << %s;\n", u->fields[f].name);
    if (unit_is_clocked(u))
        printf("        SC_METHOD(tick);\n        sensitive << clk.pos();\n"
               "        dont_initialize();\n");
    printf("    }\n");
}

static void print_comb(const struct unit *u)
{
    printf("    State state{};\n    sc_core::sc_event moved; // the state has\n\n"
           "    In read() const\n    {\n        In in{};\n");
    for (unsigned f = 0; f < u->num_fields; f++)
        if (u->fields[f].kind == FIELD_IN)
            printf("        from_port<%u, %u>(%s.read(), in.%s);\n", u->fields[f].per_word,
                   field_bits(&u->fields[f]), u->fields[f].name, u->fields[f].name);
    printf("        return in;\n    }\n\n    void comb()\n    {\n"
           "        const In in = read();\n        Out out{};\n"
           "        ::%s_comb(&state, &in, &out);\n",
           u->stem);
    for (unsigned f = 0; f < u->num_fields; f++)
        if (u->fields[f].kind != FIELD_IN)
            printf("        %s%s.write(to_port<%u, %u>(%s.%s));\n", prefix(&u->fields[f]),
                   u->fields[f].name, u->fields[f].per_word, field_bits(&u->fields[f]),
                   parts[u->fields[f].kind], u->fields[f].name);
    printf("    }\n");
}

static void print_tick(const struct unit *u)
{
    printf("\n    void tick()\n    {\n        const In in = read();\n        Out out{};\n"
           "        ::%s_comb(&state, &in, &out);\n"
           "        if (rst.read())\n            ::%s_reset(&state);\n"
           "        else\n            ::%s_tick(&state, &in, &out);\n"
           "        moved.notify(sc_core::SC_ZERO_TIME);\n    }\n",
           u->stem, u->stem, u->stem);
}

void print_systemc(const struct unit *u)
{
    printf(
        "// SPDX-License-Identifier: Apache-2.0\n"
        "// heddle/%s_systemc.h: the C reference of %s as a SystemC module, for the sizes of "
        "configuration %s. Made from the unit's\n"
        "// contract. Its ports are those that `verilator --sc` gives %s_top.sv: a platform takes "
        "either.\n",
        u->stem, u->stem, CONFIG_NAME, u->stem);
    print_guard(u, "_SYSTEMC_H");
    printf("#include \"heddle/%s.h\"\n#include \"heddle/systemc.h\"\n\nnamespace heddle\n{\n\n"
           "class %s : public sc_core::sc_module\n{\n  public:\n"
           "    using In = struct ::%s_in;\n    using Out = struct ::%s_out;\n"
           "    using State = struct ::%s_state;\n\n",
           u->stem, u->stem, u->stem, u->stem, u->stem);
    print_ports(u);
    print_processes(u);
    printf("\n  private:\n");
    print_comb(u);
    if (unit_is_clocked(u))
        print_tick(u);
    printf("};\n\n} // namespace heddle\n\n#endif\n");
}
