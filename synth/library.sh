# SPDX-License-Identifier: Apache-2.0
# synth/library.sh: the library of cells that a unit is mapped to, and the clock that it is to reach. Sourced after unit.sh.
#   LIBERTY=file.lib   any library in Liberty format (default: OSU 0.18 um)
#   CLOCK=700MHz       cells are sized for this clock, and its slack is reported; without it they are made as fast as they can be
#   FEATURE_UM=0.18    the library's feature size, for the area of memories, where nodes.txt does not have it

LIBERTY=${LIBERTY:-/usr/share/qflow/tech/osu018/osu018_stdcells.lib}
LIBERTY_TOOL=${LIBERTY_TOOL:-build/common/liberty}

# library_value KEY: from what the library has been found to be.
library_value() {
    sed -n "s/^$1=//p" "$LIBRARY_INFO"
}

# library_open DIRECTORY: looks at the library. Leaves library.txt there.
#   LIBRARY  its name          NAND2, FLIP_FLOP  the smallest of their kind       FLOPS  all that are flip-flops
#   FLOP_TYPES  these, as a selection of Yosys
#   DRIVER   what drives the inputs of a unit     LOAD, LOAD_FF  what an output drives: the library's unit, fF
library_open() {
    [ -f "$LIBERTY" ] || die "there is no $LIBERTY; LIBERTY= names the library (Debian has qflow-tech-osu018)"
    [ -x "$LIBERTY_TOOL" ] || die "there is no $LIBERTY_TOOL: make it with \`make $LIBERTY_TOOL\`"
    LIBRARY_INFO=$1/library.txt
    mkdir -p "$1" || die "cannot make $1"
    "$LIBERTY_TOOL" info "$LIBERTY" >"$LIBRARY_INFO" || die "$LIBERTY cannot be used"
    LIBRARY=$(library_value library)
    NAND2=$(library_value nand2) NAND2_UM2=$(library_value nand2_um2)
    FLIP_FLOP=$(library_value flip_flop) FLIP_FLOP_UM2=$(library_value flip_flop_um2)
    FLOPS=$(library_value flop | cut -d' ' -f1)
    FLOP_TYPES=$(echo "$FLOPS" | sed 's/^/t:/' | paste -sd' ')
    DRIVER=$(library_value driver) LOAD=$(library_value load) LOAD_FF=$(library_value load_ff)
    FEATURE_UM=${FEATURE_UM:-$(awk -v library="$LIBRARY" '$1 == library { print $2 }' synth/nodes.txt)}
    clock_open
}

# clock_open: PERIOD_NS of CLOCK, or nothing; TARGET_PS for abc, which makes everything as fast as it can where that is out of reach.
clock_open() {
    PERIOD_NS= TARGET_PS=1
    [ -n "${CLOCK:-}" ] || return 0
    PERIOD_NS=$(echo "$CLOCK" | awk '
        /^[0-9]+(\.[0-9]*)?[MG]Hz$/ { print ($0 ~ /MHz/ ? 1000 : 1) / $0 }
        /^[0-9]+(\.[0-9]*)?ns$/ { print $0 + 0 }')
    case $PERIOD_NS in
    '' | 0 | *inf*) die "CLOCK=$CLOCK: expected a frequency or a period, such as 700MHz, 1.2GHz or 2.5ns" ;;
    esac
    TARGET_PS=$(echo "$PERIOD_NS" | awk '{ printf "%.0f", $1 * 1000 }')
}

# tools: the versions that results depend on, and the library's hash, as lines KEY=value.
tools() {
    echo "library=$LIBRARY"
    echo "library_sha256=$(sha256sum <"$LIBERTY" | cut -d' ' -f1)"
    echo "yosys=$(yosys -V | cut -d' ' -f2)"
    echo "opensta=$(sta -version)"
}
