#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# synth/run.sh UNIT BUILD_DIR: what the unit costs, and the test that its contract names every flip-flop.
# Reads rtl/UNIT, rtl/prim, cmodel/UNIT/UNIT.def, cmodel/contract.h, BUILD_DIR/hw.h and synth/. Writes
# BUILD_DIR/synth/UNIT/report.md for people and result.txt (key=value) for programs.
# Fails when the STATE bits of the contract are not exactly the flip-flops of the netlist, by name; or its MEMORY lines not
# exactly the instances of rtl/prim/memory.sv, by name and size.
# RTL_ROOT=dir: dir/rtl instead of rtl. SYNTH_OUT=name: write to BUILD_DIR/synth/name. LIBERTY, CLOCK, FEATURE_UM: see library.sh.
set -eu
. synth/unit.sh
. synth/library.sh
. synth/map.sh

synth_open "${1:-}" "${2:-}"
started=$(date +%s)
library_open "$OUT"
outputs=$(library_value flop_output | paste -sd, -)

# Questions to the mapped netlist, one wire per bit: which flip-flops drive a STATE, which of its bits none drives,
# and which flip-flops serve no STATE. %a takes other names of the same net in.
questions() {
    echo "splitnets -ports"
    echo "select -set flops $FLOP_TYPES"
    echo "select -set driven @flops %co1:+[$outputs] w:* %i %a"
    echo "select -set named"
    grep '^state ' "$OUT/contract.txt" | while read -r kind name width count register meaning; do
        echo "select -set wires w:$register w:$register[*"
        echo "tee -o $OUT/$name.flops select -list @wires %a %ci1:+[$outputs] @flops %i"
        echo "tee -o $OUT/$name.bare select -list @wires @driven %d"
        echo "select -set named @named @wires %a"
    done
    echo "tee -o $OUT/unnamed select -list @driven @named %d w:*_q* %i"
    echo "tee -o $OUT/unnamed.flops select -list @flops @named %ci1:+[$outputs] @flops %i %d"
}

progress SYNTH "$UNIT ($CONFIG): $(unit_params | tr '\n' ' ')"
questions >"$OUT/questions.ys"
map_module "$UNIT" "$OUT" "$(unit_sources "${RTL_ROOT:-.}")" "$(unit_params)" "script $OUT/questions.ys"

# STATE against flip-flops, field by field.
cells=$(map_cells "$OUT")
area=$(map_area "$OUT")
found=$(map_flops "$OUT")
found_area=$(map_flops_area "$OUT")
gates=$(echo "$area $NAND2_UM2" | awk '{ printf "%d", $1 / $2 }')
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
        echo "STATE $name has $field_flops flip-flops in $register, $field_bits bits in the contract" >&2
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

# MEMORY against instances; their areas: memory.txt has NAME WIDTH DEPTH READS BITS F2 UM2.
awk '$1 == "memory" { print $2, $3, $4 }' "$OUT/contract.txt" >"$OUT/expected_memories.txt"
while read -r name width depth; do
    there=$(awk -v name="$name" '$1 == name { print $3 " words of " $2 " bits" }' "$OUT/memories.txt")
    [ "$there" = "$depth words of $width bits" ] || {
        wrong=1
        echo "MEMORY $name: $depth words of $width bits in the contract, ${there:-no instance of this name} in the netlist" >&2
    }
done <"$OUT/expected_memories.txt"
for name in $(awk 'NR == FNR { known[$1]; next } !($1 in known) { print $1 }' "$OUT/expected_memories.txt" "$OUT/memories.txt"); do
    wrong=1
    echo "the memory $name of the netlist is in no MEMORY" >&2
done
sed "s/\$/ ${FEATURE_UM:-unknown}/" "$OUT/memories.txt" | awk -f synth/memory.awk | cut -d' ' -f2- | paste -d' ' "$OUT/memories.txt" - >"$OUT/memory.txt"
memory_sum() {
    awk -v field="$1" '$field == "unknown" { unknown = 1 } { sum += $field } END { print unknown ? "unknown" : sum + 0 }' "$OUT/memory.txt"
}
# product A B, quotient A B: of areas and numbers.
product() {
    echo "$1 $2" | awk '{ print $1 * $2 }' | rounded
}
quotient() {
    echo "$1 $2" | awk '{ print $1 / $2 }'
}

groups="in_out in_reg in_mem reg_out reg_reg reg_mem mem_out mem_reg mem_mem"
delay() {
    map_delay "$OUT" "$1" "$2"
}
{
    echo "unit=$UNIT"
    echo "config=$CONFIG"
    unit_params | sed 's/^/param_/'
    tools
    echo "clock=${CLOCK:-none}"
    echo "state_bits=$bits"
    echo "flip_flops=$found"
    echo "state_equals_flip_flops=$([ "$wrong" -eq 0 ] && echo yes || echo no)"
    while read -r name width count field_bits field_flops register; do
        echo "state_$name=$field_bits"
        echo "flip_flops_$name=$field_flops"
    done <"$OUT/state.txt"
    echo "memory_bits=$(memory_sum 5)"
    echo "memory_area_f2=$(memory_sum 6)"
    echo "memory_area_um2=$(memory_sum 7)"
    echo "memory_as_flip_flops_um2=$(product "$(memory_sum 5)" "$FLIP_FLOP_UM2")"
    echo "cells=$cells"
    echo "area_um2=$area"
    echo "flip_flop_area_um2=$found_area"
    echo "nand2=$NAND2"
    echo "nand2_um2=$NAND2_UM2"
    echo "ge=$gates"
    echo "flip_flop_ge=$(quotient "$FLIP_FLOP_UM2" "$NAND2_UM2" | awk '{ printf "%.2f", $1 }')"
    for group in $groups; do
        echo "delay_${group}_ns=$(delay $group ns)"
        echo "delay_${group}_start=$(delay $group start)"
        echo "delay_${group}_end=$(delay $group end)"
    done
    echo "critical_path_ns=$(delay worst ns)"
    echo "critical_path_start=$(delay worst start)"
    echo "critical_path_end=$(delay worst end)"
    [ -z "$PERIOD_NS" ] || printf 'period_ns=%s\nslack_ns=%s\n' "$PERIOD_NS" "$(map_slack "$OUT")"
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
    echo "| area in $LIBRARY, of it flip-flops | $area um2, $found_area um2 |"
    echo "| gate equivalents ($NAND2 = $NAND2_UM2 um2, $FLIP_FLOP = $FLIP_FLOP_UM2 um2) | $gates |"
    while read -r name width depth reads field_bits f2 um2; do
        echo "| MEMORY \`$name\` ($depth x $width, read ports: $reads): bits, area as SRAM, as flip-flops |" \
            "$field_bits, $um2 um2 ($f2 F2), $(product "$field_bits" "$FLIP_FLOP_UM2") um2 |"
    done <"$OUT/memory.txt"
    for group in $groups; do
        label=$(echo "$group" | sed 's/^in_/input_/; s/^reg_/register_/; s/^mem_/memory_/; s/_out$/_output/; s/_reg$/_register/
            s/_mem$/_memory/; s/_/ to /')
        [ "$(delay $group ns)" != none ] || continue
        echo "| slowest $label | $(delay $group ns) ns, \`$(delay $group start)\` to \`$(delay $group end)\` |"
    done
    [ -z "$PERIOD_NS" ] || echo "| slack at $CLOCK, $(echo "$PERIOD_NS" | awk '{ printf "%.2f", $1 }') ns | $(map_slack "$OUT") ns |"
} >"$OUT/report.md"
cat "$OUT/report.md"
if [ "$wrong" -ne 0 ]; then
    die "STATE and MEMORY of cmodel/$UNIT/$UNIT.def are not the flip-flops and memories of rtl/$UNIT: $bits bits, $found flip-flops"
fi
progress OK "$UNIT: $bits STATE bits = $found flip-flops, $area um2, critical path $(delay worst ns) ns"
