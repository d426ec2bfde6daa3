#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# synth/netlist.sh UNIT BUILD_DIR FOLDER: the mapped unit as Verilog that takes the place of rtl/UNIT/UNIT.sv in lockstep: FOLDER/rtl/UNIT/UNIT.sv.
# It is a module with the unit's name, parameters and ports; in it the netlist, its registers by their names, and its MEMORYs; behind it
# the netlist, and the library's cells that it uses, made of the functions in the Liberty file.
# Reads what synth/run.sh has left (SYNTH_OUT: of another library or clock). Sizes are fixed: another value of a parameter is an error.
set -eu
. synth/unit.sh
. synth/library.sh

synth_open "${1:-}" "${2:-}"
[ -n "${3:-}" ] || die "usage: netlist.sh UNIT BUILD_DIR FOLDER"
library_open "$OUT"
[ -f "$OUT/mapped.v" ] || die "there is no $OUT/mapped.v: run synth/run.sh $UNIT $BUILD first"
folder=$3 made=$3/rtl/$UNIT/$UNIT.sv
mkdir -p "$folder/rtl/$UNIT" "$folder/rtl/prim"
cp rtl/prim/memory.sv "$folder/rtl/prim/"

# cells: models of those that the netlist uses, and of MORE_CELLS.
cells() {
    {
        echo "read_liberty -ignore_miss_func $LIBERTY"
        echo "proc"
        echo "opt_clean"
        echo "select ${MORE_CELLS:-} $(awk '/Number of cells:/ { on = 1; next } on && NF == 2 { print $1 }' "$OUT/stat.txt" | paste -sd' ')"
        echo "write_verilog -noattr -selected $folder/cells.v"
    } >"$folder/cells.ys"
    yosys_run "$folder/cells.ys"
    cat "$folder/cells.v"
}

# wrapper: the module that lockstep sees.
wrapper() {
    awk -v unit="$UNIT" '
        function range(bits) { return bits > 1 ? sprintf(" [%d:0]", bits - 1) : "" }
        function bits_of(count) { for (b = 0; 2 ^ b < count;) b++; return b ? b : 1 }
        FILENAME ~ /memories/ { memory[++memories] = $1; width[$1] = $2; depth[$1] = $3; reads[$1] = $4; next }
        $1 == "param" { params = params (params ? ",\n" : "") "    parameter int unsigned " $2 " = " $3; checks = checks check($2, $3) }
        $1 == "in" || $1 == "out" {
            ports = ports ",\n    " $1 "put wire" range($3 * $4) " " $2
            pins = pins ",\n        ." $2 "(" $2 ")"
        }
        $1 == "state" {
            clocked = 1
            if ($5 == $2) { # an output of its own
                ports = ports ",\n    output wire" range($3 * $4) " " $2
                pins = pins ",\n        ." $2 "(" $2 ")"
            } else
                states = states "    wire" range($3 * $4) " " $5 " = netlist." $5 ";\n"
        }
        function check(name, value) {
            return "    if (" name " != " value ") begin : g_" tolower(name) "\n        $error(\"the netlist is of " name " = " value "\");\n    end\n"
        }
        END {
            if (clocked || memories) { ports = ",\n    input wire clk,\n    input wire rst" ports; pins = ",\n        .rst(rst)" pins }
            if (clocked) pins = ",\n        .clk(clk)" pins
            for (m = 1; m <= memories; m++) {
                name = memory[m]; address = bits_of(depth[name])
                split("write write_address write_data read_address read_data", port, " ")
                bits["write"] = 1; bits["write_address"] = address; bits["write_data"] = width[name]
                bits["read_address"] = reads[name] * address; bits["read_data"] = reads[name] * width[name]
                inside = inside "    memory #(.WIDTH(" width[name] "), .DEPTH(" depth[name] "), .READS(" reads[name] ")) " name " (\n        .clk(clk)"
                for (p = 1; p <= 5; p++) {
                    wires = wires "    wire" range(bits[port[p]]) " " name "_" port[p] ";\n"
                    inside = inside ",\n        ." port[p] "(" name "_" port[p] ")"
                    pins = pins ",\n        .\\" name "." port[p] " (" name "_" port[p] ")"
                }
                inside = inside "\n    );\n"
            }
            print "module " unit (params ? " #(\n" params "\n)" : "") " (\n" substr(ports, 3) "\n);"
            print checks wires "    " unit "_netlist netlist (\n" substr(pins, 3) "\n    );"
            print inside states "endmodule"
        }' "$OUT/memories.txt" "$OUT/contract.txt"
}

{
    echo "// $UNIT in $LIBRARY: made by synth/netlist.sh."
    wrapper
    sed "s/^module \\\\*$UNIT(/module ${UNIT}_netlist(/" "$OUT/mapped.v"
    cells
} >"$made"
progress NETLIST "$made"
