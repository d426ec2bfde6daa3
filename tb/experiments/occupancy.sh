#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tb/experiments/occupancy.sh BUILD_DIR: what a block of each kernel needs, how many fit an SM, and how many
# the papers have where they say it. Kernels are executed without time. Prints a table.
# SIZE (default medium), WORKLOADS (default: all).
set -euo pipefail
build=$1 size=${SIZE:-medium}
out=$build/occupancy
mkdir -p "$out"

# Blocks per SM in the papers: [R] RLWS table IV, residency / 15, where the grid is larger; [P] PAVER 6.3;
# [T] thesis, figures 7.3 to 7.9, warps by warps per CTA. Their programs are CUDA's.
declare -A paper=(
    [backprop]='6 [R], 6 [P]' [bfs]='6 [R]' [black_scholes]='8 [R]' [btree]='3 [R]' [cutcp]='8 [R]'
    [histogram]='6 to 8 [R]' [hotspot]='4 [R], 3 [P]' [kmeans_columns]='6 [R]' [lbm]='7 [T]' [merge_sort]='8 [P]'
    [mriq]='5 [R], 8 [T]' [pathfinder]='6 [R]' [sad]='8 [R]' [spmv_jds]='5 [P], 8 [T]' [srad]='3, 6 [R]'
    [store_gpu]='5 [R], 3 [P]' [syr2k]='6 [P]' [syrk]='6 [P]' [tpacf]='3 [R], 3 [T]')

echo "| workload | kernel | warps | registers | shared bytes | blocks per SM | limited by | papers | spilled |"
echo "| --- | --- | ---: | ---: | ---: | ---: | --- | --- | ---: |"
for workload in ${WORKLOADS:-$(ls "$build/workloads")}; do
    "$build/heddle" run --set run.timing=0 --stats="$out/$workload.json" -- \
        "$build/workloads/$workload" --size="$size" >"$out/$workload.log" 2>&1 ||
        { cat "$out/$workload.log"; exit 1; }
    "$build/heddle" report "$out/$workload.json" | awk -v w="$workload" -v p="${paper[$workload]:-}" '
        /^What fits an SM/ { inside = 1; getline; next }
        inside && NF { printf "| `%s` | `%s` | %d | %d | %d | %d | %s | %s | %d |\n",
            w, $1, $3, $4, $5, $2, $9, p, $6 }'
done
