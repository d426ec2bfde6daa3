#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# synth/memories.sh UNIT BUILD_DIR: each MEMORY of a unit as SRAM, by the model, beside the same array of flip-flops, mapped: with its
# decoder and multiplexers.
#   CACTI=folder    where a file NAME.txt has what CACTI prints for the memory NAME: its area stands beside the model's
#   MOST_CELLS=n    an array is mapped where bits x (reads + 1) is at most this (default 20000): time grows with it
# Reads what synth/run.sh has left (SYNTH_OUT: of another library or clock). Leaves memories.md there, the table for the page.
set -eu
. synth/unit.sh
. synth/library.sh
. synth/map.sh

synth_open "${1:-}" "${2:-}"
library_open "$OUT"
[ -f "$OUT/memory.txt" ] || die "there is no $OUT/memory.txt: run synth/run.sh $UNIT $BUILD first"
most=${MOST_CELLS:-20000}

# mapped NAME WIDTH DEPTH READS: area, that of its flip-flops, and two delays, as columns.
mapped() {
    dir=$OUT/array-$1
    mkdir -p "$dir"
    # under its own name it would be cut out, as a memory
    sed 's/^module memory /module array /' rtl/prim/memory.sv >"$dir/array.sv"
    map_module array "$dir" "$dir/array.sv" "WIDTH=$2 DEPTH=$3 READS=$4" >"$dir/log" 2>&1 || { tail -n 5 "$dir/log" >&2; die "$1 cannot be mapped"; }
    echo "$(map_area "$dir") ($(map_flops_area "$dir")) | $(map_delay "$dir" in_out ns) | $(map_delay "$dir" in_reg ns)"
}

# cacti NAME: what CACTI says.
cacti() {
    file=$CACTI/$1.txt
    [ -f "$file" ] || die "there is no $file; CACTI= is a folder with the output of CACTI for each memory"
    awk -v file="$file" '
        /^ *Technology size \(nm\):/ { nm = $NF }
        /^ *Access time \(ns\):/ { ns = $4 }
        /^ *Cache height x width \(mm\):/ { um2 = $(NF - 2) * $NF * 1e6 }
        END {
            if (!(nm > 0 && ns > 0 && um2 > 0)) { print "memories.sh: error: " file ": this is not what CACTI prints" > "/dev/stderr"; exit 1 }
            printf "%.0f um2, %.0f F2 at %g nm | %.3g", um2, um2 / nm / nm * 1e6, nm, ns
        }' "$file"
}

{
    if [ -s "$OUT/memory.txt" ]; then
        printf '| MEMORY | words x width | reads | SRAM, F2 | SRAM, um2 | flip-flops in %s: um2 (of it flip-flops) | read ns | write ns |' "$LIBRARY"
        echo "${CACTI:+ CACTI: area | access ns |}"
        echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |${CACTI:+ ---: | ---: |}"
    else
        echo "This unit has no MEMORY."
    fi
    while read -r name width depth reads bits f2 um2; do
        if [ $((bits * (reads + 1))) -le "$most" ]; then
            progress SYNTH "$name as flip-flops" >&2
            array=$(mapped "$name" "$width" "$depth" "$reads")
        else
            array="not mapped: $bits bits, $reads reads | - | -"
        fi
        beside=
        [ -z "${CACTI:-}" ] || beside=$(cacti "$name")
        echo "| \`$name\` | $depth x $width | $reads | $f2 | $um2 | $array |${beside:+ $beside |}"
    done <"$OUT/memory.txt"
} >"$OUT/memories.new"
mv "$OUT/memories.new" "$OUT/memories.md"
cat "$OUT/memories.md"
