#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# synth/run.sh UNIT BUILD_DIR: what the unit costs, and the test that its contract names every flip-flop.
# Reads rtl/UNIT, rtl/prim, cmodel/UNIT/UNIT.def, cmodel/contract.h, BUILD_DIR/hw.h and synth/. Writes
# BUILD_DIR/synth/UNIT/report.md for people and result.txt (key=value) for programs.
# Fails when the STATE bits of the contract are not exactly the flip-flops of the netlist, by name.
# RTL_ROOT=dir: dir/rtl instead of rtl. SYNTH_OUT=name: write to BUILD_DIR/synth/name.
set -eu
. synth/unit.sh
. synth/map.sh

unit_open "${1:-}" "${2:-}" "synth"
if [ -n "${SYNTH_OUT:-}" ]; then
    mkdir -p "$BUILD/synth/$SYNTH_OUT"
    cp "$OUT/contract.txt" "$BUILD/synth/$SYNTH_OUT/"
    OUT=$BUILD/synth/$SYNTH_OUT
fi
started=$(date +%s)
flops=$(flop_cells | sed 's/^/t:/' | tr '\n' ' ')

# Questions to the mapped netlist, one wire per bit: which flip-flops drive a STATE, which of its bits none drives,
# and which flip-flops serve no STATE. %a takes other names of the same net in.
questions() {
    echo "splitnets -ports"
    echo "select -set flops $flops"
    echo "select -set driven @flops %co1:+[Q] w:* %i %a"
    echo "select -set named"
    grep '^state ' "$OUT/contract.txt" | while read -r kind name width count register meaning; do
        echo "select -set wires w:$register w:$register[*"
        echo "tee -o $OUT/$name.flops select -list @wires %a %ci1:+[Q] @flops %i"
        echo "tee -o $OUT/$name.bare select -list @wires @driven %d"
        echo "select -set named @named @wires %a"
    done
    echo "tee -o $OUT/unnamed select -list @driven @named %d w:*_q* %i"
    echo "tee -o $OUT/unnamed.flops select -list @flops @named %ci1:+[Q] @flops %i %d"
}

progress SYNTH "$UNIT ($CONFIG): $(unit_params | tr '\n' ' ')"
questions >"$OUT/questions.ys"
map_module "$UNIT" "$OUT" "$(unit_sources "${RTL_ROOT:-.}")" "$(unit_params)" "script $OUT/questions.ys"

# STATE against flip-flops, field by field.
cells=$(map_cells "$OUT")
area=$(map_area "$OUT")
found=$(map_flops "$OUT")
nand2=$(cell_area NAND2X1)
flop_area=$(cell_area DFFPOSX1)
bits=0
named=0
wrong=0
: >"$OUT/state.txt"
while read -r kind name width count register meaning; do
    [ "$kind" = state ] || continue
    field_bits=$((width * count))
    field_flops=$(wc -l <"$OUT/$name.flops")
    bits=$((bits + field_bits))
    named=$((named + field_flops))
    echo "$name $width $count $field_bits $field_flops $register" >>"$OUT/state.txt"
    if [ "$field_bits" -ne "$field_flops" ]; then
        wrong=1
        echo "STATE $name: $field_bits bits in the contract, $field_flops flip-flops in $register" >&2
        if [ -s "$OUT/$name.bare" ]; then
            echo "  without a flip-flop: $(sed 's|.*/||' "$OUT/$name.bare" | tr '\n' ' ')" >&2
        elif [ "$field_flops" -eq 0 ]; then
            echo "  the netlist has no register of this name; PORT($name) says that it is an output" >&2
        fi
    fi
done <"$OUT/contract.txt"
if [ -s "$OUT/unnamed.flops" ]; then
    wrong=1
    echo "$(wc -l <"$OUT/unnamed.flops") flip-flops are in no STATE: $(sed 's|.*/||' "$OUT/unnamed" | tr '\n' ' ')" >&2
fi
if [ "$named" -gt "$found" ]; then
    wrong=1
    echo "$((named - found)) flip-flops serve two STATE fields at once: their registers are always equal" >&2
fi
[ "$bits" -eq "$found" ] || wrong=1

delay() {
    map_delay "$OUT" "$1" "$2"
}
{
    echo "unit=$UNIT"
    echo "config=$CONFIG"
    unit_params | sed 's/^/param_/'
    echo "library=$(basename "$LIBERTY")"
    echo "state_bits=$bits"
    echo "flip_flops=$found"
    echo "state_equals_flip_flops=$([ "$wrong" -eq 0 ] && echo yes || echo no)"
    while read -r name width count field_bits field_flops register; do
        echo "state_$name=$field_bits"
        echo "flip_flops_$name=$field_flops"
    done <"$OUT/state.txt"
    echo "cells=$cells"
    echo "area_um2=$area"
    echo "flip_flop_area_um2=$((found * ${flop_area%.*}))"
    echo "ge=$((area / ${nand2%.*}))"
    echo "nand2_um2=$nand2"
    echo "flip_flop_ge=$(echo "$flop_area $nand2" | awk '{ printf "%.2f", $1 / $2 }')"
    for group in in_out in_reg reg_out reg_reg; do
        echo "delay_${group}_ns=$(delay $group ns)"
        echo "delay_${group}_start=$(delay $group start)"
        echo "delay_${group}_end=$(delay $group end)"
    done
    echo "critical_path_ns=$(delay worst ns)"
    echo "critical_path_start=$(delay worst start)"
    echo "critical_path_end=$(delay worst end)"
    echo "seconds=$(($(date +%s) - started))"
} >"$OUT/result.txt"

{
    echo "| $UNIT, $CONFIG ($(unit_params | sed 's/=/ = /' | paste -sd, - | sed 's/,/, /g')) | |"
    echo "| --- | --- |"
    while read -r name width count field_bits field_flops register; do
        echo "| STATE \`$name\` ($count x $width): bits / flip-flops in \`$register\` | $field_bits / $field_flops |"
    done <"$OUT/state.txt"
    echo "| STATE bits / flip-flops | $bits / $found |"
    echo "| cells | $cells |"
    echo "| area, of it flip-flops | $area um2, $((found * ${flop_area%.*})) um2 |"
    echo "| gate equivalents (NAND2X1 = $nand2 um2, DFFPOSX1 = $flop_area um2) | $((area / ${nand2%.*})) |"
    for group in in_out in_reg reg_out reg_reg; do
        case $group in
        in_out) label="input to output" ;;
        in_reg) label="input to register" ;;
        reg_out) label="register to output" ;;
        reg_reg) label="register to register" ;;
        esac
        [ "$(delay $group ns)" != none ] || continue
        echo "| slowest $label | $(delay $group ns) ns, \`$(delay $group start)\` to \`$(delay $group end)\` |"
    done
} >"$OUT/report.md"
cat "$OUT/report.md"
if [ "$wrong" -ne 0 ]; then
    die "STATE of cmodel/$UNIT/$UNIT.def is not the flip-flops of rtl/$UNIT: $bits bits, $found flip-flops"
fi
progress OK "$UNIT: $bits STATE bits = $found flip-flops, $area um2, critical path $(delay worst ns) ns"
