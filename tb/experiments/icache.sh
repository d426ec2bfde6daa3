#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tb/experiments/icache.sh BUILD_DIR: does an instruction cache of 2 KB alter what lrr and gto gain from
# each other? Workloads with a kernel of more instructions than it holds, and two without. Prints a table.
# SIZE (default medium), SETS (default 4: 2 KB), WORKLOADS, MACHINE (options of `heddle run`).
set -euo pipefail
build=$1 size=${SIZE:-medium} sets=${SETS:-4}
out=$build/icache
mkdir -p "$out"
fit=(hotspot spmv)

run() { # NAME WORKLOAD OPTION...
    local file=$out/$2-$1 workload=$2
    shift 2
    # shellcheck disable=SC2086
    if ! "$build/heddle" run "$@" ${MACHINE:-} --stats="$file.json" -- "$build/workloads/$workload" --size="$size" \
        >"$file.log" 2>&1 || ! grep -q '^verified' "$file.log"; then
        cat "$file.log" >&2
        exit 1
    fi
}
# Of the longest kernel.
instructions() { # FILE
    "$build/heddle" report --get=kernels "$1" | awk '
        /\.occupancy\.instructions / && $2 > most { most = $2 } END { print most + 0 }'
}
# What the cache holds: sets, ways, bytes of a line; an instruction has 8.
held=$("$build/heddle" list keys | awk -v sets="$sets" '
    /^\[/ { section = $1 } section == "[l1i]" { value[$1] = $2 }
    END { print sets * value["ways"] * value["line"] / 8 }')
workloads=${WORKLOADS:-}
if [ -z "$workloads" ]; then
    for workload in $("$build/heddle" list workloads | awk -F '; *' '$2 != "" { split($1, word, " "); print word[1] }'); do
        run length "$workload" --set run.timing=0
        [ "$(instructions "$out/$workload-length.json")" -le "$held" ] || workloads="$workloads $workload"
    done
    workloads="$workloads ${fit[*]}"
fi

echo "| workload | instructions | gto, cycles | $sets sets | change | lrr, cycles | $sets sets | change | misses | lrr / gto | $sets sets |"
echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
for workload in $workloads; do
    for policy in gto lrr; do
        run "$policy" "$workload" --sched=$policy --set l1i.sets=0
        run "$policy-cached" "$workload" --sched=$policy --set l1i.sets="$sets"
    done
    for name in gto gto-cached lrr lrr-cached; do
        "$build/heddle" report --get=cycles --get=l1i.accesses --get=l1i.misses "$out/$workload-$name.json"
    done | paste -sd' ' | awk -v w="$workload" -v n="$(instructions "$out/$workload-gto.json")" '{
        printf "| `%s` | %d | %d | %d | %+.1f %% | %d | %d | %+.1f %% | %.2f %% | %.3f | %.3f |\n", w, n, $1, $4,
            100 * ($4 / $1 - 1), $7, $10, 100 * ($10 / $7 - 1), $5 ? 100 * $6 / $5 : 0, $1 / $7, $4 / $10 }'
done
