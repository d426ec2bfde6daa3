#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/mutate/run.sh UNIT BUILD_DIR [COUNT]: Yosys changes the unit in COUNT small ways (a bit inverted, stuck, or mixed with
# another), all in one netlist, with an input for each that switches it on. Each mutant runs in lockstep with the reference. Survivors
# are compared with the unchanged unit by a proof: they are equivalent, or inputs exist that random ones have not hit on; those are named.
# Before, they run for 20 times as long with 5 times as many seeds: stimuli have phases that only a long run reaches.
# The proof is alive: it tells some of the killed ones apart, too.
# Mutants are planted in the logic, and in what it sends to a memory; a memory itself stays an instance of rtl/prim/memory.sv. In
# the proof memories begin with any contents, and what a mutant writes otherwise is a difference. At first no more is supposed
# than that unit and mutant read the same as long as both write the same; memories themselves are in the proof of what is left.
# CYCLES=n cycles of a seed, SEEDS=n (default 5000, 8), EQUIVALENCE_SECONDS=n of a proof (default 60), LISTS=n lists of COUNT, drawn
# with n seeds; what stands in two of them counts once. Fails when fewer than KILL_RATE (default 100) percent of those that are not
# equivalent are killed.
# Writes BUILD_DIR/mutate/UNIT: report.md, result.txt, killed.txt (mutant, cycle, field), survivors.txt.
set -eu
. synth/unit.sh
. synth/decide.sh

unit_open "${1:-}" "${2:-}" "mutate" alone
count=${3:-1000}
lists=$(seq "${LISTS:-1}") cycles=${CYCLES:-5000} seeds=${SEEDS:-8} longer=20 more=5 proof=${EQUIVALENCE_SECONDS:-60}
# A STATE that is a port (its register has its name) is visible as it is.
hidden='$1 == "state" && $5 != $2'
states=$(awk "$hidden"' { print $5 }' "$OUT/contract.txt")
started=$(date +%s)

# The unit as it is, its registers brought out as ports: what every netlist below starts from.
{
    read_sources $(unit_sources)
    echo "hierarchy -check -top $UNIT$(chparams $(unit_params))"
    echo "rename -top $UNIT"
    # An index past the end reads 0: Verilog's x, which only mutants ask for, is one thing to Verilator and another to the proof.
    echo "proc; flatten; $FLATTENED; opt_clean; chtype -set \$shift t:\$shiftx"
    for state in $states; do echo "expose $UNIT/w:$state"; done
    echo "opt_clean; write_rtlil $OUT/base.il"
    echo "tee -o $OUT/memories.il $MEMORY_DUMP"
    for list in $lists; do echo "mutate -list $count -seed $list -o $OUT/list$list.txt"; done
} >"$OUT/base.ys"
progress MUTATE "$UNIT ($CONFIG): $count mutants${LISTS:+, $LISTS lists}"
yosys_run "$OUT/base.ys"
for list in $lists; do cat "$OUT/list$list.txt"; done | awk '!seen[$0]++' >"$OUT/list.txt"
memories "$OUT/memories.il" >"$OUT/memories.txt"
# The clock of a memory is no logic, and is not there any more when the memory has been cut out.
awk 'FILENAME == ARGV[1] { memory[$1]; next }
    { for (i = 1; i < NF; i++) if ($i == "-cell" && $(i + 1) in memory && / -port clk /) next; print }' \
    "$OUT/memories.txt" "$OUT/list.txt" >"$OUT/kept.txt"
mv "$OUT/kept.txt" "$OUT/list.txt"
count=$(wc -l <"$OUT/list.txt")
# pmuxtree: a mutant may select two inputs of a $pmux, which simulation and proof would resolve each in its own way.
{
    echo "read_rtlil $OUT/base.il"
    awk '{ sub(/^mutate /, "mutate -ctrl mutant" NR " 1 1 "); print }' "$OUT/list.txt"
    echo "pmuxtree; opt_clean; write_rtlil $OUT/mutants.il"
} >"$OUT/mutants.ys"
yosys_run "$OUT/mutants.ys"

# netlist NAME: AND gates and registers, as few as are found quickly, and x, which only mutants ask for, as 0. NAME says where memories
# are: `cut` out, what these drive and are driven by is among its ports; `whole`, their words are registers.
netlist() {
    {
        echo "read_rtlil $OUT/mutants.il"
        while read -r memory width depth reads; do
            case $1 in
            cut) echo "expose -evert $UNIT/c:$memory; delete -port $UNIT/w:$memory.clk" ;;
            whole) echo "chtype -set \\memory $UNIT/c:$memory; setparam -set WIDTH $width -set DEPTH $depth -set READS $reads $UNIT/c:$memory" ;;
            esac
        done <"$OUT/memories.txt"
        [ ! -s "$OUT/memories.txt" ] || echo "delete =*\\memory"
        [ "$1" = cut ] || echo "read_verilog -sv -defer rtl/prim/memory.sv"
        echo "hierarchy -top $UNIT; proc; flatten; $FLATTENED; memory_map; techmap; setundef -zero; opt -full -nodffe -nosdff"
        echo "dfflegalize -cell \$_DFF_P_ 01; setundef -init -zero; aigmap; opt_merge; opt_clean; write_aiger -ascii -symbols $OUT/$1.aag"
    } >"$OUT/$1.ys"
    yosys_run "$OUT/$1.ys"
}
netlist cut

# runs CYCLES SEEDS <NUMBERS: their runs, a share of them on each processor.
runs() {
    split -n "r/$(nproc)" --filter="$BUILD/check/$UNIT/mutants $OUT/cut.aag $1 $2" >"$OUT/shares" && sort -n "$OUT/shares"
}
seq "$count" | runs "$cycles" "$seeds" >"$OUT/runs.txt"
awk '$2 == "killed"' "$OUT/runs.txt" >"$OUT/killed.txt"
progress KILLED "$(wc -l <"$OUT/killed.txt") of $count in $(($(date +%s) - started)) s; comparing the survivors with the unchanged unit"

# step NAME: one step of the unit and of its mutants from the same registers (tests/mutate/step.awk), as NAME.aig.
step() {
    awk -f tests/mutate/step.awk "$OUT/memories.txt" "$OUT/$1.aag" >"$OUT/$1.blif"
    rm -f "$OUT/$1.aig"
    "$ABC" -c "read_blif $OUT/$1.blif; strash; zero; write_aiger $OUT/$1.aig" >"$OUT/$1.abc" 2>&1 && [ -s "$OUT/$1.aig" ] ||
        die "abc does not read $OUT/$1.blif: $(cat "$OUT/$1.abc")"
    rm "$OUT/$1.blif"
}
step cut
steps=cut
rm -rf "$OUT/equivalence" && mkdir -p "$OUT/equivalence"

# verdicts NUMBERS SECONDS FILE: on each mutant of the file NUMBERS, sorted into FILE; by the steps that there are.
verdicts() {
    : >"$3"
    xargs -P "$(nproc)" -I{} tests/mutate/equivalent.sh "$OUT" "$count" {} "$2" $steps <"$1" >>"$3" &
    attend $! "$(wc -l <"$1") compared" "$3" || die "a mutant could not be compared; see above"
    sort -n -o "$3" "$3"
}
awk 'NR % 100 == 1 { print $1 }' "$OUT/killed.txt" >"$OUT/some"
# apart SECONDS: proofs that take so long tell apart what lockstep has told apart.
apart() {
    verdicts "$OUT/some" "$1" "$OUT/alive.txt"
    ! grep ' equivalent' "$OUT/alive.txt" || die "$UNIT: what lockstep has told apart is proven equivalent: the proof is wrong"
}
short=$((proof < 10 ? proof : 10))
apart $short

# Most of those that are equivalent are found so within seconds; most others are killed sooner by a longer run than by a proof.
awk '$2 == "survived" { print $1 }' "$OUT/runs.txt" >"$OUT/survived"
verdicts "$OUT/survived" $short "$OUT/verdicts.txt"
awk '$2 != "equivalent" { print $1 }' "$OUT/verdicts.txt" >"$OUT/open"
: >"$OUT/longer.txt"
[ ! -s "$OUT/open" ] || progress "" "$(wc -l <"$OUT/open") run for $longer times as long, with $more times as many seeds"
[ ! -s "$OUT/open" ] || runs $((cycles * longer)) $((seeds * more)) <"$OUT/open" >"$OUT/longer.txt"
awk '$2 == "killed"' "$OUT/longer.txt" >>"$OUT/killed.txt"
awk '$2 == "survived" { print $1 }' "$OUT/longer.txt" >"$OUT/open"
if [ -s "$OUT/open" ] && [ -s "$OUT/memories.txt" ]; then
    netlist whole
    step whole
    steps="cut whole"
    apart "$proof"
fi
verdicts "$OUT/open" "$proof" "$OUT/longer-verdicts.txt"
awk '$2 == "equivalent"' "$OUT/verdicts.txt" >>"$OUT/longer-verdicts.txt"
sort -n -o "$OUT/verdicts.txt" "$OUT/longer-verdicts.txt"
killed=$(wc -l <"$OUT/killed.txt")
while read -r number verdict; do
    printf '%s %s: %s\n' "$number" "$verdict" "$(sed -n "${number}p" "$OUT/list.txt")"
done <"$OUT/verdicts.txt" >"$OUT/survivors.txt"
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
[ $((killed * 100)) -ge $((${KILL_RATE:-100} * (count - equivalent))) ] ||
    die "$UNIT: fewer than ${KILL_RATE:-100} % of the mutants that are not equivalent are killed"
progress OK "$UNIT: $killed of $count killed, $equivalent proven equivalent, $different different, $undecided undecided, $(($(date +%s) - started)) s"
