#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/mutate/run.sh UNIT BUILD_DIR [COUNT]: Yosys changes the unit in COUNT small ways (a bit inverted, stuck, or mixed with
# another), all in one netlist with a selector. Each mutant runs in lockstep with the reference. Survivors are compared with
# the unchanged netlist by induction; those that cannot be told apart are proven equivalent, the others are named.
# CYCLES=n cycles of a seed, SEEDS=n (default 5000, 8). Fails when fewer than KILL_RATE (default 90) percent of those
# that are not proven equivalent are killed.
# Writes BUILD_DIR/mutate/UNIT: report.md, result.txt, killed.txt (mutant, cycle, field), survivors.txt.
set -eu
. synth/unit.sh

unit_open "${1:-}" "${2:-}" "mutate"
count=${3:-1000}
cycles=${CYCLES:-5000} seeds=${SEEDS:-8}
width=$(awk -v n="$count" 'BEGIN { w = 1; while (2 ^ w <= n) w++; print w }')
# A STATE that is a port (its register has its name) is visible as it is.
hidden='$1 == "state" && $5 != $2'
states=$(awk "$hidden"' { print $5 }' "$OUT/contract.txt")
started=$(date +%s)

# The unit as it is, its registers brought out as ports: what every netlist below starts from.
{
    echo "read_verilog -sv -defer $(echo $(unit_sources))"
    echo "hierarchy -check -top $UNIT$(chparams $(unit_params))"
    echo "rename -top $UNIT"
    echo "proc; flatten; opt_clean"
    for state in $states; do echo "expose $UNIT/w:$state"; done
    echo "opt_clean; write_ilang $OUT/base.il"
    echo "mutate -list $count -seed 1 -o $OUT/list.txt"
} >"$OUT/base.ys"
progress MUTATE "$UNIT ($CONFIG): $count mutants"
yosys_run "$OUT/base.ys"
count=$(wc -l <"$OUT/list.txt")
{
    echo "read_ilang $OUT/base.il"
    awk -v w="$width" '{ sub(/^mutate /, "mutate -ctrl mutsel " w " " NR " "); print }' "$OUT/list.txt"
    echo "opt_clean; write_verilog -noattr $OUT/rtl/$UNIT/$UNIT.sv"
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
"$OUT/mutants" "$UNIT" "$count" "$cycles" "$seeds" >"$OUT/runs.txt"
grep ' killed ' "$OUT/runs.txt" >"$OUT/killed.txt" || true
killed=$(wc -l <"$OUT/killed.txt")
progress KILLED "$killed of $count in $(($(date +%s) - started)) s; comparing the survivors with the unchanged unit"

# A survivor, alone in the netlist, against the unchanged one.
: >"$OUT/survivors.txt"
awk '$2 == "survived" { print $1 }' "$OUT/runs.txt" >"$OUT/survived"
mkdir -p "$OUT/equivalence"
xargs -P "$(nproc)" -I{} tests/mutate/equivalent.sh "$UNIT" "$OUT" {} <"$OUT/survived" >"$OUT/verdicts.txt"
sort -n "$OUT/verdicts.txt" | while read -r number verdict; do
    echo "$number $verdict $(sed -n "${number}p" "$OUT/list.txt")"
done >"$OUT/survivors.txt"
equivalent=$(grep -c ' equivalent ' "$OUT/survivors.txt" || true)
unproven=$(grep -c ' unproven ' "$OUT/survivors.txt" || true)

{
    echo "| mutants | killed outright | proven equivalent | unproven |"
    echo "| --- | --- | --- | --- |"
    echo "| $count | $killed ($(awk -v k="$killed" -v n="$count" 'BEGIN { printf "%.1f", 100 * k / n }') %) | $equivalent | $unproven |"
    echo
    echo "| first difference on | mutants | median cycle |"
    echo "| --- | --- | --- |"
    for field in $(awk '{ print $4 }' "$OUT/killed.txt" | sort -u); do
        awk -v f="$field" '$4 == f { print $3 }' "$OUT/killed.txt" | sort -n |
            awk -v f="$field" '{ c[NR] = $1 } END { print "| `" f "` | " NR " | " c[int((NR + 1) / 2)] " |" }'
    done
} >"$OUT/report.md"
cat "$OUT/report.md"
[ "$unproven" = 0 ] || { echo; echo "Survivors that induction could not prove equivalent:"; grep ' unproven ' "$OUT/survivors.txt"; }
{
    echo "mutants=$count"
    echo "killed=$killed"
    echo "equivalent=$equivalent"
    echo "unproven=$unproven"
    echo "seconds=$(($(date +%s) - started))"
} >"$OUT/result.txt"
[ $((killed * 100)) -ge $((${KILL_RATE:-90} * (count - equivalent))) ] ||
    die "$UNIT: fewer than ${KILL_RATE:-90} % of the mutants that are not equivalent are killed"
progress OK "$UNIT: $killed of $count killed, $equivalent proven equivalent, $unproven unproven, $(($(date +%s) - started)) s"
