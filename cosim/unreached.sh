#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cosim/unreached.sh BUILD_DIR ANNOTATED...: what verilator_coverage has annotated as never reached, each with its file. Fails if there is
# any that cosim/unreached.same does not have.
set -eu
. synth/unit.sh

BUILD=$1
shift
unreached=$(awk 'FNR == 1 { file = FILENAME; sub(/.*\//, "", file); code = "" }
    file ~ /_top\.sv$/ { next }
    { of_previous = /verilator_coverage: \(next point on previous line\)/; point = $1 }
    !of_previous { code = $0; sub(/^[^\t]*\t */, "", code) }
    point == "%000000" && !seen[file, code]++ { print file ": " code }' "$@")
echo "$unreached" | {
    missed=0
    while read -r text; do
        [ -n "$text" ] || continue
        ! listed cosim/unreached.same "$text" "$BUILD" || continue
        echo "never reached: $text"
        missed=1
    done
    exit "$missed"
}
