#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/synth/netlist.sh UNIT BUILD_DIR: the netlist of UNIT is in lockstep with its reference, and one with a wrong cell is not. Of the cells
# whose kind has a twin in the library, with the same pins and another function, PLANTED (default 12) are exchanged, evenly spread, one at a
# time. The same goes for the netlist that is evaluated in C. CYCLES=n: of lockstep (default 100000). Writes below BUILD_DIR/netlist/.
set -eu
. synth/unit.sh

unit_open "${1:-}" "${2:-}" "synth"
cycles=${CYCLES:-100000}
make_unit() {
    ${MAKE:-make} -s CONFIG="$CONFIG" UNIT="$UNIT" "$@"
}
twins="NAND2X1=NOR2X1 NOR2X1=NAND2X1 AND2X2=OR2X2 OR2X2=AND2X2 XOR2X1=XNOR2X1 XNOR2X1=XOR2X1 NAND3X1=NOR3X1 AOI21X1=OAI21X1
    OAI21X1=AOI21X1 OAI22X1=AOI22X1 AOI22X1=OAI22X1 INVX1=BUFX2 BUFX2=INVX1 DFFPOSX1=DFFNEGX1"
LIBERTY= CLOCK= MORE_CELLS=$(echo $twins | sed 's/[^ ]*=//g') make_unit CYCLES="$cycles" netlist
right=$BUILD/netlist/$UNIT/rtl planted=$BUILD/netlist/$UNIT-planted mapped=$BUILD/synth/$UNIT/mapped.v
LIBERTY= CLOCK= make_unit CYCLES="$cycles" energy >/dev/null
rm -rf "$planted"
mkdir -p "$planted"
awk -v twins="$twins" '
    BEGIN { n = split(twins, pair, " "); for (i = 1; i <= n; i++) { split(pair[i], part, "="); twin[part[1]] = part[2] } }
    $1 in twin && NF == 3 && $3 == "(" { print NR, $1, $2, twin[$1] }' "$right/$UNIT/$UNIT.sv" >"$planted/all.txt"
[ -s "$planted/all.txt" ] || die "$right/$UNIT/$UNIT.sv has no cell that could be exchanged"
awk -v wanted="${PLANTED:-12}" -v all="$(wc -l <"$planted/all.txt")" '
    int(NR * wanted / all) != int((NR - 1) * wanted / all)' "$planted/all.txt" >"$planted/chosen.txt"

liberty=$(. synth/library.sh && echo "$LIBERTY")
count=0
while read -r line kind name twin; do
    folder=$planted/$kind-$line
    mkdir -p "$folder"
    cp -r "$right" "$folder/"
    sed -i "${line}s/$kind/$twin/" "$folder/rtl/$UNIT/$UNIT.sv"
    make_unit VARIANT="$folder" variant >"$folder/log" 2>&1 || { tail -n 15 "$folder/log" >&2; die "$folder does not build"; }
    status=0
    "$folder/random" --brief --cycles="$cycles" --seeds=20 >"$folder/report.txt" || status=$?
    [ "$status" -eq 3 ] || die "$kind in line $line of $right/$UNIT/$UNIT.sv may be $twin, and nothing notices it"
    pattern=$(printf '%s' "$name" | sed 's/[][\\.*^$/]/\\&/g')
    sed "s/^  $kind \($pattern\) \{1,2\}(/  $twin \1 (/" "$mapped" >"$folder/mapped.v"
    ! cmp -s "$mapped" "$folder/mapped.v" || die "$mapped has no $kind $name"
    status=0
    "$BUILD/check/$UNIT/energy" --cycles="$cycles" "$folder/mapped.v" "$liberty" >"$folder/energy.txt" 2>&1 || status=$?
    # a flip-flop of the other edge is no mistake that the evaluator could make: it refuses it
    [ "$status" -eq 3 ] || { [ "$kind" = DFFPOSX1 ] && grep -q 'at a rising edge' "$folder/energy.txt"; } ||
        die "$kind $name may be $twin, and the netlist in C does not notice it (status $status)"
    progress CAUGHT "$kind in line $line is $twin: $(sed -n 's/^MISMATCH *//p' "$folder/report.txt" | cut -c1-100)"
    count=$((count + 1))
done <"$planted/chosen.txt"
progress OK "$UNIT: the netlist is in lockstep; $count wrong cells are noticed"
