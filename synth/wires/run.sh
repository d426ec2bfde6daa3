#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# synth/wires/run.sh UNIT BUILD_DIR: the mapped unit placed and routed: its area and its delays with wires.
#   LIBERTY, CLOCK, SYNTH_OUT: as synth/run.sh had them, whose netlist is taken
#   LEF=file.lef          shapes of the cells (default: the one beside the library)
#   DENSITIES="0.9 ..."   cells per area of the rows, tried in this order until all nets are routed (default: 0.9 0.8 0.7 0.6 0.5)
#   SECONDS_EACH=3600     the longest time for the placer, and for the router, at one density
# Writes BUILD_DIR/synth/UNIT/wires/: report.md for people, result.txt for programs, routed.def, UNIT.spef, layout.png, and a folder for each
# density. When no density is routed the report says what happened at each, and this fails.
set -eu
. synth/unit.sh
. synth/library.sh
. synth/map.sh
. synth/wires/place.sh

tools_open
synth_open "${1:-}" "${2:-}"
[ -f "$OUT/netlist.v" ] || die "there is no $OUT/netlist.v: run synth/run.sh $UNIT $BUILD first"
NETLIST=$OUT/netlist.v to=$OUT/wires WIRES_TOOL=${WIRES_TOOL:-build/common/wires} SECONDS_EACH=${SECONDS_EACH:-3600}
[ -x "$WIRES_TOOL" ] || die "there is no $WIRES_TOOL: make it with \`make $WIRES_TOOL\`"
library_open "$OUT"
lef_open
mkdir -p "$to" || die "cannot make $to"
rm -f "$to/report.md" "$to/result.txt"

: >"$to/attempts.new"
routed=
for density in ${DENSITIES:-0.9 0.8 0.7 0.6 0.5}; do
    progress PLACE "$UNIT ($CONFIG): $(map_cells "$OUT") cells, density $density" >&2
    attempt "$density" "$to/$density" && routed=$to/$density
    echo "$density|$placed_s|$routed_s|$left|$outcome" >>"$to/attempts.new"
    progress ROUTE "$UNIT ($CONFIG): $outcome ($placed_s s, $routed_s s)" >&2
    [ -z "$routed" ] || break
done
mv "$to/attempts.new" "$to/attempts.txt"

attempts() {
    echo "| density asked for | placed in | routed in | nets left | outcome |"
    echo "| ---: | ---: | ---: | ---: | --- |"
    awk -F'|' '{ printf "| %s | %s s | %s s | %s | %s |\n", $1, $2, $3, $4, $5 }' "$to/attempts.txt"
}
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

cp "$routed/routed.def" "$to/routed.def"
wires measure "$to/routed.def" >"$to/measure.txt" || die "$to/routed.def cannot be measured"
wires rules >"$to/rules.txt" || die "$LEF does not say what wires take"
wires spef "$to/routed.def" "$to/$UNIT.spef" || die "$to/routed.def has no delays"
wires draw "$to/routed.def" "$to/layout.png" || die "$to/layout.png cannot be drawn"
map_time "$UNIT" "$OUT" "$to" "$to/$UNIT.spef"
spef_taken "$to/timing.txt" || die "OpenSTA does not take all of $to/$UNIT.spef"

of() {
    sed -n "s/^$1=//p" "$to/measure.txt"
}
groups="in_out in_reg in_mem reg_out reg_reg reg_mem mem_out mem_reg mem_mem"
without=$(map_delay "$OUT" worst ns) with=$(map_delay "$to" worst ns)
{
    echo "unit=$UNIT"
    echo "config=$CONFIG"
    tools
    echo "lef_sha256=$(sha256sum <"$LEF" | cut -d' ' -f1)"
    echo "clock=${CLOCK:-none}"
    cat "$to/measure.txt"
    tail -n 1 "$to/attempts.txt" | awk -F'|' '{ printf "density_asked=%s\nplaced_s=%s\nrouted_s=%s\nattempts=%d\n", $1, $2, $3, attempts }' attempts="$(wc -l <"$to/attempts.txt")"
    for group in $groups; do
        echo "delay_${group}_ns=$(map_delay "$to" "$group" ns)"
        echo "delay_${group}_without_wires_ns=$(map_delay "$OUT" "$group" ns)"
    done
    echo "critical_path_ns=$with"
    echo "critical_path_without_wires_ns=$without"
} >"$to/result.new"

# delay_row LABEL GROUP: of both, where there is such a path.
delay_row() {
    [ "$(map_delay "$to" "$2" ns)" = none ] || echo "| slowest $1, without wires | $(map_delay "$OUT" "$2" ns) ns, \`$(map_delay "$OUT" "$2" start)\` to \`$(map_delay "$OUT" "$2" end)\` |
| slowest $1, with wires | $(map_delay "$to" "$2" ns) ns, \`$(map_delay "$to" "$2" start)\` to \`$(map_delay "$to" "$2" end)\` |"
}
{
    echo "| $UNIT, $CONFIG, $LIBRARY${CLOCK:+, $CLOCK} | |"
    echo "| --- | --- |"
    echo "| cells, nets, ports | $(of cells), $(of nets), $(of ports) |"
    echo "| area of the cells | $(of cell_area_um2) um2 |"
    echo "| core: $(of rows) rows, density $(of density) | $(of core_area_um2) um2 |"
    echo "| die: with ports around it, $(of die_um) um | $(of die_area_um2) um2 |"
    echo "| wire | $(of wire_um) um |"
    echo "| vias | $(of vias) |"
    echo "| longest net | \`$(of longest_net)\`, $(of longest_um) um |"
    echo "| capacitance of wires, of cells' pins | $(of wire_pf) pF, $(of pin_pf) pF |"
    for group in $groups; do
        delay_row "$(echo "$group" | sed 's/in_/input_/; s/reg/register/g; s/mem/memory/g; s/_/ to /; s/ to out/ to output/')" "$group"
    done
    echo "| slowest path, longer by | $(awk -v a="$without" -v b="$with" 'BEGIN { printf "%.1f %%", 100 * (b / a - 1) }') |"
    [ -z "$PERIOD_NS" ] || echo "| slack at $CLOCK, with wires | $(map_slack "$to") ns |"
    echo
    echo "| layer | wire um | ohm per um | fF per um |"
    echo "| --- | ---: | ---: | ---: |"
    awk '$1 == "layer" { print $2, $4, $5 }' "$to/rules.txt" | while read -r layer ohms farads; do
        echo "| $layer | $(of "wire_um_$layer") | $ohms | $farads |"
    done
    echo
    attempts
} >"$to/report.new"
mv "$to/result.new" "$to/result.txt"
mv "$to/report.new" "$to/report.md"
cat "$to/report.md"
progress OK "$UNIT: $(of cells) cells routed, core $(of core_area_um2) um2, critical path $with ns with wires, $without ns without"
