#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tb/experiments/code.sh BUILD_DIR: the workloads of Poise's table IIIa with loops as they are written and
# as clang unrolls them: instructions between loads of global memory (Poise's I_n, whose cut-off is
# 49), warp instructions, registers. Prints a table; fails where a workload does not verify.
# SIZE (default small), WORKLOADS.
set -euo pipefail
build=$1 size=${SIZE:-small}
out=$build/code
mkdir -p "$out/unrolled"
workloads=${WORKLOADS:-syr2k syrk mm inverted_index gesummv mvt bicg similarity_score atax bfs kmeans_columns
    graph_coloring page_view_rank component_labelling}

# A clang that unrolls.
cat >"$out/unrolled/clang" <<EOF
#!/usr/bin/env bash
for word; do
    shift
    [ "\$word" = -fno-unroll-loops ] || set -- "\$@" "\$word"
done
exec "$(command -v clang)" "\$@"
EOF
chmod +x "$out/unrolled/clang"

run() { # WORKLOAD NAME
    if ! "$build/heddle" run --stats="$out/$1-$2.json" -- "$build/workloads/$1" --size="$size" \
        >"$out/$1-$2.log" 2>&1 || ! grep -q '^verified' "$out/$1-$2.log"; then
        cat "$out/$1-$2.log"
        exit 1
    fi
}
# Instructions between loads, instructions, the most registers of a thread.
row() { # FILE
    "$build/heddle" report --get=kernels "$1" | awk '
        $1 ~ /^kernels\.[0-9]+\.warp_instructions$/ { instructions += $2 }
        $1 ~ /^kernels\.[0-9]+\.global_loads$/ { loads += $2 }
        $1 ~ /registers_per_thread$/ && $2 > most { most = $2 }
        END { printf "%.1f | %d | %d", loads ? instructions / loads : 0, instructions, most }'
}

echo "| workload | instr. per load | instructions | registers | unrolled: instr. per load | instructions | registers |"
echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
for workload in $workloads; do
    run "$workload" rolled
    PATH=$out/unrolled:$PATH run "$workload" unrolled
    echo "| \`$workload\` | $(row "$out/$workload-rolled.json") | $(row "$out/$workload-unrolled.json") |"
done
