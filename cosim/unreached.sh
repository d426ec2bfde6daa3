#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cosim/unreached.sh BUILD_DIR FILE...: what was never reached by verilator_coverage's annotated files (.sv) and gcov's (.gcov), each line
# with its file. Fails if there is any that cosim/unreached.same does not have.
set -eu
. synth/unit.sh

BUILD=$1
shift
unreached=$(awk 'FNR == 1 { file = FILENAME; sub(/.*\//, "", file); sub(/\.gcov$/, "", file); code = "" }
    file ~ /_top\.sv$/ { next }
    FILENAME ~ /\.gcov$/ {
        if ($1 == "#####:") { sub(/^[^:]*:[^:]*: */, ""); print file ": " $0 }
        next
    }
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
