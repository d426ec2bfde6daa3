#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# synth/compare.sh BUILD_DIR MODULE MODULE [NUM_WARPS]...: the same job done by two parts of rtl/prim, at several sizes.
# Default sizes: 8 16 24 32 48. Reads rtl/prim and synth/; BUILD_DIR/synth/compare/ gets a folder per point and
# <module>-<module>.md, the table for the page. A point is computed again only when its sources or synth/ are newer.
set -eu
. synth/unit.sh
. synth/map.sh

[ $# -ge 3 ] || die "usage: compare.sh BUILD_DIR MODULE MODULE [NUM_WARPS]..."
build=${1%/} left=$2 right=$3
shift 3
[ $# -gt 0 ] || set -- 8 16 24 32 48
for module in "$left" "$right"; do
    [ -f "rtl/prim/$module.sv" ] || die "there is no rtl/prim/$module.sv"
done
out=$build/synth/compare
mkdir -p "$out"

for size; do
    for module in "$left" "$right"; do
        dir=$out/$module-$size
        if [ -z "$(find "rtl/prim/$module.sv" synth/map.sh synth/timing.tcl -newer "$dir/timing.txt" 2>/dev/null || echo new)" ]; then
            continue
        fi
        progress SYNTH "$module, NUM_WARPS=$size"
        map_module "$module" "$dir" "rtl/prim/$module.sv" "NUM_WARPS=$size"
    done
done

{
    echo "| NUM_WARPS | part | flip-flops | cells | area um2 (of it flip-flops) | input to output ns |" \
        "register to output ns | input to register ns | register to register ns |"
    echo "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    flop_area=$(cell_area DFFPOSX1)
    for size; do
        for module in "$left" "$right"; do
            dir=$out/$module-$size
            flops=$(map_flops "$dir")
            echo "| $size | \`$module\` | $flops | $(map_cells "$dir") |" \
                "$(map_area "$dir") ($((flops * ${flop_area%.*}))) |" \
                "$(map_delay "$dir" in_out ns) | $(map_delay "$dir" reg_out ns) |" \
                "$(map_delay "$dir" in_reg ns) | $(map_delay "$dir" reg_reg ns) |"
        done
    done
} >"$out/$left-$right.md"
cat "$out/$left-$right.md"
