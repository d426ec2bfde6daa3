# SPDX-License-Identifier: Apache-2.0
# tests/formal/wrap.awk: from a unit's contract (lines of synth/contract.c) the module `proof`: the unit with free
# inputs, and its rules (<unit>_props) watching. `-v unit=`, `-v restrict=` (NAME=value ... for the rules).
# The first cycle is a reset; after it a reset may come at any time. The state_* inputs are connected to the unit's
# registers after flattening, because Yosys reads no hierarchical names (prove.sh); a STATE that is a port needs no such
# help. A unit without STATE has neither clock nor reset; the rules have both.
function range(bits) {
    return bits > 1 ? "[" bits - 1 ":0] " : ""
}
function bind_to(name, value) {
    return ",\n        ." name "(" value ")"
}
$1 == "param" { params = params (params == "" ? "" : ", ") "." $2 "(" $3 ")" }
$1 == "in" { ports = ports ",\n    input logic " range($3 * $4) $2 }
$1 == "out" { wires = wires "    logic " range($3 * $4) $2 ";\n" }
$1 == "in" || $1 == "out" { pins = pins bind_to($2, $2) }
$1 == "state" {
    if ($5 == $2) {
        wires = wires "    logic " range($3 * $4) "state_" $2 ";\n"
        visible = visible bind_to($2, "state_" $2)
    } else {
        ports = ports ",\n    input logic " range($3 * $4) "state_" $2
    }
    states = states bind_to("state_" $2, "state_" $2)
}
END {
    rules = params ", .RULE(RULE)"
    count = split(restrict, restriction, " ")
    for (i = 1; i <= count; i++) {
        split(restriction[i], pair, "=")
        rules = rules ", ." pair[1] "(" pair[2] ")"
    }
    print "module proof #(\n    parameter int unsigned RULE = 0\n) (\n    input logic clk,\n    input logic rst," \
        "\n    input logic [23:0] pick" ports "\n);"
    printf "%s", wires
    print "    logic started = 1'b0;\n    always_ff @(posedge clk) started <= 1'b1;"
    print "    always_comb assume (started || rst);\n"
    clocking = states == "" ? "" : ",\n        .clk(clk),\n        .rst(rst)"
    print "    " unit " #(" params ") dut (" substr(clocking pins visible, 2) "\n    );\n"
    print "    " unit "_props #(" rules ") props (\n        .clk(clk),\n        .rst(rst),\n" \
        "        .started(started),\n        .pick(pick)" pins states "\n    );\nendmodule"
}
