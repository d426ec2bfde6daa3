#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tb/experiments/training/training.sh BUILD_DIR EVALUATION: weights of Poise's engine. Sweeps the training workloads of poise.ini
# over (N, p) on the build, which is one of Poise's machine; an interrupted sweep resumes. $JOBS: so many runs at once. Of the
# ridges below it takes the one with which two workloads predict the third best, of all three choices of it. With that it learns
# from all: weights.ini, and without_x3.ini to without_x7.ini, each without one feature, as in Poise's figure 13, in
# BUILD_DIR/training/. EVALUATION, a file of results like build/claims/poise.sqlite, is what predictions are judged by, if it is
# there; nothing is learned from it.
set -euo pipefail
build=$1 evaluation=$2 here=${0%/*} results=$1/training.sqlite out=$1/training
ridges='1 3 10 30 100 300 1000 3000'
mkdir -p "$out"
"$build/heddle" sweep ${JOBS:+--jobs="$JOBS"} --results="$results" "$here/poise.ini"

# errors RIDGE LEARN JUDGE: the mean relative errors of N and of p, in %, on the groups that match JUDGE, learned from those that
# match LEARN; `- -` if the engine holds no such weights.
errors() {
    "$build/heddle" train --ridge="$1" --group="$2" --evaluate="$results" --evaluate-group="$3" "$results" 2>/dev/null |
        awk '/^evaluation/ { on = 1 } on && /^mean relative/ { n = $5; p = $8 } END { print n == "" ? "- -" : n " " p }' || true
}

echo
echo 'left out: what the others predict of it, mean relative errors of N and p, %'
echo 'ridge   coloring       labelling      ranks          mean'
for ridge in $ridges; do
    echo "$ridge $(errors "$ridge" '[lr]*' 'c*') $(errors "$ridge" '[cr]*' 'l*') $(errors "$ridge" '[cl]*' 'r*')"
done | awk '{ mean = /-/ ? "-" : sprintf("%.1f", ($2 + $3 + $4 + $5 + $6 + $7) / 6)
    printf "%-7s %-14s %-14s %-14s %s\n", $1, $2 " " $3, $4 " " $5, $6 " " $7, mean }' | tee "$out/ridges.txt"
ridge=$(awk '$NF != "-" && (best == "" || $NF < best) { best = $NF; ridge = $1 } END { print ridge }' "$out/ridges.txt")
[ -n "$ridge" ] || { echo "no ridge has weights that the engine holds" >&2; exit 1; }

judge=()
[ ! -e "$evaluation" ] || judge=(--evaluate="$evaluation")
printf '\nridge %s\n' "$ridge"
"$build/heddle" train --ridge="$ridge" --weights="$out/weights.ini" "${judge[@]}" "$results"
for feature in 3 4 5 6 7; do
    printf '\nwithout x%d\n' "$feature"
    "$build/heddle" train --ridge="$ridge" --drop="$feature" --weights="$out/without_x$feature.ini" "${judge[@]}" "$results" |
        grep -E 'kernels$|^mean relative error'
done
printf '\nweights: %s/*.ini\n' "$out"
