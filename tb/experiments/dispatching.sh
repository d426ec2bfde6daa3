#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tb/experiments/dispatching.sh BUILD_DIR: lrr against bcs on the kernels that PAVER 6.3 names, with as
# many blocks per SM as it says. Prints a table; fails if bcs is not slower where the limit is odd.
# SIZE (default medium), MACHINE (options of `heddle run`).
set -euo pipefail
build=$1 size=${SIZE:-medium}
out=$build/dispatching
mkdir -p "$out"

# kernel, blocks per SM, what the paper measured
rows='hotspot 3 +22
store_gpu 3 more
syr2k 6 +7
syrk 6 +9
backprop 6 +6'

# The largest value that a member has in any kernel.
most() { # FILE MEMBER
    "$build/heddle" report --get=kernels "$1" | awk -v member="$2" '
        $1 ~ "^kernels\\.[0-9]+\\." member "$" && $2 > most { most = $2 } END { print most + 0 }'
}
run() { # POLICY KERNEL LIMIT
    # shellcheck disable=SC2086
    "$build/heddle" run --dispatch="$1" --set sm.max_blocks="$3" --stats="$out/$2-$1.json" ${MACHINE:-} -- \
        "$build/workloads/$2" --size="$size" >"$out/$2-$1.log" 2>&1 || { cat "$out/$2-$1.log"; exit 1; }
    "$build/heddle" report --get=cycles "$out/$2-$1.json"
}

failed=0
echo "| kernel | blocks of the grid | blocks per SM | lrr, cycles | bcs, cycles | bcs, time | time in the paper |"
echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
while read -r kernel limit paper; do
    lrr=$(run lrr "$kernel" "$limit") bcs=$(run bcs "$kernel" "$limit")
    blocks=$(most "$out/$kernel-lrr.json" blocks)
    limit=$(most "$out/$kernel-lrr.json" occupancy.blocks_per_sm)
    echo "$lrr $bcs" | awk -v k="$kernel" -v l="$limit" -v b="$blocks" -v p="$paper" '{
        printf "| %s | %d | %d | %d | %d | %+.1f %% | %s |\n", k, b, l, $1, $2,
            100 * ($2 / $1 - 1), p == "more" ? "\"suffers drastically\"" : p " %" }'
    [ $((limit % 2)) -eq 0 ] || [ "$bcs" -gt "$lrr" ] || failed=1
done <<<"$rows"
[ "$failed" = 0 ] || { echo "bcs is not slower where the limit is odd"; exit 1; }
