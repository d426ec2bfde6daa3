#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/synth/run.sh UNIT BUILD_DIR: does synth/run.sh notice that registers or memories are not those of the contract? Every
# tests/synth/UNIT/*.patch adds, loses or changes some; synth/run.sh must fail on it and say what `expect:` says.
# PLANTED=n: no more than n of them, evenly spread.
# Reads what synth/run.sh reads and tests/synth/UNIT; writes below BUILD_DIR/synth/UNIT-planted/.
set -eu
. synth/unit.sh
. tests/planted.sh

unit_open "${1:-}" "${2:-}" "synth"
planted=$BUILD/synth/$UNIT-planted
count=0
for patch in $(chosen tests/synth/"$UNIT"/*.patch); do
    [ -f "$patch" ] || die "there is no tests/synth/$UNIT/*.patch: nothing shows that the test can fail"
    name=$(basename "$patch" .patch)
    expect=$(planted_value "$patch" expect)
    plant "$patch" "$planted/$name"
    if RTL_ROOT=$planted/$name SYNTH_OUT=$UNIT-planted/$name/out \
        synth/run.sh "$UNIT" "$BUILD" >"$planted/$name/log" 2>&1; then
        die "$patch: synth/run.sh accepts it although registers or memories differ"
    fi
    grep -qF -- "$expect" "$planted/$name/log" || {
        tail -n 5 "$planted/$name/log" >&2
        die "$patch: expected the message \`$expect\`"
    }
    progress CAUGHT "$name: $expect"
    count=$((count + 1))
done
progress OK "$UNIT: $count planted registers and memories are refused"
