#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/mutate/equivalent.sh DIR WIDTH NUMBER SECONDS MITER...: is mutant NUMBER the unchanged unit after all? DIR/MITER.aig
# (tests/mutate/run.sh) is both units side by side, its output: an output or a register of theirs differs after the first cycle,
# which is a reset. The selector, the last WIDTH
# inputs, is tied to NUMBER here. MITERs are asked in turn until one is proved. Prints one of
#   NUMBER equivalent              after a reset nothing differs, ever, whatever the inputs: proved without a bound
#   NUMBER differs in cycle N      inputs exist that show it after N cycles; they may be ones that the machine never gives
#   NUMBER undecided               not within SECONDS of processor time
set -eu
. synth/decide.sh
dir=$1 width=$2 number=$3 seconds=$4
shift 4
base=$dir/equivalence/$number
# lcorr and scorr merge what is equal in both, sooner after a simplification; pdr proves or refutes the rest.
verdict=undecided
for miter; do
    [ "$verdict" != proved ] || break
    {
        # In a binary AIGER file registers follow the inputs: the last inputs become registers that keep their first value.
        head -n 1 "$dir/$miter.aig" | awk -v n="$number" -v w="$width" '{
            print $1, $2, $3 - w, $4 + w, $5, $6
            for (bit = 0; bit < w; bit++) print 2 * ($3 - w + 1 + bit), int(n / 2 ^ bit) % 2
        }'
        tail -n +2 "$dir/$miter.aig"
    } >"$base.aig"
    decide "$seconds" "$base.abc" "read_aiger $base.aig; zero; scleanup; lcorr; dc2; lcorr; scorr; pdr"
done
rm "$base.aig"
case $verdict in
proved) echo "$number equivalent" ;;
refuted) echo "$number differs in cycle $frame" ;;
*) echo "$number undecided" ;;
esac
