#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/synth/memories.sh UNIT BUILD_DIR: a MEMORY as an array of flip-flops has one for each bit, whatever its shape; what CACTI prints is
# read, and what it does not print is refused. UNIT has a MEMORY. Writes below BUILD_DIR/synth/UNIT and UNIT-cacti.
set -eu
. synth/unit.sh

unit_open "${1:-}" "${2:-}" "synth"
net=$BUILD/synth/$UNIT cacti=$BUILD/synth/$UNIT-cacti
${MAKE:-make} -s CONFIG="$CONFIG" UNIT="$UNIT" LIBERTY= CLOCK= MOST_CELLS=20000 memories >/dev/null
[ -s "$net/memory.txt" ] || die "$UNIT has no MEMORY"
flop=$(sed -n 's/^flip_flop_um2=//p' "$net/library.txt")
while read -r name width depth reads bits rest; do
    area=$(sed -n "s/^| \`$name\` .* \([0-9.]*\) (\([0-9.]*\)) .*/\2/p" "$net/memories.md")
    [ "$area" = "$(awk -v bits="$bits" -v flop="$flop" 'BEGIN { print bits * flop }')" ] ||
        die "$name, $depth words of $width bits, $reads reads: flip-flops take $area um2; expected $bits of $flop um2"
done <"$net/memory.txt"

# refused NAME WORDS: CACTI's output for the first memory is not taken, and why.
first=$(head -n 1 "$net/memory.txt" | cut -d' ' -f1)
refused() {
    ! SYNTH_OUT=$UNIT-cacti CACTI=$cacti sh synth/memories.sh "$UNIT" "$BUILD" >"$cacti/out" 2>&1 || die "$1 is taken for what CACTI prints"
    grep -q "$2" "$cacti/out" || { cat "$cacti/out" >&2; die "$1 is refused, but not with '$2'"; }
    progress CAUGHT "$1: $2"
}
rm -rf "$cacti"
mkdir -p "$cacti"
cp "$net/memory.txt" "$cacti/"
export MOST_CELLS=1 # nothing is mapped again
refused "no file" "there is no $cacti/$first.txt"
: >"$cacti/$first.txt"
refused "an empty file" "this is not what CACTI prints"
printf '    Technology size (nm): 45\n    Access time (ns): 0.4\n    Cache height x width (mm): 0 x 0.03\n' >"$cacti/$first.txt"
refused "an area of nothing" "this is not what CACTI prints"
while read -r name rest; do
    printf '    Technology size (nm): 45\n    Access time (ns): 0.435422\n    Cycle time (ns):  0.327345\n    Cache height x width (mm): 0.02 x 0.03\n' >"$cacti/$name.txt"
done <"$net/memory.txt"
SYNTH_OUT=$UNIT-cacti CACTI=$cacti sh synth/memories.sh "$UNIT" "$BUILD" >"$cacti/out"
grep -q "^| \`$first\` .* | 600 um2, 296296 F2 at 45 nm | 0.435 |\$" "$cacti/out" || { cat "$cacti/out" >&2; die "what CACTI prints is read wrongly"; }
progress OK "$UNIT: memories as flip-flops, and by CACTI"
