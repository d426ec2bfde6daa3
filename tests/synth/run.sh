#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/synth/run.sh UNIT BUILD_DIR: does the test STATE = flip-flops (synth/run.sh) notice? Every
# tests/synth/UNIT/*.patch adds or loses registers; synth/run.sh must fail on it and say what `expect:` says.
# Reads what synth/run.sh reads and tests/synth/UNIT; writes below BUILD_DIR/synth/UNIT-planted/.
set -eu
. synth/unit.sh
. tests/planted.sh

unit_open "${1:-}" "${2:-}" "synth"
planted=$BUILD/synth/$UNIT-planted
count=0
for patch in tests/synth/"$UNIT"/*.patch; do
    [ -f "$patch" ] || die "there is no tests/synth/$UNIT/*.patch: nothing shows that the test can fail"
    name=$(basename "$patch" .patch)
    expect=$(planted_value "$patch" expect)
    plant "$patch" "$planted/$name"
    if RTL_ROOT=$planted/$name SYNTH_OUT=$UNIT-planted/$name/out \
        synth/run.sh "$UNIT" "$BUILD" >"$planted/$name/log" 2>&1; then
        die "$patch: STATE = flip-flops holds although registers differ"
    fi
    grep -qF -- "$expect" "$planted/$name/log" || {
        tail -n 5 "$planted/$name/log" >&2
        die "$patch: expected the message \`$expect\`"
    }
    progress CAUGHT "$name: $expect"
    count=$((count + 1))
done
progress OK "$UNIT: $count planted register faults, all caught by STATE = flip-flops"
