#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tb/experiments/throttling/throttling.sh BUILD_DIR NAME: runs the sweep over (N, p) of NAME.ini beside
# this script and prints a table for each set of groups, whose names begin with the same word; maps of
# the workloads go to BUILD_DIR/maps.
# $WORKLOADS: runs and draws only these. $JOBS: so many runs at once. An interrupted sweep resumes.
set -euo pipefail
build=$1 file=${0%/*}/$2.ini results=$1/sweep.sqlite
[ -e "$file" ] || {
    echo "no $file; there are: $(cd "${file%/*}" && ls -- *.ini | tr '\n' ' ')" >&2
    exit 2
}
mkdir -p "$build/maps"
draw() { "$build/heddle" map --workload="$1" --picture="$build/maps/$1.svg" "$results"; }

if [ -n "$WORKLOADS" ]; then
    for workload in $WORKLOADS; do
        "$build/heddle" sweep ${JOBS:+--jobs="$JOBS"} --workload="$workload" --results="$results" "$file"
        draw "$workload"
    done
else
    "$build/heddle" sweep ${JOBS:+--jobs="$JOBS"} --results="$results" "$file"
    points=$("$build/heddle" sweep --dry-run "$file") # NUMBER [GROUP] config=C workload=W ...
    for set in $(sed 's/^[0-9]* \[\([^] ]*\).*/\1/' <<<"$points" | uniq); do
        printf '\n%s: ' "$set"
        "$build/heddle" map --table --group="$set*" "$results"
    done
    for workload in $(sed 's/.* workload=\([^ ]*\).*/\1/' <<<"$points" | sort -u); do
        draw "$workload" >/dev/null
    done
fi
echo
echo "maps: $build/maps/*.svg"
