#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/formal/prove.sh UNIT DIR RULE [PATCH]: one rule (R3, IDLE) at one size, on rtl/ or on a copy with a planted bug.
# DIR holds proof.sv and contract.txt of the size (made by run.sh). Appends to DIR/results one line
#   RULE PATCH|rtl proved|refuted|undecided SECONDS DETAIL
# Yosys makes an and-inverter graph in which the rule is the only bad state. For the unit as it is, abc first tries plain induction,
# which takes a moment and proves most rules, those about sums among them. Of the rest scorr proves by induction what is constant or
# equal, all nodes at once, and merges it; pdr proves, without a bound on the number of cycles, that the bad state cannot be reached.
# What they leave has plain induction once more, four times as long.
# A rule `// R5 frees change: why` holds whatever the output is: what drives it is cut off, and the network is simplified before it is
# tried by induction, so that what is left has the same adders on both sides.
# On a planted bug random inputs are tried, which reach most bad states in a moment; else bmc3 looks for the first cycle in which one is
# reached, and shows of those before that it is not. Only the unit as it is is proved WITH the lemmas of its rules: a planted bug must
# break the rule itself.
set -eu
. synth/unit.sh
. synth/decide.sh
. tests/planted.sh

UNIT=$1 dir=$2 rule=$3 patch=${4:-}
name=rtl rtl=. with="-chparam WITH 1" commands=$UNBOUNDED
[ -z "$patch" ] || name=$(basename "$patch" .patch)
base=$dir/$rule-$name
if [ -n "$patch" ]; then
    rtl=$base with= commands=bmc3
    plant "$patch" "$rtl"
fi
network="read_aiger $base.aig; fold"
freed=$(sed -n "s|^ *// $rule frees \([a-z_ ]*\): .*|\1|p" "tests/formal/${UNIT}_props.sv")
case $rule in
R*) choice="RULE ${rule#R}" ;;
*) choice="$rule 1" ;;
esac
{
    echo "read_verilog -sv -formal -defer $(echo $(unit_sources "$rtl" "tests/formal/${UNIT}_props.sv")) $dir/proof.sv"
    echo "hierarchy -check -top proof -chparam $choice $with"
    echo "rename -top proof"
    echo "proc"
    echo "${LOWER_ASSERTIONS-$(lower_assertions)}"
    echo "opt_expr"
    # Nothing is removed yet: a register that a planted bug has left without a reader is looked at below.
    echo "flatten"
    echo "$FLATTENED"
    awk '$1 == "state" && $5 != $2 { print "delete -port proof/i:state_" $2; print "connect -nounset -set state_" $2 " dut." $5 }
        $1 == "memory" { print "delete -port proof/i:write_" $2; print "connect -nounset -set write_" $2 " dut." $2 ".write" }' \
        "$dir/contract.txt"
    echo "opt_clean"
    # Nothing undriven: an undefined value would prove anything.
    echo "check -assert"
    echo "select -assert-count 1 t:\$assert"
    for output in $freed; do
        echo "select -assert-count 1 w:dut.$output"
        echo "cutpoint w:dut.$output"
    done
    # Simpler words make fewer gates: an index into many words takes ten times as many without.
    echo "wreduce"
    echo "peepopt"
    echo "opt_expr"
    echo "opt_clean"
    # A memory becomes flip-flops. They have no initial value, and write_aiger makes that a free input of the first cycle: a
    # word that was never written holds anything.
    echo "memory_map"
    # To gates, as they are: abc simplifies better and sooner than Yosys.
    echo "techmap"
    echo "opt_clean"
    echo "dffunmap"
    # What is still undefined, as an index past the last warp or the words that a memory lacks to a power of two, may be anything
    # at any time.
    echo "setundef -undriven -anyseq"
    echo "aigmap"
    echo "write_aiger -zinit -symbols $base.aig"
} >"$base.ys"
started=$(date +%s)
yosys_run "$base.ys" 2>"$base.warnings"
[ ! -s "$base.warnings" ] || {
    cat "$base.warnings" >&2
    die "Yosys warns about rule $rule of $UNIT: what it proves may not be what is written"
}
seconds=${PROVE_SECONDS:-900} verdict=undecided
try_induction() {
    [ -n "$patch" ] || [ "$verdict" != undecided ] || induct "$1" "$base.induction" "$network${freed:+; scorr -C 1000; dc2}"
}
try_induction $(((seconds + 15) / 16))
[ -z "$patch" ] || decide "$seconds" "$base.sim" "$network; sim3 -F 16 -W 64 -R 200 -T 10"
[ "$verdict" != undecided ] || decide "$seconds" "$base.abc" "$network; $commands"
try_induction $(((seconds + 3) / 4))
case $verdict in
proved) detail=unbounded ;;
refuted) detail="in cycle $frame" ;;
*) detail="after $seconds s" ;;
esac
echo "$rule $name $verdict $(($(date +%s) - started)) $detail" >>"$dir/results"
