#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# synth/libraries.sh UNIT BUILD_DIR: the unit in several libraries, in each for several clocks.
#   LIBERTIES="file.lib ..."  (default: OSU 0.18 um and 0.35 um)      CLOCKS="100MHz ..."  (default: 100MHz 700MHz)
# Each is what `make synth LIBERTY= CLOCK=` gives, in BUILD_DIR/synth/UNIT@library@clock. Writes BUILD_DIR/synth/UNIT-libraries/report.md,
# the table for the page.
set -eu
. synth/unit.sh

synth_open "${1:-}" "${2:-}"
out=$BUILD/synth/$UNIT-libraries
qflow=/usr/share/qflow/tech
mkdir -p "$out"
{
    echo "| library | clock | cells | area um2 (of it flip-flops) | gate equivalents | critical path ns | slack ns |"
    echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for liberty in ${LIBERTIES:-$qflow/osu018/osu018_stdcells.lib $qflow/osu035/osu035_stdcells.lib}; do
        for clock in ${CLOCKS:-100MHz 700MHz}; do
            ${MAKE:-make} -s CONFIG="$CONFIG" UNIT="$UNIT" LIBERTY="$liberty" CLOCK="$clock" synth >&2
            result=$BUILD/synth/$UNIT@$(basename "$liberty" .lib)@$clock/result.txt
            of() {
                sed -n "s/^$1=//p" "$result"
            }
            echo "| $(of library) | $clock | $(of cells) | $(of area_um2) ($(of flip_flop_area_um2)) | $(of ge) | $(of critical_path_ns) | $(of slack_ns) |"
        done
    done
} >"$out/report.md" 2>"$out/log" || {
    tail -n 15 "$out/log" >&2
    die "a library or a clock fails"
}
cat "$out/report.md"
