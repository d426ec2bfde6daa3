#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/mutate/equivalent.sh DIR COUNT NUMBER SECONDS STEP...: is mutant NUMBER of COUNT the unchanged unit after all? DIR/STEP.aig
# (tests/mutate/step.awk) is a step of both from the same registers, its output: something differs, after the first cycle, which is a
# reset. The last COUNT inputs switch mutants on: all but that of NUMBER are tied to 0 here. STEPs are asked in turn until one is
# proved. Prints one of
#   NUMBER equivalent              after a reset nothing differs, ever, whatever the inputs: proved without a bound
#   NUMBER differs in cycle N      inputs exist that show it after N cycles; they may be ones that the machine never gives
#   NUMBER undecided               not within SECONDS of processor time
set -eu
. synth/decide.sh
dir=$1 count=$2 number=$3 seconds=$4
shift 4
base=$dir/equivalence/$number
# First whatever the registers hold. Then lcorr and scorr merge what is equal in both, sooner after a simplification; pdr proves or refutes
# the rest.
network="read_aiger $base.aig; zero; scleanup" verdict=undecided
for step; do
    [ "$verdict" != proved ] || break
    {
        # In a binary AIGER file registers follow the inputs: the last inputs become registers that keep their first value.
        head -n 1 "$dir/$step.aig" | awk -v n="$number" -v c="$count" '{
            print $1, $2, $3 - c, $4 + c, $5, $6
            for (bit = 0; bit < c; bit++) print 2 * ($3 - c + 1 + bit), bit == n - 1
        }'
        tail -n +2 "$dir/$step.aig"
    } >"$base.aig"
    whatever "$seconds" "$base.abc" "$network"
    [ "$verdict" = proved ] || decide "$seconds" "$base.abc" "$network; lcorr; dc2; lcorr; scorr; pdr"
done
rm "$base.aig"
case $verdict in
proved) echo "$number equivalent" ;;
refuted) echo "$number differs in cycle $frame" ;;
*) echo "$number undecided" ;;
esac
