#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/synth/libraries.sh UNIT BUILD_DIR: what is measured does not depend on the words of a library. The unit is mapped to the usual
# library and to the same one in other words (other_library.awk): names, units, areas. Cells, delays, paths must be the same, the area
# a hundredth. Then each mistake that is easily made there is planted in a copy of synth/: that must be noticed. At last libraries that
# cannot be used, each refused with its reason.
# Writes below BUILD_DIR/synth/UNIT-other/.
set -eu
. synth/unit.sh
. synth/library.sh

unit_open "${1:-}" "${2:-}" "synth"
out=$PWD/$BUILD/synth/$UNIT-other
rm -rf "$out"
mkdir -p "$out/tree"
usual=$LIBERTY other=$out/other.lib
awk -f tests/synth/other_library.awk "$usual" >"$other"

# measure FOLDER NAME LIBRARY [SETTING]...: result.txt of the scripts below FOLDER, as NAME.
measure() {
    folder=$1 name=$2 library=$3
    shift 3
    (cd "$folder" && env LIBERTY="$library" SYNTH_OUT="$UNIT-other/$name" "$@" sh synth/run.sh "$UNIT" "$BUILD") >"$out/$name.log" 2>&1
}
# alike A B: do these results differ in nothing but what must?
alike() {
    for name in "$1" "$2"; do
        grep -vE '^(library|library_sha256|nand2|seconds|memory_as_flip_flops_um2)=' "$out/$name/result.txt" >"$out/$name.same"
    done
    awk -F= 'NR == FNR { value[$1] = $2; next }
        $1 ~ /area_um2$|^nand2_um2$/ && $1 !~ /memory/ { ratio = $2 / value[$1]; if (ratio < 0.0099 || ratio > 0.0101) print $1, value[$1], $2; next }
        $1 ~ /_ns$/ && $2 != "none" { if ($2 - value[$1] > 0.011 || value[$1] - $2 > 0.011) print $1, value[$1], $2; next }
        $2 != value[$1] { print $1, value[$1], $2 }' "$out/$1.same" "$out/$2.same" >"$out/$2.differs"
    [ ! -s "$out/$2.differs" ]
}

measure . usual "$usual" || { cat "$out/usual.log" >&2; die "$usual cannot be mapped to"; }
measure . other "$other" || { cat "$out/other.log" >&2; die "the same library in other words cannot be mapped to"; }
alike usual other || { cat "$out/other.differs" >&2; die "in other words the library gives other figures: name, usual, other"; }
progress OK "$UNIT: the same in other words, $(sed -n 's/^critical_path_ns=//p' "$out/other/result.txt") ns"

# A clock that is out of reach, in both: the same slack.
measure . fast "$usual" CLOCK=5GHz && measure . other_fast "$other" CLOCK=5GHz && alike fast other_fast || die "CLOCK=5GHz differs, or fails"
slack=$(sed -n 's/^slack_ns=//p' "$out/fast/result.txt") path=$(sed -n 's/^critical_path_ns=//p' "$out/fast/result.txt")
[ "$(echo "$slack $path" | awk '{ printf "%.2f", $1 + $2 }')" = 0.20 ] || die "slack $slack and path $path are not 0.20 ns together"
progress OK "$UNIT: $slack ns of slack at 5GHz"

# mistake NAME FILE SED: with it the two must not be alike.
mistake() {
    rm -rf "$out/tree" && mkdir -p "$out/tree"
    cp -r synth rtl cmodel "$out/tree" && ln -s "$PWD/build" "$out/tree/build"
    sed -i "$3" "$out/tree/$2"
    ! cmp -s "$2" "$out/tree/$2" || die "$1: the mistake changes nothing in $2"
    if measure "$out/tree" "$1-usual" "$usual" && measure "$out/tree" "$1" "$other" && alike "$1-usual" "$1"; then
        die "$1: nothing notices it"
    fi
    progress CAUGHT "$1: $({ head -n 1 "$out/$1.differs" || tail -n 1 "$out/$1.log"; } 2>/dev/null | cut -c1-110)"
}
mistake load-in-the-librarys-unit synth/library.sh 's/library_value load_ff/library_value load/'
mistake units-of-the-library synth/timing.tcl '/^set_cmd_units/d'
mistake flip-flops-by-name synth/map.sh 's/rename -wire .*"$/rename -wire t:DFF*"/'
mistake driver-by-name synth/map.sh 's/set_driving_cell %s/set_driving_cell BUFX2%.0s/'
mistake outputs-by-name synth/run.sh 's/^outputs=.*/outputs=Q/'

# refused NAME MESSAGE: that library of $out is, with that.
refused() {
    ! measure . "$1" "$out/$1.lib" || die "$1.lib is taken"
    grep -qF -- "$2" "$out/$1.log" || { cat "$out/$1.log" >&2; die "$1.lib: expected the message \`$2\`"; }
    progress REFUSED "$1.lib: $2"
}
sed 's/(!pin_A)/(pin_A)/; /cell *(U_BUFX/,/^}/d; /cell *(U_CLKBUF/,/^}/d; /cell *(U_INV/,/^}/d' "$other" >"$out/no-buffer.lib"
refused no-buffer "no-buffer.lib: error: the library has no buffer"
sed '/cell *(U_DFFPOSX1/,/^}/d' "$other" >"$out/no-flip-flop.lib"
refused no-flip-flop "no-flip-flop.lib: error: the library has no flip-flop that takes an input at the rising edge and does nothing else"
head -n 1000 "$other" >"$out/cut.lib"
refused cut "cut.lib:1000: error: the group cell(U_BUFX2) that begins here does not end"
refused missing "there is no $out/missing.lib; LIBERTY= names the library"
progress OK "$UNIT: libraries"
