#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tb/workloads/backends.sh SIZE BUILD_DIR WORKLOAD...: each workload under each of $POLICIES (of the warps, or with one of the
# thread blocks behind it: gto+rb), decided by the C reference, by the Verilog, and by both in lockstep, and by the C reference with
# two and three host threads. All must end with status 0, say `verified`, and
# leave the same statistics; lockstep must have compared something and found no difference. Prints a table: cycles, seconds of processor time
# with the C reference, and how many times as long the others take; with threads that is the sum over the threads. One run after
# the other; what a run leaves is in build/backends/CONFIG-SIZE.
set -euo pipefail
size=$1 build=$2
shift 2
: "${1:?which workloads}" "${POLICIES:?which policies}"
out=${OUT:-build/backends}/$(basename "$build")-$size
mkdir -p "$out"
TIMEFORMAT='%U %S'

fail() {
    [ ! -t 2 ] || printf '\r\033[K' >&2
    echo "FAILED: $1: $2" >&2
    tail -n 5 "$1.log" | sed 's/^/    | /' >&2
    exit 1
}

# run NAME WORKLOAD POLICY BACKEND THREADS: leaves NAME.json, sets seconds.
run() {
    local name=$out/$1 status=0 policy=(--sched="${3%+*}")
    [ "${3%+*}" = "$3" ] || policy+=(--dispatch="${3#*+}")
    [ ! -t 2 ] || printf '\r\033[K  %s' "$1" >&2
    rm -f "$name.json"
    { time "$build/heddle" run "${policy[@]}" --backend="$4" --set run.threads="$5" --stats="$name.json" -- \
        "$build/workloads/$2" --size="$size" >"$name.log" 2>&1 </dev/null; } 2>"$name.seconds" || status=$?
    [ "$status" = 0 ] || fail "$name" "status $status"
    grep -q '^verified' "$name.log" || fail "$name" "no line says 'verified'"
    seconds=$(awk '{ s = $1 + $2; print (s > 0.001 ? s : 0.001) }' "$name.seconds")
}

# results NAME: its statistics but for what decides and how fast.
results() { "$build/heddle" report --without=backend,lockstep,host "$out/$1.json"; }

slowest=0
printf '| workload | policy | cycles | seconds | rtl | lockstep | 2 threads | 3 threads |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n'
for workload; do
    for policy in $POLICIES; do
        first=$workload-$policy-c
        run "$first" "$workload" "$policy" c 1
        base=$seconds row=
        for kind in rtl-1 lockstep-1 c-2 c-3; do
            name=$workload-$policy-$kind
            run "$name" "$workload" "$policy" "${kind%-*}" "${kind#*-}"
            cmp -s <(results "$first") <(results "$name") || fail "$out/$name" "its statistics are not those of $first.json"
            row+=$(awk -v a="$seconds" -v b="$base" 'BEGIN { printf " %.2f |", a / b }')
            [ "$kind" != lockstep-1 ] ||
                slowest=$(awk -v a="$seconds" -v b="$base" -v s="$slowest" 'BEGIN { print (a / b > s ? a / b : s) }')
        done
        compared=$("$build/heddle" report --get=lockstep "$out/$workload-$policy-lockstep-1.json")
        grep -q '\.cycles [1-9]' <<<"$compared" || fail "$out/$workload-$policy-lockstep-1" "lockstep compared nothing"
        ! grep -q '\.mismatches [1-9]' <<<"$compared" || fail "$out/$workload-$policy-lockstep-1" "mismatches in the statistics"
        [ ! -t 2 ] || printf '\r\033[K' >&2
        printf '| `%s` | `%s` | %s | %.1f |%s\n' "$workload" "$policy" \
            "$("$build/heddle" report --get=cycles "$out/$first.json" | sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta')" "$base" "$row"
    done
done
printf 'Lockstep takes at most %.2f times as long as the C reference.\n' "$slowest"
