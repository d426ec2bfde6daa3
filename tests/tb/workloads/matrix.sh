#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tb/workloads/matrix.sh BUILD_DIR: every workload (small, but bfs with its
# 2^14 vertices) under every policy and backend. Each must verify its own
# results; the three backends must agree on every statistic; lockstep must have compared, and found nothing.
set -euo pipefail
build=$1
out=$build/matrix
mkdir -p "$out"
passed=0 failed=0

# What must not depend on the backend: everything but who decided, what lockstep counted, and the wall clock.
essence() { sed -e '/"backend":/d' -e '/"lockstep":/,/}/d' -e '/"host":/,/}/d' "$1"; }

complain() { echo "FAILED: $1"; failed=$((failed + 1)); }

for workload in $("$build/heddle" list workloads | awk '/^ / { print $1 }'); do
    size=small
    [ "$workload" != bfs ] || size=medium
    for policy in $("$build/heddle" list policies | awk '/^ / { print $1 }'); do
        for backend in c rtl lockstep; do
            name=$workload-$policy-$backend
            if ! "$build/heddle" run --sched="$policy" --backend="$backend" --stats="$out/$name.json" -- \
                "$build/workloads/$workload" --size="$size" >"$out/$name.log" 2>&1; then
                complain "$name: $(tail -3 "$out/$name.log")"
            elif [ "$backend" != c ] && ! cmp -s <(essence "$out/$name.json") <(essence "$out/$workload-$policy-c.json"); then
                complain "$name: its statistics differ from those of backend c"
            elif [ "$backend" = lockstep ] && ! grep -A1 '"wia":' "$out/$name.json" | grep -qE '"cycles":[[:space:]]*[1-9]'; then
                complain "$name: lockstep compared nothing"
            else
                passed=$((passed + 1))
            fi
        done
    done
    [ -t 2 ] && printf '\r%s done' "$workload" >&2
done
echo "workloads: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
