#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tb/workloads/replays.sh BUILD_DIR: captures every workload of $WORKLOADS, small, and replays it (tb/capture): without change its
# statistics must be those of the run, but for `host`; under another policy, in lockstep, each launch must leave the same memory. Those of
# $ORDERED must not: `gc` keeps the objects that it has found in the order in which threads have found them.
# As many at once as there are processors; what a run leaves is in BUILD_DIR/replays.
set -euo pipefail
export ORDERED=${ORDERED:-gc}
export build=$1 limit=${LIMIT:-600} # seconds of one run
export out=$build/replays
rm -rf "$out"
mkdir -p "$out"

# Prints the workload, and why it failed, if it did.
replay() {
    local name=$out/$1 reason='' expected=0 status=0
    [[ " $ORDERED " != *" $1 "* ]] || expected=1
    timeout "$limit" "$build/heddle" run --capture="$name.capture" --stats="$name.json" -- \
        "$build/workloads/$1" --size=small >"$name.log" 2>&1 </dev/null || reason="run: status $?"
    [ -n "$reason" ] || timeout "$limit" "$build/heddle" replay --stats="$name.replay.json" \
        "$name.capture" >>"$name.log" 2>&1 || reason="replay: status $?"
    [ -n "$reason" ] || diff <("$build/heddle" report --without=host "$name.json") \
        <("$build/heddle" report --without=host "$name.replay.json") >>"$name.log" ||
        reason="the statistics of the replay are not those of the run"
    [ -n "$reason" ] || timeout "$limit" "$build/heddle" replay --sched=lrr --backend=lockstep \
        "$name.capture" >>"$name.log" 2>&1 || status=$?
    [ -n "$reason" ] || [ "$status" = "$expected" ] ||
        reason="replay under lrr, in lockstep: status $status, expected $expected"
    rm -f "$name.capture"
    echo "$1${reason:+: $reason; see $name.log}"
}
export -f replay

# shellcheck disable=SC2016,SC2086 # $1 is the shell's below; workloads are words
printf '%s\n' $WORKLOADS | xargs -P "$(nproc)" -I{} bash -c 'replay "$1"' replay {} >"$out/results"
failed=$(grep -c : "$out/results" || true)
grep : "$out/results" || true
echo "replays: $(($(wc -l <"$out/results") - failed)) passed, $failed failed"
[ "$failed" = 0 ]
