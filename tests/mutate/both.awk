# SPDX-License-Identifier: Apache-2.0
# tests/mutate/both.awk: from a unit's contract (lines of synth/contract.c) and its memories (NAME WIDTH DEPTH READS) the module
# `both`: the unit (`gold`) and its mutants (`gate`) side by side under the same inputs, the switches left open. Its output `bad`
# says that an output, a register or a word of a memory differs after the first cycle, which is a reset. The memories are cut
# out of both units, and are a module `-v pair=` here: memory_pair, or memory_alike. `-v mutants=` how many there are.
# A unit without STATE and MEMORY has neither clock nor reset.
function range(bits) {
    return bits > 1 ? "[" bits - 1 ":0] " : ""
}
function pin(name, wire) {
    return ",\n        .\\" name " (" wire ")"
}
function clog2(n,    bits) {
    while (2 ^ bits < n) bits++
    return bits > 1 ? bits : 1
}
# Two wires of this name, and the port of each unit that is on one.
function wire(name, port, bits) {
    wires = wires "    logic " range(bits) "gold_" name ", gate_" name ";\n"
    gold = gold pin(port, "gold_" name)
    gate = gate pin(port, "gate_" name)
}
function compared(name, port, bits) {
    wire(name, port, bits)
    differ = differ " || gold_" name " != gate_" name
}
# A port of a memory: on both units and on the pair.
function through(memory, port, bits) {
    wire(memory "_" port, memory "." port, bits)
    pins = pins pin("gold_" port, "gold_" memory "_" port) pin("gate_" port, "gate_" memory "_" port)
}
$1 == "in" {
    ports = ports ",\n    input logic " range($3 * $4) $2
    gold = gold pin($2, $2)
    gate = gate pin($2, $2)
}
$1 == "out" { compared($2, $2, $3 * $4) }
$1 == "state" { compared("state_" $2, $5, $3 * $4) }
NR != FNR {
    ports = ports ",\n    input logic " range(pair == "memory_pair" ? $2 * $3 : 2 * $2 * $4) "contents_" $1
    wires = wires "    logic differ_" $1 ";\n"
    differ = differ " || differ_" $1
    pins = ""
    through($1, "write", 1)
    through($1, "write_address", clog2($3))
    through($1, "write_data", $2)
    through($1, "read_address", $4 * clog2($3))
    through($1, "read_data", $4 * $2)
    pairs = pairs "    " pair " #(.WIDTH(" $2 "), .DEPTH(" $3 "), .READS(" $4 ")) " $1 " (\n        .clk(clk)" \
        pin("load", "!begun_q") pin("contents", "contents_" $1) pin("differ", "differ_" $1) pins "\n    );\n"
}
$1 == "state" || NR != FNR { clock = ",\n        .clk(clk), .rst(rst | ~begun_q)" }
END {
    print "module both (\n    input logic clk,\n    input logic rst,\n    input logic [" mutants - 1 ":0] mutant" ports ","
    print "    output logic bad\n);\n" wires "    logic begun_q = 1'b0;\n    always_ff @(posedge clk) begun_q <= 1'b1;"
    print "    gold gold (" substr(clock gold, 2) "\n    );"
    for (i = 1; i <= mutants; i++) switches = switches pin("mutant" i, "mutant[" i - 1 "]")
    print "    gate gate (" substr(switches clock gate, 2) "\n    );"
    print pairs "    assign bad = begun_q && (1'b0" differ ");\nendmodule"
}
