#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tb/workloads/throttling.sh BUILD_DIR SWEEP.ini: runs the sweep over (N, p) and tells what it shows: a table for each group of
# the file, and a map of each workload in BUILD_DIR/maps. $WORKLOADS: runs and tells these only. Ended, it goes on where it was.
set -euo pipefail
build=$1 file=$2 results=$1/sweep.sqlite
[ -e "$file" ] || { echo "no $file; there are: $(cd "${file%/*}" && ls -- *.ini | tr '\n' ' ')" >&2; exit 2; }
mkdir -p "$build/maps"
draw() { "$build/heddle" map --workload="$1" --picture="$build/maps/$1.svg" "$results"; }

if [ -n "$WORKLOADS" ]; then
    for workload in $WORKLOADS; do
        "$build/heddle" sweep --workload="$workload" --results="$results" "$file"
        draw "$workload"
    done
else
    "$build/heddle" sweep --results="$results" "$file"
    points=$("$build/heddle" sweep --dry-run "$file") # NUMBER [GROUP] config=C workload=W ...
    for group in $(sed 's/^[0-9]* \[\([^]]*\)\].*/\1/' <<<"$points" | uniq); do
        printf '\n%s: ' "$group"
        "$build/heddle" map --table --group="$group" "$results"
    done
    for workload in $(sed 's/.* workload=\([^ ]*\).*/\1/' <<<"$points" | sort -u); do
        draw "$workload" >/dev/null
    done
fi
echo
echo "maps: $build/maps/*.svg"
