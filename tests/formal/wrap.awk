# SPDX-License-Identifier: Apache-2.0
# tests/formal/wrap.awk: from a unit's contract (lines of synth/contract.c) the module `proof`: the unit with free
# inputs, and what watches it: its rules (<unit>_props) if RULE is one of their numbers, else the promise of the contract whose
# parameter is 1: QUIET, IDLE or WAKES. `-v unit=`, `-v restrict=` (NAME=value ... for the rules).
# `-v takes=`: which of `pick` and `WITH` (prove.sh) the rules take.
# The first cycle is a reset; after it a reset may come at any time. The state_* inputs are connected to the unit's
# registers, the write_* inputs to its memories after flattening, because Yosys reads no hierarchical names (prove.sh); a STATE
# that is a port needs no such help. A unit without STATE and MEMORY has neither clock nor reset; the rules have both.
function range(bits) {
    return bits > 1 ? "[" bits - 1 ":0] " : ""
}
function bind_to(name, value) {
    return ",\n        ." name "(" value ")"
}
function list(items, item) {
    return items (items == "" ? "" : ", ") item
}
# C over `in`, `out` and `state` as Verilog: fields are vectors of the same names, and `bits_any` asks for any bit of one.
function verilog(text,    field) {
    while (match(text, /bits_any\(in->[a-z0-9_]+,[^()]*\)/)) {
        field = substr(text, RSTART + 13, RLENGTH - 13)
        sub(/,.*/, "", field)
        text = substr(text, 1, RSTART - 1) "(|" field ")" substr(text, RSTART + RLENGTH)
    }
    gsub(/(in|out)->/, "", text)
    gsub(/state->/, "state_", text)
    gsub(/UINT64_MAX/, "64'hffffffffffffffff", text)
    if (text ~ /->|[A-Za-z_0-9]\(/) {
        print "wrap.awk: error: " unit ": `" text "`: a promise is made of operators, fields and bits_any only" > "/dev/stderr"
        exit failed = 1
    }
    return text
}
# Registers was_<name> of all that `items` names; unmoved: the condition that each holds what it held a cycle ago.
function remember(items,    count, part, i, text) {
    count = split(items, part, ", ")
    for (i = 1; i <= count; i++) {
        text = text "    logic " range(width[part[i]]) "was_" part[i] ";\n"
        text = text "    always_ff @(posedge clk) was_" part[i] " <= " part[i] ";\n"
    }
    return text
}
function unmoved(items,    count, part, i, text) {
    count = split(items, part, ", ")
    for (i = 1; i <= count; i++) text = text (i > 1 ? " && " : "") part[i] " == was_" part[i]
    return count ? "(" text ")" : "1'b1"
}
$1 == "param" {
    params = list(params, "." $2 "(" $3 ")")
    constants = constants "    localparam int unsigned " $2 " = " $3 ";\n"
}
$1 == "in" { ports = ports ",\n    input logic " range($3 * $4) $2; input_name[++inputs] = $2 }
$1 == "in" || $1 == "out" { width[$2] = $3 * $4 }
$1 == "out" { wires = wires "    logic " range($3 * $4) $2 ";\n"; outs = list(outs, $2) }
$1 == "in" || $1 == "out" { pins = pins bind_to($2, $2) }
$1 == "state" {
    if ($5 == $2) {
        wires = wires "    logic " range($3 * $4) "state_" $2 ";\n"
        visible = visible bind_to($2, "state_" $2)
    } else {
        ports = ports ",\n    input logic " range($3 * $4) "state_" $2
    }
    states = states bind_to("state_" $2, "state_" $2)
    registers = list(registers, "state_" $2)
    width["state_" $2] = $3 * $4
}
$1 == "memory" {
    ports = ports ",\n    input logic write_" $2
    writes = list(writes, "write_" $2)
}
$1 == "quiet" || $1 == "idle" || $1 == "wakes" { kind = $1; sub(/^[a-z]+ /, ""); promise[kind] = verilog($0) }
$1 == "clock" { clock = $2 }
END {
    if (failed) exit 1
    rules = params ", .RULE(RULE)" (takes ~ /WITH/ ? ", .WITH(WITH)" : "")
    pick = takes ~ /pick/ ? ",\n        .pick(pick)" : ""
    count = split(restrict, restriction, " ")
    for (i = 1; i <= count; i++) {
        split(restriction[i], pair, "=")
        rules = rules ", ." pair[1] "(" pair[2] ")"
    }
    writes = writes == "" ? "1'b0" : "{" writes "} != 0"
    print "module proof #(\n    parameter int unsigned RULE = 0,\n    parameter logic WITH = 1'b0, QUIET = 1'b0, IDLE = 1'b0, WAKES = 1'b0"
    print ") (\n    input logic clk,\n    input logic rst,\n    input logic [23:0] pick" ports "\n);"
    printf "%s%s", constants, wires
    print "    logic started = 1'b0;\n    always_ff @(posedge clk) started <= 1'b1;"
    print "    logic reset;\n    assign reset = rst || !started;\n"
    clocking = registers == "" && writes == "1'b0" ? "" : ",\n        .clk(clk),\n        .rst(reset)"
    print "    " unit " #(" params ") dut (" substr(clocking pins visible, 2) "\n    );\n"
    print "    if (RULE != 0) begin : g_rule\n    " unit "_props #(" rules ") props (\n        .clk(clk),\n        .rst(reset),\n" \
        "        .started(started)" pick pins states "\n    );\n    end"
    if ("quiet" in promise || "idle" in promise)
        print "\n    // The promise holds in this cycle; it held in the one before, which was no reset.\n    logic now, before;\n" \
            "    always_ff @(posedge clk) before <= now && !reset;\n" remember(registers)
    if ("quiet" in promise) {
        print "    if (QUIET) begin : g_quiet\n        assign now = " promise["quiet"] ";"
        print "        always_comb if (started) assert ((!now || ({" outs "} == 0 && (rst || !(" writes ")))) && (!before || " \
            unmoved(registers) "));\n    end"
    }
    if ("idle" in promise) {
        print "    if (IDLE) begin : g_idle\n        assign now = " promise["idle"] ";"
        print "        always_comb if (started) assert ((!now || rst || !(" writes ")) && (!before || " unmoved(registers) "));\n    end"
    }
    if ("wakes" in promise) {
        for (i = 1; i <= inputs; i++) if (input_name[i] != clock) ins = list(ins, input_name[i])
        print remember(ins ", " clock ", " outs) "    if (WAKES) begin : g_wakes"
        print "        logic [63:0] wakes;\n        assign wakes = " promise["wakes"] ";\n        assign now = " promise["idle"] ";"
        print "        always_comb if (started && before && " unmoved(ins) " && " clock " == " width[clock] "'(was_" clock " + 1'b1)"
        print "                         && (&wakes || " width[clock] "'(wakes) != " clock ")) assert (" unmoved(outs) ");\n    end"
    }
    print "endmodule"
}
