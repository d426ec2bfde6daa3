# SPDX-License-Identifier: Apache-2.0
# synth/wires/report.sh: what a routed layout is like: its figures, delays and picture. Sourced after place.sh.

# attempts: of TO/attempts.txt, as a table.
attempts() {
    echo "| density asked for | placed in | routed in | nets left | outcome |"
    echo "| ---: | ---: | ---: | ---: | --- |"
    awk -F'|' '{ printf "| %s | %s s | %s s | %s | %s |\n", $1, $2, $3, $4, $5 }' "$to/attempts.txt"
}

# of KEY: of the layout's figures.
of() {
    sed -n "s/^$1=//p" "$to/measure.txt"
}

# delay_rows LABEL GROUP: of both, where there is such a path.
delay_rows() {
    [ "$(map_delay "$to" "$2" ns)" != none ] || return 0
    delay_row "$1, without wires" "$OUT" "$2"
    delay_row "$1, with wires" "$to" "$2"
}
delay_row() {
    echo "| slowest $1 | $(map_delay "$2" "$3" ns) ns, \`$(map_delay "$2" "$3" start)\` to \`$(map_delay "$2" "$3" end)\` |"
}

# last_attempt FIELD: of TO/attempts.txt.
last_attempt() {
    tail -n 1 "$to/attempts.txt" | cut -d'|' -f"$1"
}

# report: writes TO/result.txt, report.md, layout.png and UNIT.spef, of TO/routed.def, which is checked once more.
report() {
    wires check "$to/routed.def" >"$to/check.txt" || die "$to/routed.def is not the netlist"
    wires measure "$to/routed.def" >"$to/measure.new" || die "$to/routed.def cannot be measured"
    grep '^close=' "$to/check.txt" >>"$to/measure.new"
    mv "$to/measure.new" "$to/measure.txt"
    wires rules >"$to/rules.txt" || die "$LEF does not say what wires take"
    wires spef "$to/routed.def" "$to/$UNIT.spef" || die "$to/routed.def has no delays"
    wires draw "$to/routed.def" "$to/layout.png" || die "$to/layout.png cannot be drawn"
    map_time "$UNIT" "$OUT" "$to" "$to/$UNIT.spef"
    spef_taken "$to/timing.txt" || die "OpenSTA does not take all of $to/$UNIT.spef"
    groups="in_out in_reg in_mem reg_out reg_reg reg_mem mem_out mem_reg mem_mem"
    without=$(map_delay "$OUT" worst ns) with=$(map_delay "$to" worst ns)
    {
        echo "unit=$UNIT"
        echo "config=$CONFIG"
        tools
        echo "lef_sha256=$(sha256sum <"$LEF" | cut -d' ' -f1)"
        echo "clock=${CLOCK:-none}"
        cat "$to/measure.txt"
        echo "density_asked=$(last_attempt 1)"
        echo "placed_s=$(last_attempt 2)"
        echo "routed_s=$(last_attempt 3)"
        echo "attempts=$(wc -l <"$to/attempts.txt")"
        for group in $groups; do
            echo "delay_${group}_ns=$(map_delay "$to" "$group" ns)"
            echo "delay_${group}_without_wires_ns=$(map_delay "$OUT" "$group" ns)"
        done
        echo "critical_path_ns=$with"
        echo "critical_path_without_wires_ns=$without"
    } >"$to/result.new"
    {
        echo "| $UNIT, $CONFIG, $LIBRARY${CLOCK:+, $CLOCK} | |"
        echo "| --- | --- |"
        echo "| cells, nets, ports | $(of cells), $(of nets), $(of ports) |"
        echo "| area of the cells | $(of cell_area_um2) um2 |"
        echo "| core: $(of rows) rows, density $(of density) | $(of core_area_um2) um2 |"
        echo "| die: with ports around it, $(of die_um) um | $(of die_area_um2) um2 |"
        echo "| wire | $(of wire_um) um |"
        echo "| vias | $(of vias) |"
        echo "| closer to other metal than the layer's spacing | $(of close) places |"
        echo "| longest net | \`$(of longest_net)\`, $(of longest_um) um |"
        echo "| capacitance of wires, of cells' pins | $(of wire_pf) pF, $(of pin_pf) pF |"
        for group in $groups; do
            delay_rows "$(echo "$group" | sed 's/in_/input_/; s/reg/register/g; s/mem/memory/g; s/_/ to /; s/ to out/ to output/')" "$group"
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
}
