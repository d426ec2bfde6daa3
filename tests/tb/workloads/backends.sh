#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tb/workloads/backends.sh SIZE BUILD_DIR WORKLOAD...: each workload under each of $POLICIES (of the warps, or with one of the
# thread blocks behind it: gto+rb), decided by the C reference with one, two and three host threads, by the Verilog, and by both in
# lockstep. All must end with status 0, say `verified`, and leave the same statistics; lockstep must have compared something and found
# no difference. Prints a table: cycles, seconds of processor time with the C reference, and how many times as long the others take;
# with threads that is the sum over the threads. One run after the other; what a run leaves is in build/backends/CONFIG-SIZE.
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
    local name=$1 status=0 policy=(--sched="${3%+*}")
    [ "${3%+*}" = "$3" ] || policy+=(--dispatch="${3#*+}")
    [ ! -t 2 ] || printf '\r\033[K  %s' "${name##*/}" >&2
    rm -f "$name.json"
    { time "$build/heddle" run "${policy[@]}" --backend="$4" --set run.threads="$5" --stats="$name.json" -- \
        "$build/workloads/$2" --size="$size" >"$name.log" 2>&1 </dev/null; } 2>"$name.seconds" || status=$?
    [ "$status" = 0 ] || fail "$name" "status $status"
    grep -q '^verified' "$name.log" || fail "$name" "no line says 'verified'"
    seconds=$(awk '{ s = $1 + $2; print (s > 0.001 ? s : 0.001) }' "$name.seconds")
}

# results NAME: its statistics but for what decides and how fast.
results() { "$build/heddle" report --without=backend,lockstep,host "$1.json"; }

slowest=0
declare -A took
# times KIND: how many times as long as the C reference with one thread a kind took.
times() { awk -v a="${took[$1]}" -v b="${took[c-1]}" 'BEGIN { printf "%.2f", a / b }'; }

printf '| workload | policy | cycles | seconds | rtl | lockstep | 2 threads | 3 threads |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n'
for workload; do
    for policy in $POLICIES; do
        name=$out/$workload-$policy
        # The first one may have to compile kernels: one that no time is compared with.
        for kind in c-3 c-2 c-1 rtl-1 lockstep-1; do
            run "$name-$kind" "$workload" "$policy" "${kind%-*}" "${kind#*-}"
            took[$kind]=$seconds
            cmp -s <(results "$name-c-3") <(results "$name-$kind") || fail "$name-$kind" "its statistics are not those of ${name##*/}-c-3.json"
        done
        compared=$("$build/heddle" report --get=lockstep "$name-lockstep-1.json")
        grep -q '\.cycles [1-9]' <<<"$compared" || fail "$name-lockstep-1" "lockstep compared nothing"
        ! grep -q '\.mismatches [1-9]' <<<"$compared" || fail "$name-lockstep-1" "mismatches in the statistics"
        slowest=$(printf '%s\n' "$slowest" "$(times lockstep-1)" | sort -g | tail -n 1)
        [ ! -t 2 ] || printf '\r\033[K' >&2
        printf '| `%s` | `%s` | %s | %.1f | %s | %s | %s | %s |\n' "$workload" "$policy" \
            "$("$build/heddle" report --get=cycles "$name-c-3.json" | sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta')" \
            "${took[c-1]}" "$(times rtl-1)" "$(times lockstep-1)" "$(times c-2)" "$(times c-3)"
    done
done
printf 'Lockstep takes at most %.2f times as long as the C reference.\n' "$slowest"
