#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# synth/wires/run.sh UNIT BUILD_DIR: the mapped unit placed and routed: its area and its delays with wires.
#   LIBERTY, CLOCK, SYNTH_OUT: as synth/run.sh had them, whose netlist is taken
#   LEF=file.lef          shapes of the cells (default: the one beside the library)
#   DENSITIES="0.9 ..."   cells per area of the rows, tried in this order until all nets are routed (default: 0.9 0.8 0.7 0.6 0.5)
#   SECONDS_EACH=3600     the longest time for the placer, and for the router, at one density
#   KEEP=1                the report alone, of the layout that is there
# Writes BUILD_DIR/synth/UNIT/wires/: report.md for people, result.txt for programs, routed.def, UNIT.spef, layout.png, and a folder for each
# density. When no density is routed the report says what happened at each, and this fails.
set -eu
. synth/unit.sh
. synth/library.sh
. synth/map.sh
. synth/wires/place.sh
. synth/wires/report.sh

tools_open
synth_open "${1:-}" "${2:-}"
[ -f "$OUT/netlist.v" ] || die "there is no $OUT/netlist.v: run synth/run.sh $UNIT $BUILD first"
NETLIST=$OUT/netlist.v to=$OUT/wires WIRES_TOOL=${WIRES_TOOL:-build/common/wires} SECONDS_EACH=${SECONDS_EACH:-3600}
[ -x "$WIRES_TOOL" ] || die "there is no $WIRES_TOOL: make it with \`make $WIRES_TOOL\`"
library_open "$OUT"
lef_open
if [ -n "${KEEP:-}" ]; then
    [ -f "$to/routed.def" ] || die "there is no $to/routed.def to keep: run me without KEEP=1"
    report
    exit
fi
mkdir -p "$to" || die "cannot make $to"
rm -f "$to/report.md" "$to/result.txt" "$to/routed.def"

: >"$to/attempts.new"
routed=
for density in ${DENSITIES:-0.9 0.8 0.7 0.6 0.5}; do
    progress PLACE "$UNIT ($CONFIG): $(map_cells "$OUT") cells, density $density" >&2
    attempt "$density" "$to/$density" && routed=$to/$density
    echo "$density|$placed_s|$routed_s|$left|$(echo "$outcome" | tr '|' /)" >>"$to/attempts.new"
    progress ROUTE "$UNIT ($CONFIG): $outcome ($placed_s s, $routed_s s)" >&2
    [ -z "$routed" ] || break
done
mv "$to/attempts.new" "$to/attempts.txt"

if [ -z "$routed" ]; then
    {
        echo "$UNIT, $CONFIG, $LIBRARY, $(map_cells "$OUT") cells: not routed."
        echo
        attempts
    } >"$to/report.new"
    mv "$to/report.new" "$to/report.md"
    cat "$to/report.md"
    die "$UNIT: no density is routed; $to/report.md has what happened at each"
fi
cp "$routed/routed.def" "$to/routed.new"
mv "$to/routed.new" "$to/routed.def"
report
