#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/encoding/run.sh UNIT BUILD_DIR: do the state machines of a unit's Verilog have the states of fsm/, by name and number?
# Verilator says (as XML) of which enum each register is and what the enum's values are, after elaboration; the contract says
# which register is to be of which machine. Machine `x` is the enum type `x_fsm`. Nothing may be missing and nothing may be more.
# Then every tests/encoding/UNIT/*.patch is planted in a copy of rtl/ and must be refused with what its line `expect:` says.
set -eu
. synth/unit.sh
. tests/planted.sh

unit_open "${1:-}" "${2:-}" "encoding"
"$BUILD/check/$UNIT/expand" machines "$UNIT" | sort >"$OUT/expected"
[ -s "$OUT/expected" ] || exit 0 # no state machine

# check FOLDER NAME: the Verilog below FOLDER; differences in OUT/NAME.diff.
check() {
    verilator --xml-only -Wno-fatal --top-module "${UNIT}_top" -y "$1/rtl/prim" "$1/rtl/$UNIT/$UNIT.sv" \
        "$BUILD/cosim/$UNIT/${UNIT}_top.sv" --Mdir "$OUT" --xml-output "$OUT/$2.xml" >"$OUT/$2.log" 2>&1 || {
        cat "$OUT/$2.log" >&2
        die "Verilator does not read $1/rtl/$UNIT"
    }
    awk '
        function attribute(name) { return match($0, " " name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : "" }
        $1 == "<var" && attribute("vartype") ~ /_fsm$/ { registers[attribute("vartype")] = registers[attribute("vartype")] " " attribute("name") }
        $1 == "<enumdtype" { type = attribute("name"); sub(/.*[.:]/, "", type) }
        $1 == "</enumdtype>" { type = "" }
        type != "" && $1 == "<enumitem" { item = attribute("name") }
        type != "" && $1 == "<const" { value = attribute("name"); sub(/.*&apos;s?h/, "", value); items[type] = items[type] " " item "=" value }
        function hexadecimal(text,   n, i) { for (i = 1; i <= length(text); i++) n = 16 * n + index("0123456789abcdef", substr(text, i, 1)) - 1; return n }
        END {
            for (type in registers) {
                machine = substr(type, 1, length(type) - 4)
                count = split(registers[type], names, " ")
                size = split(items[type], list, " ")
                for (r = 1; r <= count; r++) if (names[r] ~ /_q$/) for (i = 1; i <= size; i++) {
                    split(list[i], pair, "=")
                    print names[r], machine, pair[1], hexadecimal(pair[2])
                }
            }
        }' "$OUT/$2.xml" | sort >"$OUT/$2.found"
    sed 's/^[^ ]*\.\([^ ]* \)/\1/' "$OUT/expected" | sort | diff - "$OUT/$2.found" |
        sed -n 's/^< \(.*\)/the list has, the RTL has not: \1/p; s/^> \(.*\)/the RTL has, the list has not: \1/p' >"$OUT/$2.diff"
    [ ! -s "$OUT/$2.diff" ]
}

check . rtl || {
    sed 's/^/  /' "$OUT/rtl.diff" >&2
    die "the state machines of rtl/$UNIT are not those of fsm/ (register, machine, state, number)"
}
for patch in tests/encoding/"$UNIT"/*.patch; do
    [ -f "$patch" ] || die "there is no tests/encoding/$UNIT/*.patch: nothing shows that this test can fail"
    name=$(basename "$patch" .patch)
    plant "$patch" "$OUT/$name-planted"
    ! check "$OUT/$name-planted" "$name" || die "$patch: not noticed"
    grep -qF -- "$(planted_value "$patch" expect)" "$OUT/$name.diff" || {
        cat "$OUT/$name.diff" >&2
        die "$patch: expected \`$(planted_value "$patch" expect)\`"
    }
done
