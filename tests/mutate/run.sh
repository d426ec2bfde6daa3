#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/mutate/run.sh UNIT BUILD_DIR [COUNT]: Yosys changes the unit in COUNT small ways (a bit inverted, stuck, or mixed with
# another), all in one netlist with a selector. Each mutant runs in lockstep with the reference. Survivors are compared with
# the unchanged netlist by a proof: they are equivalent, or inputs exist that random ones have not hit on; those are named.
# The proof is alive: it tells some of the killed ones apart, too. Before they are named, they run for 100 times as long.
# Mutants are planted in the logic, and in what it sends to a memory; a memory itself stays an instance of rtl/prim/memory.sv. In the
# proof both memories begin with the same contents, whatever they are, and a word that differs is a difference.
# CYCLES=n cycles of a seed, SEEDS=n (default 5000, 8), EQUIVALENCE_SECONDS=n of a proof (default 60). Fails when fewer than
# KILL_RATE (default 95) percent of those that are not equivalent are killed.
# Writes BUILD_DIR/mutate/UNIT: report.md, result.txt, killed.txt (mutant, cycle, field), survivors.txt.
set -eu
. synth/unit.sh
. tests/decide.sh

unit_open "${1:-}" "${2:-}" "mutate"
count=${3:-1000}
cycles=${CYCLES:-5000} seeds=${SEEDS:-8} longer=100
width=$(awk -v n="$count" 'BEGIN { w = 1; while (2 ^ w <= n) w++; print w }')
# A STATE that is a port (its register has its name) is visible as it is.
hidden='$1 == "state" && $5 != $2'
states=$(awk "$hidden"' { print $5 }' "$OUT/contract.txt")
started=$(date +%s)

# The unit as it is, its registers brought out as ports: what every netlist below starts from.
{
    read_sources $(unit_sources)
    echo "hierarchy -check -top $UNIT$(chparams $(unit_params))"
    echo "rename -top $UNIT"
    echo "proc; flatten; opt_clean"
    for state in $states; do echo "expose $UNIT/w:$state"; done
    echo "opt_clean; write_ilang $OUT/base.il"
    echo "tee -o $OUT/memories.il $MEMORY_DUMP"
    echo "mutate -list $count -seed 1 -o $OUT/list.txt"
} >"$OUT/base.ys"
progress MUTATE "$UNIT ($CONFIG): $count mutants"
yosys_run "$OUT/base.ys"
count=$(wc -l <"$OUT/list.txt")
memories "$OUT/memories.il" >"$OUT/memories.txt"
{
    echo "read_ilang $OUT/base.il"
    awk -v w="$width" '{ sub(/^mutate /, "mutate -ctrl mutsel " w " " NR " "); print }' "$OUT/list.txt"
    echo "opt_clean; write_ilang $OUT/mutants.il"
    while read -r memory bits words reads; do
        echo "chtype -set memory $UNIT/c:$memory"
        echo "setparam -set WIDTH $bits -set DEPTH $words -set READS $reads $UNIT/c:$memory"
    done <"$OUT/memories.txt"
    echo "write_verilog -noattr $OUT/rtl/$UNIT/$UNIT.sv"
} >"$OUT/mutants.ys"
mkdir -p "$OUT/rtl/$UNIT" "$OUT/rtl/prim"
yosys_run "$OUT/mutants.ys"

# The top: as expand makes it, but the selector comes in and the registers come out through ports.
awk -v w="$width" '
    /^module / { print; print "    input  logic [" w - 1 ":0] mutsel,"; next }
    / #\($/ { skip = 1; sub(/ #\($/, ""); unit = $0; next }
    skip && /\) dut \(/ { skip = 0; print unit " dut (\n        .mutsel(mutsel),"; next }
    skip { next }
    /assign state_/ { next }
    { print }' "$BUILD/cosim/$UNIT/${UNIT}_top.sv" >"$OUT/top.plain"
awk "$hidden"' { print "        .\\" $5 " (state_" $2 ")," }' "$OUT/contract.txt" >"$OUT/pins"
awk -v pins="$OUT/pins" '{ print } /\.mutsel\(mutsel\),/ { while ((getline line < pins) > 0) print line }' "$OUT/top.plain" >"$OUT/${UNIT}_top.sv"

${MAKE:-make} -s --no-print-directory CONFIG="$CONFIG" UNIT="$UNIT" VARIANT="$OUT" mutants >"$OUT/make.log" 2>&1 ||
    { tail -30 "$OUT/make.log" >&2; die "the mutants of $UNIT do not build"; }
seq "$count" | "$OUT/mutants" "$cycles" "$seeds" >"$OUT/runs.txt"
awk '$2 == "killed"' "$OUT/runs.txt" >"$OUT/killed.txt"
progress KILLED "$(wc -l <"$OUT/killed.txt") of $count in $(($(date +%s) - started)) s; comparing the survivors with the unchanged unit"

# Both side by side, the selector left open. A unit without STATE and MEMORY has neither clock nor reset.
awk -v w="$width" '
    function range(bits) { return bits > 1 ? "[" bits - 1 ":0] " : "" }
    function pin(name, wire) { return ",\n        .\\" name " (" wire ")" }
    # A wire of the name on either side, and the pins that it is on.
    function both_sides(name, port, bits) {
        wires = wires "    logic " range(bits) "gold_" name ", gate_" name ";\n"
        gold = gold pin(port, "gold_" name)
        gate = gate pin(port, "gate_" name)
    }
    function compared(name, port, bits) {
        both_sides(name, port, bits)
        differ = differ " || gold_" name " != gate_" name
    }
    function clog2(n,    bits) { while (2 ^ bits < n) bits++; return bits > 1 ? bits : 1 }
    $1 == "in" { ports = ports ",\n    input logic " range($3 * $4) $2; gold = gold pin($2, $2); gate = gate pin($2, $2) }
    $1 == "out" { compared($2, $2, $3 * $4) }
    $1 == "state" { compared("state_" $2, $5, $3 * $4) }
    NR != FNR {
        address = clog2($3)
        ports = ports ",\n    input logic " range($2 * $3) "contents_" $1
        wires = wires "    logic differ_" $1 ";\n"
        differ = differ " || differ_" $1
        n = split("write 1 write_address " address " write_data " $2 " read_address " $4 * address " read_data " $4 * $2, port, " ")
        pins = ""
        for (i = 1; i < n; i += 2) {
            both_sides($1 "_" port[i], $1 "." port[i], port[i + 1])
            pins = pins pin("gold_" port[i], "gold_" $1 "_" port[i]) pin("gate_" port[i], "gate_" $1 "_" port[i])
        }
        pairs = pairs "    memory_pair #(.WIDTH(" $2 "), .DEPTH(" $3 "), .READS(" $4 ")) " $1 " (\n        .clk(clk), .load(!begun_q)," \
            " .contents(contents_" $1 "), .differ(differ_" $1 ")" pins "\n    );\n"
    }
    $1 == "state" || NR != FNR { clock = ",\n        .clk(clk), .rst(rst | ~begun_q)" }
    END {
        print "module both (\n    input logic clk,\n    input logic rst,\n    input logic [" w - 1 ":0] mutsel" ports ",\n    output logic bad\n);"
        printf "%s", wires
        print "    logic begun_q = 1\047b0;\n    always_ff @(posedge clk) begun_q <= 1\047b1;"
        print "    gold gold (" substr(clock gold, 2) "\n    );\n    gate gate (\n        .mutsel(mutsel)" clock gate "\n    );"
        print pairs "    assign bad = begun_q && (1\047b0" differ ");\nendmodule"
    }' "$OUT/contract.txt" "$OUT/memories.txt" >"$OUT/both.sv"
{
    for side in gold=base gate=mutants; do
        echo "read_ilang $OUT/${side#*=}.il; rename $UNIT ${side%=*}"
        while read -r memory bits words reads; do
            echo "expose -evert ${side%=*}/c:$memory; delete -port ${side%=*}/w:$memory.clk"
        done <"$OUT/memories.txt"
        [ ! -s "$OUT/memories.txt" ] || echo "delete =*\\memory"
    done
    echo "read_verilog -sv $OUT/both.sv tests/mutate/memory_pair.sv; hierarchy -check -top both"
    echo "proc; flatten; opt_clean; scc -expect 0; memory_map; techmap; opt_clean"
    echo "dfflegalize -cell \$_DFF_P_ 01; setundef -init -zero; aigmap; opt_clean; write_blif $OUT/miter.blif"
} >"$OUT/miter.ys"
yosys_run "$OUT/miter.ys"
sed -i '/^\.inputs/s/ mutsel\[[0-9]*\]//g' "$OUT/miter.blif"  # no inputs: each proof ties them
rm -rf "$OUT/equivalence" && mkdir -p "$OUT/equivalence"

# verdicts NUMBERS FILE: on each mutant of the file NUMBERS, sorted into FILE.
verdicts() {
    : >"$2"
    xargs -P "$(nproc)" -I{} tests/mutate/equivalent.sh "$OUT" "$width" {} <"$1" >>"$2" &
    attend $! "$(wc -l <"$1") compared" "$2" || die "a mutant could not be compared; see above"
    sort -n -o "$2" "$2"
}
awk 'NR % 100 == 1 { print $1 }' "$OUT/killed.txt" >"$OUT/some"
verdicts "$OUT/some" "$OUT/alive.txt"
! grep ' equivalent' "$OUT/alive.txt" || die "$UNIT: what lockstep has told apart is proven equivalent: the proof is wrong"
awk '$2 == "survived" { print $1 }' "$OUT/runs.txt" >"$OUT/survived"
verdicts "$OUT/survived" "$OUT/verdicts.txt"

# Those that are not equivalent, or may not be, run for longer.
awk '$2 != "equivalent" { print $1 }' "$OUT/verdicts.txt" >"$OUT/open"
: >"$OUT/longer.txt"
[ ! -s "$OUT/open" ] || "$OUT/mutants" "$cycles" $((seeds * longer)) <"$OUT/open" >"$OUT/longer.txt"
awk '$2 == "killed"' "$OUT/longer.txt" >>"$OUT/killed.txt"
killed=$(wc -l <"$OUT/killed.txt")
awk 'NR == FNR { killed[$1]; next } !($1 in killed)' "$OUT/killed.txt" "$OUT/verdicts.txt" | while read -r number verdict; do
    printf '%s %s: %s\n' "$number" "$verdict" "$(sed -n "${number}p" "$OUT/list.txt")"
done >"$OUT/survivors.txt"
number_of() {
    grep -c "^[0-9]* $1" "$OUT/survivors.txt" || true
}
equivalent=$(number_of equivalent) different=$(number_of differs) undecided=$(number_of undecided)

{
    echo "| mutants | killed | proven equivalent | different, not noticed | undecided |"
    echo "| ---: | ---: | ---: | ---: | ---: |"
    echo "| $count | $killed | $equivalent | $different | $undecided |"
    echo
    echo "| first difference on | mutants | median cycle |"
    echo "| --- | ---: | ---: |"
    for field in $(awk '{ print $4 }' "$OUT/killed.txt" | sort -u); do
        awk -v f="$field" '$4 == f { print $3 }' "$OUT/killed.txt" | sort -n |
            awk -v f="$field" '{ c[NR] = $1 } END { print "| `" f "` | " NR " | " c[int((NR + 1) / 2)] " |" }'
    done
} >"$OUT/report.md"
cat "$OUT/report.md"
[ $((different + undecided)) = 0 ] || { echo; echo "Survivors that are not equivalent:"; grep -v '^[0-9]* equivalent' "$OUT/survivors.txt"; }
{
    echo "mutants=$count"
    echo "killed=$killed"
    echo "equivalent=$equivalent"
    echo "different=$different"
    echo "undecided=$undecided"
    echo "seconds=$(($(date +%s) - started))"
} >"$OUT/result.txt"
[ $((killed * 100)) -ge $((${KILL_RATE:-95} * (count - equivalent))) ] ||
    die "$UNIT: fewer than ${KILL_RATE:-95} % of the mutants that are not equivalent are killed"
progress OK "$UNIT: $killed of $count killed, $equivalent proven equivalent, $different different, $undecided undecided, $(($(date +%s) - started)) s"
