#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# synth/energies.sh UNIT BUILD_DIR: what the edges of a unit's netlist cost under random inputs, and in kernels.
#   KERNELS="spmv ..."   workloads, small (default: spmv bfs hotspot)
#   RUN="--sched=..."    how `heddle run` runs them (default: that of the unit in kernels.txt)
#   CYCLES=n             of random inputs (default 20000)
# A kernel's inputs are those of the first place that its waveform shows the unit at. Writes BUILD_DIR/synth/UNIT-energies/report.md, the
# table for the page.
set -eu
. synth/unit.sh

synth_open "${1:-}" "${2:-}"
net=$BUILD/synth/$UNIT out=$BUILD/synth/$UNIT-energies
run=${RUN:-$(sed -n "s/^$UNIT  *--/--/p" synth/kernels.txt)}
mkdir -p "$out"

# row TITLE OPTION...: a row of the table.
row() {
    title=$1
    shift
    SYNTH_OUT=$UNIT sh synth/energy.sh "$UNIT" "$BUILD" "$@" >"$out/$title.txt" || return 1
    awk -F= -v title="$title" '
        { of[$1] = $2 }
        function percent(part, all) { return all ? sprintf("%.1f %%", 100 * part / all) : "-" }
        END {
            printf "| %s | %d | %s | %s | %.4g | %s | %.4g | %s |\n", title, of["cycles"], percent(of["decisions"], of["cycles"]),
                percent(of["edges_per_cycle"], of["nets"]), of["pj_per_cycle"], percent(of["clock_pj"], of["pj_per_cycle"]),
                of["gated_pj_per_cycle"], of["decisions"] ? sprintf("%.4g", of["pj_per_decision"]) : "-"
        }' "$net/energy.txt"
}

{
    echo "| inputs | cycles | decides in | nets with an edge in a cycle | pJ per cycle | of it clock | with the clock gated | pJ per decision |"
    echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    row random --cycles="${CYCLES:-20000}"
    for kernel in ${run:+${KERNELS:-spmv bfs hotspot}}; do
        # shellcheck disable=SC2086 # several options
        "$BUILD/heddle" run $run --wave="$out/$kernel.fst" -- "$BUILD/workloads/$kernel" --size=small >"$out/$kernel.log" 2>&1 ||
            { tail -n 5 "$out/$kernel.log" >&2; die "heddle run $run $kernel fails"; }
        row "$kernel" --inputs="$out/$kernel.fst"
        rm "$out/$kernel.fst"
    done
} >"$out/report.new"
mv "$out/report.new" "$out/report.md"
cat "$out/report.md"
