#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/mutate/equivalent.sh DIR WIDTH NUMBER SECONDS: is mutant NUMBER the unchanged unit after all? DIR/miter.blif
# (tests/mutate/run.sh) is both units side by side, its output: an output or a register of theirs differs after the first cycle,
# which is a reset. The selector of WIDTH bits is tied to NUMBER here. Prints one of
#   NUMBER equivalent              after a reset nothing differs, ever, whatever the inputs: proved without a bound
#   NUMBER differs in cycle N      inputs exist that show it after N cycles; they may be ones that the machine never gives
#   NUMBER undecided               not within SECONDS of processor time
set -eu
. synth/decide.sh
dir=$1 width=$2 number=$3 seconds=$4
base=$dir/equivalence/$number
{
    grep -v '^\.end$' "$dir/miter.blif"
    awk -v n="$number" -v w="$width" 'BEGIN {
        for (bit = 0; bit < w; bit++) {
            print ".names mutsel[" bit "]"
            if (int(n / 2 ^ bit) % 2) print "1"
        }
        print ".end"
    }'
} >"$base.blif"
# lcorr and scorr merge what is equal in both, sooner after a simplification; pdr proves or refutes the rest.
decide "$seconds" "$base.abc" "read_blif $base.blif; strash; zero; lcorr; dc2; lcorr; scorr; pdr"
rm "$base.blif"
case $verdict in
proved) echo "$number equivalent" ;;
refuted) echo "$number differs in cycle $frame" ;;
*) echo "$number undecided" ;;
esac
