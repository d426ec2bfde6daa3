#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/formal/prove.sh UNIT DIR RULE [PATCH]: one rule at one size, on rtl/ or on a copy with a planted bug.
# DIR holds proof.sv and contract.txt of the size (made by run.sh). Appends to DIR/results one line
#   RULE PATCH|rtl proved|refuted|undecided SECONDS DETAIL
# Yosys makes an and-inverter graph in which the rule is the only bad state; abc's pdr proves without a bound on the
# number of cycles that it cannot be reached, or gives the cycle in which it is.
set -eu
. synth/unit.sh
. tests/decide.sh
. tests/planted.sh

UNIT=$1 dir=$2 rule=$3 patch=${4:-}
name=rtl rtl=.
if [ -n "$patch" ]; then
    name=$(basename "$patch" .patch)
    rtl=$dir/$name
    plant "$patch" "$rtl"
fi
base=$dir/R$rule-$name
{
    echo "read_verilog -sv -formal -defer $(echo $(unit_sources "$rtl")) tests/formal/${UNIT}_props.sv $dir/proof.sv"
    echo "hierarchy -check -top proof -chparam RULE $rule"
    echo "rename -top proof"
    echo "proc"
    echo "flatten"
    echo "delete -port proof/i:state_*"
    awk '$1 == "state" && $5 != $2 { print "connect -nounset -set state_" $2 " dut." $5 }' "$dir/contract.txt"
    echo "opt_clean"
    # Nothing undriven: an undefined value would prove anything.
    echo "check -assert"
    echo "select -assert-count 1 t:\$assert"
    echo "opt -full"
    echo "memory_map"
    echo "techmap"
    echo "opt -fast"
    echo "dffunmap"
    echo "opt_expr"
    echo "opt_clean"
    # What is still undefined, as an index past the last warp, may be anything at any time.
    echo "setundef -anyseq"
    echo "aigmap"
    echo "opt_clean"
    echo "write_aiger -zinit -symbols $base.aig"
} >"$base.ys"
started=$(date +%s)
yosys_run "$base.ys" 2>"$base.warnings"
[ ! -s "$base.warnings" ] || {
    cat "$base.warnings" >&2
    die "Yosys warns about rule R$rule of $UNIT: what it proves may not be what is written"
}
decide "${PROVE_SECONDS:-120}" "$base.abc" "read_aiger $base.aig; fold; pdr"
case $verdict in
proved) detail=unbounded ;;
refuted) detail="in cycle $frame" ;;
*) detail="after ${PROVE_SECONDS:-120} s" ;;
esac
echo "$rule $name $verdict $(($(date +%s) - started)) $detail" >>"$dir/results"
