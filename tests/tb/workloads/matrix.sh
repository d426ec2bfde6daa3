#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tb/workloads/matrix.sh SIZE BUILD_DIR...: every workload of $WORKLOADS on every machine,
# under lrr and gto, in lockstep; with SIZE small, on all but the first machine, gto is observed. A run must end with status 0, say
# `verified`, have compared something, found no difference, and of each kernel have each cycle of each resident warp in one class of its CPI
# (so that IPC = warps / CPI, exactly). With SIZE small, on the first machine besides:
# - every second one of the policies that need no file of their own in lockstep, the others on the next workload, and of every $EVERY-th of
#   these runs the C reference alone and the Verilog alone; where EVERY is 1 all of both. With three vital warps, of which one pollutes L1,
#   gto with each backend. The statistics must be the same whichever backend decides;
# - policies that act in every cycle, which take many times as long, on $ACTING alone (all: on every one), with each backend and observed;
# - once more with 1, and with 2 and 3 threads: the statistics must be the same but for `host`;
# - under bcs, and, on every fourth turn, under one of PAVER's policies of the dispatcher, observed; where EVERY is 1 under each of these, with each backend;
# - observed (tb/observe): throttled, and under the policy that has most units; the statistics are those of the run that nobody
#   observes;
# - $AGED of them at size medium, observed: small ones never fill a scheduler of a large machine, so
#   that a slot's number is its age. These must have turns in which it is not (host.aged).
# To observe costs many times the run: only every second run that is to be observed is, unless EVERY is 1.
# As many at once as there are processors; what a run leaves is in build/matrix/SIZE.
set -euo pipefail
AGED=${AGED:-backprop pathfinder} EVERY=${EVERY:-4}
ACTING=${ACTING:-bfs black_scholes histogram hotspot mriq spmv_vector srad}
export size=$1 limit=${LIMIT:-3600} # seconds of one run
shift
export first=$1
export out=${OUT:-build/matrix}/$size
rm -rf "$out"
mkdir -p "$out"

# Prints the first kernel whose warps' cycles are not all in the CPI's classes, or whose instructions are not those issued.
unaccounted() { # STATISTICS
    "$first/heddle" report --get=kernels "$1" | awk '
        { split($1, part, "."); kernel = part[2] }
        $1 ~ /^kernels\.[0-9]+\.warp_cycles$/ { kernels++; resident[kernel] = $2 }
        $1 ~ /^kernels\.[0-9]+\.warp_instructions$/ { instructions[kernel] = $2 }
        part[3] == "cpi" && part[4] == "warp_cycles" { sum[kernel] += $2 }
        part[3] == "cpi" && part[5] == "issued" && part[4] == "warp_cycles" { issued[kernel] = $2 }
        END {
            if (!kernels) print "none"
            for (k in resident)
                if (sum[k] != resident[k] || issued[k] != instructions[k]) { print k; exit }
        }'
}

# Runs one line of the list: BUILD_DIR WORKLOAD POLICY BACKEND [VARIATION [SETTING,SETTING...]].
# Leaves .json, .log, .command, and .failed with the reason or .passed. Prints a line when done.
run() {
    local build=$1 workload=$2 name reason='' status=0 units=wia compared wrong size=$size
    name=$out/$(name "$@")
    [ "${5:-}" != aged ] || size=medium
    local command=("$build/heddle" run --sched="$3" --backend="$4" ${6:+--set ${6//,/ --set }}
        --stats="$name.json" -- "$build/workloads/$workload" --size="$size")
    echo "${command[*]}" >"$name.command"
    timeout "$limit" "${command[@]}" >"$name.log" 2>&1 </dev/null || status=$?
    case $status in
    0) ;;
    3) reason="lockstep or an observer found a difference (status 3)" ;;
    124) reason="still running after $limit s" ;;
    *) reason="status $status" ;;
    esac
    [ -n "$reason" ] || grep -q '^verified' "$name.log" || reason="no line says 'verified'"
    [ -n "$reason" ] || compared=$("$build/heddle" report --get=lockstep "$name.json" 2>&1) ||
        reason="no statistics"
    [ -n "$reason" ] || ! grep -q '\.mismatches [1-9]' <<<"$compared" ||
        reason="mismatches in the statistics"
    [ -n "$reason" ] || [ "${5:-}" != aged ] ||
        grep -q '^host.aged [1-9]' < <("$build/heddle" report --get=host "$name.json") ||
        reason="warps are as old as their numbers say, always"
    [ -n "$reason" ] || wrong=$(unaccounted "$name.json")
    [ -n "$reason" ] || [ -z "$wrong" ] || reason="kernel $wrong: its warps' cycles are not the sum of the CPI's classes"
    [ "$3" != icmt ] || units=icmt
    [[ ${6:-} != *mask.* ]] || units+=' mask'
    for unit in $units; do
        [ -n "$reason" ] || [ "$4" != lockstep ] ||
            grep -q "^lockstep\.$unit\.cycles [1-9]" <<<"$compared" ||
            reason="lockstep compared nothing of $unit"
    done
    if [ -n "$reason" ]; then echo "$reason" >"$name.failed"; else touch "$name.passed"; fi
    echo "$name"
}
name() { echo "$(basename "$1")-$2-$3-$4${5:+-$5}"; }

# A run's statistics must be another's, but for some members.
same() { # NAME OTHER MEMBER,...
    local name=$out/$1 other=$out/$2 expected found
    [ -e "$name.passed" ] && [ ! -e "$other.failed" ] || return 0
    expected=$("$first/heddle" report --without="$3" "$other.json" 2>>"$name.log") &&
        found=$("$first/heddle" report --without="$3" "$name.json" 2>>"$name.log") &&
        diff <(echo "$expected") <(echo "$found") >>"$name.log" && return 0
    echo "its statistics are not those of $other.json" >"$name.differs"
}

# Compares one run of the list with the one that it must be like.
compare() {
    local build=$1 workload=$2 policy=$3 backend=$4 variation=${5:-} name other
    name=$(name "$@")
    if [[ " bcs aged elsewhere " == *" $variation "* ]] && [ -n "$variation" ]; then
        : # there is none to compare it with
    elif [[ $variation == paver-* ]]; then
        [ "$backend" = lockstep ] || same "$name" "$(name "$build" "$workload" "$policy" lockstep "$variation")" backend,lockstep,host
    elif [[ $variation == *observed ]]; then
        other=${variation%observed}
        same "$name" "$(name "$build" "$workload" "$policy" "$backend" "${other%-}")" host
    elif [ "$variation" = throttled ]; then
        same "$name" "$(name "$build" "$workload" "$policy" c "$variation")" backend,lockstep,host
    elif [ -n "$variation" ]; then
        same "$name" "$(name "$build" "$workload" "$policy" "$backend")" host
    elif [ "$size" = small ] && [ "$build" = "$first" ] && [ "$backend" != lockstep ]; then
        same "$name" "$(name "$build" "$workload" "$policy" lockstep)" backend,lockstep,host
    fi
    [ -e "$out/$name.passed" ] || [ -e "$out/$name.failed" ] ||
        echo "it left no result" >"$out/$name.failed"
}
export -f run name same compare unaccounted

policies=$("$first/heddle" list policies | awk '/^ / && !/; needs / && !/; acts in / { print $1 }')
acting=$("$first/heddle" list policies | awk '/^ / && /; acts in / { print $1 }')
turn=0 watched=0 shared=0 row=0
observed() {
    watched=$((watched + 1))
    [ "$EVERY" = 1 ] || [ $((watched % 2)) = 0 ]
}
for workload in $WORKLOADS; do
    turn=$((turn + 1)) row=$((row + 1)) column=0
    for build; do
        echo "$build $workload lrr lockstep"
        if [ "$size" = small ] && [ "$build" != "$first" ] && observed; then
            echo "$build $workload gto lockstep elsewhere run.observe=1"
        else
            echo "$build $workload gto lockstep"
        fi
    done
    [ "$size" = small ] || continue
    for policy in $policies; do
        column=$((column + 1))
        [ "$EVERY" = 1 ] || [ $(((row + column) % 2)) = 0 ] || continue
        echo "$first $workload $policy lockstep"
        turn=$((turn + 1))
        [ $((turn % EVERY)) = 0 ] || continue
        for backend in c rtl; do echo "$first $workload $policy $backend"; done
    done
    case " $ACTING " in *" $workload "* | " all ")
        for policy in $acting; do
            for backend in lockstep c rtl; do echo "$first $workload $policy $backend"; done
            echo "$first $workload $policy c observed run.observe=1"
        done ;;
    esac
    for backend in c rtl lockstep; do
        echo "$first $workload gto $backend throttled mask.n=3,mask.p=1"
    done
    ! observed || echo "$first $workload gto c throttled-observed mask.n=3,mask.p=1,run.observe=1"
    ! observed || {
        echo "$first $workload tl-active lockstep"
        echo "$first $workload tl-active lockstep observed run.observe=1"
    }
    case " $AGED " in *" $workload "*)
        echo "$first $workload gto lockstep aged run.observe=1" ;;
    esac
    echo "$first $workload gto lockstep bcs run.dispatch=bcs"
    for dispatch in mst kway rb; do
        shared=$((shared + 1))
        [ "$EVERY" = 1 ] || [ $((shared % 4)) = 0 ] || continue
        for backend in lockstep c rtl; do
            [ "$EVERY" = 1 ] || [ $backend = lockstep ] || continue
            echo "$first $workload gto $backend paver-$dispatch run.dispatch=$dispatch,run.observe=1"
        done
    done
    for threads in 1 2 3; do
        echo "$first $workload gto lockstep threads$threads run.threads=$threads"
    done
done | awk '!seen[$0]++' >"$out/list"

runs=$(wc -l <"$out/list")
done=0
while read -r _; do
    done=$((done + 1))
    [ ! -t 2 ] || printf '\r  %d of %d runs' "$done" "$runs" >&2
done < <(xargs -r -P "$(nproc)" -L 1 bash -c 'run "$@"' run <"$out/list")
[ ! -t 2 ] || printf '\r\033[K' >&2

# A run that has failed is compared with no other; what comparisons find counts when all are made, as they are made at the same time.
xargs -r -P "$(nproc)" -L 1 bash -c 'compare "$@"' compare <"$out/list"
for differs in "$out"/*.differs; do
    [ ! -e "$differs" ] || { rm "${differs%.differs}.passed" && mv "$differs" "${differs%.differs}.failed"; }
done
for failed in "$out"/*.failed; do
    [ -e "$failed" ] || continue
    name=${failed%.failed}
    echo "FAILED: $(basename "$name"): $(cat "$failed")"
    echo "    $(cat "$name.command" 2>/dev/null || true)"
    tail -n 5 "$name.log" 2>/dev/null | sed 's/^/    | /' || true
done
failed=$(find "$out" -name '*.failed' | wc -l)
together=$(grep -c " lockstep" "$out/list" || true)
echo "workloads, $size: $((runs - failed)) of $runs runs passed on $# machines, $failed failed" \
    "($together in lockstep, $((runs - together)) of one backend alone," \
    "where nothing can be compared)"
[ "$failed" = 0 ] && [ "$runs" -gt 0 ]
