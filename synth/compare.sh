#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# synth/compare.sh UNIT BUILD_DIR [NUM_WARPS]...: the same job done in different ways, at several sizes. The ways stand in
# synth/variants/UNIT.txt, whose lines are
#   sizes NUM_WARPS ...          the sizes, unless others are given
#   MODULE [PARAMETER=value]...  a way
# Reads that, rtl/, synth/; BUILD_DIR/synth/UNIT-variants/ gets a folder per point and report.md, the table for the page. A
# point is computed again only when rtl/ or synth/ is newer.
set -eu
. synth/unit.sh
. synth/map.sh

[ $# -ge 2 ] || die "usage: compare.sh UNIT BUILD_DIR [NUM_WARPS]..."
list=synth/variants/$1.txt
out=${2%/}/synth/$1-variants
shift 2
[ -f "$list" ] || die "there is no $list"
[ $# -gt 0 ] || set -- $(sed -n 's/^sizes //p' "$list")
[ $# -gt 0 ] || die "$list has no line \`sizes NUM_WARPS ...\`"
mkdir -p "$out"

# row SIZE MODULE [PARAMETER=value]...
row() {
    size=$1 module=$2
    shift 2
    dir=$out/$module$(printf -- '-%s' "$@" "$size")
    file=$(grep -lw "^module $module" rtl/*/*.sv synth/variants/*.sv) || die "$list: there is no module $module"
    sources=$(with_parts "$(echo rtl/*/*.sv)" "$file")
    if [ ! -f "$dir/timing.txt" ] || [ -n "$(find $sources synth/map.sh synth/timing.tcl -newer "$dir/timing.txt")" ]; then
        progress SYNTH "$module $* NUM_WARPS=$size" >&2
        map_module "$module" "$dir" "$sources" "NUM_WARPS=$size $*" >&2
    fi
    flops=$(map_flops "$dir")
    echo "| $size | \`$module\`$(printf ' %s' "$@") | $flops | $(map_cells "$dir") |" \
        "$(map_area "$dir") ($((flops * ${flop_area%.*}))) |" \
        "$(map_delay "$dir" in_out ns) | $(map_delay "$dir" reg_out ns) |" \
        "$(map_delay "$dir" in_reg ns) | $(map_delay "$dir" reg_reg ns) |"
}

flop_area=$(cell_area DFFPOSX1)
{
    echo "| NUM_WARPS | part | flip-flops | cells | area um2 (of it flip-flops) | input to output ns |" \
        "register to output ns | input to register ns | register to register ns |"
    echo "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for size; do
        grep -vE '^(#|sizes )' "$list" | while read -r way; do
            row "$size" $way
        done
    done
} >"$out/report.md"
cat "$out/report.md"
