#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/synth/memory.sh: is the area that synth/memory.awk computes within 20 percent of every area of synth/memory.txt? Prints
# each with its error. Then each constant of the model, one after the other, is half as large again: that must be noticed.
set -eu

# errors [-v CONSTANT=VALUE]: one line for each area; status 1 if one is further away than 20 percent.
errors() {
    grep -v '^#' synth/memory.txt | awk '{ print $1, $2, $3, 0, $4 }' | awk "$@" -f synth/memory.awk >"$areas"
    grep -v '^#' synth/memory.txt | awk '
        NR == FNR { model[$1] = $4; next }
        {
            error = 100 * (model[$1] / $5 - 1)
            printf "%-16s %6d um2 published, %6d um2 by the model: %+.0f %%\n", $1, $5, model[$1], error
            if (error < -20 || error > 20) wrong = 1
            points++
        }
        END { exit wrong || points < 10 }' "$areas" -
}
areas=$(mktemp)
trap 'rm -f "$areas"' EXIT
errors || { echo "memory.sh: error: synth/memory.awk is further than 20 % from a published area" >&2; exit 1; }
for wrong in cell_long=21.9 cell_short=15 overhead=2.4 row=1755 column=3900; do
    ! errors -v "$wrong" >/dev/null || { echo "memory.sh: error: nothing notices $wrong" >&2; exit 1; }
done
