#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# synth/pipeline.sh UNIT BUILD_DIR: what a clock that the unit misses costs in cycles, and what these cost the machine.
#   CLOCKS="700MHz ..."  (default: 700MHz, the clock of a GTX 480's SMs)   LIBERTY=file.lib  (default: OSU 0.18 um)
#   KERNELS="spmv ..."   workloads, small (default: spmv bfs hotspot)      RUN="--sched=..."  (default: that of the unit in kernels.txt)
# A path of n periods is cut into n stages: what it decides comes n - 1 cycles late, which is UNIT.delay of the machine. Stages are
# as long as each other and registers cost nothing: a real pipeline may need one more. Writes BUILD_DIR/synth/UNIT-pipeline/report.md, the table for the
# page. Each clock is what `make synth CLOCK=` gives.
set -eu
. synth/unit.sh

synth_open "${1:-}" "${2:-}"
out=$BUILD/synth/$UNIT-pipeline
run=${RUN:-$(sed -n "s/^$UNIT  *--/--/p" synth/kernels.txt)}
kernels=${KERNELS:-spmv bfs hotspot}
mkdir -p "$out"

# cycles KERNEL DELAY: how long a kernel runs; "-": the unit's decisions cannot come late.
cycles() {
    # shellcheck disable=SC2086 # several options
    if "$BUILD/heddle" run $run --set="$UNIT.delay=$2" --stats="$out/stats.json" -- "$BUILD/workloads/$1" --size=small >"$out/run.log" 2>&1; then
        "$BUILD/heddle" report --get=totals "$out/stats.json" | awk '$1 == "totals.cycles" { print $2 }'
    elif grep -q 'cannot do so later' "$out/run.log"; then
        echo -
    else
        tail -n 5 "$out/run.log" >&2
        die "heddle run $run --set=$UNIT.delay=$2 $1 fails"
    fi
}

# loss CYCLES LATE_CYCLES: IPC that is lost, as the same instructions take more cycles.
loss() {
    case $1$2 in
    *-*) echo "cannot be late" ;;
    *) awk -v on_time="$1" -v late="$2" 'BEGIN { printf "%+.2f %%", 100 * (on_time / late - 1) }' ;;
    esac
}

{
    echo "| library | clock | critical path ns | slack ns | cycles late |$(printf ' IPC, %s |' $kernels)"
    echo "| --- | ---: | ---: | ---: | ---: |$(printf ' ---: |%.0s' $kernels)"
    for clock in ${CLOCKS:-700MHz}; do
        ${MAKE:-make} -s CONFIG="$CONFIG" UNIT="$UNIT" CLOCK="$clock" synth >"$out/log" 2>&1 || { tail -n 5 "$out/log" >&2; die "synth fails at $clock"; }
        result=$BUILD/synth/$UNIT${LIBERTY:+@$(basename "$LIBERTY" .lib)}@$clock/result.txt
        of() {
            sed -n "s/^$1=//p" "$result"
        }
        late=$(awk -v path="$(of critical_path_ns)" -v period="$(of period_ns)" 'BEGIN { n = int(path / period); print (n * period < path || n == 0) ? n : n - 1 }')
        printf '| %s | %s | %s | %s | %s |' "$(of library)" "$clock" "$(of critical_path_ns)" "$(of slack_ns)" "$late"
        for kernel in $kernels; do
            if [ "$late" -eq 0 ] || [ -z "$run" ]; then
                printf ' - |'
            else
                on_time=$(cycles "$kernel" 0)
                delayed=$(cycles "$kernel" "$late")
                printf ' %s |' "$(loss "$on_time" "$delayed")"
            fi
        done
        echo
    done
} >"$out/report.new"
mv "$out/report.new" "$out/report.md"
cat "$out/report.md"
