# SPDX-License-Identifier: Apache-2.0
# synth/memory.awk: the area of a memory of `rtl/prim/memory.sv`, one write port and READS read ports, as SRAM:
#
#   area = overhead * bits * cell + ports * DEPTH * row + ports/2 * WIDTH * column
#
# All in F2, squares of the feature size, so that one set of constants serves all nodes. `ports` counts the write port and the
# reads: each has a decoder and word lines, and half of what stands below a column, which in a memory of one port both reads and
# writes. README.md says where the constants come from and what they leave out; synth/memory.txt has the areas that they are
# checked against (tests/synth/memory.sh).
#
# Usage: awk -f synth/memory.awk, lines on standard input: NAME WIDTH DEPTH READS FEATURE_UM. READS 0: one port for both.
# Prints: NAME BITS F2 UM2; where FEATURE_UM is `unknown`, so is UM2. Each constant can be given with -v.
BEGIN {
    # A six-transistor cell: 146 F2, 1.46 times as wide as high; each further read port adds two word-line pitches of 2.5 F to
    # the one side and a bit-line pitch to the other (CACTI 7, tech_params and mat.cc).
    if (cell_long == "") cell_long = 14.6
    if (cell_short == "") cell_short = 10
    if (pitch == "") pitch = 2.5
    # Fitted to synth/memory.txt: straps, spacing and wiring of the array; decoder and drivers of a row; precharge, sense
    # amplifier, write driver and latch of a column.
    if (overhead == "") overhead = 1.6
    if (row == "") row = 1170
    if (column == "") column = 2600
}
NF != 5 || $2 < 1 || $3 < 1 || $4 < 0 || ($5 <= 0 && $5 != "unknown") {
    print "memory.awk: error: expected `name width depth reads feature_um`, got `" $0 "`" > "/dev/stderr"
    exit 1
}
{
    bits = $2 * $3
    ports = 1 + $4
    cell = (cell_long + 2 * pitch * $4) * (cell_short + pitch * $4)
    f2 = overhead * bits * cell + ports * $3 * row + ($4 ? ports / 2 : 1) * $2 * column
    printf "%s %d %.0f %s\n", $1, bits, f2, $5 == "unknown" ? $5 : sprintf("%.0f", f2 * $5 * $5)
}
