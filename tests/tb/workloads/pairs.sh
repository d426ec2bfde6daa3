#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tb/workloads/pairs.sh BUILD_DIR: captures workloads, small, and replays them two by two, each in an address space of its own, in
# lockstep and observed, until both are through (heddle replay): each launch must leave the memory that it left when captured. The pairs are $PAIRS,
# such as bfs+spmv, or all of $WORKLOADS. Those of $ORDERED are in none of these, since the
# memory that they leave depends on the order of their threads: gc (see replays.sh), and histogram, whose blocks add to a counter only until
# it is full, so that it matters who comes first, though not for the result.
# As many at once as there are processors; what a run leaves is in BUILD_DIR/pairs.
set -euo pipefail
export ORDERED=${ORDERED:-gc histogram}
export build=$1 limit=${LIMIT:-1200} # seconds of one run
export out=$build/pairs
rm -rf "$out"
mkdir -p "$out"

pairs=$out/list
if [ -n "${PAIRS:-}" ]; then
    tr ' ' '\n' <<<"$PAIRS"
else
    # shellcheck disable=SC2086 # workloads are words
    printf '%s\n' $WORKLOADS | grep -vxF "$(tr ' ' '\n' <<<"$ORDERED")" |
        awk '{ name[NR] = $0 } END { for (i = 1; i <= NR; i++) for (j = i + 1; j <= NR; j++) print name[i] "+" name[j] }'
fi >"$pairs"

capture() {
    timeout "$limit" "$build/heddle" run --capture="$out/$1.capture" -- "$build/workloads/$1" --size=small \
        >"$out/$1.log" 2>&1 </dev/null || echo "$1: no capture: status $?; see $out/$1.log"
}

# Prints the pair, and why it failed, if it did.
pair() {
    local first=${1%+*} second=${1#*+} reason=''
    timeout "$limit" "$build/heddle" replay --dispatch=kmu --backend=lockstep --set run.observe=1 --stats="$out/$1.json" "$out/$first.capture" \
        "$out/$second.capture" >"$out/$1.log" 2>&1 </dev/null || reason="status $?"
    [ "$reason" ] || ! "$build/heddle" report --get=lockstep "$out/$1.json" | grep -vq '\.cycles [1-9]\|\.mismatches 0$' ||
        reason="lockstep compared nothing, or found differences"
    echo "$1${reason:+: $reason; see $out/$1.log}"
}
export -f capture pair

# shellcheck disable=SC2016 # $1 is the shell's below
tr '+' '\n' <"$pairs" | sort -u | xargs -P "$(nproc)" -I{} bash -c 'capture "$1"' capture {} >"$out/captures"
# shellcheck disable=SC2016
xargs -P "$(nproc)" -I{} bash -c 'pair "$1"' pair {} <"$pairs" | tests/tb/workloads/counted.sh "$(wc -l <"$pairs")" pairs >"$out/results"
cat "$out/captures"
failed=$(grep -c : "$out/results" || true)
grep : "$out/results" || true
rm -f "$out"/*.capture
echo "pairs: $(($(wc -l <"$out/results") - failed)) passed, $failed failed"
[ "$failed" = 0 ]
