# SPDX-License-Identifier: Apache-2.0
# tests/mutate/wrap.awk: from a unit's contract (lines of synth/contract.c) what stands around its mutants.
# -v part=inside: the module `mutants`, the unit with its registers brought out; Yosys flattens it, connects the
#   registers and mutates it.
# -v part=outside: a module with the unit's name, parameters and ports around the mutated netlist. It has its registers
#   under the names that the contract gives them, and asks the C function mutant_selected which mutant to be.
# -v part=miter: the original beside a mutant (parameter MUTANT); `same` says that nothing differs.
# -v unit= names the unit, -v width= gives the bits of a mutant's number.
function range(bits) {
    return bits > 1 ? "[" bits - 1 ":0] " : ""
}
function port(direction, name, bits) {
    return sprintf(",\n    %s logic %s%s", direction, range(bits), name)
}
function pin(name, value) {
    return ",\n        ." name "(" value ")"
}
# A wire that is known as a.b.c: blocks a and b around c.
function place(path, bits, value,   part, i, count, text) {
    count = split(path, part, "\\.")
    for (i = 1; i < count; i++)
        text = text "    if (1) begin : " part[i] "\n"
    text = text "    logic " range(bits) part[count] ";\n    assign " part[count] " = " value ";\n"
    for (i = 1; i < count; i++)
        text = text "    end\n"
    return text
}
$1 == "param" {
    values = values (values == "" ? "" : ", ") "." $2 "(" $3 ")"
    params = params (params == "" ? "" : ",\n") "    parameter int unsigned " $2 " = 0"
}
$1 == "in" || $1 == "out" {
    ports = ports port($1 "put", $2, $3 * $4)
    pins = pins pin($2, $2)
}
$1 == "in" {
    inputs = inputs port("input", $2, $3 * $4)
    input_pins = input_pins pin($2, $2)
}
$1 == "out" || $1 == "state" {
    name = ($1 == "state" ? "state_" : "") $2
    seen = seen "    logic " range($3 * $4) name "_rtl, " name "_mutant;\n"
    rtl_pins = rtl_pins pin(name, name "_rtl")
    mutant_pins = mutant_pins pin(name, name "_mutant")
    same = same (same == "" ? "" : "\n        && ") name "_rtl == " name "_mutant"
}
$1 == "state" {
    states = states port("output", "state_" $2, $3 * $4)
    state_wires = state_wires "    logic " range($3 * $4) "state_" $2 ";\n"
    state_pins = state_pins pin("state_" $2, "state_" $2)
    places = places place($5, $3 * $4, "state_" $2)
}
END {
    clock = "        .clk(clk),\n        .rst(rst)"
    if (part == "inside") {
        print "module mutants (\n    input logic clk,\n    input logic rst" ports states "\n);"
        print "    " unit " #(" values ") dut (\n" clock pins "\n    );\nendmodule"
    } else if (part == "outside") {
        print "module " unit " #(\n" params "\n) (\n    input logic clk,\n    input logic rst" ports "\n);"
        print "    import \"DPI-C\" function int unsigned mutant_selected();"
        print "    logic [" width - 1 ":0] mutsel;\n    initial mutsel = " width "'(mutant_selected());"
        printf "%s%s", state_wires, places
        print "    mutants mutants (\n" clock pins state_pins pin("mutsel", "mutsel") "\n    );\nendmodule"
    } else {
        print "module miter #(\n    parameter MUTANT = 0\n) (\n    input logic clk,\n    input logic rst" inputs "\n);"
        printf "%s", seen
        print "    mutants original (\n" clock input_pins rtl_pins pin("mutsel", width "'d0") "\n    );"
        print "    mutants mutant (\n" clock input_pins mutant_pins pin("mutsel", "MUTANT[" width - 1 ":0]") "\n    );"
        print "    logic started = 1'b0;\n    always_ff @(posedge clk) started <= 1'b1;"
        print "    always_comb begin\n        assume (started || rst);\n        if (started) assert (" same ");"
        print "    end\nendmodule"
    }
}
