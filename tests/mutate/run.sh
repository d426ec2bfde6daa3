#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/mutate/run.sh UNIT BUILD_DIR [MUTANTS]: is the lockstep awake? Yosys makes MUTANTS small changes (default 1000)
# of the unit, all in one netlist that is Verilated once; each mutant then runs in lockstep with the C reference under
# the stimulus of tests/cosim/UNIT_stimulus.c, outputs and STATE compared every cycle. Who survives goes to equal.sh,
# which proves it equivalent to the original or not.
# Reads rtl/UNIT, rtl/prim, the contract, BUILD_DIR/hw.h, cosim/, tests/cosim/UNIT_stimulus.c, tests/mutate/, synth/unit.sh.
# Writes below BUILD_DIR/mutate/UNIT; killed, survivors and report.md are the results.
# JOBS=n processes at a time (default: all processors). Fails below 90 % killed.
set -eu
. synth/unit.sh

unit_open "${1:-}" "${2:-}" "mutate"
mutants=${3:-1000}
least=90
jobs=${JOBS:-$(nproc)}
width=1
while [ $((1 << width)) -le "$mutants" ]; do width=$((width + 1)); done
variant=$OUT/variant
rm -rf "$variant" "$OUT/kills" "$OUT/equal"
mkdir -p "$variant/rtl/prim" "$variant/rtl/$UNIT" "$OUT/kills" "$OUT/equal"
started=$(date +%s)

# 1. The netlist of all mutants.
wrap() {
    awk -v part="$1" -v unit="$UNIT" -v width="$width" -f tests/mutate/wrap.awk "$OUT/contract.txt"
}
wrap inside >"$OUT/inside.sv"
wrap miter >"$OUT/miter.sv"
wrap outside >"$variant/rtl/$UNIT/$UNIT.sv"
{
    echo "read_verilog -sv -defer $(echo $(unit_sources)) $OUT/inside.sv"
    echo "hierarchy -check -top mutants"
    echo "proc"
    echo "flatten"
    awk '$1 == "state" { print "connect -nounset -set state_" $2 " dut." $5 }' "$OUT/contract.txt"
    echo "opt_clean"
    echo "check -assert"
    # Cells that constants make idle are gone before mutants are sown among them.
    echo "opt -full -nodffe -nosdff"
    echo "mutate -list $mutants -seed 1 -ctrl mutsel $width 1 -o $OUT/list"
    echo "script $OUT/list"
    echo "write_rtlil $OUT/mutants.il"
    # Bit by bit: mutants tie bits of a word to one another, and Verilator takes such words for loops.
    echo "simplemap"
    echo "splitnets"
    echo "opt_clean"
    echo "write_verilog -noattr $variant/rtl/prim/mutants.v"
} >"$OUT/mutants.ys"
progress MUTATE "$UNIT ($CONFIG): $mutants mutants"
yosys_run "$OUT/mutants.ys"
made=$(wc -l <"$OUT/list")
[ "$made" -eq "$mutants" ] || die "Yosys made $made mutants, not $mutants; the list is $OUT/list"

# 2. One Verilated model of them all, in the random lockstep.
selected=$BUILD/obj/tests/mutate/selected.o
make -s --no-print-directory CONFIG="$CONFIG" UNIT="$UNIT" VARIANT="$variant" VARIANT_OBJ="$selected" variant \
    >"$OUT/build.log" 2>&1 || {
    tail -n 15 "$OUT/build.log" >&2
    die "the mutants do not build; see $OUT/build.log"
}
progress BUILT "$(($(date +%s) - started)) s"

# 3. The original among them must agree, or nothing below means anything.
MUTANT=0 "$variant/random" "$UNIT" --brief --cycles=100000 >"$OUT/original.log" 2>&1 || {
    cat "$OUT/original.log" >&2
    die "the netlist differs from the C reference although no mutant is selected"
}

# 4. Rounds of more and more cycles; whoever survives goes into the next one.
seq 1 "$mutants" >"$OUT/survivors"
: >"$OUT/rounds"
for round in "1000 1" "20000 20" "500000 100"; do
    cycles=${round% *}
    xargs -P "$jobs" -n 1 tests/mutate/lockstep.sh "$UNIT" "$variant" "$OUT/kills" "$cycles" "${round#* }" \
        <"$OUT/survivors" || die "a mutant could not be run; see $OUT/kills"
    cat "$OUT"/kills/* >"$OUT/killed" 2>/dev/null || : >"$OUT/killed"
    seq 1 "$mutants" | awk 'NR == FNR { killed[$1] = 1; next } !($1 in killed)' "$OUT/killed" - >"$OUT/survivors"
    echo "$cycles $(wc -l <"$OUT/killed")" >>"$OUT/rounds"
    progress KILLED "$(wc -l <"$OUT/killed") of $mutants after $cycles cycles each, $(($(date +%s) - started)) s"
done
killed=$(wc -l <"$OUT/killed")

# 5. Are the survivors the original in other words?
progress PROVE "$(wc -l <"$OUT/survivors") survivors: equivalent to the original?"
[ ! -s "$OUT/survivors" ] || xargs -P "$jobs" -n 1 tests/mutate/equal.sh "$OUT" <"$OUT/survivors" ||
    die "a survivor could not be examined; see $OUT/equal"
cat "$OUT"/equal/*.verdict >"$OUT/verdicts" 2>/dev/null || : >"$OUT/verdicts"
equivalent=$(awk '$2 == "equivalent"' "$OUT/verdicts" | wc -l)

# What mutant n does and where: its line of Yosys's list.
describe() {
    sed -n "$1p" "$OUT/list" | awk '{
        for (i = 1; i < NF; i++) option[$i] = $(i + 1)
        source = option["-src"]
        for (i = 1; i <= NF; i++) if ($i == "-src") source = source == $(i + 1) ? source : source " " $(i + 1)
        cell = option["-cell"]; wire = option["-wire"]
        sub(/^\\/, "", wire)
        printf "%s of %s bit %s (`%s`) at %s", option["-mode"], option["-port"], option["-portbit"], wire, source
    }' | tr -d '\\'
}
{
    echo "| mutants of \`$UNIT\` ($CONFIG) | |"
    echo "| --- | --- |"
    while read -r cycles count; do
        echo "| killed after at most $cycles cycles each | $count of $mutants |"
    done <"$OUT/rounds"
    awk '{ field[$4]++ } END { for (f in field) print field[f], f }' "$OUT/killed" | sort -rn | while read -r count field; do
        echo "| first difference on \`$field\` | $count |"
    done
    echo "| survivors proven equivalent to the original | $equivalent |"
    echo "| survivors left | $((mutants - killed - equivalent)) |"
    echo "| killed of those not equivalent | $(echo "$killed $mutants $equivalent" | awk '{ printf "%.1f %%", 100 * $1 / ($2 - $3) }') |"
} >"$OUT/report.md"
while read -r number verdict how; do
    echo "- $number, $verdict ($how): $(describe "$number")"
done <"$OUT/verdicts" >"$OUT/survivors.md"
cat "$OUT/report.md"
grep -v ', equivalent ' "$OUT/survivors.md" || true
{
    echo "unit=$UNIT"
    echo "config=$CONFIG"
    echo "mutants=$mutants"
    echo "killed=$killed"
    echo "equivalent=$equivalent"
    echo "unproven=$((mutants - killed - equivalent))"
    echo "seconds=$(($(date +%s) - started))"
} >"$OUT/result.txt"
[ $((killed * 100)) -ge $((least * mutants)) ] ||
    die "$UNIT: only $killed of $mutants mutants killed, less than $least %; survivors: $OUT/survivors.md"
progress OK "$UNIT: $killed of $mutants mutants killed, $equivalent equivalent, $((mutants - killed - equivalent)) left, $(($(date +%s) - started)) s"
