#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/synth/wires.sh UNIT BUILD_DIR: UNIT is placed and routed, in three libraries. Then faults are planted in the routed layout, PLANTED
# (default 4) of each kind (wires/plant.awk), and each is found; a placer without time, and a library whose shapes are not there,
# are reported as what they are. Writes below BUILD_DIR/synth/.
set -eu
. synth/unit.sh

unit_open "${1:-}" "${2:-}" "synth"
qflow=/usr/share/qflow/tech
wires() {
    ${MAKE:-make} -s CONFIG="$CONFIG" UNIT="$UNIT" wires
}
planted=$BUILD/synth/$UNIT-planted-wires
rm -rf "$planted"
mkdir -p "$planted"

for liberty in "$qflow/osu050/osu05_stdcells.lib" "$qflow/osu035/osu035_stdcells.lib" ''; do # the last one is the default
    LIBERTY=$liberty CLOCK='' wires >"$planted/log" 2>&1 || {
        cat "$planted/log" >&2
        die "$UNIT in ${liberty:-OSU 0.18 um} is not routed"
    }
    progress OK "$(sed -n 's/^  OK  *//p' "$planted/log")"
done
result=$BUILD/synth/$UNIT/wires
awk -F= '{ value[$1] = $2 } END { exit !(value["critical_path_ns"] > value["critical_path_without_wires_ns"] && value["wire_um"] > 0 &&
    value["core_area_um2"] >= value["cell_area_um2"]) }' "$result/result.txt" || die "$result/result.txt: wires take no time or no area"
[ -s "$result/layout.png" ] || die "there is no $result/layout.png"

count=0
for fault in segment via short overlap missing end pin; do
    nth=1
    while [ "$nth" -le "${PLANTED:-4}" ]; do
        awk -v fault=$fault -v nth="$nth" -f tests/synth/wires/plant.awk "$result/routed.def" >"$planted/$fault-$nth.def" ||
            die "there is no place $nth for the fault '$fault' in $result/routed.def"
        ! build/common/wires check "$BUILD/synth/$UNIT/netlist.v" "$qflow/osu018/osu018_stdcells.lib" "$qflow/osu018/osu018_stdcells.lef" \
            "$planted/$fault-$nth.def" >"$planted/said" 2>&1 || die "the fault '$fault' in $planted/$fault-$nth.def is not found"
        grep -q "^$planted/$fault-$nth.def:[0-9]*: error: " "$planted/said" || {
            cat "$planted/said" >&2
            die "$planted/$fault-$nth.def: expected a message with a file and a line"
        }
        progress CAUGHT "$fault: $(sed 's/.*error: //' "$planted/said" | cut -c1-100)"
        count=$((count + 1)) nth=$((nth + 1))
    done
done

# A net, a cell, or a pin of it that is not there.
for fault in 's/^\(\*[0-9]*\) [a-z_]*\\\[.*/\1 none/' '/^\*I/s/:[A-Z]*/:NONE/' '/^\*NAME_MAP/,/^\*PORTS/s/ _.*/ none/'; do
    sed "$fault" "$result/$UNIT.spef" >"$planted/wrong.spef"
    ! cmp -s "$result/$UNIT.spef" "$planted/wrong.spef" || die "$fault changes nothing in $result/$UNIT.spef"
    (
        LIBERTY=$qflow/osu018/osu018_stdcells.lib
        . synth/library.sh
        . synth/map.sh
        . synth/wires/place.sh
        library_open "$planted"
        map_time "$UNIT" "$BUILD/synth/$UNIT" "$planted" "$planted/wrong.spef"
        ! spef_taken "$planted/timing.txt" 2>/dev/null
    ) || die "$planted/wrong.spef, from $fault, is taken"
    progress CAUGHT "$(grep -ic '^warning.*spef' "$planted/timing.txt") places in SPEF that are none, by $fault"
done

# refused WORDS NAME=value...: make wires fails with these words.
refused() {
    words=$1
    shift
    ! env "$@" SYNTH_OUT="$UNIT-planted-wires" sh synth/wires/run.sh "$UNIT" "$BUILD" >"$planted/said" 2>&1 || die "$* is accepted"
    grep -q "$words" "$planted/said" || {
        cat "$planted/said" >&2
        die "$*: expected a message with '$words'"
    }
    progress CAUGHT "$*"
}
cp "$BUILD/synth/$UNIT"/*.* "$planted/"
mkdir -p "$planted/wires"
cp "$result/routed.def" "$result/attempts.txt" "$planted/wires/"
sed '/RESISTANCE/d' "$qflow/osu018/osu018_stdcells.lef" >"$planted/bare.lef"
refused 'the layer metal1 has no RESISTANCE; expected one' KEEP=1 LEF="$planted/bare.lef"
sed '0,/( _/s//( none /' "$result/routed.def" >"$planted/wires/routed.def"
refused 'is not the netlist' KEEP=1
refused 'no density is routed' SECONDS_EACH=0.1 DENSITIES="0.9 0.8"
grep -q '^| 0.8 | .* | graywolf is stopped after 0.1 s |$' "$planted/wires/report.md" ||
    die "$planted/wires/report.md does not say what graywolf did at 0.8"
refused 'LEF= names the shapes' LEF="$planted/none.lef"
mkdir -p "$planted/bin"
ln -s "$(command -v sh)" "$planted/bin/sh"
refused 'make setup MORE=1' PATH="$planted/bin"
progress OK "$UNIT: placed and routed in three libraries; $count faults planted in the layout are found"
