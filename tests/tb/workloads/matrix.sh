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

# Prints the first thing that is wrong with a run's statistics, of lines that `heddle report --get` printed.
wrong() { # STATISTICS BACKEND VARIATION UNIT...
    awk -v backend="$2" -v variation="$3" -v units="${*:4}" '
        { split($1, part, "."); kernel = part[2] }
        part[1] == "lockstep" && part[3] == "mismatches" && $2 > 0 { mismatches = 1 }
        part[1] == "lockstep" && part[3] == "cycles" { compared[part[2]] = $2 }
        $1 == "host.aged" { aged = $2 }
        $1 ~ /^kernels\.[0-9]+\.warp_cycles$/ { kernels++; resident[kernel] = $2 }
        $1 ~ /^kernels\.[0-9]+\.warp_instructions$/ { instructions[kernel] = $2 }
        part[3] == "cpi" && part[4] == "warp_cycles" { sum[kernel] += $2 }
        part[3] == "cpi" && part[5] == "issued" && part[4] == "warp_cycles" { issued[kernel] = $2 }
        function is(text) { print text; exit }
        END {
            if (mismatches) is("mismatches in the statistics")
            if (variation == "aged" && !aged) is("warps are as old as their numbers say, always")
            if (!kernels) is("no kernel has warps")
            # The first kernel whose cycles are not all in a class of the CPI, or whose instructions are not those issued.
            for (k = 0; k < kernels; k++)
                if (sum[k] != resident[k] || issued[k] != instructions[k])
                    is("kernel " k ": its warps\47 cycles are not the sum of the CPI\47s classes")
            count = backend == "lockstep" ? split(units, unit, " ") : 0
            for (i = 1; i <= count; i++)
                if (!compared[unit[i]]) is("lockstep compared nothing of " unit[i])
        }' <<<"$1"
}

# Runs one line of the list: BUILD_DIR WORKLOAD POLICY BACKEND [VARIATION [SETTING,SETTING...]].
# Leaves .json, .log, .command, and .failed with the reason or .passed. Prints a line when done. It starts
# few processes: to start them is most of what a small run takes.
run() {
    local build=$1 workload=$2 name reason='' status=0 units=wia host='' statistics size=$size
    name "$@"
    name=$out/$name
    [ "${5:-}" != aged ] || { size=medium host=--get=host; }
    local command=("$build/heddle" run --sched="$3" --backend="$4" ${6:+--set ${6//,/ --set }}
        --stats="$name.json" -- "$build/workloads/$workload" --size="$size")
    echo "${command[*]}" >"$name.command"
    timeout "$limit" "${command[@]}" >"$name.log" 2>&1 </dev/null || status=$?
    [ "$3" != icmt ] || units=icmt
    [[ ${6:-} != *mask.* ]] || units+=' mask'
    if [ $status = 3 ]; then
        reason="lockstep or an observer found a difference (status 3)"
    elif [ $status = 124 ]; then
        reason="still running after $limit s"
    elif [ $status != 0 ]; then
        reason="status $status"
    elif [[ $'\n'$(<"$name.log") != *$'\n'verified* ]]; then
        reason="no line says 'verified'"
    elif ! statistics=$("$build/heddle" report --get=lockstep --get=kernels $host "$name.json" 2>&1); then
        reason="no statistics"
    else
        # shellcheck disable=SC2086 # several units
        reason=$(wrong "$statistics" "$4" "${5:-}" $units)
    fi
    if [ -n "$reason" ]; then echo "$reason" >"$name.failed"; else : >"$name.passed"; fi
    echo "$name"
}
name() { # leaves it in $name
    name="${1##*/}-$2-$3-$4${5:+-$5}"
}

# A run's statistics must be another's, but for some members.
same() { # NAME MEMBER,... OTHER_RUN...
    local name mine=$out/$1 members=$2 other expected found
    name "${@:3}"
    other=$out/$name
    [ -e "$mine.passed" ] && [ ! -e "$other.failed" ] || return 0
    expected=$("$first/heddle" report --without="$members" "$other.json" 2>>"$mine.log") &&
        found=$("$first/heddle" report --without="$members" "$mine.json" 2>>"$mine.log") &&
        [ "$expected" = "$found" ] && return 0
    diff <(echo "${expected:-}") <(echo "${found:-}") >>"$mine.log"
    echo "its statistics are not those of $other.json" >"$mine.differs"
}

# Compares one run of the list with the one that it must be like.
compare() {
    local build=$1 workload=$2 policy=$3 backend=$4 variation=${5:-} name other
    name "$@"
    if [[ " bcs aged elsewhere " == *" $variation "* ]] && [ -n "$variation" ]; then
        : # there is none to compare it with
    elif [[ $variation == paver-* ]]; then
        [ "$backend" = lockstep ] || same "$name" backend,lockstep,host "$build" "$workload" "$policy" lockstep "$variation"
    elif [[ $variation == *observed ]]; then
        other=${variation%observed}
        same "$name" host "$build" "$workload" "$policy" "$backend" "${other%-}"
    elif [ "$variation" = throttled ]; then
        same "$name" backend,lockstep,host "$build" "$workload" "$policy" c "$variation"
    elif [ -n "$variation" ]; then
        same "$name" host "$build" "$workload" "$policy" "$backend"
    elif [ "$size" = small ] && [ "$build" = "$first" ] && [ "$backend" != lockstep ]; then
        same "$name" backend,lockstep,host "$build" "$workload" "$policy" lockstep
    fi
    [ -e "$out/$name.passed" ] || [ -e "$out/$name.failed" ] ||
        echo "it left no result" >"$out/$name.failed"
}
# Several lines of the list.
compare_all() {
    local line
    # shellcheck disable=SC2086 # the words of a line
    for line; do compare $line; done
}
export -f run name same compare compare_all wrong

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
xargs -r -P "$(nproc)" -L 1 bash -c 'run "$@"' run <"$out/list" | tests/tb/workloads/counted.sh "$runs" runs >/dev/null

# A run that has failed is compared with no other; what comparisons find counts when all are made, as they are made at the same time.
xargs -r -P "$(nproc)" -d '\n' -n 40 bash -c 'compare_all "$@"' compare <"$out/list"
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
